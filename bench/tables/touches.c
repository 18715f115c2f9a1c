#define _GNU_SOURCE /* sigaction's siginfo, MAP_ANONYMOUS */

#include "touches.h"

#include <signal.h>
#include <stdint.h>

#include <sys/mman.h>
#include <unistd.h>

#include "../support.h"

static char *watched;
static size_t watched_bytes;
static volatile sig_atomic_t touched;
static struct sigaction before;

size_t touches_page(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Anything else than a watched page is a fault, which then comes again without this handler. */
static void give_page(int signal, siginfo_t *info, void *context) {
    (void)context;
    size_t page = touches_page();
    uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)watched;
    if (watched == NULL || offset >= watched_bytes ||
        mprotect(watched + offset / page * page, page, PROT_READ | PROT_WRITE) != 0) {
        (void)sigaction(signal, &before, NULL);
        return;
    }
    touched = touched + 1;
}

void touches_watch(void *pages, size_t bytes) {
    struct sigaction action = {.sa_sigaction = give_page, .sa_flags = SA_SIGINFO};
    (void)sigemptyset(&action.sa_mask);
    watched = pages;
    watched_bytes = bytes;
    if (sigaction(SIGSEGV, &action, &before) != 0) {
        fail("no way to watch pages");
    }
}

void touches_unwatch(void) {
    (void)mprotect(watched, watched_bytes, PROT_READ | PROT_WRITE);
    (void)sigaction(SIGSEGV, &before, NULL);
    watched = NULL;
}

void touches_begin(void) {
    touched = 0;
    if (mprotect(watched, watched_bytes, PROT_NONE) != 0) {
        fail("no way to take pages away");
    }
}

unsigned touches_end(void) {
    return (unsigned)touched;
}

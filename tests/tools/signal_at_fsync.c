/* For interrupt.sh: a signal at the worst moment, when a filter is written but not yet in place. */
#include <signal.h>

int fsync(int fd);

int fsync(int fd) {
    (void)fd;
    return raise(SIGTERM);
}

#include "crew.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "errors.h"
#include "numbers.h"
#include "progress.h"

struct crew {
    pthread_mutex_t reading;
    struct lines lines;

    pthread_mutex_t handing_in;
    pthread_cond_t turn_changed;
    uint64_t turn; /* the piece that is next */
    struct tally total;
    struct progress progress;

    crew_job job;
    void *context;
};

void worker_write(struct worker *worker, const void *bytes, size_t length) {
    if (length > worker->output_room - worker->output_length) {
        size_t wanted = worker->output_length + length;
        worker->output_room = 2 * wanted;
        worker->output = get_memory(worker->output, worker->output_room);
    }
    if (length != 0) {
        memcpy(worker->output + worker->output_length, bytes, length);
    }
    worker->output_length += length;
}

static void write_all(const char *bytes, size_t length) {
    while (length != 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written < 0 && errno != EINTR) {
            fail_with_file("write to", "standard output");
        }
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
}

static void work(struct crew *crew, struct worker *worker) {
    worker->output_length = 0;
    worker->tally = (struct tally){0};
    size_t offset = 0;
    while (lines_batch(&worker->piece, crew->lines.delimiter, &offset, &worker->batch)) {
        worker->tally.lines += worker->batch.count;
        crew->job(crew->context, worker);
    }
}

static void hand_in(struct crew *crew, const struct worker *worker) {
    (void)pthread_mutex_lock(&crew->handing_in);
    while (crew->turn != worker->piece.number) {
        (void)pthread_cond_wait(&crew->turn_changed, &crew->handing_in);
    }
    if (worker->output_length != 0 && crew->progress.is_shown && isatty(STDOUT_FILENO) == 1) {
        progress_end(&crew->progress); /* among the lines on the terminal it would be noise */
    }
    write_all(worker->output, worker->output_length);
    crew->total.lines += worker->tally.lines;
    crew->total.done += worker->tally.done;
    progress_show(&crew->progress, crew->total.lines, worker->piece.consumed);
    crew->turn++;
    (void)pthread_cond_broadcast(&crew->turn_changed);
    (void)pthread_mutex_unlock(&crew->handing_in);
}

static bool take_piece(struct crew *crew, struct piece *piece) {
    (void)pthread_mutex_lock(&crew->reading);
    bool is_taken = lines_next(&crew->lines, piece);
    (void)pthread_mutex_unlock(&crew->reading);
    return is_taken;
}

static void *run_worker(void *shared) {
    struct crew *crew = shared;
    struct worker *worker = get_memory(NULL, sizeof *worker);
    memset(worker, 0, sizeof *worker);
    while (take_piece(crew, &worker->piece)) {
        work(crew, worker);
        hand_in(crew, worker);
    }
    free(worker->piece.bytes);
    free(worker->output);
    free(worker);
    return NULL;
}

/* The thread that calls is one of them; if the system gives fewer than wanted, these do. */
static void run_all(struct crew *crew, unsigned wanted) {
    pthread_t *threads = get_memory(NULL, wanted * sizeof *threads);
    unsigned started = 0;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, run_worker, crew) == 0) {
        started++;
    }
    (void)run_worker(crew);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    free(threads);
}

struct tally crew_run(const struct settings *settings, char **paths, crew_job job, void *context) {
    struct crew crew = {.reading = PTHREAD_MUTEX_INITIALIZER,
                        .handing_in = PTHREAD_MUTEX_INITIALIZER,
                        .turn_changed = PTHREAD_COND_INITIALIZER,
                        .job = job,
                        .context = context};
    lines_begin(&crew.lines, paths, settings->delimiter, settings->quiet);
    progress_begin(&crew.progress, !settings->quiet, crew.lines.total);
    run_all(&crew, settings->threads);
    progress_end(&crew.progress);
    free(crew.lines.carried);
    return crew.total;
}

void report_keys(const struct tally *tally, const char *what, double began) {
    char lines[NUMBER_ROOM];
    char keys[NUMBER_ROOM];
    complain("%s lines, %s %s, %.1f s", grouped(tally->lines, lines), grouped(tally->done, keys),
             what, seconds_now() - began);
}

/*
 * Threads that work together on one piece: pinned one a core (round the cores if they are more),
 * and let go at one moment. The calling thread is the first of them.
 */
#ifndef GUIRA_BENCH_CREW_H
#define GUIRA_BENCH_CREW_H

enum { MAX_THREADS = 64 };

typedef void (*crew_work)(void *shared, unsigned member);

/* Pin the calling thread to the first core that the process may use. Before everything else. */
void crew_pin_caller(void);
unsigned crew_cores(void);

/* Let `size` threads do work(shared, 0 .. size - 1), and wait for them. */
void crew_run(unsigned size, crew_work work, void *shared);

#endif

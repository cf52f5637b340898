/*
 * progress: one line on a terminal's standard error, redrawn while a long run goes on.
 *
 * It appears after about a second and is cleared before anything else is told.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    bool on;
    bool shown;
    uint64_t total; /* bytes to come in all; 0: not known */
    struct timespec begun;
    struct timespec drawn;
};

/* `on`: whether to show anything at all. */
void progress_init(struct progress *p, bool on);

/* `bytes` in all have been read; redraw if it is time. Cheap enough for every read. */
void progress_tick(struct progress *p, uint64_t bytes);

/* Take the line off the terminal. */
void progress_clear(struct progress *p);

#endif

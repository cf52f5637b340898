#include "progress.h"

#include <stdio.h>

static double since(const struct timespec *t)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) / 1e9;
}

void progress_init(struct progress *p, bool on)
{
    *p = (struct progress){.on = on};
    if (on) {
        (void)clock_gettime(CLOCK_MONOTONIC, &p->begun);
        p->drawn = p->begun;
    }
}

void progress_tick(struct progress *p, uint64_t bytes)
{
    enum { MB = 1000000 };
    if (!p->on || since(&p->drawn) < (p->shown ? 0.2 : 1.0)) {
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &p->drawn);
    double seconds = since(&p->begun);
    double rate = (double)bytes / seconds;
    (void)fprintf(stderr, "\r\033[K%.1f MB  %.1f MB/s", (double)bytes / MB, rate / MB);
    if (p->total >= bytes && p->total > 0) {
        (void)fprintf(stderr, "  %.0f %%  %.0f s left", 100.0 * (double)bytes / (double)p->total,
                      rate > 0 ? (double)(p->total - bytes) / rate : 0.0);
    }
    (void)fflush(stderr);
    p->shown = true;
}

void progress_clear(struct progress *p)
{
    if (p->shown) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        p->shown = false;
    }
}

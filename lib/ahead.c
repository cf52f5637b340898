#include "ahead.h"

#include "mem.h"

#include <pthread.h>
#include <signal.h>

enum state { IDLE, BUSY, QUIT };

struct eve_ahead {
    void (*work)(void *ctx);
    void *ctx;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum state state; /* under `lock` */
};

static void *run(void *arg)
{
    struct eve_ahead *a = arg;
    (void)pthread_mutex_lock(&a->lock);
    while (a->state != QUIT) {
        if (a->state == BUSY) {
            (void)pthread_mutex_unlock(&a->lock);
            a->work(a->ctx);
            (void)pthread_mutex_lock(&a->lock);
            a->state = IDLE;
            (void)pthread_cond_signal(&a->changed);
        }
        while (a->state == IDLE) {
            (void)pthread_cond_wait(&a->changed, &a->lock);
        }
    }
    (void)pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void set(struct eve_ahead *a, enum state state)
{
    (void)pthread_mutex_lock(&a->lock);
    a->state = state;
    (void)pthread_cond_signal(&a->changed);
    (void)pthread_mutex_unlock(&a->lock);
}

/* Signals are for the thread that knows what to clean up. */
static int create(struct eve_ahead *a)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int sys = pthread_create(&a->thread, NULL, run, a);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return sys;
}

enum eve_status eve_ahead_new(struct eve_ahead **a, void (*work)(void *ctx), void *ctx,
                              struct eve_err *err)
{
    struct eve_ahead *made = NULL;
    enum eve_status status = eve_mem_resize(&made, 1, sizeof *made, err);
    if (status != EVE_OK) {
        return status;
    }
    *made = (struct eve_ahead){.work = work, .ctx = ctx, .state = IDLE};
    (void)pthread_mutex_init(&made->lock, NULL);
    (void)pthread_cond_init(&made->changed, NULL);
    int sys = create(made);
    if (sys != 0) {
        eve_mem_free(made);
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot start a thread", 0, sys);
    }
    *a = made;
    return EVE_OK;
}

void eve_ahead_free(struct eve_ahead *a)
{
    if (a == NULL) {
        return;
    }
    eve_ahead_wait(a);
    set(a, QUIT);
    (void)pthread_join(a->thread, NULL);
    (void)pthread_cond_destroy(&a->changed);
    (void)pthread_mutex_destroy(&a->lock);
    eve_mem_free(a);
}

void eve_ahead_start(struct eve_ahead *a)
{
    set(a, BUSY);
}

void eve_ahead_wait(struct eve_ahead *a)
{
    (void)pthread_mutex_lock(&a->lock);
    while (a->state == BUSY) {
        (void)pthread_cond_wait(&a->changed, &a->lock);
    }
    (void)pthread_mutex_unlock(&a->lock);
}

#include "ahead.h"

#include "mem.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { INS = 2, OUTS = 8 };

struct eve_ahead {
    struct eve_unpack *u;
    size_t max;
    pthread_t thread;
    struct eve_slice left; /* the thread's: what of the first input is not decoded yet */
    pthread_mutex_t lock;  /* for all that follows */
    pthread_cond_t work;   /* the thread waits for it */
    pthread_cond_t text;   /* the other side does */
    bool thread_waits, other_waits;
    bool working; /* the thread decodes, outside the lock */
    bool quit;
    unsigned in_first, ins; /* inputs not decoded to their ends */
    size_t in_n[INS];
    unsigned out_first, outs; /* texts not taken */
    size_t out_n[OUTS];
    struct eve_err failure; /* after them; msg NULL: none */
    char in[INS][EVE_AHEAD_IN];
    char out[OUTS][EVE_AHEAD_OUT];
};

/* There is something to decode. */
static bool has_work(const struct eve_ahead *a)
{
    return a->failure.msg == NULL && (a->ins > 0 || eve_unpack_holds(a->u));
}

/* Nothing comes before more is given. */
static bool is_idle(const struct eve_ahead *a)
{
    return !a->working && a->failure.msg == NULL && !has_work(a);
}

/* Decode once, into the next place for text, which there is. The lock is held before and after. */
static void decode(struct eve_ahead *a)
{
    unsigned place = (a->out_first + a->outs) % OUTS;
    size_t n = 0;
    struct eve_err err;
    bool begun = a->left.n > 0;
    if (!begun && a->ins > 0) {
        a->left = (struct eve_slice){a->in[a->in_first], a->in_n[a->in_first]};
        begun = true;
    }
    a->working = true;
    (void)pthread_mutex_unlock(&a->lock);
    enum eve_status status = eve_unpack_some(
        a->u, &a->left, a->out[place], a->max < EVE_AHEAD_OUT ? a->max : EVE_AHEAD_OUT, &n, &err);
    (void)pthread_mutex_lock(&a->lock);
    a->working = false;
    if (begun && a->left.n == 0) { /* else an input may have come meanwhile */
        a->in_first = (a->in_first + 1) % INS;
        a->ins--;
    }
    if (status != EVE_OK) {
        a->failure = err;
    } else if (n > 0) {
        a->out_n[place] = n;
        a->outs++;
    }
}

static void *run(void *arg)
{
    struct eve_ahead *a = arg;
    (void)pthread_mutex_lock(&a->lock);
    while (!a->quit) {
        bool can = has_work(a) && a->outs < OUTS;
        if (can) {
            decode(a);
        }
        if (a->other_waits && (!can || a->outs >= OUTS / 2)) {
            (void)pthread_cond_signal(&a->text);
        }
        if (!can) {
            a->thread_waits = true;
            (void)pthread_cond_wait(&a->work, &a->lock);
            a->thread_waits = false;
        }
    }
    (void)pthread_mutex_unlock(&a->lock);
    return NULL;
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

static void destroy(struct eve_ahead *a)
{
    (void)pthread_cond_destroy(&a->text);
    (void)pthread_cond_destroy(&a->work);
    (void)pthread_mutex_destroy(&a->lock);
    eve_mem_free(a);
}

enum eve_status eve_ahead_new(struct eve_ahead **a, struct eve_unpack *u, size_t max,
                              struct eve_err *err)
{
    struct eve_ahead *made = NULL;
    enum eve_status status = eve_mem_resize(&made, 1, sizeof *made, err);
    if (status != EVE_OK) {
        return status;
    }
    memset(made, 0, offsetof(struct eve_ahead, in)); /* the rest is not touched before its time */
    made->u = u;
    made->max = max;
    (void)pthread_mutex_init(&made->lock, NULL);
    (void)pthread_cond_init(&made->work, NULL);
    (void)pthread_cond_init(&made->text, NULL);
    int sys = create(made);
    if (sys != 0) {
        destroy(made);
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot start a thread", 0, sys);
    }
    *a = made;
    return EVE_OK;
}

/* Let the thread look again. */
static void wake(struct eve_ahead *a)
{
    if (a->thread_waits) {
        (void)pthread_cond_signal(&a->work);
    }
}

void eve_ahead_free(struct eve_ahead *a)
{
    if (a == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&a->lock);
    a->quit = true;
    wake(a);
    (void)pthread_mutex_unlock(&a->lock);
    (void)pthread_join(a->thread, NULL);
    destroy(a);
}

char *eve_ahead_room(struct eve_ahead *a)
{
    (void)pthread_mutex_lock(&a->lock);
    char *room = a->ins < INS ? a->in[(a->in_first + a->ins) % INS] : NULL;
    (void)pthread_mutex_unlock(&a->lock);
    return room;
}

void eve_ahead_give(struct eve_ahead *a, size_t n)
{
    (void)pthread_mutex_lock(&a->lock);
    a->in_n[(a->in_first + a->ins) % INS] = n;
    a->ins++;
    wake(a);
    (void)pthread_mutex_unlock(&a->lock);
}

bool eve_ahead_is_dry(struct eve_ahead *a)
{
    (void)pthread_mutex_lock(&a->lock);
    bool dry = a->outs == 0 && is_idle(a);
    (void)pthread_mutex_unlock(&a->lock);
    return dry;
}

enum eve_status eve_ahead_take(struct eve_ahead *a, char *to, size_t room, size_t *got,
                               struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    *got = 0;
    (void)pthread_mutex_lock(&a->lock);
    while (a->outs == 0 && a->failure.msg == NULL && !is_idle(a)) {
        a->other_waits = true;
        (void)pthread_cond_wait(&a->text, &a->lock);
        a->other_waits = false;
    }
    if (a->outs == 0 && a->failure.msg != NULL) {
        *err = a->failure;
        status = EVE_FAIL;
    }
    while (a->outs > 0 && *got + a->out_n[a->out_first] <= room) {
        unsigned place = a->out_first;
        (void)pthread_mutex_unlock(&a->lock);
        memcpy(to + *got, a->out[place], a->out_n[place]);
        (void)pthread_mutex_lock(&a->lock);
        *got += a->out_n[place];
        a->out_first = (place + 1) % OUTS;
        a->outs--;
    }
    if (a->outs <= OUTS / 2) {
        wake(a);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return status;
}

#include "source.h"

#include "mem.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void eve_source_init(struct eve_source *s, int fd, size_t max, bool alone)
{
    *s = (struct eve_source){.fd = fd, .max = max, .alone = alone};
}

void eve_source_fini(struct eve_source *s)
{
    eve_ahead_free(s->ahead);
    eve_unpack_free(s->unpack);
    eve_mem_free(s->in);
    *s = (struct eve_source){.fd = -1};
}

bool eve_source_reads(const struct eve_source *s)
{
    if (s->unpack == NULL) {
        return true;
    }
    return s->left.n == 0 &&
           (s->ahead != NULL ? eve_ahead_is_dry(s->ahead) : !eve_unpack_holds(s->unpack));
}

static size_t at_most(const struct eve_source *s, size_t room)
{
    return room < s->max ? room : s->max;
}

/* One read(2). */
static enum eve_status take(struct eve_source *s, char *to, size_t room, size_t *got,
                            struct eve_err *err)
{
    ssize_t n = read(s->fd, to, at_most(s, room));
    if (n < 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot read", 0, errno);
    }
    *got = (size_t)n;
    s->taken += (uint64_t)n;
    s->ended = n == 0;
    return n > 0 ? EVE_OK : EVE_END;
}

/* It is compressed, and `first` are its first bytes: the next calls decode. */
static enum eve_status start_unpacking(struct eve_source *s, struct eve_slice first,
                                       struct eve_err *err)
{
    s->in_cap = first.n < EVE_SOURCE_BLOCK ? EVE_SOURCE_BLOCK : first.n;
    enum eve_status status = eve_mem_resize(&s->in, s->in_cap, 1, err);
    if (status == EVE_OK) {
        status = eve_unpack_new(&s->unpack, s->format, err);
    }
    if (status == EVE_OK) {
        memcpy(s->in, first.p, first.n);
        s->left = (struct eve_slice){s->in, first.n};
    }
    return status;
}

/* The first bytes, until they tell what this is. */
static enum eve_status read_first(struct eve_source *s, char *to, size_t room, size_t *got,
                                  struct eve_err *err)
{
    size_t more = 0;
    bool undecided = false;
    memcpy(to, s->head, s->head_n);
    enum eve_status status = take(s, to + s->head_n, room - s->head_n, &more, err);
    struct eve_slice first = {to, s->head_n + more};
    if (status == EVE_FAIL) {
        return status;
    }
    s->format = eve_packed_of(first, &undecided);
    if (undecided && status == EVE_OK) {
        memcpy(s->head, first.p, first.n);
        s->head_n = first.n;
        return EVE_OK;
    }
    s->known = true;
    if (s->format != EVE_PACKED_NOT && eve_packed_built(s->format)) {
        return start_unpacking(s, first, err);
    }
    *got = first.n;
    return first.n > 0 ? EVE_OK : EVE_END;
}

/* Read compressed bytes; those before were all decoded, or given to the thread. */
static enum eve_status take_packed(struct eve_source *s, struct eve_err *err)
{
    size_t n = 0;
    enum eve_status status = s->ended ? EVE_END : take(s, s->in, s->in_cap, &n, err);
    s->left = (struct eve_slice){s->in, n};
    return status;
}

/* The same, now that nothing else can be done. EVE_END: there are no more, and may be none. */
static enum eve_status need_packed(struct eve_source *s, struct eve_err *err)
{
    enum eve_status status = take_packed(s, err);
    return status == EVE_END ? eve_unpack_end(s->unpack, err) : status;
}

/* There is something to read, or the end. */
static bool is_ready(const struct eve_source *s)
{
    struct pollfd ready = {.fd = s->fd, .events = POLLIN};
    return poll(&ready, 1, 0) > 0;
}

/* Give the thread the bytes at hand, as far as it has room. */
static void give(struct eve_source *s)
{
    char *in = NULL;
    while (s->left.n > 0 && (in = eve_ahead_room(s->ahead)) != NULL) {
        size_t n = s->left.n < EVE_AHEAD_IN ? s->left.n : EVE_AHEAD_IN;
        memcpy(in, s->left.p, n);
        eve_ahead_give(s->ahead, n);
        s->left = (struct eve_slice){s->left.p + n, s->left.n - n};
    }
}

/* Give the thread what it needs, and read what it could use later if that is there. What cannot be
 * read then is told by the call that has to read it. */
static enum eve_status supply(struct eve_source *s, struct eve_err *err)
{
    struct eve_err ignored;
    enum eve_status status = eve_source_reads(s) ? need_packed(s, err) : EVE_OK;
    give(s);
    if (status == EVE_OK && s->left.n == 0 && !s->ended && is_ready(s) &&
        take_packed(s, &ignored) == EVE_OK) {
        give(s);
    }
    return status;
}

/* From here on a thread decodes, if there is one to be had: all goes well without, and slower. */
static void go_ahead(struct eve_source *s)
{
    struct eve_err ignored;
    s->alone = eve_ahead_new(&s->ahead, s->unpack, s->max, &ignored) != EVE_OK;
}

/* Decode what is there, or read more of it. */
static enum eve_status decode(struct eve_source *s, char *to, size_t room, size_t *got,
                              struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    room = at_most(s, room);
    if (s->ahead != NULL) {
        status = supply(s, err);
        return status == EVE_OK ? eve_ahead_take(s->ahead, to, room, got, err) : status;
    }
    if (eve_source_reads(s)) {
        status = need_packed(s, err);
    }
    if (status == EVE_OK) {
        status = eve_unpack_some(s->unpack, &s->left, to, room, got, err);
    }
    if (status == EVE_OK && *got == room && !s->alone) {
        go_ahead(s);
    }
    return status;
}

enum eve_status eve_source_read(struct eve_source *s, char *to, size_t room, size_t *got,
                                struct eve_err *err)
{
    *got = 0;
    if (s->unpack != NULL) {
        return decode(s, to, room, got, err);
    }
    return s->known ? take(s, to, room, got, err) : read_first(s, to, room, got, err);
}

/*
 * evestream: the library for other programs. Event streams of the eve agent framework, versions 21
 * to 26, are read, brought to delta-only form, and their texts put together.
 *
 *     struct eve_stream *s = eve_stream_new(&(struct eve_stream_options){.blocks = true});
 *     struct eve_stream_event event;
 *     struct eve_stream_bytes record;
 *     enum eve_stream_status status;
 *     eve_stream_open(s, fd);
 *     while ((status = eve_stream_next(s, &event)) == EVE_STREAM_OK || status == EVE_STREAM_BAD) {
 *         while (eve_stream_block(s, &record)) ...
 *     }
 *     while (eve_stream_block(s, &record)) ...
 *     eve_stream_free(s);
 *
 * Lifetime: a stream object belongs to the caller from eve_stream_new to eve_stream_free. What it
 * hands out is borrowed and good until the next call of eve_stream_next, eve_stream_line,
 * eve_stream_open or eve_stream_end with it. Bytes may hold NUL and do not end in one.
 *
 * Threads: objects are independent of each other; one is used by one thread at a time. A long
 * compressed text is decoded ahead on a thread of its own. The library never prints, exits, or
 * reads environment, locale or clock.
 *
 * Stability: this is version 0.1 and static only. Before 1.0 a new minor version may change what is
 * here, and the CHANGELOG says so; a patch version does not. From 1.0 on names stay, and structures
 * only grow at their end: set them up with initializers that name members, so that the rest is 0.
 * Names that do not begin with eve_stream_ or EVE_STREAM_ are none of it.
 */
#ifndef EVE_EVESTREAM_H
#define EVE_EVESTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVE_STREAM_VERSION "0.1.0"

enum eve_stream_status {
    EVE_STREAM_OK = 0,
    EVE_STREAM_END = 1,  /* no more, or (eve_stream_line) no event in the line */
    EVE_STREAM_BAD = -1, /* this line is wrong; the next may be fine */
    EVE_STREAM_FAIL = -2 /* stop: reading failed, or no memory */
};

struct eve_stream_bytes {
    const char *p;
    size_t n;
};

struct eve_stream_options {
    unsigned version;     /* 21 to 26: declared, its rules hold. 0: each event by its shape */
    size_t max_line;      /* longest line in bytes that eve_stream_next takes; 0: no limit */
    const char *group_by; /* a top-level member whose value tells sessions apart, which then have
                             texts of their own; borrowed until eve_stream_free. NULL: none */
    bool blocks;          /* put texts together: eve_stream_block, and `text` of events */
};

/* Values are raw JSON, as in the line. Where there is none, p is NULL. */
struct eve_stream_event {
    uint64_t line;                      /* from 1 */
    uint64_t index;                     /* of good events, from 0 */
    struct eve_stream_bytes type;       /* a string */
    struct eve_stream_bytes found;      /* the event as it came, without white space around it */
    struct eve_stream_bytes delta_only; /* the event without what version 25 removed */
    bool legacy;                        /* an append that came with the text so far or its offset */
    const char *append;            /* "message", "reasoning" or "input" for the three appends */
    struct eve_stream_bytes delta; /* of an append, a string */
    struct eve_stream_bytes text;  /* of an append, with `blocks`: the text so far with this delta,
                                      spelled as JSON.stringify does, but without quotes */
};

/* Why a call returned EVE_STREAM_BAD or EVE_STREAM_FAIL. Texts are constant. */
struct eve_stream_error {
    const char *rule; /* such as "json-syntax", see evenorm(1); NULL if it is not about data */
    const char *message;
    uint64_t line;   /* from 1; 0: none */
    uint64_t column; /* in bytes from 1; 0: none */
    int system;      /* errno; 0: none */
};

struct eve_stream;

/* The version of the library that was linked: EVE_STREAM_VERSION of its header. */
const char *eve_stream_version(void);

/* A stream object with nothing in it. `options`: copied; NULL: all zero. Returns NULL if there is
 * no memory, or the version is not known. */
struct eve_stream *eve_stream_new(const struct eve_stream_options *options);

/* Free it; NULL is allowed. Descriptors stay open. */
void eve_stream_free(struct eve_stream *s);

/* Read from `fd` from now on, another stream: nothing is kept of one before. The descriptor stays
 * the caller's, and has to be open until the last eve_stream_next. What gzip or zstd compressed is
 * read as its text, if the library was built with these. */
void eve_stream_open(struct eve_stream *s, int fd);

/* The next event. EVE_STREAM_OK: *event is filled in. EVE_STREAM_END: no more; blocks that were
 * open came to their end. EVE_STREAM_BAD: a line was no event of this version; the next call goes
 * on behind it. EVE_STREAM_FAIL: the stream cannot be read on. Blank lines and control records are
 * passed over. */
enum eve_stream_status eve_stream_next(struct eve_stream *s, struct eve_stream_event *event);

/* The same for a line that the caller has: `n` bytes, with or without LF at their end, and no
 * other LF. They are copied; max_line does not hold. EVE_STREAM_END: a blank line or a control
 * record. Not to be mixed with eve_stream_open.
 */
enum eve_stream_status eve_stream_line(struct eve_stream *s, const char *p, size_t n,
                                       struct eve_stream_event *event);

/* After the last eve_stream_line: open blocks end as such, and the object is as new.
 * EVE_STREAM_FAIL: no memory. */
enum eve_stream_status eve_stream_end(struct eve_stream *s);

/* With `blocks`: the next of the blocks that ended with the last call (eve_stream_next,
 * eve_stream_line, eve_stream_end), as the record that eveaccum(1) describes: one JSON object,
 * without LF. False: no more. */
bool eve_stream_block(struct eve_stream *s, struct eve_stream_bytes *record);

/* The last member `name` (NUL-terminated) of the `data` of the event just handed out, raw; p is
 * NULL if there is none. */
struct eve_stream_bytes eve_stream_data(const struct eve_stream *s, const char *name);

/* `value` is a JSON string that was handed out, and says `text` (NUL-terminated UTF-8), however it
 * is spelled. */
bool eve_stream_says(struct eve_stream_bytes value, const char *text);

/* About the last EVE_STREAM_BAD or EVE_STREAM_FAIL. Good until the next call. */
const struct eve_stream_error *eve_stream_error(const struct eve_stream *s);

#ifdef __cplusplus
}
#endif

#endif

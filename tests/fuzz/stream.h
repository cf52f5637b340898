#ifndef FUZZ_STREAM_H
#define FUZZ_STREAM_H

/*
 * A whole stream into a tool's core, as cmd/feed does it for files: what the targets of tools
 * share.
 */
#include "fuzz.h"

#include "decode.h"
#include "event.h"
#include "line.h"
#include "out.h"
#include "snapshot.h"
#include "str.h"
#include "template.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How it is read; nothing that comes out may depend on it. */
struct fuzz_way {
    size_t read_bytes; /* at most at a time; 0: as many as there are */
    bool templates;
};

/* What is done with it. */
struct fuzz_tool {
    void *ctx;
    struct eve_slice group; /* name of the group member; n = 0: none */
    bool name_skills;
    const struct eve_snapshots *snapshots; /* or NULL, as for eve_template_match */
    struct eve_out *out;                   /* or NULL */
    /* An event that was decoded: EVE_OK, or EVE_BAD with *err. */
    enum eve_status (*event)(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                             uint64_t line, struct eve_err *err);
    /* A bad line, as for eve_check_bad; NULL: nothing is done with it. */
    void (*bad)(void *ctx, const struct eve_event *ev, bool parsed, uint64_t line,
                const struct eve_err *why);
};

static inline int fuzz_file(struct eve_slice s)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    HOLDS(fd >= 0 && write(fd, s.p, s.n) == (ssize_t)s.n && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static inline int fuzz_settle(void *ctx, bool blocks)
{
    struct eve_err err;
    (void)blocks;
    HOLDS(ctx == NULL || eve_out_settle(ctx, &err) == EVE_OK);
    return -1;
}

static inline void fuzz_bad(const struct fuzz_tool *tool, const struct eve_event *ev, bool parsed,
                            const struct eve_line *line, const struct eve_err *why)
{
    HOLDS(why->pos <= line->text.n);
    if (tool->bad != NULL) {
        tool->bad(tool->ctx, ev, parsed, line->number, why);
    }
}

static inline void fuzz_take(const struct fuzz_tool *tool, struct eve_decoder *d,
                             const struct eve_event *ev, const struct eve_line *line)
{
    struct eve_err err;
    enum eve_status status = eve_decode(d, ev, EVE_VERSION_AUTO, tool->name_skills, &err);
    if (status == EVE_OK) {
        status = tool->event(tool->ctx, ev, d, line->number, &err);
    }
    HOLDS(status != EVE_FAIL);
    if (status == EVE_BAD) {
        fuzz_bad(tool, ev, true, line, &err);
    }
}

static inline void fuzz_stream(struct eve_slice stream, const struct fuzz_way *way,
                               const struct fuzz_tool *tool)
{
    struct eve_decoder d;
    struct eve_line_reader r;
    struct eve_line line;
    struct eve_event ev;
    struct eve_err err;
    struct eve_event_options options = {tool->group};
    struct eve_templates templates;
    int in = fuzz_file(stream);
    struct eve_line_options reading = {
        .read_bytes = way->read_bytes, .hook = fuzz_settle, .hook_ctx = tool->out};
    eve_line_init(&r, in, &reading);
    eve_decode_init(&d);
    eve_template_init(&templates);
    while (eve_line_next(&r, &line, &err) == EVE_OK) {
        struct eve_slice whole = {line.text.p, line.text.n + 1};
        const struct eve_event *known = way->templates && line.ended
                                            ? eve_template_match(&templates, whole, tool->snapshots)
                                            : NULL;
        if (known != NULL) {
            fuzz_take(tool, &d, known, &line);
        } else if (eve_event_parse(&ev, line.text, line.ended, &options, &err) != EVE_OK) {
            fuzz_bad(tool, &ev, false, &line, &err);
        } else if (ev.kind == EVE_LINE_EVENT) {
            HOLDS(!way->templates ||
                  eve_template_learn(&templates, &ev, tool->snapshots, &err) == EVE_OK);
            fuzz_take(tool, &d, &ev, &line);
        }
    }
    eve_decode_fini(&d);
    eve_template_fini(&templates);
    eve_line_fini(&r);
    close(in);
}

static inline bool fuzz_equal(const struct eve_buf *a, const struct eve_buf *b)
{
    return eve_str_equal(eve_buf_slice(a), eve_buf_slice(b));
}

#endif

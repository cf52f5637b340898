/*
 * show: texts as people read them.
 *
 * They are written in pieces, so that a long text is not held a second time.
 */
#ifndef EVE_SHOW_H
#define EVE_SHOW_H

#include "base.h"
#include "buf.h"
#include "out.h"

struct eve_show {
    struct eve_out *out; /* borrowed */
    struct eve_buf *buf; /* scratch, borrowed; its content is lost */
    bool guard;          /* for a terminal, see spell.h */
    const char *mark;    /* comes before each line; NULL: nothing */
    bool one_line;       /* line ends become spaces */
};

/* Write what a spelled text says (see eve_spell_to_text), or plain UTF-8. EVE_FAIL: no memory, or
 * the output. */
EVE_MUST_USE enum eve_status eve_show_text(const struct eve_show *s, struct eve_slice spelled,
                                           struct eve_err *err);
EVE_MUST_USE enum eve_status eve_show_plain(const struct eve_show *s, struct eve_slice plain,
                                            struct eve_err *err);

#endif

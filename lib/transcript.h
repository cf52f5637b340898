/*
 * transcript: what a person reads of a session.
 *
 * Blocks in the order they end, one empty line between them: a user's text has `> ` before each
 * line, a reasoning text `| `, a tool call is `* NAME INPUT`, an unfinished text ends with `
 * [STATE]`. On a terminal a heading names each turn, and nothing in the texts can move the cursor.
 */
#ifndef EVE_TRANSCRIPT_H
#define EVE_TRANSCRIPT_H

#include "base.h"
#include "buf.h"
#include "ending.h"
#include "event.h"
#include "out.h"

struct eve_transcript_options {
    bool reasoning; /* show it */
    bool nul;       /* each block ends with NUL; no empty lines */
    bool terminal;
    bool color; /* on a terminal: headings bold, reasoning faint */
};

struct eve_transcript {
    struct eve_transcript_options options;
    bool begun;          /* a block was printed */
    struct eve_buf text; /* scratch */
    struct eve_buf page; /* scratch: a piece of text as it is printed */
    struct eve_buf turn; /* key of the turn whose heading was printed last */
};

void eve_transcript_init(struct eve_transcript *t, const struct eve_transcript_options *options);
void eve_transcript_fini(struct eve_transcript *t);

/* Print the block that ended, if there is something to read. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status eve_transcript_block(struct eve_transcript *t,
                                                  const struct eve_ending *e, struct eve_out *out,
                                                  struct eve_err *err);

/* Print what the user said, if the event is a message.received. */
EVE_MUST_USE enum eve_status eve_transcript_event(struct eve_transcript *t,
                                                  const struct eve_event *ev, struct eve_out *out,
                                                  struct eve_err *err);

/* Another file begins; its headings come anew. */
void eve_transcript_next(struct eve_transcript *t);

#endif

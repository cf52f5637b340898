/*
 * A whole stream through the core of eveaccum. Of its first byte bits 0 and 1 are the mode (blocks,
 * events, text with reasoning, last answers), bit 2 groups by "g"; the second says after how many
 * events the run is cut; the rest is the stream. Templates and the walk give the same, so do reads
 * of any size, and so do two runs with a state between them; a state that was read is written as it
 * was.
 */
#include "stream.h"

#include "cumulate.h"
#include "record.h"
#include "state.h"
#include "transcript.h"

enum mode { BLOCKS, EVENTS, TEXT, ANSWERS };

static const uint64_t seed[2] = {1, 2};

struct run {
    enum mode mode;
    struct eve_slice group; /* spelled */
    uint64_t from;          /* events before this one are left out, as are those from `to` on */
    uint64_t to;
    uint64_t seen;
    struct eve_out out;
    struct eve_accum *accum;
    struct eve_cursor cursor;
    struct eve_answers answers;
    struct eve_transcript transcript;
};

static enum eve_status on_ended(void *ctx, const struct eve_ending *e, struct eve_err *err)
{
    struct run *run = ctx;
    return run->mode == TEXT ? eve_transcript_block(&run->transcript, e, &run->out, err)
                             : eve_record_write(e, run->group, &run->out, err);
}

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                uint64_t line, struct eve_err *err)
{
    struct run *run = ctx;
    uint64_t index = 0;
    bool repeated = false;
    uint64_t number = run->seen++;
    (void)line;
    if (number < run->from || number >= run->to) {
        return EVE_OK;
    }
    HOLDS(eve_cursor_look(&run->cursor, ev, &repeated, err) == EVE_OK && !repeated);
    HOLDS(eve_cursor_take(&run->cursor, ev, &index, err) == EVE_OK && index == number);
    if (run->mode == ANSWERS) {
        return eve_answer_event(&run->answers, ev, &run->out, err);
    }
    HOLDS(eve_accum_event(run->accum, ev, d->legacy, index, err) == EVE_OK);
    if (run->mode == EVENTS) {
        bool bare = ev->type <= EVE_EVENT_INPUT_APPENDED && !d->legacy;
        return eve_cumulate_write(ev, bare ? eve_accum_draft(run->accum) : NULL, &run->out, err);
    }
    return run->mode == TEXT ? eve_transcript_event(&run->transcript, ev, &run->out, err) : EVE_OK;
}

static void open_run(struct run *run, struct eve_buf *bytes)
{
    struct eve_err err;
    struct eve_accum_options accum = {
        .seed = {seed[0], seed[1]}, .ended = run->mode == EVENTS ? NULL : on_ended, .ctx = run};
    struct eve_transcript_options transcript = {.reasoning = true};
    struct eve_answers_options answers = {.seed = {seed[0], seed[1]}};
    eve_out_init_memory(&run->out, bytes);
    HOLDS(eve_accum_new(&run->accum, &accum, &err) == EVE_OK);
    eve_cursor_init(&run->cursor, seed);
    eve_answer_init(&run->answers, &answers);
    eve_transcript_init(&run->transcript, &transcript);
    run->seen = 0;
}

static void close_run(struct run *run)
{
    eve_accum_free(run->accum);
    eve_cursor_fini(&run->cursor);
    eve_answer_fini(&run->answers);
    eve_transcript_fini(&run->transcript);
}

static struct eve_state state_of(struct run *run)
{
    static const char *const names[] = {"blocks", "events", "text", "text"};
    return (struct eve_state){.as = names[run->mode],
                              .final = run->mode == ANSWERS,
                              .reasoning = run->mode == TEXT,
                              .group = run->group,
                              .cursor = &run->cursor,
                              .accum = run->accum,
                              .answers = &run->answers,
                              .begun = &run->transcript.begun};
}

static void save(struct run *run, struct eve_buf *text)
{
    struct eve_err err;
    struct eve_out out;
    struct eve_state state = state_of(run);
    text->n = 0;
    eve_out_init_memory(&out, text);
    HOLDS(eve_state_save(&state, &out, &err) == EVE_OK);
}

static void read_stream(struct run *run, struct eve_slice stream, const struct fuzz_way *way)
{
    fuzz_stream(stream, way,
                &(struct fuzz_tool){.ctx = run,
                                    .group = run->group.n > 0 ? eve_str("g") : eve_str(""),
                                    .out = &run->out,
                                    .event = on_event});
}

static void end_run(struct run *run)
{
    struct eve_err err;
    if (run->mode == ANSWERS) {
        HOLDS(eve_answer_end(&run->answers, &run->out, &err) == EVE_OK);
    }
    HOLDS(eve_accum_end(run->accum, &err) == EVE_OK);
}

static void whole(struct run *run, struct eve_slice stream, const struct fuzz_way *way,
                  struct eve_buf *bytes)
{
    struct eve_err err;
    bytes->n = 0;
    run->from = 0;
    run->to = UINT64_MAX;
    open_run(run, bytes);
    HOLDS(eve_cursor_start_at(&run->cursor, 0, false, &err) == EVE_OK);
    read_stream(run, stream, way);
    end_run(run);
    close_run(run);
}

/* The first `cut` events, and the others behind a state. */
static void in_two(struct run *run, struct eve_slice stream, const struct fuzz_way *way,
                   uint64_t cut, struct eve_buf *bytes)
{
    struct eve_err err;
    struct eve_buf text;
    struct eve_buf again;
    eve_buf_init(&text, SIZE_MAX / 2);
    eve_buf_init(&again, SIZE_MAX / 2);
    bytes->n = 0;
    run->from = 0;
    run->to = cut;
    open_run(run, bytes);
    HOLDS(eve_cursor_start_at(&run->cursor, 0, false, &err) == EVE_OK);
    read_stream(run, stream, way);
    save(run, &text);
    uint64_t taken = run->cursor.at;
    close_run(run);
    open_run(run, bytes);
    struct eve_state state = state_of(run);
    HOLDS(eve_state_load(&state, eve_buf_slice(&text), &err) == EVE_OK);
    save(run, &again);
    HOLDS(fuzz_equal(&text, &again));
    HOLDS(eve_cursor_start_at(&run->cursor, taken, true, &err) == EVE_OK);
    run->from = cut;
    run->to = UINT64_MAX;
    read_stream(run, stream, way);
    end_run(run);
    close_run(run);
    eve_buf_fini(&text);
    eve_buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_buf plain;
    struct eve_buf other;
    if (n < 2) {
        return 0;
    }
    struct eve_slice stream = {(const char *)p + 2, n - 2};
    struct run run = {.mode = (enum mode)(p[0] & 3),
                      .group = (p[0] & 4) != 0 ? eve_str("g") : eve_str("")};
    struct fuzz_way way = {0};
    eve_buf_init(&plain, SIZE_MAX / 2);
    eve_buf_init(&other, SIZE_MAX / 2);
    whole(&run, stream, &way, &plain);
    way.templates = true;
    whole(&run, stream, &way, &other);
    HOLDS(fuzz_equal(&plain, &other));
    if (n < 4096) {
        way.read_bytes = 1 + p[0] / 8 % 16;
        whole(&run, stream, &way, &other);
        HOLDS(fuzz_equal(&plain, &other));
    }
    way.read_bytes = 0;
    in_two(&run, stream, &way, p[1], &other);
    HOLDS(fuzz_equal(&plain, &other));
    eve_buf_fini(&plain);
    eve_buf_fini(&other);
    return 0;
}

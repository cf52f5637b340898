/*
 * A state of eveaccum: any bytes at all. It is taken up or refused; what was taken up is written
 * and read again, and is then the same to the byte.
 */
#include "fuzz.h"

#include "state.h"
#include "str.h"

#include <string.h>

static const uint64_t seed[2] = {1, 2};

struct kept {
    struct eve_cursor cursor;
    struct eve_accum *accum;
    struct eve_answers answers;
    bool begun;
    struct eve_dedupe dedupe;
    struct eve_buf text;
};

static enum eve_status load(struct kept *k, const struct eve_state_mode *mode,
                            struct eve_slice text)
{
    struct eve_err err;
    struct eve_out out;
    char as[16] = "";
    struct eve_accum_options accum = {.seed = {seed[0], seed[1]}};
    struct eve_answers_options answers = {.seed = {seed[0], seed[1]}};
    *k = (struct kept){0};
    eve_cursor_init(&k->cursor, seed);
    k->cursor.keeps_ids = true;
    eve_answer_init(&k->answers, &answers);
    eve_dedupe_init(&k->dedupe, seed);
    eve_buf_init(&k->text, SIZE_MAX / 2);
    HOLDS(eve_accum_new(&k->accum, &accum, &err) == EVE_OK);
    if (mode->as.n >= 2 && mode->as.n - 2 < sizeof as) {
        memcpy(as, mode->as.p + 1, mode->as.n - 2);
    }
    struct eve_state state = {.as = as,
                              .final = mode->final,
                              .reasoning = mode->reasoning,
                              .nul = mode->nul,
                              .cursor = &k->cursor,
                              .accum = k->accum,
                              .answers = &k->answers,
                              .begun = &k->begun,
                              .dedupe = &k->dedupe};
    if (mode->group.kind == EVE_JSON_STRING) {
        state.group = (struct eve_slice){mode->group.p + 1, mode->group.n - 2};
    }
    enum eve_status status = eve_state_load(&state, text, &err);
    HOLDS(status != EVE_FAIL);
    if (status == EVE_OK) {
        eve_out_init_memory(&out, &k->text);
        HOLDS(eve_state_save(&state, &out, &err) == EVE_OK);
    }
    return status;
}

static void drop(struct kept *k)
{
    eve_accum_free(k->accum);
    eve_cursor_fini(&k->cursor);
    eve_answer_fini(&k->answers);
    eve_dedupe_fini(&k->dedupe);
    eve_buf_fini(&k->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_err err;
    struct eve_state_mode mode;
    struct kept first;
    struct kept second;
    struct eve_slice text = {(const char *)p, n};
    enum eve_status status = eve_state_mode(text, &mode, &err);
    HOLDS(status != EVE_FAIL);
    if (status != EVE_OK) {
        return 0;
    }
    if (load(&first, &mode, text) == EVE_OK) {
        HOLDS(eve_state_mode(eve_buf_slice(&first.text), &mode, &err) == EVE_OK);
        HOLDS(load(&second, &mode, eve_buf_slice(&first.text)) == EVE_OK);
        HOLDS(eve_str_equal(eve_buf_slice(&first.text), eve_buf_slice(&second.text)));
        drop(&second);
    }
    drop(&first);
    return 0;
}

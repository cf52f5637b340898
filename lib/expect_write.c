#include "expect_write.h"

#include "canon.h"
#include "str.h"

/* What is written, and the first thing that went wrong. */
struct writer {
    struct eve_buf *out;
    struct eve_err *err;
    enum eve_status status;
};

static void put(struct writer *w, struct eve_slice s)
{
    if (w->status == EVE_OK) {
        w->status = eve_buf_put(w->out, s, w->err);
    }
}

static void put_str(struct writer *w, const char *s)
{
    put(w, eve_str(s));
}

static void put_count(struct writer *w, uint64_t n)
{
    if (w->status == EVE_OK) {
        w->status = eve_buf_put_u64(w->out, n, w->err);
    }
}

/* Plain or decoded text as a string. */
static void put_text(struct writer *w, struct eve_slice text)
{
    put_str(w, "\"");
    if (w->status == EVE_OK) {
        w->status = eve_canon_decoded(w->out, text, w->err);
    }
    put_str(w, "\"");
}

static void put_versions(struct writer *w, unsigned mask)
{
    const char *before = "[";
    for (unsigned v = EVE_VERSION_MIN; v <= EVE_VERSION_MAX; v++) {
        if (mask >> (v - EVE_VERSION_MIN) & 1) {
            put_str(w, before);
            put_count(w, v);
            before = ", ";
        }
    }
    put_str(w, "]");
}

static void put_counts(struct writer *w, const struct eve_map *types)
{
    static const char *const chunked[] = {"message.appended", "reasoning.appended",
                                          "action.input.appended", "action.partial"};
    for (size_t i = 0; i < types->count; i++) {
        const struct eve_map_entry *entry = &types->entries[i];
        struct eve_slice type = {entry->key, entry->key_n};
        bool exact = true;
        for (size_t k = 0; k < sizeof chunked / sizeof *chunked; k++) {
            exact = exact && !eve_str_is(type, chunked[k]);
        }
        put_str(w, i == 0 ? "\n    " : ",\n    ");
        put_text(w, type);
        put_str(w, ": ");
        if (exact) {
            put_count(w, entry->value);
        } else {
            put_str(w, "{\"min\": 1}");
        }
    }
}

static void put_turn(struct writer *w, const struct eve_expect_tally_turn *turn)
{
    struct eve_slice text = eve_expect_tally_text(turn);
    put(w, turn->id);
    put_str(w, ": {\n      \"status\": ");
    put_text(w, eve_str(eve_expect_tally_status_name(turn->status)));
    put_str(w, ",\n      \"text\": ");
    if (text.n == 0) {
        put_str(w, "null");
    } else if (text.p[0] == '"') {
        put(w, text);
    } else {
        put_text(w, text);
    }
    put_str(w, ",\n      \"finishReasons\": [");
    put(w, eve_buf_slice(&turn->reasons));
    put_str(w, "]\n    }");
}

static void put_calls(struct writer *w, const struct eve_expect_tally *seen)
{
    const char *before = "\n    ";
    for (size_t i = 0; i < seen->call_count; i++) {
        const struct eve_expect_tally_call *call = &seen->calls[i];
        if (call->name.n == 0) {
            continue;
        }
        put_str(w, before);
        put_str(w, "{\"name\": ");
        put(w, call->name);
        if (call->input.n > 0) {
            put_str(w, ", \"input\": ");
            put(w, call->input);
        }
        put_str(w, "}");
        before = ",\n    ";
    }
}

enum eve_status eve_expect_write(const struct eve_expect_tally *seen, bool grouped, bool retries,
                                 struct eve_buf *out, struct eve_err *err)
{
    struct writer w = {out, err, EVE_OK};
    put_str(&w, "{\n  \"schema\": 1");
    if (seen->versions != 0) {
        put_str(&w, ",\n  \"versions\": ");
        put_versions(&w, seen->versions);
    }
    put_str(&w, retries ? "" : ",\n  \"noRetries\": true");
    put_str(&w, ",\n  \"events\": {");
    put_counts(&w, &seen->types);
    put_str(&w, "\n  }");
    for (size_t i = 0; i < seen->turn_count && !grouped; i++) {
        put_str(&w, i == 0 ? ",\n  \"turns\": {\n    " : ",\n    ");
        put_turn(&w, &seen->turns[i]);
        put_str(&w, i + 1 == seen->turn_count ? "\n  }" : "");
    }
    put_str(&w, ",\n  \"toolCalls\": [");
    put_calls(&w, seen);
    put_str(&w, "\n  ],\n  \"order\": [");
    put(&w, eve_buf_slice(&seen->order));
    put_str(&w, "]\n}\n");
    return w.status;
}

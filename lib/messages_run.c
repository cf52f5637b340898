#include "messages_run.h"

#include "key.h"

static bool is_of_event(const struct eve_messages_at *at, const struct eve_messages_part *run,
                        enum eve_messages_kind kind)
{
    return run->kind == kind && eve_key_equal(eve_messages_value(&run->v[EVE_RUN_STEP]), at->step);
}

/* The key of the run in the map, whose values are the runs begun last. They are good as long as
 * nobody empties the message, which then has another `made`. */
static void begin_key(struct eve_messages_at *at, const struct eve_messages_message *message,
                      enum eve_messages_kind kind)
{
    struct eve_slice made = {(const char *)&message->made, sizeof message->made};
    eve_buf_clear(&at->m->key, 65536);
    if (at->status == EVE_OK) {
        at->status = eve_buf_put(&at->m->key, made, at->err);
    }
    if (at->status == EVE_OK) {
        at->status = eve_buf_putc(&at->m->key, kind == EVE_PART_TEXT ? 't' : 'r', at->err);
    }
    eve_messages_key(at, at->step);
}

/* The run that is streaming, or NULL. It is mostly the one that began last. */
static struct eve_messages_part *find(struct eve_messages_at *at,
                                      const struct eve_messages_message *message,
                                      enum eve_messages_kind kind)
{
    struct eve_messages_part *run = message->open;
    if (run == NULL || is_of_event(at, run, kind)) {
        return run;
    }
    if (run->chain == NULL) {
        return NULL;
    }
    begin_key(at, message, kind);
    run = eve_messages_get(at, &at->m->runs);
    return run != NULL && run->state == EVE_STATE_STREAMING ? run : NULL;
}

/* Make it the first of the runs that are streaming. */
static void open_run(struct eve_messages_at *at, struct eve_messages_message *message,
                     struct eve_messages_part *run)
{
    begin_key(at, message, run->kind);
    struct eve_map_entry *entry = eve_messages_put(at, &at->m->runs);
    if (entry != NULL) {
        entry->value = (uint64_t)(uintptr_t)run;
    }
    run->state = EVE_STATE_STREAMING;
    run->chain = message->open;
    if (run->chain != NULL) {
        run->chain->newer = run;
    }
    message->open = run;
}

struct eve_messages_part *eve_messages_run(struct eve_messages_at *at,
                                           struct eve_messages_message *message,
                                           enum eve_messages_kind kind)
{
    struct eve_messages_part *run = find(at, message, kind);
    if (run != NULL || at->status != EVE_OK) {
        return run;
    }
    eve_messages_begin_text(at);
    eve_messages_add_value(at, eve_messages_value(&message->id));
    eve_messages_add(at, kind == EVE_PART_TEXT ? ":text:" : ":reasoning:");
    if (at->status == EVE_OK) {
        at->status = eve_buf_put_u64(&at->m->text, message->parts, at->err);
    }
    run = eve_messages_add_part(at, message, kind);
    if (run == NULL) {
        return NULL;
    }
    if (eve_messages_given(at->ev->id)) {
        eve_messages_keep(at, &run->v[EVE_RUN_ID], at->ev->id);
    } else {
        eve_messages_keep_text(at, &run->v[EVE_RUN_ID], eve_buf_slice(&at->m->text));
    }
    eve_messages_keep(at, &run->v[EVE_RUN_STEP], at->step);
    open_run(at, message, run);
    return run;
}

void eve_messages_close_runs(struct eve_messages_at *at, struct eve_messages_message *message)
{
    while (message->open != NULL) {
        eve_messages_close_run(at, message->open);
    }
}

void eve_messages_close_step(struct eve_messages_at *at, struct eve_messages_message *message)
{
    static const enum eve_messages_kind kinds[] = {EVE_PART_TEXT, EVE_PART_REASONING};
    if (at->step.kind == EVE_JSON_NONE) {
        eve_messages_close_runs(at, message);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct eve_messages_part *run = find(at, message, kinds[i]);
        if (run != NULL) {
            eve_messages_close_run(at, run);
        }
    }
}

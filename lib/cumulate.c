#include "cumulate.h"

#include "buf.h"
#include "decode.h"
#include "str.h"

/* `"name":` of the member that comes right behind the delta, with what is before and after it. */
static const struct {
    const char *head;
    const char *tail;
} members[] = {
    [EVE_EVENT_MESSAGE_APPENDED] = {",\"messageSoFar\":\"", "\""},
    [EVE_EVENT_REASONING_APPENDED] = {",\"reasoningSoFar\":\"", "\""},
    [EVE_EVENT_INPUT_APPENDED] = {",\"inputTextOffset\":", ""},
};

static enum eve_status write_whole(const struct eve_event *ev, struct eve_out *out,
                                   struct eve_err *err)
{
    bool to_end = ev->text.p + ev->text.n == ev->line.p + ev->line.n;
    if (to_end && ev->ended) {
        return eve_out_lend(out, (struct eve_slice){ev->text.p, ev->text.n + 1}, err);
    }
    enum eve_status status = eve_out_put(out, ev->text, err);
    return status == EVE_OK ? eve_out_put(out, eve_str("\n"), err) : status;
}

enum eve_status eve_cumulate_write(const struct eve_event *ev, const struct eve_draft *draft,
                                   struct eve_out *out, struct eve_err *err)
{
    char digits[24];
    struct eve_buf number = {digits, 0, sizeof digits, sizeof digits};
    enum eve_status status = EVE_OK;
    if (draft == NULL) {
        return write_whole(ev, out, err);
    }
    struct eve_json_value delta = ev->field[eve_decode_delta_field(ev->type)].value;
    size_t at = (size_t)(delta.p + delta.n - ev->text.p);
    struct eve_slice sum = eve_buf_slice(&draft->text);
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        status = eve_buf_put_u64(&number, draft->input->before, err);
        sum = eve_buf_slice(&number);
    }
    const struct eve_slice pieces[] = {
        eve_str_sub(ev->text, 0, at),    eve_str(members[ev->type].head),       sum,
        eve_str(members[ev->type].tail), eve_str_sub(ev->text, at, ev->text.n), eve_str("\n"),
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces && status == EVE_OK; i++) {
        status = eve_out_put(out, pieces[i], err);
    }
    return status;
}

#include "explain.h"

#include "diag.h"
#include "json.h"
#include "quote.h"
#include "text.h"

#include <stdio.h>

struct eve_slice explain_answer(struct eve_slice body)
{
    static const char *const names[] = {"message", "error", "detail", "title"};
    struct eve_json_value object = {body.p, body.n, EVE_JSON_OBJECT, false};
    struct eve_json_value error = eve_event_find(object, "error");
    if (error.kind == EVE_JSON_OBJECT) {
        object = error;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct eve_json_value v = eve_event_find(object, names[i]);
        if (v.kind == EVE_JSON_STRING) {
            return eve_text_of(v);
        }
    }
    return (struct eve_slice){0};
}

void explain_line(char *text, size_t room, const struct eve_event *ev, uint64_t line,
                  const struct eve_err *err)
{
    const char *foreign = NULL;
    struct eve_slice said = {0};
    char quoted[EVE_QUOTE_MAX];
    if (line == 1 && (err->rule == EVE_RULE_JSON_SYNTAX || err->rule == EVE_RULE_JSON_UTF8 ||
                      err->rule == EVE_RULE_TRUNCATED)) {
        foreign = eve_diag_foreign(ev->line);
    }
    if (err->rule == EVE_RULE_TYPE_MISSING && ev->text.n > 0) {
        said = explain_answer(ev->text);
    }
    if (foreign != NULL) {
        (void)snprintf(text, room, "this looks like %s", foreign);
    } else if (said.n > 0) {
        (void)snprintf(text, room, "%s; it looks like an error answer: %s", err->msg,
                       eve_quote(quoted, sizeof quoted, said, false));
    } else {
        (void)snprintf(text, room, "%s", err->msg);
    }
}

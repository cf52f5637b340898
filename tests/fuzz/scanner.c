/* The scanner against the slow definition of JSON: same verdict, same place. */
#include "fuzz.h"

#include "../unit/slow_json.h"
#include "json.h"
#include "simd.h"

/* The slow one recurses; what is nested deeper is left to other tests. */
static bool is_shallow(struct eve_slice text)
{
    size_t open = 0;
    for (size_t i = 0; i < text.n; i++) {
        open += text.p[i] == '[' || text.p[i] == '{' ? 1 : 0;
    }
    return open < 2000;
}

static void try(struct eve_slice text, enum eve_simd_kind way)
{
    static struct eve_json j;
    struct slow s;
    struct eve_err err = {0};
    struct eve_json_value value;
    (void)eve_simd_choose(way);
    eve_json_open(&j, text);
    enum eve_status status = eve_json_skip(&j, &value, &err);
    if (status == EVE_OK) {
        status = eve_json_finish(&j, &err);
    }
    bool good = slow_text(&s, text);
    HOLDS(good == (status == EVE_OK));
    size_t fault = (size_t)(s.p - text.p);
    size_t slack = err.rule == EVE_RULE_JSON_UTF8 ? 3 : 0; /* ours names the character's start */
    HOLDS(good || (err.pos <= fault && err.pos + slack >= fault));
    HOLDS(good || err.rule == EVE_RULE_JSON_SYNTAX || err.rule == EVE_RULE_JSON_UTF8);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_slice text = {(const char *)p, n};
    if (is_shallow(text)) {
        try(text, EVE_SIMD_AVX2);
        try(text, EVE_SIMD_PORTABLE);
    }
    return 0;
}

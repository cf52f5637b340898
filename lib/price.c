#include "price.h"

#include "simd.h"
#include "text.h"

/* Bytes of each unit spelled; a half of a pair counts as if it stood alone. */
static unsigned spelled(uint32_t unit)
{
    if (unit < 0x20) {
        bool is_short =
            unit == '\b' || unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r';
        return is_short ? 2 : 6;
    }
    if (unit < 0x80) {
        return unit == '"' || unit == '\\' ? 2 : 1;
    }
    if (unit < 0x800) {
        return 2;
    }
    return unit >= 0xD800 && unit <= 0xDFFF ? 6 : 3;
}

static void add_unit(struct eve_price *p, uint32_t unit)
{
    enum { HALF = 6, PAIR = 4 };
    p->units++;
    if (p->open && unit >= 0xDC00 && unit <= 0xDFFF) {
        p->bytes = p->bytes - HALF + PAIR;
        p->open = false;
        return;
    }
    p->bytes += spelled(unit);
    p->open = unit >= 0xD800 && unit <= 0xDBFF;
}

void eve_price_add(struct eve_price *p, struct eve_slice raw)
{
    struct eve_text_units u;
    eve_text_units_init(&u, raw);
    while (u.p < u.end || u.low != 0) {
        size_t clean = u.low != 0 ? 0 : eve_simd_clean(u.p, (size_t)(u.end - u.p));
        if (clean > 0) {
            p->units += clean;
            p->bytes += clean;
            p->open = false;
            u.p += clean;
        } else {
            add_unit(p, (uint32_t)eve_text_next(&u));
        }
    }
}

static unsigned digits(uint64_t n)
{
    unsigned count = 1;
    for (; n >= 10; n /= 10) {
        count++;
    }
    return count;
}

uint64_t eve_price_member(enum eve_event_type type, const struct eve_price *before,
                          const struct eve_price *after)
{
    switch (type) {
    case EVE_EVENT_MESSAGE_APPENDED:
        return sizeof ",\"messageSoFar\":\"\"" - 1 + after->bytes;
    case EVE_EVENT_REASONING_APPENDED:
        return sizeof ",\"reasoningSoFar\":\"\"" - 1 + after->bytes;
    case EVE_EVENT_INPUT_APPENDED:
        return sizeof ",\"inputTextOffset\":" - 1 + digits(before->units);
    default:
        return 0;
    }
}

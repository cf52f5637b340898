#include "compose.h"

#include "buf.h"
#include "escape.h"
#include "str.h"
#include "text.h"

#include <stdio.h>

bool compose_bytes(cJSON *object, const char *name, struct eve_slice s)
{
    struct eve_buf json;
    struct eve_err err;
    eve_buf_init(&json, SIZE_MAX / 2);
    bool ok = escape_json(&json, s, &err) == EVE_OK && eve_buf_putc(&json, '\0', &err) == EVE_OK &&
              cJSON_AddRawToObject(object, name, json.p) != NULL;
    eve_buf_fini(&json);
    return ok;
}

bool compose_text(cJSON *object, const char *name, const char *s)
{
    return compose_bytes(object, name, eve_str(s));
}

bool compose_number(cJSON *object, const char *name, uint64_t n)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    return cJSON_AddRawToObject(object, name, digits) != NULL;
}

bool compose_string(cJSON *object, const char *name, struct eve_slice string)
{
    struct eve_buf text;
    struct eve_err err;
    if (string.n < 2) {
        return cJSON_AddNullToObject(object, name) != NULL;
    }
    eve_buf_init(&text, SIZE_MAX / 2);
    bool ok = eve_text_decode(eve_str_sub(string, 1, string.n - 1), &text, &err) == EVE_OK &&
              compose_bytes(object, name, eve_buf_slice(&text));
    eve_buf_fini(&text);
    return ok;
}

/* Give `child` to `parent`; freed and NULL if that cannot be. */
static cJSON *give(cJSON *parent, const char *name, cJSON *child)
{
    bool given = child != NULL && parent != NULL &&
                 (name != NULL ? cJSON_AddItemToObject(parent, name, child)
                               : cJSON_AddItemToArray(parent, child));
    if (!given) {
        cJSON_Delete(child);
        return NULL;
    }
    return child;
}

cJSON *compose_object(cJSON *parent, const char *name)
{
    return give(parent, name, cJSON_CreateObject());
}

cJSON *compose_array(cJSON *parent, const char *name)
{
    return give(parent, name, cJSON_CreateArray());
}

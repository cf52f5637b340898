#include "canon.h"
#include "check.h"
#include "ignore.h"
#include "str.h"

void test_ignore(void);

static struct eve_value value;
static struct eve_buf out;

/* What is left of an event of type a.b. */
static void leaves(const char *entry, const char *text, const char *want)
{
    struct eve_err err;
    struct eve_ignore ignore = {&entry, 1};
    struct eve_json_value type = {"\"a.b\"", 5, EVE_JSON_STRING, false};
    out.n = 0;
    CHECK(eve_value_read(&value, eve_str(text), &err) == EVE_OK);
    eve_ignore_prune(&ignore, value.root, type);
    CHECK(eve_canon_put(&out, value.root, &err) == EVE_OK);
    CHECK_EQ_MEM(out.p, out.n, want, strlen(want));
}

static void always(void)
{
    TEST("what never counts");
    leaves("x", "{\"meta\":1,\"a\":{\"meta\":2}}", "{\"a\":{\"meta\":2}}");
    leaves("x", "{\"data\":{\"runtime\":{\"eveVersion\":1},\"eveVersion\":2}}",
           "{\"data\":{\"eveVersion\":2,\"runtime\":{}}}");
    leaves("x", "{\"data\":{\"runtime\":{\"runtime\":{\"eveVersion\":1}}}}",
           "{\"data\":{\"runtime\":{\"runtime\":{\"eveVersion\":1}}}}");
    leaves("x", "{\"data\":[{\"trace\":1,\"taskId\":{}},{\"\\u0074race\":1}]}",
           "{\"data\":[{},{}]}");
}

static void listed(void)
{
    const char *text = "{\"data\":{\"p\":[{\"q\":1},{\"q\":2,\"r\":3}],\"*\":4}}";
    TEST("what the list names");
    leaves("a.b/data/p/0/q", text, "{\"data\":{\"*\":4,\"p\":[{},{\"q\":2,\"r\":3}]}}");
    leaves("a.b/data/p/1", text, "{\"data\":{\"*\":4,\"p\":[{\"q\":1}]}}");
    leaves("*/data/p/*/q", text, "{\"data\":{\"*\":4,\"p\":[{},{\"r\":3}]}}");
    leaves("a.b/*", text, "{}");
    leaves("a.b/data/p/0/q/x", text, "{\"data\":{\"*\":4,\"p\":[{\"q\":1},{\"q\":2,\"r\":3}]}}");
    leaves("a.c/data", text, "{\"data\":{\"*\":4,\"p\":[{\"q\":1},{\"q\":2,\"r\":3}]}}");
    leaves("a.b/p", text, "{\"data\":{\"*\":4,\"p\":[{\"q\":1},{\"q\":2,\"r\":3}]}}");
    leaves("a.b/data/p/00000000000000000000000000000", text,
           "{\"data\":{\"*\":4,\"p\":[{\"q\":2,\"r\":3}]}}");
    leaves("a.b/data/p/99999999999999999999999999999", text,
           "{\"data\":{\"*\":4,\"p\":[{\"q\":1},{\"q\":2,\"r\":3}]}}");
}

static void entries(void)
{
    TEST("well-formed entries");
    CHECK(eve_ignore_is_good("a.b"));
    CHECK(eve_ignore_is_good("*/a/*"));
    CHECK(!eve_ignore_is_good(""));
    CHECK(!eve_ignore_is_good("/a"));
    CHECK(!eve_ignore_is_good("a/"));
    CHECK(!eve_ignore_is_good("a//b"));
}

void test_ignore(void)
{
    eve_value_init(&value);
    eve_buf_init(&out, 10000);
    always();
    listed();
    entries();
    eve_value_fini(&value);
    eve_buf_fini(&out);
}

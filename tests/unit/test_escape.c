#include "buf.h"
#include "check.h"
#include "escape.h"
#include "str.h"

void test_escape(void);

static struct eve_buf out;
static struct eve_err err;
static const char all[] =
    "a\0\t\n\r\x1B\"\\<>&:,%/ \x7F\xC2\x85\xE2\x80\xA8\xC3\xA9\xEF\xBF\xBF\xFF"
    "\xED\xA0\xBD\xF0\x9F\x98\x80";
static const struct eve_slice every = {all, sizeof all - 1};

#define BAD "\xEF\xBF\xBD"

static void check_out(enum eve_status status, const char *want)
{
    CHECK(status == EVE_OK);
    CHECK_EQ_MEM(out.p, out.n, want, strlen(want));
    out.n = 0;
}

void test_escape(void)
{
    eve_buf_init(&out, 10000);
    TEST("json");
    check_out(escape_json(&out, every, &err),
              "\"a\\u0000\\u0009\\n\\u000d\\u001b\\\"\\\\<>&:,%/ \\u007f\\u0085\\u2028\xC3\xA9"
              "\\uffff" BAD BAD "\xF0\x9F\x98\x80\"");
    TEST("xml");
    check_out(escape_xml(&out, every, &err),
              "a" BAD "&#9;&#10;&#13;" BAD "&quot;\\&lt;&gt;&amp;:,%/ \x7F\xC2\x85\xE2\x80\xA8"
              "\xC3\xA9" BAD BAD BAD "\xF0\x9F\x98\x80");
    TEST("github");
    check_out(escape_github(&out, every, false, &err),
              "a%00%09%0A%0D%1B\"\\<>&:,%25/ %7F" BAD "\xE2\x80\xA8\xC3\xA9\xEF\xBF\xBF" BAD BAD
              "\xF0\x9F\x98\x80");
    check_out(escape_github(&out, eve_str("a:b,c%\n"), true, &err), "a%3Ab%2Cc%25%0A");
    TEST("uri");
    check_out(escape_uri(&out, eve_str("a-._~/b c#?%\xC3\xA9\xFF"), &err),
              "a-._~/b%20c%23%3F%25%C3%A9%FF");
    eve_buf_fini(&out);
}

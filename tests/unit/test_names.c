#include "check.h"
#include "names.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>

void test_names(void);

/* Offset of the repeated name in the text, -1 if there is none. */
static long repeated(const char *text)
{
    struct eve_names n;
    struct eve_err err;
    const char *at = NULL;
    eve_names_init(&n);
    bool good = eve_names_repeated(&n, eve_str(text), &at, &err) == EVE_OK;
    eve_names_fini(&n);
    return good && at != NULL ? (long)(at - text) : -1;
}

/* An object of `count` names, of which the last one is `last`. */
static long of_many(size_t count, const char *last)
{
    char *text = malloc(count * 16 + 64);
    size_t n = 0;
    if (text == NULL) {
        return -2;
    }
    text[n++] = '{';
    for (size_t i = 0; i < count; i++) {
        n += (size_t)sprintf(text + n, "\"n%zu\":%zu,", i, i);
    }
    (void)sprintf(text + n, "\"%s\":0}", last);
    long at = repeated(text);
    free(text);
    return at < 0 ? at : at - (long)n;
}

void test_names(void)
{
    TEST("no name twice");
    CHECK_EQ_INT(repeated("{}"), -1);
    CHECK_EQ_INT(repeated("7"), -1);
    CHECK_EQ_INT(repeated("[{\"a\":1},{\"a\":2}]"), -1);
    CHECK_EQ_INT(repeated("{\"a\":{\"a\":[{\"a\":1}]},\"b\":{\"a\":1}}"), -1);
    TEST("a name twice, at any depth");
    CHECK_EQ_INT(repeated("{\"a\":1,\"a\":2}"), 7);
    CHECK_EQ_INT(repeated("{\"a\":1,\"\\u0061\":2}"), 7);
    CHECK_EQ_INT(repeated("{\"\":1,\"\":2}"), 6);
    CHECK_EQ_INT(repeated("[[{\"b\":{\"a\":[],\"a\":{}}}]]"), 15);
    CHECK_EQ_INT(repeated("{\"a\":{\"x\":1},\"b\":[{\"y\":1}],\"a\":2}"), 27);
    TEST("the first of several");
    CHECK_EQ_INT(repeated("{\"a\":1,\"b\":{\"c\":1,\"c\":2},\"a\":2}"), 18);
    TEST("many names");
    CHECK_EQ_INT(of_many(8, "n3"), 0);
    CHECK_EQ_INT(of_many(9, "n3"), 0);
    CHECK_EQ_INT(of_many(5000, "n4321"), 0);
    CHECK_EQ_INT(of_many(5000, "m"), -1);
    TEST("names beyond the limit are not compared");
    CHECK_EQ_INT(of_many(EVE_NAMES_MAX - 1, "n3"), 0);
    CHECK_EQ_INT(of_many(EVE_NAMES_MAX, "n3"), -1);
}

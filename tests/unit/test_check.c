#include "check.h"

void test_check(void);
void test_selftest(void);

static void passing(void)
{
    TEST("what holds, passes");
    CHECK(1 + 1 == 2);
    CHECK_EQ_INT(-1, -1);
    CHECK_EQ_SIZE(sizeof(char), 1);
    CHECK_EQ_MEM("a\0b", 3, "a\0b", 3);
    CHECK_EQ_MEM(NULL, 0, "", 0);
    CHECK_EQ_STR("text", "text");
}

void test_check(void)
{
    passing();
}

/* Each of these tests must be counted as failed, and the checks after a failed one still run. */
void test_selftest(void)
{
    TEST("true");
    CHECK(1 + 1 == 3);
    CHECK(1 + 1 == 2);
    TEST("int");
    CHECK_EQ_INT(-1, 1);
    TEST("size");
    CHECK_EQ_SIZE(sizeof(char), 2);
    TEST("bytes");
    CHECK_EQ_MEM("a\0b", 3, "a\0c", 3);
    TEST("length");
    CHECK_EQ_MEM("ab", 2, "ab", 1);
    CHECK_EQ_STR("ab", "a");
}

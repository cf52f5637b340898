#ifndef CHECK_H
#define CHECK_H

/*
 * Checks for unit tests. A failing check is logged and the test goes on.
 *
 *     static void counts_lines(void)
 *     {
 *         TEST("counts lines");            // starts a test: one TAP point
 *         CHECK(eve_line_count(&l) == 2);
 *     }
 *     void test_line(void) { counts_lines(); }     // what the runner calls
 *
 * Each module has one file test_MODULE.c that defines test_MODULE(), and its name stands in UNIT
 * in the Makefile. Arguments are evaluated once.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#define TEST(name) check_begin(name)
#define CHECK(expr) check_true((expr), #expr, __FILE__, __LINE__)
#define CHECK_EQ_INT(got, want) check_int((got), (want), #got, __FILE__, __LINE__)
#define CHECK_EQ_SIZE(got, want) check_size((got), (want), #got, __FILE__, __LINE__)
#define CHECK_EQ_MEM(got, got_len, want, want_len)                                                 \
    check_mem((got), (got_len), (want), (want_len), #got, __FILE__, __LINE__)
#define CHECK_EQ_STR(got, want) check_str((got), (want), #got, __FILE__, __LINE__)

/* Starts a test, which ends where the next one starts. */
void check_begin(const char *name);

/* What the macros call. True if the check holds, so that a test can leave early. */
bool check_true(bool ok, const char *expr, const char *file, int line);
bool check_int(intmax_t got, intmax_t want, const char *expr, const char *file, int line);
bool check_size(size_t got, size_t want, const char *expr, const char *file, int line);
bool check_mem(const void *got, size_t got_len, const void *want, size_t want_len, const char *expr,
               const char *file, int line);
bool check_str(const char *got, const char *want, const char *expr, const char *file, int line);

#endif

/*
 * screen: the terminal that standard output is, if it is one.
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Columns and lines of the terminal; where there is none, or it does not say, what COLUMNS and
 * LINES say, else 80 and 24. */
size_t screen_columns(void);
size_t screen_lines(void);

/* The locale of the user has UTF-8. */
bool screen_has_unicode(void);

#endif

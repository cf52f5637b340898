#ifndef CLI_HELP_H
#define CLI_HELP_H

/*
 * What a tool says about itself, written from its option table.
 *
 * Used by cli alone. Nothing is kept between calls. Write errors stay in the stream for the caller
 * to look at.
 */

#include "cli.h"

#include <stdio.h>

/* Writes the "Usage:" lines. */
void help_usage(FILE *to, const struct cli_tool *tool);

/* Writes the whole --help text, at most 80 columns wide if synopsis and examples are. */
void help_full(FILE *to, const struct cli_tool *tool);

/* Writes the version line. */
void help_version(FILE *to, const struct cli_tool *tool);

/*
 * Writes the table for the completion generator: a line for each option, with the letter, the long
 * name, the argument's name, what completes it and the help text, parted by tabs; "-" is nothing.
 */
void help_dump(FILE *to, const struct cli_tool *tool);

#endif

#ifndef FUZZ_H
#define FUZZ_H

/*
 * What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput; libFuzzer runs it
 * (`make fuzz`), or replay.c, which puts the committed corpus through it (`make test`).
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* What must hold for every input. */
#define HOLDS(expr) ((expr) ? (void)0 : fuzz_broken(#expr, __FILE__, __LINE__))

static inline _Noreturn void fuzz_broken(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, expr);
    abort();
}

#endif

#include "feed.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool feed_check_inputs(struct feed *f, char *const *names, size_t count)
{
    struct stat out;
    if (fstat(STDOUT_FILENO, &out) != 0 || !S_ISREG(out.st_mode)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (sink_is_file(names[i], &out)) {
            struct eve_err err = {EVE_RULE_NONE, "input file is also the output", 0, 0};
            report_failure(f->report, names[i], &err);
            return false;
        }
    }
    return true;
}

void feed_measure(struct feed *f, char *const *names, size_t count)
{
    struct stat st;
    f->progress.total = 0;
    for (size_t i = 0; i < count; i++) {
        bool got =
            strcmp(names[i], "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(names[i], &st) == 0;
        if (!got || !S_ISREG(st.st_mode)) {
            f->progress.total = 0;
            return;
        }
        f->progress.total += (uint64_t)st.st_size;
    }
}

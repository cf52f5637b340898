#include "rejects.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why the open file must not take rejects, or NULL. */
static const char *objection(const struct stat *st, const char *path, const char *output,
                             char *const *inputs, size_t count)
{
    struct stat out;
    bool device = S_ISCHR(st->st_mode); /* a terminal or /dev/null may be both */
    if (output != NULL && (strcmp(output, path) == 0 || sink_is_file(output, st))) {
        return "the rejects and the output are one file";
    }
    if (!device &&
        (sink_is_file("-", st) || (fstat(STDOUT_FILENO, &out) == 0 && sink_is_same(&out, st)))) {
        return "the rejects and standard input or output are one file";
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(inputs[i], "-") != 0 && sink_is_file(inputs[i], st)) {
            return "the rejects and an input are one file";
        }
    }
    if (S_ISREG(st->st_mode) && st->st_size > 0) {
        return "it holds something already and is not replaced";
    }
    return NULL;
}

enum eve_status rejects_open(struct sink *s, const char *path, const char *output,
                             char *const *inputs, size_t count, struct eve_err *err)
{
    struct stat st = {0};
    bool made = true;
    int fd = (int)TEMP_FAILURE_RETRY(
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666));
    if (fd < 0 && errno == EEXIST) {
        made = false;
        fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    }
    if (fd < 0 || fstat(fd, &st) != 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot open", 0, errno);
    }
    const char *refused = objection(&st, path, output, inputs, count);
    if (refused != NULL) {
        (void)close(fd);
        if (made) {
            (void)unlink(path);
        }
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, refused, 0, 0);
    }
    *s = (struct sink){.name = path};
    return eve_out_init(&s->out, fd, err);
}

enum eve_status rejects_sync(struct sink *s, struct eve_err *err)
{
    enum eve_status status = eve_out_flush(&s->out, err);
    /* what is no regular file cannot be synced, and says so by EINVAL or ENOTSUP */
    if (status == EVE_OK && TEMP_FAILURE_RETRY(fsync(s->out.fd)) != 0 && errno != EINVAL &&
        errno != ENOTSUP) {
        status = eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot write", 0, errno);
    }
    return status == EVE_OK ? eve_replace_sync_folder(s->name, err) : status;
}

enum eve_status rejects_close(struct sink *s, struct eve_err *err)
{
    if (s->out.buf == NULL) {
        return EVE_OK;
    }
    enum eve_status status = eve_out_flush(&s->out, err);
    if (close(s->out.fd) != 0 && status == EVE_OK) {
        status = eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot write", 0, errno);
    }
    eve_out_fini(&s->out);
    return status;
}

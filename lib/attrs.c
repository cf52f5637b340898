#include "attrs.h"

#include "mem.h"

#include <errno.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Owner first, since a change of owner clears set-id bits; then the mode. Where the group cannot be
 * kept, a new one must not get more than everybody has. */
static enum eve_status copy_owner(int to, const struct stat *st, bool *same_group,
                                  struct eve_err *err)
{
    mode_t mode = st->st_mode & 07777;
    *same_group = true;
    /* An ACL inherited from the folder would be opened up by the mode; the file's own comes later.
     */
    (void)!fremovexattr(to, "system.posix_acl_access");
    if (fchown(to, st->st_uid, st->st_gid) != 0) {
        mode &= (mode_t) ~(S_ISUID | S_ISGID);
        if (fchown(to, (uid_t)-1, st->st_gid) != 0) {
            *same_group = false;
            mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
        }
    }
    return fchmod(to, mode) == 0 ? EVE_OK
                                 : eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                                            "cannot set the mode of the new file", 0, errno);
}

/* One attribute; a buffer that is large enough is kept in *value. */
static void copy_attribute(int from, int to, const char *name, char **value, size_t *room)
{
    struct eve_err ignored;
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0 ||
        ((size_t)size > *room && eve_mem_resize(value, (size_t)size, 1, &ignored) != EVE_OK)) {
        return;
    }
    *room = (size_t)size > *room ? (size_t)size : *room;
    size = fgetxattr(from, name, *value, *room);
    if (size >= 0) {
        (void)!fsetxattr(to, name, *value, (size_t)size, 0);
    }
}

/* Extended attributes and, if the group is the same, ACLs; where the system allows it. */
static void copy_attributes(int from, int to, bool same_group)
{
    struct eve_err ignored;
    char *names = NULL;
    char *value = NULL;
    size_t room = 0;
    ssize_t n = flistxattr(from, NULL, 0);
    if (n > 0 && eve_mem_resize(&names, (size_t)n, 1, &ignored) == EVE_OK) {
        n = flistxattr(from, names, (size_t)n);
        for (ssize_t i = 0; i < n; i += (ssize_t)strlen(names + i) + 1) {
            if (same_group || strncmp(names + i, "system.posix_acl", 16) != 0) {
                copy_attribute(from, to, names + i, &value, &room);
            }
        }
    }
    eve_mem_free(names);
    eve_mem_free(value);
}

enum eve_status eve_attrs_copy(int from, int to, const struct stat *st, struct eve_err *err)
{
    bool same_group = true;
    enum eve_status status = copy_owner(to, st, &same_group, err);
    if (status == EVE_OK && from >= 0) {
        copy_attributes(from, to, same_group);
    }
    return status;
}

enum eve_status eve_attrs_new(int to, struct eve_err *err)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return fchmod(to, 0666 & ~mask) == 0
               ? EVE_OK
               : eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot set the mode of the new file", 0,
                          errno);
}

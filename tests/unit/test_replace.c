#include "aid.h"
#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/xattr.h>

static char dir[64];
static struct eve_err err;

/* The path of `name` in the folder of the test; four at a time are good. */
static const char *in_dir(const char *name)
{
    static char rooms[4][512];
    static int at;
    char *room = rooms[at++ % 4];
    snprintf(room, sizeof rooms[0], "%s/%s", dir, name);
    return room;
}

static void put(const char *name, const char *text, mode_t mode)
{
    int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK(fchmod(fd, mode) == 0);
    close(fd);
}

static const char *get(const char *name)
{
    static char room[256];
    int fd = open(in_dir(name), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    room[aid_content(fd, room, sizeof room - 1).n] = '\0';
    close(fd);
    return room;
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    return lstat(in_dir(name), &st) == 0 ? st.st_mode & 07777 : 0;
}

/* Empties the folder; how many files there were. */
static int sweep(void)
{
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e = d ? readdir(d) : NULL; e != NULL; e = readdir(d)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        count++;
        if (unlink(in_dir(e->d_name)) != 0)
            rmdir(in_dir(e->d_name));
    }
    if (d)
        closedir(d);
    return count;
}

static void fill(struct eve_replace *r)
{
    CHECK(r->fd >= 0 && write(r->fd, "new", 3) == 3);
}

static void in_place(void)
{
    struct eve_replace r;
    char old[8];
    TEST("in place: old until the commit, then new, with its mode");
    put("f", "old", 0640);
    CHECK(eve_replace_in_place(&r, in_dir("f"), NULL, &err) == EVE_OK);
    CHECK(read(r.source_fd, old, sizeof old) == 3 && memcmp(old, "old", 3) == 0);
    CHECK(r.existed && !r.direct && r.before.st_size == 3);
    fill(&r);
    struct stat st;
    CHECK(fstat(r.fd, &st) == 0 && (st.st_mode & 07777) == 0600);
    CHECK_EQ_STR(get("f"), "old");
    CHECK(eve_replace_commit(&r, &err) == EVE_OK);
    CHECK(r.fd == -1 && r.source_fd == -1 && r.temp == NULL && r.target == NULL);
    eve_replace_abort(&r);
    CHECK_EQ_STR(get("f"), "new");
    CHECK(mode_of("f") == 0640);
    CHECK_EQ_INT(sweep(), 1);

    TEST("in place: abort leaves the old file alone");
    put("f", "old", 0640);
    CHECK(eve_replace_in_place(&r, in_dir("f"), ".bak", &err) == EVE_OK);
    fill(&r);
    eve_replace_abort(&r);
    eve_replace_abort(&r);
    CHECK_EQ_STR(get("f"), "old");
    CHECK_EQ_INT(sweep(), 1);

    TEST("in place: extended attributes stay");
    put("f", "old", 0600);
    bool able = setxattr(in_dir("f"), "user.eve", "value", 5, 0) == 0;
    CHECK(eve_replace_in_place(&r, in_dir("f"), NULL, &err) == EVE_OK);
    fill(&r);
    CHECK(eve_replace_commit(&r, &err) == EVE_OK);
    CHECK(!able || (getxattr(in_dir("f"), "user.eve", old, sizeof old) == 5 &&
                    memcmp(old, "value", 5) == 0));
    CHECK_EQ_INT(sweep(), 1);
}

static void backups(void)
{
    struct eve_replace r;
    TEST("a backup is made");
    put("f", "old", 0644);
    CHECK(eve_replace_in_place(&r, in_dir("f"), "~", &err) == EVE_OK);
    fill(&r);
    CHECK(get("f~") == NULL && eve_replace_commit(&r, &err) == EVE_OK);
    CHECK_EQ_STR(get("f"), "new");
    CHECK_EQ_STR(get("f~"), "old");

    TEST("a backup that exists is not replaced");
    CHECK(eve_replace_in_place(&r, in_dir("f"), "~", &err) == EVE_OK);
    fill(&r);
    CHECK(eve_replace_commit(&r, &err) == EVE_FAIL && err.sys == 0);
    CHECK_EQ_STR(get("f"), "new");
    CHECK_EQ_STR(get("f~"), "old");
    CHECK_EQ_INT(sweep(), 2);
    put("f", "old", 0644);
    CHECK(symlink("nowhere", in_dir("f~")) == 0);
    CHECK(eve_replace_in_place(&r, in_dir("f"), "~", &err) == EVE_OK);
    fill(&r);
    CHECK(eve_replace_commit(&r, &err) == EVE_FAIL);
    CHECK_EQ_INT(sweep(), 2);

    TEST("nor one that came meanwhile");
    put("f", "old", 0644);
    CHECK(eve_replace_in_place(&r, in_dir("f"), "~", &err) == EVE_OK);
    fill(&r);
    put("f~", "other", 0644);
    CHECK(eve_replace_commit(&r, &err) == EVE_FAIL && err.msg != NULL);
    CHECK_EQ_STR(get("f"), "old");
    CHECK_EQ_STR(get("f~"), "other");
    CHECK_EQ_INT(sweep(), 2);
}

/* Commit after `change` was done to the file f must fail and leave what it made. */
static void changed(void (*change)(void), const char *want, bool output)
{
    struct eve_replace r;
    put("f", "old", 0644);
    CHECK((output ? eve_replace_output(&r, in_dir("f"), &err)
                  : eve_replace_in_place(&r, in_dir("f"), "~", &err)) == EVE_OK);
    fill(&r);
    change();
    CHECK(eve_replace_commit(&r, &err) == EVE_FAIL && err.msg != NULL);
    CHECK(r.fd == -1 && r.temp == NULL);
    CHECK_EQ_STR(get("f"), want);
    CHECK(get("f~") == NULL);
    CHECK_EQ_INT(sweep(), want ? 1 : 0);
}

static void append(void)
{
    int fd = open(in_dir("f"), O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK(write(fd, "more", 4) == 4);
    close(fd);
}

/* More text, and the time as it was. */
static void append_unseen(void)
{
    struct stat st;
    CHECK(stat(in_dir("f"), &st) == 0);
    append();
    CHECK(utimensat(AT_FDCWD, in_dir("f"), (struct timespec[]){st.st_atim, st.st_mtim}, 0) == 0);
}

static void touch(void)
{
    CHECK(utimensat(AT_FDCWD, in_dir("f"), (struct timespec[]){{1, 2}, {1, 2}}, 0) == 0);
}

static void exchange(void)
{
    struct stat st;
    CHECK(stat(in_dir("f"), &st) == 0);
    put("g", "abc", 0644);
    CHECK(utimensat(AT_FDCWD, in_dir("g"), (struct timespec[]){st.st_atim, st.st_mtim}, 0) == 0);
    CHECK(rename(in_dir("g"), in_dir("f")) == 0);
}

static void removed(void)
{
    CHECK(unlink(in_dir("f")) == 0);
}

static void meanwhile(void)
{
    struct eve_replace r;
    TEST("changed meanwhile: size, time, file, gone");
    for (int output = 0; output < 2; output++) {
        changed(append, "oldmore", output);
        changed(append_unseen, "oldmore", output);
        changed(touch, "old", output);
        changed(exchange, "abc", output);
        changed(removed, NULL, output);
    }
    TEST("an output that came into being meanwhile stays");
    CHECK(eve_replace_output(&r, in_dir("f"), &err) == EVE_OK && !r.existed);
    fill(&r);
    put("f", "other", 0644);
    CHECK(eve_replace_commit(&r, &err) == EVE_FAIL);
    CHECK_EQ_STR(get("f"), "other");
    CHECK_EQ_INT(sweep(), 1);
}

static void links(void)
{
    struct eve_replace r;
    struct stat st;
    TEST("symbolic links are followed and stay links");
    for (int output = 0; output < 2; output++) {
        put("f", "old", 0604);
        CHECK(symlink("f", in_dir("one")) == 0 && symlink(in_dir("one"), in_dir("two")) == 0);
        CHECK((output ? eve_replace_output(&r, in_dir("two"), &err)
                      : eve_replace_in_place(&r, in_dir("two"), NULL, &err)) == EVE_OK);
        fill(&r);
        CHECK(eve_replace_commit(&r, &err) == EVE_OK);
        CHECK_EQ_STR(get("f"), "new");
        CHECK(lstat(in_dir("one"), &st) == 0 && S_ISLNK(st.st_mode));
        CHECK(lstat(in_dir("two"), &st) == 0 && S_ISLNK(st.st_mode));
        CHECK(mode_of("f") == 0604);
        CHECK_EQ_INT(sweep(), 3);
    }
    TEST("links that lead nowhere or round are refused");
    CHECK(symlink("missing", in_dir("a")) == 0 && symlink("c", in_dir("b")) == 0 &&
          symlink("b", in_dir("c")) == 0);
    CHECK(eve_replace_in_place(&r, in_dir("a"), NULL, &err) == EVE_FAIL && err.sys == ENOENT);
    CHECK(eve_replace_output(&r, in_dir("a"), &err) == EVE_FAIL && err.sys == ENOENT);
    CHECK(eve_replace_in_place(&r, in_dir("b"), NULL, &err) == EVE_FAIL && err.sys == ELOOP);
    CHECK(eve_replace_output(&r, in_dir("b"), &err) == EVE_FAIL && err.sys == ELOOP);
    CHECK_EQ_INT(sweep(), 3);
    TEST("hard links are refused in place");
    put("f", "old", 0644);
    CHECK(link(in_dir("f"), in_dir("g")) == 0);
    CHECK(eve_replace_in_place(&r, in_dir("f"), NULL, &err) == EVE_FAIL && r.fd == -1);
    CHECK_EQ_INT(sweep(), 2);
}

static void new_files(void)
{
    static const mode_t masks[] = {022, 077, 0, 0137};
    struct eve_replace r;
    TEST("a new file gets the mode that umask leaves");
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        CHECK(eve_replace_output(&r, in_dir("f"), &err) == EVE_OK && !r.existed);
        fill(&r);
        CHECK(get("f") == NULL && eve_replace_commit(&r, &err) == EVE_OK);
        CHECK(umask(before) == masks[i]);
        CHECK(mode_of("f") == (0666 & ~masks[i]));
        CHECK_EQ_STR(get("f"), "new");
        CHECK_EQ_INT(sweep(), 1);
    }
    TEST("an output that is given up leaves nothing");
    CHECK(eve_replace_output(&r, in_dir("f"), &err) == EVE_OK);
    eve_replace_abort(&r);
    CHECK_EQ_INT(sweep(), 0);
    CHECK(eve_replace_output(&r, in_dir("no/f"), &err) == EVE_FAIL && err.sys == ENOENT);
    CHECK(eve_replace_in_place(&r, in_dir("f"), NULL, &err) == EVE_FAIL && err.sys == ENOENT);
    CHECK(eve_replace_in_place(&r, dir, NULL, &err) == EVE_FAIL && err.sys == EISDIR);
    CHECK(eve_replace_output(&r, dir, &err) == EVE_FAIL && err.sys == EISDIR);
}

static int listener(const char *path)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(addr.sun_path, sizeof addr.sun_path, "%s", path);
    CHECK(bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(fd, 1) == 0);
    return fd;
}

static void specials(void)
{
    struct eve_replace r;
    struct stat st;
    char got[8];
    TEST("pipes, sockets and devices are written directly, never in place");
    CHECK(mkfifo(in_dir("p"), 0600) == 0);
    int fifo = open(in_dir("p"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CHECK(eve_replace_output(&r, in_dir("p"), &err) == EVE_OK && r.direct && r.temp == NULL);
    fill(&r);
    CHECK(read(fifo, got, sizeof got) == 3 && eve_replace_commit(&r, &err) == EVE_OK);
    CHECK(lstat(in_dir("p"), &st) == 0 && S_ISFIFO(st.st_mode));
    CHECK(eve_replace_in_place(&r, in_dir("p"), NULL, &err) == EVE_FAIL);
    close(fifo);

    int server = listener(in_dir("s"));
    CHECK(eve_replace_output(&r, in_dir("s"), &err) == EVE_OK && r.direct);
    fill(&r);
    int peer = accept(server, NULL, NULL);
    CHECK(read(peer, got, sizeof got) == 3 && eve_replace_commit(&r, &err) == EVE_OK);
    close(peer);
    close(server);
    CHECK(eve_replace_output(&r, in_dir("s"), &err) == EVE_FAIL && err.sys == ECONNREFUSED);

    CHECK(eve_replace_output(&r, "/dev/null", &err) == EVE_OK && r.direct);
    fill(&r);
    CHECK(eve_replace_commit(&r, &err) == EVE_OK);
    CHECK(eve_replace_in_place(&r, "/dev/null", NULL, &err) == EVE_FAIL);
    CHECK_EQ_INT(sweep(), 2);
}

void test_replace(void);
void test_replace(void)
{
    const char *tmp = getenv("TMPDIR");
    TEST("a folder to test in");
    snprintf(dir, sizeof dir, "%s/unit-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    if (!CHECK(mkdtemp(dir) != NULL))
        return;
    in_place();
    backups();
    meanwhile();
    links();
    new_files();
    specials();
    CHECK(rmdir(dir) == 0);
}

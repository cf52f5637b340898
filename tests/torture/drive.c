/*
 * drive: runs the command lines of a table again and again, each time with the next call failing.
 *
 *     drive quick|full PRELOAD TABLE INPUTS FOLDER [WORD]
 *
 * Each line of TABLE is a mode and a command, such as `stream evenorm -i old.ndjson`, which is run
 * in FOLDER (emptied by us), filled anew with the files of INPUTS each time; a last word `<FILE` is
 * its standard input. WORD: only lines with it. First an untouched run shows what has to come out.
 * Then for each way to fail (see `ways`) the first call fails, then the second, and so on until a
 * run is over before the call is reached. Whatever fails:
 *   - no crash; the status is that of the untouched run, and then so is every byte, or 2 and a
 *     message;
 *   - every file is as it was before or as the untouched run left it, whole, and no other file is
 *     there (killed by SIGKILL, the temporary file of the tool may be);
 *   - mode stream: standard output is a beginning of what has to come out. Mode report: it may be
 *     anything if the status is 2. A file called rejects may be a beginning, too.
 * Prints TAP, the number of runs in each point's name, and what went wrong.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 32, FILES = 64, FAULTS_SHOWN = 5 };

struct bytes {
    char *p;
    size_t n;
};

struct file {
    char *name;
    struct bytes content;
};

/* The files of a folder. */
struct state {
    struct file files[FILES];
    size_t n;
};

enum strictness {
    MAY_FAIL,  /* status 2 and a message, or no effect at all */
    INVISIBLE, /* no effect at all */
    KILLED,    /* dies of SIGKILL, or no effect */
    TERMED     /* dies of SIGTERM, or no effect */
};

struct way {
    const char *name;
    const char *series;
    const char *what;
    const char *small;
    enum strictness strict;
    bool forever;
    bool quick;
};

#define STRING_OF(x) #x
#define NUMBER(x) STRING_OF(x)

static const struct way ways[] = {
    {"an I/O error", "io", NUMBER(EIO), "0", MAY_FAIL, false, true},
    {"no space", "io", NUMBER(ENOSPC), "0", MAY_FAIL, false, false},
    {"no permission", "io", NUMBER(EACCES), "0", MAY_FAIL, false, false},
    {"not allowed", "io", NUMBER(EPERM), "0", MAY_FAIL, false, false},
    {"I/O errors from there on", "io", NUMBER(EIO), "0", MAY_FAIL, true, false},
    {"no space after short writes", "io", NUMBER(ENOSPC), "700", MAY_FAIL, true, false},
    {"an interrupted call", "intr", NUMBER(EINTR), "0", INVISIBLE, false, true},
    {"any call interrupted", "io", NUMBER(EINTR), "0", MAY_FAIL, false, false},
    {"reads and writes of one byte", NULL, NULL, "1", INVISIBLE, false, true},
    {"no memory", "memory", NUMBER(ENOMEM), "0", MAY_FAIL, false, true},
    {"no memory from there on", "memory", NUMBER(ENOMEM), "0", MAY_FAIL, true, false},
    {"killed before a call", "io", "kill-before", "0", KILLED, false, false},
    {"killed after a call", "io", "kill-after", "0", KILLED, false, true},
    {"killed after a short write", "io", "kill-after", "900", KILLED, false, false},
    {"stopped and continued", "io", "stop-before", "0", INVISIBLE, false, false},
    {"SIGTERM before a call", "io", "term-before", "0", TERMED, false, false},
    {"SIGTERM after a call", "io", "term-after", "0", TERMED, false, true},
};

static const char *preload;
static const char *folder;
static struct state before; /* what the folder holds before each run */
static int out_fd;
static int err_fd;
static unsigned points;
static unsigned failed_points;
static unsigned long total_runs;

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- files ---- */

static struct bytes read_fd(int fd)
{
    struct bytes b = {NULL, 0};
    struct stat st;
    if (fstat(fd, &st) != 0) {
        give_up("fstat");
    }
    b.p = malloc((size_t)st.st_size + 1);
    ssize_t got = b.p == NULL ? -1 : pread(fd, b.p, (size_t)st.st_size, 0);
    if (got < 0) {
        give_up("read");
    }
    b.n = (size_t)got;
    b.p[b.n] = '\0';
    return b;
}

static void free_state(struct state *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->files[i].name);
        free(s->files[i].content.p);
    }
    s->n = 0;
}

static void read_folder(const char *path, struct state *s)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    s->n = 0;
    if (dir == NULL) {
        give_up(path);
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        int fd = openat(dirfd(dir), entry->d_name, O_RDONLY);
        if (fd < 0 || s->n == FILES) {
            give_up(entry->d_name);
        }
        s->files[s->n++] = (struct file){strdup(entry->d_name), read_fd(fd)};
        close(fd);
    }
    closedir(dir);
}

static const struct file *find(const struct state *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->files[i].name, name) == 0) {
            return &s->files[i];
        }
    }
    return NULL;
}

static bool same(struct bytes a, struct bytes b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

static bool begins(struct bytes whole, struct bytes part)
{
    return part.n <= whole.n && memcmp(whole.p, part.p, part.n) == 0;
}

static bool same_state(const struct state *a, const struct state *b)
{
    bool is = a->n == b->n;
    for (size_t i = 0; is && i < a->n; i++) {
        const struct file *other = find(b, a->files[i].name);
        is = other != NULL && same(a->files[i].content, other->content);
    }
    return is;
}

/* Make the folder hold exactly `before`; `now` is what it holds. */
static void restore(const struct state *now)
{
    char path[4096];
    for (size_t i = 0; i < now->n; i++) {
        if (find(&before, now->files[i].name) == NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, now->files[i].name);
            unlink(path);
        }
    }
    for (size_t i = 0; i < before.n; i++) {
        const struct file *is = find(now, before.files[i].name);
        if (is != NULL && same(is->content, before.files[i].content)) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, before.files[i].name);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0 || write(fd, before.files[i].content.p, before.files[i].content.n) !=
                          (ssize_t)before.files[i].content.n) {
            give_up(path);
        }
        close(fd);
    }
}

/* ---- one run ---- */

struct line {
    char *text;
    bool report; /* mode */
    char *words[WORDS + 1];
    char *input; /* or NULL */
};

struct result {
    int status; /* as from wait */
    bool hit;
    bool stopped_dirty; /* while stopped, a file was neither old nor new */
    char call[40];
    struct bytes out;
    struct bytes err;
    struct state after;
};

static void free_result(struct result *r)
{
    free(r->out.p);
    free(r->err.p);
    free_state(&r->after);
}

static void set_sanitizer(void)
{
    char text[4096];
    const char *old = getenv("ASAN_OPTIONS");
    snprintf(text, sizeof text, "%s%sverify_asan_link_order=0", old == NULL ? "" : old,
             old == NULL ? "" : ":");
    setenv("ASAN_OPTIONS", text, 1);
}

static _Noreturn void child(const struct line *line, const struct way *way, unsigned long n,
                            int pipe_fd)
{
    char number[24];
    int in = open(line->input != NULL ? line->input : "/dev/null", O_RDONLY);
    if (chdir(folder) != 0) {
        _exit(126);
    }
    if (line->input != NULL) {
        in = open(line->input, O_RDONLY);
    }
    if (dup2(in, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(err_fd, 2) < 0) {
        _exit(126);
    }
    if (in > 2) {
        close(in);
    }
    alarm(20);
    if (way != NULL) {
        snprintf(number, sizeof number, "%d", pipe_fd);
        setenv("LD_PRELOAD", preload, 1);
        setenv("TORTURE_FD", number, 1);
        setenv("TORTURE_SMALL", way->small, 1);
        snprintf(number, sizeof number, "%lu", n);
        setenv("TORTURE_AT", number, 1);
        if (way->series != NULL) {
            setenv("TORTURE_SERIES", way->series, 1);
            setenv("TORTURE_DO", way->what, 1);
        }
        if (way->forever) {
            setenv("TORTURE_FOREVER", "1", 1);
        }
    }
    execvp(line->words[0], line->words);
    _exit(127);
}

/* Wait for the end; where the tool stops itself, look around first. */
static void await(pid_t pid, struct result *r, const struct state *wanted)
{
    struct state now;
    while (waitpid(pid, &r->status, WUNTRACED) == pid && WIFSTOPPED(r->status)) {
        read_folder(folder, &now);
        for (size_t i = 0; wanted != NULL && i < before.n; i++) {
            const struct file *is = find(&now, before.files[i].name);
            const struct file *new = find(wanted, before.files[i].name);
            r->stopped_dirty |= is == NULL || (!same(is->content, before.files[i].content) &&
                                               (new == NULL || !same(is->content, new->content)));
        }
        free_state(&now);
        kill(pid, SIGCONT);
    }
}

static void run(const struct line *line, const struct way *way, unsigned long n,
                const struct state *wanted, struct result *r)
{
    int fds[2];
    *r = (struct result){0};
    if (pipe2(fds, O_NONBLOCK) != 0 || ftruncate(out_fd, 0) != 0 || ftruncate(err_fd, 0) != 0 ||
        lseek(out_fd, 0, SEEK_SET) != 0 || lseek(err_fd, 0, SEEK_SET) != 0) {
        give_up("pipe");
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child(line, way, n, fds[1]);
    }
    close(fds[1]);
    await(pid, r, wanted);
    ssize_t got = read(fds[0], r->call, sizeof r->call - 1);
    r->hit = got > 0;
    close(fds[0]);
    r->out = read_fd(out_fd);
    r->err = read_fd(err_fd);
    read_folder(folder, &r->after);
    restore(&r->after);
    total_runs++;
}

/* ---- judgement ---- */

static char fault_text[512];

static const char *fault(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(fault_text, sizeof fault_text, format, list);
    va_end(list);
    return fault_text;
}

/* Every file old or new, and no others. */
static const char *check_files(const struct result *r, const struct result *clean, bool killed)
{
    for (size_t i = 0; i < r->after.n; i++) {
        const struct file *is = &r->after.files[i];
        const struct file *old = find(&before, is->name);
        const struct file *new = find(&clean->after, is->name);
        bool partly = strncmp(is->name, "rejects", 7) == 0;
        if (killed && strncmp(is->name, ".evetools-", 10) == 0) {
            continue;
        }
        if (old == NULL && new == NULL) {
            return fault("file %s is left behind", is->name);
        }
        if (!(old != NULL && same(is->content, old->content)) &&
            !(new != NULL &&
              (same(is->content, new->content) || (partly && begins(new->content, is->content))))) {
            return fault("file %s is neither the old nor the new one (%zu bytes)", is->name,
                         is->content.n);
        }
    }
    for (size_t i = 0; i < before.n; i++) {
        if (find(&r->after, before.files[i].name) == NULL &&
            find(&clean->after, before.files[i].name) != NULL) {
            return fault("file %s is gone", before.files[i].name);
        }
    }
    return NULL;
}

static bool is_clean(const struct result *r, const struct result *clean)
{
    return r->status == clean->status && same(r->out, clean->out) &&
           same_state(&r->after, &clean->after);
}

/* What is wrong with a run, or NULL. */
static const char *judge(const struct line *line, const struct way *way, const struct result *r,
                         const struct result *clean)
{
    char start[64];
    int sig = WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0;
    bool killed = way->strict == KILLED && sig == SIGKILL;
    bool termed = way->strict == TERMED && sig == SIGTERM;
    if (r->stopped_dirty) {
        return fault("while it was stopped a file was neither old nor new");
    }
    const char *wrong = check_files(r, clean, killed);
    if (wrong != NULL) {
        return wrong;
    }
    if (sig != 0 && !killed && !termed) {
        return fault("died of signal %d", sig);
    }
    if (!line->report && !begins(clean->out, r->out)) {
        return fault("standard output is no beginning of what it should be");
    }
    if (killed || termed || is_clean(r, clean)) {
        return NULL;
    }
    if (way->strict != MAY_FAIL) {
        return fault("status %d instead of %d: %.200s", WEXITSTATUS(r->status),
                     WEXITSTATUS(clean->status), r->err.p);
    }
    if (WEXITSTATUS(r->status) != 2) {
        return fault("status %d, and not what should have come out: %.200s", WEXITSTATUS(r->status),
                     r->err.p);
    }
    snprintf(start, sizeof start, "%s: ", line->words[0]);
    if (strncmp(r->err.p, start, strlen(start)) != 0 || strchr(r->err.p, '\n') == NULL) {
        return fault("status 2 without a message: %.200s", r->err.p);
    }
    return NULL;
}

/* ---- the table ---- */

static bool read_line(char *text, struct line *line)
{
    size_t n = 0;
    *line = (struct line){.text = strdup(text)};
    char *word = strtok(text, " \t\n");
    if (word == NULL || *word == '#') {
        return false;
    }
    line->report = strcmp(word, "report") == 0;
    if (!line->report && strcmp(word, "stream") != 0) {
        fprintf(stderr, "drive: no such mode: %s\n", word);
        exit(2);
    }
    line->text[strcspn(line->text, "\n")] = '\0';
    while ((word = strtok(NULL, " \t\n")) != NULL && n < WORDS) {
        if (*word == '<') {
            line->input = word + 1;
        } else {
            line->words[n++] = word;
        }
    }
    return n > 0;
}

/* All runs of one way to fail. Returns the number of faults. */
static unsigned try_way(const struct line *line, const struct way *way, const struct result *clean,
                        unsigned long *runs)
{
    unsigned faults = 0;
    bool on = true;
    for (unsigned long n = 1; on; n++) {
        struct result r;
        run(line, way, n, &clean->after, &r);
        on = r.hit;
        const char *wrong = judge(line, way, &r, clean);
        if (wrong == NULL && !r.hit && !is_clean(&r, clean)) {
            wrong =
                fault("nothing was made to fail, and yet: status %d, %.200s", r.status, r.err.p);
        }
        if (wrong != NULL && ++faults <= FAULTS_SHOWN) {
            printf("# %s: call %lu (%s): %s\n", way->name, n, r.call, wrong);
        }
        *runs += 1;
        free_result(&r);
        if (way->series != NULL && n == 1 && !on) {
            printf("# %s: no call was made to fail\n", way->name);
            faults++;
        }
        on = on && n < 20000;
    }
    return faults;
}

static void point(bool ok, const char *line, const char *name, unsigned long runs)
{
    points++;
    failed_points += ok ? 0 : 1;
    printf("%s %u %s: %s (%lu runs)\n", ok ? "ok" : "not ok", points, line, name, runs);
}

static void try_line(const struct line *line, bool full)
{
    struct result clean;
    const char *text = line->text + strcspn(line->text, " \t");
    text += strspn(text, " \t");
    run(line, NULL, 0, NULL, &clean);
    if (WIFSIGNALED(clean.status) || WEXITSTATUS(clean.status) > 1) {
        printf("# untouched: status %d: %s\n", clean.status, clean.err.p);
        point(false, text, "untouched", 1);
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        unsigned long runs = 0;
        if (full || ways[i].quick) {
            unsigned faults = try_way(line, &ways[i], &clean, &runs);
            point(faults == 0, text, ways[i].name, runs);
        }
    }
    free_result(&clean);
}

int main(int argc, char **argv)
{
    char text[1024];
    struct state now;
    if (argc < 6) {
        fprintf(stderr, "usage: drive quick|full PRELOAD TABLE INPUTS FOLDER [WORD]\n");
        return 2;
    }
    FILE *table = fopen(argv[3], "r");
    preload = argv[2];
    folder = argv[5];
    out_fd = memfd_create("out", MFD_CLOEXEC);
    err_fd = memfd_create("err", MFD_CLOEXEC);
    if (table == NULL || out_fd < 0 || err_fd < 0) {
        give_up(argv[3]);
    }
    set_sanitizer();
    read_folder(argv[4], &before);
    read_folder(folder, &now);
    restore(&now);
    while (fgets(text, sizeof text, table) != NULL) {
        struct line line;
        bool wanted = argc < 7 || strstr(text, argv[6]) != NULL;
        if (wanted && read_line(text, &line)) {
            try_line(&line, strcmp(argv[1], "full") == 0);
        }
    }
    printf("# %lu runs\n1..%u\n", total_runs, points);
    return failed_points > 0 || points == 0;
}

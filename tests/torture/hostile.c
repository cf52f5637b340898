/*
 * hostile: one large and nasty line (or many), and what a command makes of it.
 *
 *     hostile KIND N COMMAND...
 *
 * Runs COMMAND with the input of KIND and size N as its standard input, with a stack of 256 KiB,
 * and prints `STATUS MILLISECONDS KIB BYTES LONGEST`: its status (128 + signal if one ended it),
 * its processor time, its largest memory, and the sizes of the input and of its longest line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define COORDINATES ",\"sequence\":1,\"stepIndex\":0,\"turnId\":\"t\""

static void times(FILE *f, unsigned long n, const char *what)
{
    for (unsigned long i = 0; i < n; i++) {
        fputs(what, f);
    }
}

static int make(FILE *f, const char *kind, unsigned long n)
{
    if (strcmp(kind, "deep") == 0) {
        fputs("{\"type\":\"x\",\"data\":", f);
        times(f, n, "[");
    } else if (strcmp(kind, "deep-objects") == 0) {
        times(f, n, "{\"a\":");
    } else if (strcmp(kind, "digits") == 0) {
        fputs("{\"type\":\"x\",\"data\":{\"sequence\":", f);
        times(f, n, "7");
        fputs("}}\n", f);
    } else if (strcmp(kind, "offset") == 0) {
        fputs("{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"\",\"inputTextOffset\":1", f);
        times(f, n, "0");
        fputs("e-9" COORDINATES ",\"toolName\":\"n\"},\"type\":\"action.input.appended\"}\n", f);
    } else if (strcmp(kind, "members") == 0) {
        fputs("{\"type\":\"x\"", f);
        for (unsigned long i = 0; i < n; i++) {
            fprintf(f, ",\"m%lu\":0", i);
        }
        fputs("}\n", f);
    } else if (strcmp(kind, "equal-names") == 0) {
        fputs("{\"data\":{\"messageDelta\":\"a\"", f);
        times(f, n, ",\"turnId\":\"t\"");
        fputs(COORDINATES "},\"type\":\"message.appended\"}\n", f);
    } else if (strcmp(kind, "snapshots") == 0) {
        fputs("{\"data\":{\"messageDelta\":\"a\"", f);
        times(f, n, ",\"messageSoFar\":\"a\"");
        fputs(COORDINATES "},\"type\":\"message.appended\"}\n", f);
    } else if (strcmp(kind, "string") == 0) {
        fputs("{\"data\":{\"message\":\"", f);
        times(f, n, "abcdefg\\u00e9");
        fputs("\"},\"type\":\"message.received\"}\n", f);
    } else if (strcmp(kind, "appends") == 0) {
        for (unsigned long i = 0; i < n; i++) {
            fprintf(f,
                    "{\"data\":{\"messageDelta\":\"a\"" COORDINATES
                    "},\"type\":\"message.appended\",\"meta\":{\"id\":\"evt_%lu\"}}\n",
                    i);
        }
    } else if (strcmp(kind, "turns") == 0) { /* never ended */
        for (unsigned long i = 0; i < n; i++) {
            fprintf(f,
                    "{\"data\":{\"messageDelta\":\"a\",\"messageSoFar\":\"a\",\"sequence\":1,"
                    "\"stepIndex\":0,\"turnId\":\"t%lu\"},\"type\":\"message.appended\"}\n",
                    i);
        }
    } else {
        fprintf(stderr, "hostile: no such kind: %s\n", kind);
        return 2;
    }
    return fflush(f) == 0 ? 0 : 2;
}

static unsigned long longest(int fd)
{
    static char buf[1 << 16];
    unsigned long most = 0;
    unsigned long at = 0;
    ssize_t n;
    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, buf, sizeof buf)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            at = buf[i] == '\n' ? 0 : at + 1;
            most = at > most ? at : most;
        }
    }
    return most;
}

int main(int argc, char **argv)
{
    int status = 0;
    struct rusage used;
    struct rlimit stack = {256 * 1024, 256 * 1024};
    int in = memfd_create("hostile", MFD_CLOEXEC);
    FILE *f = in < 0 ? NULL : fdopen(dup(in), "w");
    if (argc < 4 || f == NULL || make(f, argv[1], strtoul(argv[2], NULL, 10)) != 0) {
        fprintf(stderr, "usage: hostile KIND N COMMAND...\n");
        return 2;
    }
    fclose(f);
    unsigned long most = longest(in);
    off_t size = lseek(in, 0, SEEK_END);
    pid_t pid = fork();
    if (pid == 0) {
        lseek(in, 0, SEEK_SET);
        int out = open("/dev/null", O_WRONLY);
        if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || setrlimit(RLIMIT_STACK, &stack) != 0) {
            _exit(126);
        }
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    if (wait4(pid, &status, 0, &used) != pid) {
        return 2;
    }
    printf("%d %ld %ld %lld %lu\n",
           WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
           (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
               (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000,
           used.ru_maxrss, (long long)size, most);
    return 0;
}

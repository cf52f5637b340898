/* Times two commands in turn: pair RUNS COMMAND... -- COMMAND... Each is started as it stands, with
 * /dev/null for standard input, output and error, RUNS times after one run that does not count.
 * Prints the medians of both in milliseconds and the second as a ratio of the first, as speed. Ends
 * with status 1 if one of them fails. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 100 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double run(char **argv)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_init(&files);
    for (int fd = 0; fd < 3; fd++) {
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    }
    double from = seconds();
    if (posix_spawnp(&pid, argv[0], &files, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
        exit(1);
    }
    double took = seconds() - from;
    posix_spawn_file_actions_destroy(&files);
    return took;
}

static int order(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return *x < *y ? -1 : *x > *y;
}

int main(int argc, char **argv)
{
    static double took[2][MOST];
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    char **second = argv + 2;
    while (second < argv + argc && strcmp(*second, "--") != 0) {
        second++;
    }
    if (runs < 1 || runs > MOST || second >= argv + argc - 1 || second == argv + 2) {
        fprintf(stderr, "pair RUNS COMMAND... -- COMMAND...\n");
        return 2;
    }
    *second++ = NULL;
    for (int i = -1; i < runs; i++) {
        double a = run(argv + 2);
        double b = run(second);
        if (i >= 0) {
            took[0][i] = a;
            took[1][i] = b;
        }
    }
    qsort(took[0], (size_t)runs, sizeof **took, order);
    qsort(took[1], (size_t)runs, sizeof **took, order);
    double a = took[0][runs / 2];
    double b = took[1][runs / 2];
    printf("%.1f %.1f %.4f\n", a * 1e3, b * 1e3, a / b);
    return 0;
}

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATHS = 4 };

static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
static const char *volatile guarded[PATHS];
static const char *volatile messages[PATHS];
static volatile sig_atomic_t notes; /* signals are noted, the first one at least */
static volatile sig_atomic_t noted;
static int wake[2]; /* a pipe; what is read from a noted signal comes out */

static void remove_guarded(int sig)
{
    for (size_t i = 0; i < PATHS; i++) {
        if (guarded[i] != NULL) {
            (void)unlink(guarded[i]);
            if (sig != SIGPIPE) {
                (void)!write(STDERR_FILENO, messages[i], strlen(messages[i]));
            }
        }
    }
}

static void end_by(int sig)
{
    sigset_t set;
    (void)signal(sig, SIG_DFL);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, sig);
    (void)raise(sig);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void handle(int sig)
{
    if (notes != 0 && noted == 0 && sig != SIGPIPE) {
        int sys = errno;
        noted = sig;
        (void)!write(wake[1], "", 1);
        errno = sys;
        return;
    }
    remove_guarded(sig);
    end_by(sig);
}

void signals_init(void)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = handle};
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        (void)sigaddset(&action.sa_mask, handled[i]);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* so that the write fails, with EFBIG */
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        if (sigaction(handled[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            (void)sigaction(handled[i], &action, NULL);
        }
    }
}

static void mask(int how)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        (void)sigaddset(&set, handled[i]);
    }
    (void)sigprocmask(how, &set, NULL);
}

void signals_hold(void)
{
    mask(SIG_BLOCK);
}

void signals_release(void)
{
    mask(SIG_UNBLOCK);
}

void signals_guard(const char *path, const char *message)
{
    for (size_t i = 0; i < PATHS; i++) {
        if (guarded[i] == NULL) {
            messages[i] = message;
            guarded[i] = path;
            return;
        }
    }
}

void signals_unguard(const char *path)
{
    for (size_t i = 0; i < PATHS; i++) {
        if (guarded[i] == path) {
            guarded[i] = NULL;
        }
    }
}

int signals_note(void)
{
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        return 0;
    }
    notes = 1;
    return wake[0];
}

int signals_noted(void)
{
    return noted;
}

_Noreturn void signals_die(int sig)
{
    remove_guarded(sig);
    end_by(sig);
    _exit(128 + sig); /* not reached unless the signal cannot be had */
}

_Noreturn void signals_die_of_pipe(void)
{
    signals_die(SIGPIPE);
}

/*
 * signals: what INT, TERM, HUP, QUIT and PIPE find on their way.
 *
 * The temporary file that is guarded at that moment is removed, then the tool ends by the same
 * signal. A signal that was ignored when the tool started stays ignored. A file that reaches the
 * size a user is allowed is an error of its writing, not a signal.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* Install the handlers; once, at the start. */
void signals_init(void);

/* Hold the signals back while a file is made or put in place, and let them come. */
void signals_hold(void);
void signals_release(void);

/* From now on, on a signal, remove `path` and (but for PIPE) write `message` to standard error,
 * until signals_unguard(path). Both are borrowed until then; at most four at a time. Call while the
 * signals are held. */
void signals_guard(const char *path, const char *message);
void signals_unguard(const char *path);

/* From now on the first INT, TERM or HUP is only noted, so that the tool can finish what it has to;
 * the next one ends it as before. Returns a descriptor that can be read from when one is noted, 0
 * if there is none to be had. */
int signals_note(void);

/* The signal that was noted, or 0. */
int signals_noted(void);

/* Remove what is guarded and end by `sig`. */
_Noreturn void signals_die(int sig);

/* End as a filter whose reader is gone: by SIGPIPE, without a word. */
_Noreturn void signals_die_of_pipe(void);

#endif

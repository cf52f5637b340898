#include "feed.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

bool feed_option(struct feed_options *o, const struct cli *c, int id, int *status)
{
    int choice = 0;
    *status = 0;
    switch (id) {
    case 'f':
        if (!cli_choice(c->arg, CLI_FROM_WORDS, &choice)) {
            *status = cli_bad_arg(c, "auto, 21 to 26 or http");
        }
        o->http = choice == 7;
        o->version = choice == 0 || o->http ? EVE_VERSION_AUTO : 20 + (unsigned)choice;
        return true;
    case 'o':
        o->output = c->arg;
        return true;
    case 'k':
        o->keep_going = true;
        return true;
    case 'q':
        o->quiet = true;
        return true;
    case 'g':
        o->group = c->arg;
        return true;
    case CLI_OPT_LINE_BUFFERED:
        o->line_buffered = true;
        return true;
    case CLI_OPT_MAX_ERRORS:
        if (!cli_count(c->arg, &o->max_errors)) {
            *status = cli_bad_arg(c, "a number");
        }
        return true;
    case CLI_OPT_MAX_LINE:
        if (!cli_size(c->arg, &o->max_line)) {
            *status = cli_bad_arg(c, "a size such as 64K or 16M");
        }
        return true;
    case CLI_OPT_COLOR:
    case CLI_OPT_PROGRESS:
        if (!cli_choice(c->arg, CLI_WHEN_WORDS, &choice)) {
            *status = cli_bad_arg(c, "auto, always or never");
        }
        *(id == CLI_OPT_COLOR ? &o->color : &o->progress) = (enum cli_when)choice;
        return true;
    default:
        return false;
    }
}

void feed_seed(uint64_t seed[2])
{
    struct timespec now;
    if (getrandom(seed, 2 * sizeof *seed, GRND_NONBLOCK) != (ssize_t)(2 * sizeof *seed)) {
        (void)clock_gettime(CLOCK_REALTIME, &now);
        seed[0] = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u;
        seed[1] = (uint64_t)getpid() ^ (uint64_t)now.tv_sec << 20;
    }
}

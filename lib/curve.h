/*
 * curve: how two sums grow over events, kept in a fixed number of points.
 *
 * When the points are used up every second one goes, so that what is kept is always spread evenly
 * over all events so far. A plain value that can be copied.
 */
#ifndef EVE_CURVE_H
#define EVE_CURVE_H

#include "base.h"

#define EVE_CURVE_POINTS 2048

struct eve_curve_point {
    uint64_t found;
    uint64_t delta_only;
};

struct eve_curve {
    uint64_t events;
    uint64_t stride; /* events from one point to the next */
    size_t count;
    struct eve_curve_point now;                     /* after all events */
    struct eve_curve_point point[EVE_CURVE_POINTS]; /* number i: after (i + 1) x stride of them */
};

void eve_curve_init(struct eve_curve *c);

/* The next event: so many bytes in one form and the other. */
void eve_curve_add(struct eve_curve *c, uint64_t found, uint64_t delta_only);

/* The sums after `part` of the events (0 to 1), between two points on the line that joins them. */
void eve_curve_at(const struct eve_curve *c, double part, double *found, double *delta_only);

#endif

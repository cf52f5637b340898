#include "curve.h"

void eve_curve_init(struct eve_curve *c)
{
    c->events = 0;
    c->stride = 1;
    c->count = 0;
    c->now = (struct eve_curve_point){0};
}

void eve_curve_add(struct eve_curve *c, uint64_t found, uint64_t delta_only)
{
    c->now.found += found;
    c->now.delta_only += delta_only;
    c->events++;
    if (c->events % c->stride != 0) {
        return;
    }
    if (c->count == EVE_CURVE_POINTS) {
        for (size_t i = 0; i < EVE_CURVE_POINTS / 2; i++) {
            c->point[i] = c->point[2 * i + 1];
        }
        c->count = EVE_CURVE_POINTS / 2;
        c->stride *= 2;
        if (c->events % c->stride != 0) {
            return;
        }
    }
    c->point[c->count++] = c->now;
}

void eve_curve_at(const struct eve_curve *c, double part, double *found, double *delta_only)
{
    static const struct eve_curve_point zero;
    double at = part * (double)c->events / (double)c->stride; /* in points */
    size_t i = at < (double)c->count ? (size_t)at : c->count;
    const struct eve_curve_point *a = i == 0 ? &zero : &c->point[i - 1];
    const struct eve_curve_point *b = i < c->count ? &c->point[i] : &c->now;
    double from = (double)i;
    double to = i < c->count ? from + 1 : (double)c->events / (double)c->stride;
    double way = to > from ? (at - from) / (to - from) : 1;
    way = way > 1 ? 1 : way;
    *found = (double)a->found + way * (double)(b->found - a->found);
    *delta_only = (double)a->delta_only + way * (double)(b->delta_only - a->delta_only);
}

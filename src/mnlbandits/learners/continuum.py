"""The maximiser of the optimistic reward on the unit sphere or the unit ball, with a certificate.

Local ascents find it: from the vector played last, and from the maximiser of the index with rho^T mu linearised and the
bonus a norm (`farthest`). How far the index can be above it elsewhere is bounded in two steps, with the quadratic function
of `majorant`: on shells around it, whose radii grow from 0 as long as the bound is below the tolerance, and on boxes that
cover the rest, split until it is. A box with a better point starts another ascent. Boxes are few where theta_t has small
rank or the shells reach far; for large d they may run out, and the certificate says what is left.
"""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.ascent import climb, linearise, rise
from mnlbandits.learners.certificate import certify
from mnlbandits.learners.expansion import MEAN, bonus, expand, point_of
from mnlbandits.learners.learner import look
from mnlbandits.learners.search import BEST, OTHER, prepare


@rare_kernel
def best_vector(learner, search, sigma):
    """The maximiser of the optimistic reward with radius `sigma` becomes arm 0, which holds the vector to start from.

    Its index goes into the learner's scores, and the certificate into the `search`. Returns 0, the arm.
    """
    bounds, x = prepare(search, sigma), learner.arms[0]
    best, other = point_of(search.points, BEST), point_of(search.points, OTHER)
    climb(search, bounds, x, best)
    for _ in range(8):
        linearise(search, bounds, x)
        climb(search, bounds, x, other)
        if not improves(search, bounds):
            break
    for _ in range(20):
        if not certify(search, bounds):
            break
        search.certificate[0] = math.inf
        for j in range(len(x)):
            x[j] = other.x[j]
        climb(search, bounds, x, other)
        if not improves(search, bounds):
            break
    for j in range(len(x)):
        x[j] = best.x[j]
    learner.scores[0] = best.values[MEAN] + bonus(best, sigma, bounds.second_order)
    look(learner)
    return 0


@kernel
def improves(search, bounds):
    """Whether the index at `other` is above that at `best`, by more than rounding; if so it becomes the best."""
    best, other = point_of(search.points, BEST), point_of(search.points, OTHER)
    scale = bonus(best, bounds.sigma, bounds.second_order) + abs(best.values[MEAN]) * 1e-4
    if not rise(search.logits, search.model.rewards, best, other, bounds) > 1e-12 * scale:
        return False
    expand(search.model, other.x, best, search.scratch)
    return True

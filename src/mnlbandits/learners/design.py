"""The exploration design of Algorithm 1 (lines 3 and 6): play argmax ||I_K (x) x||_{V^-1}, one pull or many at a time.

V = I_K (x) A with A = lambda_0 I_d + (1/kappa) sum x x^T, so the score of an arm is x^T A^-1 x and everything is d x d. The
picks do not depend on the outcomes.
"""

import numpy as np

from mnlbandits.compiled import allocating_kernel, kernel, rare_kernel
from mnlbandits.learners.linalg import first_argmax, invert_positive, quadratic_form

REFRESH = 1024
"""Picks between two fresh evaluations of the scores; in between they are updated by Sherman-Morrison."""


@rare_kernel
def refresh_scores(arms, design, scores, inverse, scratch):
    """A^-1 into `inverse` (d, d), x^T A^-1 x into `scores` (N,), from A = `design` (d, d); `scratch` is (d + 1, d)."""
    invert_positive(design, inverse, scratch)
    measure_widths(arms, inverse, scores)


@kernel
def put_in_play(arms, explored, pick, search):
    """`pick`; on a sphere or ball the vector explored[pick] becomes the round's, the only one of `arms`."""
    if search is not None:
        for j in range(arms.shape[1]):
            arms[0, j] = explored[pick, j]
    return pick


@kernel
def put_widest_in_play(arms, design, search):
    """On a sphere or ball the vector with the largest x^T A^-1 x becomes the round's, for a diagonal A = `design` (d, d).

    It is an axis: a design that starts from a multiple of I and plays axes stays diagonal.
    """
    if search is not None:
        axis = 0
        for j in range(len(design)):
            arms[0, j] = 0.0
            if design[j, j] < design[axis, axis]:
                axis = j
        arms[0, axis] = 1.0
        search.certificate[0] = 0.0


@kernel
def measure_widths(arms, inverse, scores):
    """x^T A^-1 x of every arm into `scores` (N,)."""
    for n in range(len(arms)):
        scores[n] = quadratic_form(inverse, arms[n])


@kernel
def add_pulls(arms, kappa, arm, pulls, design, scores, inverse, scratch):
    """A += pulls/kappa x x^T for x = arms[arm], with A^-1 and the scores; `scratch` is (d + 1, d)."""
    dim = arms.shape[1]
    x, weight = arms[arm], pulls / kappa
    direction = scratch[0]
    for i in range(dim):
        direction[i] = 0.0
        for j in range(dim):
            design[i, j] += weight * x[i] * x[j]
            direction[i] += inverse[i, j] * x[j]
    shrink = weight / (1.0 + weight * scores[arm])
    for i in range(dim):
        for j in range(dim):
            inverse[i, j] -= shrink * direction[i] * direction[j]
    for n in range(len(arms)):
        product = 0.0
        for j in range(dim):
            product += arms[n, j] * direction[j]
        scores[n] -= shrink * product * product


@allocating_kernel
def greedy_pulls(arms, kappa, ridge, stops, target, resolution, pulls):
    """Pulls of every arm by the greedy rule at each of the rounds `stops`, or when the largest score is <= `target`.

    While t < 2 `resolution` every pick is one pull: exactly the rule. Later a pick is t // `resolution` pulls, the same
    rule in units of t / `resolution`, so ties and near-ties among many optimal designs are broken as the rule breaks them.

    Parameters
    ----------
    arms : (N, d). kappa, ridge : the weights 1/kappa and lambda_0 of A.
    stops : increasing rounds (M,), int64.
    pulls : (M, N) int64, filled; rows after the target was reached repeat the last one.

    Returns
    -------
    rounds : (M,) the round each row belongs to. design : A (d, d) at the last one. largest : (M,) largest score.
    """
    count, dim = arms.shape
    design, inverse, scores = ridge * np.eye(dim), np.empty((dim, dim)), np.empty(count)
    scratch = np.empty((dim + 1, dim))
    total, current = 0, np.zeros(count, dtype=np.int64)
    rounds, largest = np.empty(len(stops), dtype=np.int64), np.empty(len(stops))
    refresh_scores(arms, design, scores, inverse, scratch)
    picks, reached = 0, scores.max() <= target
    for row in range(len(stops)):
        while total < stops[row] and not reached:
            many = min(max(1, total // resolution), stops[row] - total)
            arm = first_argmax(scores)
            add_pulls(arms, kappa, arm, float(many), design, scores, inverse, scratch)
            current[arm] += many
            total += many
            picks += 1
            if picks % REFRESH == 0:
                refresh_scores(arms, design, scores, inverse, scratch)
            reached = scores.max() <= target
        pulls[row], rounds[row], largest[row] = current, total, scores.max()
    return rounds, design, largest

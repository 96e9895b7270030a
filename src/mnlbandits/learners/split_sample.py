"""What a stage of SupSplitLog knows from its sample, split in two: b-hat and u, then b-bar and w; see `sup_split_log`."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.linalg import invert_positive, quadratic_form
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.sigmoid import curvature, sigmoid

INITIAL, CORRECTION, NEITHER = 0, 1, -1
"""Parts of a stage's sample, in this order in `counts` and `widths`."""


@rare_kernel
def fit_initial(state, stage):
    """b-hat and u of a stage."""
    arms, b, x = state.data.arms, state.estimates[stage, INITIAL], state.point
    count, dim = arms.shape
    for k in range(2):
        for n in range(count):
            state.data.counts[k, n] = state.counts[stage, INITIAL, k, n]
    for j in range(dim):
        x[0, j] = b[j]
    minimise(state.data, 0.0, state.no_tilt, state.norm_bound, x)
    for j in range(dim):
        b[j] = x[0, j]
    set_logits(arms, b, state.logits[stage, INITIAL])
    inverse_curvature(state, stage, INITIAL, 1.0 / (4.0 * state.norm_bound**2))
    volume = dim * max(1.0, 1.0 + math.log(max(1.0, state.sizes[stage, INITIAL]) * 2.0 * state.largest_logit / dim))
    square = 1.0 + (2.0 + 2.0 * state.largest_logit) * (math.log(2.0 * len(state.sizes) / state.delta) + volume)
    for n in range(count):
        length = 0.0
        for j in range(dim):
            length += arms[n, j] * arms[n, j]
        width = state.scale * math.sqrt(square * max(0.0, quadratic_form(state.inverse, arms[n])))
        state.widths[stage, INITIAL, n] = min(2.0 * state.norm_bound * math.sqrt(length), width)


@rare_kernel
def correct(state, stage):
    """b-bar and w of a stage."""
    arms, b, residual = state.data.arms, state.estimates[stage], state.residual
    logits, u = state.logits[stage, INITIAL], state.widths[stage, INITIAL]
    count, dim = arms.shape
    inverse_curvature(state, stage, CORRECTION, state.ridge)
    for j in range(dim):
        residual[j] = 0.0
    worst, remainder = 0.0, 0.0
    for n in range(count):
        hits = state.counts[stage, CORRECTION, state.better, n]
        pulls = hits + state.counts[stage, CORRECTION, 1 - state.better, n]
        if pulls > 0.0:
            worst = max(worst, u[n])
            remainder += pulls * curvature(logits[n]) * (math.expm1(min(u[n], 300.0)) - u[n]) ** 2
            for j in range(dim):
                residual[j] += (hits - pulls * sigmoid(logits[n])) * arms[n, j]
    for i in range(dim):
        b[CORRECTION, i] = b[INITIAL, i]
        for j in range(dim):
            b[CORRECTION, i] += state.inverse[i, j] * residual[j]
    set_logits(arms, b[CORRECTION], state.logits[stage, CORRECTION])
    factor = 2.0 * state.norm_bound * math.sqrt(state.ridge) + math.sqrt(2.0 * math.exp(min(worst, 600.0)) * state.chance)
    factor += state.longest * state.chance / (3.0 * math.sqrt(state.ridge)) + math.sqrt(remainder)
    for n in range(count):
        square = max(0.0, quadratic_form(state.inverse, arms[n]))
        state.widths[stage, CORRECTION, n] = state.scale * factor * math.sqrt(square)


@kernel
def set_logits(arms, b, out):
    """x^T b of every arm into `out` (N,)."""
    for n in range(len(out)):
        out[n] = 0.0
        for j in range(len(b)):
            out[n] += arms[n, j] * b[j]


@kernel
def inverse_curvature(state, stage, part, ridge):
    """The inverse of (the sum of s'(x^T b-hat) x x^T over a part, plus ridge I) into `inverse`."""
    arms, logits = state.data.arms, state.logits[stage, INITIAL]
    count, dim = arms.shape
    matrix = state.matrix
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] = ridge if i == j else 0.0
    for n in range(count):
        weight = (state.counts[stage, part, 0, n] + state.counts[stage, part, 1, n]) * curvature(logits[n])
        for i in range(dim):
            for j in range(dim):
                matrix[i, j] += weight * arms[n, i] * arms[n, j]
    invert_positive(matrix, state.inverse, state.lower)

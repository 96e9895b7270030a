"""The state of an online learner: the estimate, the matrix W and what the second-order bonuses need of it.

In coordinates phi (K-1, d), see `likelihood`: W (D, D) with D = (K-1) d, its inverse, and for every arm the block
B(x) = (I (x) x^T) W^-1 (I (x) x), which is all that the bonuses need. A round changes W by a matrix of rank K-1, so W^-1 and
all blocks are updated by rank-(K-1) corrections; every `REFRESH` rounds they are recomputed from W.

`mirror_descent` moves the estimate round by round; methods whose estimate comes from elsewhere set phi and W themselves.

The paper's Wbar = W + sum 11^T (x) x x^T never changes a number: it acts on the direction 1 only, which grad mu rho does not
touch, and there its block is below lambda_max(B). See the textbook version, which carries it, and the test that compares.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import aligned_zeros, kernel, rare_kernel
from mnlbandits.learners.likelihood import Scratch, curvature, make_scratch, probabilities
from mnlbandits.learners.linalg import cholesky, invert_positive, quadratic_form
from mnlbandits.model.softmax import Array

REFRESH = 512
"""Rounds between two fresh factorisations of W."""


LEARNT, PROJECTED = range(2)
"""Entries of a learner's `counters`: rounds learnt, steps on which the constraint was active."""


class Wide(NamedTuple):
    """Working memory of the loops over all N arms; holds nothing between two calls."""

    p: Array  # (K, N) logits, then probabilities
    mean: Array  # (N,) the largest logit, then rho^T mu
    total: Array  # (N,) sums of exponentials, then eigenvalues
    r: Array  # (K-1, N) C^T grad mu rho, then a sum of squares
    image: Array  # ((K-1)^2, N) products of features and W^-1 (I (x) x)


class Learner(NamedTuple):
    """State of the online learner; arrays are changed in place."""

    basis: Array  # C (K, K-1)
    dual: Array  # (K-1, K): phi = dual theta
    arms: Array  # (N, d)
    fresh: bool  # whether every round has arms of its own: then features and blocks are those of the last choice
    features: Array  # (d, N): the arms again, so that the loops over all arms run along memory
    rewards: Array  # rho (K,), up to a common shift
    reward_norm: float  # R of the second-order bonus
    eta: float  # step size
    ahead: float  # weight of the round's own curvature in Wtilde; eta but in Algorithm 3 as printed
    phi: Array  # current estimate (K-1, d)
    w: Array  # W (D, D)
    inverse: Array  # W^-1 (D, D)
    blocks: Array  # B(x) (K-1, K-1, N)
    centre: Array  # centre of the constraint set (K-1, d)
    shape: Array  # (2, d, d): A^{1/2} and A^{-1/2}; the set is ||(phi - centre) A^{1/2}||_F <= radius
    radius: Array  # (1,)
    counters: Array  # (2,) see LEARNT and PROJECTED
    scores: Array  # (N,) optimistic rewards of the last choice
    scratch: Scratch
    wide: Wide
    bits: Array  # (N,) int64, see `exp_below`
    powers: Array  # (N,) the same memory as float64


def make_learner(
    basis: Array,
    arms: Array,
    rewards: Array,
    ridge: float,
    eta: float,
    radius: float,
    ahead: float | None = None,
    reward_norm: float | None = None,
    fresh: bool = False,
) -> Learner:
    """A learner at phi = 0, W = ridge I, in the ball ||phi||_F <= radius; `ahead` defaults to eta, R to ||rewards||.

    Arms (N, d) that can be written are kept, not copied: whoever holds them too can change them if they are `fresh`.
    """
    free, (count, dim) = basis.shape[1], arms.shape
    features, powers = aligned_zeros(dim, count), aligned_zeros(count)
    features[:] = arms.T
    learner = Learner(
        basis=np.ascontiguousarray(basis),
        dual=np.ascontiguousarray(np.linalg.pinv(basis - basis.mean(axis=0)) @ (np.eye(len(basis)) - 1 / len(basis))),
        arms=arms if arms.flags.writeable else arms.copy(),
        fresh=fresh,
        features=features,
        rewards=np.ascontiguousarray(rewards, dtype=float).copy(),
        reward_norm=float(np.linalg.norm(rewards) if reward_norm is None else reward_norm),
        eta=float(eta),
        ahead=float(eta if ahead is None else ahead),
        phi=np.zeros((free, dim)),
        w=ridge * np.eye(free * dim),
        inverse=np.zeros((free * dim, free * dim)),
        blocks=aligned_zeros(free, free, count),
        centre=np.zeros((free, dim)),
        shape=np.stack([np.eye(dim), np.eye(dim)]),
        radius=np.array([float(radius)]),
        counters=np.zeros(2),
        scores=aligned_zeros(count),
        scratch=make_scratch(len(basis), dim),
        wide=make_wide(len(basis), count),
        bits=powers.view(np.int64),
        powers=powers,
    )
    refresh(learner)
    return learner


def make_wide(outcomes: int, count: int) -> Wide:
    """Fresh working memory."""
    free = outcomes - 1
    shapes = [(outcomes, count), (count,), (count,), (free, count), (free * free, count)]
    return Wide(*(aligned_zeros(*shape) for shape in shapes))


@rare_kernel
def refresh(learner):
    """Recompute W^-1 and all blocks from W."""
    invert_positive(learner.w, learner.inverse, learner.scratch.lower)
    if not learner.fresh:
        measure_blocks(learner)


@rare_kernel
def look(learner):
    """Features and blocks of the arms of this round."""
    for n in range(len(learner.arms)):
        for j in range(learner.arms.shape[1]):
            learner.features[j, n] = learner.arms[n, j]
    measure_blocks(learner)


@rare_kernel
def measure_blocks(learner):
    """The blocks of all arms from W^-1."""
    free, dim = learner.phi.shape
    count, features = len(learner.arms), learner.features
    for a in range(free):
        for b in range(free):
            block = learner.blocks[a, b]
            for n in range(count):
                block[n] = 0.0
            for i in range(dim):
                for j in range(dim):
                    entry = learner.inverse[a * dim + i, b * dim + j]
                    for n in range(count):
                        block[n] += features[i, n] * entry * features[j, n]


@kernel
def prepare(learner, arm):
    """W^-1 (I (x) x) and B(x) of an arm into the scratch, where the step and `add_curvature` look for them."""
    free, dim = learner.phi.shape
    x, columns, block = learner.arms[arm], learner.scratch.columns, learner.scratch.block
    for i in range(free * dim):
        for b in range(free):
            columns[i, b] = 0.0
            for j in range(dim):
                columns[i, b] += learner.inverse[i, b * dim + j] * x[j]
    for a in range(free):
        for b in range(free):
            if learner.fresh:
                block[a, b] = 0.0
                for j in range(dim):
                    block[a, b] += x[j] * columns[a * dim + j, b]
            else:
                block[a, b] = learner.blocks[a, b, arm]


@kernel
def add_curvature(learner, arm, pulls):
    """Line 9 of Algorithm 2: W += pulls G (x) x x^T with G at the estimate; after `prepare`."""
    free, dim = learner.phi.shape
    x, p, g = learner.arms[arm], learner.scratch.p, learner.scratch.g
    probabilities(learner.basis, learner.phi, x, p)
    curvature(learner.basis, p, g)
    for a in range(free):
        for b in range(free):
            g[a, b] *= pulls
    for a in range(free):
        for i in range(dim):
            for b in range(free):
                for j in range(dim):
                    learner.w[a * dim + i, b * dim + j] += g[a, b] * x[i] * x[j]
    learner.counters[LEARNT] += pulls
    if pulls > 1.0 or learner.counters[LEARNT] % REFRESH == 0.0:
        refresh(learner)
    else:
        correct(learner, g)


@kernel
def measure_lost(scratch, g):
    """y (D, K-1) of (W + g (x) x x^T)^-1 = W^-1 - y y^T into `scratch.lost`, after `prepare`; g (K-1, K-1).

    With g = L L^T and U = L (x) x, y = W^-1 U F^-T for the Cholesky factor F of I + U^T W^-1 U = I + L^T B L.
    """
    columns, block, y = scratch.columns, scratch.block, scratch.lost
    root, core, factor = scratch.root, scratch.core, scratch.factor
    size, free = y.shape
    cholesky(g, root)
    for a in range(free):
        for b in range(free):
            factor[a, b] = 0.0  # L^T B
            for c in range(a, free):
                factor[a, b] += root[c, a] * block[c, b]
        for b in range(free):
            core[a, b] = 1.0 if a == b else 0.0
            for c in range(b, free):
                core[a, b] += factor[a, c] * root[c, b]
    cholesky(core, factor)
    for i in range(size):
        for b in range(free):
            y[i, b] = 0.0
            for c in range(b, free):
                y[i, b] += columns[i, c] * root[c, b]
            for c in range(b):
                y[i, b] -= factor[b, c] * y[i, c]
            y[i, b] /= factor[b, b]


@kernel
def correct(learner, g):
    """Rank-(K-1) correction of W^-1 and of every block after W += g (x) x x^T; after `prepare`."""
    free, dim = learner.phi.shape
    count, y = len(learner.arms), learner.scratch.lost
    measure_lost(learner.scratch, g)
    for i in range(free * dim):
        for j in range(i + 1):
            loss = 0.0
            for b in range(free):
                loss += y[i, b] * y[j, b]
            learner.inverse[i, j] -= loss
            learner.inverse[j, i] = learner.inverse[i, j]
    if learner.fresh:
        return
    features, blocks, image = learner.features, learner.blocks, learner.wide.image
    for a in range(free):
        for b in range(free):
            row = a * free + b
            for n in range(count):
                image[row, n] = 0.0
            for j in range(dim):
                weight = y[a * dim + j, b]
                for n in range(count):
                    image[row, n] += weight * features[j, n]
    for a in range(free):
        for b in range(a + 1):
            for c in range(free):
                left, right = a * free + c, b * free + c
                for n in range(count):
                    blocks[a, b, n] -= image[left, n] * image[right, n]
            for n in range(count):
                blocks[b, a, n] = blocks[a, b, n]


@rare_kernel
def information(learner, arm):
    """tr(G B(x)): the sum of the relative growths of W in its eigendirections by one more pull of the arm."""
    free, p, g = learner.phi.shape[0], learner.scratch.p, learner.scratch.g
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    curvature(learner.basis, p, g)
    total = 0.0
    for a in range(free):
        for b in range(free):
            total += g[a, b] * learner.blocks[b, a, arm]
    return total


@kernel
def distance_to_truth(learner, theta):
    """||phi - phi_t||_W for the phi with C phi = theta up to a common shift of the rows, theta (K, d)."""
    free, dim = learner.phi.shape
    difference = learner.scratch.psi
    for a in range(free):
        for j in range(dim):
            difference[a * dim + j] = -learner.phi[a, j]
            for k in range(len(theta)):
                difference[a * dim + j] += learner.dual[a, k] * theta[k, j]
    return math.sqrt(quadratic_form(learner.w, difference))

"""The online learner shared by REAL (Algorithm 2) and OFUL-MLogB: one mirror-descent step a round, bonuses in closed form.

Methods whose estimate comes from elsewhere, with the same second-order bonuses, use it too: they set phi and W themselves.

State in coordinates phi (K-1, d), see `likelihood`: W (D, D) with D = (K-1) d, its inverse, and for every arm the block
B(x) = (I (x) x^T) W^-1 (I (x) x), which is all that the bonuses need. A round changes W by a matrix of rank K-1, so W^-1 and
all blocks are updated by rank-(K-1) corrections; every `REFRESH` rounds they are recomputed from W.

The paper's Wbar = W + sum 11^T (x) x x^T never changes a number: it acts on the direction 1 only, which grad mu rho does not
touch, and there its block is below lambda_max(B). See the textbook version, which carries it, and the test that compares.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Batch
from mnlbandits.algorithms.likelihood import Scratch, curvature, make_scratch, probabilities, residual, residual_of_many
from mnlbandits.algorithms.linalg import (
    cholesky,
    exp_below,
    first_argmax,
    first_offered,
    invert_positive,
    quadratic_form,
    solve_general,
    solve_in_ball,
    symmetric_eigen,
    total,
)
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.model.softmax import Array

REFRESH = 512
"""Rounds between two fresh factorisations of W."""


class Learner(NamedTuple):
    """State of the online learner; arrays are changed in place."""

    basis: Array  # C (K, K-1)
    dual: Array  # (K-1, K): phi = dual theta
    arms: Array  # (N, d)
    features: Array  # (d, N): the arms again, so that the loops over all arms run along memory
    rewards: Array  # rho (K,)
    eta: float  # step size
    ahead: float  # weight of the round's own curvature in Wtilde; eta but in Algorithm 3 as printed
    phi: Array  # current estimate (K-1, d)
    w: Array  # W (D, D)
    inverse: Array  # W^-1 (D, D)
    blocks: Array  # B(x) (K-1, K-1, N)
    centre: Array  # centre of the constraint set (K-1, d)
    shape: Array  # (2, d, d): A^{1/2} and A^{-1/2}; the set is ||(phi - centre) A^{1/2}||_F <= radius
    radius: Array  # (1,)
    counters: Array  # (2,) rounds learnt, steps on which the constraint was active
    scores: Array  # (N,) optimistic rewards of the last choice
    scratch: Scratch
    wide: Array  # (K + 2 + (K-1)^2, N) working memory
    bits: Array  # (N,) int64, see `exp_below`
    powers: Array  # (N,) the same memory as float64


def make_learner(
    basis: Array, arms: Array, rewards: Array, ridge: float, eta: float, radius: float, ahead: float | None = None
) -> Learner:
    """A learner at phi = 0, W = ridge I, constrained to the ball ||phi||_F <= radius; `ahead` defaults to eta."""
    free, (count, dim) = basis.shape[1], arms.shape
    bits = np.zeros(count, dtype=np.int64)
    learner = Learner(
        basis=np.ascontiguousarray(basis),
        dual=np.ascontiguousarray(np.linalg.pinv(basis - basis.mean(axis=0)) @ (np.eye(len(basis)) - 1 / len(basis))),
        arms=np.ascontiguousarray(arms).copy(),
        features=np.ascontiguousarray(arms.T).copy(),
        rewards=np.ascontiguousarray(rewards, dtype=float).copy(),
        eta=float(eta),
        ahead=float(eta if ahead is None else ahead),
        phi=np.zeros((free, dim)),
        w=ridge * np.eye(free * dim),
        inverse=np.zeros((free * dim, free * dim)),
        blocks=np.zeros((free, free, count)),
        centre=np.zeros((free, dim)),
        shape=np.stack([np.eye(dim), np.eye(dim)]),
        radius=np.array([float(radius)]),
        counters=np.zeros(2),
        scores=np.zeros(count),
        scratch=make_scratch(len(basis), dim),
        wide=np.zeros((len(basis) + 2 + free * free, count)),
        bits=bits,
        powers=bits.view(np.float64),
    )
    refresh(learner)
    return learner


@rare_kernel
def refresh(learner):
    """Recompute W^-1 and all blocks from W."""
    invert_positive(learner.w, learner.inverse, learner.scratch.large[0])
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
def optimistic_arm(learner, sigma, offered=None):
    """argmax of rho^T mu(theta_t x) + eps_1 + eps_2 (Eq. optimistic reward), for confidence radius `sigma`.

    Among all arms, or among those with `offered` (N,).

    eps_1 = sigma ||W^{-1/2} (I (x) x) grad mu rho|| = sigma sqrt(r^T B r) with r = C^T grad mu rho, and
    eps_2 = 3 R sigma^2 lambda_max(B).
    """
    outcomes, free = learner.basis.shape
    dim, count = learner.features.shape
    features, blocks, rewards, scores = learner.features, learner.blocks, learner.rewards, learner.scores
    p, mean, total, r = learner.wide, learner.wide[outcomes], learner.wide[outcomes + 1], learner.wide[outcomes + 2 :]
    square = 0.0
    for k in range(outcomes):
        square += rewards[k] * rewards[k]
    second_order = 3.0 * math.sqrt(square) * sigma * sigma

    for n in range(count):  # mean will first hold the largest logit
        mean[n] = -math.inf
        total[n] = 0.0
    for k in range(outcomes):
        for n in range(count):
            p[k, n] = 0.0
        for j in range(dim):
            weight = 0.0
            for a in range(free):
                weight += learner.basis[k, a] * learner.phi[a, j]
            for n in range(count):
                p[k, n] += weight * features[j, n]
        for n in range(count):
            mean[n] = max(mean[n], p[k, n])
    for k in range(outcomes):
        for n in range(count):
            p[k, n] -= mean[n]
        exp_below(p[k], count, learner.bits, learner.powers)
        for n in range(count):
            total[n] += p[k, n]
    for n in range(count):
        mean[n] = 0.0
    for k in range(outcomes):
        for n in range(count):
            p[k, n] /= total[n]
            mean[n] += p[k, n] * rewards[k]

    for a in range(free):
        for n in range(count):
            r[a, n] = 0.0
        for k in range(outcomes):
            for n in range(count):
                r[a, n] += learner.basis[k, a] * (p[k, n] * (rewards[k] - mean[n]))
    for n in range(count):
        scores[n] = 0.0
    for a in range(free):
        for b in range(free):
            for n in range(count):
                scores[n] += blocks[a, b, n] * (r[a, n] * r[b, n])
    eigenvalue_bounds(blocks, total, r)
    for n in range(count):
        scores[n] = mean[n] + sigma * math.sqrt(max(0.0, scores[n])) + second_order * total[n]
    if free > 2:
        sharpen(blocks, total, second_order, scores, learner.scratch.small, offered)
    return first_argmax(scores) if offered is None else first_offered(scores, offered)


@kernel
def eigenvalue_bounds(blocks, out, work):
    """Upper bounds of the largest eigenvalue of every block (n, n, N) into `out` (N,); equal to it for n <= 2.

    m + s sqrt(n - 1) with the mean m and the standard deviation s of the eigenvalues (Wolkowicz and Styan 1980); `work` has
    a row of length N.
    """
    size, count = blocks.shape[0], blocks.shape[2]
    squares = work[0]
    for n in range(count):
        out[n] = 0.0
        squares[n] = 0.0
    for a in range(size):
        for n in range(count):
            out[n] += blocks[a, a, n] / size
    for a in range(size):
        for b in range(size):
            for n in range(count):
                entry = blocks[a, b, n] - (out[n] if a == b else 0.0)
                squares[n] += entry * entry
    for n in range(count):
        out[n] += math.sqrt(squares[n] * (size - 1) / size)


@rare_kernel
def sharpen(blocks, bounds, second_order, scores, scratch, offered=None):
    """Replace the eigenvalue's bound by the eigenvalue in the score of every (offered) arm that could still be the best.

    `scores` (N,) hold second_order times `bounds` (N,); those of arms that cannot win stay upper bounds.
    """
    size, count = blocks.shape[0], blocks.shape[2]
    best, size_of_best = -math.inf, 0.0
    arm = first_argmax(scores) if offered is None else first_offered(scores, offered)
    for visit in range(count + 1):
        if (offered is None or offered[arm]) and scores[arm] >= best - 1e-9 * size_of_best:
            for a in range(size):
                for b in range(size):
                    scratch[0, a, b] = blocks[a, b, arm]
            symmetric_eigen(scratch[0], scratch[1])
            largest = scratch[0, 0, 0]
            for a in range(1, size):
                largest = max(largest, scratch[0, a, a])
            scores[arm] -= second_order * (bounds[arm] - largest)
            bounds[arm] = largest
            if scores[arm] > best:
                best, size_of_best = scores[arm], abs(scores[arm])
        if visit < count:
            arm = visit


@kernel
def learn(learner, arm, outcome):
    """One round: the constrained mirror-descent step of Algorithm 2, then W += grad mu(theta_{t+1} x) (x) x x^T."""
    step(learner, arm, outcome)
    add_curvature(learner, arm, 1.0)


@kernel
def step(learner, arm, outcome):
    """The constrained mirror-descent step of Algorithm 2 alone."""
    p = learner.scratch.p
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    residual(learner.basis, p, outcome, learner.scratch.r)
    descend(learner, arm, 1.0)


@rare_kernel
def learn_many(learner, arm, counts):
    """The step of `learn` on the summed losses of many rounds of one arm, which showed the outcomes `counts` (K,)."""
    p, pulls = learner.scratch.p, total(counts)
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    residual_of_many(learner.basis, p, pulls, counts, learner.scratch.r)
    descend(learner, arm, pulls)
    add_curvature(learner, arm, pulls)


@kernel
def descend(learner, arm, pulls):
    """The step, with the probabilities of the arm and the gradient's factor before x in the scratch."""
    free, dim = learner.phi.shape
    x = learner.arms[arm]
    p, g, factor, proposal = learner.scratch.p, learner.scratch.small[0], learner.scratch.r, learner.scratch.phi
    columns, block = learner.scratch.tall[0], learner.scratch.small[2]
    prepare(learner, arm)

    # Unconstrained step: phi - eta Wtilde^-1 grad with Wtilde = W + ahead pulls G (x) x x^T, by Woodbury.
    curvature(learner.basis, p, g)
    system = learner.scratch.small[1]
    for a in range(free):
        for b in range(free):
            g[a, b] *= pulls
    for a in range(free):
        for b in range(free):
            system[a, b] = 0.0
            for c in range(free):
                system[a, b] += learner.ahead * g[a, c] * block[c, b]
        system[a, a] += 1.0
    solve_general(system, factor)
    for a in range(free):
        for j in range(dim):
            proposal[a, j] = learner.phi[a, j]
            for b in range(free):
                proposal[a, j] -= learner.eta * columns[a * dim + j, b] * factor[b]
    if distance_to_centre(learner, proposal) > learner.radius[0]:
        project(learner, x, g, proposal)
        learner.counters[1] += 1
    for a in range(free):
        for j in range(dim):
            learner.phi[a, j] = proposal[a, j]


@kernel
def prepare(learner, arm):
    """W^-1 (I (x) x) and B(x) of an arm into the scratch, where the step and `add_curvature` look for them."""
    free, dim = learner.phi.shape
    x, columns, block = learner.arms[arm], learner.scratch.tall[0], learner.scratch.small[2]
    for i in range(free * dim):
        for b in range(free):
            columns[i, b] = 0.0
            for j in range(dim):
                columns[i, b] += learner.inverse[i, b * dim + j] * x[j]
    for a in range(free):
        for b in range(free):
            block[a, b] = learner.blocks[a, b, arm]


@kernel
def add_curvature(learner, arm, pulls):
    """W += pulls G (x) x x^T with G at the estimate, as W += U U^T, U = L (x) x, L L^T = pulls G; after `prepare`."""
    free, dim = learner.phi.shape
    x, p, g = learner.arms[arm], learner.scratch.p, learner.scratch.small[0]
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
    learner.counters[0] += pulls
    if pulls > 1.0 or learner.counters[0] % REFRESH == 0.0:
        refresh(learner)
    else:
        correct(learner, learner.scratch.tall[0], learner.scratch.small[2], g)


@kernel
def correct(learner, columns, block, g):
    """Rank-(K-1) correction of W^-1 and of every block after W += G' (x) x x^T."""
    free, dim = learner.phi.shape
    count = len(learner.arms)
    small, y = learner.scratch.small, learner.scratch.tall[1]
    root, core, factor = small[1], small[3], small[4]
    cholesky(g, root)
    for a in range(free):  # I + L^T B L
        for b in range(free):
            core[a, b] = 0.0
            for c in range(free):
                for e in range(free):
                    core[a, b] += root[c, a] * block[c, e] * root[e, b]
        core[a, a] += 1.0
    cholesky(core, factor)
    for i in range(free * dim):  # y = W^-1 U factor^-T, so that W^-1 loses y y^T
        for b in range(free):
            y[i, b] = 0.0
            for c in range(free):
                y[i, b] += columns[i, c] * root[c, b]
            for c in range(b):
                y[i, b] -= factor[b, c] * y[i, c]
            y[i, b] /= factor[b, b]
    for i in range(free * dim):
        for j in range(i + 1):
            loss = 0.0
            for b in range(free):
                loss += y[i, b] * y[j, b]
            learner.inverse[i, j] -= loss
            learner.inverse[j, i] = learner.inverse[i, j]
    features, blocks, image = learner.features, learner.blocks, learner.wide
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


@kernel
def distance_to_centre(learner, phi):
    """||(phi - centre) A^{1/2}||_F."""
    free, dim = phi.shape
    total = 0.0
    for a in range(free):
        for i in range(dim):
            entry = 0.0
            for j in range(dim):
                entry += (phi[a, j] - learner.centre[a, j]) * learner.shape[0, j, i]
            total += entry * entry
    return math.sqrt(total)


@rare_kernel
def project(learner, x, g, proposal):
    """Replace the unconstrained minimiser by the constrained one: min ||phi - proposal||_{Wtilde} over the set.

    Wtilde = W + ahead g (x) x x^T; g = 0 projects in the norm of W.
    In the coordinates psi = (phi - centre) A^{1/2} the set is a ball and the solution is psi = (H + nu I)^-1 H psi_0 with
    the nu > 0 that puts it on the sphere.
    """
    free, dim = proposal.shape
    size = free * dim
    large = learner.scratch.large
    curved, half, whitened, lower = large[0], large[1], large[2], large[3]
    start, target, psi = learner.scratch.vectors[0], learner.scratch.vectors[1], learner.scratch.vectors[2]
    for a in range(free):
        for i in range(dim):
            start[a * dim + i] = 0.0
            for j in range(dim):
                start[a * dim + i] += (proposal[a, j] - learner.centre[a, j]) * learner.shape[0, j, i]
            for b in range(free):
                for j in range(dim):
                    curved[a * dim + i, b * dim + j] = (
                        learner.w[a * dim + i, b * dim + j] + learner.ahead * g[a, b] * x[i] * x[j]
                    )
    for a in range(free):  # H = (I (x) A^{-1/2}) Wtilde (I (x) A^{-1/2})
        for i in range(dim):
            for c in range(size):
                half[a * dim + i, c] = 0.0
                for k in range(dim):
                    half[a * dim + i, c] += learner.shape[1, i, k] * curved[a * dim + k, c]
    for r in range(size):
        for b in range(free):
            for j in range(dim):
                whitened[r, b * dim + j] = 0.0
                for k in range(dim):
                    whitened[r, b * dim + j] += half[r, b * dim + k] * learner.shape[1, k, j]
    for i in range(size):
        target[i] = 0.0
        for j in range(size):
            target[i] += whitened[i, j] * start[j]
    solve_in_ball(whitened[:size], target, learner.radius[0], psi, curved, lower, start)
    for a in range(free):
        for j in range(dim):
            proposal[a, j] = learner.centre[a, j]
            for i in range(dim):
                proposal[a, j] += psi[a * dim + i] * learner.shape[1, i, j]


@kernel
def pull(state, t, arm, counts):
    """`learn_many` of the state's learner."""
    learn_many(state.learner, arm, counts)


@kernel
def information_of_learner(state, arm):
    """`information` of the state's learner."""
    return information(state.learner, arm)


BATCH = Batch(pull, information_of_learner)
"""For states whose rounds only call `learn`."""


@rare_kernel
def information(learner, arm):
    """tr(G B(x)): the sum of the relative growths of W in its eigendirections by one more pull of the arm."""
    free, p, g = learner.phi.shape[0], learner.scratch.p, learner.scratch.small[0]
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    curvature(learner.basis, p, g)
    total = 0.0
    for a in range(free):
        for b in range(free):
            total += g[a, b] * learner.blocks[b, a, arm]
    return total


@kernel
def mix_loss(size, eta, ridge, delta, t):
    """2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)), D = size: the mix-loss part of a squared radius."""
    volume = size * math.log(1.0 + 2.0 * t / (size * ridge))
    return 2.0 * eta * math.log(1.0 / delta) + 3.0 * math.sqrt(6.0) * eta**2 * volume


@kernel
def distance_to_truth(learner, theta):
    """||phi - phi_t||_W for the phi with C phi = theta up to a common shift of the rows, theta (K, d)."""
    free, dim = learner.phi.shape
    difference = learner.scratch.vectors[0]
    for a in range(free):
        for j in range(dim):
            difference[a * dim + j] = -learner.phi[a, j]
            for k in range(len(theta)):
                difference[a * dim + j] += learner.dual[a, k] * theta[k, j]
    return math.sqrt(quadratic_form(learner.w, difference))

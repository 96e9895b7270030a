"""The optimistic reward of every arm in closed form (Eq. optimistic reward) and the arm that maximises it."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.continuum import best_vector
from mnlbandits.learners.eigen import largest_eigenvalue
from mnlbandits.learners.exponential import exp_below
from mnlbandits.learners.learner import look
from mnlbandits.learners.linalg import first_argmax, first_offered


@kernel
def optimistic_arm(learner, sigma, offered=None, search=None):
    """Line 4 of Algorithm 2: argmax of rho^T mu(theta_t x) + eps_1 + eps_2, for confidence radius `sigma`.

    Among all arms, or among those with `offered` (N,); with a `search` on a sphere or ball: its best vector becomes arm 0.

    eps_1 = sigma ||W^{-1/2} (I (x) x) grad mu rho|| = sigma sqrt(r^T B r) with r = C^T grad mu rho, and
    eps_2 = 3 R sigma^2 lambda_max(B).
    """
    if search is not None:
        return best_vector(learner, search, sigma)
    if learner.fresh:
        look(learner)
    outcomes, free = learner.basis.shape
    dim, count = learner.features.shape
    features, blocks, rewards, scores = learner.features, learner.blocks, learner.rewards, learner.scores
    p, mean, total, r = learner.wide.p, learner.wide.mean, learner.wide.total, learner.wide.r
    second_order = 3.0 * learner.reward_norm * sigma * sigma

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
        sharpen(blocks, total, second_order, scores, learner.scratch, offered)
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

    `scores` (N,) hold second_order times `bounds` (N,). An arm of which a Cholesky factor shows that its eigenvalue is too
    small for it to win gets the most that it can have; those of other arms that cannot win stay upper bounds.
    """
    size, count = blocks.shape[0], blocks.shape[2]
    first = first_argmax(scores) if offered is None else first_offered(scores, offered)
    best, size_of_best = -math.inf, 0.0
    for visit in range(-1, count):
        arm = visit if visit >= 0 else first
        enough = best - 1e-9 * size_of_best
        if scores[arm] < enough or visit == first or not (offered is None or offered[arm]):
            continue
        needed = bounds[arm] - (scores[arm] - enough) / second_order if second_order > 0.0 else 0.0
        if eigenvalues_below(blocks, arm, needed, scratch.g):
            scores[arm], bounds[arm] = enough, needed
            continue
        for a in range(size):
            for b in range(size):
                scratch.g[a, b] = blocks[a, b, arm]
        largest = largest_eigenvalue(scratch.g, scratch.root)
        scores[arm] -= second_order * (bounds[arm] - largest)
        bounds[arm] = largest
        if scores[arm] > best:
            best, size_of_best = scores[arm], abs(scores[arm])


@kernel
def eigenvalues_below(blocks, arm, value, lower):
    """Whether all eigenvalues of the block of an arm are certainly below a value: a Cholesky factor of the rest exists.

    `lower` (n, n) is scratch.
    """
    size = blocks.shape[0]
    for j in range(size):
        pivot = value - blocks[j, j, arm]
        for k in range(j):
            pivot -= lower[j, k] * lower[j, k]
        if not pivot > 1e-12 * value:
            return False
        lower[j, j] = math.sqrt(pivot)
        for i in range(j + 1, size):
            entry = -blocks[i, j, arm]
            for k in range(j):
                entry -= lower[i, k] * lower[j, k]
            lower[i, j] = entry / lower[j, j]
    return True

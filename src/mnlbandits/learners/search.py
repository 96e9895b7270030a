"""What a search for the best vector of a sphere or ball keeps, and what it bounds once and for all."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.instances.action_sets import Ball
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.expansion import Model, Point, Scratch, make_points, make_scratch
from mnlbandits.learners.farthest import Complement, make_complement
from mnlbandits.learners.learner import Learner
from mnlbandits.learners.linalg import invert_positive
from mnlbandits.learners.majorant import Bounds
from mnlbandits.model.softmax import Array

BEST, OTHER, TRIAL = range(3)
"""Points of a search: the best so far, another one, and one that an ascent tries."""


QUEUE = 2048
"""Most boxes that wait."""


class Search(NamedTuple):
    """What a search keeps and works with, for K outcomes and d features; arrays are changed in place."""

    ball: bool  # the unit ball, else the sphere
    ridge: float  # lambda: W is at least lambda I
    reward_norm: float  # R of the second-order bonus
    model: Model
    order: Array  # (K,) int64: outcomes by decreasing reward
    certificate: Array  # (2,) the index of the best vector is at most this below the supremum; boxes that it took
    logits: Array  # C phi (K, d), with column means 0
    frame: Array  # (d, d) columns: eigenvectors of phi^T phi
    turned: Array  # (K, d): the same in the coordinates of the frame
    weights: Array  # (d,): how much a unit of a coordinate can change the index
    cover: Array  # S (d, d)
    matrix: Array  # (d, d) working memory
    lower: Array  # (d + 1, d) working memory
    curved: Array  # (D, D) working memory
    factor: Array  # (D, D) working memory
    points: Point  # see BEST ... TRIAL
    scratch: Scratch
    complement: Complement
    vectors: Array  # (4, d) working memory
    shares: Array  # (K,) working memory
    moves: Array  # (K,) working memory
    boxes: Array  # (QUEUE, 2 d + 1): centre and half sides in the frame, and a bound


def search_of(problem: Problem, learner: Learner, ridge: float) -> Search | None:
    """What a system with this learner, W >= ridge I, searches the sphere or ball with; None on other sets."""
    return make_search(learner, isinstance(problem.actions, Ball), ridge) if problem.continuous else None


def make_search(learner: Learner, ball: bool, ridge: float) -> Search:
    """A search in the unit ball or on the sphere; it shares what the learner changes."""
    (free, dim), outcomes, square = learner.phi.shape, len(learner.basis), (learner.phi.shape[1],) * 2
    size, model = free * dim, Model(*(getattr(learner, name) for name in Model._fields))
    return Search(
        ball=ball,
        ridge=float(ridge),
        reward_norm=learner.reward_norm,
        model=model,
        order=np.argsort(-learner.rewards, kind="stable"),
        certificate=np.zeros(2),
        logits=np.zeros((outcomes, dim)),
        frame=np.zeros(square),
        turned=np.zeros((outcomes, dim)),
        weights=np.zeros(dim),
        cover=np.zeros(square),
        matrix=np.zeros(square),
        lower=np.zeros((dim + 1, dim)),
        curved=np.zeros((size, size)),
        factor=np.zeros((size, size)),
        points=make_points(3, outcomes, dim),
        scratch=make_scratch(outcomes, dim),
        complement=make_complement(dim),
        vectors=np.zeros((4, dim)),
        shares=np.zeros(outcomes),
        moves=np.zeros(outcomes),
        boxes=np.zeros((QUEUE, 2 * dim + 1)),
    )


@rare_kernel
def prepare(search, sigma):
    """Logits, frame, cover and weights of the estimate, and what is bounded once."""
    (outcomes, free), dim = search.model.basis.shape, len(search.weights)
    model, logits, frame, turned = search.model, search.logits, search.frame, search.turned
    for k in range(outcomes):
        for j in range(dim):
            logits[k, j] = 0.0
            for a in range(free):
                logits[k, j] += model.basis[k, a] * model.phi[a, j]
    for j in range(dim):
        average = 0.0
        for k in range(outcomes):
            average += logits[k, j] / outcomes
        for k in range(outcomes):
            logits[k, j] -= average
    for i in range(dim):
        for j in range(dim):
            search.matrix[i, j] = 0.0
            for a in range(free):
                search.matrix[i, j] += model.phi[a, i] * model.phi[a, j]
    symmetric_eigen(search.matrix, frame)
    for k in range(outcomes):
        for i in range(dim):
            turned[k, i] = 0.0
            for j in range(dim):
                turned[k, i] += logits[k, j] * frame[j, i]
    steepness = 0.0
    for k in range(outcomes):
        for m in range(k):
            square = 0.0
            for j in range(dim):
                square += (logits[k, j] - logits[m, j]) ** 2
            steepness = max(steepness, math.sqrt(square))
    measure_cover(search)
    for i in range(dim):
        for j in range(dim):
            search.matrix[i, j] = search.cover[i, j]
    symmetric_eigen(search.matrix, search.scratch.root)
    width = 0.0
    for i in range(dim):
        width = max(width, search.matrix[i, i])
    spread = model.rewards[search.order[0]] - model.rewards[search.order[outcomes - 1]]
    second_order = 3.0 * search.reward_norm * sigma * sigma
    root = math.sqrt(width)
    for i in range(dim):
        low, high = math.inf, -math.inf
        for k in range(outcomes):
            low, high = min(low, turned[k, i]), max(high, turned[k, i])
        search.weights[i] = 0.25 * spread * (high - low + sigma * root) + 2.0 * second_order * width
    return Bounds(sigma, second_order, spread, steepness, width)


@rare_kernel
def measure_cover(search):
    """S = (lambda I + tau P)^-1 with W >= I (x) S^-1: P is the mean of the diagonal blocks of W - lambda I, tau <= 1.

    Then lambda_max(B(x)) <= x^T S x, with equality where W is a Kronecker product.
    """
    model, curved, (free, dim) = search.model, search.curved, search.model.phi.shape
    size, matrix, lower, ridge = free * dim, search.matrix, search.factor, search.ridge * (1.0 - 1e-9)
    low, high, tau = 0.0, 1.0, 1.0
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] = 0.0
            for a in range(free):
                matrix[i, j] += model.w[a * dim + i, a * dim + j] / free
        matrix[i, i] -= search.ridge
    for _ in range(14):
        for i in range(size):
            for j in range(size):
                curved[i, j] = model.w[i, j]
        for a in range(free):
            for i in range(dim):
                for j in range(dim):
                    curved[a * dim + i, a * dim + j] -= tau * matrix[i, j]
                curved[a * dim + i, a * dim + i] -= ridge
        if is_positive(curved, lower):
            low = tau
            if tau == 1.0:
                break
        else:
            high = tau
        tau = 0.5 * (low + high)
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] *= low
        matrix[i, i] += ridge
    invert_positive(matrix, search.cover, search.lower)


@kernel
def is_positive(a, lower):
    """Whether a symmetric `a` (n, n) is positive definite; `lower` (n, n) is scratch."""
    for j in range(len(a)):
        for i in range(j, len(a)):
            entry = a[i, j]
            for k in range(j):
                entry -= lower[i, k] * lower[j, k]
            if i == j:
                if entry <= 0.0:
                    return False
                lower[j, j] = math.sqrt(entry)
            else:
                lower[i, j] = entry / lower[j, j]
    return True

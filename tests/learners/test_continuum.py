"""The best vector of a sphere or ball: the closed forms and the certified search, against grids."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnlbandits.compiled import interpreted
from mnlbandits.learners.certificate import TOLERANCE, coarse_rise, rise_around
from mnlbandits.learners.continuum import best_vector
from mnlbandits.learners.design import put_widest_in_play
from mnlbandits.learners.expansion import NORM, expand, point_of
from mnlbandits.learners.farthest import farthest, make_complement
from mnlbandits.learners.learner import Learner, make_learner, refresh
from mnlbandits.learners.search import BEST, make_search, prepare
from mnlbandits.model.softmax import contrast_basis, reference_basis, softmax, softmax_jacobian
from mnlbandits.seeds import generator

GRID = 20_000


def sphere(dim: int) -> np.ndarray:
    """A grid of the sphere of R^dim, dim <= 3."""
    if dim == 1:
        return np.array([[1.0], [-1.0]])
    if dim == 2:
        angles = 2 * math.pi * np.arange(GRID) / GRID
        return np.column_stack([np.cos(angles), np.sin(angles)])
    heights = 1 - (2 * np.arange(GRID) + 1) / GRID
    angles = math.pi * (1 + math.sqrt(5)) * np.arange(GRID)
    radii = np.sqrt(1 - heights**2)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles), heights])


def ball(dim: int) -> np.ndarray:
    """A grid of the ball."""
    return np.vstack([length * sphere(dim)[:: 1 if length == 1 else 7] for length in np.linspace(0, 1, 21)])


# Closed forms.


def linear_index(x: np.ndarray, b: np.ndarray, matrix: np.ndarray, width: float, binary: bool) -> np.ndarray:
    """f(x^T b) + width ||x||_M of every row of x."""
    logits = x @ b
    values = 1 / (1 + np.exp(-logits)) if binary else logits
    return values + width * np.sqrt(np.maximum(0, np.einsum("ni,ij,nj->n", x, matrix, x)))


CASES = {
    "random": lambda draw, d: (draw.standard_normal(d), draw.standard_normal((d, d))),
    "no estimate": lambda draw, d: (np.zeros(d), draw.standard_normal((d, d))),
    "round": lambda draw, d: (draw.standard_normal(d), np.eye(d)),
    "along an eigenvector": lambda draw, d: (0.3 * np.eye(d)[0], np.diag(1.0 + np.arange(d))),
    "rank one": lambda draw, d: (draw.standard_normal(d), np.outer(np.eye(d)[0], draw.standard_normal(d))),
    "long": lambda draw, d: (30 * draw.standard_normal(d), draw.standard_normal((d, d))),
}
"""b and a root of M; the second-to-last but one is the hard case of the trust-region problem."""


@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 3),
    case=st.sampled_from(list(CASES)),
    width=st.sampled_from([0.0, 1e-6, 0.1, 1.0, 50.0]),
    binary=st.booleans(),
)
def test_the_farthest_vector(seed, dim, case, width, binary):
    """No point of a grid of the ball is better, the point is on the sphere, and the bound is its index up to rounding."""
    b, root = CASES[case](generator("test", seed, "farthest"), dim)
    matrix, x = root @ root.T, np.zeros(dim)
    bound = farthest(b, matrix, width, binary, x, make_complement(dim))
    index, largest = linear_index(np.vstack([x, ball(dim)]), b, matrix, width, binary), 1 + np.abs(b).sum() + width
    assert np.linalg.norm(x) == pytest.approx(1, abs=1e-14)
    assert index[1:].max() <= bound + 1e-14 * largest
    assert index[0] <= bound + 1e-14 * largest
    assert index[0] >= bound - 1e-10 * largest


def test_the_farthest_vector_by_hand():
    """M = diag(1, 4), b = (1, 0), width 1: x_1 + sqrt(4 - 3 x_1^2) is largest at x_1 = 1/sqrt(3), where it is 4/sqrt(3)."""
    x = np.zeros(2)
    bound = farthest(np.array([1.0, 0.0]), np.diag([1.0, 4.0]), 1.0, False, x, make_complement(2))
    assert bound == pytest.approx(4 / math.sqrt(3), rel=1e-14)
    assert abs(x) == pytest.approx([1 / math.sqrt(3), math.sqrt(2 / 3)], rel=1e-7)


def test_the_widest_axis():
    arms, search = np.zeros((1, 3)), make_complement(3)
    search.certificate[0] = 1.0
    for design, axis in (([2.0, 1.0, 3.0], 1), ([1.0, 1.0, 1.0], 0), ([2.0, 1.5, 1.0], 2)):
        put_widest_in_play(arms, np.diag(design), search)
        assert arms.tolist() == np.eye(3)[[axis]].tolist()
    assert search.certificate[0] == 0


# The search.


def random_learner(outcomes: int, dim: int, seed: int, basis: str, size: float, weight: float) -> Learner:
    """A learner somewhere in a run: ||phi|| = size, W = I + weight times curvatures of random arms."""
    draw, free = generator("test", seed, "continuum"), outcomes - 1
    columns = contrast_basis(outcomes) if basis == "contrast" else reference_basis(outcomes, 0)
    learner = make_learner(columns, np.eye(1, dim), draw.uniform(size=outcomes), 1.0, 1.0, 1.0, fresh=True)
    phi = draw.standard_normal((free, dim))
    learner.phi[:] = size * phi / np.linalg.norm(phi)
    for x in draw.standard_normal((2 * dim, dim)):
        x /= np.linalg.norm(x)
        curvature = columns.T @ softmax_jacobian(columns @ learner.phi @ x) @ columns
        learner.w[:] += weight * np.kron(curvature, np.outer(x, x))
    refresh(learner)
    return learner


def optimistic_rewards(learner: Learner, sigma: float, x: np.ndarray) -> np.ndarray:
    """rho^T mu + sigma ||W^{-1/2} (I (x) x) r|| + 3 R sigma^2 lambda_max(B(x)) of every row of x."""
    p = softmax(x @ (learner.basis @ learner.phi).T)
    means, free, dim = p @ learner.rewards, *learner.phi.shape
    r = (p * (learner.rewards - means[:, None])) @ learner.basis
    inverse = np.linalg.inv(learner.w).reshape(free, dim, free, dim)
    blocks = np.einsum("ni,aibj,nj->nab", x, inverse, x)
    widths = np.sqrt(np.maximum(0, np.einsum("na,nab,nb->n", r, blocks, r)))
    second_order = 3 * np.linalg.norm(learner.rewards) * sigma**2 * np.linalg.eigvalsh(blocks)[:, -1]
    return means + sigma * widths + second_order


SEARCHES = [
    (outcomes, dim, "contrast" if outcomes % 2 else "reference", size, weight, sigma)
    for outcomes, dim in ((2, 2), (3, 1), (3, 2), (3, 3), (5, 2), (4, 3))
    for size, weight, sigma in ((0.0, 1.0, 1.0), (1.0, 10.0, 0.3), (4.0, 1e4, 3.0), (4.0, 1e3, 0.0), (20.0, 1e2, 1e-3))
]
"""From the start of a run, where the bonus decides, to its end, and with no bonus at all."""


@pytest.mark.xdist_group("continuum")
@pytest.mark.parametrize("whole", ["sphere", "ball"])
@pytest.mark.parametrize(("outcomes", "dim", "basis", "size", "weight", "sigma"), SEARCHES)
def test_no_point_of_a_grid_is_better_than_the_certificate_allows(outcomes, dim, basis, size, weight, sigma, whole):
    learner = random_learner(outcomes, dim, outcomes + dim, basis, size, weight)
    search = make_search(learner, whole == "ball", 1.0)
    assert best_vector(learner, search, sigma) == 0
    x, score, certificate = learner.arms, learner.scores[0], search.certificate[0]
    assert optimistic_rewards(learner, sigma, x)[0] == pytest.approx(score, rel=1e-11)
    assert np.linalg.norm(x) <= 1 + 1e-14
    assert whole == "ball" or np.linalg.norm(x) >= 1 - 1e-14
    index = optimistic_rewards(learner, sigma, ball(dim) if whole == "ball" else sphere(dim))
    assert index.max() <= score + certificate + 1e-11 * score
    assert index.max() <= score + 1e-11 * score  # it is the best, not only within the certificate
    bonus = score - softmax(learner.basis @ learner.phi @ x[0]) @ learner.rewards
    certified = 0 <= certificate <= TOLERANCE * (bonus if sigma else 1e-6) + 1e-13
    assert certified or dim == 3 or size == 20.0  # where boxes run out the certificate says what is left


# What the certificate rests on.


def points_within(x: np.ndarray, reach: float, whole: str, draw: np.random.Generator) -> np.ndarray:
    """Points of the set at most `reach` from x (d,), some of them as far as that."""
    steps = draw.standard_normal((2000, len(x)))
    steps *= reach * draw.uniform(size=(2000, 1)) ** 0.1 / np.linalg.norm(steps, axis=1, keepdims=True)
    points, lengths = x + steps, np.linalg.norm(x + steps, axis=1, keepdims=True)
    points /= lengths if whole == "sphere" else np.maximum(1, lengths)
    return points[np.linalg.norm(points - x, axis=1) <= reach]


@pytest.mark.xdist_group("continuum")
@pytest.mark.parametrize("whole", ["sphere", "ball"])
@pytest.mark.parametrize(("outcomes", "dim", "basis", "size", "weight", "sigma"), SEARCHES)
def test_the_index_rises_no_more_than_its_bounds(outcomes, dim, basis, size, weight, sigma, whole):
    """The quadratic bound around a point, and the coarse one of a box, hold at random points; the first is not idle."""
    learner, draw = random_learner(outcomes, dim, outcomes + dim, basis, size, weight), generator("test", dim, "bounds")
    search = make_search(learner, whole == "ball", 1.0)
    bounds, best = prepare(search, sigma), interpreted(point_of)(search.points, BEST)
    for radius in (1.0, 1.0, 0.4) if whole == "ball" else (1.0, 1.0):
        x = draw.standard_normal(dim)
        x *= radius / np.linalg.norm(x)
        expand(search.model, x, best, search.scratch)
        here = optimistic_rewards(learner, sigma, x[None])[0]
        for reach in (1e-4, 1e-2, 0.1, 0.5):
            points = points_within(x, reach, whole, draw)
            risen = optimistic_rewards(learner, sigma, points).max() - here if len(points) else 0.0
            s = max(best.values[NORM], 0.5 * math.sqrt(np.trace(best.square)) * reach)
            bound = rise_around(search, best, bounds, reach, s, 0.0)
            assert risen <= bound + 1e-12 * abs(here)
            assert reach > 1e-4 or size > 4 or bound <= 2 * max(risen, 0.0) + 1e-6 * abs(here)
            centre, half = search.frame.T @ x, np.full(dim, reach / math.sqrt(dim))
            inside = np.abs(points @ search.frame - centre).max(axis=1, initial=0.0) <= half[0]
            boxed = optimistic_rewards(learner, sigma, points[inside]).max(initial=-math.inf) - here
            assert boxed <= coarse_rise(search, bounds, centre, half) + 1e-12 * abs(here)

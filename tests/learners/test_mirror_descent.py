"""The mirror-descent step, the projections, the optimistic rewards and the rank updates, each against its definition."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from trajectories import assert_scores

from mnlbandits.learners import mirror_descent, optimistic_index
from mnlbandits.learners.learner import LEARNT, REFRESH, Learner, distance_to_truth, make_learner, refresh
from mnlbandits.model.softmax import contrast_basis, reference_basis, softmax, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.textbook import solvers
from mnlbandits.textbook.solvers import first_argmax

STATES = 60
DIRECT = 1e-10
"""Against another direct solver: matrices of condition 1e3 at most, so 1e-13, and a root found to 1e-15."""
SLSQP = 1e-6
"""SLSQP stops when the objective no longer changes in its last digits, so the point is good to about the root of that."""
DRIFT = 1e-12
"""511 rank updates of 1e-16 each between two refreshes, for inverses of condition below 10."""


def random_learner(seed: int, shape: str = "ellipsoid") -> Learner:
    """A learner in a random state: estimate inside its set, W of condition 1e2; about two in three steps leave the set."""
    draw = generator("test", seed, "learner")
    outcomes, dim, count = draw.integers(2, 6), draw.integers(1, 4), draw.integers(2, 9)
    size = (outcomes - 1) * dim
    basis = contrast_basis(outcomes) if shape == "ellipsoid" else reference_basis(outcomes, draw.integers(outcomes))
    arms = draw.standard_normal((count, dim))
    arms /= np.maximum(1, np.linalg.norm(arms, axis=1, keepdims=True))
    learner = make_learner(basis, arms, draw.uniform(0, 1, outcomes), 1.0, draw.uniform(0.5, 4), 1.0)
    learner.w[:] = random_matrix(draw, size, 1e2) * 3
    learner.radius[0] = 10 ** draw.uniform(-3, 0.5)
    direction = draw.standard_normal(learner.phi.shape)
    if shape == "ellipsoid":
        learner.centre[:] = draw.standard_normal(learner.centre.shape)
        values, vectors = np.linalg.eigh(random_matrix(draw, dim, 10.0))
        learner.shape[0] = (vectors * np.sqrt(values)) @ vectors.T
        learner.shape[1] = (vectors / np.sqrt(values)) @ vectors.T
    inside = draw.uniform(0.5, 1) * learner.radius[0] / np.linalg.norm(direction)
    learner.phi[:] = learner.centre + inside * direction @ learner.shape[1]
    refresh(learner)
    return learner


def random_matrix(draw: np.random.Generator, size: int, condition: float) -> np.ndarray:
    """A positive definite matrix (size, size)."""
    q = np.linalg.qr(draw.standard_normal((size, size)))[0]
    return (q * np.geomspace(1, condition, size)) @ q.T


def definition(learner: Learner, arm: int, outcome: int):
    """gradient, Wtilde, V of the step's problem, from the current state."""
    x, basis = learner.arms[arm], learner.basis
    z = basis @ learner.phi @ x
    gradient = np.kron(basis.T @ (softmax(z) - np.eye(len(z))[outcome]), x)
    w_tilde = learner.w + learner.eta * np.kron(basis.T @ softmax_jacobian(z) @ basis, np.outer(x, x))
    return gradient, w_tilde, np.kron(np.eye(len(learner.phi)), learner.shape[0] @ learner.shape[0])


def by_slsqp(phi, gradient, w_tilde, eta, centre, v, radius):
    """The step's minimiser, in coordinates in which the set is the unit ball."""
    root = np.linalg.cholesky(v)
    to_phi = radius * np.linalg.inv(root).T
    hessian, slope = to_phi.T @ w_tilde @ to_phi / eta, to_phi.T @ (gradient + w_tilde @ (centre - phi) / eta)
    size = np.linalg.norm(hessian, 2)
    u = np.zeros(len(phi))
    for _ in range(3):  # a restart forgets SLSQP's approximation of the Hessian
        u = minimize(
            lambda u: (u @ hessian @ u / 2 + slope @ u) / size,
            u,
            jac=lambda u: (hessian @ u + slope) / size,
            constraints={"type": "ineq", "fun": lambda u: 1 - u @ u, "jac": lambda u: -2 * u},
            method="SLSQP",
            options={"ftol": 1e-16, "maxiter": 1000},
        ).x
    return centre + to_phi @ u


@pytest.mark.parametrize("shape", ["ellipsoid", "ball"])
def test_step(shape):
    active_steps = 0
    for seed in range(STATES):
        learner = random_learner(seed, shape)
        arm, outcome = seed % len(learner.arms), seed % len(learner.basis)
        problem = definition(learner, arm, outcome)
        w, phi, centre, radius = learner.w.copy(), learner.phi.ravel().copy(), learner.centre.ravel(), learner.radius[0]
        mirror_descent.learn(learner, arm, outcome)

        gradient, w_tilde, v = problem
        expected, active = solvers.mirror_descent(phi, gradient, w_tilde, learner.eta, centre, v, radius)
        size = np.linalg.norm(expected)
        np.testing.assert_allclose(learner.phi.ravel(), expected, rtol=0, atol=DIRECT * size)
        assert learner.counters.tolist() == [1, int(active)]
        active_steps += active

        slsqp = by_slsqp(phi, gradient, w_tilde, learner.eta, centre, v, radius)
        np.testing.assert_allclose(learner.phi.ravel(), slsqp, rtol=0, atol=SLSQP * max(radius, size))

        x, z = learner.arms[arm], learner.basis @ learner.phi @ learner.arms[arm]
        added = np.kron(learner.basis.T @ softmax_jacobian(z) @ learner.basis, np.outer(x, x))
        np.testing.assert_allclose(learner.w, w + added, rtol=0, atol=1e-14 * np.abs(w).max())  # one addition
        assert_inverse_and_blocks(learner, 1e2 * DRIFT)  # condition 1e2
    assert STATES / 3 < active_steps < STATES * 3 / 4


def assert_inverse_and_blocks(learner: Learner, tolerance: float) -> None:
    """W^-1 and B(x) = (I (x) x^T) W^-1 (I (x) x) of every arm."""
    inverse = np.linalg.inv(learner.w)
    assert np.abs(learner.inverse - inverse).max() <= tolerance * np.abs(inverse).max()
    for n, x in enumerate(learner.arms):
        lifted = np.kron(np.eye(len(learner.phi)), x[:, None])
        block = lifted.T @ inverse @ lifted
        assert np.abs(learner.blocks[:, :, n] - block).max() <= tolerance * np.abs(inverse).max()


@pytest.mark.parametrize("shape", ["ellipsoid", "ball"])
@pytest.mark.parametrize("rounds", [20, REFRESH - 1, 2000])
def test_drift(shape, rounds):
    """After many rank updates; 2,000 rounds end 464 after the last refresh."""
    learner = random_learner(7, shape)
    learner.w[:] = np.eye(len(learner.w))
    refresh(learner)
    draw = generator("test", 0, "drift")
    for arm, outcome in zip(
        draw.integers(len(learner.arms), size=rounds), draw.integers(len(learner.basis), size=rounds), strict=True
    ):
        mirror_descent.learn(learner, arm, outcome)
    assert learner.counters[LEARNT] == rounds
    assert np.linalg.eigvalsh(learner.w)[0] >= 1 - 1e-12  # 2,000 additions of positive semi-definite matrices
    assert_inverse_and_blocks(learner, np.linalg.cond(learner.w) * DRIFT)


def test_inverse_and_blocks_are_refreshed():
    """A wrong inverse lasts until the round count is a multiple of REFRESH, and is then right to the last bit."""
    learner = random_learner(1)
    fresh = random_learner(1)
    learner.counters[LEARNT] = REFRESH - 2
    learner.inverse[:] += np.eye(len(learner.inverse))
    mirror_descent.learn(learner, 0, 0)
    assert learner.inverse[0, 0] > 0.9
    mirror_descent.learn(learner, 0, 0)
    fresh.w[:] = learner.w
    refresh(fresh)
    assert (learner.inverse == fresh.inverse).all()
    assert (learner.blocks == fresh.blocks).all()


@pytest.mark.parametrize("seed", range(30))
def test_optimistic_rewards(seed):
    """rho^T mu + sigma ||W^{-1/2} (I (x) x) C^T grad mu rho|| + 3 R sigma^2 ||(I (x) x^T) W^{-1/2}||^2."""
    learner = random_learner(seed, "ellipsoid" if seed % 2 else "ball")
    sigma, inverse, rho = 10 ** (seed % 4 - 2.0), np.linalg.inv(learner.w), learner.rewards
    expected = []
    for x in learner.arms:
        z, lifted = learner.basis @ learner.phi @ x, np.kron(np.eye(len(learner.phi)), x[:, None])
        r = lifted @ learner.basis.T @ softmax_jacobian(z) @ rho
        largest = np.linalg.eigvalsh(lifted.T @ inverse @ lifted)[-1]
        first, second = sigma * math.sqrt(r @ inverse @ r), 3 * np.linalg.norm(rho) * sigma**2 * largest
        expected.append(rho @ softmax(z) + first + second)
    best = optimistic_index.optimistic_arm(learner, sigma)
    assert best == first_argmax(np.array(expected))
    assert_scores(learner.scores, np.array(expected), len(rho), DIRECT)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("shape", ["ellipsoid", "ball"])
def test_distance_to_truth(seed, shape):
    """||phi - phi_t||_W for theta = C phi + a shift of all rows, which changes no probability."""
    learner, draw = random_learner(seed, shape), generator("test", seed, "truth")
    phi = draw.standard_normal(learner.phi.shape)
    theta = learner.basis @ phi + draw.standard_normal(learner.arms.shape[1])
    difference = (phi - learner.phi).ravel()
    assert distance_to_truth(learner, theta) == pytest.approx(math.sqrt(difference @ learner.w @ difference), rel=DIRECT)


def test_rewards_enter_up_to_a_shift_of_the_bonus():
    """A constant added to rho adds itself to every mean and leaves eps_1 alone: G 1 = 0."""
    learner = random_learner(2)
    optimistic_index.optimistic_arm(learner, 0.0)
    means = learner.scores.copy()
    learner.rewards[:] += 0.25
    optimistic_index.optimistic_arm(learner, 0.0)
    np.testing.assert_allclose(learner.scores, means + 0.25, rtol=1e-14)  # one sum of at most five terms

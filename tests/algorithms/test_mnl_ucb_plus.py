"""MNL-UCB+ and the second-order stand-in: at K = 2 they are binary methods, written out here."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from trajectories import Run, uniforms, unit_instance

from mnlbandits.instances import Instance


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def ball_mle(x: np.ndarray, y: np.ndarray, bound: float) -> np.ndarray:
    """argmin of the logistic loss over ||b|| <= bound, by SLSQP."""
    signed = x * (2 * y - 1)[:, None]
    return minimize(
        lambda b: np.logaddexp(0, -signed @ b).sum() + 1e-9 * b @ b,
        np.zeros(x.shape[1]),
        jac=lambda b: -signed.T @ sigmoid(-signed @ b) + 2e-9 * b,
        constraints={"type": "ineq", "fun": lambda b: bound**2 - b @ b, "jac": lambda b: -2 * b},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    ).x


@pytest.mark.parametrize("name", ["mnl-ucb-plus", "mle-second-order"])
def test_binary_formulas(name):
    """b = theta_1 - theta_0, S_b = sqrt(2) S, kappa_b = 1 / s'(S_b), rho = (0, 1), H = sum s' x x^T + I/(4 S_b^2)."""
    drawn = unit_instance(2, 2, 0, norm=1.0, arms=6)
    theta = drawn.theta
    instance = Instance("binary", theta, drawn.arms, np.array([0.0, 1.0]), 1.0)
    run = Run.begin(instance, name, "valid", {})
    bound, dim, arms = math.sqrt(2), 2, instance.arms
    ridge, kappa = 1 / (4 * bound**2), 1 / (sigmoid(bound) * sigmoid(-bound))
    x, y = np.zeros((0, dim)), np.zeros(0)
    for t, uniform in enumerate(uniforms(instance, 0, 25), start=1):
        b = ball_mle(x, y, bound) if len(x) else np.zeros(dim)
        slack = math.log(20) + dim * math.log(max(math.e, 2 * math.e * bound * (t - 1) / dim))
        sigma = math.sqrt((2 + 2 * math.sqrt(6) * bound) * slack + 4 * ridge * bound**2)
        p = sigmoid(arms @ b)
        if name == "mnl-ucb-plus":
            V = kappa * ridge * np.eye(dim) + x.T @ x
            index = p + math.sqrt(kappa) / 2 * sigma * np.sqrt(np.sum(arms @ np.linalg.inv(V) * arms, axis=1))
        else:
            slopes = sigmoid(x @ b) * sigmoid(-x @ b)
            H = ridge * np.eye(dim) + (x * slopes[:, None]).T @ x
            width = np.sum(arms @ np.linalg.inv(H) * arms, axis=1)
            index = p + sigma * p * (1 - p) * np.sqrt(width) + 3 * sigma**2 * width
        arm, outcome = run.round(uniform)
        scores = run.state.scores if name == "mnl-ucb-plus" else run.state.learner.scores
        assert scores == pytest.approx(index, rel=1e-5)
        assert index[arm] >= index.max() * (1 - 1e-5)
        x, y = np.vstack([x, arms[arm]]), np.append(y, outcome)


@pytest.mark.parametrize("name", ["mnl-ucb-plus", "mle-second-order"])
def test_the_estimate_stays_in_the_ball(name):
    """Separable data: the norm is S_b, neither infinite nor S_b^2."""
    instance = Instance("separable", np.array([[0.0, 0.0], [0.0, 0.0]]), np.eye(2), np.array([0.0, 1.0]), 0.5)
    run = Run.begin(instance, name, "valid", {})
    for _ in range(30):
        run.round(0.999)
    estimate = run.state.estimate if name == "mnl-ucb-plus" else run.state.learner.phi
    assert np.linalg.norm(estimate) == pytest.approx(math.sqrt(2) * 0.5)
    assert (estimate >= 0).all()

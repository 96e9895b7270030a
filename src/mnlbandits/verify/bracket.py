"""Bracket of the most optimistic mean reward over a log-loss set for three outcomes and any rewards.

max rho^T mu(theta x) over the convex set {||theta||_F <= S, L(theta) <= min L + square} is not a convex program, but the
objective depends on theta x alone, which in coordinates Q w = theta x ranges over a convex set of the plane. Its support
function in m directions is m convex programs; the points where they touch span an inner polygon, their half-planes an outer
one. The mean reward has no stationary point inside the plane, so its maximum over a polygon is on an edge, and along a line
it has at most two stationary points, which are found exactly.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.learners.data import loss, make_data
from mnlbandits.learners.mle import largest_linear, minimise
from mnlbandits.model.softmax import Array, contrast_basis, softmax


class Bracket(NamedTuple):
    """lower <= maximum <= upper, up to the 1e-9 of the convex programs."""

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """How far the bounds are apart."""
        return self.upper - self.lower


def reward_bracket(problem: Problem, counts: Array, arm: int, square: float, directions: int = 64) -> Bracket:
    """Bounds on max{rho^T mu(theta x) : ||theta||_F <= S, L(theta) <= min L + square} for the arm x and K = 3.

    Parameters
    ----------
    counts : (N, 3), how often each arm showed each outcome. square : beta^2 > 0. directions : m >= 3.

    Raises
    ------
    InputError : the problem does not have three outcomes.
    """
    if problem.outcomes != 3:
        raise InputError("problem.outcomes", problem.outcomes, "3")
    basis, x, dim = contrast_basis(3), problem.arms[arm], problem.dim
    data = make_data(problem, basis, "suffstat")
    data.counts[:] = np.asarray(counts, dtype=float).T
    estimate = np.zeros((2, dim))
    minimise(data, 0.0, np.zeros(2 * dim), problem.frobenius_bound, estimate)
    if not x.any():
        reward = float(softmax(np.zeros(3)) @ problem.rewards)
        return Bracket(reward, reward)
    smallest, phi, tau = loss(data, estimate), estimate.copy(), np.ones(1)
    angles = 2 * np.pi * np.arange(directions) / directions
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    heights, inner = np.zeros(directions), np.zeros((directions, 2))
    for m, normal in enumerate(normals):
        heights[m] = largest_linear(
            data, 0.0, np.kron(normal, x), smallest, float(square), problem.frobenius_bound, phi, tau
        )
        inner[m] = phi @ x
    outer = np.array(
        [np.linalg.solve(normals[[m - 1, m]], heights[[m - 1, m]]) for m in range(directions)]
    )  # where neighbouring half-planes end
    return Bracket(largest_on_polygon(inner, basis, problem.rewards), largest_on_polygon(outer, basis, problem.rewards))


def largest_on_polygon(corners: Array, basis: Array, rewards: Array) -> float:
    """max of rho^T mu(Q w) over the edges between successive corners (m, 2), closed."""
    return max(largest_on_segment(basis @ corners[m - 1], basis @ corners[m], rewards) for m in range(len(corners)))


def largest_on_segment(start: Array, stop: Array, rewards: Array) -> float:
    """max of rho^T mu over the segment between two logit vectors (3,) that sum to zero.

    The derivative along z(s) = start + s eta is, up to a positive factor, sum over l of c_l exp(-z_l), c_l = (rho_j - rho_k)
    (eta_j - eta_k) for the other two: after multiplication by exp(z_0) it is monotone between at most one turning point.
    """
    eta = stop - start
    c = np.array([(rewards[j] - rewards[k]) * (eta[j] - eta[k]) for j, k in ((1, 2), (0, 2), (0, 1))])

    def value(s: float) -> float:
        return float(softmax(start + s * eta) @ rewards)

    def slope(s: float) -> float:
        z = start + s * eta
        return float(c @ np.exp(z.min() - z))

    knots = [0.0, 1.0]
    speeds = c[1:] * (eta[0] - eta[1:])
    if speeds[0] * speeds[1] < 0 and eta[1] != eta[2]:
        turn = (math.log(-speeds[1] / speeds[0]) - (start[2] - start[1])) / (eta[2] - eta[1])
        if 0 < turn < 1:
            knots.insert(1, turn)
    best = max(map(value, knots))
    for low, high in pairwise(knots):
        if slope(low) > 0 > slope(high):
            best = max(best, value(brentq(slope, low, high, xtol=1e-14)))
    return best

"""Bounds on the norm of theta_* in both conventions, for every system, and sets that theta_* is outside of."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from trajectories import ALWAYS_0, Run, in_one_group

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance, Problem
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS

ROUNDING = 1 + 1e-12
"""Of norms of a few numbers of order one."""

BOUNDLESS = ("oracle", "pair-sampler", "sign-sampler", "uniform")
"""Yardsticks, which hold no parameter."""

CUT = (
    *("glm-ucb", "logistic-ucb-1", "logistic-ucb-2", "ofuglb", "ofulog-plus", "ofulog-r"),
    *("improved-mnl-ucb-plus", "mnl-ucb", "mnl-ucb-plus"),
)
"""Systems whose confidence set is cut by the ball ||theta|| <= S in their coordinates; the others have ellipsoids."""

TRIANGLE = np.array([[1.0, 0.0], [-0.5, math.sqrt(0.75)], [-0.5, -math.sqrt(0.75)]])
"""Unit rows that sum to 0: ||beta||^2 = ||theta||_F^2 + K ||theta_c||^2 is 2 K for every c."""

SPIKE = np.array([[2.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]) / math.sqrt(6)
"""Of Frobenius norm 1, with ||theta_c||^2 = 1 - 1/K for the first row: ||beta||^2 is K."""


def worst_theta(outcomes: int, convention: str) -> np.ndarray:
    """theta (K, 2) of norm 1 that attains every bound of `Problem`, if the reference is the first outcome."""
    if outcomes == 2:
        return np.array([[1.0, 0.0], [-1.0, 0.0]]) / (1.0 if convention == "rows" else math.sqrt(2))
    return TRIANGLE if convention == "rows" else SPIKE


def instance_with(theta: np.ndarray, convention: str) -> Instance:
    """Four arms, a one-hot reward, and S the norm of theta."""
    arms = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.9, -0.3]])
    rewards = np.eye(len(theta))[-1]
    return Instance("worst", theta, arms, rewards, constants.norm(theta, convention), convention=convention)


def instance_for(name: str, size: float, convention: str) -> Instance:
    """For a system: `worst_theta` times `size`."""
    outcomes = 3 if REGISTRY[name].setting.holds(np.array([0.0, 0.0, 1.0])) else 2
    return instance_with(size * worst_theta(outcomes, convention), convention)


def begun(instance: Instance, name: str, preset: str, horizon: float = 3000) -> Run:
    """A run of a system; multipliers are 0.3."""
    factors = dict.fromkeys(REGISTRY[name].multipliers, 0.3) if preset == "calibrated" else {}
    return Run.begin(instance, name, preset, factors, horizon)


@given(
    st.integers(2, 6).flatmap(lambda outcomes: arrays(float, (outcomes, 2), elements=st.floats(-5, 5))),
    st.sampled_from(CONVENTIONS),
)
def test_the_bounds_of_a_problem_hold(theta, convention):
    theta = theta - theta.mean(axis=0)
    size = constants.norm(theta, convention)
    assume(size > 1e-3)
    problem = Problem(np.eye(2), np.arange(float(len(theta))), size, 1.0, 10, 0.05, convention=convention)
    assert np.linalg.norm(theta) <= problem.frobenius_bound * ROUNDING
    for c in range(len(theta)):
        assert np.linalg.norm(theta - theta[c]) <= problem.reference_bound * ROUNDING
    if len(theta) == 2:
        assert np.linalg.norm(theta[0] - theta[1]) <= problem.binary_bound * ROUNDING


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("outcomes", [2, 3])
def test_the_bounds_of_a_problem_are_attained(outcomes, convention):
    theta = 3 * worst_theta(outcomes, convention)
    problem = instance_with(theta, convention).problem(10, 0.05)
    assert np.linalg.norm(theta) == pytest.approx(problem.frobenius_bound, rel=1e-12)
    assert np.linalg.norm(theta - theta[0]) == pytest.approx(problem.reference_bound, rel=1e-12)
    if outcomes == 2:
        assert np.linalg.norm(theta[0] - theta[1]) == pytest.approx(problem.binary_bound, rel=1e-12)


def leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(path of names, value) of everything in a state."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        for field in value._fields:
            yield from leaves(getattr(value, field), (*path, field))
    else:
        yield path, value


def norm_bounds(state: Any) -> dict[str, float]:
    """The bounds on the norm of a parameter in a state, with the balls that learners keep to."""
    found = {}
    for path, value in leaves(state, ("state",)):
        if path[-1] in ("norm_bound", "bound") or path[-2:] == ("learner", "radius"):
            found[".".join(path)] = float(np.ravel(value)[0])
    return found


def parameter_norm(state: Any, theta: np.ndarray) -> float:
    """||phi|| for the phi with C phi = theta up to a common shift, C the basis of the state; without one, ||b||."""
    bases = [value for path, value in leaves(state, ("state",)) if path[-1] == "basis"]
    if not bases:
        return float(np.linalg.norm(theta[0] - theta[1]))
    centred = bases[0] - bases[0].mean(axis=0)
    return float(np.linalg.norm(np.linalg.pinv(centred) @ (theta - theta.mean(axis=0))))


SYSTEMS = [(name, preset) for name, record in REGISTRY.items() if name not in BOUNDLESS for preset in record.presets]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize(("name", "preset"), in_one_group(*SYSTEMS))
def test_every_system_has_theta_in_its_ball(name, preset, convention):
    instance = instance_for(name, 2.0, convention)
    state = begun(instance, name, preset).state
    bounds = norm_bounds(state)
    assert bounds
    for where, bound in bounds.items():
        assert bound * ROUNDING >= parameter_norm(state, instance.theta), where


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in CUT])
def test_a_set_that_is_cut_by_a_ball_says_so(name):
    """After one round no loss tells theta_* from 2 theta_*, or from points beyond the ball; on its boundary it is inside."""
    instance = instance_for(name, 1.0, "frobenius")
    run = begun(instance, name, "valid")
    run.round(0.5)
    ratio, state = run.algorithm.ratio, run.state
    length = parameter_norm(state, instance.theta) / min(norm_bounds(state).values())
    assert 0 <= ratio(state, 1, instance.theta) < 1
    for factor in (2.0, 50.0):
        assert ratio(state, 1, factor * instance.theta) >= factor * length / ROUNDING
        assert factor * length > 1


def test_the_ellipsoids_of_adaptive_real_count_both():
    """Before a round of learning only its set Theta; then the larger of the two distances."""
    run = begun(instance_for("adaptive-real", 1.0, "frobenius"), "adaptive-real", "valid")
    run.round(0.5)
    far = [run.algorithm.ratio(run.state, 1, factor * run.instance.theta) for factor in (1.0, 10.0, 1000.0)]
    assert far[0] < 1 < far[2]
    assert far[0] < far[1] < far[2]


ROWS = Instance(
    "r",
    np.array([[2.0, 0], [-2, 0]]),
    np.array([[1.0, 0], [0.6, 0.8], [0, 1], [0.9, -0.3]]),
    np.array([1.0, 0]),
    2.0,
    convention="rows",
)
"""||b_*|| = ||theta_1 - theta_2|| = 4 = 2 S."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(name))
        for name in ("glb-omd", "eofd-mlogb", "adaptive-real", "logistic-ucb-1", "ada-ofu-ecolog")
    ],
)
def test_rows_after_one_round(name):
    """Before, S counted as a Frobenius norm: bound 2.83, and ratios 1.39, 1.41, 1.40, 1.03 and 1.003."""
    run = begun(ROWS, name, "valid")
    run.round(ALWAYS_0)
    assert run.ratio <= 1
    assert min(norm_bounds(run.state).values()) >= parameter_norm(run.state, ROWS.theta) / ROUNDING


def test_the_bound_of_glb_omd_in_rows():
    assert norm_bounds(begun(ROWS, "glb-omd", "valid").state) == dict.fromkeys(
        ("state.learner.radius", "state.radius.norm_bound"), 4.0
    )

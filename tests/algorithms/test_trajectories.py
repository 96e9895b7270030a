"""Every round of the compiled algorithms against the textbook versions."""

import math

import numpy as np
import pytest
from trajectories import SideBySide, multiplier_for, uniforms, unit_instance

from mnlbandits.algorithms.real_constants import constants
from mnlbandits.instances import Instance
from mnlbandits.seeds import generator
from mnlbandits.simulators.counts import draw_outcomes, explore

SIZES = [(outcomes, dim) for outcomes in (2, 3, 4, 5) for dim in (2, 3)]
SEEDS = (0, 1)

TOLERANCE = 1e-10
"""Both sides add up rounding errors of 1e-16 a round, so they stay near 1e-14 over a few hundred rounds; a wrong formula is
off by far more. LAPACK's rounding differs between machines, hence not tighter."""

everywhere = pytest.mark.parametrize(("outcomes", "dim", "seed"), [(*size, seed) for size in SIZES for seed in SEEDS])


@everywhere
def test_real_through_both_phases(outcomes, dim, seed):
    instance = unit_instance(outcomes, dim, seed)
    options = {
        "exploration_multiplier": multiplier_for(instance.problem(1e4, 0.05), 60),
        "radius_multiplier": 0.2,
    }
    pair = SideBySide.begin(instance, "real", "calibrated", options, TOLERANCE)
    pair.play(uniforms(instance, seed, 250))
    assert 150 < pair.book.rounds < 240
    assert len(set(pair.run.arms[-pair.book.rounds :])) > 1
    assert np.abs(pair.book.theta.sum(axis=0)).max() < 1e-14  # the textbook's theta stays in Pi R^{K x d}, up to rounding


@everywhere
def test_real_on_the_boundary_of_theta(outcomes, dim, seed):
    """Theta around the estimate of another parameter, long in some directions and short in others."""
    instance, other = unit_instance(outcomes, dim, seed), unit_instance(outcomes, dim, seed + 100)
    options = {"exploration_multiplier": 3e-5, "radius_multiplier": 0.1}
    pair = SideBySide.begin(instance, "real", "calibrated", options, TOLERANCE)
    plan = pair.run.algorithm.exploration.plan(pair.run.state)
    pulls = np.array([20_000, 2_000, 200, *[0] * (len(instance.arms) - 3)])
    design = plan.ridge * np.eye(dim) + (instance.arms.T * (pulls / plan.kappa)) @ instance.arms
    pair.skip_exploration(pulls.sum(), design, generator("test", seed, "counts").multinomial(pulls, other.probabilities))
    pair.play(uniforms(instance, seed, 120))
    assert 10 < pair.book.projections <= 120


@everywhere
@pytest.mark.parametrize("preset", ["paper", "valid"])
def test_real_after_its_printed_exploration(outcomes, dim, seed, preset):
    instance = unit_instance(outcomes, dim, seed)
    pair = SideBySide.begin(instance, "real", preset, {}, TOLERANCE)
    plan = pair.run.algorithm.exploration.plan(pair.run.state)
    design = explore(instance.arms, plan, [plan.tau], resolution=1000)
    counts = draw_outcomes(instance, design.pulls[0], generator("test", seed, "counts"))
    pair.skip_exploration(int(design.t[0]), design.matrix, counts)
    pair.play(uniforms(instance, seed, 40))


@everywhere
def test_real_explores_with_the_constants_of_the_paper(outcomes, dim, seed):
    instance = unit_instance(outcomes, dim, seed)
    pair = SideBySide.begin(instance, "real", "paper", {}, TOLERANCE)
    pair.play(uniforms(instance, seed, 40))
    assert not pair.learning


@pytest.mark.parametrize("seed", SEEDS)
def test_real_with_other_constants(seed):
    """Every factor of `custom` counts, as in the textbook; without any it is the paper's."""
    instance = unit_instance(3, 2, seed)
    printed, custom = (constants(instance.problem(1e4, 0.05), preset) for preset in ("paper", "custom"))
    assert printed == custom
    options = {"tau_factor": 5.5 * 336 / math.sqrt(printed.tau), "theta_factor": 0.02, "lambda_factor": 3.0, "eta": 0.7}
    pair = SideBySide.begin(instance, "real", "custom", options, TOLERANCE)
    pair.play(uniforms(instance, seed, 120))
    assert pair.learning
    assert pair.book.projections > 0
    assert (pair.run.state.learner.eta, pair.book.eta) == (0.7, 0.7)


@pytest.mark.parametrize("seed", SEEDS)
def test_real_learns_from_round_tau_plus_1(seed):
    instance = unit_instance(3, 2, seed)
    pair = SideBySide.begin(instance, "real", "paper", {}, TOLERANCE)
    pair.book.tau = 30
    pair.run.state = pair.run.state._replace(tau=30)
    pair.play(uniforms(instance, seed, 29))
    assert not pair.learning
    pair.play(uniforms(instance, seed, 1))
    assert pair.learning
    pair.play(uniforms(instance, seed, 30))
    assert pair.book.rounds == 30


@everywhere
@pytest.mark.parametrize(
    ("preset", "options"),
    [("paper", {}), ("valid", {}), ("calibrated", {"radius_multiplier": 0.3})],
    ids=["paper", "valid", "calibrated"],
)
def test_oful_mlogb(outcomes, dim, seed, preset, options):
    instance = unit_instance(outcomes, dim, seed)
    pair = SideBySide.begin(instance, "oful-mlogb", preset, options, TOLERANCE)
    pair.play(uniforms(instance, seed, 80))
    assert len(set(pair.run.arms)) > 1


@pytest.mark.parametrize("outcomes", [2, 3, 4])
def test_oful_mlogb_on_the_boundary_of_the_ball(outcomes):
    """A tiny ball, arms in one orthant and the first outcome in every round."""
    unit = unit_instance(outcomes, 2, norm=0.02)
    instance = Instance("orthant", unit.theta, np.abs(unit.arms), unit.rewards, unit.norm_bound)
    pair = SideBySide.begin(instance, "oful-mlogb", "valid", {}, TOLERANCE)
    pair.play(np.zeros(60))
    assert 10 < pair.book.projections < 60

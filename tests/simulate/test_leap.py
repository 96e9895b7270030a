"""The leap simulator: its batches against single rounds, its error, its limits; and the trigger of Algorithm 3."""

import math
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.algorithms.adaptive_real import EXPLORED
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.learners.learner import LEARNT
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact, leap, simulate
from mnlbandits.simulators.counts import draw_outcomes
from mnlbandits.simulators.trigger import trigger

BATCHED = [
    (name, preset)
    for name, algorithm in REGISTRY.items()
    if algorithm.batch
    for preset in algorithm.presets
    if preset != "calibrated"
]
"""Every algorithm that plays batches, with its constants; REAL learns from round 1 on, see `begin`."""

SMALLEST = 1e-12
"""A step with which every batch is one round."""


def grouped(pairs):
    return [pytest.param(*pair, marks=pytest.mark.xdist_group(f"leap {pair[0]}")) for pair in pairs]


def circle(outcomes=3, grid="graded", arms=81, **parameters):
    return make_instance("leap", "large-kappa-star", {"outcomes": outcomes, "arms": arms, "grid": grid, **parameters})


def instance_for(name, **parameters):
    return circle(2 if REGISTRY[name].setting.name == "binary" else 3, **parameters)


def begin(name, preset, instance, horizon=1e6):
    """A fresh state; REAL without its exploration, as if it had ended with the counts that are expected."""
    algorithm = get_algorithm(name)
    problem = leap.problem_of(instance, instance.problem(horizon, 0.05))
    state = algorithm.begin(instance, problem, preset, {})
    if algorithm.exploration:
        pulls = np.full(len(instance.arms), 10**7)
        plan = algorithm.exploration.plan(state)
        design = plan.ridge * np.eye(instance.dim) + instance.arms.T @ (pulls[:, None] * instance.arms) / plan.kappa
        algorithm.exploration.finish(state, design, np.rint(pulls[:, None] * instance.probabilities).astype(np.int64))
    return state


def regret_of(name, preset, step, stops, instance=None, drawn=False, horizon=1e6, run=0):
    """Regret at `stops` in batches."""
    instance = instance or instance_for(name)
    state, pulls = begin(name, preset, instance, horizon), np.zeros(len(instance.arms))
    stream = generator("test leap", 0, name, run)
    return leap.follow(get_algorithm(name), state, instance, 0.0, np.asarray(stops, float), pulls, step, stream, drawn)


def scores_of(state):
    """The index of every arm at the last choice."""
    return next(part.scores for part in (state, *state) if hasattr(part, "scores")).copy()


@pytest.mark.parametrize(("name", "preset"), grouped(BATCHED))
def test_a_batch_of_one_round_is_that_round(name, preset):
    algorithm, instance = get_algorithm(name), instance_for(name, grid="even", arms=8)
    one, many = begin(name, preset, instance), begin(name, preset, instance)
    stream = generator("test", 0, name)
    for t in range(1, 41):
        arm = algorithm.choose(one, t)
        algorithm.choose(many, float(t))
        assert scores_of(many) == pytest.approx(scores_of(one), rel=1e-9)
        outcome = int(stream.choice(instance.outcomes, p=instance.probabilities[arm]))
        algorithm.update(one, t, arm, outcome)
        algorithm.batch.pull(many, float(t), arm, np.eye(instance.outcomes)[outcome])


LEARNING = [pair for pair in BATCHED if pair[0] not in ("adaptive-real", "ofu-ecolog")]
"""Those that do not explore first."""


@pytest.mark.parametrize(("name", "preset"), grouped(LEARNING))
def test_information_is_the_growth_that_a_pull_brings(name, preset):
    """After 1/g pulls of an arm with information g, what a pull adds is about g/2, and g/(1 + 1/K) at most."""
    algorithm, instance = get_algorithm(name), instance_for(name, grid="even", arms=8)
    state = begin(name, preset, instance)
    for t in range(1, 200):
        arm = algorithm.choose(state, float(t))
        algorithm.batch.pull(state, float(t), arm, instance.probabilities[arm].copy())
    gain = algorithm.batch.information(state, arm)
    assert 0 < gain < 1
    many = math.floor(1 / gain)
    algorithm.batch.pull(state, 200.0 + many, arm, many * instance.probabilities[arm])
    algorithm.choose(state, 201.0 + many)
    after = algorithm.batch.information(state, arm)
    assert gain / (1.6 * instance.outcomes) < after < gain / 1.2


LOOPED = [("real", "paper"), ("real", "valid"), ("oful-mlogb", "paper"), ("oful-mlogb", "valid"), ("glm-ucb", "paper")]
"""Those whose loops are compiled here; `benchmarks/leap_accuracy.py` has them all, beside the exact simulator."""


@pytest.mark.parametrize(("name", "preset"), grouped(LOOPED))
def test_batches_give_the_regret_of_single_rounds(name, preset):
    stops = [1e3, 3e3, 1e4]
    single = regret_of(name, preset, SMALLEST, stops)
    step, half = (regret_of(name, preset, value, stops) for value in (0.01, 0.005))
    assert half == pytest.approx(single, rel=0.01)
    assert step == pytest.approx(single, rel=0.01)


def test_drawn_batches_follow_the_exact_simulator():
    """Mean regrets of 40 runs each differ by less than 4.5 standard errors: a false alarm has probability 1e-5."""
    instance = circle(grid="even", arms=16)
    exactly = simulate(instance, "oful-mlogb", 20_000, range(40), preset="valid").regret[:, -1]
    leaps = simulate(instance, "oful-mlogb", 20_000, range(40), preset="valid", simulator="leap", noise="drawn")
    error = math.hypot(exactly.std(ddof=1), leaps.regret[:, -1].std(ddof=1)) / math.sqrt(40)
    assert abs(exactly.mean() - leaps.regret[:, -1].mean()) < 4.5 * error + leaps.error[:, -1].mean()


def test_the_error_is_of_first_order():
    stops = np.geomspace(1e8, 1e14, 25)
    steps = np.array([0.32, 0.16, 0.08, 0.04])
    reference = regret_of("oful-mlogb", "paper", 0.0025, stops, circle(arms=401), horizon=1e15)
    errors = [
        np.abs(regret_of("oful-mlogb", "paper", step, stops, circle(arms=401), horizon=1e15) / reference - 1).mean()
        for step in steps
    ]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("name", ["real", "oful-mlogb", "glm-ucb"])
def test_no_limit_of_numbers_is_met_at_1e24(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = simulate(instance_for(name, arms=161), name, 1e24, [0], simulator="leap", step=0.1)
    assert runs.t[-1] == 1e24
    assert np.isfinite(runs.regret).all()
    assert (np.diff(runs.regret[0]) >= -runs.error[0, 1:]).all()
    late = runs.t.astype(float) > 1e21
    if name in ("real", "oful-mlogb"):
        spent = runs.regret[0, runs.t <= runs.tau][-1] if name == "real" else 0.0
        slope = np.polyfit(np.log(runs.t[late].astype(float)), np.log(runs.regret[0, late] - spent), 1)[0]
        assert slope == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("name", ["real", "oful-mlogb"])
def test_the_sphere_is_the_limit_of_graded_circles(name):
    graded = simulate(circle(arms=801), name, 1e15, [0], simulator="leap")
    sphere = simulate(circle(arms=97, grid="sphere"), name, 1e15, [0], simulator="leap")
    learnt = [
        run.regret[0, -1] - (run.regret[0, run.t <= run.tau][-1] if name == "real" else 0.0) for run in (graded, sphere)
    ]
    assert learnt[0] == pytest.approx(learnt[1], rel=0.005)


@pytest.mark.parametrize("dim", [2, 3])
def test_real_on_the_sphere_has_its_closed_form(dim):
    """sigma R sqrt(T/kappa_*) (d - 1)/sqrt(2 (d + 1)), see `verify.exponents`; second-order terms are below 10 %."""
    horizon, instance = 1e22, circle(dim=dim, arms=48 * (dim - 1) + 1, grid="sphere")
    run = simulate(instance, "real", horizon, [0], simulator="leap", step=0.1)
    size, s = 3 * dim, instance.norm_bound
    sigma = 2 * s * math.sqrt(144 * size) + math.sqrt(4 / 6 * size * math.log(horizon / 0.05))
    expected = sigma * math.sqrt(horizon / instance.constants["kappa_star"]) * (dim - 1) / math.sqrt(2 * (dim + 1))
    learnt = run.regret[0, -1] - run.regret[0, run.t <= run.tau][-1]
    assert learnt == pytest.approx(expected, rel=0.1)


def test_the_refined_arm_is_the_best_of_the_sphere():
    instance = circle(dim=4, arms=145, grid="sphere")
    state = begin("oful-mlogb", "paper", instance, 1e12)
    regret_before = leap.follow(
        get_algorithm("oful-mlogb"), state, instance, 0.0, np.array([1e9]), np.zeros(145), 0.1, generator("t", 0, "t"), False
    )
    assert regret_before[0] > 0
    choose = get_algorithm("oful-mlogb").choose
    arm, centre, probe = choose(state, 1e9 + 1), np.zeros(4), state._replace(learner=leap.probe_of(state.learner))
    leap.refine(state, probe, 1e9 + 1, np.eye(4), arm, centre)
    choose(probe, 1e9 + 1)
    best = probe.learner.scores[0]
    cloud = make_instance("cloud", "large-kappa-star", {"dim": 4, "arms": 20_000})
    other = begin("oful-mlogb", "paper", cloud, 1e12)
    learner = other.learner._replace(phi=state.learner.phi, w=state.learner.w, inverse=state.learner.inverse)
    leap.measure_blocks(learner)
    choose(other._replace(learner=learner), 1e9 + 1)
    assert best >= learner.scores.max() - 1e-9


def test_expected_and_drawn_outcomes():
    counts, stream = np.zeros(3), generator("test", 0, "counts")
    shares = np.array([0.5, 0.3, 0.2])
    leap.draw_counts(stream, 10.0, shares, False, counts)
    assert counts == pytest.approx([5, 3, 2])
    for pulls in (1.0, 50.0, 1e12, 1e24):
        leap.draw_counts(stream, pulls, shares, True, counts)
        assert counts.sum() == pytest.approx(pulls, rel=1e-15)
        assert (np.abs(counts - pulls * shares) < 6 * np.sqrt(pulls * shares * (1 - shares))).all()


@pytest.mark.parametrize("pulls", [7, 60, 90, 120, 150, 10**6 + 1])
@pytest.mark.parametrize("outcomes", [2, 3, 4, 5, 6])
def test_draws_of_equally_likely_outcomes_do_not_hang_on_rounding(outcomes, pulls):
    """Their chances, 1/K, ..., 1/2, are where binomial generators jump; by leaps, and in an exploration at once."""

    def drawn(error):
        shares = (1 + error * np.cos(np.arange(outcomes))) / outcomes
        arms, counts = SimpleNamespace(probabilities=np.tile(shares, (100, 1))), np.zeros((100, outcomes))
        stream = generator("test", 0, "equally likely")
        for row in counts:
            leap.draw_counts(stream, float(pulls), shares, True, row)
        return np.stack([counts, draw_outcomes(arms, np.full(100, pulls), stream)])

    exact = drawn(0.0)
    for error in (-1e-14, 1e-14):
        np.testing.assert_array_equal(drawn(error), exact)


ALLOWED = {"simulator": "leap", "horizon": 1e6, "runs": [0], "preset": "paper"}


@pytest.mark.parametrize(
    ("algorithm", "changed", "field"),
    [
        ("logistic-ucb-2", {}, "simulator"),
        ("oful-mlogb", {"runs": [0, 1]}, "runs"),
        ("oful-mlogb", {"step": 0}, "step"),
        ("oful-mlogb", {"step": 1.5}, "step"),
        ("oful-mlogb", {"noise": "loud"}, "noise"),
        ("oful-mlogb", {"horizon": 1e31}, "horizon"),
    ],
)
def test_what_is_not_allowed(algorithm, changed, field):
    with pytest.raises(InputError) as caught:
        simulate(circle(2), algorithm, **(ALLOWED | changed))
    assert caught.value.field == field


def test_the_sphere_is_for_leaps_of_online_learners():
    with pytest.raises(InputError, match="simulator"):
        simulate(circle(grid="sphere"), "real", 100, [0], simulator="counts")
    with pytest.raises(InputError, match="simulator"):
        simulate(replace(circle(), actions="ball"), "real", 100, [0], simulator="leap")
    for name in ("mnl-ucb", "rs-mnl"):
        with pytest.raises(InputError, match="instance"):
            simulate(circle(grid="sphere"), name, 100, [0], simulator="leap")


@pytest.mark.parametrize("horizon", [3_000, 40_000, 200_000])
def test_the_trigger_is_that_of_the_algorithm(horizon):
    instance = make_instance("trigger", "random", {"norm": 0.1, "arms": 6, "seed": 4})
    found = trigger(instance, horizon, 0.05)
    algorithm = get_algorithm("adaptive-real")
    state, tally = algorithm.begin(instance, instance.problem(horizon, 0.05), "paper", {}), exact.new_tally(6)
    stream, t = generator("outcomes", 0, "trigger"), 0
    for stop, learnt in (
        (min(found.first - 1, horizon), 0),
        (min(found.first, horizon), found.first <= horizon),
        (horizon, None),
    ):
        exact.advance(algorithm, state, instance, stream, t, stop, tally)
        t = stop
        if learnt is not None:
            assert state.learner.counters[LEARNT] == learnt
    assert state.counters[EXPLORED] == found.rounds
    assert found.rounds <= found.bound


def test_a_coarser_trigger_is_close():
    instance = make_instance("trigger", "random", {"norm": 0.1, "arms": 6, "seed": 4})
    fine, coarse = trigger(instance, 1e9, 0.05), trigger(instance, 1e9, 0.05, resolution=1000)
    assert coarse.first == pytest.approx(fine.first, rel=2e-3)
    assert coarse.rounds == pytest.approx(fine.rounds, rel=2e-3)


@pytest.mark.parametrize("horizon", [1e18, 1e24])
def test_the_trigger_ends_where_rounds_are_no_longer_apart(horizon):
    instance = make_instance("trigger", "random", {"norm": 0.1, "arms": 6, "seed": 4})
    found = trigger(instance, horizon, 0.05, resolution=1000)
    assert trigger(instance, 1e9, 0.05, resolution=1000).rounds < found.rounds <= found.bound


def test_the_rounds_of_a_batch_by_hand():
    """The share of 1/information, or of the rounds so far where there is less information, even none; at least 1."""
    assert leap.rounds_of(0.02, 0.1, 100.0, 1e9) == 5
    assert leap.rounds_of(1e-9, 0.1, 100.0, 1e9) == 10
    assert leap.rounds_of(0.0, 0.1, 100.0, 1e9) == 10
    assert leap.rounds_of(3.0, 0.1, 100.0, 1e9) == 1
    assert leap.rounds_of(0.0, 0.1, 100.0, 7.0) == 7

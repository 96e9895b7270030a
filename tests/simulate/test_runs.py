"""Running: the numbers of a run depend on nothing but its key; checkpoints; memory; what is refused."""

import math
import tracemalloc
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnlbandits.algorithms import BY_STATE, REGISTRY, Algorithm, get_algorithm
from mnlbandits.algorithms.base import Option
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance
from mnlbandits.seeds import generator
from mnlbandits.simulators import Runs, counts, exact, simulate
from mnlbandits.simulators.runs import checkpoints, compile_loops

SHORT = {"exploration_multiplier": 0.003, "radius_multiplier": 0.1}
"""REAL explores for 640 of 3000 rounds with these multipliers, so a run of it has both phases."""


@pytest.fixture(scope="module")
def instance():
    """Nine arms of norm one, on which the runs of REAL differ."""
    return make_instance("nine arms", "lower-bound", {"epsilon": 0.37, "arms": 9})


# Checkpoints.


def test_checkpoints_by_hand():
    assert checkpoints(1, 1).tolist() == [1]
    assert checkpoints(1, 2).tolist() == [1, 2]
    assert checkpoints(1, 10).tolist() == [1, 2, 3, 4, 5, 6, 8, 10]  # 10^(i/10) rounded, i = 0 .. 10, without repetitions
    assert checkpoints(5, 5).tolist() == [5]
    assert len(checkpoints(1, 10**6)) == 8 + 5 * 10
    assert checkpoints(1, 10**18).dtype == np.int64


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(1, 10**6), st.integers(0, 10**18 - 10**6))
@example(1, 10**18 - 1)
@example(1, 10**18 - 2)
@example(999_999, 10**17)
def test_checkpoints(first, more):
    grid = checkpoints(first, first + more)
    assert (grid[0], grid[-1]) == (first, first + more)
    assert (np.diff(grid) > 0).all()
    # At most a factor 10^(1/10) between neighbours, and half a round of rounding at both ends.
    assert (grid[1:] - 0.5 <= (grid[:-1] + 0.5) * 10**0.1 * (1 + 1e-12)).all()


# The unit of the arms.


@pytest.mark.parametrize(("simulator", "arguments"), [("exact", {}), ("counts", {"learning_rounds": 200})])
def test_arms_and_theta_in_another_unit_play_the_same(instance, simulator, arguments):
    """A quarter of the arms and four times theta_* and S, exact in floating-point numbers."""
    scaled = replace(instance, arms=instance.arms / 4, theta=instance.theta * 4, norm_bound=instance.norm_bound * 4)
    ours, theirs = (
        simulate(each, "real", 1000, range(2), preset="calibrated", options=SHORT, simulator=simulator, **arguments)
        for each in (instance, scaled)
    )
    np.testing.assert_array_equal(ours.regret, theirs.regret)
    np.testing.assert_array_equal(ours.worst, theirs.worst)


# A run is the same whatever the others are.


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [
        ("uniform", {"preset": "none", "horizon": 50_000}),
        ("real", {"preset": "calibrated", "options": SHORT, "horizon": 3000}),
        ("real", {"preset": "calibrated", "options": SHORT, "horizon": 3000, "simulator": "counts", "learning_rounds": 200}),
    ],
)
def test_runs_do_not_depend_on_the_batch(instance, algorithm, arguments):
    def rows(batch):
        result = simulate(instance, algorithm, runs=batch, seed=3, **arguments)
        assert result.index.tolist() == list(batch)
        columns = zip(result.index, result.regret, result.worst, result.theta, strict=True)
        return {int(run): (a.tobytes(), b.tobytes(), c.tobytes()) for run, a, b, c in columns}

    whole = rows(range(10))
    assert rows(range(9, -1, -1)) == whole
    assert {k: v for batch in (range(5), range(5, 10)) for k, v in rows(batch).items()} == whole
    assert {k: v for run in range(10) for k, v in rows([run]).items()} == whole
    if algorithm == "real":
        assert len({value[0] for value in whole.values()}) > 1  # and they are not all the same


def test_runs_depend_on_the_seed(instance):
    arguments = {"preset": "calibrated", "options": SHORT, "horizon": 3000, "runs": [0]}
    first, second = (simulate(instance, "real", seed=seed, **arguments).regret for seed in (0, 1))
    assert first.tobytes() != second.tobytes()


# Common random numbers, with algorithms that write down what they see.


class Recorder(NamedTuple):
    """Everything that happened to an algorithm that plays the arms `plan` in turn."""

    plan: tuple[int, ...]
    seen: list[tuple[int, int, int]]


class SecondRecorder(NamedTuple):
    plan: tuple[int, ...]
    seen: list[tuple[int, int, int]]


def recorder(name, state, plan, states):
    """An interpreted algorithm that plays `plan` in turn; its states are appended to `states`."""

    def start(problem, preset):
        states.append(state(plan, []))
        return states[-1]

    return Algorithm(
        name=name,
        title=name,
        source="test",
        state=state,
        presets=("none",),
        start=start,
        choose=lambda state, t: state.plan[(t - 1) % len(state.plan)],
        update=lambda state, t, arm, outcome: state.seen.append((t, arm, outcome)),
    )


def test_common_random_numbers(instance, register, monkeypatch):
    """In round t every algorithm's outcome is the inverse CDF at the same uniform, the t-th of the run's own stream."""
    monkeypatch.setattr(exact, "BLOCK", 64)  # so that many blocks are drawn
    horizon, states = 500, []
    register(recorder("one", Recorder, (0, 3, 5), states))
    register(recorder("two", SecondRecorder, (6,), states))
    for run in (0, 4):
        states.clear()
        one = simulate(instance, "one", horizon, [run], seed=9, preset="none")
        two = simulate(instance, "two", horizon, [run], seed=9, preset="none")
        uniforms = generator("outcomes", 9, instance.name, run).random(horizon)
        cumulative = np.cumsum(instance.probabilities, axis=1)
        for state, result in zip(states, (one, two), strict=True):
            assert [t for t, _, _ in state.seen] == list(range(1, horizon + 1))
            for (_, arm, outcome), uniform in zip(state.seen, uniforms, strict=True):
                assert outcome == np.searchsorted(cumulative[arm, :-1], uniform, side="right")
            arms = np.array([arm for _, arm, _ in state.seen])
            regret = np.cumsum(instance.gaps[arms])[result.t - 1]
            np.testing.assert_allclose(result.regret[0], regret, rtol=1e-13)  # sums of 500 terms in another order


def test_outcome_of_a_uniform_on_an_edge(register):
    """Outcome k for uniforms in [P_{k-1}, P_k): the lower edge belongs to it."""
    half = Instance("half", [[0.0], [0.0]], [[1.0]], [1.0, 0.0], 1.0)
    assert half.probabilities[0, 0] == 0.5
    states = []
    algorithm = register(recorder("edges", Recorder, (0,), states))

    class Fixed:
        def random(self, count):
            return np.array([0.0, np.nextafter(0.5, 0), 0.5, np.nextafter(1.0, 0)])[:count]

    state = algorithm.begin(half, half.problem(4, 0.1), "none", {})
    exact.advance(algorithm, state, half, Fixed(), 0, 4, exact.new_tally(1))
    assert [outcome for _, _, outcome in state.seen] == [0, 0, 1, 1]


# Yardsticks, horizons, memory.


@pytest.mark.parametrize("arms", [1, 2, 8, 9, 31])
def test_uniform_play_takes_every_arm_once_in_a_cycle(arms):
    drawn = make_instance("x", "random", {"arms": arms})
    algorithm = get_algorithm("uniform")
    state = algorithm.begin(drawn, drawn.problem(10**4, 0.05), "none", {})
    tally, t = exact.new_tally(arms), 0
    for stop in (1, arms, 3 * arms, 3 * arms + 1, 100 * arms):
        exact.advance(algorithm, state, drawn, generator("test", 0, "x"), t, stop, tally)
        t = stop
        assert tally.pulls.sum() == t
        assert np.ptp(tally.pulls) == (t % arms > 0)


def test_uniform_and_oracle(instance):
    uniform = simulate(instance, "uniform", 900, [0, 1], preset="none")
    np.testing.assert_allclose(uniform.regret[:, -1], 100 * instance.gaps.sum(), rtol=1e-14)  # a sum of nine terms
    assert uniform.regret[0].tobytes() == uniform.regret[1].tobytes()
    oracle = simulate(instance, "oracle", 1000, [0, 1], preset="none")
    assert not oracle.regret.any()
    assert (oracle.worst == -1).all()
    assert np.isnan(oracle.theta).all()


def test_horizon_one(instance):
    for name, preset in (("uniform", "none"), ("oracle", "none"), ("real", "paper"), ("real", "calibrated")):
        result = simulate(instance, name, 1, [0, 1], preset=preset, options=SHORT if preset == "calibrated" else {})
        assert result.t.tolist() == [1]
        assert result.regret.shape == (2, 1)
        assert np.isin(result.regret, instance.gaps).all()


@pytest.mark.parametrize("horizon", [1, 2, 17, 1000])
def test_regret_is_cumulative(instance, horizon):
    result = simulate(instance, "real", horizon, range(3), preset="calibrated", options=SHORT)
    assert result.t[0] == 1
    assert result.t[-1] == horizon
    assert (np.diff(result.regret, axis=1) >= 0).all()
    assert (result.regret <= instance.gaps.max() * result.t * (1 + 1e-12)).all()
    assert (np.diff(result.worst, axis=1) >= 0).all()


def test_memory_does_not_grow_with_the_horizon(instance):
    """Uniforms are drawn in blocks of 256 KiB; all 10^6 at once would be 8 MB, those up to a checkpoint still 1.6 MB."""
    peaks = []
    for horizon in (10**5, 10**6):
        simulate(instance, "uniform", horizon, [0], preset="none")  # compile and fill caches outside the measurement
        tracemalloc.start()
        simulate(instance, "uniform", horizon, [0], preset="none")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # A block and the one before it, which is freed when the next is there; and the results of 58 checkpoints.
    assert max(peaks) <= 2 * exact.BLOCK * 8 + 64 * 1024
    assert exact.BLOCK * 8 <= 2**20


def test_the_progress_wrapper_sees_every_run(instance):
    seen = []

    def progress(runs):
        for run in runs:
            seen.append(run)
            yield run

    simulate(instance, "uniform", 10, [4, 2], preset="none", progress=progress)
    assert seen == [4, 2]


def test_tables():
    runs = Runs(
        index=np.array([3, 5]),
        t=np.array([1, 10]),
        regret=np.array([[0.0, 1.0], [2.0, 3.0]]),
        worst=np.array([[-1.0, 0.5], [-1.0, 0.7]]),
        theta=np.array([0.1, math.nan]),
        explored=np.array([[1.0, 7.0], [1.0, 10.0]]),
        optimal=np.array([[0.5, 5.0], [0.5, 5.0]]),
        tau=7.0,
        diameter=0.4,
        excess=1e-3,
    )
    table = runs.regret_table()
    expected = {"run": [3, 3, 5, 5], "t": [1, 10, 1, 10], "regret": [0.0, 1.0, 2.0, 3.0]}
    expected |= {"explored": [1.0, 7.0, 1.0, 10.0], "optimal": [0.5, 5.0, 0.5, 5.0]}
    assert table.to_dict("list") == expected
    with_error = replace(runs, error=runs.regret / 10)
    assert with_error.regret_table()["error"].tolist() == [0.0, 0.1, 0.2, 0.3]
    summary = runs.summary()
    assert summary["run"].tolist() == [3, 5]
    assert summary["worst_ratio"].tolist() == [0.5, 0.7]
    assert replace(runs, worst=np.full((2, 2), -1.0)).summary()["worst_ratio"].isna().all()
    assert summary[["tau", "diameter", "excess"]].drop_duplicates().to_numpy().tolist() == [[7.0, 0.4, 1e-3]]
    assert summary["theta_ratio"].tolist()[0] == 0.1
    assert list(summary) == ["run", "theta_ratio", "worst_ratio", "tau", "diameter", "excess"]
    assert runs.left.tolist() == [True, False]
    assert math.isnan(runs.length)


# Whether an exploration was left.


def test_real_says_whether_it_left_its_exploration(instance):
    """With every simulator; what `summary` says stays as it was: no tau with `exact`."""
    plan = get_algorithm("real").begin(instance, instance.problem(3000, 0.05), "paper", {})
    for simulator, runs in (("exact", [0, 1]), ("counts", [0, 1]), ("leap", [0])):
        result = simulate(instance, "real", 3000, runs, simulator=simulator)
        assert result.explored[:, -1].tolist() == [3000.0] * len(runs)
        assert not result.left.any()
        assert result.length == plan.tau
        assert len(np.unique(result.regret, axis=0)) == 1
        assert math.isnan(result.summary()["tau"].iloc[0]) == (simulator == "exact")
    common = {"preset": "calibrated", "options": SHORT, "horizon": 3000}
    for arguments in ({"runs": [0, 1]}, {"runs": [0], "simulator": "leap"}):
        result = simulate(instance, "real", **common, **arguments)
        assert set(result.explored[:, -1].tolist()) == {640.0}
        assert result.left.all()
        assert result.length == 640
    result = simulate(instance, "real", **common, runs=[0, 1], simulator="counts", learning_rounds=1)
    assert (result.left.tolist(), result.length) == ([True, True], 640)
    result = simulate(instance, "real", **common, runs=[0, 1], simulator="counts")
    assert (result.left.tolist(), result.length) == ([False, False], 640)


@pytest.mark.parametrize("simulator", ["exact", "counts"])
def test_the_length_of_an_exploration_that_its_diameter_will_end(instance, simulator):
    common = {"preset": "calibrated", "options": SHORT | {"exploration_multiplier": 0.02}, "runs": [0]}
    short = simulate(instance, "real", 3000, **common, simulator=simulator)
    assert not short.left.any()
    whole = counts.explore(
        instance.arms,
        get_algorithm("real").exploration.plan(
            get_algorithm("real").begin(instance, instance.problem(3000, 0.05), "calibrated", common["options"])
        ),
        np.array([10**9]),
    )
    assert 3000 < whole.t[-1] < 10**9
    assert short.length == pytest.approx(whole.t[-1], rel=1e-3)  # steps of 1e-4 of t, and the design that they lead to


@pytest.mark.parametrize("simulator", ["exact", "leap"])
@pytest.mark.parametrize(
    ("name", "parameters", "preset", "options", "horizons"),
    [
        ("ofu-ecolog", {"outcomes": 2, "arms": 5}, "valid", {}, (100, 10_000)),
        ("adaptive-real", {"arms": 5}, "calibrated", {"exploration_multiplier": 0.1}, (100, 40_000)),
    ],
)
def test_other_systems_that_explore_first_say_so_too(simulator, name, parameters, preset, options, horizons):
    instance = make_instance("x", "large-kappa-star", parameters)
    short, long = (
        simulate(instance, name, horizon, [0], preset=preset, options=options, simulator=simulator) for horizon in horizons
    )
    assert short.explored[:, -1].tolist() == [horizons[0]]
    assert not short.left.any()
    assert horizons[0] < long.explored[0, -1] < horizons[1]
    assert (np.diff(long.explored[0]) >= 0).all()
    assert long.left.all()
    assert math.isnan(long.length)


def test_algorithms_without_an_exploration_have_left_it(instance):
    result = simulate(instance, "uniform", 10, [0, 1], preset="none")
    assert result.left.all()
    assert not result.explored.any()
    assert math.isnan(result.length)


# Calibrated constants need a multiplier.


@pytest.mark.parametrize("name", [name for name, record in REGISTRY.items() if "calibrated" in record.presets])
def test_calibrated_constants_without_a_multiplier_are_refused(name):
    instance = make_instance("x", "large-kappa-star", {"outcomes": 2, "arms": 3})
    with pytest.raises(
        InputError, match=r"got nothing, must be given with calibrated constants.*calibration\.csv"
    ) as caught:
        simulate(instance, name, 10, [0], preset="calibrated")
    assert caught.value.field == f"{name}.{get_algorithm(name).multipliers[0]}"
    for multiplier in get_algorithm(name).multipliers[1:]:
        assert f"or {multiplier}; one that is left out is 1" in caught.value.allowed


def test_one_of_two_multipliers_is_enough_and_the_other_is_1(instance):
    one, both = (
        simulate(instance, "real", 1000, [0], preset="calibrated", options={"exploration_multiplier": 0.003} | more).regret
        for more in ({}, {"radius_multiplier": 1.0})
    )
    assert one.tobytes() == both.tobytes()


def test_an_algorithm_with_calibrated_constants_only_is_compiled(register):
    def start(problem, preset, width=1.0):
        assert width == 1.0
        return Recorder((0,), [])

    start.__module__ = "mnlbandits.algorithms.mine"
    algorithm = recorder("mine", Recorder, (0,), [])
    register(replace(algorithm, start=start, presets=("calibrated",), options=(Option("width", "a factor"),)))
    compile_loops("mine")


# What is refused.

BAD = {
    "algorithm": {"algorithm": "REAL"},
    "uniform.preset": {"preset": "paper"},
    "real.preset": {"algorithm": "real", "preset": "none"},
    "uniform.radius_multiplier": {"options": {"radius_multiplier": 1.0}},
    "real.radius": {"algorithm": "real", "preset": "calibrated", "options": {"radius": 1.0}},
    "real.radius_multiplier": {"algorithm": "real", "preset": "calibrated", "options": {"radius_multiplier": 0.0}},
    "simulator": {"simulator": "fast"},
    "seed": {"seed": -1},
    "learning_rounds": {"learning_rounds": -1},
    "runs": {"runs": [0, -1]},
    "delta": {"delta": 1.0},
    "horizon": {"horizon": 0},
}


@pytest.mark.parametrize(("field", "changes"), BAD.items())
def test_bad_arguments_name_the_field(instance, field, changes):
    good = {"algorithm": "uniform", "horizon": 10, "runs": [0], "preset": "none"}
    with pytest.raises(InputError) as caught:
        simulate(instance, **(good | changes))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("horizon", {"horizon": 1e9 + 1}),
        ("horizon", {"horizon": 1.5}),
        ("horizon", {"horizon": "10"}),
        ("runs", {"runs": [0.5]}),
        ("seed", {"seed": None}),
        ("simulator", {"simulator": "counts"}),  # uniform play has no exploration to skip
        ("real.radius_multiplier", {"algorithm": "real", "preset": "paper", "options": {"radius_multiplier": 1.0}}),
    ],
)
def test_more_bad_arguments(instance, field, changes):
    with pytest.raises(InputError) as caught:
        simulate(instance, **({"algorithm": "uniform", "horizon": 10, "runs": [0], "preset": "none"} | changes))
    assert caught.value.field == field


@pytest.mark.parametrize("arm", [-1, 9, 10**6])
@pytest.mark.parametrize("bad_round", [1, 5, 100])
def test_an_arm_that_does_not_exist(instance, register, arm, bad_round):
    """The error comes in the bad round, also if the algorithm would choose well later."""
    plan = (0,) * (bad_round - 1) + (arm,) + (0,) * (100 - bad_round)
    states = []
    register(recorder("bad", Recorder, plan, states))
    with pytest.raises(InputError) as caught:
        simulate(instance, "bad", 100, [0], preset="none")
    assert (caught.value.field, caught.value.value) == ("bad.choose", arm)
    assert len(states[0].seen) == bad_round - 1


@pytest.mark.parametrize("arm", [1.5, True, math.nan])
def test_an_arm_that_is_not_an_integer(instance, register, arm):
    register(recorder("bad", Recorder, (arm,), []))
    with pytest.raises(InputError) as caught:
        simulate(instance, "bad", 10, [0], preset="none")
    assert caught.value.field == "bad.choose"


def test_the_registry_is_as_it_was():
    """Registering in a test leaves nothing behind."""
    assert set(BY_STATE.values()) == set(REGISTRY.values())
    assert {"one", "two", "bad", "edges"}.isdisjoint(REGISTRY)
    assert get_algorithm("real").state in BY_STATE

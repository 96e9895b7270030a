"""What an instance checks and derives, and its file."""

import json
import math
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, Problem, make_instance, read_instance, write_instance
from mnlbandits.instances.instance import LARGEST_NUMBER, NORM_BOUNDS
from mnlbandits.model.kappa import kappa
from mnlbandits.model.softmax import softmax

GOOD = {
    "name": "good",
    "theta": [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    "arms": [[1.0, 0.0], [0.0, 1.0], [-0.3, -0.4]],
    "rewards": [1.0, 0.0, 2.0],
    "norm_bound": 3.0,
}


def good(**changes):
    return Instance(**(GOOD | changes))


@pytest.fixture(scope="module")
def instance():
    """One instance for all tests that only read it: its kappa is found once."""
    return good()


# What it derives.


def test_columns_of_theta_are_centred():
    instance = good(theta=[[1.0, 0.5], [2.0, 0.5], [6.0, 0.5]], norm_bound=9)
    np.testing.assert_array_equal(instance.theta, [[-2, 0], [-1, 0], [3, 0]])
    shifted = good(theta=np.array(GOOD["theta"]) + np.array([0.25, -4.0]))
    np.testing.assert_allclose(shifted.probabilities, good().probabilities, rtol=1e-14)  # a few roundings of logits <= 5
    # The norm that S bounds is that of the centred theta: [[1], [1]] is zero.
    assert good(theta=[[1.0], [1.0]], arms=[[1.0]], rewards=[1, 0], norm_bound=1e-3).theta.tolist() == [[0], [0]]


def test_probabilities_and_gaps():
    instance = good()
    for row, x in zip(instance.probabilities, GOOD["arms"], strict=True):
        np.testing.assert_allclose(row, softmax(np.array(GOOD["theta"]) @ x), rtol=1e-14)
    means = instance.probabilities @ [1.0, 0.0, 2.0]
    np.testing.assert_array_equal(instance.gaps, means.max() - means)
    assert instance.gaps.min() == 0
    assert (instance.outcomes, instance.dim) == (3, 2)


def test_rewards_of_any_sign():
    """Only their differences decide on gaps; a shift by a power of 2 is exact here, but not in R and kappa_*."""
    instance, shifted = good(), good(rewards=[-63.0, -64.0, -62.0])
    np.testing.assert_array_equal(shifted.gaps, instance.gaps)
    for key in ("gap", "kappa"):
        assert shifted.constants[key] == instance.constants[key]
    assert shifted.constants["R"] == pytest.approx(math.sqrt(63**2 + 64**2 + 62**2), rel=1e-15)
    ratio = shifted.constants["kappa_star"] / instance.constants["kappa_star"]
    assert ratio == pytest.approx((63**2 + 64**2 + 62**2) / 5, rel=1e-12)
    np.testing.assert_array_equal(shifted.problem(10, 0.05).relative_rewards, [1.0, 0.0, 2.0])


def test_unit():
    """Arms / X, theta X and S X: no logit changes, and kappa, which depends on S X alone, not either."""
    instance = good(arms=[[0.5, 0.0], [0.0, 0.25], [0.0, 0.0]], convention="rows")
    unit = instance.unit
    np.testing.assert_array_equal(unit.arms, [[1.0, 0.0], [0.0, 0.5], [0.0, 0.0]])
    np.testing.assert_array_equal(unit.theta, instance.theta / 2)
    assert (unit.norm_bound, unit.longest, unit.convention, unit.name) == (1.5, 1.0, "rows", "good")
    np.testing.assert_array_equal(unit.probabilities, instance.probabilities)
    np.testing.assert_array_equal(unit.gaps, instance.gaps)
    for key in ("kappa", "kappa_lower", "kappa_upper", "kappa_star", "gap", "nu"):
        assert unit.constants[key] == instance.constants[key]
    assert unit.unit is unit


def test_arms_of_norm_one_up_to_rounding_are_unit():
    instance = good(arms=[[1 - 1e-12, 0.0]])
    assert instance.longest == 1.0
    assert instance.unit is instance
    assert good(arms=[[0.3, 0.0], [0.1, 0.2]]).unit.longest == 1.0


def test_constants():
    """Every entry by its definition; kappa is that of S times the longest arm, in the instance's convention."""
    for convention in ("frobenius", "rows"):
        instance = good(arms=[[0.5, 0.0], [0.0, 0.2]], convention=convention)
        certified = kappa(3, 3.0 * 0.5, convention)
        constants = instance.constants
        keys = ("kappa_lower", "kappa", "kappa_upper")
        assert tuple(constants[key] for key in keys) == (certified.lower, certified.value, certified.upper)
        assert (constants["outcomes"], constants["dim"], constants["arms"]) == (3, 2, 2)
        assert constants["R"] == pytest.approx(math.sqrt(5), rel=1e-15)
        assert constants["S"] == 3
        p = instance.probabilities
        means, second = p @ [1.0, 0, 2], p @ [1.0, 0, 4]
        best = int(means.argmax())
        variance = second[best] - means[best] ** 2
        assert constants["kappa_star"] == pytest.approx(5 / variance, rel=1e-13)  # a difference of numbers of order one
        assert constants["gap"] == pytest.approx(np.ptp(means), rel=1e-12)  # the gap is 0.1
        assert constants["nu"] == pytest.approx(2 * np.ptp(second) / np.ptp(means), rel=1e-12)
        assert constants["discretisation_error"] == 0


def test_the_learner_never_sees_theta(instance):
    problem = instance.problem(1e5, 0.05)
    known = {"arms", "rewards", "norm_bound", "convention", "kappa", "horizon", "delta", "actions"}
    assert {f.name for f in fields(Problem)} == known
    assert (problem.horizon, problem.delta, problem.outcomes, problem.dim) == (100_000, 0.05, 3, 2)
    assert isinstance(problem.horizon, int)
    assert problem.reward_norm == pytest.approx(math.sqrt(5), rel=1e-15)
    assert problem.kappa == instance.constants["kappa_upper"]
    assert problem.norm_bound == 3


def test_arrays_are_read_only_copies():
    theta = np.array(GOOD["theta"])
    instance = good(theta=theta)
    theta[:] = 7
    assert instance.theta.max() < 1
    for array in (instance.theta, instance.arms, instance.rewards):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


# What it refuses.


def mutated(key, entry, value):
    """GOOD[key] with one entry replaced."""
    array = json.loads(json.dumps(GOOD[key]))
    target = array
    for index in entry[:-1]:
        target = target[index]
    target[entry[-1]] = value
    return {key: array}


REFUSED = {
    "one outcome": ({"theta": [[1.0, 0.0]], "rewards": [1.0]}, "outcomes"),
    "no outcome": ({"theta": np.zeros((0, 2)), "rewards": []}, "outcomes"),
    "no feature": ({"theta": np.zeros((3, 0)), "arms": np.zeros((3, 0))}, "dim"),
    "theta flat": ({"theta": [1.0, 2.0]}, "theta"),
    "theta deep": ({"theta": [[[1.0]]]}, "theta"),
    "theta ragged": ({"theta": [[1.0, 2.0], [1.0], [0.0, 0.0]]}, "theta"),
    "theta nan": (mutated("theta", (0, 1), math.nan), "theta"),
    "theta inf": (mutated("theta", (2, 1), -math.inf), "theta"),
    "theta null": (mutated("theta", (2, 1), None), "theta"),
    "theta text": (mutated("theta", (2, 1), "one"), "theta"),
    "theta complex": ({"theta": [[1j, 0], [0, 0], [0, 0]]}, "theta"),
    "theta missing": ({"theta": None}, "theta"),
    "theta number": ({"theta": 3.0}, "theta"),
    "theta word": ({"theta": "abc"}, "theta"),
    "arms none": ({"arms": []}, "arms"),
    "arms empty": ({"arms": np.zeros((0, 2))}, "arms"),
    "arms flat": ({"arms": [1.0, 0.0]}, "arms"),
    "arms ragged": ({"arms": [[1.0, 0.0], [1.0]]}, "arms"),
    "arms of another dimension": ({"arms": [[1.0, 0.0, 0.0]]}, "arms"),
    "arm outside the unit ball": ({"arms": [[0.0, 0.1], [0.8, 0.7]]}, "arms"),
    "arm just outside the unit ball": ({"arms": [[1.0 + 1e-8, 0.0]]}, "arms"),
    "arm nan": (mutated("arms", (1, 0), math.nan), "arms"),
    "rewards too few": ({"rewards": [1.0, 2.0]}, "rewards"),
    "rewards too many": ({"rewards": [1.0, 2.0, 3.0, 4.0]}, "rewards"),
    "rewards too large": ({"rewards": [1.0, -1.1e100, 2.0]}, "rewards"),
    "rewards nan": ({"rewards": [1.0, math.nan, 2.0]}, "rewards"),
    "rewards inf": ({"rewards": [1.0, math.inf, 2.0]}, "rewards"),
    "rewards text": ({"rewards": "abc"}, "rewards"),
    "rewards deep": ({"rewards": [[1.0, 0.0, 2.0]]}, "rewards"),
    "norm_bound zero": ({"norm_bound": 0}, "norm_bound"),
    "norm_bound negative": ({"norm_bound": -1.0}, "norm_bound"),
    "norm_bound nan": ({"norm_bound": math.nan}, "norm_bound"),
    "norm_bound inf": ({"norm_bound": math.inf}, "norm_bound"),
    "norm_bound text": ({"norm_bound": "3"}, "norm_bound"),
    "norm_bound null": ({"norm_bound": None}, "norm_bound"),
    "norm_bound true": ({"norm_bound": True}, "norm_bound"),
    "norm_bound too small": ({"norm_bound": 1.15}, "norm_bound"),  # the norm is sqrt(4/3) = 1.1547
    "convention unknown": ({"convention": "spectral"}, "convention"),
    "convention null": ({"convention": None}, "convention"),
}


@pytest.mark.parametrize(("changes", "field"), REFUSED.values(), ids=REFUSED)
def test_bad_instances_name_the_field(changes, field):
    with pytest.raises(InputError) as caught:
        good(**changes)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: got ")


def test_rounding_of_norms_is_forgiven():
    good(arms=[[1.0 + 1e-12, 0.0]])
    good(norm_bound=math.sqrt(4 / 3) * (1 - 1e-12))


def test_rows_convention_bounds_the_longest_row():
    good(convention="rows", norm_bound=0.75)  # rows of norm sqrt(5)/3 = 0.745
    with pytest.raises(InputError, match="rows norm"):
        good(convention="rows", norm_bound=0.74)


@pytest.mark.parametrize("horizon", [0, -1, 1.5, math.inf, -math.inf, math.nan, 1e31, 10**30 + 1, "10", None, True, [10]])
def test_bad_horizons(instance, horizon):
    with pytest.raises(InputError) as caught:
        instance.problem(horizon, 0.05)
    assert caught.value.field == "horizon"


@pytest.mark.parametrize("horizon", [1, 1e5, 10**18, 1e18, np.int64(7)])
def test_good_horizons(instance, horizon):
    assert instance.problem(horizon, 0.05).horizon == int(horizon)


@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.5, math.nan, math.inf, "0.05", None, True])
def test_bad_failure_levels(instance, delta):
    with pytest.raises(InputError) as caught:
        instance.problem(10, delta)
    assert caught.value.field == "delta"


# Its file.


def assert_same(a, b):
    """Equal to the last bit, and so are the constants."""
    assert_same_data(a, b)
    assert a.constants == b.constants


def assert_same_data(a, b):
    """Equal to the last bit."""
    for key in ("theta", "arms", "rewards"):
        left, right = getattr(a, key), getattr(b, key)
        assert left.tobytes() == right.tobytes()
        assert left.shape == right.shape
    for key in ("name", "family", "parameters", "convention"):
        assert getattr(a, key) == getattr(b, key)
    for key in ("norm_bound", "discretisation_error"):
        assert float(getattr(a, key)).hex() == float(getattr(b, key)).hex()


EXAMPLES = [
    ("large-kappa-star", {"outcomes": 4, "dim": 3, "norm": 0.7, "convention": "rows"}),
    ("lower-bound", {"outcomes": 3, "dim": 4, "signs": [1, -1, 1, -1], "norm": 2.5}),
    ("random", {"outcomes": 5, "dim": 3, "seed": 3}),
    ("random", {"outcomes": 2, "dim": 1, "reward_norm": 1e-3}),
]


@pytest.mark.parametrize(("family", "parameters"), EXAMPLES)
def test_file_round_trip(tmp_path, family, parameters):
    instance = make_instance("näme", family, parameters)
    write_instance(instance, tmp_path / "a" / "instance.json")
    again = read_instance(tmp_path / "a" / "instance.json")
    assert_same(instance, again)
    write_instance(again, tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a" / "instance.json").read_bytes()


def test_file_without_constants(tmp_path, instance):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD))
    assert_same(read_instance(path), instance)


WRONG_CONSTANTS = [
    ("kappa", 1e-9),
    ("kappa", 1.0),
    ("kappa", None),
    ("kappa", math.nan),
    ("kappa", math.inf),
    ("kappa_lower", "3"),
    ("kappa_star", [1.0]),
    ("outcomes", True),
    ("outcomes", 3.1),
    ("dim", 3),
    ("R", 10**400),
    ("S", 1.0),
    ("gap", 0),
    ("nu", -1.0),
    ("discretisation_error", 1e-3),
    ("kapa", 1.0),
]


@pytest.mark.parametrize(("key", "value"), WRONG_CONSTANTS)
def test_stored_constants_that_are_not_those_of_the_file(tmp_path, key, value):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD | {"constants": {key: value}}))
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert caught.value.field == f"{path}.constants.{key}"
    assert caught.value.allowed.endswith(", or the block left out" if key != "kapa" else ", outcomes")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("block", [[], 3, "kappa", True])
def test_stored_constants_that_are_no_mapping(tmp_path, block):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD | {"constants": block}))
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert caught.value.field == f"{path}.constants"


def test_constants_that_were_stored_before_an_edit(tmp_path, instance):
    path = tmp_path / "i.json"
    write_instance(instance, path)
    record = json.loads(path.read_text())
    record["theta"] = [[2 * value for value in row] for row in record["theta"]]
    record["norm_bound"] *= 2
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"constants\.(S|kappa): got .* as computed from theta, arms, rewards"):
        read_instance(path)
    del record["constants"]
    path.write_text(json.dumps(record))
    doubled = good(theta=2 * instance.theta, norm_bound=2 * instance.norm_bound)
    assert read_instance(path).constants["kappa"] == doubled.constants["kappa"]


def test_constants_are_computed_also_where_they_are_stored(tmp_path, instance):
    """Stored ones may differ by what another machine's rounding does."""
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD | {"constants": {"kappa": instance.constants["kappa"] * (1 + 1e-7)}}))
    assert read_instance(path).constants == instance.constants


def test_a_gap_near_rounding_is_as_exact_as_the_mean_rewards(tmp_path):
    """On a graded circle the gap is 1e-12 R, so 1e-4 of it is rounding; nu is divided by it."""
    instance = make_instance("circle", "large-kappa-star", {"arms": 401, "grid": "graded"})
    assert instance.constants["gap"] < 2e-12
    path = tmp_path / "i.json"
    write_instance(instance, path)
    record = json.loads(path.read_text())
    for key in ("gap", "nu"):
        for factor, agrees in ((1 + 1e-4, True), (1 - 1e-4, True), (1.1, False)):
            changed = record["constants"] | {key: record["constants"][key] * factor}
            path.write_text(json.dumps(record | {"constants": changed}))
            if agrees:
                read_instance(path)
            else:
                with pytest.raises(InputError, match=key):
                    read_instance(path)


def test_infinite_constants_survive(tmp_path):
    instance = good(rewards=[1.0, 1.0, 1.0])
    path = tmp_path / "i.json"
    write_instance(instance, path)
    assert read_instance(path).constants["kappa_star"] == math.inf
    path.write_text(path.read_text().replace('"kappa_star": Infinity', '"kappa_star": 3.0'))
    with pytest.raises(InputError, match=r"constants\.kappa_star: got 3\.0, must be inf"):
        read_instance(path)


numbers = st.floats(-1, 1, allow_subnormal=True)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.data())
def test_file_round_trip_of_any_numbers(tmp_path_factory, data):
    outcomes, dim, arms = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5))
    actions = data.draw(arrays(float, (arms, dim), elements=numbers)) / dim
    longest = np.linalg.norm(actions, axis=1).max()
    assume(longest > NORM_BOUNDS[0])
    instance = Instance(
        "any",
        data.draw(arrays(float, (outcomes, dim), elements=numbers)),
        actions,
        LARGEST_NUMBER * data.draw(arrays(float, outcomes, elements=numbers)),
        data.draw(st.floats(outcomes * dim, NORM_BOUNDS[1] / longest / (1 + 1e-9))),
    )
    instance.__dict__["constants"] = None  # not the point here
    path = Path(tmp_path_factory.getbasetemp()) / "any.json"
    write_instance(instance, path)
    assert_same_data(instance, read_instance(path))


UNREADABLE = {
    "not JSON": "{",
    "a list": "[]",
    "a number": "3",
    "not text": b"\xff\xfe",
    "nested deeply": "[" * 3000 + "]" * 3000,
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_files(tmp_path, content):
    path = tmp_path / "i.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert caught.value.field == "instance"
    assert caught.value.value == str(path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [("none.json", "No such file"), (".", "Is a directory"), ("i.json/x.json", "Not a directory"), ("x" * 300, "too long")],
)
def test_files_that_cannot_be_read(tmp_path, path, reason):
    (tmp_path / "i.json").write_text("{}")
    with pytest.raises(InputError, match=reason) as caught:
        read_instance(tmp_path / path)
    assert caught.value.field == "instance"


@pytest.mark.parametrize("key", GOOD)
def test_files_without_a_field(tmp_path, key):
    path = tmp_path / "i.json"
    path.write_text(json.dumps({k: v for k, v in GOOD.items() if k != key}))
    with pytest.raises(InputError, match="got nothing, must be given") as caught:
        read_instance(path)
    assert caught.value.field == f"{path}.{key}"


def test_files_with_an_unknown_field(tmp_path):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD | {"rewrads": [1, 2, 3]}))
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert caught.value.field == f"{path}.rewrads"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_files_with_numbers_that_are_not_finite(tmp_path, value):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(GOOD | {"rewards": [1.0, value, 2.0]}))  # as NaN and Infinity, which Python reads
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert caught.value.field == f"{path}.rewards"


def test_file_round_trip_of_a_theta_far_from_centred(tmp_path):
    random = np.random.Generator(np.random.PCG64DXSM(1))
    instance = good(theta=random.normal(size=(3, 2)) + 1e6, norm_bound=9.0)
    write_instance(instance, tmp_path / "i.json")
    assert_same(instance, read_instance(tmp_path / "i.json"))


HOLES = {
    "theta of booleans": ({"theta": [[True, False], [False, True], [False, False]]}, "theta"),
    "theta of digits": ({"theta": [["1", "0"], ["0", "1"], ["0", "0"]]}, "theta"),
    "all arms zero": ({"arms": [[0.0, 0.0]]}, "arms"),
    "name null": ({"name": None}, "name"),
    "name number": ({"name": 3}, "name"),
    "name empty": ({"name": ""}, "name"),
    "discretisation_error nan": ({"discretisation_error": math.nan}, "discretisation_error"),
    "discretisation_error text": ({"discretisation_error": "x"}, "discretisation_error"),
    "parameters null": ({"parameters": None}, "parameters"),
    "theta beyond floats": ({"theta": [[10**400, 0], [0, 0], [0, 0]]}, "theta"),
    "theta of floats and one beyond them": ({"theta": [[10**400, 0.5], [0.5, 0.5], [0.5, 0.5]]}, "theta"),
    "norm_bound beyond floats": ({"norm_bound": 10**400}, "norm_bound"),
}


@pytest.mark.parametrize(("changes", "field"), HOLES.values(), ids=HOLES)
def test_bad_instances(changes, field):
    with pytest.raises(InputError) as caught:
        good(**changes)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("family", "parameters", "field"),
    [
        (["random"], {}, "family"),
        ("random", None, "x"),
        ("random", ["dim"], "x"),
        ("lower-bound", {"signs": [True, 1]}, "signs"),
    ],
)
def test_bad_parameters(family, parameters, field):
    with pytest.raises(InputError) as caught:
        make_instance("x", family, parameters)
    assert caught.value.field == field


def test_horizon_beyond_floats(instance):
    with pytest.raises(InputError) as caught:
        instance.problem(10**400, 0.05)
    assert caught.value.field == "horizon"


def test_replace_keeps_theta():
    """A centred theta is not centred again, so copies of an instance are equal to the last bit."""
    instance = make_instance("x", "random", {"outcomes": 6, "dim": 3})
    assert replace(instance, name="y").theta.tobytes() == instance.theta.tobytes()


def test_fresh_vectors_may_be_longer_than_the_example():
    """They fill the unit ball, so X = 1, whatever the longest of the arms at hand; subsets are of those arms."""
    fresh, subsets = (
        make_instance("x", "random", {"arms": 5, "actions": actions})
        for actions in ({"name": "fresh", "least": 1, "most": 5}, {"name": "random-subsets", "size": 2})
    )
    longest = np.linalg.norm(fresh.arms, axis=1).max()
    assert longest < 1
    assert fresh.longest == fresh.problem(100, 0.05).longest == 1.0
    assert fresh.unit is fresh
    assert subsets.longest == subsets.problem(100, 0.05).longest == longest
    assert fresh.constants["kappa"] > subsets.constants["kappa"]

"""The search for multipliers, on laws whose answer is known."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.simulators.runs import simulate
from mnlbandits.verify.calibration import ERROR, calibration_table, covers, find_multiplier, lots

DELTA = 0.05


def flips(generator, chance):
    while True:
        yield bool(generator.random() < chance)


@pytest.mark.parametrize(("coverage", "passes"), [(1 - DELTA, False), (1 - DELTA / 3, True)])
def test_the_sequential_test_errs_as_seldom_as_it_says(coverage, passes):
    """400 tests at each edge; false-alarm rate of this test 1e-6."""
    generator = np.random.default_rng(0)
    wrong = sum(covers(flips(generator, coverage), DELTA)[0] != passes for _ in range(400))
    assert binom.sf(wrong - 1, 400, ERROR) > 1e-6


def test_the_sequential_test_by_hand():
    """Each success counts log((1 - d/3)/(1 - d)), each failure log(1/3), until log(19) is reached."""
    assert covers(iter([True] * 200), DELTA) == (True, 86)
    assert covers(iter([False] * 3), DELTA) == (False, 3)


def test_no_run_is_played_that_cannot_count():
    """Lots follow one another, in blocks of 20, and end where a test can end first: after 3 runs that fail, 86 that pass."""
    played = list(itertools.islice(lots(DELTA), 9))
    assert [stop for _, stop in played] == [3, 20, 40, 60, 80, 86, 100, 120, 140]
    assert [start for start, _ in played] == [0, *(stop for _, stop in played[:-1])]


def uniform_ratios(seed, largest):
    """Ratios X / multiplier with X uniform on (0, largest): the coverage of a multiplier m is m / largest."""

    def ratios(multiplier, runs):
        return np.array([np.random.default_rng([seed, run]).random() for run in runs]) * largest / multiplier

    return ratios


def test_the_multiplier_covers_and_is_tight():
    """60 searches; coverage below 1 - delta in more than 5 % of them has a false-alarm rate of 1e-6."""
    found = [find_multiplier(uniform_ratios(seed, 0.4), DELTA) for seed in range(60)]
    below = sum(result.multiplier < 0.4 * (1 - DELTA) for result in found)
    assert binom.sf(below - 1, 60, ERROR) > 1e-6
    assert all(result.passed and result.error == ERROR and result.multiplier < 0.4 * 1.35 for result in found)
    multipliers = [result.multiplier for result in found]
    assert max(multipliers) / min(multipliers) < 1.2


def test_a_misleading_pilot_starts_again():
    def ratios(multiplier, runs):
        return np.array([0.02 if run < 120 else 0.3 for run in runs]) / multiplier

    result = find_multiplier(ratios, DELTA)
    assert result.passed
    assert 0.3 <= result.multiplier < 0.3 * 1.09
    assert result.error > ERROR


def test_a_set_that_fails_with_its_full_radius_says_so():
    result = find_multiplier(uniform_ratios(0, 2.0), DELTA)
    assert (result.multiplier, result.passed) == (1.0, False)


def test_a_horizon_without_a_set_is_refused():
    with pytest.raises(InputError, match=r"calibration\.horizon"):
        find_multiplier(lambda multiplier, runs: -np.ones(len(runs)), DELTA)


def test_an_exploration_gets_the_rounds_it_needs():
    instance = make_instance("calibration", "large-kappa-star", {"outcomes": 2, "arms": 5, "norm": 0.1})
    table = calibration_table(instance, "ofu-ecolog", 50, 1000, DELTA, seed=3)
    rounds = table["rounds"].unique()
    assert len(rounds) == 1
    full = {"exploration_multiplier": 1.0, "radius_multiplier": 1.0}
    ratios = [
        simulate(instance, "ofu-ecolog", horizon, [0], 3, "calibrated", full).worst[0, -1]
        for horizon in (rounds[0], rounds[0] // 2)
    ]
    assert ratios[0] >= 0 > ratios[1]
    assert table["passed"].all()


def test_an_algorithm_without_a_set_is_refused(monkeypatch):
    monkeypatch.setattr("mnlbandits.verify.calibration.LONGEST", 100)
    instance = make_instance("calibration", "large-kappa-star", {"outcomes": 2, "arms": 5})
    with pytest.raises(InputError, match=r"calibration\.horizon.*ofu-ecolog"):
        calibration_table(instance, "ofu-ecolog", 50, 1000, DELTA, seed=3)


def test_a_run_without_a_set_is_no_coverage():
    """One run in ten has no set: the sets of the others do not make up for it."""
    result = find_multiplier(lambda multiplier, runs: np.array([0.5 if run % 10 else -1.0 for run in runs]), DELTA)
    assert (result.multiplier, result.passed) == (1.0, False)


def test_algorithms_without_exploration_get_one_multiplier():
    instance = make_instance("calibration", "large-kappa-star", {"outcomes": 2, "arms": 5})
    table = calibration_table(instance, "adaptive-real", 20, 1000, DELTA, seed=3)
    assert list(table["option"]) == ["exploration_multiplier", "radius_multiplier"]
    assert table["multiplier"].nunique() == 1
    again = calibration_table(instance, "adaptive-real", 20, 1000, DELTA, seed=3)
    assert table.equals(again)


def test_real_gets_both_of_its_own():
    instance = make_instance("calibration", "large-kappa-star", {"outcomes": 3, "arms": 5})
    table = calibration_table(instance, "real", 20, 10**6, DELTA, seed=3).set_index("option")["multiplier"]
    assert 0 < table["exploration_multiplier"] < 0.05
    assert 0 < table["radius_multiplier"] <= 1
    with pytest.raises(InputError, match=r"calibration\.long_horizon: 100, allowed|calibration\.long_horizon.*100"):
        calibration_table(instance, "real", 20, 100, DELTA, seed=3)

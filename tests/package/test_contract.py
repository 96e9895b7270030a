"""The contract of an algorithm: one that keeps it, and one that breaks each of its checks."""

import re

import pytest
from own import DRAWS, changed, compiled, line_of, written

from mnlbandits.algorithms import get_algorithm, load
from mnlbandits.verify.contract import FALSE_ALARM, RUNS, contract, golden_line
from mnlbandits.verify.small_plays import DELTA, ROUNDS

pytestmark = pytest.mark.usefixtures("registry")

OPTIONS = '    options=(Option("width", "of the bonus", default=0.0, low=0.0, high=9.0),)'


def with_ratio(body):
    """What gives the algorithm a `ratio` with this body."""
    return (OPTIONS, OPTIONS + ",\n    ratio=ratio"), (
        "ALGORITHM =",
        f"def ratio(state, t, theta):\n    {body}\n\n\nALGORITHM =",
    )


def outcome(folder, text, name="greedy", recorded=None):
    """What the checks say, by their names."""
    load(written(folder, text))
    return {check.name: check for check in contract(get_algorithm(name), recorded)}


@pytest.mark.parametrize("text", [changed(), compiled(), changed(*with_ratio("return 0.5")), changed(*DRAWS)])
def test_one_that_keeps_it(tmp_path, text):
    checks = outcome(tmp_path, text)
    assert [check for check in checks.values() if not check.passed] == []
    names = "interface", "determinism", "resumption", "compiled", "relabelling", "coverage", "golden none", "cost"
    assert tuple(checks) == names
    assert all("\n" not in check.text for check in checks.values())
    assert len(checks["golden none"].text.split()) == ROUNDS
    assert " microseconds a round after 1000, " in checks["cost"].text


def test_a_system_of_the_package_keeps_it():
    assert all(check.passed for check in contract(get_algorithm("uniform")))


FIRST_ROUNDS = "if t <= len(state.pulls):\n        return t - 1"

INTERFACE = {
    "choose(state) cannot be called as choose(state, t): too many": [("def choose(state, t):", "def choose(state):")],
    "update(state, arm, outcome) cannot be called as": [
        ("def update(state, t, arm, outcome):", "def update(state, arm, outcome):")
    ],
    "start(problem, preset) cannot be called as start(problem, preset, width=...)": [("preset, width):", "preset):")],
    "start returns [": [("return State(", "return list(("), ("np.zeros(count), width)", "np.zeros(count), width))")],
    "state.totals: got an array of object, must be one of numbers": [
        ("rewards.copy(), np.zeros(count)", "rewards.copy(), np.zeros(count, dtype=object)")
    ],
    "state.totals: got a list, must be an array": [("rewards.copy(), np.zeros(count)", "rewards.copy(), [0.0] * count")],
    "choose returns 5 in round 6": [
        ("return np.argmax(state.totals / state.pulls + state.width / np.sqrt(state.pulls))", "return 5")
    ],
    "choose returns 0.0 in round 1": [("return t - 1", "return (t - 1) / 1")],
    "choose returns False in round 1": [("return t - 1", "return t > 1")],
    "update returns State": [("state.pulls[arm] += 1", "state.pulls[arm] += 1\n    return state._replace(width=2.0)")],
    "ratio returns nan in round 1": with_ratio("return np.nan"),
    "ratio returns None in round 1": with_ratio("return None"),
    "ZeroDivisionError in line {}: division by zero": [("state.pulls[arm] += 1", "state.pulls[arm] += 1\n    1 / 0")],
}


@pytest.mark.parametrize("message", INTERFACE)
def test_a_broken_interface(tmp_path, message):
    text = changed(*INTERFACE[message])
    (check,) = outcome(tmp_path, text).values()
    assert (check.name, check.passed) == ("interface", False)
    assert check.text.startswith(message.format(line_of(text, "1 / 0") if "1 / 0" in text else ""))


DETERMINISM = {
    "chance": (FIRST_ROUNDS, "if t <= 60:\n        return np.random.randint(5)"),
    "memory": (
        "def choose(state, t):\n    if t <= len(state.pulls):\n        return t - 1",
        "SEEN = []\n\n\ndef choose(state, t):\n    SEEN.append(t)\n    if t <= 60:\n        return len(SEEN) // 7 % 5",
    ),
    "memory of a period": (
        "def choose(state, t):\n    if t <= len(state.pulls):\n        return t - 1",
        "SEEN = []\n\n\ndef choose(state, t):\n    SEEN.append(t)\n    if t <= 60:\n        return len(SEEN) % 5",
    ),
}


@pytest.mark.parametrize("kind", DETERMINISM)
def test_what_is_not_deterministic(tmp_path, kind):
    checks = outcome(tmp_path, changed(DETERMINISM[kind]))
    assert checks["interface"].passed
    assert not checks["determinism"].passed
    assert checks["determinism"].text.startswith("a run that is played again has another arm in round ")


def test_what_cannot_be_resumed(tmp_path):
    """It forgets when it starts, so it plays the same run again, but what it remembers is in no state."""
    start = "def start(problem, preset, width):\n"
    edits = (
        (start, f"SEEN = []\n\n\n{start}    SEEN.clear()\n"),
        (
            FIRST_ROUNDS,
            "SEEN.append(t)\n    if t <= 60:\n        return len(SEEN) // 7 % 5",
        ),
    )
    checks = outcome(tmp_path, changed(*edits))
    assert checks["determinism"].passed
    assert not checks["resumption"].passed
    assert checks["resumption"].text.startswith("a play that is saved after round 30 and resumed has another arm in round 3")


def test_an_arm_that_does_not_exist_after_many_rounds(tmp_path):
    checks = outcome(tmp_path, changed((FIRST_ROUNDS, f"if t > 900:\n        return 5\n    {FIRST_ROUNDS}")))
    assert [check.name for check in checks.values() if not check.passed] == ["cost"]
    assert "greedy.choose: got 5, must be an arm in 0 .. 4" in checks["cost"].text


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("return t - 1", "return t * 4611686018427387904 % 5"), "interpreted, another arm is played in round 2"),
        (
            ("+= state.rewards[outcome]", "+= state.rewards[outcome + 3]"),
            "interpreted, greedy.update: got IndexError in ",
        ),
    ],
)
def test_compiled_functions_that_play_something_else(tmp_path, edit, message):
    """Integers are of 64 bits there, and what lies beyond the end of an array is read without a word."""
    checks = outcome(tmp_path, compiled(edit))
    assert checks["interface"].passed
    assert not checks["compiled"].passed
    assert checks["compiled"].text.startswith(message)


RELABELLING = {
    "outcomes": ("+= state.rewards[outcome]", "+= outcome"),
    "arms": (FIRST_ROUNDS, "if t <= 999:\n        return int(1000 * state.totals.sum()) % 5"),
}


@pytest.mark.parametrize("what", RELABELLING)
def test_numbers_that_are_given_a_meaning(tmp_path, what):
    checks = outcome(tmp_path, changed(RELABELLING[what]))
    assert not checks["relabelling"].passed
    assert checks["relabelling"].text.startswith(f"with other numbers for the {what} it chooses another arm in ")


def test_a_set_that_misses_too_often(tmp_path):
    """But in most runs it does not."""
    checks = outcome(tmp_path, changed(*with_ratio("return 2.0 if abs(state.totals.sum() * 1e6) % 1 < 0.002 else 0.5")))
    assert not checks["coverage"].passed
    assert f"delta = {DELTA} (false alarm: {FALSE_ALARM:.1%})" in checks["coverage"].text
    missed = int(re.search(rf"leaves the set in (\d+) of {RUNS} runs of ", checks["coverage"].text)[1])
    assert DELTA * RUNS < missed < RUNS / 2


def test_no_set_in_any_round_is_said(tmp_path):
    checks = outcome(tmp_path, changed(*with_ratio("return -1.0")))
    assert checks["coverage"].passed
    assert "no set on check-3, no set on check-2" in checks["coverage"].text


def test_a_play_that_is_not_the_recorded_one(tmp_path):
    load(written(tmp_path, changed()))
    recorded = dict([golden_line(get_algorithm("greedy"), "none")])
    assert outcome(tmp_path, changed(), recorded=recorded)["golden none"].text == "as recorded"
    check = outcome(tmp_path, changed(("return t - 1", "return 5 - t")), recorded=recorded)["golden none"]
    assert (check.passed, check.text) == (False, "round 1 has arm 4, was 0 in the record")
    check = outcome(tmp_path, changed(), recorded={})["golden none"]
    assert (check.passed, check.text) == (False, "it is not in the record; delete the file to make one anew")
    check = outcome(tmp_path, changed(), recorded={"greedy none": "0 1"})["golden none"]
    assert (check.passed, check.text) == (False, f"the record has 2 rounds, must have {ROUNDS}")

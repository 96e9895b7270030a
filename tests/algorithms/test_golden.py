"""The first 50 rounds of every algorithm and preset, and on every kind of changing sets: nothing may move unnoticed.

`PYTHONPATH=tests python tests/algorithms/test_golden.py` records the files anew; look at the difference before a commit.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from trajectories import Run, in_one_group, multiplier_for, offers, uniforms

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.families import large_kappa_star
from mnlbandits.learners.learner import LEARNT

FOLDER = Path(__file__).parent / "golden"
ROUNDS = 50
INSTANCE = large_kappa_star("golden", outcomes=3, dim=2, norm=1.0, arms=8)
BINARY_INSTANCE = large_kappa_star("golden", outcomes=2, dim=2, norm=1.0, arms=8)
PAIRS = [(name, preset) for name, algorithm in REGISTRY.items() for preset in algorithm.presets]

REAL = {"exploration_multiplier": multiplier_for(INSTANCE.problem(1e4, 0.05), 21), "radius_multiplier": 0.3}
"""Multipliers with which 50 rounds of REAL show something: it explores for 22 of them; at 20 rounding would decide."""

REGRET = 1e-12
"""numpy's exp and matrix products round differently on other machines; 50 gaps, so at most 1e-14."""


def file_of(name: str, preset: str) -> Path:
    return FOLDER / f"{name}-{preset}.txt"


def trajectory(name: str, preset: str) -> list[tuple[int, int, int, float]]:
    """(t, arm, outcome, regret so far) of every round."""
    algorithm = REGISTRY[name]
    factors = algorithm.multipliers if preset == "calibrated" else ()
    instance = INSTANCE if algorithm.setting.holds(INSTANCE.rewards) else BINARY_INSTANCE
    if algorithm.family:
        instance = make_instance("golden", algorithm.family, {})
    run = Run.begin(instance, name, preset, REAL if name == "real" and factors else dict.fromkeys(factors, 0.3))
    rounds = []
    for uniform in uniforms(instance, 0, ROUNDS):
        arm, outcome = run.round(uniform)
        rounds.append((run.t, arm, outcome, run.regret))
    return rounds


CHANGING = {
    "random-subsets": {"size": 3},
    "cycle": {"sets": [[0, 1, 2], [2, 3, 4, 5], [6, 7]]},
    "late": {"best": 2, "until": 20},
    "fresh": {"least": 2, "most": 8},
}
"""Sets that change, for eight arms."""


def instance_on(name: str, sets: str) -> Instance:
    """The instance of the algorithm's setting on such sets."""
    algorithm = REGISTRY[name]
    instance = INSTANCE if algorithm.setting.holds(INSTANCE.rewards) else BINARY_INSTANCE
    return replace(instance, actions={"name": sets} | CHANGING[sets])


PLAYED = [
    (name, sets) for name in REGISTRY for sets in CHANGING if instance_on(name, sets).actions.kind in REGISTRY[name].kinds
]


def file_on(name: str, sets: str) -> Path:
    return FOLDER / "changing" / f"{name}-{sets}.txt"


def trajectory_on(name: str, sets: str) -> list[tuple[int, int, int, float]]:
    """(t, arm, outcome, regret so far) of every round on sets that change, with the last preset."""
    instance, algorithm = instance_on(name, sets), REGISTRY[name]
    run, rounds = Run.begin(instance, name, algorithm.presets[-1], dict.fromkeys(algorithm.multipliers, 0.3)), []
    for offer, uniform in zip(offers(instance, ROUNDS), uniforms(instance, 0, ROUNDS), strict=True):
        arm, outcome = run.round_on(offer, uniform)
        rounds.append((run.t, arm, outcome, run.regret))
    return rounds


def lines(rounds: list[tuple[int, int, int, float]]) -> str:
    return "t arm outcome regret\n" + "".join(f"{t} {a} {y} {regret.hex()}\n" for t, a, y, regret in rounds)


def test_every_algorithm_and_preset_has_a_golden_file():
    files = {file_of(*pair) for pair in PAIRS} | {file_on(*pair) for pair in PLAYED}
    assert set(FOLDER.rglob("*.txt")) == files


def assert_recorded(file: Path, rounds: list[tuple[int, int, int, float]]) -> None:
    """The same rounds as in the file."""
    recorded = [line.split() for line in file.read_text().splitlines()[1:]]
    assert len(recorded) == ROUNDS
    for (t, arm, outcome, regret), now in zip(recorded, rounds, strict=True):
        assert (int(t), int(arm), int(outcome)) == now[:3]
        assert now[3] == pytest.approx(float.fromhex(regret), rel=REGRET, abs=0)


@pytest.mark.parametrize(("name", "preset"), in_one_group(*PAIRS))
def test_golden(name, preset):
    assert_recorded(file_of(name, preset), trajectory(name, preset))


@pytest.mark.parametrize(("name", "sets"), in_one_group(*PLAYED))
def test_golden_on_changing_sets(name, sets):
    assert_recorded(file_on(name, sets), trajectory_on(name, sets))


def test_golden_real_learns():
    run = Run.begin(INSTANCE, "real", "calibrated", REAL)
    for uniform in uniforms(INSTANCE, 0, ROUNDS):
        run.round(uniform)
    assert 20 <= run.state.learner.counters[LEARNT] < ROUNDS


if __name__ == "__main__":
    for pair in PAIRS:
        file_of(*pair).write_text(lines(trajectory(*pair)))
    (FOLDER / "changing").mkdir(exist_ok=True)
    for pair in PLAYED:
        file_on(*pair).write_text(lines(trajectory_on(*pair)))

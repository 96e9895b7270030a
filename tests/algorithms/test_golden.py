"""The first 50 rounds of every algorithm and preset, as recorded: nothing may move unnoticed.

`python tests/algorithms/test_golden.py` records the files anew; look at the difference before you commit it.
"""

from pathlib import Path

import pytest
from trajectories import Run, in_one_group, multiplier_for, uniforms

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import make_instance
from mnlbandits.instances.families import large_kappa_star

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
    factors = [option.name for option in algorithm.options if not option.choices] if preset == "calibrated" else []
    instance = INSTANCE if algorithm.setting.holds(INSTANCE.rewards) else BINARY_INSTANCE
    if algorithm.family:
        instance = make_instance("golden", algorithm.family, {})
    run = Run.begin(instance, name, preset, REAL if name == "real" and factors else dict.fromkeys(factors, 0.3))
    rounds = []
    for uniform in uniforms(instance, 0, ROUNDS):
        arm, outcome = run.round(uniform)
        rounds.append((run.t, arm, outcome, run.regret))
    return rounds


def lines(rounds: list[tuple[int, int, int, float]]) -> str:
    return "t arm outcome regret\n" + "".join(f"{t} {a} {y} {regret.hex()}\n" for t, a, y, regret in rounds)


def test_every_algorithm_and_preset_has_a_golden_file():
    assert {path.name for path in FOLDER.iterdir()} == {file_of(*pair).name for pair in PAIRS}


@pytest.mark.parametrize(("name", "preset"), in_one_group(*PAIRS))
def test_golden(name, preset):
    recorded = [line.split() for line in file_of(name, preset).read_text().splitlines()[1:]]
    assert len(recorded) == ROUNDS
    for (t, arm, outcome, regret), now in zip(recorded, trajectory(name, preset), strict=True):
        assert (int(t), int(arm), int(outcome)) == now[:3]
        assert now[3] == pytest.approx(float.fromhex(regret), rel=REGRET, abs=0)


def test_golden_real_learns():
    run = Run.begin(INSTANCE, "real", "calibrated", REAL)
    for uniform in uniforms(INSTANCE, 0, ROUNDS):
        run.round(uniform)
    assert 20 <= run.state.learner.counters[0] < ROUNDS


if __name__ == "__main__":
    for pair in PAIRS:
        file_of(*pair).write_text(lines(trajectory(*pair)))

"""The first 50 rounds of every algorithm and preset, as recorded: nothing may move unnoticed.

`python tests/algorithms/test_golden.py` records the files anew; look at the difference before you commit it.
"""

from pathlib import Path

import pytest
from trajectories import Run, multiplier_for, uniforms

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances.families import large_kappa_star

FOLDER = Path(__file__).parent / "golden"
ROUNDS = 50
INSTANCE = large_kappa_star("golden", outcomes=3, dim=2, norm=1.0, arms=8)
PAIRS = [(name, preset) for name, algorithm in REGISTRY.items() for preset in algorithm.presets]

OPTIONS = {
    ("real", "calibrated"): {
        "exploration_multiplier": multiplier_for(INSTANCE.problem(1e4, 0.05), 20),
        "radius_multiplier": 0.3,
    },
    ("oful-mlogb", "calibrated"): {"radius_multiplier": 0.7},
}
"""Multipliers with which 50 rounds show something: REAL explores for about 20 of them. Other pairs take none."""

REGRET = 1e-12
"""numpy's exp and matrix products round differently on other machines; 50 gaps, so at most 1e-14."""


def file_of(name: str, preset: str) -> Path:
    return FOLDER / f"{name}-{preset}.txt"


def trajectory(name: str, preset: str) -> list[tuple[int, int, int, float]]:
    """(t, arm, outcome, regret so far) of every round."""
    run = Run.begin(INSTANCE, name, preset, OPTIONS.get((name, preset), {}))
    rounds = []
    for uniform in uniforms(INSTANCE, 0, ROUNDS):
        arm, outcome = run.round(uniform)
        rounds.append((run.t, arm, outcome, run.regret))
    return rounds


def lines(rounds: list[tuple[int, int, int, float]]) -> str:
    return "t arm outcome regret\n" + "".join(f"{t} {a} {y} {regret.hex()}\n" for t, a, y, regret in rounds)


def test_every_algorithm_and_preset_has_a_golden_file():
    assert {path.name for path in FOLDER.iterdir()} == {file_of(*pair).name for pair in PAIRS}
    assert len(PAIRS) >= 8


@pytest.mark.parametrize(("name", "preset"), PAIRS)
def test_golden(name, preset):
    recorded = [line.split() for line in file_of(name, preset).read_text().splitlines()[1:]]
    assert len(recorded) == ROUNDS
    for (t, arm, outcome, regret), now in zip(recorded, trajectory(name, preset), strict=True):
        assert (int(t), int(arm), int(outcome)) == now[:3]
        assert now[3] == pytest.approx(float.fromhex(regret), rel=REGRET, abs=0)


def test_golden_real_learns():
    run = Run.begin(INSTANCE, "real", "calibrated", OPTIONS["real", "calibrated"])
    for uniform in uniforms(INSTANCE, 0, ROUNDS):
        run.round(uniform)
    assert 20 <= run.state.learner.counters[0] < ROUNDS


if __name__ == "__main__":
    for pair in PAIRS:
        file_of(*pair).write_text(lines(trajectory(*pair)))

"""Every registered algorithm against its textbook twin, which shares no code with it, on at least 50 random states."""

import numpy as np
import pytest
from trajectories import Run, in_one_group, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.seeds import generator
from mnlbandits.textbook import TEXTBOOK

ALGORITHMS = [name for name, algorithm in REGISTRY.items() if algorithm.presets != ("none",)]
SEEDS, ROUNDS = range(5), 12

TOLERANCE = 1e-6
"""Of the largest score: scipy's optimisers stop at about 1e-8 of the objective."""


def scores(state) -> np.ndarray:
    """The scores (N,) of the last choice, wherever the state keeps them."""
    return state.scores if hasattr(state, "scores") else state.learner.scores


def test_every_algorithm_has_a_textbook_twin():
    assert set(ALGORITHMS) == set(TEXTBOOK)


TWINS = [(name, preset) for name in ALGORITHMS if name != "real" for preset in ("valid", "calibrated")]
"""REAL has `test_trajectories`."""


@pytest.mark.parametrize(("name", "preset"), in_one_group(*TWINS))
def test_twin(name, preset):
    algorithm = REGISTRY[name]
    options = dict.fromkeys(algorithm.multipliers, 0.1) if preset == "calibrated" else {}
    for seed in SEEDS:
        three = unit_instance(3, 2, seed, arms=5)
        instance = three if algorithm.setting.holds(three.rewards) else unit_instance(2, 2, seed, arms=5)
        run = Run.begin(instance, name, preset, options)
        own = {"generator": generator(name, 0, instance.name)} if algorithm.randomised else {}
        book = TEXTBOOK[name](instance.problem(1e4, 0.05), preset, **own, **options)
        for uniform in uniforms(instance, seed, ROUNDS):
            index = book.index(run.t + 1)
            arm, outcome = run.round(uniform)
            error = np.abs(scores(run.state) - index).max()
            assert error <= TOLERANCE * np.abs(index).max(), f"seed {seed}, round {run.t}: {error:.1e}"
            assert index[arm] >= index.max() - TOLERANCE * np.abs(index).max()
            book.update(run.t, arm, outcome)
            assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-5, abs=1e-6)

"""What a user may write: checked by a strict type checker, never run."""

import numpy as np
from numpy.typing import NDArray

import mnlbandits
from mnlbandits import (
    InputError,
    Instance,
    bandit,
    calibrate,
    kappa,
    make_instance,
    plot_regret,
    read_instance,
    resume,
    simulate,
)

instance: Instance = make_instance("mine", "random", {"outcomes": 3})
again: Instance = read_instance("mine.json")
multipliers: dict[str, float] = calibrate(instance, "oful-mlogb")
runs = simulate(instance, "oful-mlogb", 1e4, runs=20, preset="calibrated", options=multipliers, trace=True)
regret: NDArray[np.float64] = runs.regret
if runs.trace is not None:
    outcomes: NDArray[np.int64] = runs.trace.outcomes
plot_regret({"mine": runs}).savefig("mine.pdf")
largest: float = kappa(3, 1.0).upper
names: list[str] = list(mnlbandits.algorithms.REGISTRY)

player = bandit("real", arms=np.eye(2), rewards=[0.0, 1.0, 2.0], norm_bound=1.0, horizon=1e6)
try:
    arm: int = player.pull()
    player.update(arm, outcome=1)
except InputError as error:
    field: str = error.field
estimate: NDArray[np.float64] | None = player.estimate
inside: bool | None = player.contains(np.zeros((3, 2)))
phase: str = player.phase
player.save("state.npz")
player = resume("state.npz")

"""Executable companion of "Enjoying Non-linearity in Multinomial Logistic Bandits" (REAL).

What is needed to use it as a library; a name is imported when it is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from mnlbandits.errors import InputError

if TYPE_CHECKING:
    from mnlbandits import algorithms
    from mnlbandits.driver import bandit, resume
    from mnlbandits.instances import Instance, make_instance, read_instance
    from mnlbandits.model.kappa import kappa
    from mnlbandits.plots.curves import plot_regret
    from mnlbandits.simulators import simulate
    from mnlbandits.verify.calibration import calibrate

__all__ = [
    "InputError",
    "Instance",
    "algorithms",
    "bandit",
    "calibrate",
    "kappa",
    "make_instance",
    "plot_regret",
    "read_instance",
    "resume",
    "simulate",
]
__version__ = "0.1.0"

PLACES = {
    "Instance": "instances",
    "bandit": "driver",
    "calibrate": "verify.calibration",
    "kappa": "model.kappa",
    "make_instance": "instances",
    "plot_regret": "plots.curves",
    "read_instance": "instances",
    "resume": "driver",
    "simulate": "simulators",
}
"""The modules of the names above."""


def __getattr__(name: str) -> Any:
    if name in PLACES:
        return getattr(importlib.import_module(f"{__name__}.{PLACES[name]}"), name)
    if name == "algorithms":
        return importlib.import_module(f"{__name__}.algorithms")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

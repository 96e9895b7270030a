"""The simulators.

`exact` plays round after round, `counts` skips an exploration phase that does not look at outcomes, `leap` plays the chosen
arm many times at once.
"""

from mnlbandits.simulators.leap import NOISE
from mnlbandits.simulators.runs import SIMULATORS, Runs, simulate

__all__ = ["NOISE", "SIMULATORS", "Runs", "simulate"]

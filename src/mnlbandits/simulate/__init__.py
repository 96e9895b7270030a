"""The simulators: `exact` plays round after round, `counts` skips an exploration phase that does not look at outcomes."""

from mnlbandits.simulate.runs import SIMULATORS, Runs, simulate

__all__ = ["SIMULATORS", "Runs", "simulate"]

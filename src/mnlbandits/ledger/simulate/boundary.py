"""REAL as printed on two short arms, where theta_* is far outside of Theta and the estimate on its boundary.

The gradient does not vanish there, so that a batch of the usual step throws the estimate across Theta (`Field.moved`). In a
mean field the estimate is at rest in log t, but for `Field.settling`: the arms are mixed so that their indices are equal and
their gradients balance, as a play of either lowers its index.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mnlbandits.algorithms import get_algorithm
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.learning import sigma_t
from mnlbandits.ledger.formulas.mended import learning_ridge
from mnlbandits.ledger.formulas.radii import ROOT
from mnlbandits.ledger.formulas.regret import balanced_share, tau_of
from mnlbandits.ledger.simulate.exploration import DELTA, ridge_of
from mnlbandits.ledger.simulate.short_arms import FINE, LENGTH, Share, estimates, two_short_arms
from mnlbandits.seeds import generator
from mnlbandits.simulators import leap
from mnlbandits.simulators.runs import LEAP_RESOLUTION, expected, explore

RIDGE = learning_ridge(2, 2)

STEEP = math.sqrt(2) * LENGTH
"""Difference of logits per unit of the estimate's coordinate."""

START = 1e-5
"""Share of the rounds of learning before which both arms are taken to be played equally often."""

PARTS_OF_LOG_T = (20, 40, 80)
"""Steps per unit of log t, each with half of the step of the one before."""

TAIL = 2e-3
"""Share of the rounds of learning that `share_by_leap` plays at the usual step."""


class Field(NamedTuple):
    """What the mean field of a horizon needs; lengths are along (1, -1)/sqrt(2).

    Attributes
    ----------
    tau : rounds of exploration. radius, ahead : radius of Theta, and the first coordinate of its centre minus the second.
    pulls : of both arms the chance at Theta, 1/2, minus that at theta_*. away : from its centre to theta_*, in radii.
    """

    tau: int
    radius: float
    ahead: float
    pulls: tuple[float, float]
    away: float
    norm: float

    @property
    def settling(self) -> float:
        """Log t in which the estimate crosses a radius of Theta."""
        return self.radius * LENGTH**2 / (2 * STEEP * min(self.pulls))

    def moved(self, step: float) -> float:
        """Radii by which a batch of `step` moves the estimate at most."""
        return step * 2 * STEEP * max(self.pulls) / LENGTH**2 / self.radius

    def rate(self, share: float, rounds: float, sigma: float) -> float:
        """Share of the worse arm in the next of `rounds` rounds of learning, of which it had `share`."""

        def bonus(part: float) -> float:
            weight = RIDGE + rounds * part * LENGTH**2 / 2
            return sigma * STEEP / 4 / math.sqrt(weight) + 3 * sigma**2 * LENGTH**2 / weight

        tilt = (self.ahead - 4 / STEEP * (bonus(share) - bonus(1 - share))) / self.radius
        return float(balanced_share(FLOATS, self.pulls, min(1.0, max(-1.0, tilt))))


def field_of(horizon: float) -> Field:
    """The mean field after the exploration, which plays the arms in turn."""
    instance = two_short_arms()
    ridge, kappa, norm = ridge_of(instance, horizon), instance.constants["kappa"], instance.norm_bound
    tau = math.ceil(tau_of(FLOATS, 4, norm, horizon, kappa, DELTA))
    radius = ROOT * math.sqrt(ridge / (ridge + tau / 2 * LENGTH**2 / kappa))
    centre = estimates(instance, tau / 2, ridge)
    away = float(np.linalg.norm(math.sqrt(2) * instance.theta[0] - centre)) / radius
    first, second = (0.5 - instance.probabilities[:, 0]).tolist()
    return Field(tau, radius, float(centre[0] - centre[1]), (first, second), away, norm)


def share_by_field(field: Field, horizon: float, parts: int) -> float:
    """Share of the worse arm in all rounds, by implicit steps of 1/`parts` in log t."""
    stops = ((horizon - field.tau) * np.geomspace(START, 1, math.ceil(-parts * math.log(START)) + 1)).tolist()
    share = 0.5
    for before, after in pairwise(stops):
        gain, sigma = 1 - before / after, float(sigma_t(FLOATS, 4, field.norm, field.tau + after))

        def excess(found: float, kept=(1 - gain) * share, gain=gain, after=after, sigma=sigma) -> float:
            return found - kept - gain * field.rate(found, after, sigma)

        share = brentq(excess, 1e-9, 1 - 1e-9, xtol=1e-12)
    return share + (0.5 - share) * field.tau / horizon


@cache
def printed_share(horizon: float) -> Share:
    """REAL at the paper's constants, expected outcomes; the error: spread over `PARTS_OF_LOG_T`, start, settling."""
    field = field_of(horizon)
    if field.tau >= horizon:
        return Share(0.5, 0.0, field.tau, math.nan)
    found = [share_by_field(field, horizon, parts) for parts in PARTS_OF_LOG_T]
    return Share(found[-1], max(found) - min(found) + START / 2 + field.settling, field.tau, field.away)


@cache
def share_by_leap(horizon: float, step: float) -> float:
    """The same by `leap`, at `step` but for the first `TAIL` of the rounds of learning."""
    record, instance = get_algorithm("real"), two_short_arms()
    state = record.begin(instance, instance.problem(horizon, DELTA), "paper", {})
    phase = explore(instance, record, state, horizon, LEAP_RESOLUTION)
    pulls, tau = phase.pulls[-1].astype(float), float(phase.t[-1])
    record.exploration.finish(state, phase.design.matrix, expected(instance, pulls))
    loop, stream, ends = leap.loop_of(record), generator("boundary", 0, instance.name), (horizon - tau) * np.array([TAIL, 1])
    for first, last, size in ((0.0, ends[0], FINE), (*ends, step)):
        world = leap.world_of(instance, tau, size, False)
        loop(state, world, float(first), float(last), stream, pulls, np.zeros(1))
    return float(pulls[1]) / horizon


def leap_shares(horizon: float, steps: Sequence[float]) -> list[tuple[float, float, float]]:
    """Step, share and error of `leap`, extrapolated from every step and half of it; the error is the change and `TAIL`/2."""
    found = []
    for step in steps:
        coarse, fine = (share_by_leap(horizon, step / part) for part in (1, 2))
        found.append((step, 2 * fine - coarse, abs(fine - coarse) + TAIL / 2))
    return found

"""REAL at the mended constants, by `leap`, on two arms so short that the printed Theta loses theta_* (`boundary`)."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.real import theta_ratio
from mnlbandits.instances import Instance
from mnlbandits.learners.radii import Radius
from mnlbandits.ledger.arithmetic import FLOATS, Number
from mnlbandits.ledger.formulas.mended import (
    RADIUS_GROWTH,
    RADIUS_LEVEL,
    STEP_SIZE,
    Given,
    last_line,
    learning_ridge,
    tau_mended,
)
from mnlbandits.ledger.formulas.radii import theta_root_mended
from mnlbandits.ledger.formulas.regret import printed_bound
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.simulate.exploration import DELTA, ridge_of
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator
from mnlbandits.simulators import leap
from mnlbandits.simulators.runs import extrapolate

LENGTH = 1e-6
"""Of both arms."""

FINE = 0.01
"""Share of information in a batch."""


class Share(NamedTuple):
    """A whole run.

    Attributes
    ----------
    share : regret over T times the gap. error : bound on its error. tau : rounds of exploration.
    away : distance of theta_* from the centre of Theta over the radius, nan before there is a Theta.
    """

    share: float
    error: float
    tau: float
    away: float


def two_short_arms() -> Instance:
    """K = d = 2, arms LENGTH e_1 and LENGTH e_2, logits (z, -z)/2 with z = -1, -2, rho = (1, 0), S = ||theta_*||."""
    along = np.array([-1.0, -2.0]) / (math.sqrt(2) * LENGTH)
    theta = np.outer([1.0, -1.0], along) / math.sqrt(2)
    return Instance("two short arms", theta, LENGTH * np.eye(2), np.array([1.0, 0.0]), float(np.linalg.norm(along)))


def mended_tau(instance: Instance, horizon: float) -> float:
    """tau of the mended Lemma 1; beyond the counts of the simulators if arms are short."""
    sizes = (instance.outcomes, instance.dim, instance.norm_bound)
    return math.ceil(tau_mended(FLOATS, *sizes, instance.constants["kappa"], horizon, DELTA))


@cache
def mended_share(horizon: float, step: float = FINE) -> Share:
    """REAL with Theta, tau, eta, the first estimate and sigma_t as mended, n rounds of learning for t in its logarithm.

    The arms are orthogonal and equally long, so that the exploration plays them in turn, tau/2 rounds of each.
    """
    record, instance = get_algorithm("real"), two_short_arms()
    tau, most = mended_tau(instance, horizon), horizon * instance.constants["gap"]
    if tau >= horizon:
        return Share(0.5, 0.0, tau, math.nan)
    stops, regret = np.array([horizon - tau]), np.zeros((2, 1, 1))
    for part in (1, 2):
        state, stream = mended_state(instance, horizon, tau), generator(f"mended {part}", 0, instance.name)
        pulls = np.full(2, tau / 2)
        regret[part - 1] = leap.follow(record, state, instance, tau, stops, pulls, step / part, stream, False)
    value, error = extrapolate(*regret, False)
    return Share(float(value[0, 0]) / most, float(error[0, 0]) / most, tau, theta_ratio(state, instance.theta))


def printed_right_side(horizon: float) -> float:
    """The right side of Theorem 1 with C = 1, over T times the gap."""
    constants = two_short_arms().constants
    return printed_bound(FLOATS, constants, horizon, DELTA) / (horizon * constants["gap"])


def mended_right_side(horizon: float, **changed: Number) -> float:
    """The last line of the mended theorem, over the same; `changed` replaces its constants."""
    c = two_short_arms().constants
    lead = c["R"] * math.sqrt(horizon / c["kappa_star"])
    given = Given(c["outcomes"], c["dim"], c["S"], math.log(horizon), -math.log(DELTA), c["kappa"], c["R"], c["nu"], lead)
    return float(sum(last_line(FLOATS, given, **changed))) / (horizon * c["gap"])


def mended_state(instance: Instance, horizon: float, tau: float) -> object:
    """REAL at the end of the mended exploration of `two_short_arms`, with expected outcomes."""
    S, free = instance.norm_bound, (instance.outcomes - 1) * instance.dim
    first, ridge = ridge_of(instance, horizon), learning_ridge(instance.outcomes, instance.dim)
    state = get_algorithm("real").begin(instance, instance.problem(horizon, DELTA), "paper", {})
    weight = math.sqrt(first + tau / 2 * LENGTH**2 / instance.constants["kappa"])
    radius = theta_root_mended(FLOATS, S) * math.sqrt(first)
    fixed = 4 * S**2 * ridge + float(RADIUS_LEVEL) * math.log(1 / DELTA)
    eta, centre = float(STEP_SIZE), estimates(instance, tau / 2, first)
    state = state._replace(
        learner=state.learner._replace(eta=eta, ahead=eta),
        theta_radius=radius,
        sigma=Radius(1.0, 0.0, fixed, 0.0, float(RADIUS_GROWTH) * free, 1 / (free * ridge)),
    )
    learner = state.learner
    learner.centre[0] = centre
    learner.phi[0] = centre * max(0.0, 1 - radius / weight / float(np.linalg.norm(centre)))
    learner.shape[0], learner.shape[1] = weight * np.eye(2), np.eye(2) / weight
    learner.radius[0] = radius
    state.design[:], state.learning[0] = weight**2 * np.eye(2), 1
    return state


def estimates(instance: Instance, pulls: float, ridge: float) -> Array:
    """The ridge estimate, along (1, -1)/sqrt(2), of the expected outcomes of `pulls` rounds of each arm, by Newton."""
    steep, truth = math.sqrt(2) * LENGTH, math.sqrt(2) * instance.theta[0]
    found = truth.copy()
    for j in range(len(found)):
        seen = sigmoid(FLOATS, steep * truth[j])
        for _ in range(60):
            gradient = steep * pulls * (sigmoid(FLOATS, steep * found[j]) - seen) + ridge * found[j]
            found[j] -= gradient / (steep**2 * pulls * slope(FLOATS, steep * found[j]) + ridge)
    return found

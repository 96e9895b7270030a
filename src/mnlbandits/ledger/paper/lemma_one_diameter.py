"""Section 3.1, Lemma 1: how wide Theta is."""

import math
from functools import partial

import numpy as np

from mnlbandits.algorithms.base import ExplorationPlan
from mnlbandits.ledger import finding, search
from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import Balls, Correction, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.estimates import design_matrix
from mnlbandits.ledger.formulas.leverage import elliptical_steps
from mnlbandits.ledger.formulas.radii import ROOT, TAU, diameter_at_tau
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import Box, Effort, column, vectors_box
from mnlbandits.model.softmax import Array
from mnlbandits.simulators.counts import explore

SHORTEST = 3 * 10**8
"""T of the shortest horizons with tau <= T: tau >= 336^2 8 log(T)^2, its value at K = 2, d = 1, S = 0, delta = 1."""

PER_DIMENSION = 2 * math.log(SHORTEST)
"""K log T for them at K = 2."""


def one_arm_diameter(m: Arithmetic, horizon: int, x: Number, root: int = ROOT, tau_constant: int = TAU) -> Number:
    """sqrt(6) diam(Theta) after tau rounds of one arm, K = 2, d = 1; any kappa, S and delta."""
    return diameter_at_tau(m, root, x, m.log(m.number(horizon)), 2 * tau_constant)


def arms_of(d: int, scale: float, **point: float) -> Array:
    """Arms x (N, d) cut to the unit ball, their last entry times 10^scale."""
    arms = np.array(column(point, "x")).reshape(-1, d)
    arms = arms / np.maximum(1.0, np.linalg.norm(arms, axis=1))[:, None]
    arms[:, -1] *= 10.0**scale
    return arms


def widest(m: Arithmetic, arms: Array, pulls: Array, root: int) -> Number:
    """sqrt(6) diam(Theta) = sqrt(6) 2 root max ||x||_{A^-1}, after these pulls, in units of kappa lambda_0."""
    inverse = m.inverse(design_matrix(m, arms, pulls, m.number(1), m.number(1)))
    return m.sqrt(m.number(6)) * 2 * root * m.sqrt(m.maximum(*(x @ inverse @ x for x in m.array(arms))))


def explored_diameter(
    m: Arithmetic, d: int, scale: float, tau_constant: int = TAU, root: int = ROOT, **point: float
) -> Number:
    """sqrt(6) diam(Theta) after tau_constant kappa lambda_0 K d log T rounds, K = 2; the picks are the simulator's."""
    arms = arms_of(d, scale, **point)
    if not arms.any():
        return 0.0
    tau = math.ceil(tau_constant * d * PER_DIMENSION)
    design = explore(arms, ExplorationPlan(1.0, 1.0, tau, 0.0, float(root)), np.array([tau]), 300)
    return math.sqrt(6) * design.diameters[-1] if m is FLOATS else widest(m, arms, design.pulls[-1], root)


def diameter_box(d: int) -> Box:
    """d + 1 arms, or one for d = 1, and the scale of their last entry."""
    return vectors_box(x=((d + 1) * d if d > 1 else 1, 1.0)) | {"scale": (-6.0, 0.0)}


def squared_diameter(m: Arithmetic, share: Number, tau_constant: int = TAU, root: int = ROOT) -> Number:
    """A bound of 6 diam(Theta)^2 for K log T = 2 log(3e8)/share: see the words of `DIAMETER_PROOF`."""
    least = 2 * m.log(m.number(SHORTEST))
    logarithm = share * m.log(1 + tau_constant * least) + 1 - share
    return 6 * 4 * root**2 * (1 + 1 / (2 * least)) * logarithm / (tau_constant * least)


DIAMETER_PROOF = Balls(
    squared_diameter,
    {"share": (0.0, 1.0)},
    words=r"for every $K \ge 2$, $d$, $\mathcal X$: with $w = \kappa\lambda_0$, $B_s = w I + \sum_{r \le s} x_r x_r^\top$ and $q_s = x_s^\top B_{s-1}^{-1} x_s \le 1/w$, scores decrease, so $\tau \max_x \|x\|^2_{B_\tau^{-1}} \le \sum_s q_s \le (1 + 1/w) \sum_s \log(1 + q_s) = (1 + 1/w) \log(|B_\tau|/w^d) \le (1 + 1/w) d \log(1 + \tau/(w d))$; $\operatorname{diam}(\Theta)^2 = 4 \cdot 84^2 w \max_x \|x\|^2_{B_\tau^{-1}}$, $w \ge 4 \log(3 \cdot 10^8)$, and $\log(1 + a y) \le \log(1 + a y_0) + y/y_0 - 1$ for $y = K \log T \ge y_0 = 2 \log(3 \cdot 10^8)$",
)


def horizon_over_printed_tau(m: Arithmetic, level: Number, tau_constant: int = TAU) -> Number:
    """T over the least tau, log T = `level`: K = 2, d = 1, S = 0, delta = 1, kappa = 2."""
    return m.exp(level) / (8 * tau_constant * level**2)


PRINTED_HORIZONS = Balls(
    horizon_over_printed_tau,
    {"level": (math.log(2) - 0.01, math.log(SHORTEST))},
    words=r"$2 \le T$ and $\tau \le T$ only if $T > 3 \cdot 10^8$",
)


def certified_diameter(tau_constant: int, root: int) -> Certificate | Open | None:
    """The proof, if its identities hold."""
    if not elliptical_steps():
        return None
    narrow = partial(DIAMETER_PROOF, tau_constant=tau_constant, root=root)
    return Together((narrow, partial(PRINTED_HORIZONS, tau_constant=tau_constant)))()


def diameter(effort: Effort, tau_constant: int = TAU, root: int = ROOT) -> Finding:
    """The widest Theta that a search over sets of arms finds; a violation is computed again from its pulls."""
    constants = {"tau_constant": tau_constant, "root": root}
    cases = [{"d": 1}, {"d": 2}, {"d": 3}]
    worst = search.worst_over(explored_diameter, cases, diameter_box, effort.share(0.03), **constants)
    proof = certified_diameter(**constants) if worst.value <= 1 else None

    def fixed(m: Arithmetic, **point: object) -> Number:
        """At the worst point, whose pulls are computed in floats whatever the arithmetic."""
        return explored_diameter(m, **{**worst.point, **constants})

    return finding.inequality(worst._replace(point={}), fixed, DIAMETER_NOTE, True, proof)


DIAMETER_NOTE = r"the bound of an optimal design is $\sqrt 6 \cdot 168/(336 \sqrt{K \log T})$, free of $d$"

HORIZON_NOTE = r"$T \ge \max(\tau, 2)$, which is not said: an exploration that fits into the horizon, as Algorithm 2 needs it; $\tau \le T$ is possible only above $T = 3 \cdot 10^8$"

C122 = claim(
    "C122",
    Statement(
        place="Lemma 1, second statement",
        lines=(369, 374),
        kind="lemma",
        prints=r"Let $\delta\in(0,1]$, $\lambda_0 = (S+1) Kd \log(T/\delta)$ and $\tau = 336^2 \lambda_0 \kappa Kd\log(T)$. Then, the set $\Theta$ returned by Algorithm 1 satisfies with probability $1-\delta$ $\operatorname{diam}(\Theta) \le 1/\sqrt{6}$.",
        quantifiers=r"for every $S$, $K$, $d$, $T$ and $\mathcal X$",
        reading=r"$\Theta$ after $\tau$ rounds of Algorithm 1. The lemma does not say that $T \ge \tau$, without which these rounds are more than Framework 1 has",
    ),
    Correction(
        "condition",
        Inequality(
            one_arm_diameter,
            cases=({"horizon": 2, "x": 1.0},),
            note=r"$T = 2$, $K = 2$, $d = 1$, one arm $x = 1$ for $\tau$ rounds: $V_\tau = \lambda_0 (1 + 336^2 \cdot 2 \log 2)$, $\operatorname{diam}(\Theta) = 168/\sqrt{1 + 336^2 \cdot 2 \log 2}$ for every $S$ and $\delta$; at $T = 1$, where $\tau = 0$, it is $168$",
            fixed={"root": ROOT, "tau_constant": TAU},
        ),
        diameter,
        HORIZON_NOTE,
    ),
    domain=r"printed: $T = 2$, $K = 2$, $d = 1$, one arm. Corrected: every $K \ge 2$, $d$ and $\mathcal X$, $T \ge \max(\tau, 2)$ (searched: $K = 2$, $T = 3 \cdot 10^8$; $d = 1$: one arm; $d = 2, 3$: $d + 1$ arms, their last entry scaled by $10^{-6}$ to 1)",
    planted={"tau_constant": 2 * TAU, "root": 80, "mended_tau_constant": 336, "mended_root": 840},
    module=__name__,
)

"""Algorithm 2, REAL: its first estimate, its matrices and its step."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from mnlbandits.learners.learner import make_learner
from mnlbandits.learners.mirror_descent import learn
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Balls, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, held
from mnlbandits.ledger.formulas.beyond_theta import radius_at_boundary, truth_inside
from mnlbandits.ledger.formulas.recursion import least_point_near
from mnlbandits.ledger.search import Effort
from mnlbandits.model.softmax import contrast_basis, loss_gradient, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.textbook.solvers import mirror_descent

NARROW = {"S": (1.0, 1.0), "x": (1e-7, 1e-7)}
"""One point, as a box."""

HORIZON_OF_START = {"horizon": 10**12}

C127 = claim(
    "C127",
    Statement(
        place="Algorithm 2, line 2 (initialisation)",
        lines=(420, 421),
        kind="algorithm",
        prints=r"$\theta_{\tau+1}$ may not be any point of $\Theta$: from its boundary $\lVert \theta_* - \theta_{t+1} \rVert_{\bar W_{t+1}} > \sigma_t$ in round $t = \tau + 1$, on the event of Lemma 1.",
        reading=r"Ours: Algorithm 2 sets $W_{\tau+1}$ and $\bar W_{\tau+1}$ and leaves $\theta_{\tau+1}$ open. Its index suggests $\hat\theta_{\tau+1}$, the centre of $\Theta$ (C135c). $2 S \sqrt\lambda$ in $\sigma_t$ needs $\lVert \theta_{\tau+1} - \theta_* \rVert \le 2 S$ but for noise, and $\Theta$ can be 168 wide where the arms are short. It is the counterexample to Lemma 2 as printed (C135).",
        labels=("algo:learning routine",),
    ),
    All(
        [
            Inequality(
                radius_at_boundary,
                NARROW,
                [HORIZON_OF_START],
                share=0.01,
                note=r"$\sigma_T$ over $\lVert \theta_* - \theta_{\tau+2} \rVert_{W_{\tau+2}}$ from the boundary, for all outcomes",
                proof=Balls(radius_at_boundary, NARROW, [HORIZON_OF_START], words="one point, for all outcomes"),
            ),
            Inequality(
                truth_inside,
                NARROW,
                [HORIZON_OF_START],
                share=0.01,
                note=r"$\theta_* \in \Theta$ for all outcomes",
                proof=Balls(truth_inside, NARROW, [HORIZON_OF_START], words="the same point"),
            ),
        ]
    ),
    domain=r"one instance: $K = 2$, $d = 1$, the single arm $10^{-7}$, $S = 1$, $T = 10^{12}$, $\delta = 0.05$, all outcomes",
    planted={"root": 1},
    ours=True,
    module=__name__,
)

C127b = claim(
    "C127b",
    Statement(
        place="Algorithm 2, line 2 (initialisation)",
        lines=(420, 421),
        kind="algorithm",
        prints=r"$\lVert \theta_{\tau+1} - \theta_* \rVert \le S$ for the point $\theta_{\tau+1}$ of $\Theta$ of least norm, on the event of Lemma 1.",
        hypotheses=r"$\theta_* \in \Theta$, $\lVert \theta_* \rVert \le S$",
        reading=r"Ours: a start from which $2 S \sqrt\lambda$ covers the first distance, with room to spare.",
    ),
    Identities(
        least_point_near,
        r"$\lVert \theta_* \rVert^2 = \lVert p \rVert^2 + 2 \langle p, \theta_* - p \rangle + \lVert \theta_* - p \rVert^2$ in every coordinate, and $\langle p, \theta_* - p \rangle \ge 0$ for the point $p$ of least norm of a convex set that holds $\theta_*$",
    ),
    domain=r"any $K$, $d$, $S$ and convex closed $\Theta$ with $\theta_* \in \Theta$",
    planted={"factor": Fraction(1, 2)},
    ours=True,
    module=__name__,
)


def sums_of_algorithm(late: int = 0) -> bool:
    """Whether W_{t+1} = W_t + M_t takes the sum over tau + 1, ..., t - 1 to that over tau + 1, ..., t; `late` M_t is in it before."""
    ridge, before, own = unknowns("ridge", "before", "own")
    start, at_start = ridge, ridge + 0 * before
    return start == at_start and (ridge + before + late * own) + own == ridge + (before + own)


C129b = claim(
    "C129b",
    Statement(
        place="Algorithm 2, lines 2, 9 and 10, and Appendix A",
        lines=(426, 429),
        kind="algorithm",
        prints=r"$W_{t+1} = W_t + \nabla\mu(\theta_{t+1} x_t) \otimes x_t x_t^\top$, $\bar W_{t+1} = \bar W_t + \nabla\mu(\theta_{t+1} x_t) \otimes x_t x_t^\top + 1_K 1_K^\top \otimes x_t x_t^\top$ from $W_{\tau+1} = \bar W_{\tau+1} = \lambda I_{Kd}$; in Appendix A (lines 621-622) $W_t := \sum_{s=\tau+1}^{t-1} \nabla\mu(\theta_{s+1} x_s) \otimes x_s x_s^\top + \lambda I_{Kd}$, and $\bar W_t$ with $\sum_{s=\tau+1}^{t-1} 1_K 1_K^\top \otimes x_s x_s^\top$ besides.",
        quantifiers=r"for all $t > \tau$",
        reading=r"The two say the same.",
    ),
    Identities(
        sums_of_algorithm, r"by induction: both are $\lambda I$ in round $\tau + 1$, and a round adds the same term to both"
    ),
    domain=r"any $K$, $d$, arms and iterates, as unknown matrices",
    planted={"late": 1},
    module=__name__,
)


def step_is_minimiser() -> bool:
    """The identities of `MINIMISER`, coordinate by coordinate, and that gradient and matrix keep to Pi R^{K x d}."""
    gradient, w, start, v, centre, multiplier, other = unknowns("g", "w", "start", "v", "centre", "multiplier", "other")
    found = (w * start + multiplier * v * centre - gradient) / (w + multiplier * v)
    rise = gradient * (other - found) + w * ((other - start) ** 2 - (found - start) ** 2) / 2
    apart = (w + multiplier * v) * (other - found) ** 2 / 2
    outwards = multiplier * v * ((found - centre) ** 2 - (other - centre) ** 2) / 2
    falling = found - centre == (w * (start - centre) - gradient) / (w + multiplier * v)
    weights = unknowns("e1", "e2", "e3")
    p = [weight / sum(weights) for weight in weights]
    flat = sum(p) == 1 and all(a - sum(a * b for b in p) == 0 for a in p)
    return rise == apart + outwards and falling and flat


MINIMISER = Exactly(
    step_is_minimiser,
    r"with $W = \tilde W_t/\eta$, $V$ of $\Theta$ and its centre $c$, both diagonal in one basis: $\hat\theta(m) = (W + m V)^{-1} (W \theta_t + m V c - \nabla\ell)$ has objective$(\theta)$ - objective$(\hat\theta) = \frac12 \lVert \theta - \hat\theta \rVert^2_{W + m V} + \frac m2 (\lVert \hat\theta - c \rVert_V^2 - \lVert \theta - c \rVert_V^2)$, positive on $\Theta$ but at $\hat\theta$ if $m = 0$ and $\hat\theta \in \Theta$ or $m > 0$ and $\hat\theta$ is on the boundary; $\lVert \hat\theta(m) - c \rVert_V$ falls to 0 as $m$ grows, so one of the two occurs; $1^\top (\mu - e_y) = 0$ and $\nabla\mu 1 = 0$ keep it in $\Pi \mathbb R^{K \times d}$; any $K$ and $d$",
)


def compared_step(stream: np.random.Generator, factor: float) -> tuple[float, float, bool]:
    """A random step, compiled: its difference from the textbook's, least slope towards Theta, whether on the boundary."""
    basis, arms = contrast_basis(3), stream.uniform(-0.7, 0.7, (4, 2))
    learner = make_learner(basis, arms, np.ones(3), 10 ** stream.uniform(-1, 1), 1.0, 10 ** stream.uniform(-2, 1))
    for _ in range(3):
        learn(learner, int(stream.integers(4)), int(stream.integers(3)))
    arm, outcome = int(stream.integers(4)), int(stream.integers(3))
    theta, lift, x, radius = basis @ learner.phi, np.kron(basis, np.eye(2)), arms[arm], learner.radius[0]
    whole = lift @ learner.w @ lift.T + learner.w[0, 0] * (np.eye(6) - lift @ lift.T)
    matrix = whole + np.kron(softmax_jacobian(theta @ x), np.outer(x, x))
    gradient = loss_gradient(theta, x, outcome).ravel()
    learn(learner, arm, outcome)
    found = (basis @ learner.phi).ravel()
    solved, bounded = mirror_descent(theta.ravel(), gradient, matrix, factor / 2, np.zeros(6), np.eye(6), radius)
    descent = gradient + matrix @ (found - theta.ravel()) * 2 / factor
    others = lift @ stream.standard_normal((4, 50))
    others *= radius / np.linalg.norm(others, axis=0)
    lowest = ((others - found[:, None]).T @ descent).min() / (np.linalg.norm(gradient) * radius)
    return float(np.linalg.norm(found - solved) / np.linalg.norm(found)), float(lowest), bool(bounded)


def mirror_step(effort: Effort, factor: float = 2.0) -> Finding:
    """The compiled step against the textbook's and the first-order condition, beside the proof that it is the minimiser."""
    stream, count = generator("claims", 0, "mirror step"), effort.draws // 10
    differences, slopes, bounded = zip(*(compared_step(stream, factor) for _ in range(count)), strict=True)
    largest, lowest = max(differences), min(slopes)
    evidence = (
        f"largest relative difference of the two {largest:.3g}, {sum(bounded)} of {count} on the boundary; "
        f"first-order condition violated by at most {max(0.0, -lowest):.3g}"
    )
    if largest > 1e-7 or lowest < -1e-7:
        return Finding(
            "refuted", "searched", difference=largest, counterexample=f"the step differs by {largest:.3g}", evidence=evidence
        )
    return replace(held(math.nan, evidence, MINIMISER(), loose=False), difference=largest)


C130 = claim(
    "C130",
    Statement(
        place="Algorithm 2, line 8",
        lines=(427, 427),
        kind="algorithm",
        prints=r"$\operatorname{argmin}_{\theta \in \Theta} \langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \frac{1}{2\eta} \lVert \theta - \theta_t \rVert^2_{\tilde W_t}$ is a unique point of $\Pi \mathbb R^{K \times d}$, found in closed form inside $\Theta$ and by one scalar equation on its boundary.",
        reading=r"Ours: how the step of Algorithm 2 is computed.",
    ),
    mirror_step,
    domain=r"any $K$, $d$; in floats $K = 3$, $d = 2$, random $\theta_t$, $W_t$, arms, outcomes and radii of $\Theta$: the compiled step against the textbook's solver",
    planted={"factor": 3.0},
    ours=True,
    module=__name__,
)

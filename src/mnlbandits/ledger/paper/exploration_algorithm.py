"""Section 3.1: Algorithm 1."""

import math
from fractions import Fraction

import numpy as np

from mnlbandits.algorithms.design import greedy_pulls
from mnlbandits.instances import make_instance
from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.designs import design_score, score_norms, with_arm
from mnlbandits.ledger.formulas.frameworks import (
    along_logit,
    centring_shortens,
    law_of,
    shift_keeps_law,
    unknown_vectors,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid, slope, softmax
from mnlbandits.ledger.formulas.vectors import centred, dot
from mnlbandits.ledger.search import Effort, column, vectors_box
from mnlbandits.ledger.simulate.exploration import ridge_of


def exploration_rule(effort: Effort, sign: int = 1) -> Finding:
    """Picks of the simulator that do not maximise the printed norm: scores in fractions, and the norms as identities."""
    instance = make_instance("rule", "random", {"outcomes": 3, "dim": 2, "arms": 20})
    kappa, ridge, rounds = instance.constants["kappa"], ridge_of(instance), effort.rounds // 10
    pulls = np.zeros((rounds, 20), dtype=np.int64)
    greedy_pulls(instance.arms.copy(), kappa, ridge, np.arange(1, rounds + 1), 0.0, rounds, pulls)
    arms = [[Fraction(entry) for entry in x] for x in instance.arms.tolist()]
    first = Fraction(ridge) * Fraction(kappa)
    entries, wrong = (first, Fraction(0), first), 0
    for picked in np.diff(pulls, axis=0, prepend=0).argmax(axis=1).tolist():
        scores = [sign * design_score(*entries, x) for x in arms]
        wrong += scores[picked] < max(scores)
        entries = with_arm(*entries, arms[picked])
    evidence = f"{wrong} of {rounds} picks do not maximise the printed norm, in fractions; both norms of unknown $A$ and $x$"
    return finding.exactly(score_norms() and not wrong, evidence, f"{wrong} of {rounds} picks")


C104 = claim(
    "C104",
    Statement(
        place="Algorithm 1, lines 1, 3 and 6",
        lines=(352, 357),
        kind="algorithm",
        prints=r"$V_0 = \lambda_0 I_{Kd}$; $x_t \in \arg\max_{x \in \mathcal X} \|I_K \otimes x\|_{V_{t-1}^{-1}}$; $V_t = V_{t-1} + \frac{1}{\kappa} I_K \otimes x_t x_t^\top$.",
        reading=r"As $V = I_K \otimes A$ with $A = \lambda_0 I + \sum x x^\top/\kappa$, the square of the norm is $x^\top A^{-1} x$ (spectral norm) or $K$ times that (Frobenius): one rule, independent of the outcomes.",
        labels=("algo:exploration routine",),
    ),
    exploration_rule,
    domain=r"both norms as identities in unknown $A$ and $x$, $K = 3$, $d = 2$; the simulator's picks ($d \times d$) among 20 random arms, each compared in fractions",
    planted={"sign": -1},
    module=__name__,
)

OUTCOMES = (1, 0, 1, 1)
"""Whether the first outcome came up in rounds 1, 2, 3 and 4."""


def estimate_equation(m: Arithmetic, rounds: int, ridge: Number, first: int = 1) -> Number:
    """|g(hat theta) - sum of e_y (x) x| over its largest value, hat theta from the losses l_s, s = first, ...; K = 2, x = 1."""
    used = [OUTCOMES[s - 2] for s in range(first, rounds + first) if s >= 2]  # l_s is the loss of round s - 1
    root, b = m.sqrt(2), 0 * ridge
    for _ in range(60):
        gradient = ridge * b + root * sum(sigmoid(m, root * b) - y for y in used)
        b = b - gradient / (ridge + 2 * len(used) * slope(m, root * b))
    difference = ridge * b + root * sum(sigmoid(m, root * b) - y for y in OUTCOMES[:rounds])
    return abs(difference) / (root * rounds)


def estimate_gradient(first: int) -> bool:
    """Whether the losses are those of rounds 1 to tau, and their gradient in z, from log sum exp(z), is mu(z) - e_y."""
    (e,) = unknown_vectors(e=4)
    gradient = [along_logit(sum(e), e, k) / sum(e) for k in range(4)]
    return all(a == b for a, b in zip(gradient, law_of(e), strict=True)) and first - 1 == 1


ROUNDS_AND_RIDGES = tuple({"rounds": rounds, "ridge": ridge} for rounds in (1, 2, 3, 4) for ridge in (1.0, 0.1, 10.0))

C105 = claim(
    "C105",
    Statement(
        place="Algorithm 1, line 7",
        lines=(359, 359),
        kind="algorithm",
        prints=r"$\hat\theta_{\tau+1} = \arg\min_{\theta \in \mathbb R^{K \times d}} \sum_{s=1}^\tau \ell_s(\theta) + \frac{\lambda_0}{2} \|\theta\|^2$.",
        reading=r"$\hat\theta_{\tau+1}$ minimises this and satisfies $g_\tau(\hat\theta_{\tau+1}) = \sum_{s \le \tau} e_{y_s} \otimes x_s$, as the appendix uses it, with $\ell_{t+1}$ the loss of round $t$ (Section 2) and $\ell_1 = 0$.",
    ),
    Correction(
        "misprint",
        Equality(estimate_equation, cases=ROUNDS_AND_RIDGES, examples=ROUNDS_AND_RIDGES[:1], fixed={"first": 1}),
        Equality(
            estimate_equation,
            cases=ROUNDS_AND_RIDGES,
            fixed={"first": 2},
            proof=Exactly(
                estimate_gradient,
                r"the gradient of $\ell_{s+1}$ is $(\mu(\theta x_s) - e_{y_s}) \otimes x_s$, checked for unknown logits, and that of the objective, $g_\tau(\theta) - \sum_s e_{y_s} \otimes x_s$, is 0 at its minimiser: for every $K$, $d$ and $\tau$",
            ),
        ),
        r"misprint: $\sum_{s=1}^\tau \ell_{s+1}$, the losses of rounds 1 to $\tau$, as $g_\tau$ in the appendix has it",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, 1 to 4 rounds with outcomes $(1, 2, 1, 1)$, $\lambda_0 \in \{0.1, 1, 10\}$; corrected: all",
    planted={"first": 2},
    module=__name__,
)


def centring_gain(
    m: Arithmetic, ridge: Number, x: Number, ridge_factor: Fraction = Fraction(1, 2), **point: Number
) -> Number:
    """Objective at theta minus that at Pi theta against lambda_0/2 ||theta - Pi theta||^2, relative; K = 3, d = 1, y = all."""
    theta = column(point, "t")
    offset = sum(theta) / 3

    def objective(rows: list[Number]) -> Number:
        data = -sum(m.log(p) for p in softmax(m, [row * x for row in rows]))
        return data + ridge / 2 * dot(rows, rows)

    gain = objective(theta) - objective(centred(theta))
    return abs(gain - ridge_factor * ridge * 3 * offset**2) / (1 + objective(theta))


def objective_splits(ridge_factor: Fraction = Fraction(1, 2)) -> bool:
    """mu does not change with a common factor of its exponentials, and ||theta||^2 - ||Pi theta||^2 = K mean^2, by columns."""
    total, K, ridge = unknowns("total", "K", "ridge")
    gain = ridge / 2 * (total**2 / K)
    return shift_keeps_law() and centring_shortens() and gain == ridge_factor * ridge * K * (total / K) ** 2


C106 = claim(
    "C106",
    Statement(
        place="Algorithm 1, line 7; Proposition 3, proof, Step 3",
        lines=(898, 898),
        kind="algorithm",
        prints=r"The minimiser $\hat\theta_{\tau+1}$ over $\mathbb R^{K \times d}$ lies in $\Pi \mathbb R^{K \times d}$.",
    ),
    Equality(
        centring_gain,
        vectors_box(t=(3, 5.0)) | {"ridge": (0.1, 10.0), "x": (0.0, 1.0)},
        note=r"so the minimiser is centred for every $\lambda_0 > 0$",
        proof=Exactly(
            objective_splits,
            r"$\mu(\theta x) = \mu(\Pi \theta x)$ and $\|\theta\|^2 - \|\Pi\theta\|^2 = K \|\text{mean of the rows}\|^2$, from sums of terms: for every $K$ and $d$",
        ),
    ),
    domain=r"objective at $\theta$ minus that at $\Pi\theta$ is $\frac{\lambda_0}{2} \|\theta - \Pi\theta\|^2$: every $K$, $d$, $\theta$, $x$, $\lambda_0$ (searched: $K = 3$, $d = 1$, $\theta \in [-5, 5]^3$)",
    planted={"ridge_factor": Fraction(1, 3)},
    module=__name__,
)


def kappa_growth(m: Arithmetic, K: int, S: int | Fraction, factor: int = 1, square: int = 6) -> Number:
    """kappa at S + 1/sqrt(square) over factor times kappa at S; certified from the safe sides where K > 2."""
    if K == 2:
        S, wider = m.number(S), m.number(S) + 1 / m.sqrt(m.number(square))
        return binary_curvature(m, S) / binary_curvature(m, wider) / factor
    wide = kappa_once(K, float(S) + 1 / math.sqrt(square), "frobenius").lower
    return m.number(wide) / m.number(kappa_once(K, float(S), "frobenius").upper) / factor


def kappa_growth_below_e(m: Arithmetic, K: int, S: int | Fraction) -> Number:
    """`kappa_growth` over e."""
    return kappa_growth(m, K, S) / m.e


KAPPA_CASES = tuple({"K": K, "S": S} for K, S in ((2, 1), (2, Fraction(1, 2)), (2, 2), (2, 4), (2, 8), (3, 1), (4, 1)))

C107 = claim(
    "C107",
    Statement(
        place=r"Algorithm 1, output; proof of Theorem 1, Step 2 ($U_t \preceq \bar W_t$)",
        lines=(360, 360),
        kind="algorithm",
        prints=r"$\Theta := \{\theta \in \Pi \mathbb R^{K \times d} : \|\theta - \hat\theta_{\tau+1}\|^2_{V_\tau} \le 84^2 \lambda_0\}$.",
        reading=r"$\Theta$ is not cut to $\|\theta\| \le S$; around $\theta_*$ with diameter $1/\sqrt 6$ its elements keep $\lambda_{K-1}(\nabla\mu(\theta x)) \ge 1/\kappa$, which $U_t \preceq \bar W_t$ takes from them.",
    ),
    Correction(
        "constant",
        Inequality(
            kappa_growth,
            cases=KAPPA_CASES,
            examples=KAPPA_CASES[:1],
            note=r"largest at $\|\theta x\| = S + 1/\sqrt 6$; $\Theta$ is narrower after $\tau$ rounds (C122), but at $K = 2$ any part of it beyond $S$ is a violation, as $\kappa = 1 + \cosh(\sqrt 2 S)$ there",
        ),
        Inequality(
            kappa_growth_below_e,
            cases=KAPPA_CASES,
            proof=Exactly(
                growth_below,
                r"$\nabla\mu(z + e) \succeq \exp(-\sqrt 2 \|e\|) \nabla\mu(z)$ and $\sqrt 2/\sqrt 6 \le 1$: for every $K$ and $S$",
            ),
        ),
        r"$1/(e \kappa)$, by self-concordance; $\exp(1/\sqrt 3) = 1.78$ for $e$ is the best factor. $U_t$ then needs $1/(e \kappa)$ for $1/\kappa$, which multiplies the $\kappa$ term of Theorem 1 by at most $e$ and leaves its leading term; or $\Theta$ is cut to $\|\theta\| \le S$, which keeps $\theta_*$",
    ),
    domain=r"$K = 2$ ($S = 1/2, 1, 2, 4, 8$), $K = 3$ ($S = 1$), $K = 4$ ($S = 1$); logits within $S + 1/\sqrt 6$; corrected: every $K$ and $S$",
    planted={"factor": 3},
    module=__name__,
)

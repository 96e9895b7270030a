"""Section 3.1: Algorithm 1."""

from fractions import Fraction

import numpy as np

from mnlbandits.instances import make_instance
from mnlbandits.learners.design import greedy_pulls
from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.designs import design_score, score_norms, with_arm
from mnlbandits.ledger.formulas.frameworks import (
    along_logit,
    centring_shortens,
    law_of,
    shift_keeps_law,
    unknown_vectors,
)
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.vectors import centred, dot
from mnlbandits.ledger.search import Effort, column, vectors_box
from mnlbandits.ledger.simulate.exploration import ridge_of


def exploration_rule(effort: Effort, sign: int = 1, power: int = 1) -> Finding:
    """The norms as identities, and picks of the simulator that do not maximise the printed norm, scores in fractions."""
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
    evidence = f"both norms of unknown $A$ and $x$; by induction $V_{{t-1}}$ and $x_t$ are free of outcomes, as $V_t$ is made of these two alone; {wrong} of {rounds} picks of the simulator do not maximise the norm, in fractions"
    same = score_norms(power)
    return finding.exactly(same and not wrong, evidence, f"{wrong} of {rounds} picks" if same else "the norms differ")


C104 = claim(
    "C104",
    Statement(
        place="Algorithm 1, lines 1, 3 and 6",
        lines=(352, 357),
        kind="algorithm",
        prints=r"The choice $x_t \in \arg\max_{x \in \mathcal X} \|I_K \otimes x\|_{V_{t-1}^{-1}}$ is one rule for the spectral and the Frobenius norm, and does not depend on outcomes.",
        hypotheses=r"ties are broken without looking at outcomes, of which the source says nothing",
        reading=r"without the hypothesis it may: with $\mathcal X = \{e_1, e_2\}$ the rounds 1 and 3 are exact ties, and 'in round 3 $e_1$ if and only if $y_1 = 1$' is a run of Algorithm 1. As $V = I_K \otimes A$ with $A = \lambda_0 I + \sum x x^\top/\kappa$, the square of the norm is $x^\top A^{-1} x$ (spectral norm) or $K$ times that (Frobenius)",
        labels=("algo:exploration routine",),
    ),
    exploration_rule,
    domain=r"both norms as identities in unknown $A$ and $x$ at $K = 3$, $d = 2$: $V$ has $K$ equal blocks, and a plane holds $x$ and $A^{-1} x$, so for every $K$ and $d$; besides, the first picks of this package's simulator ($d \times d$) among 20 random arms",
    planted={"sign": -1, "power": 2},
    ours=True,
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
        "constant",
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
        r"$\sum_{s=1}^\tau \ell_{s+1}$, the losses of rounds 1 to $\tau$, as $g_\tau$ in the appendix has it: one index too low, which leaves the last outcome out where the line is carried out as it stands",
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
        prints=r"Recall that $\theta_* \in \Pi \mathbb R^{K \times d}$ and $\hat\theta_{t+1} \in \Pi \mathbb R^{K \times d}$.",
        reading=r"the second one, of the minimiser over $\mathbb R^{K \times d}$",
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

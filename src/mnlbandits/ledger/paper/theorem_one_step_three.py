"""Appendix F.3, proof of Theorem 1, Step 3: the sum of the first bonuses, decomposed."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.orders import square_form
from mnlbandits.ledger.formulas.softmax import jacobian_of, sigmoid, slope, softmax
from mnlbandits.ledger.formulas.vectors import centred, scaled
from mnlbandits.ledger.search import Box, column, rewards_box, vectors_box


def contrast_rows(m: Arithmetic, K: int) -> NDArray:
    """An orthonormal basis (K - 1, K) of Pi R^K, K = 2 or 3."""
    rows = ([1, -1], [1, 1, -2])[: K - 1]
    return m.array(
        [[m.number(entry) / m.sqrt(sum(a * a for a in row)) for entry in row] + [0] * (K - len(row)) for row in rows]
    )


def in_contrasts(m: Arithmetic, z: Sequence[Number]) -> tuple[NDArray, NDArray]:
    """grad mu(z) and its root on Pi R^K (K - 1, K - 1), K = 2 or 3: sqrt(A) = (A + s I)/sqrt(tr A + 2 s), s^2 = det A = 3 p_1 p_2 p_3."""
    p = softmax(m, z)
    basis = contrast_rows(m, len(p))
    curved = basis @ jacobian_of(m, p) @ basis.T
    if len(p) == 2:
        return curved, m.array([[m.sqrt(curved[0, 0])]])
    s = m.sqrt(3 * p[0] * p[1] * p[2])
    return curved, (curved + s * identity(m, 2)) / m.sqrt(np.trace(curved) + 2 * s)


def step_three(
    m: Arithmetic,
    K: int,
    weight: Number,
    asked: Number,
    learnt: Number,
    norms: bool = False,
    exponent: int | Fraction = 1,
    square: int = 6,
    **point: Number,
) -> Number:
    """eps_1/sigma over exp(exponent) times its bound; `norms`: with the norms of matrix and vector apart.

    d = 1, lambda = 144 K; the arm `learnt` was played 10^weight times at theta_t; theta_* = theta_t + e, ||e||^2 <= 1/square.
    All is on Pi R^K, where grad mu maps to and 11^T is 0.
    """
    here, away, rewards = column(point, "t"), centred(column(point, "e")), column(point, "r")
    if m.maximum(*rewards) - m.minimum(*rewards) < 1e-3:
        return 0 * asked
    away = scaled(m, away, 1 / m.sqrt(m.number(square))) if square * sum(entry**2 for entry in away) > 1 else away
    seen, _ = in_contrasts(m, [entry * learnt for entry in here])
    inverse = m.inverse(144 * K * identity(m, K - 1) + 10**weight * learnt**2 * seen)
    curved, root = in_contrasts(m, [entry * asked for entry in here])
    _, true_root = in_contrasts(m, [(a + b) * asked for a, b in zip(here, away, strict=True)])
    rho = contrast_rows(m, K) @ m.array(rewards)
    slopes, left = true_root @ rho, m.sqrt(square_form((curved @ rho).tolist(), inverse))
    if norms:
        right = m.sqrt(m.eigenvalues(root @ inverse @ root)[-1]) * m.norm(slopes.tolist())
    else:
        right = m.sqrt(square_form((root @ slopes).tolist(), inverse))
    return left / (m.exp(m.number(exponent)) * right)


def step_three_box(K: int) -> Box:
    """The coordinates of `step_three`."""
    numbers = {"weight": (0.0, 9.0), "asked": (0.05, 1.0), "learnt": (-1.0, 1.0)}
    return vectors_box(t=(K, 6.0), e=(K, 1.0)) | rewards_box(K) | numbers


HALF_EXPONENT = Fraction(1, 2)

HALF_POWERS = (
    {"weight": 6.0, "asked": 1.0, "learnt": -1.0, "r0": 1.0, "r1": 0.58, "r2": 0.0}
    | {f"t{k}": entry for k, entry in enumerate((-3.0, 3.0, -3.0))}
    | {f"e{k}": entry for k, entry in enumerate((0.25, 0.0, -0.25))}
)
"""K = 3: the short counterexample to the line (Self-concordance)."""


def split_by_concordance(exponent: int | Fraction = 1, norms: bool = True, square: int = 6) -> bool:
    """G_t <= exp(sqrt(2) ||e||) G_*, ||e||^2 <= 1/square, the root of the factor at most exp(exponent); the sums by Cauchy-Schwarz."""
    small = bool(2 * BALLS.number(exponent) > BALLS.sqrt(2) / BALLS.sqrt(square))
    return norms and growth_below(2) and small and cauchy_schwarz()


SPLIT = Inequality(
    step_three,
    step_three_box,
    cases=({"K": 2}, {"K": 3}),
    fixed={"norms": True, "square": 1},
    share=0.15,
    note=r"what Step 3 is for holds, with $\exp(1/\sqrt 2) = 2.03$ for $e$, and $\exp(1/\sqrt{12}) = 1.335$ where $\mathrm{diam}(\Theta) \le 1/\sqrt 6$",
    proof=Exactly(
        split_by_concordance,
        r"$\|A G_t^{1/2} G_t^{1/2} \rho\| \le \|A G_t^{1/2}\| \|G_t^{1/2} \rho\|$ for every matrix $A$, and $\rho^\top G_t \rho \le \exp(\sqrt 2 \|(\theta_* - \theta_t) x\|) \rho^\top G_* \rho$ for every $K$, by the identities of self-concordance (C132)",
    ),
)
"""The line after (Self-concordance), of one round."""

ROOT_OF_E = replace(
    SPLIT,
    fixed={"norms": True, "exponent": HALF_EXPONENT},
    note=r"at most $\exp(1/\sqrt{12}) = 1.335$ in place of $\sqrt e$",
)
"""The same with sqrt(e) for e and the diameter of Lemma 1."""

STEP_THREE = r"$K = 2, 3$; $d = 1$, $\lambda = 144 K$, one arm in $[-1, 1]$ learnt $1$ to $10^9$ times, another asked; $\theta_t \in [-6, 6]^K$, $\rho \in [0, 1]^K$"
"""Domain of the searches of this step."""

C147 = claim(
    "C147",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 3, line (Self-concordance)",
        lines=(1004, 1006),
        kind="step",
        prints=r"$\|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta'_t x_t) \rho\|_2 \le e\, \|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta'_t x_t)^{1/2} \nabla\mu(\theta_* x_t)^{1/2} \rho\|_2$, summed over $t$; the reason given is 'Self-concordance'.",
        hypotheses=r"$\theta_*, \theta_t \in \Theta$, $\mathrm{diam}(\Theta) \le 1$ (line 952).",
        reading=r"$\theta'_t$, which is not defined, is $\theta_t$. The line is about the sums. What is judged, and is false, is its reason, by which each summand is at most $e$ times the other. The sum of a run with one round of learning exceeds it under the diameter 1 of line 952: $K = 102$, $x = 1$, $\theta_t x = (0, -12, -40, \dots, -40)$, $(\theta_* - \theta_t) x$ the centred $(0.447, -0.893, 0, \dots, 0)$ of norm $0.998$, $\rho \propto (1, 0, e^{22.75}, \dots, e^{22.75})$: $2.794 > e$. Whether a sum does under the $1/\sqrt 6$ of Lemma 1 is not known; no later line needs it, as the next one follows without it (C148).",
    ),
    Correction(
        "condition",
        Inequality(
            step_three,
            step_three_box,
            cases=({"K": 2}, {"K": 3}),
            examples=[{"K": 3} | HALF_POWERS],
            share=0.1,
            note=r"for $K = 3$ the two vectors differ in direction, and the ratio grows with the logits",
        ),
        ROOT_OF_E,
        r"another norm: $\sqrt e\, \|\bar W_t^{-1/2} (I \otimes x) G_t^{1/2}\| \|G_*^{1/2} \rho\|$, which is what the next line needs: split the norm first, then use $G_t \preccurlyeq e\, G_*$",
    ),
    domain=STEP_THREE
    + r", $\|\theta_* - \theta_t\| \le 1/\sqrt 6$; corrected, with a factor down to $\exp(1/\sqrt{12})$: all $K$, $d$, $\bar W_t$, logits and $\rho$ with $\|(\theta_* - \theta_t) x\| \le 1/\sqrt 6$",
    planted={"norms": True, "mended_exponent": 0},
    module=__name__,
)

C148 = claim(
    "C148",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 3, last line",
        lines=(1007, 1008),
        kind="step",
        prints=r"$\sum_t \epsilon_{1,t}(x_t) \le e\, \sigma_T(\delta) \sqrt{\sum_t \|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta'_t x_t)^{1/2}\|_2^2} \sqrt{\sum_t \|\nabla\mu(\theta_* x_t)^{1/2} \rho\|_2^2}$.",
        hypotheses=r"$\theta_*, \theta_t \in \Theta$, $\mathrm{diam}(\Theta) \le 1$ (line 952).",
        reading=r"$\theta'_t$, which is not defined, is $\theta_t$.",
    ),
    SPLIT,
    domain=r"one round, the sums follow by Cauchy-Schwarz: all $K$, $d$, $\bar W_t$, logits and $\rho$ with $\|(\theta_* - \theta_t) x\| \le 1$; searched: "
    + STEP_THREE,
    planted={"exponent": 0},
    module=__name__,
)


# The indices of Steps 3 and 4


def next_index(m: Arithmetic, b: Number, weight: Number, exponent: int | Fraction = 0) -> Number:
    """grad mu(theta_t x) over exp(exponent) grad mu(theta_{t+1} x), x = 1, theta_t = (b, -b)/sqrt(2), W_t = 10^weight, y = 1."""
    w, u = 10**weight, m.sqrt(2) * b
    moved = b + m.sqrt(2) * sigmoid(m, -u) / (w + 2 * slope(m, u))
    return slope(m, u) / slope(m, m.sqrt(2) * moved) / m.exp(m.number(exponent))


def next_index_reduced(m: Arithmetic, h: Number, v: Number, exponent: int | Fraction = 1) -> Number:
    """The same in h = tanh(b/sqrt(2)) and v, half of what b sqrt(2) moves."""
    return (m.cosh(v) + h * m.sinh(v)) ** 2 / m.exp(m.number(exponent))


def one_step_is_short(exponent: int | Fraction = 1) -> bool:
    """||mu - e_y||^2 <= 2, of unknown weights, so that the logits' range moves by at most 2/lambda, lambda >= 288, and the factor."""
    p, *others = unknowns("p", "p1", "p2", "p3")
    total = p + sum(others)
    short = 2 * total**2 - ((total - p) ** 2 + sum(other**2 for other in others))
    return growth_below(2) and nonnegative(short) and exponent >= Fraction(2, 288)


SIGMOID_STEP = r"$\mu'$ at $u$ over $\mu'$ at $u + 2 v$ is $(\cosh v + \tanh(u/2) \sinh v)^2$, and one step moves $u = \sqrt 2 b$ by at most $2/W_t \le 1/144$, for either outcome"
"""What takes `next_index_reduced` to all b, weights and outcomes, K = 2."""

INDEX_BOX = {"b": (-8.0, 8.0), "weight": (math.log10(288), 6.0)}

C149 = claim(
    "C149",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Steps 3 and 4 (indices)",
        lines=(1008, 1014),
        kind="step",
        prints=r"Step 3 leaves $\sum_t \|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta'_t x_t)^{1/2}\|_2^2$, and Step 4 bounds $\sum_t \|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta_{t+1} x_t)^{1/2}\|_2^2$.",
        reading=r"The first is at most the second, term by term, $\theta'_t$, which is not defined, being $\theta_t$.",
    ),
    Correction(
        "constant",
        Inequality(next_index, INDEX_BOX, examples=[{"b": 1.0, "weight": 2.5}], share=0.5),
        Inequality(
            next_index,
            INDEX_BOX,
            share=0.5,
            fixed={"exponent": Fraction(1, 100)},
            proof=Together(
                [
                    Balls(next_index_reduced, {"h": (-1.0, 1.0), "v": (-0.0035, 0.0035)}, words=SIGMOID_STEP),
                    Exactly(
                        one_step_is_short,
                        r"any $K$ and $d$, also on the boundary of $\Theta$: by optimality $\|\theta_{t+1} - \theta_t\|^2_{\tilde W_t} \le \langle \nabla\ell, \theta_t - \theta_{t+1} \rangle$, so $\|\theta_{t+1} - \theta_t\| \le \|\nabla\ell\|/\lambda \le \sqrt 2/\lambda$; the range of the logits moves by at most $\sqrt 2$ times that, and $\nabla\mu$ by the exponential of it",
                    ),
                ]
            ),
        ),
        r"a mix of indices, harmless: a factor $\exp(2/\lambda)$, or $e$ for any two points of $\Theta$, and none at all where Step 4 only uses $\nabla\mu \preccurlyeq I$. A constant of this line only: Step 6 has $e/(2 \exp(1/\sqrt{12})) = 1.018$ to spare (C162), so that none of its numbers changes. $\theta'_t$, which is not defined, is $\theta_t$",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, one step of mirror descent inside $\Theta$: $W_t \in [288, 10^6]$, $\theta_t = (b, -b)/\sqrt 2$, $b \in [-8, 8]$, $y = 1$; corrected, with $\exp(1/100)$ as well as $e$: all $K$, $d$, arms in the unit ball, $\theta_t \in \Theta$, outcomes and $W_t \succcurlyeq 288 I$",
    planted={"exponent": 1, "mended_exponent": Fraction(1, 10**4)},
    module=__name__,
)

"""Appendix A: the constants, the averaged Jacobians and the matrices of the learning phase."""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Identities, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, kappa_star
from mnlbandits.ledger.formulas.frameworks import law_of
from mnlbandits.ledger.formulas.softmax import curvature, softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

# 1/kappa_*


def star_of_optimal(m: Arithmetic, scale: Number, other: int = -1) -> Number:
    """|1 - a/b| of the a and b that the display gives for the two optimal actions 1 and `other` of C010's instance.

    theta_* = scale (1, -2, 1), rho = (0, 1, 2).
    """
    rewards = [m.number(0), m.number(1), m.number(2)]
    first, second = (inverse_kappa_star(m, [sign * scale, -2 * sign * scale, sign * scale], rewards) for sign in (1, other))
    return abs(first / second - 1)


def star_over_optimal(m: Arithmetic, K: int, x: Number, power: int = 2, **point: Number) -> Number:
    """Relative difference of the largest ratio of the display, over logits z and x z, from 1 over the minimum of Eq. (2)."""
    z, rho = column(point, "z"), column(point, "r")
    both = [z, [x * entry for entry in z]]
    second = [dot(softmax(m, each), [entry**2 for entry in rho]) - dot(softmax(m, each), rho) ** 2 for each in both]
    largest = m.maximum(*second) / m.sqrt(dot(rho, rho)) ** power
    return abs(largest * m.minimum(*(kappa_star(m, each, rho) for each in both)) - 1)


def notation_box(K: int) -> Box:
    """Logits, rewards that differ, and the second action."""
    return {"x": (0.1, 1.0), **vectors_box(z=(K, 2.0)), "r0": (0.6, 1.0), **{f"r{k}": (0.1, 0.5) for k in range(1, K)}}


def stars_agree(power: int = 2) -> bool:
    """Of 1/a and 1/b with a <= b the least is 1/b; the variance by first and second moment; for every K."""
    a, more, mean, second, size = unknowns("a", "more", "mean", "second", "size")
    inverse = 1 / a - 1 / (a + more) == more / (a * (a + more))
    return inverse and (second - mean**2) / size**power == (second - 2 * mean * mean + mean**2) / size**2


def equal_means() -> bool:
    """Both actions of `star_of_optimal` have mean reward 1: the outcomes of rewards 0 and 2 are equally likely."""
    a, b = unknowns("a", "b")
    return dot(law_of([a, b, a]), [0, 1, 2]) == a / a


STAR_OF_OPTIMAL = Equality(
    star_of_optimal,
    {"scale": (0.1, 5.0)},
    examples=({"scale": 1.0},),
    note=r"$K = 3$, $d = 1$, $\mathcal X = \{-1, 1\}$, $\theta_* = (1, -2, 1)$, $\rho = (0, 1, 2)$: both actions are optimal, and give $\kappa_* = 5.12$ and $55.2$",
)
BOTH_OPTIMAL = Identities(equal_means, r"both actions have mean reward $1$")


def star_as_printed(effort: Effort, other: int = -1) -> Finding:
    """Whether the optimal actions of the instance give one value."""
    return all_of(STAR_OF_OPTIMAL(effort, other=other), BOTH_OPTIMAL(effort))


C033 = claim(
    "C033",
    Statement(
        place="Appendix A",
        lines=(612, 612),
        kind="definition",
        prints=r"$\kappa_*^{-1} = \rho^\top \nabla\mu(\theta_* x_*) \rho / \lVert \rho \rVert_2^2$.",
        reading=r"It is the constant of Eq. (2), whichever of the optimal actions $x_*$ is.",
        labels=("appendix:notations",),
    ),
    Correction(
        "misprint",
        star_as_printed,
        Equality(
            star_over_optimal,
            notation_box,
            ({"K": 2}, {"K": 3}),
            proof=Exactly(
                stars_agree,
                r"the least of $1/a$, $1/b$ is $1$ over the larger of $a$, $b > 0$, and by induction for any number of them; $\sum_k p_k (\rho_k - m)^2 = \sum_k p_k \rho_k^2 - m^2$ for the mean $m$, as polynomials in the moments",
            ),
        ),
        r"misprint: $\kappa_*^{-1} = \max_{x \in \mathcal X_*} \rho^\top \nabla\mu(\theta_* x) \rho/\lVert\rho\rVert_2^2$, the inverse of Eq. (2) with its $x_*$ as $x$ (C010); the same is meant where $R^2/\kappa_* := \rho^\top \nabla\mu(\theta_* x_*) \rho$ (lines 294 and 734)",
    ),
    domain=r"printed: the actions $1$, $-1$ of the instance, every scale of $\theta_*$, searched in $[0.1, 5]$; corrected: every $K$ and any number of optimal actions, searched for two at $K = 2, 3$, logits in $[-2, 2]$, $\rho_1 \in [0.6, 1]$, the others in $[0.1, 0.5]$",
    planted={"other": 1, "mended_power": 1},
    module=__name__,
)


# kappa


def notation_of_kappa(m: Arithmetic, K: int, x: Number, power: int = 1, **point: Number) -> Number:
    """Difference of Appendix A's kappa times Eq. (1)'s 1/kappa from 1, for the actions 1 and x of d = 1 at one theta."""
    z = column(point, "z")
    curvatures = [curvature(m, z), curvature(m, [x * entry for entry in z])]
    return abs(m.maximum(*(1 / value**power for value in curvatures)) * m.minimum(*curvatures) - 1)


def kappas_agree(power: int = 1) -> bool:
    """The larger of 1/a and 1/b, a <= b, is 1/a, whose inverse is a."""
    a, more = unknowns("a", "more")
    return (1 / a**power) * a == 1 and 1 / a - 1 / (a + more) == more / (a * (a + more))


C033c = claim(
    "C033c",
    Statement(
        place="Appendix A",
        lines=(613, 613),
        kind="definition",
        prints=r"$\kappa := \max_{\lVert\theta\rVert \le S} \max_{x\in\mathcal X} 1/\lambda_{K-1}(\nabla\mu(\theta x))$.",
        reading=r"It is the constant of Eq. (1), in the same norm.",
    ),
    Equality(
        notation_of_kappa,
        lambda K: {"x": (0.1, 1.0), **vectors_box(z=(K, 3.0))},
        ({"K": 2}, {"K": 3}),
        proof=Exactly(
            kappas_agree, r"the larger of $1/a$, $1/b$ is $1$ over the smaller of $a$, $b > 0$, by induction for any set"
        ),
    ),
    domain=r"every $K$, any $\theta$ and actions; searched at $K = 2, 3$, two actions, logits in $[-3, 3]$",
    planted={"power": 2},
    ours=True,
    module=__name__,
)


# Universal constants and the averaged Jacobians


def averaged_entry(
    m: Arithmetic, first: Sequence[Number], second: Sequence[Number], i: int, j: int, weight: int = 0
) -> Number:
    """Entry i, j of the integral over v in [0, 1] of (1 - v)^weight grad mu((1 - v) first + v second)."""

    def entry(v: Number) -> Number:
        p = softmax(m, [a + v * (b - a) for a, b in zip(first, second, strict=True)])
        own = p[i] * sum(p[:i] + p[i + 1 :]) if i == j else -p[i] * p[j]
        return (1 - v) ** weight * own

    return m.integral(entry)


def taylor_of_loss(m: Arithmetic, K: int, weight: int = 1, **point: Number) -> Number:
    """The larger error of the two formulas, for -log mu_1 and for mu_1, from logits z to y."""
    first, second = column(point, "z"), column(point, "y")
    p, q = softmax(m, first), softmax(m, second)
    step = [b - a for a, b in zip(first, second, strict=True)]
    slope = dot(p, step) - step[0]
    averaged = [[averaged_entry(m, first, second, i, j, weight) for j in range(K)] for i in range(K)]
    quadratic = sum(step[i] * dot(averaged[i], step) for i in range(K))
    taylor = m.log(p[0] / q[0]) - slope - quadratic
    change = q[0] - p[0] - sum(averaged_entry(m, first, second, 0, j) * step[j] for j in range(K))
    return m.maximum(abs(taylor), abs(change))


def taylor_exactly(weight: int = 1) -> bool:
    """Along z + v w: (log mu_1)' = w_1 - mu^T w, (mu^T w)' = w^T grad mu w, and (1 - v)^weight f' is a derivative with f.

    d/dv [(1 - v) f(v)] + f(v) = (1 - v) f'(v), so that the integral of (1 - v) f' is that of f minus f(0): Taylor's formula.
    The other outcomes are seen through sums: `total` of e_j, `rate` of e_j w_j and `second` of e_j w_j^2; for every K.
    """
    e, w, total, rate, second, v, f, slope = unknowns("e", "w", "total", "rate", "second", "v", "f", "slope")
    mean = rate / total
    weight_change = (e * w * total - e * rate) / total**2 == e / total * (w - mean)
    mean_change = (second * total - rate * rate) / total**2 == second / total - mean**2
    return weight_change and mean_change and -f + (1 - v) * slope + f == (1 - v) ** weight * slope


C033b = claim(
    "C033b",
    Statement(
        place="Appendix A",
        lines=(625, 626),
        kind="definition",
        prints=r"$\tilde\alpha_s(\theta_1, \theta_2) := \int_0^1 (1-v) \nabla\mu(((1-v)\theta_1 + v\theta_2) x_s) dv \otimes x_s x_s^\top$ and $\alpha(\theta_1 x_1, \theta_2 x_2) := \int_0^1 \nabla\mu((1-v)\theta_1 x_1 + v\theta_2 x_2) dv$.",
        reading=r"Nothing uses the two. The first is the second-order term of the loss, $\ell(\theta_2) = \ell(\theta_1) + \langle \nabla\ell(\theta_1), \theta_2 - \theta_1 \rangle + \lVert \theta_2 - \theta_1 \rVert_{\tilde\alpha_s}^2$, the second gives $\mu(\theta_2 x_2) - \mu(\theta_1 x_1) = \alpha (\theta_2 x_2 - \theta_1 x_1)$.",
    ),
    Equality(
        taylor_of_loss,
        lambda K: vectors_box(z=(K, 2.0), y=(K, 2.0)),
        ({"K": 2}, {"K": 3}),
        share=0.02,
        proof=Exactly(
            taylor_exactly,
            r"$\frac{d}{dv} \mu(z + v w) = \nabla\mu(z + v w) w$ and $\frac{d}{dv} \mu^\top w = w^\top \nabla\mu\, w$ as rational functions of $e^{z_k}$, and $\int_0^1 (1 - v) f' dv = \int_0^1 f\,dv - f(0)$ by parts",
        ),
    ),
    domain=r"every $K$, all logits; searched at $K = 2, 3$, logits in $[-2, 2]$, integrals by 64 Gauss-Legendre nodes.",
    planted={"weight": 0},
    ours=True,
    module=__name__,
)


# The matrices of the learning phase


def sums_are_recursions(first: int = 0) -> bool:
    """W_t and Wbar_t of Appendix A against Algorithm 2's recursion over three rounds after tau, `first` left out of the sum.

    J_s stands for grad mu(theta_{s+1} x_s) (x) x_s x_s^T and I_s for 11^T (x) x_s x_s^T; W_{tau+1} = Wbar_{tau+1} = lambda.
    """
    ridge, *terms = unknowns("ridge", *(f"J{s}" for s in range(3)), *(f"I{s}" for s in range(3)))
    curved, ones = terms[:3], terms[3:]
    narrow = wide = ridge
    for rounds in range(4):
        if narrow != sum(curved[first:rounds], ridge) or wide != sum(curved[first:rounds] + ones[first:rounds], ridge):
            return False
        if rounds < 3:
            narrow, wide = narrow + curved[rounds], wide + curved[rounds] + ones[rounds]
    return True


C033e = claim(
    "C033e",
    Statement(
        place=r"Appendix A, notations $W_t$, $\bar W_t$",
        lines=(621, 622),
        kind="definition",
        prints=r"$W_t := \sum_{s=\tau+1}^{t-1} \nabla\mu(\theta_{s+1} x_s) \otimes x_s x_s^\top + \lambda I_{Kd}$ and $\bar W_t := W_t + \sum_{s=\tau+1}^{t-1} 1_K 1_K^\top \otimes x_s x_s^\top$.",
        reading=r"They are the matrices of Algorithm 2; Sections 3.2 and 3.3 have other ranges of $s$ (C129).",
    ),
    Identities(sums_are_recursions, r"three rounds after $\tau$, the summands unknown; by induction for every $t > \tau$"),
    domain=r"every $t > \tau$, all summands",
    planted={"first": 1},
    ours=True,
    module=__name__,
)

"""Appendix A: notations, and the two facts that it states about them."""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Statement, claim
from mnlbandits.ledger.formulas.constants import inverse_kappa_star
from mnlbandits.ledger.formulas.softmax import curvature, softmax, softmax_jacobian
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, column, vectors_box

# The constants


def notation_of_constants(m: Arithmetic, K: int, x: Number, power: int = 2, **point: Number) -> Number:
    """Difference of Appendix A's kappa and 1/kappa_* from Eqs. (1) and (2), for the actions 1 and x of d = 1."""
    z, rho = column(point, "z"), column(point, "r")
    curvatures = [curvature(m, z), curvature(m, [x * entry for entry in z])]
    largest = m.maximum(*(1 / value for value in curvatures)) * m.minimum(*curvatures)
    quadratic = dot(rho, (softmax_jacobian(m, z) @ m.array(rho)).tolist()) / m.sqrt(dot(rho, rho)) ** power
    return m.maximum(abs(largest - 1), abs(quadratic - inverse_kappa_star(m, z, rho)))


def notation_box(K: int) -> Box:
    """Logits, rewards that are not all 0, and the second action."""
    return {"x": (0.1, 1.0), **vectors_box(z=(K, 3.0)), **{f"r{k}": (0.1, 1.0) for k in range(K)}}


def constants_agree(power: int = 2) -> bool:
    """Both steps: of the larger of 1/a and 1/b with a <= b, and of the variance, by first and second moment, for every K."""
    a, more, mean, second, size = unknowns("a", "more", "mean", "second", "size")
    inverse = (1 / a) * a == 1 and 1 / a - 1 / (a + more) == more / (a * (a + more))
    return inverse and (second - mean**2) / size**power == (second - 2 * mean * mean + mean**2) / size**2


C033 = claim(
    "C033",
    Statement(
        place="Appendix A",
        lines=(612, 613),
        kind="definition",
        prints=r"$\kappa_*^{-1} = \rho^\top \nabla\mu(\theta_* x_*) \rho / \lVert \rho \rVert_2^2$ and $\kappa := \max_{\lVert\theta\rVert \le S} \max_{x\in\mathcal X} 1/\lambda_{K-1}(\nabla\mu(\theta x))$.",
        reading=r"They are the constants of Eqs. (1) and (2) of the text; $\rho^\top \nabla\mu(z) \rho$ is the variance of $\rho_y$, $y \sim \mu(z)$.",
        labels=("appendix:notations",),
    ),
    Equality(
        notation_of_constants,
        notation_box,
        ({"K": 2}, {"K": 3}),
        proof=Exactly(
            constants_agree,
            r"the larger of $1/a$, $1/b$ is $1$ over the smaller of $a$, $b > 0$; and $\sum_k p_k (\rho_k - m)^2 = \sum_k p_k \rho_k^2 - m^2$ for the mean $m$, as polynomials in the moments",
        ),
    ),
    domain=r"every $K$, any two actions and rewards that are not all $0$; searched at $K = 2, 3$, logits in $[-3, 3]$, rewards in $[0.1, 1]$.",
    planted={"power": 1},
    module=__name__,
)


# The averaged Jacobians


def averaged_entry(
    m: Arithmetic, first: Sequence[Number], second: Sequence[Number], i: int, j: int, weight: int = 0
) -> Number:
    """Entry i, j of the integral over v in [0, 1] of (1 - v)^weight grad mu((1 - v) first + v second)."""

    def entry(v: Number) -> Number:
        p = softmax(m, [a + v * (b - a) for a, b in zip(first, second, strict=True)])
        own = p[i] * sum(p[:i] + p[i + 1 :]) if i == j else -p[i] * p[j]
        return (1 - v) ** weight * own

    return m.integral(entry)


def averaged_jacobians(m: Arithmetic, K: int, weight: int = 0, **point: Number) -> Number:
    """The larger difference of the two sides of the symmetry and of the mean-value theorem."""
    first, second = column(point, "z"), column(point, "y")
    p, q = softmax(m, first), softmax(m, second)
    worst = m.number(0)
    for i in range(K):
        forth = [averaged_entry(m, first, second, i, j, weight) for j in range(K)]
        back = averaged_entry(m, second, first, i, i, weight)
        change = sum(forth[j] * (first[j] - second[j]) for j in range(K)) - p[i] + q[i]
        worst = m.maximum(worst, abs(forth[i] - back), abs(change))
    return worst


def line_derivative(weight: int = 0) -> bool:
    """The substitution 1 - v for v, and d/dt mu(z + t w) = grad mu(z) w, of e_k = exp(z_k) by the quotient rule.

    The other outcomes are only seen through sums: `total` of e_j and `rate` of e_j w_j, so that it holds for every K.
    """
    a, b, v, e, w, total, rate = unknowns("a", "b", "v", "e", "w", "total", "rate")
    swapped = (1 - v) * a + v * b == (1 - (1 - v)) * b + (1 - v) * a and (1 - v) ** weight == v**weight
    return swapped and (e * w * total - e * rate) / total**2 == e / total * (w - rate / total)


C033b = claim(
    "C033b",
    Statement(
        place="Appendix A",
        lines=(620, 626),
        kind="definition",
        prints=r"$\alpha_s(\theta_1, \theta_2) = \alpha_s(\theta_2, \theta_1)$ (change of variable); $g_t(\theta_1) - g_t(\theta_2) = G_t(\theta_1, \theta_2)(\theta_1 - \theta_2)$ (mean-value theorem).",
        reading=r"Of one summand: $\alpha(z_1, z_2)(z_1 - z_2) = \mu(z_1) - \mu(z_2)$ with $\alpha(z_1, z_2) = \int_0^1 \nabla\mu((1-v) z_1 + v z_2)\,dv$.",
        labels=("appendix:notations",),
    ),
    Equality(
        averaged_jacobians,
        lambda K: vectors_box(z=(K, 2.0), y=(K, 2.0)),
        ({"K": 2}, {"K": 3}),
        share=0.02,
        note=r"$\tilde\alpha_s$, with weight $1 - v$, is not symmetric, and none is claimed",
        proof=Exactly(
            line_derivative,
            r"$1 - v$ for $v$ in the integral; and $\frac{d}{dt} \mu(z + t w) = \nabla\mu(z) w$ as rational functions of $e^{z_k}$, integrated from $0$ to $1$ along $w = z_1 - z_2$",
        ),
    ),
    domain=r"every $K$, all logits; searched at $K = 2, 3$, logits in $[-2, 2]$, integrals by 64 Gauss-Legendre nodes.",
    planted={"weight": 1},
    module=__name__,
)

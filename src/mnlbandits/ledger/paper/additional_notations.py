"""Section 2, Additional Notations: the diameter, universal constants, measurability and the logistic loss."""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.constants import inverse_star_of
from mnlbandits.ledger.formulas.frameworks import along_logit, law_of, unknown_vectors
from mnlbandits.ledger.formulas.orders import integer_matrices
from mnlbandits.ledger.formulas.softmax import jacobian_of
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort, column, vectors_box

# The diameter


@cache
def ellipsoid(draw: int) -> tuple[NDArray, tuple[NDArray, ...]]:
    """V = L L^T + I of an integer L (4, 4), and I (x) x (4, 2) of three integer actions; K = d = 2."""
    root, actions = (integer_matrices(rows, columns, draw + 1, "diameter")[draw] for rows, columns in ((4, 4), (3, 2)))
    square = np.array(root, dtype=object) @ np.array(root, dtype=object).T
    lifts = [np.kron(np.eye(2, dtype=int), np.array(x, dtype=object)[:, None]) for x in actions]
    return square + np.eye(4, dtype=int), tuple(lifts)


@cache
def widths(m: Arithmetic, draw: int) -> list[tuple[NDArray, NDArray]]:
    """L = I (x) x and L^T V^-1 L of every action."""
    shape, lifts = ellipsoid(draw)
    inverse = m.array(RATIONALS.inverse(shape))
    return [(m.array(lift), m.array(lift).T @ inverse @ m.array(lift)) for lift in lifts]


@cache
def ellipsoid_diameter(m: Arithmetic, draw: int, factor: int = 2) -> Number:
    r"""factor $\beta \max_x \lVert I \otimes x \rVert_{V^{-1}}$, $\beta = 1$."""
    return factor * m.sqrt(m.maximum(*(m.eigenvalues(width)[-1] for _, width in widths(m, draw))))


def farthest(m: Arithmetic, draw: int, first: NDArray, second: NDArray) -> Number:
    r"""$\max_x \lVert (\theta_1 - \theta_2) x \rVert$ of two points that are scaled to the boundary of the ellipsoid."""
    shape = m.array(ellipsoid(draw)[0])
    gap = first / m.sqrt(first @ shape @ first) - second / m.sqrt(second @ shape @ second)
    return m.maximum(*(m.norm((lift.T @ gap).tolist()) for lift, _ in widths(m, draw)))


def within_diameter(m: Arithmetic, draw: int, factor: int = 2, **point: Number) -> Number:
    """That over the formula, at any pair."""
    u = m.array(column(point, "u"))
    return farthest(m, draw, u[:4], u[4:]) / ellipsoid_diameter(m, draw, factor)


def diameter_attained(m: Arithmetic, draw: int, factor: int = 2) -> Number:
    r"""The relative difference of the two at the best of the pairs $\pm V^{-1} L y$, y the largest eigenvector of $L^\top V^{-1} L$."""
    inverse, found = m.array(RATIONALS.inverse(ellipsoid(draw)[0])), []
    for lift, width in widths(m, draw):
        y = m.array([m.eigenvalues(width)[-1] - width[1, 1], width[0, 1]])
        found.append(farthest(m, draw, inverse @ lift @ y, -(inverse @ lift @ y)))
    return abs(m.maximum(*found) / ellipsoid_diameter(m, draw, factor) - 1)


def diameter_exactly(factor: int = 2) -> bool:
    """For all w and y, with W = L^T V^-1 L: what makes |L^T w|^2/w^T V w largest, and why it is `factor` radii."""
    w, first, second, y = (np.array(entries, dtype=object) for entries in unknown_vectors(w=4, u=4, v=4, y=2))
    square = w[0] / w[0] * factor**2
    for draw in range(3):
        shape = ellipsoid(draw)[0]
        for lift, width in widths(RATIONALS, draw):
            image, best = lift.T @ w, RATIONALS.inverse(shape) @ lift
            rest = w - best @ (RATIONALS.inverse(width) @ image)
            residual = rest @ shape @ rest == w @ shape @ w - image @ RATIONALS.inverse(width) @ image
            attained = (lift.T @ best @ y == width @ y).all() and (best @ y) @ shape @ (best @ y) == y @ width @ y
            total = (first @ shape @ first + second @ shape @ second) * square / 2
            opposite = (first - second) @ shape @ (first - second) == total - (first + second) @ shape @ (first + second)
            if not (residual and attained and opposite):
                return False
    return True


DRAWS = [{"draw": draw} for draw in range(3)]
ELLIPSOID_PROOF = Exactly(
    diameter_exactly,
    r"with $W = L^\top V^{-1} L$, $L = I \otimes x$: $w^\top V w - (L^\top w)^\top W^{-1} L^\top w$ is the square of a $V$-norm, so that $\lVert L^\top w \rVert^2 \le \lambda_1(W) \lVert w \rVert_V^2$, attained at $w = V^{-1} L y$; $\lVert u - v \rVert_V^2 = 2\lVert u \rVert_V^2 + 2\lVert v \rVert_V^2 - \lVert u + v \rVert_V^2 \le 4\beta^2$, attained at $v = -u$",
)
C024c = claim(
    "C024c",
    Statement(
        place="Section 2, Additional Notations",
        lines=(324, 327),
        kind="definition",
        prints=r"$\mathrm{diam}_{\mathcal{X}}(\Theta) := \max_{x\in\mathcal{X}} \max_{\theta_1, \theta_2 \in \Theta} \lVert (\theta_1 - \theta_2) x \rVert_2$.",
        reading=r"Of an ellipsoid $\{\theta \in \mathbb{R}^{K \times d} : \lVert \theta - \hat\theta \rVert_V \le \beta\}$ it is $2\beta \max_x \lVert I \otimes x \rVert_{V^{-1}}$, which Algorithm 1 controls; its $\Theta$, the part of one in $\Pi\mathbb{R}^{K \times d}$, has at most that.",
    ),
    All(
        (
            Inequality(within_diameter, vectors_box(u=(8, 1.0)), DRAWS, share=0.3, proof=ELLIPSOID_PROOF),
            Equality(diameter_attained, cases=DRAWS, note="at an antipodal pair", proof=ELLIPSOID_PROOF),
        )
    ),
    domain=r"$K = d = 2$; three $V = L L^\top + I$ with $L$ in $\{-5, \dots, 5\}^{4 \times 4}$, three integer actions each, $\beta = 1$; all pairs of the ellipsoid",
    planted={"factor": 1},
    ours=True,
    module=__name__,
)


# Universal constants


def degrees_in_rewards(nu_degree: int = 1) -> bool:
    """What rho -> s rho does, of two laws p and q with K = 3: factors s of R and means, s^2 of variances, s^nu_degree of nu.

    kappa_* = R^2/variance is unchanged, so that both terms of Theorem 1 get the factor that the regret gets.
    """
    s, *free = unknowns("s", *(f"{name}{k}" for name in "pqr" for k in range(3)))
    p, q, rewards = law_of(free[:3]), law_of(free[3:6]), free[6:]
    scaled = [s * entry for entry in rewards]
    squares, scaled_squares = [r * r for r in rewards], [r * r for r in scaled]
    change = [a - b for a, b in zip(p, q, strict=True)]
    star = inverse_star_of(p, scaled) == inverse_star_of(p, rewards)
    regret = dot(scaled, change) == s * dot(rewards, change)
    nu = dot(scaled_squares, change) / dot(scaled, change) == s**nu_degree * dot(squares, change) / dot(rewards, change)
    return star and regret and dot(scaled, scaled) == s**2 * dot(rewards, rewards) and nu


C024d = claim(
    "C024d",
    Statement(
        place="Section 2, Additional Notations; Appendix A",
        lines=(328, 329),
        kind="definition",
        prints=r"$C$ denotes a universal constant, i.e. a constant independent of $S, d, K, T, R, \kappa, \kappa_*$.",
        reading=r"Appendix A (line 611) has no $R$ in this list; for Theorem 1 the two lists say the same. Neither names $\delta$, $\lambda$, $\nu$ or $\mathcal X$, of which $C$ is to be independent too.",
    ),
    Identities(
        degrees_in_rewards,
        r"$\rho \to s\rho$ multiplies $Reg_T$, $R$ and $\nu$ by $s$ and leaves $\kappa$ and $\kappa_*$, as rational functions at $K = 3$, of which each monomial holds two outcomes; so a $C$ that does for $R = 1$ does for every $R$",
    ),
    domain=r"Theorem 1: every $K$, all laws and rewards",
    planted={"nu_degree": 2},
    ours=True,
    module=__name__,
)


# Measurability


def past_ones(history: tuple[int, ...], t: int) -> int:
    """An action x_t that depends on all outcomes before round t, as their sum in base two."""
    return sum(outcome * 2**s for s, outcome in enumerate(history[: t - 1]))


QUANTITIES = {
    "x_t": past_ones,
    "l_t": lambda history, t: (past_ones(history, t - 1), history[t - 2]),
    "y_t": lambda history, t: history[t - 1],
    "C_t": lambda history, t: past_ones(history, t + 1),
}
"""Of a history y_1, y_2, ...: what is chosen in round t, the loss of round t - 1, which has the index t, what is seen in round t,
and theta_(t+1), the centre of C_t(delta), which depends on all that was seen."""


def decided_by_past(quantity: str, t: int, index: int) -> bool:
    """Whether F_index, that is the outcomes of the first index - 1 rounds, decides a quantity of index t; K = 2, 4 rounds."""
    seen: dict[tuple[int, ...], set] = {}
    for history in product((0, 1), repeat=4):
        seen.setdefault(history[: index - 1], set()).add(QUANTITIES[quantity](history, t))
    return all(len(values) == 1 for values in seen.values())


def measurability(quantity: str, later: int = 0) -> bool:
    """Whether the index t says F_(t + later)-measurable, and not so one round before; in rounds 2 and 3."""
    return all(decided_by_past(quantity, t, t + later) and not decided_by_past(quantity, t, t + later - 1) for t in (2, 3))


def index_of_outcomes(effort: Effort, later: int = 0) -> Finding:
    """Whether the index of y_t and of C_t(delta) says what it should."""
    del effort
    return exactly(
        measurability("y_t", later) and measurability("C_t", later),
        r"all outcomes of four rounds, $K = 2$: those before round $t$ do not decide $y_t$, nor the reward $\rho_{y_t}$ of round $t$, nor a $\theta_{t+1}$ that depends on $y_t$",
        "K = 2: after the same F_2 = {x_1, y_1, x_2}, y_2 is 1 or 2",
    )


C024e = claim(
    "C024e",
    Statement(
        place="Section 2, Additional Notations",
        lines=(330, 335),
        kind="text",
        prints=r"$\mathcal F_t := \{x_1, y_1, \dots, x_{t-1}, y_{t-1}, x_t\}$. Throughout the paper, the index $t$ refers to measurability with respect to $\mathcal F_t$, but not with respect to $\mathcal F_{t-1}$.",
    ),
    Correction(
        "misprint",
        index_of_outcomes,
        Identities(
            measurability,
            r"all outcomes of four rounds, $K = 2$: those before round $t$ decide $x_t$ and $\ell_t$, those before round $t - 1$ do not",
            [{"quantity": "x_t"}, {"quantity": "l_t"}],
        ),
        r"a convention for what is chosen or estimated, $x_t$, $\theta_t$, $\ell_t$, $W_t$ of Algorithm 2; the outcome $y_t$, the reward of round $t$ and $\mathcal C_t(\delta)$, whose centre is $\theta_{t+1}$, are $\mathcal F_{t+1}$-measurable, and the actions of Algorithm 1 do not depend on outcomes (C104)",
    ),
    domain=r"$K = 2$, all outcomes possible, an action that depends on all outcomes before it; rounds $2$ and $3$",
    planted={"later": 1, "mended_later": 1},
    module=__name__,
)


# The logistic loss


def logistic_loss(K: int, sign: int = 1) -> bool:
    """Gradient and Hessian in theta by the chain rule, of functions of exp(z_k) and z = theta x, for every outcome; d = 2."""
    weights, entries, x = unknown_vectors(e=K, t=2 * K, x=2)
    p, arm = law_of(weights), np.array(x, dtype=object)
    logits = [dot(entries[2 * k : 2 * k + 2], x) for k in range(K)]
    slopes = np.array([[logits[k].derivative(K + place) for place in range(2 * K)] for k in range(K)], dtype=object)
    for y in range(K):
        score = np.array([-along_logit(p[y], weights, k) / p[y] for k in range(K)], dtype=object)
        second = np.array([[along_logit(score[k], weights, i) for i in range(K)] for k in range(K)], dtype=object)
        residual = np.array([sign * (p[k] - int(k == y)) for k in range(K)], dtype=object)
        hessian = np.kron(jacobian_of(RATIONALS, p), np.outer(arm, arm))
        if not ((score @ slopes == np.kron(residual, arm)).all() and (slopes.T @ second @ slopes == hessian).all()):
            return False
    return True


C024b = claim(
    "C024b",
    Statement(
        place="Section 2, Additional Notations",
        lines=(336, 339),
        kind="definition",
        prints=r"$\ell_{t+1}(\theta) := \sum_{k=1}^K -\mathbf{1}[k = y_t] \log(\mu(\theta x_t)_k)$.",
        quantifiers=r"for all $\theta \in \mathbb{R}^{K \times d}$",
        reading=r"Its gradient is $(\mu(\theta x_t) - e_{y_t}) \otimes x_t$ and its Hessian $\nabla\mu(\theta x_t) \otimes x_t x_t^\top$, as used later.",
    ),
    Identities(
        logistic_loss,
        r"rational functions of $e^{z_k}$ and $x$, on which $\partial/\partial z_k$ acts as $e^{z_k}\, \partial/\partial e^{z_k}$, with the chain rule for $z = \theta x$; three outcomes stand in an entry of the Hessian, of the others only the sum of the weights does, so that $K = 4$ decides every $K$, and $d = 2$ every $d$",
        [{"K": 2}, {"K": 3}, {"K": 4}],
    ),
    domain=r"every $K$ and $d$, all $\theta$, $x$ and $y$; decided at $K = 2, 3, 4$, $d = 2$",
    planted={"sign": -1},
    ours=True,
    module=__name__,
)

"""Appendix F.3, proof of Theorem 1, Step 2: from norms to traces."""

import itertools
import math

import numpy as np

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.learning import sigma_t, wbar_of
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, vectors
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Effort, column, vectors_box


def spectra(m: Arithmetic, K: int, d: int, q: Number, kappa: Number, kappa_power: int = 1, **point: Number) -> Number:
    """The largest difference along the chain: of the power sums of both spectra, of the norm above the trace, of kappa."""
    theta = rows_of(centred_columns(column(point, "t"), d), d)
    times = [10**digits for digits in column(point, "n")]
    inverse = m.inverse(wbar_of(m, theta, vectors(m, column(point, "x"), d), times, 1))
    (x,) = vectors(m, [q, *column(point, "y")], d)
    tall = np.kron(identity(m, K), m.array(x)[:, None])
    block, product = tall.T @ inverse @ tall, tall @ tall.T @ inverse
    found, powers = [abs(kappa**kappa_power / kappa - 1)], (block, product)
    for _ in range(K):
        found.append(abs(np.trace(powers[1]) / np.trace(powers[0]) - 1))
        powers = powers[0] @ block, powers[1] @ product
    found.append(m.eigenvalues((block + block.T) / 2)[-1] / np.trace(block) - 1)
    return m.maximum(*found)


def spectra_box(K: int, d: int) -> Box:
    """Two arms, learnt 1 to 1e6 times, and the arm asked about, q and y."""
    numbers = {"q": (0.1, 1.0), "kappa": (2.0, 100.0), "n0": (0.0, 6.0), "n1": (0.0, 6.0)}
    return vectors_box(t=(K * d, 3.0), x=(2 * d, 1.0), y=(d - 1, 1.0)) | numbers


def leibniz(matrix: list[list[Number]]) -> Number:
    """The determinant, by permutations."""
    total = 0
    for order in itertools.permutations(range(len(matrix))):
        sign = -1 if sum(a > b for a, b in itertools.combinations(order, 2)) % 2 else 1
        total = total + sign * math.prod((row[j] for row, j in zip(matrix, order, strict=True)), start=1)
    return total


def same_spectrum(kappa_power: int = 1) -> bool:
    """The identities behind the chain: of Sylvester for K = d = 2, of Lagrange for K = 2, 3, and kappa/kappa = 1."""
    names = [f"m{i}{j}" for i in range(4) for j in range(i, 4)]
    t, kappa, *rest = unknowns("t", "kappa", "x0", "x1", *names)
    x, entry = rest[:2], dict(zip(names, rest[2:], strict=True))
    inverse = [[entry[f"m{min(i, j)}{max(i, j)}"] for j in range(4)] for i in range(4)]
    tall = [[x[i % 2] if i // 2 == k else 0 * t for k in range(2)] for i in range(4)]
    wide = np.array(tall, dtype=object)
    block, product = wide.T @ np.array(inverse, dtype=object) @ wide, wide @ wide.T @ np.array(inverse, dtype=object)
    large = leibniz([[t * int(i == j) - product[i, j] for j in range(4)] for i in range(4)])
    small = leibniz([[t * int(i == j) - block[i, j] for j in range(2)] for i in range(2)])
    return large == t**2 * small and kappa**kappa_power / kappa == 1 and lagrange(2) and lagrange(3)


def lagrange(size: int) -> bool:
    """|y|^2 |v|^2 - (y^T v)^2 = sum_{i < j} (y_i v_j - y_j v_i)^2."""
    values = unknowns(*(f"y{i}" for i in range(size)), *(f"v{i}" for i in range(size)))
    y, v = values[:size], values[size:]
    squares = sum((y[i] * v[j] - y[j] * v[i]) ** 2 for i, j in itertools.combinations(range(size), 2))
    return dot(y, y) * dot(v, v) - dot(y, v) ** 2 == squares


CHAIN = Equality(
    spectra,
    spectra_box,
    cases=({"K": 2, "d": 1}, {"K": 3, "d": 1}, {"K": 2, "d": 2}),
    note=r"the first '$\le$' (fourth line) is an equality, by the definition of the norm",
    share=0.1,
    rounding=1e-6,
    proof=Exactly(
        same_spectrum,
        r"$\det(t I - X X^\top M) = t^{K (d - 1)} \det(t I - X^\top M X)$ with $X = I \otimes x$ and any symmetric $M$, for $K = d = 2$; for $d = 1$ the two matrices are one; for every $K$ and $d$ the traces of all powers of $X X^\top M$ and $X^\top M X$ agree, as the trace is cyclic, and so do the eigenvalues other than $0$. $\mathrm{Tr}(B) |v|^2 - v^\top B v$ with $B = \sum y y^\top$ is a sum of squares, of two coordinates each, for every size",
    ),
)
"""Of one summand, from the second line on."""


def radius_grows(m: Arithmetic, size: int, S: Number, log_t: Number, more: Number, sign: int = 1) -> Number:
    """sigma_t over sigma_T, log T = log t + `more`, or its inverse if the sign is -1."""
    here, there = (sigma_t(m, size, S, m.exp(log)) for log in (log_t, log_t + more)[::sign])
    return here / there


def logarithm_grows(sign: int = 1) -> bool:
    """log(T/delta) - log(t/delta), of which the root is the only part of sigma_t that depends on t."""
    level, log_t, more = unknowns("level", "log_t", "more")
    return nonnegative((level + log_t + sign * more) - (level + log_t))


GROWS = Inequality(
    radius_grows,
    {"S": (0.0, 1e3), "log_t": (0.0, 69.0), "more": (0.0, 69.0)},
    cases=({"size": 2}, {"size": 1000}),
    share=0.1,
    proof=Exactly(logarithm_grows, r"$\sigma_t(\delta)$ grows with $\log(t/\delta)$"),
)
"""The second line, of one t."""


def first_display(effort: Effort, kappa_power: int = 1, sign: int = 1) -> Finding:
    """Both."""
    return finding.all_of(CHAIN(effort, kappa_power=kappa_power), GROWS(effort, sign=sign))


C142 = claim(
    "C142",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 2, first display",
        lines=(982, 989),
        kind="step",
        prints=r"$\sum_t \epsilon_{2,t}(x_t) = 3 R \sum_t \sigma_t(\delta)^2 \|(I_K \otimes x_t^\top) \bar W_t^{-1/2}\|_2^2 \le 3 R \sigma_T(\delta)^2 \sum_t \|(I_K \otimes x_t^\top) \bar W_t^{-1/2}\|_2^2$, and of each summand $\|(I_K \otimes x_t^\top) \bar W_t^{-1/2}\|_2^2 \le \lambda_{\max}((I_K \otimes x_t^\top) \bar W_t^{-1} (I_K \otimes x_t)) = \lambda_{\max}((I_K \otimes x_t x_t^\top) \bar W_t^{-1}) \le \mathrm{Tr}((I_K \otimes x_t x_t^\top) \bar W_t^{-1}) = \kappa\, \mathrm{Tr}((\tfrac1\kappa I_K \otimes x_t x_t^\top) \bar W_t^{-1})$.",
        reading=r"The sums run over the rounds of learning, counted from $1$ as in Step 4: $\bar W_t$ is not defined before round $\tau + 1$. So in all of this step (C143 to C146).",
    ),
    first_display,
    domain=r"all $K$, $d$, $x$ and positive definite $\bar W_t$, in symbols for $K = d = 2$ and $d = 1$, else by the cyclic trace; searched: $(K, d) = (2, 1), (3, 1), (2, 2)$, two arms learnt $1$ to $10^6$ times; $\sigma_t$: all $K$, $d$, $S$, $\delta < 1$ and $1 \le t \le T$",
    planted={"kappa_power": 2, "sign": -1},
    module=__name__,
)

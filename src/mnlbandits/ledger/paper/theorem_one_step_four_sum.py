"""Appendix F.3, proof of Theorem 1, Step 4: from the summand to the sum over T, by trace and determinant."""

import itertools
from fractions import Fraction

import numpy as np

from mnlbandits.ledger import finding, search
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Identities, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.learning import wbar_of
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, vectors
from mnlbandits.ledger.formulas.potentials import jacobian_root, summand_of_commuting, tangents_cancel
from mnlbandits.ledger.formulas.softmax import binary_curvature, curvature, softmax
from mnlbandits.ledger.formulas.units import split_by_mean, unit_matrix
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Effort, column, vectors_box


def direction_share(m: Arithmetic, size: Number, digits: Number, spread: Number = 0, power: int = 0) -> Number:
    r"""$g/(\lambda + n \bar g)$ over $g/(\lambda + n f)$: a direction after n rounds of mean curvature $\bar g$, f the least, or 1 (power 0)."""
    mean, least = binary_curvature(m, size), binary_curvature(m, size + spread)
    rounds = 10**digits
    return (288 + rounds * least**power) / (288 + rounds * mean)


def least_curvature_is_below(power: int) -> bool:
    """1 - (lambda + n f)/(lambda + n (f + e)) = n e/(lambda + n (f + e)), e the mean curvature minus the least."""
    ridge, n, f, e = unknowns("l", "n", "f", "e")
    return 1 - (ridge + n * f**power) / (ridge + n * (f + e)) == n * e / (ridge + n * (f + e))


def least_curvature_of_each_round(power: int) -> bool:
    """The identity of C152 for K = 2, 3, 4, and c^power <= c for a least curvature c <= 1/2 on 1^perp, and on 1."""
    (h,) = unknowns("h")
    c = 1 / (2 + h)
    return nonnegative(c - c**power) and nonnegative(2 - c**power) and all(split_by_mean(K) for K in (2, 3, 4))


ROUNDS_BOX = {"size": (0.0, 6.0), "digits": (0.0, 9.0)}

C153 = claim(
    "C153",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 4, fifth display",
        lines=(1035, 1039),
        kind="step",
        prints=r"$\lVert \bar W_t^{-1/2} (I_K \otimes x_t) G^{1/2} \rVert_2^2 \le \lVert (\sum_{s<t} I_K \otimes x_s x_s^\top + \lambda I)^{-1/2} (I_K \otimes x_t) G^{1/2} \rVert_2^2$, $G = \nabla\mu(\theta_{t+1} x_t)$.",
    ),
    Correction(
        "rate",
        Inequality(
            direction_share,
            ROUNDS_BOX,
            examples=({"size": 0.0, "digits": 0.0},),
            note=r"$K = 2$, $d = 1$, $x = 1$, $\lambda = 288$: at $\theta = 0$, $t = 2$, 1/577 against 1/578 ($G = 1/2$ on $1^\perp$)",
            share=0.5,
        ),
        Inequality(
            direction_share,
            {**ROUNDS_BOX, "spread": (0.0, 6.0)},
            share=0.5,
            proof=Together(
                [
                    Exactly(
                        least_curvature_is_below,
                        r"$K = 2$, $d = 1$: $1 - \tfrac{\lambda + n f}{\lambda + n (f + e)} = \tfrac{n e}{\lambda + n (f + e)}$, $f$ the least curvature of the $n$ rounds and $f + e$ their mean",
                    ),
                    Exactly(
                        least_curvature_of_each_round,
                        r"in general, for every $K$ as $I = (I - P) + P$: $\nabla\mu + 1 1^\top - I/\kappa = (\nabla\mu - (I - P)/\kappa) + (K - 1/\kappa) P$, $P = 1 1^\top/K$, both terms positive semidefinite, so that $\bar W_t$ is at least $I \otimes (\lambda I + \tfrac{1}{\kappa} \sum x_s x_s^\top)$ and the inverses the other way round",
                    ),
                ]
            ),
            fixed={"power": 1},
        ),
        r"$\tfrac{1}{\kappa} I_K \otimes x_s x_s^\top$ for $I_K \otimes x_s x_s^\top$, $\kappa$ the inverse of the smallest curvature seen; this loses up to a factor $\kappa$, which C154 and C154b avoid",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, $\lambda = 288$, $1$ to $10^9$ rounds, $\lVert \theta x \rVert \in [0, 6]$; corrected: all $K$, $d$, $\lambda > 0$, arms, curvatures and numbers of rounds",
    planted={"power": 1, "mended_power": 0},
    module=__name__,
)


def one_arm_has_rank_one(K: int, d: int) -> bool:
    """N = x x^T M^-1 has N^2 = t N, t = tr N, and so has I_K (x) N, for unknown x and M^-1: t is their only other eigenvalue than 0."""
    entries = unknowns(*(f"x{i}" for i in range(d)), *(f"m{i}" for i in range(d * (d + 1) // 2)))
    x, upper = entries[:d], dict(zip(itertools.combinations_with_replacement(range(d), 2), entries[d:], strict=True))
    inverse = [[upper[min(i, j), max(i, j)] for j in range(d)] for i in range(d)]
    against = [sum(a * b for a, b in zip(x, column, strict=True)) for column in inverse]
    N = np.array([[a * b for b in against] for a in x], dtype=object)
    whole, trace = np.kron(unit_matrix(K), N), sum(np.diag(N))
    return all(a == b for M in (N, whole) for a, b in zip((M @ M).ravel(), (M * trace).ravel(), strict=True))


def summand_over(m: Arithmetic, weight: Number, half: int, factor: int = 1) -> Number:
    """`summand_of_commuting` over a constant."""
    return summand_of_commuting(m, weight, half) / factor


def summand_mended(m: Arithmetic, K: int, d: int, q: Number, power: int = 1, **point: Number) -> Number:
    """||Wbar^(-1/2) (I (x) x) G^(1/2)||^2 over Tr(x x^T (c^power sum x_s x_s^T + lambda I)^-1), lambda = 2, one arm played before."""
    theta = rows_of(centred_columns(column(point, "t"), d), d)
    arms, times = vectors(m, column(point, "x"), d), [10**digits for digits in column(point, "n")]
    (x,), (arm,), (count,) = vectors(m, [q, *column(point, "y")], d), arms, times
    least = curvature(m, [dot(row, arm) for row in theta])
    tall = np.kron(identity(m, K), m.array(x)[:, None]) @ jacobian_root(m, softmax(m, [dot(row, x) for row in theta]))
    block = tall.T @ m.inverse(wbar_of(m, theta, arms, times, 2)) @ tall
    grown = 2 * identity(m, d) + m.power(least, m.number(power)) * count * np.outer(m.array(arm), m.array(arm))
    return m.eigenvalues((block + block.T) / 2)[-1] / (m.array(x) @ m.inverse(grown) @ m.array(x))


def summand_box(K: int, d: int) -> Box:
    """theta, an arm, learnt 1 to 1e5 times, and the arm asked about, q and y."""
    return vectors_box(t=(K * d, 3.0), x=(d, 1.0), y=(d - 1, 1.0)) | {"q": (0.1, 1.0), "n0": (0.0, 5.0)}


def ranks() -> bool:
    """`one_arm_has_rank_one` at three sizes."""
    return all(one_arm_has_rank_one(K, d) for K, d in ((2, 1), (3, 2), (2, 3)))


RANKS = r"with $N = x x^\top M^{-1}$, $N^2 = (\operatorname{Tr} N) N$ and the same of $I \otimes N$, for unknown $x$ and $M$, so that $\operatorname{Tr} N$ is the only eigenvalue other than $0$ of both; for every $K$ and $d$, as $x$ is one vector"
"""What `ranks` says."""


def trace_of_the_summand(power: int = 1) -> bool:
    """C153 as corrected with that power, and the ranks behind the trace."""
    return ranks() and least_curvature_of_each_round(power)


def summand_printed(effort: Effort, factor: int = 1) -> Finding:
    """The example."""
    del effort
    text = "K = 4, d = 1, lambda = 576, theta = (1, 1, -1, -1) ln(99)/2, after x = 1, -1, 1, -1, ..., in round t = 20001"
    worst = search.at(summand_over, text, weight=99.0, half=10**4, factor=factor)
    return finding.inequality(worst, summand_over, "it tends to 1.98 as t grows", loose=False)


C153b = claim(
    "C153b",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 4, sixth and seventh display",
        lines=(1040, 1052),
        kind="step",
        prints=r"With $G \preccurlyeq I_K$, each summand $\lVert \bar W_t^{-1/2} (I_K \otimes x_t) G^{1/2} \rVert_2^2$ is at most $\operatorname{Tr}(x_t x_t^\top (\sum_{s<t} x_s x_s^\top + \lambda I)^{-1})$.",
        reading=r"First against last line of the seventh display; what stands between them is C153 and C153c. $(I_K \otimes x_s)$ in its first line is $(I_K \otimes x_t)$.",
    ),
    Correction(
        "rate",
        summand_printed,
        Inequality(
            summand_mended,
            summand_box,
            cases=({"K": 3, "d": 1}, {"K": 2, "d": 2}),
            share=0.05,
            proof=Exactly(trace_of_the_summand, f"from C153 as corrected; {RANKS}"),
        ),
        r"$\operatorname{Tr}(x_t x_t^\top (\tfrac1\kappa \sum x_s x_s^\top + \lambda I)^{-1})$, $1/\kappa$ the least curvature seen, from C153 as corrected",
    ),
    domain=r"printed: $K = 4$, $d = 1$, two arms in turn, closed form; corrected: all $K$, $d$, $\lambda > 0$, arms and numbers of rounds; searched: $(K, d) = (3, 1), (2, 2)$, an arm learnt $1$ to $10^5$ times, another asked, $\lambda = 2$",
    planted={"factor": 2, "mended_power": 0},
    module=__name__,
)


def third_line(effort: Effort, power: int = 1) -> Finding:
    """The third line, with the inverse if `power` is -1, against the fourth."""
    del effort
    left, right = Fraction(2 + 1) ** power, Fraction(1, 2 + 1)
    text = f"K = 2, d = 1, x = 1, lambda = 2, after one round: the third line is {left}, the fourth {right}"
    return finding.exactly(left <= right, f"{left} against {right}, exactly", text, ratio=float(left / right))


C153c = claim(
    "C153c",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 4, seventh display, lines two to four",
        lines=(1049, 1051),
        kind="step",
        prints=r"$\lambda_{\max}((I_K \otimes x x^\top) (\sum I_K \otimes x_s x_s^\top + \lambda I)^{-1}) \le \lambda_{\max}(x x^\top (\sum x_s x_s^\top + \lambda I)) \le \operatorname{Tr}(x x^\top (\sum x_s x_s^\top + \lambda I)^{-1})$.",
    ),
    Correction(
        "misprint",
        third_line,
        Identities(ranks, RANKS),
        "misprint: the inverse is missing in the third line; with it all three are equal",
    ),
    domain=r"printed: $K = 2$, $d = 1$, $x = 1$, $\lambda = 2$, one round; corrected: every $K$, $d$, $x$ and $M = \sum x_s x_s^\top + \lambda I$, in symbols for $(K, d) = (2, 1), (3, 2), (2, 3)$",
    planted={"power": -1},
    module=__name__,
)


def determinant_share(m: Arithmetic, share: Number, tilt: Number, numerator: int = 1) -> Number:
    r"""$\log(|M_T|/|M_0|)$ over $d \log(1 + c T/(\lambda d))$, d = 2, two orthonormal arms, `tilt` the share of one; $T/(\lambda d)$ in powers of ten."""
    grown = m.log(1 + 4 * 10**share * tilt) + m.log(1 + 4 * 10**share * (1 - tilt))
    return grown / (2 * m.log(1 + numerator * 10**share))


def grows_by_trace(numerator: int) -> bool:
    """The steps from determinant to trace, exactly: tangents of log, T = sum |x|^2 + short, and Lagrange's identity for M_t."""
    ridge, inside, short, d = unknowns("l", "inside", "short", "d")
    trace = nonnegative(1 + numerator * (inside + short) / (ridge * d) - (1 + 2 * inside / (ridge * d)))
    a, b, u, v, p, q = unknowns("a", "b", "u", "v", "p", "q")
    squares = (a * v - b * u) ** 2 + (a * q - b * p) ** 2 + (u * q - v * p) ** 2
    sum_of_products = (a**2 + u**2 + p**2) * (b**2 + v**2 + q**2) - (a * b + u * v + p * q) ** 2 == squares
    return tangents_cancel() and trace and sum_of_products


C155 = claim(
    "C155",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 4, last display",
        lines=(1053, 1060),
        kind="step",
        prints=r"$M_t = \sum_{s \le t} x_s x_s^\top + \tfrac{\lambda}{2} I_d$ is at most $\sum_{s<t} x_s x_s^\top + \lambda I_d$ for $\lambda \ge 2$, and $\log(|M_T|/|M_0|) \le d \log(1 + \tfrac{T}{\lambda d})$.",
        hypotheses=r"$\lVert x_s \rVert_2 \le 1$.",
    ),
    Correction(
        "constant",
        Inequality(
            determinant_share,
            {"share": (-6.0, 12.0), "tilt": (0.0, 1.0)},
            examples=({"share": 0.0, "tilt": 0.5},),
            note=r"at $T = \lambda d$, each of $d$ orthonormal arms as often as the other, $\log 3$ against $\log 2$",
            share=0.5,
        ),
        Inequality(
            determinant_share,
            {"share": (-6.0, 12.0), "tilt": (0.0, 1.0)},
            share=0.5,
            proof=Exactly(
                grows_by_trace,
                r"with $a_i$ the eigenvalues of $\tfrac{2}{\lambda} \sum x_s x_s^\top$ and $\bar a$ their mean, $\log \tfrac{1 + a_i}{1 + \bar a} \le \tfrac{1 + a_i}{1 + \bar a} - 1$, whose sum over $i$ is 0, and $\bar a = \tfrac{2}{\lambda d} \sum |x_s|^2 \le \tfrac{2 T}{\lambda d}$; $|x|^2 |v|^2 - (x^\top v)^2$ is a sum of squares, so that $x x^\top \preccurlyeq I \preccurlyeq \tfrac{\lambda}{2} I$",
            ),
            fixed={"numerator": 2},
        ),
        r"$d \log(1 + \tfrac{2 T}{\lambda d})$, as $M_0 = \tfrac{\lambda}{2} I$: a constant in the logarithm; the first statement holds, since $x x^\top \preccurlyeq I \preccurlyeq \tfrac{\lambda}{2} I$",
    ),
    domain=r"searched: two orthonormal arms, $T/(\lambda d) \in [10^{-6}, 10^{12}]$; corrected: all arms in the unit ball, $d$, $T$ and $\lambda > 0$; the first statement: $\lambda \ge 2$",
    planted={"numerator": 2, "mended_numerator": 1},
    module=__name__,
)

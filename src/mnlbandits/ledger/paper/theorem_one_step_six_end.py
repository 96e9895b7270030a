"""Appendix F.3, proof of Theorem 1, Step 6: its last line."""

from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort

LAST_LINE = 16000
"""A universal constant with which the last line, as corrected, is true."""


def last_display(
    m: Arithmetic, K: Number, d: Number, S: Number, log_T: Number, kappa: Number, nu: Number, power: int = 1, share: int = 0
) -> tuple[Number, Number]:
    """Left over right side, without its constant, of both terms of the last line; R = 1, delta = 1/20, lambda = 144 K d.

    The right sides have (1 + S)^power and, where `share` is 1, (1 + S/sqrt(L)) and its square, L = log(T/delta).
    """
    level, size = log_T - m.log(m.number(Fraction(1, 20))), K * d
    sigma = m.sqrt(m.number(Fraction(2, 3)) * size * level) + 24 * S * m.sqrt(size)
    long, short = (m.log1p(m.exp(log_T) / (144 * size * by)) for by in (size * kappa, d))
    grown = (1 + S / m.sqrt(level)) ** share
    leading = 2 * m.e * sigma * m.sqrt(d * short) / (d * m.sqrt(K) * level * grown)
    square = 12 * kappa * size * long + 4 * m.e**2 * (2 + nu) * d * short
    return leading, sigma**2 * square / ((1 + S) ** power * (1 + nu) * kappa * (size * level * grown) ** 2)


def last_line_at_tau(effort: Effort, power: int = 1) -> Finding:
    """The constant needed in the second term with arms of length 1/S, K = 2, d = 1, T = 10^12 S > tau, against S."""
    del effort

    def needed(m: Arithmetic, S: Number) -> Number:
        kappa = 1 / binary_curvature(m, m.number(1))
        return last_display(m, 2, 1, S, m.log(10**12 * S), kappa, 1, power)[1]

    return finding.universal(needed, (1e2, 1e4, 1e8, 1e12, 1e16), "S")


def last_line_reduced(
    m: Arithmetic, S: Number, log_T: Number, kappa: Number, nu: Number, K: int, d: int, constant: int = LAST_LINE
) -> Number:
    """The larger of both terms over `constant` times their right sides, as corrected; S, kappa - K and nu in powers of ten."""
    return m.maximum(*last_display(m, K, d, 10**S, log_T, K + 10**kappa, 10**nu, 0, 1)) / constant


def last_line_steps(constant: int = LAST_LINE) -> bool:
    """sigma <= 24 sqrt(K d L)(1 + S/sqrt(L)), both logarithms at most L for T >= 2, and K, kappa >= 2; constant by constant."""
    z, far, more, curved, ridge, nu = unknowns("z", "far", "more", "curved", "ridge", "nu")
    T, K, kappa = 2 + far, 2 + more, 2 + curved
    radius = nonnegative(24 * (1 + z) - (1 + 24 * z))
    logs = nonnegative(T - 1 - T / (288 + ridge))
    first, second, third = 2 * 3 * 24, 12 * 24**2, 4 * Fraction(37, 5) * 24**2
    squares = nonnegative(constant * (1 + nu) - (second + third * (2 + nu) / (K * kappa)))
    return radius and logs and squares and first <= constant and bool(BALLS.e <= 3) and bool(BALLS.e**2 <= Fraction(37, 5))


C164b = claim(
    "C164b",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 6, last display, last line",
        lines=(1119, 1124),
        kind="step",
        prints=r"$\mathrm{Reg}_T(\mathrm{Learning}) \le C d \sqrt K \log(T/\delta) R \sqrt{T/\kappa_*} + C (1 + S) (R + \nu) \kappa K^2 d^2 \log^2(T/\delta)$.",
        hypotheses=r"The line before it (C164), $\lambda = 144 K d$, $\sigma_T$ of Lemma 2, $C$ universal.",
        reading=r"The implication: each summand of the line before is at most its part of this line. Theorem 1 (line 448) has no factor $1 + S$.",
    ),
    Correction(
        "rate",
        last_line_at_tau,
        Inequality(
            last_line_reduced,
            {"S": (-3.0, 16.0), "log_T": (0.7, 690.0), "kappa": (-2.0, 100.0), "nu": (-6.0, 6.0)},
            cases=[{"K": K, "d": d} for K in (2, 3, 1000) for d in (1, 10)],
            share=0.1,
            proof=Exactly(
                last_line_steps,
                r"with $L = \log(T/\delta)$ and $z = S/\sqrt L$, $\sigma_T = (2/\sqrt 6 + 24 z) \sqrt{K d L} \le 24 (1 + z) \sqrt{K d L}$; $1 + T/288 \le T$ for $T \ge 2$; in the last term $d$ stands for $\kappa K d$, which is at least $4 d$",
            ),
        ),
        r"$1 + S/\sqrt{\log(T/\delta)}$ in the first term and its square for $1 + S$ in the second, as $\sigma_T^2$ contains $576 S^2 K d$; $C = 16000$ will do. That the line before has $d$ for $(K - 1) d$ is C162",
    ),
    domain=r"printed: $K = 2$, $d = 1$, arms of length $1/S$, $R = \nu = 1$, $T = 10^{12} S$, which is above $\tau$, $S = 10^2..10^{16}$; corrected: all $K$, $d$, $S$, $\kappa \ge K$, $R$, $\nu$ and $T \ge 2$; searched: $S = 10^{-3}..10^{16}$, $\log T = 0.7..690$, $\kappa$ to $10^{100}$, $\nu/R = 10^{-6}..10^6$, $\delta = 1/20$",
    planted={"power": 2, "mended_constant": 100},
    module=__name__,
)

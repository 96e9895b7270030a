"""Appendix F.3, proof of Theorem 1, before Step 1: the regret of the exploration and the order of tau."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.estimates import ridge_zero
from mnlbandits.ledger.formulas.regret import (
    COST_BELOW_NORM,
    cost_below_norm,
    exploration_cost,
    round_cost,
    tau_of,
    two_arms_box,
)
from mnlbandits.ledger.search import Effort

C139 = claim(
    "C139",
    Statement(
        place="Appendix F.3, proof of Theorem 1, before Step 1",
        lines=(963, 966),
        kind="step",
        prints=r"The regret of the exploration phase is smaller than $\tau$.",
        labels=("appendix:proof thm regret bound",),
    ),
    Correction(
        "misprint",
        Inequality(exploration_cost, {"S": (0.1, 10.0), "R": (0.01, 100.0)}, examples=[{"S": 2.0, "R": 4.0}]),
        Inequality(
            round_cost,
            two_arms_box,
            cases=({"K": 2}, {"K": 3}),
            share=0.25,
            note="of the example half, as every other round costs nothing",
            proof=Exactly(cost_below_norm, COST_BELOW_NORM),
        ),
        r"misprint: $R \tau$ for $\tau$; the $R$ of the second term of Theorem 1 has it",
    ),
    domain=r"$K = 2$, $d = 1$, arms $1$ and $-1$, which the exploration plays in turn; $S \in [0.1, 10]$, $\rho = (R, 0)$, $R \in [0.01, 100]$; corrected: every round, $K$ and instance",
    planted={"power": 1, "mended_factor": Fraction(1, 2)},
    module=__name__,
)


# The order of tau


def tau_needed(
    m: Arithmetic,
    power: Fraction,
    K: Number | int = 2,
    log_T: Number | int = 69,
    S: Number | int = 1,
) -> Number:
    """tau/(kappa d^power) over (K log T)^power, d = 1, delta = 0.05."""
    return tau_of(m, K, S, m.exp(log_T), 1, m.number("0.05")) / m.power(K * m.number(1) * log_T, m.number(power))


TAU_RANGES = {"K": (2.0, 200.0, 2e4), "log_T": (23.0, 69.0, 230.0), "S": (1.0, 100.0, 1e4)}
"""What moves, one at a time; the others are such that tau <= T, if the arms are so short that kappa <= 2 K."""


def order_of_tau(effort: Effort, power: Fraction = Fraction(3, 2)) -> Finding:
    """Whether one constant does along each range."""
    del effort

    def along(name: str) -> Finding:
        def needed(m: Arithmetic, value: Number) -> Number:
            return tau_needed(m, power, **{name: value})

        return universal(needed, TAU_RANGES[name], name)

    parts = [along(name) for name in TAU_RANGES]
    bad = [part for part in parts if part.verdict == "refuted"]
    return replace((bad or parts)[0], evidence="; ".join(part.evidence for part in parts))


def tau_over_order(m: Arithmetic, size: Number, S: Number, log_T: Number, log_kappa: Number, sizes: int = 2) -> Number:
    """|336^2 lambda_0 kappa K d log(T)/(336^2 (1 + S) (K d)^sizes kappa log(T/delta) log T) - 1|, lambda_0 of Lemma 1."""
    T, kappa, delta = m.exp(log_T), m.exp(log_kappa), m.number("0.05")
    tau = 336**2 * ridge_zero(m, size, 1, S, T, delta) * kappa * size * log_T
    return abs(tau / (336**2 * (1 + S) * size**sizes * kappa * m.log(T / delta) * log_T) - 1)


def same_order(sizes: int = 2) -> bool:
    """Lemma 1's tau = 336^2 lambda_0 kappa K d log T with lambda_0 = (S + 1) K d log(T/delta), as rational functions."""
    K, d, S, kappa, level, log_T = unknowns("K", "d", "S", "kappa", "level", "log_T")
    ridge = (S + 1) * K * d * level
    return 336**2 * ridge * kappa * K * d * log_T == 336**2 * (1 + S) * (K * d) ** sizes * kappa * level * log_T


C140 = claim(
    "C140",
    Statement(
        place="Appendix F.3, proof of Theorem 1, before Step 1",
        lines=(964, 966),
        kind="step",
        prints=r"$\tau \le C K^{3/2} d^{3/2} \kappa \log^{3/2}(T)$.",
        hypotheses=r"$\tau$ and $\lambda_0$ as in Lemma 1, $C$ universal.",
    ),
    Correction(
        "rate",
        order_of_tau,
        Equality(
            tau_over_order,
            {"size": (2.0, 100.0), "S": (0.0, 100.0), "log_T": (1.0, 100.0), "log_kappa": (0.0, 100.0)},
            share=0.25,
            proof=Exactly(same_order, "an identity of rational functions"),
        ),
        r"$C (1 + S) K^2 d^2 \kappa \log(T/\delta) \log T$ with $C = 336^2$, which is what the last term of Theorem 1 has, but for $1 + S$ (C157b)",
    ),
    domain=r"$\tau = 336^2 (S + 1) K^2 d^2 \kappa \log(T/\delta) \log T$, $\delta = 0.05$; $d = 1$, $K = 2..2 \cdot 10^4$, $\log T = 23..230$, $S = 1..10^4$, one at a time from $K = 2$, $S = 1$, $\log T = 69$, so that $\tau \le T$ for arms so short that $\kappa \le 2 K$; the constant needed is $336^2 (S + 1) \sqrt K \log(T/\delta)/\sqrt{\log T}$, above every number; corrected: all of them",
    planted={"mended_sizes": 1},
    module=__name__,
)

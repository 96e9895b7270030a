"""Appendix F.3, proof of Theorem 1, before Step 1: its event, the regret of the exploration and the order of tau."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.estimates import ridge_zero
from mnlbandits.ledger.formulas.learning import LEVEL, sigma_t
from mnlbandits.ledger.formulas.mended import tau_mended
from mnlbandits.ledger.formulas.radii import ROOT, TAU, TAU_MENDED, THETA_MENDED, rounds_at_tau, theta_root_mended
from mnlbandits.ledger.formulas.regret import (
    COST_BELOW_NORM,
    cost_below_norm,
    exploration_cost,
    round_cost,
    tau_of,
    two_arms_box,
)
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.search import Effort

# The event


def standing_event(m: Arithmetic, S: Number, x: Number, horizon: int, factor: int = 1) -> Number:
    """At most ||theta_* - theta_{T+1}||_Wbar over factor sigma_T, whatever the outcomes; K = 2, d = 1, the only arm x.

    All of Theta is further than S - sqrt(2) x tau/lambda_0 - 84 from theta_*, and each round of learning adds the curvature of
    an estimate shorter than theta_*.
    """
    away = S - m.sqrt(m.number(2)) * x * rounds_at_tau(m, S, x, horizon) - ROOT
    tau = rounds_at_tau(m, S, x, horizon) * ridge_zero(m, 2, 1, S, horizon, m.number(LEVEL))
    information = 288 + 2 * (horizon - tau) * slope(m, m.sqrt(m.number(2)) * S * x) * x**2
    return away * m.sqrt(information) / (factor * sigma_t(m, 2, S, horizon))


def length_over_root(m: Arithmetic, S: Number, theta: Fraction = THETA_MENDED) -> Number:
    """S sqrt(lambda_0), by which the ridge alone moves the estimate, over the radius of Theta of Lemma 1 as corrected."""
    return S / theta_root_mended(m, S, theta=theta)


def length_below_root(theta: Fraction = THETA_MENDED) -> bool:
    """(radius)^2 - S^2 lambda_0 has no negative coefficient, over lambda_0."""
    (S,) = unknowns("S")
    return nonnegative(theta * (S + 3) ** 2 - S**2)


WITHIN_RADIUS = Inequality(
    length_over_root,
    {"S": (0.0, 1e16)},
    examples=({"S": 100.0},),
    share=0.1,
    note=r"the counterexample does not survive the radius of $\Theta$ as corrected",
    proof=Exactly(length_below_root, r"$1.67 (S + 3)^2 \ge S^2$"),
)


def both_lemmas(effort: Effort, failures: int = 2, theta: Fraction = THETA_MENDED) -> Finding:
    """1 - failures delta from two events of probability 1 - delta, and the radius of the first against S."""
    delta, slack = unknowns("delta", "slack")
    union = nonnegative(failures * (delta + slack) - (delta + delta + slack))
    evidence = r"a union bound of the events of both lemmas as corrected, which are proved in C121b and C135"
    return finding.all_of(WITHIN_RADIUS(effort, theta=theta), finding.exactly(union, evidence, "two events"))


C139b = claim(
    "C139b",
    Statement(
        place="Appendix F.3, proof of Theorem 1, first paragraph",
        lines=(949, 955),
        kind="step",
        prints=r"$\mathrm{diam}(\Theta) \le 1$ and $\lVert \theta_* - \theta'_{t+1} \rVert_{\bar W_{t+1}} \le \sigma_t(\delta)$ for all $t \ge 1$, 'which is verified with probability $1 - 2 \delta$ thanks to' Lemmas 1 and 2.",
        hypotheses=r"$\tau$, $\lambda_0$ and $\lambda$ as in Theorem 1.",
        reading=r"$\theta'_{t+1}$, which is not defined, is $\theta_{t+1}$, and $t > \tau$, since nothing is learnt before. $1$ for the $1/\sqrt 6$ of Lemma 1 is weaker: enough for Step 3 (C148), not for Step 2 (C143, C144) nor for the $e$ of Step 6 (C162).",
    ),
    Correction(
        "rate",
        Inequality(
            standing_event,
            cases=({"S": 100, "x": Fraction(1, 10**9), "horizon": 10**24},),
            note=r"of every course of the outcomes, so that the event has probability $0$: as $\theta_* \notin \Theta$ (C121), no estimate comes near it",
        ),
        both_lemmas,
        r"$\mathrm{diam}(\Theta) \le 1/\sqrt 6$, as Lemma 1 has it, with the radius of $\Theta$ and the $\tau$ of Lemma 1 as corrected (C121b) and $\eta$, $\sigma_t$ and $\theta_{\tau+1}$ of Lemma 2 as corrected (C135), for all $t \ge \tau$; or, with those of the paper, for $S \le 66$ as far as Lemma 1 is concerned",
    ),
    domain=r"printed: $K = 2$, $d = 1$, the single arm $10^{-9}$, $S = 100$, $T = 10^{24}$, $\delta = 0.05$, all outcomes; corrected: all $K$, $d$, $S$, arms and $T \ge \tau$",
    planted={"factor": 4, "mended_failures": 1, "mended_theta": Fraction(9, 10)},
    module=__name__,
)


# The regret of the exploration

C139 = claim(
    "C139",
    Statement(
        place="Appendix F.3, proof of Theorem 1, before Step 1",
        lines=(963, 966),
        kind="step",
        prints=r"The regret of the exploration phase is smaller than $\tau$.",
        reading=r"The sketch has $\tau$ for $R \tau$ too (line 491, C169).",
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
    return tau_of(m, K, S, m.exp(log_T), 1, m.number(LEVEL)) / m.power(K * m.number(1) * log_T, m.number(power))


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
    T, kappa, delta = m.exp(log_T), m.exp(log_kappa), m.number(LEVEL)
    tau = tau_of(m, size, S, T, kappa, delta)
    return abs(tau / (TAU * (1 + S) * size**sizes * kappa * m.log(T / delta) * log_T) - 1)


def mended_tau_over_order(
    m: Arithmetic, size: Number, S: Number, log_T: Number, log_kappa: Number, sizes: int = 2
) -> Number:
    """The tau of Lemma 1 as corrected over 378 (1 + S)^3 K^(sizes - 1) d^sizes kappa log(T/delta) log T, K = `size`, d = 3."""
    T, kappa, delta, d = m.exp(log_T), m.exp(log_kappa), m.number(LEVEL), 3
    tau = tau_mended(m, size, d, S, kappa, T, delta)
    return tau / (9 * TAU_MENDED * (1 + S) ** 3 * size ** (sizes - 1) * d**sizes * kappa * m.log(T / delta) * log_T)


def same_order(sizes: int = 2) -> bool:
    """Lemma 1's tau = 336^2 lambda_0 kappa K d log T with lambda_0 = (S + 1) K d log(T/delta), as rational functions."""
    K, d, S, kappa, level, log_T = unknowns("K", "d", "S", "kappa", "level", "log_T")
    ridge = (S + 1) * K * d * level
    return TAU * ridge * kappa * K * d * log_T == TAU * (1 + S) * (K * d) ** sizes * kappa * level * log_T


def below_order(sizes: int = 2) -> bool:
    """378 (1 + S)^3 K^(sizes - 1) d^sizes - 42 (S + 3)^2 (S + 1) K d d has no negative coefficient, K = 2 + more, d = 1 + wide."""
    more, wide, S = unknowns("more", "wide", "S")
    K, d = 2 + more, 1 + wide
    return nonnegative(9 * (1 + S) ** 3 * K ** (sizes - 1) * d**sizes - (S + 3) ** 2 * (S + 1) * K * d**2)


ORDER_BOX = {"size": (2.0, 100.0), "S": (0.0, 1e16), "log_T": (1.0, 500.0), "log_kappa": (0.0, 100.0)}

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
        All(
            [
                Equality(
                    tau_over_order, ORDER_BOX, share=0.25, proof=Exactly(same_order, "an identity of rational functions")
                ),
                Inequality(
                    mended_tau_over_order,
                    ORDER_BOX,
                    share=0.25,
                    proof=Exactly(below_order, r"$(S + 3)^2 \le 9 (1 + S)^2$, no coefficient of the difference is negative"),
                ),
            ]
        ),
        r"$C (1 + S) K^2 d^2 \kappa \log(T/\delta) \log T$ with $C = 336^2$, which is what the last term of Theorem 1 has, but for $1 + S$ (C157b); with the $\tau$ with which Lemma 1 is true for every $S$ (C121b) it is $C (1 + S)^3 K d^2 \kappa \log(T/\delta) \log T$, $C = 378$, up to rounding",
    ),
    domain=r"$\tau = 336^2 (S + 1) K^2 d^2 \kappa \log(T/\delta) \log T$, $\delta = 0.05$; $d = 1$, $K = 2..2 \cdot 10^4$, $\log T = 23..230$, $S = 1..10^4$, one at a time from $K = 2$, $S = 1$, $\log T = 69$, so that $\tau \le T$ for arms so short that $\kappa \le 2 K$; the constant needed is $336^2 (S + 1) \sqrt K \log(T/\delta)/\sqrt{\log T}$, above every number; corrected: all $K$, $d$, $S$, $\kappa$, $T$ and $\delta$, searched to $S = 10^{16}$",
    planted={"mended_sizes": 1},
    module=__name__,
)

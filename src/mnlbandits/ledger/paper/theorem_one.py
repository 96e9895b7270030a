"""Section 3.3: Theorem 1, and the same with explicit constants."""

import math
from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, all_of, exactly, measured, universal
from mnlbandits.ledger.formulas.concordance import growth_below, growth_box
from mnlbandits.ledger.formulas.mended import (
    LAST,
    LAST_LINE_BOX,
    STAR,
    last_line_below,
    last_line_ratio,
    learning_ridge,
    quadratic_below,
    quadratic_root,
    repeated_arm,
    repeats_below,
    second_sum,
    second_sum_below,
    slope_change,
    star_follows,
    trace_below,
    variance_of_run,
    variance_over_bound,
)
from mnlbandits.ledger.formulas.potentials import along, polygon, rotation
from mnlbandits.ledger.formulas.regret import cost_below_norm, explored_over_bound, stationary_share
from mnlbandits.ledger.formulas.variances import three_arms
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.boundary import field_of, leap_shares, printed_share
from mnlbandits.ledger.simulate.short_arms import FINE, LENGTH, mended_right_side, mended_share, printed_right_side

HALF = Fraction(1, 2)

LONG_HORIZONS = (1e26, 1e28, 9e29)
"""T of the runs on two short arms; at the last the printed tau is 8e16."""

LEAP_STEPS, LONG_LEAP_STEPS = (4e-5, 2e-5), (4e-5, 2e-5, 1e-5)
"""Steps of `leap` at the last of them, of a smoke and of a thorough effort."""

# From the mended Lemmas 1 and 2 to a bound in sigma


SECOND_SUM = Inequality(
    second_sum,
    {"kappa": (0.0, 20.0), "ridge": (2.5, 12.0), "share": (-2.0, 20.0)},
    share=0.25,
    note=r"$\sum_t \epsilon_{2,t}$, at the least $\bar W_t$",
    proof=Exactly(
        second_sum_below,
        r"on $1^\perp$ $\bar W_t \succcurlyeq \lambda + (c \kappa)^{-1} \sum_s x_s x_s^\top$, $c = e^{1/\sqrt 3}$, by $\nabla\mu(\theta_{s+1} x) \succcurlyeq c^{-1} \nabla\mu(\theta_* x) \succcurlyeq (c \kappa)^{-1} \Pi$, and on $1$ with $K$ for $(c \kappa)^{-1}$; then $u \le (1 + u) \log(1 + u)$, the determinant of a sum of rank one, and the tangent of $\log$",
    ),
)


def slope_certificate() -> bool:
    """The steps, with sqrt(2) for the factor of the norm."""
    return growth_below(2)


SLOPE_CHANGE = Inequality(
    slope_change,
    growth_box,
    cases=({"K": 2}, {"K": 3}),
    share=0.1,
    note=r"$\nabla\mu$ between two points of $\Theta$",
    proof=Exactly(slope_certificate, r"self-concordance: the range of the shift is at most $\sqrt 2/\sqrt 6$"),
)

REPEATED = Inequality(
    repeated_arm,
    {"u": (0.0, 40.0), "ridge": (2.5, 12.0), "share": (-2.0, 20.0)},
    share=0.25,
    note=r"$Q_T$ of one arm",
    proof=Exactly(
        repeats_below,
        r"of $W_t$ only the $n$ earlier rounds of the same arm and $\lambda$ are kept: a summand is at most $c^2 g/(c \lambda + n g)$ for an eigenvalue $g \le 1/2$ of $\nabla\mu(\theta_* x)$; over the arms by the tangent of $\log$",
    ),
)


def variance_certificate(half_nu: Fraction | int = HALF) -> bool:
    """The steps, with 2 half_nu times nu/2."""
    return variance_of_run(multiple=2 * half_nu)


LAWS_OF_THREE = {"z": (0.01, 0.98, 0.01), "y": (0.5, 0.01, 0.49), "w": (0.5, 0.01, 0.49)}
"""Probabilities of three arms, two of them the same; the worse ones have the larger variance."""

VARIANCE = Inequality(
    variance_over_bound,
    three_arms,
    cases=({"K": 2}, {"K": 3}, {"K": 5}),
    examples=[
        {"K": 3, "r0": 0.0, "r1": 0.5, "r2": 1.0}
        | {f"{name}{k}": math.log(chance) for name, row in LAWS_OF_THREE.items() for k, chance in enumerate(row)}
    ],
    share=0.25,
    note=r"the variance of a round over $R^2/\kappa_* + (2 R + \nu/2)$ times its regret",
    proof=Exactly(
        variance_certificate,
        r"of an arm of gap $g + e$, $g$ the least gap, $D$ the largest difference of second moments, $\nu/2 = D/g$: $D \le (\nu/2)(g + e)$ and $m_*^2 - m_t^2 \le 2 R (g + e)$; an optimal arm has at most $R^2/\kappa_*$ by the minimum in $\kappa_*$",
    ),
)

QUADRATIC = Inequality(
    quadratic_root,
    {"square": (-9.0, 9.0)},
    note=r"$x \le E + b \sqrt x$ gives $x \le \tfrac54 E + \tfrac{25}{16} b^2$",
    proof=Exactly(quadratic_below, r"with $y = \sqrt x$ the difference is $(y/2 - 5 b/4)^2$ and a slack"),
)


def trace_on_polygons(effort: Effort, trace: Fraction) -> Finding:
    """Q_T over trace D log(1 + T/(lambda D)) where all arms are optimal, all rows different; and the steps."""
    ratios = {}
    for K in (4, 8, 16) if effort.rounds > 1000 else (4, 8):
        theta, arms = polygon(K)
        ridge, free = learning_ridge(K, 2), (K - 1) * 2
        steps = rotation(len(arms), 1e12, 0.1)
        rounds = sum(count for _, count in steps)
        found = along(FLOATS, theta, arms, steps, ridge) * 2 * math.log1p(rounds / (2 * ridge))
        ratios[f"K = {K}"] = found / (float(trace) * free * math.log1p(rounds / (free * ridge)))
    run = measured(ratios, 1, r"$Q_T$ on polygons")
    if run.verdict in FALSE:
        return run
    words = r"$Q_T \le c \sum_t \mathrm{Tr}\, A_t$, $A_t = W_t^{-1/2} H_{t+1} W_t^{-1/2} \preccurlyeq 1/(2 \lambda)$, and $\mathrm{Tr}\, A_t \le (1 + 1/(2 \lambda)) \log \det(1 + A_t)$, whose sum is $\log \det W_{T+1} - \log \det W_{\tau+1}$"
    return exactly(trace_below(trace), f"{run.evidence}; {words}", r"$c (1 + 1/(2 \lambda))$ is more", ratio=run.ratio)


def theorem_in_sigma(
    effort: Effort,
    leading: Fraction = STAR["leading"],
    second: Fraction = STAR["second"],
    first: Fraction = STAR["first"],
    nu: Fraction = STAR["nu"],
    trace: Fraction = STAR["trace"],
    repeats: Fraction = STAR["repeats"],
    bonus: Fraction = STAR["bonus"],
    half_nu: Fraction = HALF,
) -> Finding:
    """Every step from the mended Lemmas 1 and 2 to the bound in sigma and q."""
    sums = r"from $x \le B + A R \sqrt{T/\kappa_*} + A \sqrt{(2 R + \nu/2) x}$, $A = 2 \sqrt{c q}\, \sigma$, $B = 2 \sum_t \epsilon_{2,t}$"
    constants = star_follows(leading, second, first, nu, bonus) and cost_below_norm()
    return all_of(
        VARIANCE(effort, half_nu=half_nu),
        SECOND_SUM(effort, bonus=bonus),
        SLOPE_CHANGE(effort),
        trace_on_polygons(effort, trace),
        REPEATED(effort, repeats=repeats),
        QUADRATIC(effort),
        exactly(constants, sums, "a constant is too small for its step"),
    )


# The last line


def last_terms(
    m: Arithmetic, outcomes: Number, dim: Number, size: Number, log_T: Number, level: Number, nu: Number, **changed: Number
) -> Number:
    """`last_line_ratio` of the coordinates."""
    point = {"outcomes": outcomes, "dim": dim, "size": size, "log_T": log_T, "level": level, "nu": nu}
    return last_line_ratio(m, point, **changed)


TERM_BY_TERM = Inequality(
    last_terms,
    LAST_LINE_BOX,
    note=r"of each term of the bound in $\sigma$ and $q$ and what it becomes in the last line",
    proof=Exactly(
        last_line_below,
        r"$\sigma_T^2 \le 576 S^2 K d + \tfrac52 D \log(T/\delta)$ and $1 + T/288, 1 + T/14 \le T$ for $T \ge 2$, as rational functions; then constant by constant, the square root of a sum being at most the sum of the square roots",
    ),
)


# Theorem 1


def linear_on_short_arms(effort: Effort) -> str:
    """What the runs on (b) show."""
    last, field = LONG_HORIZONS[-1], field_of(LONG_HORIZONS[-1])
    runs = {horizon: printed_share(horizon) for horizon in LONG_HORIZONS}
    shares = ", ".join(f"${run.share:.4f} \\pm {run.error:.4f}$ at $T$ = {T:.3g}" for T, run in runs.items())
    found = leap_shares(last, LONG_LEAP_STEPS if effort.rounds > 1000 else LEAP_STEPS)
    leaps = ", ".join(f"${share:.4f} \\pm {error:.4f}$ at step {step:g}" for step, share, error in found)
    off = max(abs(share - runs[last].share) / error for _, share, error in found)
    limits = [stationary_share(FLOATS, length, last) for length in (LENGTH, 0.0)]
    most = max(map(printed_right_side, LONG_HORIZONS))
    return (
        f"(b) the regret over $T$ times the gap, by a mean field in $\\log t$ on the boundary of $\\Theta$: {shares}; by `leap` at the last $T$ {leaps}, "
        f"at most {off:.2g} of its error from that; in closed form, without bonuses, {limits[0]:.4f}, as gradients balance there, and {limits[1]:.4f} for ever shorter arms. "
        f"A batch of step {FINE:g} moves the estimate by up to {field.moved(FINE):.3g} radii of $\\Theta$, so that no coarser `leap` counts. $\\theta_*$ is {runs[last].away:.3g} radii from the centre; "
        f"the right side with $C = 1$ is at most {most:.2g} of $T$ times the gap, and {most * (1 + field.norm):.2g} with $1 + S$ in front"
    )


def theorem_as_printed(effort: Effort, power: int = 0) -> Finding:
    """The constant that the theorem needs against S on two short arms of unequal length; (1 + S)^power in front."""

    def needed(m: Arithmetic, S: Number) -> Number:
        return explored_over_bound(m, S, power)

    found = universal(needed, [1e4, 1e8, 1e12, 1e16], "S")
    return replace(found, evidence=f"(a) {found.evidence}; {linear_on_short_arms(effort)}")


def theorem_as_mended(effort: Effort, **changed: Fraction) -> Finding:
    """The chain from the mended lemmas to the last line, and the last line on the runs that refute the printed theorem."""
    chain = all_of(theorem_in_sigma(effort), TERM_BY_TERM(effort, **changed))
    runs = {T: mended_share(T) for T in LONG_HORIZONS}
    ratios = {f"$T$ = {T:.3g}": (run.share + run.error) / mended_right_side(T, **changed) for T, run in runs.items()}
    shares = ", ".join(f"${run.share:.2g}$ at $T$ = {T:.3g}" for T, run in runs.items())
    run = measured(
        ratios,
        1,
        f"on (b), whose regret is now {shares} of $T$ times the gap, nearly all of it exploration, with $\\theta_*$ at most {max(run.away for run in runs.values()):.2g} radii from the centre of $\\Theta$",
    )
    return (
        run
        if run.verdict in FALSE
        else replace(chain, evidence=f"the steps are those of C156b and C156c, examined again; {run.evidence}")
    )


ALGORITHM = r"Algorithm 2 with $\eta = 5/4$, $\Theta = \{\|\theta - \hat\theta\|_V^2 \le 1.67 (S + 3)^2 \lambda_0\}$, $\tau = \lceil 42 (S + 3)^2 \lambda_0 \kappa d \log T \rceil$, $\theta_{\tau+1}$ the point of $\Theta$ of least norm, $\sigma_t^2 = 4 S^2 \lambda + \tfrac52 \log\tfrac1\delta + \tfrac{21}{10} D \log(1 + \tfrac{t}{\lambda D})$, $D = (K - 1) d$; $\lambda_0$, $\lambda$ and the bonuses as printed"

HYPOTHESES = r"$K \ge 2$, $S \ge 0$, $\mathcal X$ finite in the unit ball, arms of any length, $\rho \ge 0$, $T \ge 2$, $\delta \in (0, 1]$; $\nu$ as printed, or $0$ where it is not defined; the exploration breaks ties without looking at outcomes"

IN_SIGMA = r"$\mathrm{Reg}_T \le 3.34\, \sigma_T \sqrt q\, R \sqrt{T/\kappa_*} + 14.4 R \kappa d \sigma_T^2 \log(1 + \tfrac{T}{7 \kappa d}) + (22.28 R + 5.6 \nu) \sigma_T^2 q + R \tau$, $q = \min\{2.01 D \log(1 + \tfrac{T}{\lambda D}), 3.58 N \log(1 + \tfrac{T}{2 \lambda N})\}$, $N = |\mathcal X|$"

IN_FULL = r"$\mathrm{Reg}_T \le R \sqrt{T/\kappa_*} [7.5 D \Lambda + 114 S \sqrt{K d D \log T}] + 36 R \kappa d D \Lambda^2 + 8300 S^2 R \kappa K d^2 \Lambda + (112 R + 28.2 \nu) D^2 \Lambda^2 + (25900 R + 6500 \nu) S^2 K d D \Lambda + R + 42 R (S + 1)(S + 3)^2 \kappa K d^2 \Lambda \log T$, $\Lambda = \log(T/\delta)$"

EVENTS = r"The events of Lemmas 1 and 2 as mended (C121b, C135, where Bernstein's inequality, a net, Ville's inequality and the variational formula of the relative entropy are cited), which together have probability at least $1 - 2 \delta$."

C156 = claim(
    "C156",
    Statement(
        place="Theorem 1",
        lines=(444, 451),
        kind="theorem",
        prints=r"Let $\delta \in (0, 1]$ and $\mathcal X$ be a finite action space. Set $\tau, \lambda_0$ as in Lemma 1, $\eta = 1$ and $\lambda = 144 K d$. Then, with probability at least $1 - 2\delta$, $\mathrm{Reg}_T \le C R d \sqrt{K T/\kappa_*} \log(T/\delta) + C \kappa (R + \nu) d^2 K^2 \log^2(T/\delta)$, where $C > 0$ is a universal constant.",
        reading=r"$C$ is one number for all $S, d, K, T, R, \kappa, \kappa_*$ (Section 2), $\nu$, $\delta$ and $\mathcal X$.",
        labels=("thm:regret bound", "section:regret bound"),
    ),
    Correction(
        "rate",
        theorem_as_printed,
        theorem_as_mended,
        f"with probability at least $1 - 2 \\delta$ {IN_FULL}, for {ALGORITHM}; {HYPOTHESES}. So $C$ is free of $S$ in the part of the leading term without $S$, the powers of $R$, $d$, $T$ and $\\kappa_*$ stay, and $K$ stands for $\\sqrt K$, which is the same at $K = 2$ and open for $K \\ge 3$",
    ),
    domain=r"(a) $K = 2$, $d = 1$, $\rho = (1, 0)$, $\theta_* = (S, -S)/\sqrt 2$, arms $-1/S$ and $1/(2 S)$: the exploration plays only the longer arm, which is the worse one, so that the regret is $0.474 \tau$, of order $S$, while only $\sqrt T$ on the right side depends on $S$; $\delta = 0.05$, $T = 6 \cdot 10^9 S \ge \tau$, $S = 10^4..10^{16}$; the constant needed is above every number. (b) $K = d = 2$, arms $10^{-6} e_1$ and $10^{-6} e_2$, differences of logits $-1$ and $-2$, $S = \|\theta_*\| = 1.58 \cdot 10^6$, $\delta = 0.05$: $\theta_*$ is outside of $\Theta$ (C121), the estimate stays on its boundary, and about $0.3$ of the rounds go to the worse arm, $T \le 9 \cdot 10^{29}$, by expected outcomes. Corrected: on the events of the mended lemmas (C121b, C135) everything in the hypotheses, by C156b and C156c; (b) simulated",
    planted={"power": 1} | {f"mended_{name}": value / 4 for name, value in LAST.items()},
    module=__name__,
)

C156b = claim(
    "C156b",
    Statement(
        place="Theorem 1, with explicit constants",
        lines=(444, 451),
        kind="theorem",
        prints=IN_SIGMA + ".",
        hypotheses=f"{EVENTS} {ALGORITHM}; {HYPOTHESES}.",
        reading="Steps 1 to 6 of the proof with what mends them. Step 1 is C141, Proposition 1 on the event C133.",
    ),
    theorem_in_sigma,
    domain=r"every $K$, $d$, $S$, $T \ge 2$, $\delta$ and finite $\mathcal X$, on the events; searched: $K = 2, 3, 5$, $\kappa \le 10^{20}$, $\lambda \le 10^{12}$, $T \le 10^{20} \lambda \kappa$; along plays: polygons with $K = 4, 8$ (full: $16$), where all rows differ",
    planted={"half_nu": 0, "bonus": 3, "trace": Fraction(1, 4), "repeats": 1}
    | {name: STAR[name] * Fraction(98, 100) for name in ("leading", "second", "first", "nu")},
    ours=True,
    module=__name__,
)

C156c = claim(
    "C156c",
    Statement(
        place="Theorem 1, with explicit constants",
        lines=(444, 451),
        kind="theorem",
        prints=IN_FULL + ".",
        hypotheses=r"The bound of C156b; $T \ge 2$.",
    ),
    TERM_BY_TERM,
    domain=r"every $K$, $d$, $S$, $T \ge 2$, $\delta$, $\kappa \ge K$, $R$ and $\nu$; searched: $K \le 10^{11}$, $d \le 10^6$, $S \le 10^{16}$, $T \le e^{70}$, $\kappa = K$",
    planted={name: value / 4 for name, value in LAST.items()},
    ours=True,
    module=__name__,
)

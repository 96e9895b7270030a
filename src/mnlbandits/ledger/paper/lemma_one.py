"""Section 3.1, Lemma 1: whether Theta holds theta_*, and a Theta and tau with which it is true."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from mnlbandits.instances import Instance
from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.designs import one_over_log
from mnlbandits.ledger.formulas.leverage import (
    LARGEST_SCORE,
    LEAST_LEVEL,
    SLACK,
    deviation_below,
    elliptical_steps,
    factor_is_fixed_point,
    horizon_over_tau,
    printed_theta_covers,
    theta_covers,
    theta_is_narrow,
)
from mnlbandits.ledger.formulas.radii import (
    ROOT,
    TAU,
    TAU_MENDED,
    THETA_MENDED,
    diameter_at_tau,
    distance_at_tau,
    tau_root_mended,
    theta_root_mended,
)
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.exploration import (
    DELTA,
    HORIZON,
    examples,
    explored_for,
    one_arm_distances,
    precise_theta_distance,
    short_arm,
    theta_distance,
)

PRINTED_LEMMA = r"Let $\delta\in(0,1]$, $\lambda_0 = (S+1) Kd \log(T/\delta)$ and $\tau = 336^2 \lambda_0 \kappa Kd\log(T)$. Then, the set $\Theta$ returned by Algorithm 1 satisfies with probability $1-\delta$"

LEAST_SCORES = Balls(
    one_over_log,
    {"q": (0.0, float(LARGEST_SCORE))},
    cases=({"near": True, "constant": SLACK},),
    words=r"leverage: with $w = \kappa\lambda_0$, $B_s = w I + \sum_{r \le s} x_r x_r^\top$ and $q_s = x_s^\top B_{s-1}^{-1} x_s \le 1/w \le 1/48$, scores decrease, so $\tau \max_x \|x\|^2_{B_\tau^{-1}} \le \sum_s q_s \le \frac{48}{47} \sum_s \log(1 + q_s) = \frac{48}{47} \log(|B_\tau|/w^d) \le \frac{48}{47} d \log(1 + \tau/(w d)) \le \frac{48}{47} d \log T$ for $T \ge \tau$",
)


def leverage_steps() -> bool:
    """The identities behind the bound on the scores, on the noise's exponent, and on the factor of self-concordance."""
    return elliptical_steps() and deviation_below() and factor_is_fixed_point()


LEVERAGE_STEPS = Exactly(
    leverage_steps,
    r"noise: the arms do not depend on outcomes (C104), so $H_\tau^{-1/2}(\theta_*) \sum_s (e_{y_s} - \mu) \otimes x_s$ is a sum of independent terms, of which Bernstein's inequality in the directions of a $\frac{1}{2}$-net of the unit sphere of $1^\perp \otimes \mathbb R^d$ (both cited), with $D \log 5 + \log(1/\delta) \le \lambda_0/(S + 1)$ and $V_\tau \preceq H_\tau(\theta_*)$ (C110), gives $\|g_\tau(\theta_*) - g_\tau(\hat\theta)\|_{H_\tau^{-1}(\theta_*)} \le b := (S + 2 \sqrt 2 (S + 1)^{-1/2} + \frac{2 \sqrt 2}{3} \ell (S + 1)^{-1}) \sqrt{\lambda_0}$ for leverage $\ell/\sqrt{\lambda_0}$; self-concordance by leverage: $H \preceq c G$ for $c = 1 + \sqrt 2 \max_s \|(\hat\theta - \theta_*) x_s\|$ (C113 as corrected), and $\|(\hat\theta - \theta_*) x_s\| \le \|I \otimes x_s\|_{G^{-1}} \|\hat\theta - \theta_*\|_G \le c p$ for $p = b \ell/\sqrt{\lambda_0}$, so $c \le 1/(1 - \sqrt 2 p)$ and $\|\hat\theta - \theta_*\|_V \le c b$",
)

HORIZONS_WITH_TAU = Balls(
    horizon_over_tau,
    {"level": (math.log(2) - 0.01, float(LEAST_LEVEL))},
    words=r"$2 \le T$ and $\tau \le T$ only if $\log T \ge 12$",
)

COVERS = Balls(
    theta_covers,
    {"r": (0.0, 1.0)},
    words=r"$c b$ is at most the radius for every $S \ge 0$, in $r = (S + 1)^{-1/2}$",
)

NARROW_MENDED = Balls(theta_is_narrow, {"r": (0.0, 1.0)})


def certified_theta(theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED) -> Certificate | Open:
    """The first statement of Lemma 1 for the mended Theta and tau."""
    long, covers = partial(HORIZONS_WITH_TAU, tau=tau), partial(COVERS, theta=theta, tau=tau)
    return Together((LEAST_SCORES, LEVERAGE_STEPS, long, covers))()


def certified_width(theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED) -> Certificate | Open:
    """The second one."""
    long, narrow = partial(HORIZONS_WITH_TAU, tau=tau), partial(NARROW_MENDED, theta=theta, tau=tau)
    found = Together((LEAST_SCORES, LEVERAGE_STEPS, long, narrow))()
    return found if isinstance(found, Open) else found._replace(words=WIDTH_WORDS)


WIDTH_WORDS = r"$2 \sqrt 6$ times the radius times the leverage, which is bounded as for the first statement, is at most 1"

SHORT_ARM = Inequality(
    distance_at_tau,
    cases=({"S": 85.0, "x": 1e-9, "horizon": HORIZON},),
    note=r"$K = 2$, $d = 1$, $S = \|\theta_*\|$, the single arm $x$, $T = 10^{12} \ge \tau$, whatever the outcomes of the $\tau$ rounds are: they move $\hat\theta$ by at most $\sqrt 2 x \tau/\lambda_0 = 0.02$ from 0, and $\|\hat\theta - \theta_*\|_V \ge \sqrt{\lambda_0} \|\hat\theta - \theta_*\|$",
    fixed={"root": ROOT},
)


def least_distance(
    m: Arithmetic, norm: Number, size: Number, theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED
) -> Number:
    """`distance_at_tau` over the mended radius after the mended tau, S = 10^norm and S X = 10^size."""
    S = 10**norm
    root, rate = theta_root_mended(m, S, 1, theta), tau_root_mended(m, S, 1, tau) ** 2
    return distance_at_tau(m, root, S, 10**size / S, HORIZON, rate)


def diameter_of_one_arm(
    m: Arithmetic, norm: Number, x: Number, level: Number, theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED
) -> Number:
    """sqrt(6) diam(Theta) of the mended Theta after the mended tau, of one arm 10^x; S = 10^norm, log T = `level`."""
    S = 10**norm
    root, rate = theta_root_mended(m, S, 1, theta), tau_root_mended(m, S, 1, tau) ** 2
    return diameter_at_tau(m, root, 10**x, level, rate)


FAR = {"norm": (-2.0, 16.0), "size": (-30.0, 0.0)}

COVERED = Inequality(
    least_distance,
    FAR,
    share=0.2,
    fixed={"theta": THETA_MENDED, "tau": TAU_MENDED},
    note=r"the least distance, over all outcomes, after $\tau$ rounds of one short arm",
    proof=certified_theta,
)

WITHIN = Inequality(
    diameter_of_one_arm,
    {"norm": (-2.0, 16.0), "x": (-20.0, 0.0), "level": (12.0, 700.0)},
    share=0.2,
    fixed={"theta": THETA_MENDED, "tau": TAU_MENDED},
    note=r"of one arm, $K = 2$, $d = 1$",
    proof=certified_width,
)

REACHES = (1e2, 1e3, 1e4, 1e8, 1e12, 1e16)
"""S of runs with one arm of length 1/S."""


def runs_in_floats(instances: Iterator[Instance], effort: Effort, theta: Fraction | float, tau: int) -> Finding:
    """How often theta_* is outside the mended Theta after the mended tau, in 50 digits where it is in floats."""
    ends = []
    for instance in instances:
        rate, root = (
            float(tau_root_mended(FLOATS, instance.norm_bound, 1, tau) ** 2),
            theta_root_mended(FLOATS, instance.norm_bound, 1, theta),
        )
        ends += [(instance, counts, root) for counts in explored_for(instance, rate, max(10, effort.runs // 4))]
    ratios = [theta_distance(instance, counts) / root for instance, counts, root in ends]

    def again(run: int) -> Number:
        instance, counts, root = ends[run]
        return precise_theta_distance(instance, counts) / root

    return finding.exceedance(
        ratios,
        DELTA,
        f"mended $\\Theta$, three instances and an arm of length $10^{{-5}}$: at most {max(ratios):.3g} of the radius",
        again,
    )


def runs_of_one_arm(effort: Effort, theta: Fraction | float, tau: int) -> Finding:
    """The same at S X = 1, S up to 1e16, and how often the printed Theta, after the printed tau, misses theta_* there."""
    runs, mended, printed = max(5, effort.runs // 8), [], {}
    for S in REACHES:
        root, rate = (
            theta_root_mended(DIGITS, DIGITS.number(S), 1, theta),
            tau_root_mended(DIGITS, DIGITS.number(S), 1, tau) ** 2,
        )
        mended += [distance / root for distance in one_arm_distances(S, 1 / S, rate, runs)]
        printed[S] = sum(distance > ROOT for distance in one_arm_distances(S, 1 / S, 2 * TAU, runs))
    missed = ", ".join(f"{count} at $S = {S:.0e}$" for S, count in printed.items())
    what = f"mended $\\Theta$, one arm with $S X = 1$, $S = 10^2$ to $10^{{16}}$, $T = 10^{{60}}$: at most {float(max(mended)):.3g} of the radius; the printed $\\Theta$ misses $\\theta_*$ in so many of {runs} runs: {missed}"
    return finding.frequency(sum(ratio > 1 for ratio in mended), len(mended), DELTA, what)


def coverage_mended(effort: Effort, theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED) -> Finding:
    """`COVERED`, refuted if runs say otherwise."""
    found = COVERED(effort, theta=theta, tau=tau)
    if found.verdict == "refuted":
        return found
    instances = [*examples(), *map(short_arm, (3.0, 40.0, 80.0))]
    for seen in (runs_in_floats(iter(instances), effort, theta, tau), runs_of_one_arm(effort, theta, tau)):
        if seen.verdict == "refuted":
            return seen
        found = replace(found, evidence=f"{found.evidence}; {seen.evidence}")
    return found


COVERAGE_NOTE = r"$\Theta := \{\|\theta - \hat\theta_{\tau+1}\|^2_{V_\tau} \le 1.67 (S + 3)^2 \lambda_0\}$ after $\tau = \lceil 42 (S + 3)^2 \lambda_0 \kappa d \log T \rceil \le T$ rounds, $T \ge 2$, $\|\theta_*\|_F \le S$, $\lambda_0$ as printed, ties broken without looking at outcomes (C104): the ridge alone can move $\hat\theta$ by up to $S$, $S \sqrt{\lambda_0}$ in the norm of $V$, and $84 \sqrt{\lambda_0}$ does not grow with $S$. This $\tau$ is below the printed one for $S \le 70$, $298 K$ times at $S = 0$, and grows with $S^3$; the $\kappa$ term of Theorem 1 gets that power of $S$, its leading term none from here. A $\tau$ free of $S$: C121d. For $S \le 66$ the lemma holds as printed (C121c)"

C121 = claim(
    "C121",
    Statement(
        place="Lemma 1, first statement",
        lines=(369, 374),
        kind="lemma",
        prints=PRINTED_LEMMA + r" $\theta_* \in \Theta$.",
        hypotheses=r"$\|\theta_*\| \le S$, $\max_{\mathcal X} \|x\|_2 \le 1$",
        quantifiers=r"for every $S$, $K$, $d$, $T$ and $\mathcal X$",
        reading=r"$\Theta = \{\|\theta - \hat\theta_{\tau+1}\|^2_{V_\tau} \le 84^2 \lambda_0\}$, Algorithm 1; $\|\theta_*\|$ is the Frobenius norm; the spectral norm is no larger, and the counterexample has rank one, so it is false in both",
        labels=("lemma:constant diameter",),
    ),
    Correction("rate", SHORT_ARM, coverage_mended, COVERAGE_NOTE),
    domain=r"printed: an arm of length $10^{-9}$ with $S = 85$ and all outcomes. Corrected: every $K \ge 2$, $d$, $S \ge 0$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge \max(\tau, 2)$, ties broken without looking at outcomes, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: one arm, $S = 10^{-2}$ to $10^{16}$, $S X = 10^{-30}$ to 1; simulated: three instances, an arm of length $10^{-5}$ with $S = 3, 40, 80$, one of length $1/S$ with $S = 10^2$ to $10^{16}$)",
    planted={"root": 2000, "mended_theta": Fraction(9, 10)},
    module=__name__,
)

C121b = claim(
    "C121b",
    Statement(
        place="Lemma 1",
        lines=(369, 374),
        kind="lemma",
        prints=PRINTED_LEMMA + r" $\theta_* \in \Theta$ and $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        hypotheses=r"$\|\theta_*\| \le S$, $\max_{\mathcal X} \|x\|_2 \le 1$",
        quantifiers=r"for every $S$, $K$, $d$, $T$ and $\mathcal X$: both at one $\lambda_0$ and $\tau$",
        reading=r"as C121; the second statement is no event: it holds for all outcomes and ways to break ties (C122)",
    ),
    Correction("rate", SHORT_ARM, All((COVERED, WITHIN)), COVERAGE_NOTE),
    domain=r"printed: as C121. Corrected: both statements, for every $K \ge 2$, $d$, $S \ge 0$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge \max(\tau, 2)$, ties broken without looking at outcomes, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: one arm, $S = 10^{-2}$ to $10^{16}$; $\log T$ from 12 to 700)",
    planted={"root": 2000, "mended_theta": Fraction(9, 10), "mended_tau": 3},
    module=__name__,
)

REACH = 66
"""S up to which Lemma 1 is proved as printed."""


def printed_distance(m: Arithmetic, share: Number, size: Number, root: int = ROOT, reach: int = REACH) -> Number:
    """`distance_at_tau` of the printed Theta for S = reach times a share, S X = 10^size."""
    S = reach * share
    return distance_at_tau(m, root, S, 10**size / S, HORIZON)


def certified_printed_theta(root: int = ROOT, reach: int = REACH) -> Certificate | Open:
    """The same links for the printed Theta and tau."""
    covers = Balls(printed_theta_covers, {"S": (0.0, float(reach))}, words=r"$c b \le 84 \sqrt{\lambda_0}$")
    return Together((LEAST_SCORES, LEVERAGE_STEPS, HORIZONS_WITH_TAU, partial(covers, root=root)))()


C121c = claim(
    "C121c",
    Statement(
        place="Lemma 1, first statement",
        lines=(369, 374),
        kind="lemma",
        prints=r"For $\|\theta_*\|_F \le S \le 66$ and $T \ge \max(\tau, 2)$ Lemma 1 holds with its own $\lambda_0$, $84$ and $\tau$: $\theta_* \in \Theta$ with probability $1 - \delta$, and $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        hypotheses=r"ties are broken without looking at outcomes (C104)",
        reading=r"the first statement is examined here, the second in C122; between $S = 66$ and $84$ it is open, above $84$ the example of C121 refutes it, with a shorter arm where need be",
    ),
    Inequality(
        printed_distance,
        {"share": (0.01, 1.0), "size": (-30.0, 0.0)},
        share=0.2,
        fixed={"root": ROOT, "reach": REACH},
        note=r"the least distance, over all outcomes, after $\tau$ rounds of one short arm",
        proof=certified_printed_theta,
    ),
    domain=r"every $K \ge 2$, $d$, $S \le 66$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge \max(\tau, 2)$, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: one arm, $S X = 10^{-30}$ to 1)",
    planted={"root": 60, "reach": 90},
    ours=True,
    module=__name__,
)

"""Appendix H, analysis of the adaptive exploration: the confidence sets of Lemma 4."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from mnlbandits.instances import make_instance
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, all_of, frequency, not_testable
from mnlbandits.ledger.formulas.adaptive import beta_over_norm, lambda_w
from mnlbandits.ledger.formulas.mirror import GROWN, explorer_constants, explorer_step, strayed, strayed_mended
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import explored_ratios, mirrored_ratios, small_instance
from mnlbandits.ledger.simulate.exploration import DELTA


def width_of_set(m: Arithmetic, S: Number, size: Number, cut: bool = False) -> Number:
    r"""Radius of $W_2$, which the largest $\|\theta - \theta_*\|$ exceeds, over 2 S, 1/kappa <= 1/2; `cut`: not beyond $\|\theta\| \le S$."""
    reach = beta_over_norm(m, size, S, m.log(m.number(40))) / m.sqrt(lambda_w(m, size, S) + m.number(Fraction(1, 2)))
    return m.minimum(reach / 2, m.number(1)) if cut else reach / 2


def apart_in_ball(m: Arithmetic, first: Number, second: Number, cosine: Number, reach: Number | int = 1) -> Number:
    r"""$\|\theta - \theta_*\|/(2 S)$ of two points of norm at most S, their norms over S and the cosine of their angle; `reach` times as far."""
    square = (first - second) ** 2 + 2 * first * second * (1 - cosine)
    return reach * m.sqrt(m.maximum(square, 0)) / 2


def diameter_of_ball(reach: Fraction | int = 1) -> bool:
    r"""$4 S^2 - \|reach (u - v)\|^2$ is the sum of $2 (S^2 - \|u\|^2)$, $2 (S^2 - \|v\|^2)$ and $\|u + v\|^2$."""
    S2, u2, v2, uv = unknowns("S2", "u2", "v2", "uv")
    return 4 * S2 - reach**2 * (u2 - 2 * uv + v2) == 2 * (S2 - u2) + 2 * (S2 - v2) + (u2 + 2 * uv + v2)


BALL_OF_NORM = {"first": (0.0, 1.0), "second": (0.0, 1.0), "cosine": (-1.0, 1.0)}

C176 = claim(
    "C176",
    Statement(
        place="Algorithm 3, theta^w over R^{K x d}; Appendix H, proof of Lemma 4, display",
        lines=(1577, 1580),
        kind="step",
        prints=r"$\max_{\theta \in \mathcal W} \|(\theta - \theta_*) x\|_2 \le \max_{\theta \in \mathcal W} \|\theta - \theta_*\|_2 \|x\|_2 \le 2 S$",
        quantifiers=r"For all $x \in \mathcal X_t$.",
        reading=r"$\mathcal W$, without an index, is nowhere defined. Read here as $\mathcal W_t(\delta)$, the set of the lemma. Read as the ball $\|\theta\| \le S$ the display is true, but no line of Algorithm 3 keeps $\theta^w$ in it: that reading is the corrected form.",
    ),
    Correction(
        "condition",
        Inequality(width_of_set, {"S": (0.1, 1e16), "size": (2.0, 1e12)}, examples=({"S": 1.0, "size": 2.0},), share=0.5),
        Inequality(
            apart_in_ball,
            BALL_OF_NORM,
            share=0.5,
            proof=Exactly(diameter_of_ball, r"the parallelogram identity, in every dimension; $\|x\| \le 1$"),
        ),
        r"the ball $\{\|\theta\| \le S\}$ for $\mathcal W$, and $\theta^w_{t+1}$ the minimiser over that ball: the radius of $\mathcal W_2$ alone is more than $2 S$",
    ),
    domain=r"$t = 2$, after a round of exploration, in every direction, $S \in [0.1, 10^{16}]$, $K d$ to $10^{12}$, $\delta = 0.05$; mended: every $K$, $d$, $S$",
    planted={"cut": True, "mended_reach": 2},
    module=__name__,
)


def step_of_exploration(m: Arithmetic, S: Number, alpha: int = 2) -> Number:
    r"""Relative difference of $\eta^w$ and $(1 + \sqrt 6 \alpha)/2$ at $\alpha$ = `alpha` S."""
    return abs((1 + m.sqrt(6) * S) / (1 + m.sqrt(6) * alpha * S) - 1)


def same_step(alpha: int = 2) -> bool:
    r"""Whether the two are the same rational function of $\sqrt 6 S$."""
    (s,) = unknowns("s")
    return (1 + s) / (1 + alpha * s) == 1


PATTERN = Equality(step_of_exploration, {"S": (0.1, 10.0)}, proof=Exactly(same_step, "for every S"))


def theorem_of_others(effort: Effort, alpha: int | None = None) -> Finding:
    """Nothing decides it, unless one knows at which alpha the theorem has this eta."""
    if alpha is not None:
        return PATTERN(effort, alpha=alpha)
    return not_testable(
        r"the theorem is of another paper (Lee and Oh 2025) and is not restated, and a pattern read off the paper's own constants confirms nothing. A remark only: with $\eta = (1 + \sqrt 6 \alpha)/2$, which gives the $\eta = 1$ of Lemma 2 at $\alpha = 1/\sqrt 6$, $\eta^w$ would be at $\alpha = S$ and not at $2 S$; the radii have no such pattern, $2 \sqrt{\cdot}$ at $\alpha = 1/\sqrt 6$ and $4 S \sqrt{\cdot}$ at $\alpha = 2 S$. Whether $\beta_t$ is large enough is C180"
    )


C177 = claim(
    "C177",
    Statement(
        place="Theorem 3; Appendix H, Lemma 4, eta^w",
        lines=(1567, 1581),
        kind="text",
        prints=r"$\eta^w = (1 + \sqrt 6 S)/2$; the cited theorem on confidence sets is applied with $\alpha = 2 S$.",
        reading=r"The cited theorem holds for this $\eta^w$ at $\alpha = 2 S$.",
    ),
    theorem_of_others,
    domain=r"none",
    planted={"alpha": 1},
    unproved="A theorem of another paper, which this one does not restate.",
    module=__name__,
)


def ridges_agree(m: Arithmetic, S: Number, ridge: int = 72) -> Number:
    r"""Largest relative difference of $\lambda^w$ and $144 \eta^w K d$, and of 24 and $2 \sqrt{144}$."""
    first = abs(lambda_w(m, m.number(1), S, ridge) / (144 * (1 + m.sqrt(6) * S) / 2) - 1)
    return m.maximum(first, abs(2 * m.sqrt(144) / 24 - 1))


def ridges_equal(ridge: int = 72) -> bool:
    r"""The same, as rational functions of $\sqrt 6 S$."""
    (s,) = unknowns("s")
    return ridge * (1 + s) == 144 * (1 + s) / 2 and 24**2 == 2**2 * 144


C177b = claim(
    "C177b",
    Statement(
        place="Theorem 3, against Lemmas 4 and 7",
        lines=(563, 563),
        kind="text",
        prints=r"$\lambda^w = 72 (1 + \sqrt 6 S) K d$ (Theorem 3), $\lambda^w = 144 \eta^w K d$ (Lemma 4); $\sigma_t$ has $24 S \sqrt{K d}$.",
        reading=r"The two are the same, and $24 S \sqrt{K d} = 2 S \sqrt\lambda$ with $\lambda = 144 K d$.",
    ),
    Equality(ridges_agree, {"S": (0.1, 1e16)}, proof=Exactly(ridges_equal, "for every S")),
    domain=r"every $S$",
    planted={"ridge": 73},
    ours=True,
    module=__name__,
)


def coverage_at_usual(effort: Effort) -> Finding:
    """How often theta_* leaves the printed sets of the repaired steps at the usual delta, S and horizon."""
    instances = [
        small_instance(2, 1, 0.1, 0),
        small_instance(3, 2, 1.0, 0),
        small_instance(6, 2, 0.1, 0),
        make_instance("K = 2, d = 1, S = 3, aligned", "large-kappa-star", {"outcomes": 2, "dim": 1, "norm": 3.0, "arms": 2}),
    ]
    ratios = np.concatenate([explored_ratios(i, 5 * effort.runs, effort.rounds // 2) for i in instances])
    return frequency(
        int((ratios > 1).sum()),
        len(ratios),
        DELTA,
        f"largest distance over the printed radius at delta = 0.05 {ratios.max():.3g}",
    )


def coverage_as_mended(effort: Effort) -> Finding:
    """The mended sets in rounds of exploration."""
    instances = [
        small_instance(2, 1, 0.1, 0),
        small_instance(2, 1, 0.3, 0),
        small_instance(3, 2, 1.0, 0),
        small_instance(3, 1, 4.0, 0),
    ]
    largest = [mirrored_ratios(i, effort.runs // 2, effort.rounds // 2) for i in instances]
    ratios = np.concatenate(largest)
    shown = ", ".join(f"{i.name}: {found.max():.3g}" for i, found in zip(instances, largest, strict=True))
    return frequency(int((ratios > 1).sum()), len(ratios), DELTA, f"largest distance over the mended radius {shown}")


REPEATS = ({"count": 200},)
RARE_BUT_LIKELIER = Inequality(
    strayed,
    {"S": (0.01, 0.1), "level": (140.0, 600.0)},
    REPEATS,
    examples=({"S": 0.03, "level": 230.0, "count": 200},),
    share=0.02,
)
NOT_WHEN_MENDED = Inequality(strayed_mended, {"S": (0.001, 300.0), "surplus": (0.0, 600.0)}, REPEATS, share=0.05)
ONE_STEP = Inequality(
    explorer_step,
    {"S": (0.01, 10.0), "x": (0.05, 1.0), "truth": (-1.0, 1.0), "place": (-1.0, 1.0), "grown": (0.0, 3.0)},
    share=0.05,
)
NUMBERS = Identities(
    explorer_constants,
    r"$\eta^w/c + \sqrt 2 \eta^w S/\lambda^w \le 1$ and the factor 1.02, for every $K$, $d$ and $S$, $c = 1.01 \eta^w$",
)

DERIVATION = r"in words: with $r \le 2 \sqrt 2 S$ the range of the difference of two logits in the ball, $\ell(\theta_*) \ge \ell(\theta) + \langle \nabla\ell(\theta), \theta_* - \theta \rangle + \frac{1}{2 + r} \|\theta_* - \theta\|^2_{\nabla\mu \otimes x x^\top}$, so $\eta^w = 1 + \sqrt 2 S$ does; the second-order model of the loss errs by at most $\frac{S}{\sqrt 2} \|\theta^w_{t+1} - \theta^w_t\|^2$; the Gaussian mixture $q$ of variance $c M^{-1}$ gives the step that is searched here, and Ville's inequality for $\prod q(y)/\mu_y(\theta_* x)$ (cited) the rest, for all rounds at once; $M \ge H^w$ as $\nabla\mu \ge 1/\kappa$ on the ball"


def sets_as_mended(effort: Effort, scale: Fraction | int = 1, growth: Fraction | int = GROWN) -> Finding:
    """What of the mended lemma a program checks, and the derivation in words."""
    found = all_of(
        NUMBERS(effort, growth=growth),
        NOT_WHEN_MENDED(effort, scale=scale),
        ONE_STEP(effort, growth=growth),
        coverage_as_mended(effort),
    )
    if found.verdict in FALSE:
        return found
    usual = coverage_at_usual(effort)
    return replace(
        found, level="argued", evidence=f"{found.evidence}; {DERIVATION}; as printed, with repaired steps: {usual.evidence}"
    )


C180 = claim(
    "C180",
    Statement(
        place="Appendix H, Lemma 4",
        lines=(1566, 1573),
        kind="lemma",
        prints=r"$\theta_* \in \mathcal W_t(\delta)$ with $\beta_t(\delta) = 4 S \sqrt{K d \log(t/\delta)} + 2 S \sqrt{\lambda^w}$.",
        hypotheses=r"$\delta \in (0, 1]$, $\eta^w = (1 + \sqrt 6 S)/2$, $\lambda^w = 144 \eta^w K d$.",
        quantifiers=r"With probability $1 - \delta$, for all $t \ge 1$.",
        reading=r"Algorithm 3 with the repairs of C172, C173 and C178 and the minimum of line 1542 over $\mathbb R^{K \times d}$, as printed (over the ball of C176 another instance is needed); with $H_{t-1}$ as printed in line 1541 C172 refutes it too.",
        labels=("lemma:adaptive exploration confidence set",),
    ),
    Correction(
        "rate",
        RARE_BUT_LIKELIER,
        sets_as_mended,
        r"the noise does not vanish with $S$, so $\beta_t$ needs a part without the factor $S$; with $\|\theta_*\|_F \le S$: $\beta_t^2 = S^2 \lambda^w + 2 \eta^w \log(1/\delta) + 1.02 (\eta^w)^2 D \log(1 + t/(\lambda^w D))$, $D = (K - 1) d$, $\eta^w = 1 + \sqrt 2 S$, $\lambda^w = 144 \eta^w (K d + S)$, where $\theta^w_{t+1}$ minimises $\langle \nabla\ell_{t+1}(\theta^w_t), \theta \rangle + \frac{1}{2 \eta^w} \|\theta - \theta^w_t\|^2$ over $\|\theta\| \le S$ in the norm of $M + \eta^w \nabla\mu(\theta^w_t x_t) \otimes x_t x_t^\top$, $M = \lambda^w I + \sum \nabla\mu(\theta^w_{s+1} x_s) \otimes x_s x_s^\top$; the sets stay balls of $H^w$",
    ),
    domain=r"printed: $K = 2$, $d = 1$, $x = 1$, $\theta_* = 0$: the first 200 rounds (count) explore and have outcome 1, probability $2^{-200} > \delta$, level $= \log(1/\delta)$; mended: every $K$, $d$, $S$, $\delta$ and sequence of sets; the step searched with $K = 2$, $d = 1$, $S \in [0.01, 10]$; the event of the counterexample with $S \in [0.001, 300]$; simulated with $K = 2, 3$, $d = 1, 2$, $S = 0.1, 0.3, 1, 4$",
    planted={"noise": 1, "mended_scale": Fraction(1, 10), "mended_growth": Fraction(1, 2)},
    unproved="The mended lemma is a derivation in words, of which a program checks the numbers, the step at K = 2, d = 1 and how often the sets fail in simulations.",
    module=__name__,
)

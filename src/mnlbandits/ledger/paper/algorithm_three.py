"""Algorithm 3 (Appendix H), line by line: its start and its rounds of exploration."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, corrected, exactly, frequency
from mnlbandits.ledger.formulas.adaptive import (
    beta_over_norm,
    beta_w,
    eta_w,
    lambda_w,
    loss_gradient,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import constant_steps
from mnlbandits.ledger.simulate.exploration import DELTA

SIZES_AND_NORMS = {"S": (0.01, 1e16), "size": (2.0, 1e12)}
"""S and K d."""


def other_ridge(m: Arithmetic, S: Number, size: Number, own: bool = False) -> Number:
    r"""Relative difference of $\tilde H^w_t$ and $H^w_{t-1}$ before any round: $\lambda$ (or its `own` $\lambda^w$) and $\lambda^w$."""
    ridge = lambda_w(m, size, S)
    return abs((ridge if own else 144 * size) / ridge - 1)


def outcomes_apart(m: Arithmetic, S: Number, level: Number, own: bool = False) -> Number:
    r"""How far apart two outcomes put $\theta^w$, over the diameter of $\mathcal W_t$, where the trigger just fires: $H^w = 24 \beta_t^2$.

    K = 2, d = 1, arm 1, level = log(t/delta), no round of learning before.
    """
    design = 24 * (S * beta_over_norm(m, m.number(2), S, level)) ** 2
    eta = eta_w(m, S)
    apart = m.sqrt(m.number(2)) * eta / ((design if own else m.number(288)) + eta * binary_curvature(m, S))
    return apart * m.sqrt(m.number(24)) / 2


def own_ridge(own: bool = True) -> bool:
    r"""After a round of exploration, d = 1: the matrix of the step is $H^w_{t-1} + \frac{\eta^w}{\kappa} x^2$ if the ridge is its own."""
    ridge, other, eta, kappa, before, x = unknowns("ridge", "other", "eta", "kappa", "before", "x")
    matrix = ridge + before**2 / kappa
    step = (matrix if own else other) + eta / kappa * x**2
    return step - (matrix + x**2 / kappa) == (eta - 1) / kappa * x**2


FIRING = {"S": (0.1, 400.0), "level": (3.0, 700.0)}
"""S and log(t/delta); overflow of kappa is what bounds S."""

TRUTH = 0.02
r"""$\theta_*$ along $(1, -1)/\sqrt 2$ where all of $\mathcal W_t$ can be on the other side of 0."""

OTHER_MATRIX = All(
    (
        Inequality(outcomes_apart, FIRING, examples=({"S": 70.0, "level": 130.0},), share=0.2),
        Equality(other_ridge, SIZES_AND_NORMS, examples=({"S": 1.0, "size": 2.0},)),
    )
)

ITS_OWN_MATRIX = All(
    (
        Equality(
            other_ridge,
            SIZES_AND_NORMS,
            proof=Exactly(
                own_ridge,
                r"then $\tilde H^w_t = H^w_t + \frac{\eta^w - 1}{\kappa} I_K \otimes x_t x_t^\top$ in every round, as in Algorithm 2",
            ),
        ),
        Inequality(outcomes_apart, FIRING, share=0.2, proof=Balls(partial(outcomes_apart, own=True), FIRING)),
    )
)


def beyond_zero(S: float, runs: int) -> tuple[Finding, str]:
    r"""Whether all of $\mathcal W_t$ is below 0 with at most $2 \delta$ when the trigger falls silent, its radius then at most $1/(2 \sqrt 6)$."""
    theta, radius = constant_steps(S, TRUTH, runs, 600), 1 / (2 * math.sqrt(6))
    missed, wrong = (abs(theta - TRUTH) > radius).mean(), theta + radius < 0
    shown = f"$S = {S:g}$: standard deviation of $\\theta^w$ {theta.std():.3f}, $\\theta_* \\notin \\mathcal W_t$ with {missed:.3f}, all of $\\mathcal W_t$ beyond 0 with {wrong.mean():.3f}"
    return frequency(int(wrong.sum()), runs, 2 * DELTA, shown), shown


def matrix_of_step(effort: Effort, own: bool = False, mended_own: bool = True) -> Finding:
    r"""The matrices as printed and as mended, and how far from $\theta_*$ the steps as printed stay."""
    found = [beyond_zero(S, max(4000, 50 * effort.runs)) for S in (20.0, 70.0)]
    effect = "rate" if all(frequent.verdict == "refuted" for frequent, _ in found) else "condition"
    shown = "; ".join(text for _, text in found)
    note = f"the effect, simulated: before any learning the steps are those of the constant matrix $288 + \\eta^w/\\kappa$; in the stationary law, $\\delta = {DELTA:g}$, $\\theta_* = {TRUTH:g}\\, (1, -1)/\\sqrt 2$, {shown}"
    printed = OTHER_MATRIX(effort, own=own)
    return corrected(
        effect,
        replace(printed, evidence=f"{printed.evidence}; {note}"),
        ITS_OWN_MATRIX(effort, own=mended_own),
        r"$H^w_{t-1}$ for $H_{t-1}$, of which $H_0$ is not even set. The exploration does not change $H$, so as printed the steps do not shrink while $\mathcal W_t$ does, to a radius of at most $1/(2 \sqrt 6)$ when the trigger falls silent: for $S \ge 70$ one of the two outcomes of a round puts $\theta^w$ so far that $\theta_*$ is not in $\mathcal W_{t+1}$ (Lemma 4, C180), and at $S = 20$ that is so in a third of the runs. The regret is then linear: with $\mathcal X_t = \{-1, 1\}$ until the trigger is silent and $\{-\frac12, \frac12\}$ from then on, $\rho = (1, 0)$, the trigger stays silent until $\beta_t$ has doubled, and where all of $\mathcal W_t$ is beyond 0, with more than $2 \delta$, every such round plays $-\frac12$ and loses $0.007$, whatever the other lines say",
    )


C172 = claim(
    "C172",
    Statement(
        place="Algorithm 3, Htilde^w_t",
        lines=(1541, 1541),
        kind="algorithm",
        prints=r"$\tilde H^w_t \leftarrow H_{t-1} + \frac{\eta^w}{\kappa} I_K \otimes x_t x_t^\top$",
        reading=r"The matrix of the step of $\theta^w$ has the $H^w_{t-1}$ of its confidence set in it, so that the steps shrink as the set does.",
        labels=("algo:adaptive exploration", "appendix:removing the exploration"),
    ),
    matrix_of_step,
    domain=r"$K = 2$, $d = 1$, arm 1, $S \in [0.1, 400]$, $\log(t/\delta) \in [3, 700]$, where the trigger just fires: $\theta^w$ after either outcome against the diameter of $\mathcal W_t$; and before any round, $\lambda I$ ($H$) against $\lambda^w I$ ($H^w$), $S \in [0.01, 10^{16}]$, $K d$ to $10^{12}$; mended: the same, and the matrix after any round, $d = 1$ (linear in $x x^\top$, so for every $d$); the effect: 4000 or more simulated runs of 600 explorations, $S = 20, 70$",
    planted={"own": True, "mended_own": False},
    module=__name__,
)


def entries_of_step(d: int, y: int, loss: bool) -> list[Fraction]:
    r"""The Jacobian of $\mu$, or the gradient $(\mu - e_y) \otimes x$ of the loss, at $\theta = 0$, K = 2, x = e_1."""
    gradient = [Fraction(1 if k != y else -1, 2) * entry for k in (0, 1) for entry in [1] + [0] * (d - 1)]
    return gradient if loss else [Fraction(sign, 4) for sign in (1, -1, -1, 1)]


def gradient_of_step(effort: Effort, loss: bool = False, mended_share: int = 1) -> Finding:
    """The Jacobian as printed, or with `loss` the gradient of the loss; `mended_share` is that of e_y in it."""
    del effort
    cases = [(d, y) for d in (1, 2) for y in (0, 1)]
    other = next((d for d, y in cases if entries_of_step(d, y, loss) != entries_of_step(d, y, True)), None)
    example = (
        f"K = 2, d = {other}: shape (2, 2) for theta of shape (2, {other}), the same for either outcome" if other else ""
    )
    printed = exactly(other is None, "shapes and entries at theta = 0, halves and quarters, in exact arithmetic", example)
    words = r"the gradient of $-\log \mu_y$ in the logits is $\mu - e_y$, as rational functions of their exponentials (K = 2, 3, 4; the others enter through their sum alone), so that in $\theta$ it is $(\mu - e_y) \otimes x_t$, of the shape of $\theta$"
    mended = exactly(all(loss_gradient(K, mended_share) for K in (2, 3, 4)), words, "theta = 0")
    return corrected("misprint", printed, mended, r"misprint: $\nabla\ell_{t+1}(\theta^w_t)$")


C173 = claim(
    "C173",
    Statement(
        place="Algorithm 3, theta^w_{t+1}",
        lines=(1542, 1542),
        kind="algorithm",
        prints=r"The step minimises $\langle \nabla\mu(\theta^w_t), \theta \rangle + \frac{1}{2\eta^w} \|\theta^w_t - \theta\|^2_{\tilde H^w_t}$.",
        reading=r"$\nabla\mu(\theta^w_t)$ is the gradient of the loss of round $t$.",
    ),
    gradient_of_step,
    domain=r"$K = 2$, $d = 1$ and $K = d = 2$, $\theta = 0$; mended: $K = 2, 3, 4$, every $\theta$, $x_t$ and outcome",
    planted={"loss": True, "mended_share": 2},
    module=__name__,
)


def first_centre(m: Arithmetic, S: Number, size: Number, factor: Fraction | int = 2) -> Number:
    r"""$\|\theta_*\|_{H^w_0}$ over $\beta_1$ for $\|\theta_*\| = S$; `factor` for its 2."""
    ridge = m.sqrt(lambda_w(m, size, S))
    return ridge / (beta_over_norm(m, size, S, m.log(m.number(20))) + (m.number(factor) - 2) * ridge)


def first_below(factor: int = 2) -> bool:
    r"""$\beta_1^2 - S^2 \lambda^w$ has no negative coefficient in $S$, $\sqrt{\lambda^w}$ and $\sqrt{K d \log(1/\delta)}$."""
    S, ridge, noise = unknowns("S", "ridge", "noise")
    return nonnegative((4 * S * noise + factor * S * ridge) ** 2 - (S * ridge) ** 2)


READ_AT_FIRST = ("H^w", "H", "theta^w", "W", "theta", "Hbar")
"""What the first round may read; the initialisation of Algorithm 3 sets the first two."""

BRANCHES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "explores": (("H^w", "theta^w"), ("theta^w", "H^w", "W")),
    "learns": (("H^w", "theta", "Hbar", "H", "W", "theta^w"), ("theta", "H", "Hbar", "W", "theta^w", "H^w")),
}
"""What a round that explores, or learns, reads and sets, with the H^w of C172."""


def finds_all(rounds: str, assigned: int = 2) -> bool:
    """Whether rounds of these branches find all that they read, the first `assigned` of `READ_AT_FIRST` set."""
    known = set(READ_AT_FIRST[:assigned])
    for branch in rounds.split(", "):
        reads, sets = BRANCHES[branch]
        if not known.issuperset(reads):
            return False
        known.update(sets)
    return True


FIRST_ROUNDS = ({"rounds": "explores, learns"}, {"rounds": "learns, explores"})


def started(effort: Effort, assigned: int = len(READ_AT_FIRST), factor: Fraction | int = 2) -> Finding:
    r"""All is set, and $\theta_*$ is in $\mathcal W_1$."""
    reads = Identities(finds_all, "what is read is set, and what is set stays so", FIRST_ROUNDS)
    return all_of(reads(effort, assigned=assigned), CENTRED(effort, factor=factor))


FIRST_BOX = {"S": (0.001, 1e16), "size": (2.0, 1e12)}

CENTRED = Inequality(
    first_centre,
    FIRST_BOX,
    share=0.5,
    proof=Exactly(first_below, r"$\beta_1 \ge 2 S \sqrt{\lambda^w}$, for every $S$ and $K d$"),
)

C178 = claim(
    "C178",
    Statement(
        place="Algorithm 3, initialisation",
        lines=(1534, 1534),
        kind="algorithm",
        prints=r"Init: $H^w_0 = \lambda^w I_{K d}$, $H_1 = \lambda I_{K d}$",
        reading=r"The rounds find what they read: $\theta^w_t$ in line 1542, $\mathcal W_t$ and $\theta_t$ in lines 1548 and 1549, $\bar H_t$ in the bonuses of line 1547.",
    ),
    Correction(
        "misprint",
        Identities(finds_all, "what is read is set", FIRST_ROUNDS),
        started,
        r"$\theta^w_1 = 0$ and $\mathcal W_1 = \{\|\theta\|_{H^w_0} \le \beta_1\}$, in which $\theta_*$ is, $\theta_1 = 0$, $\bar H_1 = \lambda I$. If the first round explores, $\theta^w_1$ is not set, if it learns, $\mathcal W_1$ is not either; $\theta_t$ and $\bar H_t$ are not set at the first round of learning, whatever $S$ is",
    ),
    domain=r"every $S$, $K$, $d$ and sequence of rounds, with $H^w$ for $H$ in line 1541 (C172) and what C179 adds; $\theta_* \in \mathcal W_1$ for $\|\theta_*\|_F \le S$: $\delta \in (0, 1]$, searched at $\delta = 0.05$, $K d$ to $10^{12}$, $S \in [0.001, 10^{16}]$",
    planted={"assigned": len(READ_AT_FIRST), "mended_assigned": 5, "mended_factor": Fraction(1, 2)},
    module=__name__,
)


def carried_over(m: Arithmetic, S: Number, level: Number, projected: bool = False) -> Number:
    r"""Distance of $\theta_1 = 0$ to $\theta^w$ over the radius of $\mathcal W_t$ when learning starts, at least; K = 2, d = 1, arm 1.

    $\|\theta_*\| = S$, $\theta_* \in \mathcal W_t$, and $H^w \ge 24 \beta_t^2$ as the trigger is silent; level = log(t/delta).
    0 if the first round does not explore; `projected` into $\mathcal W_t$ before.
    """
    two = m.number(2)
    beta = S * beta_over_norm(m, two, S, level)
    radius = beta / m.sqrt(24 * beta**2)
    distance = m.minimum(S - radius, radius) if projected else S - radius
    return distance / radius if 24 * beta_w(m, two, S, m.number(1)) ** 2 >= lambda_w(m, two, S) else 0 * S


def drawn_in(m: Arithmetic, outside: Number, truth: Number, share: Number | int = 1) -> Number:
    r"""Distance to $\theta_*$ after over before $\theta_t$ is projected into [-1, 1], from 1 + `outside`; `share` of the way."""
    before = 1 + outside - truth
    return abs(before - share * outside) / before if before > 0 else 0 * before


def projection_stays(share: Fraction | int = 1) -> bool:
    r"""With v = theta - P theta, w = P theta - c, <v, w> >= 0 for a projection, $\|w + v\|^2 - \|w + (1 - share) v\|^2$ is not negative."""
    v2, w2, vw = unknowns("v2", "w2", "vw")
    kept = 1 - Fraction(share)
    return nonnegative((w2 + 2 * vw + v2) - (w2 + 2 * kept * vw + kept**2 * v2))


C179 = claim(
    "C179",
    Statement(
        place="Algorithm 3, exploration branch",
        lines=(1538, 1544),
        kind="algorithm",
        prints=r"A round of exploration sets $\tilde H^w_t$, $\theta^w_{t+1}$, $H^w_t$ and $\mathcal W_{t+1}$ [and nothing else].",
        reading=r"$\theta_{t+1}$, $H_{t+1}$ and $\bar H_{t+1}$, which it does not set, are those of round $t$, and $\theta_t$ is in $\mathcal W_t$ when learning starts or resumes, as the step of line 1549 and Lemma 7 take it to be.",
    ),
    Correction(
        "condition",
        Inequality(
            carried_over, {"S": (0.05, 1e16), "level": (3.0, 700.0)}, examples=({"S": 1.0, "level": 20.0},), share=0.2
        ),
        Inequality(
            drawn_in,
            {"outside": (0.0, 100.0), "truth": (-1.0, 1.0)},
            share=0.2,
            proof=Exactly(
                projection_stays,
                r"a projection $P \theta$ into a convex set, in any norm and dimension, has $\langle \theta - P \theta, P \theta - c \rangle \ge 0$ for every $c$ of the set",
            ),
        ),
        r"a line more: $\theta_{t+1}$ is $\theta_t$ projected into $\mathcal W_{t+1}$ in the norm of $H$, which takes it no further from $\theta_*$; other choices are possible. $H_{t+1} = H_t$ and $\bar H_{t+1} = \bar H_t$ are left out too, but nothing else can be meant. Carried over unchanged, the $\theta_1 = 0$ of C178 is after the first exploration at least $2 \sqrt 6 S - 1$ radii from the centre: $\mathcal W_t$ holds $\theta_*$, of norm $S$, and its radius is at most $1/(2 \sqrt 6)$. Then $\|(\theta_t - \theta_*) x\| = S$, where Lemma 7 rests on $1/\sqrt 6$",
    ),
    domain=r"printed: $K = 2$, $d = 1$, $x = 1$, $\|\theta_*\| = S$, the first exploration from round 1 to the first round of learning, on the event $\theta_* \in \mathcal W_t$; $S$ to $10^{16}$, $\log(t/\delta) \in [3, 700]$; mended: every convex set, norm and point of it, searched on a line",
    planted={"projected": True, "mended_share": 3},
    module=__name__,
)

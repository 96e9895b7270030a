"""Appendix F.1: the proof of Lemma 1, that is, how long the exploration is to be for Theta to be small."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.formulas.designs import design_score, scores_decrease, with_arm
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.radii import ROOT, TAU
from mnlbandits.ledger.formulas.vectors import dot, over
from mnlbandits.ledger.search import column, vectors_box


def cauchy_in_norm(m: Arithmetic, ridge: Number, constant: Number | int = 1, **point: Number) -> Number:
    """||(theta_1 - theta_2) x|| over constant ||I_K (x) x||_{V^-1} ||theta_1 - theta_2||_V, V = I_2 (x) (ridge I + v v^T)."""
    x, entries = column(point, "x"), with_arm(ridge, 0 * ridge, ridge, column(point, "v"))
    a, b, c = entries
    rows = rows_of(column(point, "e"), 2)
    length = sum(a * row[0] ** 2 + 2 * b * row[0] * row[1] + c * row[1] ** 2 for row in rows)
    return m.sqrt(over(sum(dot(row, x) ** 2 for row in rows), design_score(a, b, c, x) * length)) / constant


def lagrange_in_norm(constant: Number | int = 1) -> bool:
    """constant^2 x^T A^-1 x e^T A e - (x^T e)^2 is a square over |A| for unknown A, x and e, and no less."""
    a, b, c, x0, x1, e0, e1 = unknowns("a", "b", "c", "x0", "x1", "e0", "e1")
    length = a * e0**2 + 2 * b * e0 * e1 + c * e1**2
    gap = Fraction(constant) ** 2 * design_score(a, b, c, (x0, x1)) * length - (x0 * e0 + x1 * e1) ** 2
    along = (c * x0 - b * x1) * e1 - (a * x1 - b * x0) * e0
    return gap == along**2 / (a * c - b**2)


CAUCHY = Inequality(
    cauchy_in_norm,
    vectors_box(x=(2, 3.0), v=(2, 3.0), e=(4, 3.0)) | {"ridge": (0.1, 10.0)},
    fixed={"constant": 1},
    note=r"equality if $\theta_1 - \theta_2$ has rank one with rows along $A^{-1} x$, so $\operatorname{diam}(\Theta) = 2 \cdot 84 \sqrt{\lambda_0} \max \|x\|_{A^{-1}}$",
    proof=Exactly(
        lagrange_in_norm,
        r"$x^\top A^{-1} x \, e^\top A e - (x^\top e)^2$ is a square over $|A|$, row by row of $\theta_1 - \theta_2$; a plane holds $x$ and $e$: for every $K$ and $d$",
    ),
)


def wide_fits(K: int, d: int, wide: bool = True) -> bool:
    """Whether M^T V^-1 M is defined for M = I_K (x) x^T, of K rows, or I_K (x) x; V has K d."""
    return (K if wide else K * d) == K * d


C126 = claim(
    "C126",
    Statement(
        place="Proof of Lemma 1, display, lines 2 and 3",
        lines=(912, 913),
        kind="step",
        prints=r"$\|(\theta_1 - \theta_2) x\|_2 = \|(I_K \otimes x^\top)(\theta_1 - \theta_2)\|_2 \le \|I_K \otimes x^\top\|_{V_\tau^{-1}} \|\theta_1 - \theta_2\|_{V_\tau}$.",
        reading=r"$\|M\|^2_{V^{-1}} = \|M^\top V^{-1} M\|$",
    ),
    Correction(
        "misprint",
        Identities(
            wide_fits,
            r"$I_K \otimes x^\top$ is $K \times K d$ and $V$ is $K d \times K d$, so $M^\top V^{-1} M$ is not defined",
            ({"K": 2, "d": 2},),
        ),
        CAUCHY,
        r"misprint: $\|I_K \otimes x\|_{V^{-1}}$, as the next line has it, unless $\|M\|$ of a wide $M$ is read as $\|M V^{-1} M^\top\|^{1/2}$; likewise $\|x_s\|_{G^{-1}}$ in C114",
    ),
    domain=r"the shapes for $K = d = 2$; corrected: every $K$, $d$, $V = I_K \otimes A$ (searched: $K = d = 2$, $A = \lambda_0 I + v v^\top$, all $x$, $v$ and $\theta_1 - \theta_2$ in $[-3, 3]$)",
    planted={"wide": False, "mended_constant": Fraction(1, 2)},
    module=__name__,
)


def apart_in_theta(m: Arithmetic, a: Number, b: Number, c: Number, e: Number, factor: Number | int = 2) -> Number:
    """|u - w| over factor for u, w of polar coordinates (a, b) and (c, e) in the unit disc, a plane of the ball of Theta."""
    square = a**2 + c**2 - 2 * a * c * m.cos(b - e)
    return m.sqrt(m.maximum(square, 0)) / factor


def triangle_in_theta(factor: Number | int = 2) -> bool:
    """factor^2 - |u - w|^2 is 2 (1 - |u|^2) + 2 (1 - |w|^2) + |u + w|^2 at least, `rest` and `away` what u and w leave of 1."""
    u, w, other, rest, away = unknowns("u", "w", "other", "rest", "away")
    one_by_u, one_by_w = u**2 + rest, w**2 + other**2 + away
    gap = Fraction(factor) ** 2 / 2 * (one_by_u + one_by_w) - ((u - w) ** 2 + other**2)
    return nonnegative(gap - ((u + w) ** 2 + other**2))


C126b = claim(
    "C126b",
    Statement(
        place="Proof of Lemma 1, display, line 4",
        lines=(914, 914),
        kind="step",
        prints=r"$\max_{x} \max_{\theta_1, \theta_2 \in \Theta} \|I_K \otimes x^\top\|_{V_\tau^{-1}} \|\theta_1 - \theta_2\|_{V_\tau} \le 2 \sqrt{\beta_\tau(\delta)} \max_{x \in \mathcal X} \|I_K \otimes x\|_{V_\tau^{-1}}$ (Proposition 3 and symmetry).",
        reading=r"the reason is the definition of $\Theta$, a ball of radius $\sqrt{\beta_\tau(\delta)}$ in this norm, and the triangle inequality; Proposition 3 is not needed, so the line holds on no event",
    ),
    Inequality(
        apart_in_theta,
        {"a": (0.0, 1.0), "b": (0.0, 6.3), "c": (0.0, 1.0), "e": (0.0, 6.3)},
        share=0.3,
        fixed={"factor": 2},
        note=r"equality at opposite ends of a diameter",
        proof=Exactly(
            triangle_in_theta,
            r"$4 - |u - w|^2 = 2 (1 - |u|^2) + 2 (1 - |w|^2) + |u + w|^2$ in a plane that holds both: for every $K$ and $d$",
        ),
    ),
    domain=r"every $K$, $d$, $V$ and two points of $\Theta$, with $V^{1/2}(\theta - \hat\theta)/\sqrt\beta$ for coordinates",
    planted={"factor": 1},
    module=__name__,
)


def score_over_average(m: Arithmetic, rounds: int, kappa: Number, constant: Number | int = 1, **point: Number) -> Number:
    """rounds max_x x^T A^-1 x after the picks of Algorithm 1 over constant times the sum of the scores picked; d = 2."""
    arms, entries, total = rows_of(column(point, "x"), 2), (kappa, 0 * kappa, kappa), 0 * kappa
    for _ in range(rounds):
        scores = [design_score(*entries, x) for x in arms]
        total += max(scores)
        entries = with_arm(*entries, arms[scores.index(max(scores))])
    return over(rounds * m.maximum(*(design_score(*entries, x) for x in arms)), constant * total)


def last_score_below(constant: Fraction | int = 1) -> bool:
    """Scores decrease, so of two the last is at most the first: constant (first + last) - 2 last is not negative."""
    last, fall = unknowns("last", "fall")
    return scores_decrease() and nonnegative(constant * ((last + fall) + last) - 2 * last)


C123b = claim(
    "C123b",
    Statement(
        place="Proof of Lemma 1, display, lines 5 to 9",
        lines=(915, 919),
        kind="step",
        prints=r"$\sum_{s=1}^\tau \max_{x \in \mathcal X} \|I_K \otimes x\|^2_{V_\tau^{-1}} \le \sum_{s=1}^\tau \max_{x \in \mathcal X} \|I_K \otimes x\|^2_{V_{s-1}^{-1}} \le \sum_{s=1}^\tau \|I_K \otimes x_s\|^2_{V_{s-1}^{-1}}$.",
        hypotheses=r"$x_s$ of Algorithm 1",
    ),
    Inequality(
        score_over_average,
        vectors_box(x=(6, 1.0)) | {"kappa": (0.1, 10.0)},
        cases=tuple({"rounds": rounds} for rounds in (1, 2, 3, 6)),
        share=0.5,
        note=r"$V$ is $I_K \otimes A$ and $\kappa A$ is what is followed; equality as the arms become short",
        proof=Exactly(
            last_score_below,
            r"$x^\top A^{-1} x - x^\top (A + y y^\top)^{-1} x = (x^\top A^{-1} y)^2/(1 + y^\top A^{-1} y) \ge 0$, so no score grows, and $x_s$ has the largest of its round: for every $d$, $K$, $\kappa$ and set of arms",
        ),
    ),
    domain=r"every $K$, $d$, $\kappa$, $\lambda_0$ and finite set of arms (searched: $d = 2$, three arms in $[-1, 1]^2$, $\lambda_0 = 1$, $\kappa \in [0.1, 10]$, 1 to 6 rounds)",
    planted={"constant": Fraction(1, 2)},
    module=__name__,
)


def chain_bound(m: Arithmetic, T: int, tau_constant: int = TAU) -> Number:
    """The bound 6 16 beta kappa K d log(1 + tau/(Kd))/tau of 6 diam(Theta)^2 at K = kappa = 2, d = delta = 1, S = 0."""
    level = m.log(m.number(T))
    return 6 * 16 * ROOT**2 * m.log(1 + 4 * tau_constant * level**2) / (tau_constant * level)


def chain_closes(tau_constant: int = TAU) -> bool:
    """Whether 96 84^2/tau_constant <= 1 and T - 1 - tau/(Kd) >= 0 for tau <= T = 2 + more and Kd = 2 + rest."""
    more, rest = unknowns("more", "rest")
    longer = (2 + more) - 1 - (2 + more) / (2 + rest)
    return tau_constant >= 6 * 16 * ROOT**2 and nonnegative(longer)


LONG_ENOUGH = tuple({"T": 3 * 10**n} for n in (9, 12, 100))
"""T at least tau, also six times that of the lemma, in that setting."""


LENGTH_NOTE = r"$\tau = 677376 \lambda_0 \kappa K d \log T$, that is $6 \cdot 336^2$, as the proof's last line has it up to its logarithm; $336^2$ is what the chain gives for $\operatorname{diam}(\Theta) \le 1$. The second statement of the lemma itself holds with $336^2$ (C122): the chain's elliptical step loses more than that (C124). A $\Theta$ that holds $\theta_*$ for every $S$ needs $\tau = 42 (S + 3)^2 \lambda_0 \kappa d \log T$ (C121)"

C123 = claim(
    "C123",
    Statement(
        place=r"Proof of Lemma 1, last line, against the lemma's $\tau$",
        lines=(910, 922),
        kind="step",
        prints=r"$\operatorname{diam}(\Theta) \le 4 \sqrt{\beta_\tau(\delta)} \tau^{-1/2} \kappa^{1/2} \sqrt{K d \log(1 + \frac{\tau}{K d})}$. Thus if we choose $\tau = 96 \beta_\tau(\delta) \kappa K d \log(1 + \frac{T}{K d})$ we have that $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        reading=r"the last line is true for $T \ge \tau$; but it ends the proof of Lemma 1, whose $\tau$ is $336^2 \lambda_0 \kappa K d \log T$, and its own is $677376 \lambda_0 \kappa K d \log(1 + \frac{T}{K d})$, as $\beta = 84^2 \lambda_0$; examined is whether the chain gives $1/\sqrt 6$ at the lemma's $\tau$",
        labels=("appendix:proof constant diameter",),
    ),
    Correction(
        "constant",
        Inequality(
            chain_bound,
            cases=LONG_ENOUGH,
            examples=LONG_ENOUGH,
            note=r"$6 \operatorname{diam}(\Theta)^2 \le 6 \log(1 + \tau/(K d))/\log T$ is all that the chain gives: at most $1$ for huge $T$ only",
            fixed={"tau_constant": TAU},
        ),
        Inequality(
            chain_bound,
            cases=LONG_ENOUGH,
            fixed={"tau_constant": 6 * TAU},
            proof=Exactly(
                chain_closes,
                r"$\log(1 + \tau/(K d))/\log T \le 1$ is left of the chain, as $1 + \tau/(K d) \le 1 + T/2 \le T$ for $\tau \le T$",
            ),
        ),
        LENGTH_NOTE,
    ),
    domain=r"printed: $K = 2$, $d = 1$, $S = 0$, $\delta = 1$, $T = 3 \cdot 10^9 \ge \tau$; corrected: every $K \ge 2$, $d$, $S$, $\kappa$, $\delta$ and $T \ge \tau$, $\beta = 84^2 \lambda_0$",
    planted={"tau_constant": 677376, "mended_tau_constant": TAU},
    module=__name__,
)

"""Appendix F.1: the proof of Lemma 1, that is, how long the exploration is to be for Theta to be small."""

from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.designs import design_score, scores_decrease, with_arm
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.radii import ROOT, TAU
from mnlbandits.ledger.formulas.vectors import dot, over
from mnlbandits.ledger.prove import Certificate, Open
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


C126 = claim(
    "C126",
    Statement(
        place="Proof of Lemma 1, display, lines 2 and 3",
        lines=(912, 913),
        kind="step",
        prints=r"$\|(\theta_1 - \theta_2) x\|_2 = \|(I_K \otimes x^\top)(\theta_1 - \theta_2)\|_2 \le \|I_K \otimes x^\top\|_{V_\tau^{-1}} \|\theta_1 - \theta_2\|_{V_\tau}$.",
        reading=r"The source does not define $\|M\|_{V^{-1}}$ of a matrix $M$. Algorithm 1 and the next line need $\|M^\top V^{-1} M\|^{1/2}$ of the $K d \times K$ matrix $I_K \otimes x$; of its transpose, which is meant here, $\|M V^{-1} M^\top\|^{1/2}$ is the only reading that is defined, and the same number",
    ),
    CAUCHY,
    domain=r"every $K$, $d$, $V = I_K \otimes A$ (searched: $K = d = 2$, $A = \lambda_0 I + v v^\top$, all $x$, $v$ and $\theta_1 - \theta_2$ in $[-3, 3]$)",
    planted={"constant": Fraction(1, 2)},
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


def diameter_of_basis(m: Arithmetic, T: int, d: int, factor: int = 96) -> Number:
    """At most sqrt(6) diam(Theta), K = 2, of d orthogonal arms of length 1 after the tau of the proof, `factor` for 96.

    Algorithm 1 plays each arm at most tau/d + 1 times, tau/(d kappa lambda_0) = factor 84^2 K log(1 + T/(K d)).
    """
    pulls = factor * ROOT**2 * 2 * m.log(1 + m.number(Fraction(T, 2 * d))) + 1
    return 2 * m.sqrt(m.number(6)) * ROOT / m.sqrt(1 + pulls)


def chain_at_own_length(m: Arithmetic, digits: Number, share: Number, size: Number, factor: int = 96) -> Number:
    """6 16 beta kappa K d log(1 + tau/(K d))/tau at that tau; T = 10^digits, tau = share T, K d = 10^size."""
    T, dims = 10**digits, 10**size
    return 6 * 16 * m.log(1 + share * T / dims) / (factor * m.log(1 + T / dims))


def own_length_closes(factor: int = 96) -> bool:
    """Whether 96/factor <= 1 and T - tau >= 0 for T = tau + rest."""
    tau, rest = unknowns("tau", "rest")
    return factor >= 6 * 16 and nonnegative((tau + rest) - tau)


MANY_ARMS = {"T": 2, "d": 100}

C123 = claim(
    "C123",
    Statement(
        place="Proof of Lemma 1, last line",
        lines=(910, 922),
        kind="step",
        prints=r"$\operatorname{diam}(\Theta) \le 4 \sqrt{\beta_\tau(\delta)} \tau^{-1/2} \kappa^{1/2} \sqrt{K d \log(1 + \frac{\tau}{K d})}$. Thus if we choose $\tau = 96 \beta_\tau(\delta) \kappa K d \log(1 + \frac{T}{K d})$ we have that $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        quantifiers=r"for every $S$, $K$, $d$, $T$ and $\mathcal X$",
        reading=r"the second sentence; the first is C124 with the lines before it. $\beta_\tau(\delta) = 84^2 \lambda_0$",
        labels=("appendix:proof constant diameter",),
    ),
    Correction(
        "condition",
        Inequality(
            diameter_of_basis,
            cases=(MANY_ARMS,),
            note=r"$T = 2$, $K = 2$, $100$ orthogonal arms of length 1: $\log(1 + \frac{T}{K d}) = 0.00995$ and $\operatorname{diam}(\Theta) = 168/\sqrt{1 + 96 \cdot 84^2 \cdot 0.0199} = 1.45$ for $0.41$",
            fixed={"factor": 96},
        ),
        Inequality(
            chain_at_own_length,
            {"digits": (0.3, 30.0), "share": (1e-9, 1.0), "size": (0.3, 11.0)},
            share=0.3,
            fixed={"factor": 96},
            note=r"equality at $\tau = T$",
            proof=Exactly(
                own_length_closes,
                r"$6 \operatorname{diam}(\Theta)^2 \le \log(1 + \frac{\tau}{K d})/\log(1 + \frac{T}{K d})$ is left of the first sentence",
            ),
        ),
        r"$T \ge \tau$, which is not said, as in the lemma (C122). Where $T$ is small beside $K d$ this $\tau$ does not grow with $d$ any more",
    ),
    domain=r"printed: $T = 2$, $K = 2$, $d = 100$; corrected: every $K$, $d$, $S$, $\kappa$, $\lambda_0$ and $T \ge \tau$ (searched: $T \le 10^{30}$, $K d$ from 2 to $10^{11}$)",
    planted={"factor": 2000, "mended_factor": 95},
    module=__name__,
)


def chain_bound(m: Arithmetic, T: int, tau_constant: int = TAU) -> Number:
    """The bound 6 16 beta kappa K d log(1 + tau/(Kd))/tau of 6 diam(Theta)^2 at K = kappa = 2, d = delta = 1, S = 0."""
    level = m.log(m.number(T))
    return 6 * 16 * ROOT**2 * m.log(1 + 4 * tau_constant * level**2) / (tau_constant * level)


SHORTEST_SHOWN = 3 * 10**9
"""T at which the lemma's tau is too short for the chain; it is at least tau, also six times that of the lemma."""


def chain_of_lengths(m: Arithmetic, T: int, enough: int = 6 * TAU, lemma: int = TAU) -> Number:
    """The larger of the chain's bound after the longer tau and of 1 over its bound after the lemma's."""
    return m.maximum(chain_bound(m, T, enough), 1 / chain_bound(m, SHORTEST_SHOWN, lemma))


def chain_closes(enough: int = 6 * TAU) -> bool:
    """Whether 96 84^2/enough <= 1 and T - 1 - tau/(Kd) >= 0 for tau <= T = 2 + more and Kd = 2 + rest."""
    more, rest = unknowns("more", "rest")
    longer = (2 + more) - 1 - (2 + more) / (2 + rest)
    return enough >= 6 * 16 * ROOT**2 and nonnegative(longer)


def certified_lengths(enough: int = 6 * TAU, lemma: int = TAU) -> Certificate | Open:
    """Both halves."""
    longer = Exactly(
        chain_closes,
        r"$6 \operatorname{diam}(\Theta)^2 \le \log(1 + \tau/(K d))/\log T \le 1$ is left of the chain, as $1 + \tau/(K d) \le 1 + T/2 \le T$ for $\tau \le T$",
    )
    shorter = Balls(chain_of_lengths, {}, ({"T": SHORTEST_SHOWN},), words=r"the lemma's length at one $T$")
    return Together((partial(longer, enough=enough), partial(shorter, enough=enough, lemma=lemma)))()


C123c = claim(
    "C123c",
    Statement(
        place=r"Proof of Lemma 1, against the lemma's $\tau$",
        lines=(910, 922),
        kind="step",
        prints=r"The chain of lines 911 to 920 gives $\operatorname{diam}(\Theta) \le 1/\sqrt 6$ for $\tau = 6 \cdot 336^2 \lambda_0 \kappa K d \log T \le T$; with the lemma's $336^2$ it does not: at $T = 3 \cdot 10^9$ it leaves $6 \operatorname{diam}(\Theta)^2 \le 5.28$.",
        reading=r"Ours: $96 \cdot 84^2 = 6 \cdot 336^2$ in the proof's last line (C123), and $336^2$ in the lemma. The second statement of the lemma holds with $336^2$ all the same (C122): the chain's elliptical step loses more than the factor 6 (C124)",
    ),
    Inequality(
        chain_of_lengths,
        cases=tuple({"T": T} for T in (SHORTEST_SHOWN, 3 * 10**12, 3 * 10**100)),
        fixed={"enough": 6 * TAU, "lemma": TAU},
        proof=certified_lengths,
    ),
    domain=r"the first half: every $K \ge 2$, $d$, $S$, $\kappa$, $\delta$ and $T \ge \max(\tau, 2)$; the second: $K = 2$, $d = 1$, $S = 0$, $\delta = 1$, $T = 3 \cdot 10^9 \ge \tau$",
    planted={"enough": TAU, "lemma": 6 * TAU},
    ours=True,
    module=__name__,
)

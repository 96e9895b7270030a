"""Appendix F.1: the proof of Lemma 1, that is, how long the exploration is to be for Theta to be small."""

from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.designs import design_score, determinant_grows, one_over_log, scores_decrease, with_arm
from mnlbandits.ledger.formulas.orders import rows_of, vectors
from mnlbandits.ledger.formulas.radii import ROOT, TAU
from mnlbandits.ledger.formulas.vectors import dot, over
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import Box, Effort, column, vectors_box


def cauchy_in_norm(m: Arithmetic, ridge: Number, **point: Number) -> Number:
    """||(theta_1 - theta_2) x|| over ||I_K (x) x||_{V^-1} ||theta_1 - theta_2||_V, V = I_2 (x) (ridge I + v v^T)."""
    x, entries = column(point, "x"), with_arm(ridge, 0 * ridge, ridge, column(point, "v"))
    a, b, c = entries
    rows = rows_of(column(point, "e"), 2)
    length = sum(a * row[0] ** 2 + 2 * b * row[0] * row[1] + c * row[1] ** 2 for row in rows)
    return m.sqrt(over(sum(dot(row, x) ** 2 for row in rows), design_score(a, b, c, x) * length))


def lagrange_in_norm() -> bool:
    """x^T A^-1 x e^T A e - (x^T e)^2 is a square over |A|, for unknown A, x and e."""
    a, b, c, x0, x1, e0, e1 = unknowns("a", "b", "c", "x0", "x1", "e0", "e1")
    length = a * e0**2 + 2 * b * e0 * e1 + c * e1**2
    gap = design_score(a, b, c, (x0, x1)) * length - (x0 * e0 + x1 * e1) ** 2
    along = (c * x0 - b * x1) * e1 - (a * x1 - b * x0) * e0
    return gap == along**2 / (a * c - b**2)


CAUCHY = Inequality(
    cauchy_in_norm,
    vectors_box(x=(2, 3.0), v=(2, 3.0), e=(4, 3.0)) | {"ridge": (0.1, 10.0)},
    note=r"equality if $\theta_1 - \theta_2$ has rank one with rows along $A^{-1} x$, so $\operatorname{diam}(\Theta) = 2 \cdot 84 \sqrt{\lambda_0} \max \|x\|_{A^{-1}}$",
    proof=Exactly(
        lagrange_in_norm,
        r"$x^\top A^{-1} x \, e^\top A e - (x^\top e)^2$ is a square over $|A|$, row by row of $\theta_1 - \theta_2$; a plane holds $x$ and $e$: for every $K$ and $d$",
    ),
)


def printed_shapes(wide: bool) -> Finding:
    """Whether M^T V^-1 M is defined for M = I_K (x) x^T, `wide`, or I_K (x) x; K = d = 2."""
    rows, size = (2, 4) if wide else (4, 4)
    text = f"$K = d = 2$: $I_K \\otimes x^\\top$ is $2 \\times 4$ and $V$ is ${size} \\times {size}$, so $M^\\top V^{{-1}} M$ is not defined"
    return finding.exactly(rows == size, "by the shapes of the factors", text)


def diameter_step(effort: Effort, wide: bool = True) -> Finding:
    """The shapes of the printed product, and the inequality for I_K (x) x."""
    mended = CAUCHY(effort)
    shapes = printed_shapes(wide)
    return finding.corrected("misprint", shapes, mended, SHAPES_NOTE) if wide else finding.all_of(mended, shapes)


SHAPES_NOTE = r"misprint: $\|I_K \otimes x\|_{V^{-1}}$, as the next line has it, unless $\|M\|$ of a wide $M$ is read as $\|M V^{-1} M^\top\|^{1/2}$; likewise $\|x_s\|_{G^{-1}}$ in C114"

C126 = claim(
    "C126",
    Statement(
        place="Proof of Lemma 1, display, lines 2 and 3",
        lines=(912, 913),
        kind="step",
        prints=r"$\|(\theta_1 - \theta_2) x\|_2 = \|(I_K \otimes x^\top)(\theta_1 - \theta_2)\|_2 \le \|I_K \otimes x^\top\|_{V_\tau^{-1}} \|\theta_1 - \theta_2\|_{V_\tau}$.",
        reading=r"$\|M\|^2_{V^{-1}} = \|M^\top V^{-1} M\|$",
    ),
    diameter_step,
    domain=r"the shapes for $K = d = 2$; corrected: every $K$, $d$, $V = I_K \otimes A$ (searched: $K = d = 2$, $A = \lambda_0 I + v v^\top$, all $x$, $v$ and $\theta_1 - \theta_2$ in $[-3, 3]$)",
    planted={"wide": False},
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


def last_score_below(constant: Number | int = 1) -> bool:
    """Scores decrease from round to round, so the last of the largest scores is at most each of them."""
    return scores_decrease() and constant >= 1


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


def potential_of_one_arm(
    m: Arithmetic, digits: Number, outcomes: Number, weight: Number, constant: Number | int = 4
) -> Number:
    """K sum_{s < n} 1/(w + s), w = kappa lambda_0, at most K/w + K log(1 + (n - 1)/w), over constant K log(1 + n/K); d = 1."""
    rounds, w = 10**digits, outcomes**2 * m.log(2) * 10**weight
    total = outcomes * (1 / w + m.log(1 + (rounds - 1) / w))
    return total / (constant * outcomes * m.log(1 + rounds / outcomes))


def potential_of_arms(
    m: Arithmetic, K: int, rounds: int, weight: Number, constant: Number | int = 4, **point: Number
) -> Number:
    """K sum x_s^T (w I + sum x x^T)^-1 x_s of a sequence of arms over constant 2 K log(1 + n/(2 K)); d = 2."""
    w = 2 * K**2 * m.log(2) * 10**weight
    entries, total = (w, 0 * w, w), 0 * w
    for x in vectors(m, column(point, "x"), 2):
        total += K * design_score(*entries, x)
        entries = with_arm(*entries, x)
    return total / (constant * 2 * K * m.log(1 + m.number(Fraction(rounds, 2 * K))))


def arms_box(K: int, rounds: int) -> Box:
    """As many arms as rounds, and kappa lambda_0 over its least in digits."""
    del K
    return vectors_box(x=(2 * rounds, 1.0)) | {"weight": (0.0, 3.0)}


SMALL_SCORES = Balls(
    one_over_log,
    {"q": (0.0, 0.5)},
    cases=({"near": True},),
    words=r"for every $K \ge 2$, $d$ and sequence of arms: with $w = \kappa \lambda_0 \ge K^2 d \log 2$ the scores are $q_s \le 1/w < 1/2$, $q \le 4 \log(1 + q)$ there (both are 0 at 0, and the derivatives are in this order), and $\sum_s \log(1 + q_s) = \log(|B_\tau|/w^d) \le d \log(1 + \tau/(w d)) \le d \log(1 + \tau/(K d))$ with $B_s = w I + \sum_{r \le s} x_r x_r^\top$, as determinants grow by $1 + q_s$; times $K$ for the Frobenius norm",
)


def certified_potential(constant: Number | int = 4) -> Certificate | Open:
    """The proof, if determinants grow as it says."""
    return SMALL_SCORES(constant=constant) if determinant_grows() else Open({}, 0)


C124 = claim(
    "C124",
    Statement(
        place="Proof of Lemma 1, last inequality of the display",
        lines=(919, 920),
        kind="step",
        prints=r"$\sum_{s=1}^\tau \|\kappa^{-1/2} I_K \otimes x_s\|^2_{V_{s-1}^{-1}} \le 4 K d \log(1 + \frac{\tau}{K d})$.",
        reading=r"in the spectral and in the Frobenius norm, which is the larger",
    ),
    All(
        (
            Inequality(
                potential_of_one_arm,
                {"digits": (0.0, 9.0), "outcomes": (2.0, 20.0), "weight": (0.0, 3.0)},
                share=0.5,
                loose=True,
                note=r"in the spectral norm $K$ times smaller: $d \log(1 + \tau/(\kappa \lambda_0 d))$, free of $K$",
                proof=certified_potential,
            ),
            Inequality(
                potential_of_arms,
                arms_box,
                cases=tuple({"K": 2, "rounds": rounds} for rounds in (1, 2, 4)),
                share=0.25,
                loose=True,
                proof=certified_potential,
            ),
        )
    ),
    domain=r"every $K \ge 2$, $d$ and sequence of arms, $\kappa \ge K$, $\lambda_0 \ge K d \log 2$ (searched: $d = 1$: $x = 1$, up to $10^9$ rounds, $K \le 20$; $d = 2$: all sequences of 1, 2 and 4 arms, $K = 2$; Frobenius norm)",
    planted={"constant": Fraction(1, 2)},
    module=__name__,
)


def capped_potential(m: Arithmetic, rounds: int, constant: Number | int = 2, **point: Number) -> Number:
    """sum_s min(1, ||x_s||^2_{V_{s-1}^-1}) over constant log(|V_n|/|V_0|), V_0 = I, d = 2."""
    del rounds
    entries, total = (1, 0, 1), 0
    for x in rows_of(column(point, "x"), 2):
        total += m.minimum(1, design_score(*entries, x))
        entries = with_arm(*entries, x)
    a, b, c = entries
    return over(total, constant * m.log(a * c - b * b))


def score_box(near: bool) -> Box:
    """q in [0, 1] in two parts."""
    return {"q": (0.0, 0.5)} if near else {"q": (0.5, 1.0)}


CAPPED_SCORES = Balls(
    one_over_log,
    score_box,
    cases=({"near": True}, {"near": False}),
    words=r"for every $d$, $V_0$ and sequence: $\min(1, q) \le 2 \log(1 + q)$ on $[0, 1]$ (near 0 by the derivatives, both sides being 0 at 0) and so beyond, where the right side grows, and determinants grow by $1 + q_s$",
)


def certified_capped(constant: Number | int = 2) -> Certificate | Open:
    """The proof, if determinants grow as it says."""
    return CAPPED_SCORES(constant=constant) if determinant_grows() else Open({}, 0)


C125 = claim(
    "C125",
    Statement(
        place="Proof of Lemma 1, last inequality of the display, citation",
        lines=(920, 920),
        kind="step",
        prints=r"lemma 10 of Abbasi-Yadkori et al. (2011)",
        reading=r"the potential bound, their Lemma 11: $\sum_s \min(1, \|x_s\|^2_{V_{s-1}^{-1}}) \le 2 \log(|V_n|/|V_0|)$",
    ),
    Inequality(
        capped_potential,
        lambda rounds: vectors_box(x=(2 * rounds, 3.0)),
        cases=tuple({"rounds": rounds} for rounds in (1, 2, 3)),
        share=0.5,
        loose=True,
        note=r"$1/\log 2 = 1.4427$ is the best constant, at $\|x\|_{V^{-1}} = 1$; Lemma 10 is the determinant-trace inequality, as this paper's last appendix says (C190)",
        proof=certified_capped,
    ),
    domain=r"every $d$, $V_0$ and sequence of vectors (searched: $d = 2$, all sequences of 1 to 3 vectors in $[-3, 3]^2$, $V_0 = I$)",
    planted={"constant": 1},
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


LONG = tuple({"T": 3 * 10**n} for n in (9, 12, 100))
"""T at least tau, also six times that of the lemma, in that setting."""


LENGTH_NOTE = r"$\tau = 677376 \lambda_0 \kappa K d \log T$, that is $6 \cdot 336^2$, as the proof's last line has it; $336^2$ is what the chain gives for $\operatorname{diam}(\Theta) \le 1$. The lemma itself holds with $336^2$ (C122): the chain's elliptical step loses more than that (C124)"

C123 = claim(
    "C123",
    Statement(
        place=r"Proof of Lemma 1, last line, against the lemma's $\tau$",
        lines=(910, 922),
        kind="step",
        prints=r"$\operatorname{diam}(\Theta) \le 4 \sqrt{\beta_\tau(\delta)} \tau^{-1/2} \kappa^{1/2} \sqrt{K d \log(1 + \frac{\tau}{K d})}$; if $\tau = 96 \beta_\tau(\delta) \kappa K d \log(1 + \frac{T}{K d})$ we have that $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        reading=r"the chain is to give $\operatorname{diam}(\Theta) \le 1/\sqrt 6$ at the lemma's $\tau = 336^2 \lambda_0 \kappa K d \log T$, with $\beta = 84^2 \lambda_0$",
        labels=("appendix:proof constant diameter",),
    ),
    Correction(
        "constant",
        Inequality(
            chain_bound,
            cases=LONG,
            examples=LONG,
            note=r"$6 \operatorname{diam}(\Theta)^2 \le 6 \log(1 + \tau/(K d))/\log T$ is all that the chain gives: at most $1$ for huge $T$ only",
        ),
        Inequality(
            chain_bound,
            cases=LONG,
            fixed={"tau_constant": 6 * TAU},
            proof=Exactly(
                chain_closes,
                r"$\log(1 + \tau/(K d))/\log T \le 1$ is left of the chain, as $1 + \tau/(K d) \le 1 + T/2 \le T$ for $\tau \le T$",
            ),
        ),
        LENGTH_NOTE,
    ),
    domain=r"printed: $K = 2$, $d = 1$, $S = 0$, $\delta = 1$, $T = 3 \cdot 10^9 \ge \tau$; corrected: every $K \ge 2$, $d$, $S$, $\kappa$, $\delta$ and $T \ge \tau$; $\beta = 84^2 \lambda_0$",
    planted={"tau_constant": 677376},
    module=__name__,
)

"""Appendix F.1: the proof of Lemma 1, the elliptical potential."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import All, Balls, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE
from mnlbandits.ledger.formulas.designs import design_score, determinant_grows, one_over_log, with_arm
from mnlbandits.ledger.formulas.orders import rows_of, vectors
from mnlbandits.ledger.formulas.vectors import over
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import Box, column, vectors_box


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
    words=r"for every $K \ge 2$, $d$ and sequence of arms: with $w = \kappa \lambda_0 \ge K^2 d \log 2$ the scores are $q_s \le 1/w < 1/2$, $q \le 2 \log(1 + q)$ there, with half the constant (both are 0 at 0, and the derivatives are in this order), and $\sum_s \log(1 + q_s) = \log(|B_\tau|/w^d) \le d \log(1 + \tau/(w d)) \le d \log(1 + \tau/(K d))$ with $B_s = w I + \sum_{r \le s} x_r x_r^\top$, as determinants grow by $1 + q_s$; times $K$ for the Frobenius norm",
)


def certified_potential(constant: Number | int = 4) -> Certificate | Open:
    """The proof, with half the constant, if determinants grow as it says."""
    found = SMALL_SCORES(constant=Fraction(constant) / 2)
    if isinstance(found, Open) or not determinant_grows():
        return Open({}, 0)
    return found._replace(bound=LOOSE)


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
        prints=r"What the citation of lemma 10 of Abbasi-Yadkori et al. (2011) stands for, their Lemma 11: $\sum_s \min(1, \|x_s\|^2_{V_{s-1}^{-1}}) \le 2 \log(|V_n|/|V_0|)$",
    ),
    Inequality(
        capped_potential,
        lambda rounds: vectors_box(x=(2 * rounds, 3.0)),
        cases=tuple({"rounds": rounds} for rounds in (1, 2, 3)),
        share=0.5,
        note=r"$1/\log 2 = 1.4427$ is the best constant, at $\|x\|_{V^{-1}} = 1$; Lemma 10 is the determinant-trace inequality, as this paper's last appendix says (C190)",
        proof=certified_capped,
    ),
    domain=r"every $d$, $V_0$ and sequence of vectors (searched: $d = 2$, all sequences of 1 to 3 vectors in $[-3, 3]^2$, $V_0 = I$)",
    planted={"constant": 1},
    ours=True,
    module=__name__,
)

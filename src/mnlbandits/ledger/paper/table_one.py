"""Table 1: its own row, and the rates of earlier work."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Statement, claim
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, inverse_star_of
from mnlbandits.ledger.formulas.softmax import binary_curvature, softmax
from mnlbandits.ledger.formulas.table_one import (
    QUOTED,
    QUOTED_PRINTED,
    RADICAL,
    SCALES_BOX,
    TABLE,
    TABLE_PRINTED,
    Rate,
    Scales,
    rate_value,
    scales_of,
)
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box


def own_factor(p: list[Number], q: list[Number], rewards: list[Number], R: Number, factor: str) -> Number:
    """1, R, or R + nu of the actions with these laws, p of the better one: what multiplies kappa d^2 K^2."""
    squares = [reward**2 for reward in rewards]
    spread = dot(squares, p) - dot(squares, q)
    nu = 2 * spread / (dot(rewards, p) - dot(rewards, q))
    return {"1": R / R, "R": R, "R + nu": R + nu}[factor]


def own_scaled(m: Arithmetic, size: Number, factor: str = "1") -> Number:
    """Relative difference of either term of the own row, rho multiplied by `size`, from `size` times that term.

    On the example of a large kappa_* with K = d = 2, S = 1 and the actions e_1, -e_1; T = 10^6.
    """
    high = 1 / m.sqrt(m.number(2))
    z = [high, -high]
    p, q = softmax(m, z), softmax(m, z[::-1])

    def terms(multiple: Number) -> tuple[Number, Number]:
        rewards = [multiple * 2 / m.sqrt(m.number(5)), multiple / m.sqrt(m.number(5))]
        R, star = m.norm(rewards), 1 / inverse_kappa_star(m, z, rewards)
        scales = Scales(R, m.number(2), m.number(2), 1 / binary_curvature(m, m.number(1)), star, m.number(10**6))
        second = own_factor(p, q, rewards, R, factor) * rate_value(m, TABLE["ours"].second, scales)
        return rate_value(m, TABLE["ours"].first, scales), second

    before, after = terms(m.number(1)), terms(size)
    return m.maximum(*(abs(new / (size * old) - 1) for old, new in zip(before, after, strict=True)))


def own_homogeneous(factor: str = "1") -> bool:
    """R + nu is homogeneous in rho, of degree 1, and kappa_* of degree 0; the first term has a power 1 of R, the second 0."""
    p, q, r, s, size = unknowns("p", "q", "r", "s", "size")
    laws = [p, 1 - p], [q, 1 - q]
    nu, scaled_nu = (own_factor(*laws, [a * r, a * s], 0 * r + 1, "R + nu") - 1 for a in (size / size, size))
    star = inverse_star_of(laws[0], [size * r, size * s]) == inverse_star_of(laws[0], [r, s])
    own = TABLE["ours"]
    return scaled_nu == size * nu and star and (own.first.R, own.second.R) == (1, 0) and factor == "R + nu"


C015 = claim(
    "C015",
    Statement(
        place="Table 1, own row",
        lines=(215, 218),
        kind="table",
        prints=rf"(ours) - Theorem 1: ${TABLE_PRINTED['ours'][1]}$; with respect to $R, d, K, \kappa, \kappa_*$ and $T$; we omit logarithmic terms and other constants.",
        reading=r"It is Theorem 1's bound, as printed, in $R, d, K, \kappa, \kappa_*, T$, a bound on the regret, which is multiplied by $10$ with $\rho$, as $\kappa$ and $\kappa_*$ stay.",
        labels=("table:regret comparison",),
    ),
    Correction(
        "misprint",
        Equality(
            own_scaled,
            {"size": (0.1, 10.0)},
            examples=({"size": 10.0},),
            note=r"$\rho$ replaced by $10 \rho$: regret times $10$, second term unchanged",
        ),
        Equality(
            own_scaled,
            {"size": (0.1, 10.0)},
            fixed={"factor": "R + nu"},
            proof=Exactly(
                own_homogeneous,
                r"$R$ and $\nu$ are homogeneous of degree $1$ in $\rho$, $\kappa_*$ of degree $0$, as rational functions",
            ),
        ),
        r"misprint: $\kappa (R + \nu) d^2 K^2$, as Theorem 1 has it; the caption compares in $R$, and $\nu$ may be among its other constants. No multinomial row has $R$ in its second term. What is proved of Theorem 1 is said in C156: its leading term has $K$ for $\sqrt K$",
    ),
    domain=r"rewards multiplied by $10$ on large $\kappa_*$, $K = 2$, $d = 2$, $S = 1$, two actions; as corrected any two laws at $K = 2$ whose mean rewards differ, any $\rho$ and factor $> 0$.",
    planted={"factor": "R", "mended_factor": "1"},
    module=__name__,
)

TERMS = ({"term": "first"}, {"term": "second"})
"""The two terms of a row."""


def binary_box(term: str) -> Box:
    """The scales that are free at R = 1 and K = 2."""
    del term
    return {name: ends for name, ends in SCALES_BOX.items() if name not in ("R", "K")}


def own_over_binary(m: Arithmetic, term: str, first_square: int = 2, second: int = 4, **powers: Number) -> Number:
    """Relative difference of a term of the own row, R = 1 and K = 2, from a constant times that of the best binary rows."""
    scales = scales_of(m, R=m.number(0), K=m.log(m.number(2)) / m.log(m.number(10)), **powers)
    ours, binary = (rate_value(m, getattr(TABLE[name], term), scales) for name in ("ours", "Zhang 2024 (binary)"))
    constant = m.sqrt(m.number(first_square)) if term == "first" else m.number(second)
    return abs(ours / binary / constant - 1)


def own_row_at_two(first_square: int = 2, second: int = 4) -> bool:
    """The quotients of the terms are powers of R and of K alone, K^(1/2) and K^2, K = 2."""
    own, binary = TABLE["ours"], TABLE["Zhang 2024 (binary)"]
    quotients = [
        mine._replace(R=0).times(**{name: -exponent for name, exponent in other._asdict().items()})
        for mine, other in ((own.first, binary.first), (own.second, binary.second))
    ]
    return quotients == [Rate(K=RADICAL), Rate(K=2)] and (first_square, second) == (2, 2**2)


C015b = claim(
    "C015b",
    Statement(
        place="Table 1",
        lines=(203, 215),
        kind="table",
        prints=rf"Binary: ${TABLE_PRINTED['Zhang 2024 (binary)'][1]}$; (ours) ${TABLE_PRINTED['ours'][1]}$.",
        reading=r"At $K = 2$ and $\rho = (1, 0)$ the own row is that of the best binary rows, up to the constants $\sqrt 2$ and $4$, with the multinomial $\kappa$ for the binary one.",
        labels=("table:regret comparison",),
    ),
    Equality(
        own_over_binary, binary_box, TERMS, proof=Exactly(own_row_at_two, "the exponents of what is printed, compared")
    ),
    domain=r"every $d, \kappa, \kappa_*, T$, $R = 1$; searched on a log scale, to $10^3$, $10^{12}$, $10^{12}$, $10^{30}$.",
    planted={"first_square": 4, "second": 2},
    ours=True,
    module=__name__,
)

QUOTES = tuple({"row": name} for name in QUOTED)
"""The rows of which the text quotes the rate."""


def quoted_over_row(m: Arithmetic, row: str, outcomes_power: Fraction | int = 0, **powers: Number) -> Number:
    """Relative difference of a quoted rate, times K^outcomes_power, from the first-order term of its row."""
    scales = scales_of(m, **powers)
    quoted = rate_value(m, QUOTED[row].times(K=outcomes_power), scales)
    return abs(quoted / rate_value(m, TABLE[row].first, scales) - 1)


def quoted_exactly(outcomes_power: Fraction | int = 0) -> bool:
    """Exponents compared."""
    return all(rate.times(K=outcomes_power) == TABLE[name].first for name, rate in QUOTED.items())


C015c = claim(
    "C015c",
    Statement(
        place="Abstract; introduction, related work; Table 1",
        lines=(135, 215),
        kind="table",
        prints="The text quotes " + ", ".join(rf"$\tilde O({rate})$" for rate in QUOTED_PRINTED.values()) + ".",
        reading=rf"They are the first-order terms of their rows of Table 1: {', '.join(QUOTED_PRINTED)}. Whether the cited papers prove them, the second-order terms and the costs per round is not checked here.",
        labels=("table:regret comparison",),
    ),
    Equality(
        quoted_over_row,
        dict(SCALES_BOX),
        QUOTES,
        share=0.1,
        proof=Exactly(quoted_exactly, "the exponents of what is printed, compared"),
    ),
    domain=rf"${len(QUOTED)}$ quoted rates against their rows, all $R, d, K, \kappa, \kappa_*, T$.",
    planted={"outcomes_power": 1},
    ours=True,
    module=__name__,
)

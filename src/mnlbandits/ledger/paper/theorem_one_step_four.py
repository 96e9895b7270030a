"""Appendix F.3, proof of Theorem 1, Step 4: the orders of matrices that its first displays claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from numpy.typing import NDArray

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Identities, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.orders import loewner, square_form
from mnlbandits.ledger.formulas.units import first_unit, mean_projection, split_by_mean, square_of, unit_matrix
from mnlbandits.ledger.search import Effort

STEP_FOUR = "Appendix F.3, proof of Theorem 1, Step 4"
FEW_OUTCOMES = (2, 3, 4)


def uniform_jacobian(K: int) -> NDArray:
    """grad mu(0) = (I - 11^T/K)/K."""
    return (unit_matrix(K) - mean_projection(K)) / K


def one_round(K: int, ridge: int) -> NDArray:
    """Wbar after one round of theta = 0, x = 1, d = 1."""
    return uniform_jacobian(K) + K * mean_projection(K) + ridge * unit_matrix(K)


def ordered(cases: Sequence[tuple[str, NDArray, NDArray]], what: str) -> Finding:
    """Whether L <= R in the Loewner order for all (name, L, R), by $LDL^T$ in fractions."""
    for name, left, right in cases:
        v = loewner(left.tolist(), right.tolist())
        if v is not None:
            short = [1, -1, *[0] * (len(v) - 2)]
            v = short if square_form(short, left) > square_form(short, right) else v
            low, high = square_form(v, left), square_form(v, right)
            text = f"{name}, v = ({', '.join(map(str, v))}): v^T L v = {low} > {high} = v^T R v"
            ratio = float(low / high) if high else float("inf")
            return finding.exactly(False, f"{what}; in exact arithmetic, with fractions", text, ratio=ratio)
    return finding.exactly(True, f"{what}: LDL^T in fractions")


def wbar_by_rounds(ridge: Number, summands: Sequence[Number]) -> Number:
    """An entry of Wbar_{t+1} by Algorithm 2, one round after another."""
    total = ridge
    for summand in summands:
        total = total + summand
    return total


def wbar_as_sum(ridge: Number, summands: Sequence[Number], lag: int) -> Number:
    """The same as the sum over s <= t - lag."""
    return ridge + sum(summands[: len(summands) - lag])


def ends_alike(lag: int = 0) -> bool:
    """Both, for 1 to 5 rounds with unknown summands."""
    ridge, *rounds = unknowns("l", "s1", "s2", "s3", "s4", "s5")
    return all(wbar_by_rounds(ridge, rounds[:t]) == wbar_as_sum(ridge, rounds[:t], lag) for t in range(1, len(rounds) + 1))


def last_summand(effort: Effort, lag: int = 1) -> Finding:
    """The index at which the sum in Wbar_{t+1} ends."""
    del effort
    seen, printed = (wbar(288, [Fraction(5, 4)], *end) for wbar, end in ((wbar_by_rounds, ()), (wbar_as_sum, (lag,))))
    text = f"K = 2, d = 1, theta = 0, x = 1, lambda = 288, t = 1: entry (1, 1) is {seen}, printed {printed}"
    return finding.exactly(ends_alike(lag), "t = 1..5 with unknown summands, exactly", text)


C150 = claim(
    "C150",
    Statement(
        place=f"{STEP_FOUR}, first display",
        lines=(1015, 1019),
        kind="step",
        prints=r"$\bar W_{t+1} = \sum_{s=1}^{t-1} \nabla\mu(\theta_{s+1} x_s) \otimes x_s x_s^\top + \sum_{s=1}^{t-1} 1_K 1_K^\top \otimes x_s x_s^\top + \lambda I_{Kd}$.",
        hypotheses=r"Algorithm 2, with $\tau = 0$ as in this proof.",
        quantifiers=r"for all $t \ge 1$",
    ),
    Correction(
        "misprint",
        last_summand,
        Identities(ends_alike, "t = 1..5 with unknown summands; from t to t + 1 one summand is added to both"),
        r"misprint: $\bar W_t$ on the left (or $s \le t$ on the right), as the lines after it use it. The order that the display goes on with is true: $\nabla\mu \succcurlyeq 0$",
    ),
    domain=r"printed: $K = 2$, $d = 1$, $\theta = 0$, $x = 1$, $\lambda = 288$, $t = 1$; corrected: any summands, $t = 1, \dots, 5$, and each further round alike",
    planted={"lag": 0, "mended_lag": 1},
    module=__name__,
)


def similar_units(effort: Effort, unit: Callable[[int], NDArray] = first_unit) -> Finding:
    """`unit`, e_11, and 11^T/K, each against the other."""
    note = (
        r"two projections with different ranges: neither inequality holds, nor $e_{11} \preccurlyeq c 1 1^\top$ for any $c$, for any $K \ge 2$; "
        r"they are similar (same eigenvalues), which gives no order between sums of them. If $e_{11}$ is to be the projection on "
        r"the line of $1$, all three are equal, and it is the next step that fails (C152b). For Theorem 1 itself see C156"
    )
    pairs = [(K, unit(K), mean_projection(K)) for K in FEW_OUTCOMES]
    below = ordered([(f"K = {K}, L = e_11, R = 11^T/K", one, other) for K, one, other in pairs], "e_11 <= 11^T/K")
    above = ordered([(f"K = {K}, L = 11^T/K, R = e_11", other, one) for K, one, other in pairs], "11^T/K <= e_11")
    texts = "; ".join(filter(None, (below.counterexample, above.counterexample)))
    return finding.exactly(not texts, f"in exact arithmetic, with fractions; {note}", texts)


C151 = claim(
    "C151",
    Statement(
        place=f"{STEP_FOUR}, second display",
        lines=(1020, 1023),
        kind="step",
        prints=r"$e_{11} \preccurlyeq \tfrac{1_K 1_K^\top}{K} \preccurlyeq e_{11}$ in the Loewner order.",
        hypotheses=r"$e_{11} \in \mathbb{R}^{K \times K}$, $K \ge 2$.",
        reading=r"$e_{11}$, which is not defined, is $e_1 e_1^\top$, as $e_{kk}$ in the displays after it, where $\sum_k e_{kk} = I_K$. As the projection on the line of $1$ it would make the display true and the next one false (C152b).",
    ),
    similar_units,
    domain=r"$K = 2, 3, 4$, exactly; for any $K \ge 2$ with $v = (1, -1, 0, \dots)$ and $(1, \dots, 1)$",
    planted={"unit": mean_projection},
    module=__name__,
)


def rounds_below(effort: Effort, weight: Fraction | int = 1) -> Finding:
    """sum w I (x) x x^T + lambda I <= Wbar after one round, `weight` for w; else K e_11 for w I as well."""
    del effort
    third = ordered(
        [
            (f"K = {K}, L = K e_11 + lambda I, R = Wbar", K * first_unit(K) + unit_matrix(K), one_round(K, 1))
            for K in FEW_OUTCOMES
        ],
        "K sum e_11 (x) x x^T + lambda I <= Wbar",
    )
    found = weighted_rounds(lambda K: weight)
    return replace(found, evidence=f"{found.evidence}; third display: {third.counterexample}")


def weighted_rounds(weight: Callable[[int], Fraction | int]) -> Finding:
    """The same order for a weight of every K."""
    cases = [
        (f"K = {K}, L = {weight(K)} I + lambda I, R = Wbar", (weight(K) + 1) * unit_matrix(K), one_round(K, 1))
        for K in FEW_OUTCOMES
    ]
    return ordered(cases, "sum w I (x) x x^T + lambda I <= Wbar")


def rounds_above(effort: Effort, multiple: Fraction | int = 1) -> Finding:
    """The same with `multiple`/kappa, kappa = K at theta = 0, and in general."""
    del effort
    identity = finding.exactly(
        all(split_by_mean(K) for K in FEW_OUTCOMES),
        r"for any $G = \nabla\mu(\theta x)$ $G + 1 1^\top - I/\kappa = (G - (I - P)/\kappa) + (K - 1/\kappa) P$, $P = 1 1^\top/K$, with unknown "
        r"entries, and for every $K$ as $I = (I - P) + P$; both terms are positive semidefinite, by what $\kappa$ is and as $1/\kappa \le 1$, and so is each $\otimes x x^\top$",
        "the identity",
    )
    return finding.all_of(weighted_rounds(lambda K: multiple * Fraction(1, K)), identity)


C152 = claim(
    "C152",
    Statement(
        place=f"{STEP_FOUR}, third and fourth display",
        lines=(1024, 1034),
        kind="step",
        prints=r"$\bar W_{t+1} \succcurlyeq K \sum e_{11} \otimes x_s x_s^\top + \lambda I$, and 'equivalently' $\bar W_{t+1} \succcurlyeq \sum I_K \otimes x_s x_s^\top + \lambda I$.",
        reading=r"$\bar W_t$ for $\bar W_{t+1}$, as C150 has it, so that both sides have the same rounds.",
    ),
    Correction(
        "rate",
        rounds_below,
        rounds_above,
        r"$\tfrac{1}{\kappa} I_K$ for $I_K$, as for $U_t$ in Step 2 (and with its factor, C146): on $1^\perp$ a round adds no more than its curvature, at most $1/2$, to $\bar W$. This would put $\kappa$ into $Q_T$; C154 and C154b have bounds without it",
    ),
    domain=r"printed: $K = 2, 3, 4$, $d = 1$, one round, $\theta = 0$, $x = 1$, $\lambda = 1$, exactly; corrected, all $K$, $I_K/\kappa$ for $I_K$: all $\theta_{s+1}$ with $\lambda_{K-1}(\nabla\mu(\theta_{s+1} x_s)) \ge 1/\kappa$, all $x_s$, $d$, $\lambda$ and numbers of rounds",
    planted={"weight": Fraction(1, 4), "mended_multiple": 2},
    module=__name__,
)


def units_up_to(K: int, kept: int) -> NDArray:
    """sum_{k <= kept} e_kk."""
    return square_of(K, lambda i, j: i == j < kept)


def sum_of_units(effort: Effort, kept: int = 1) -> Finding:
    """I_K <= K e_11; with `kept` of the e_kk in place of e_11."""
    note = r"traces agree, but the order does not follow; it would if C151 held for every $e_{kk}$: one slip and not two"
    cases = [(f"K = {K}, L = I, R = K e_11", unit_matrix(K), K * units_up_to(K, kept)) for K in FEW_OUTCOMES]
    return ordered(cases, f"I <= K e_11; {note}")


C152b = claim(
    "C152b",
    Statement(
        place=f"{STEP_FOUR}, 'which is equivalent to'",
        lines=(1030, 1034),
        kind="step",
        prints=r"$\bar W_{t+1} \succcurlyeq K \sum (e_{11} \otimes x_s)(e_{11} \otimes x_s)^\top + \lambda I$ 'is equivalent to' $\bar W_{t+1} \succcurlyeq \sum_s \sum_k (e_{kk} \otimes x_s)(e_{kk} \otimes x_s)^\top + \lambda I$.",
        reading=r"As lower bounds $K e_{11} \otimes x x^\top$ and $\sum_k e_{kk} \otimes x x^\top$ are equivalent: $K e_{11} \succcurlyeq I_K$.",
    ),
    sum_of_units,
    domain=r"$K = 2, 3, 4$, exactly; for any $K \ge 2$ with $v = (0, 1, 0, \dots)$",
    planted={"kept": max(FEW_OUTCOMES)},
    module=__name__,
)

"""Appendix F.2: the proof of Lemma 2."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import Quotient, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, not_testable
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort, column, vectors_box


def citation_gap(m: Arithmetic, ridge: int, square: int = 6) -> Number:
    r"""Largest difference of $\eta$, $\lambda/(K d)$ and the factor of $\sigma_t$ from Lemma 2's, relative, at $\alpha = 1/\sqrt{\mathrm{square}}$."""
    alpha = 1 / m.sqrt(square)
    eta = (1 + m.sqrt(6) * alpha) / 2
    return m.maximum(abs(eta - 1), abs(ridge * eta - 144) / 144, abs(2 * alpha - 2 / m.sqrt(6)) * m.sqrt(6) / 2)


CITED = Equality(
    citation_gap,
    cases=[{"ridge": 144}],
    note=r"with $\eta = (1 + \sqrt 6 \alpha)/2$, $\lambda = 144 \eta K d$ and $2 \alpha$ in $\sigma_t$ the lemma's constants fit $\alpha = 1/\sqrt 6$",
)


def cited_theorem(effort: Effort, square: int = 6) -> Finding:
    """Whether the lemma's constants fit one pattern, read off them and Theorem 3's; if they do, no more can be said."""
    found = CITED(effort, square=square)
    if found.verdict in FALSE:
        return found
    return not_testable(
        rf"Theorem 4.2 of Lee and Oh is not restated in the paper. {found.evidence}; but that pattern is read off Theorem 3's $\eta^w$ and $\lambda^w$ at $\alpha = S$ and off the lemma itself, so that it fits says nothing. The usual proof of such a theorem needs $\eta \ge 1.2014$ here (C138b), and C135 has one with $\eta = 5/4$"
    )


C138 = claim(
    "C138",
    Statement(
        place="Appendix F.2, proof of Lemma 2 (Theorem 4.2 of Lee and Oh with alpha = 1/sqrt(6))",
        lines=(930, 934),
        kind="step",
        prints=r"By Lemma 1, we can apply Theorem 4.2 of Lee et al. with $\alpha = 1/\sqrt 6$ [...].",
        reading=r"The cited theorem has the lemma's $\eta = 1$, $\lambda = 144 K d$ and $\sigma_t$ there. What is to follow from it is Lemma 2, which is C135.",
    ),
    cited_theorem,
    domain=r"none: the cited theorem is not restated in the paper",
    planted={"square": 2},
    unproved=r"no verdict: the cited theorem is not restated in the paper.",
    module=__name__,
)


def ones_part(m: Arithmetic, K: int, d: int, projected: int = 1, **point: Number) -> Number:
    r"""$\lVert \delta \rVert^2_{1 1^\top \otimes x x^\top}$ over its value without cancellation; $\delta$ has the entries $e$, centred if `projected`."""
    entries, x = column(point, "e"), column(point, "x")
    rows = rows_of(centred_columns(entries, d) if projected else entries, d)
    size = sum(abs(a) * abs(b) for row in rows_of(entries, d) for a, b in zip(row, x, strict=True))
    return (sum(dot(row, x) for row in rows) / size) ** 2 if size > 0 else 0 * size


def shift_box(K: int, d: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `ones_part`."""
    return vectors_box(e=(K * d, 1.0), x=(d, 1.0))


def norms_agree(projected: int = 1) -> bool:
    """Whether 1^T delta x = 0: a column of Pi E sums to total - K (total/K), whatever K; and for K <= 4 and d <= 3 by entries."""
    total, size = unknowns("total", "size")
    column_sum = total - projected * size * (total / size)
    return column_sum == 0 and all(blind_to_ones(K, d, projected) for K in (2, 3, 4) for d in (1, 2, 3))


def blind_to_ones(K: int, d: int, projected: int) -> bool:
    """Whether 1^T delta x = 0 for unknown x and delta (K, d)."""
    names = [f"e{i}" for i in range(K * d)], [f"x{i}" for i in range(d)]
    found = unknowns(*names[0], *names[1])
    entries, x = found[: K * d], found[K * d :]
    rows: list[list[Quotient]] = rows_of(centred_columns(entries, d) if projected else entries, d)
    return sum(dot(row, x) for row in rows) == 0


C135b = claim(
    "C135b",
    Statement(
        place="Appendix F.2, proof of Lemma 2",
        lines=(935, 943),
        kind="step",
        prints=r"$\sum_{s=1}^t \lVert (\theta_{t+1} - \theta_*) x_s \rVert_{1_K 1_K^\top} = 0$, and $\lVert \theta_{t+1} - \theta_* \rVert_{\bar W_{t+1}} = \lVert \theta_{t+1} - \theta_* \rVert_{W_{t+1}}$.",
        hypotheses=r"$\theta_*, \theta_{t+1} \in \Pi \mathbb R^{K \times d}$",
        labels=("appendix:proof confidence set learning",),
    ),
    Equality(
        ones_part,
        shift_box,
        [{"K": 4, "d": 3}, {"K": 2, "d": 1}],
        proof=Exactly(
            norms_agree,
            r"$1^\top \delta x = \sum_j x_j \sum_k \delta_{kj} = 0$, as the columns of $\Pi E$ sum to 0, any $K$ and $d$; $\lVert \delta \rVert^2_{\bar W} - \lVert \delta \rVert^2_W$ is a sum of its squares",
        ),
    ),
    domain=r"any $K$, $d$, $x$ and differences $\delta \in \Pi \mathbb R^{K \times d}$, as unknowns; searched: $(K, d) = (4, 3), (2, 1)$",
    planted={"projected": 0},
    module=__name__,
)


def both_events(m: Arithmetic, delta: Number, multiple: int = 2) -> Number:
    r"""$1 - 2\delta$ over $(1 - \delta)^2$; 2 is `multiple`."""
    return (1 - multiple * delta) / (1 - delta) ** 2


def probabilities_add(multiple: int = 2) -> bool:
    """Whether (1 - delta)^2 - (1 - multiple delta) = delta^2 + (multiple - 2) delta, which is no less than 0 if multiple >= 2."""
    (delta,) = unknowns("delta")
    return (1 - delta) ** 2 - (1 - multiple * delta) == delta**2 + (multiple - 2) * delta and multiple >= 2


C137 = claim(
    "C137",
    Statement(
        place="Appendix F.2, the last display of the proof of Lemma 2",
        lines=(938, 941),
        kind="step",
        prints=r"And we conclude that with probability $1 - 2\delta$ $\lVert \theta_{t+1} - \theta_* \rVert_{\bar W_{t+1}} = \lVert \theta_{t+1} - \theta_* \rVert_{W_{t+1}} \le \sigma_t(\delta)$.",
        hypotheses=r"Lemma 1 with probability $1 - \delta$; given its event, the set of Lemma 2 with probability $1 - \delta$",
        reading=r"Lemma 2 has $1 - \delta$, its proof $1 - 2 \delta$: the first is given the event of Lemma 1, the second is not, $(1 - \delta)^2 \ge 1 - 2\delta$.",
    ),
    Inequality(
        both_events,
        {"delta": (0.001, 0.999)},
        note=r"$1 - \delta$ is conditional on Lemma 1 ('let us assume'), the $1 - 2\delta$ of the proof is not; without the condition $1 - \delta$ would not follow: $\delta = 1/2$ gives $1/4$",
        proof=Exactly(probabilities_add, r"the difference is $\delta^2$"),
    ),
    domain=r"all $\delta \in (0, 1]$; searched: $[0.001, 0.999]$",
    planted={"multiple": 1},
    module=__name__,
)

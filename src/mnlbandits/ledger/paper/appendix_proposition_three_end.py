"""Appendix F.1: the proof of Proposition 3, Steps 2 and 3, and its beta."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE
from mnlbandits.ledger.formulas.frameworks import unknown_vectors
from mnlbandits.ledger.formulas.information import PAIRS, event_is_narrow, on_event, pair_box, pair_of
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, square_form
from mnlbandits.ledger.formulas.radii import GAMMA, ROOT, beta_root
from mnlbandits.ledger.formulas.vectors import dot

DISTANCE_FACTOR = 21
"""1 + gamma/lambda_0 + sqrt(gamma/lambda_0) at gamma = 16 lambda_0."""


def distance_over_beta(
    m: Arithmetic, K: int, d: int, arms: int, factor: int = DISTANCE_FACTOR, gamma: int = GAMMA, **point: Number
) -> Number:
    """||theta_* - hat theta||_H^2 over factor^2 gamma, on the event."""
    pair = pair_of(m, K, d, arms, **point)
    return square_form(pair.delta, pair.h) / (factor**2 * gamma) * on_event(m, pair, gamma)


def beta_by_half(factor: int = DISTANCE_FACTOR, gamma: int = GAMMA) -> bool:
    """Whether two thirds of the factor, whose square is below a half, are enough on the event."""
    return event_is_narrow(Fraction(2 * factor, 3), gamma)


C117 = claim(
    "C117",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 2",
        lines=(886, 893),
        kind="step",
        prints=r"$\|\theta_* - \hat\theta_{t+1}\|^2_{H_t(\theta_*)} \le (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}})^2 \gamma_t(\delta)$.",
        hypotheses=r"the event $E_\delta$",
        reading=r"the right side is $21^2 \cdot 16 \lambda_0 = 84^2 \lambda_0$",
    ),
    Inequality(
        distance_over_beta,
        pair_box,
        cases=PAIRS,
        share=0.04,
        loose=True,
        note=r"in searches up to $22 \sqrt{\lambda_0}$ for $84 \sqrt{\lambda_0}$",
        proof=Exactly(
            beta_by_half,
            r"$\|\cdot\|^2_H \le f \|\cdot\|^2_G$ with $f \le 9.9$ (C116), and $\|\theta_* - \hat\theta\|^2_G = \|g - g\|^2_{G^{-1}} \le f \|g - g\|^2_{H^{-1}}$, so $\|\theta_* - \hat\theta\|^2_H \le f^2 \gamma$, less than half the right side: for every $K$, $d$, $\lambda_0$ and sequence of arms; likewise with $1 + \gamma/\lambda_0 + \sqrt{\gamma/\lambda_0}$ for every $\gamma$ (C112)",
            bound=LOOSE,
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$ and sequence of arms, on the event (searched: as C114)",
    planted={"factor": 4},
    module=__name__,
)


def ones_vanish(K: int = 4, d: int = 3, projected: bool = True) -> bool:
    """1^T Pi theta x of unknown entries is 0, and (v^T 1)^2 is what 11^T adds to a square form."""
    theta, x = unknown_vectors(t=K * d, x=d)
    rows = rows_of(centred_columns(theta, d) if projected else theta, d)
    return sum(dot(row, x) for row in rows) == 0


def columns_vanish(projected: bool = True) -> bool:
    """For every K: the entries of a column add up to `total`, of which Pi takes total/K off each of K."""
    total, K = unknowns("total", "K")
    return total - int(projected) * K * (total / K) == 0


C118 = claim(
    "C118",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 3",
        lines=(898, 901),
        kind="step",
        prints=r"$\sum_{s=1}^t \|(\theta_* - \hat\theta_{t+1}) x_s\|^2_{1_K 1_K^\top} = 0$ and $\|\theta_* - \hat\theta_{t+1}\|^2_{\bar H_t(\theta_*)} = \|\theta_* - \hat\theta_{t+1}\|^2_{H_t(\theta_*)}$.",
        hypotheses=r"$\theta_*, \hat\theta_{t+1} \in \Pi \mathbb R^{K \times d}$",
    ),
    All(
        (
            Identities(
                columns_vanish,
                r"the sum of a column of $\Pi\theta$ is 0, so $1^\top (\theta_* - \hat\theta) x_s = 0$ for every $x_s$",
            ),
            Identities(
                ones_vanish,
                r"$1^\top \theta x$ of unknown $\theta \in \Pi \mathbb R^{K \times d}$ and $x$",
                ({"K": 2, "d": 1}, {"K": 4, "d": 3}),
            ),
        )
    ),
    domain=r"every $K$, $d$, $\theta_*, \hat\theta \in \Pi \mathbb R^{K \times d}$ and $x$, column by column; directly in unknown entries for $(K, d) = (2, 1), (4, 3)$",
    planted={"projected": False},
    module=__name__,
)


def radius_difference(m: Arithmetic, gamma: int = GAMMA, root: int = ROOT) -> Number:
    """beta/lambda_0 at gamma/lambda_0 against the square of the radius in Algorithm 1, relative."""
    return abs(beta_root(m.sqrt(m.number(gamma))) ** 2 / root**2 - 1)


def radius_exactly(gamma: int = GAMMA, root: int = ROOT) -> bool:
    """The same in integers: the root of gamma is 4."""
    return beta_root(4) == root and gamma == 4**2


C119 = claim(
    "C119",
    Statement(
        place=r"Proposition 3, $\beta$; Algorithm 1, output",
        lines=(842, 842),
        kind="step",
        prints=r"$\beta_t(\delta) = 84^2 \lambda_0$, the squared radius of $\Theta$ in Algorithm 1.",
        hypotheses=r"$\beta_t$ as Proposition 3 defines it, $\gamma_t(\delta) = 16 \lambda_0$",
        reading=r"Ours: the source has the definition and the radius, and does not say that they agree",
    ),
    Equality(
        radius_difference,
        cases=({"gamma": GAMMA},),
        proof=Exactly(radius_exactly, r"$(1 + 16 + 4)^2 \cdot 16 = 7056 = 84^2$"),
    ),
    domain=r"integers",
    planted={"root": 85},
    ours=True,
    module=__name__,
)

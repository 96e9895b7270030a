"""Section 2, problem-dependent constants: the spectrum of grad mu, and the left side of Eq. (3)."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.frameworks import inverse_curvature, law_of, second_at_least_smallest
from mnlbandits.ledger.formulas.softmax import softmax, softmax_jacobian
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

SIZES_SPECTRUM = [{"K": K} for K in (2, 3, 5)]

# The kernel and the second eigenvalue


def kernel_share(m: Arithmetic, K: int, tilt: int = 0, **point: Number) -> Number:
    r"""Largest entry of $\nabla\mu(z) 1$ over the trace of $\nabla\mu(z)$; `tilt` bends the vector of ones."""
    jacobian = softmax_jacobian(m, column(point, "z"))
    image = jacobian @ m.array([1 + tilt * k for k in range(K)])
    return m.maximum(*(abs(entry) for entry in image.tolist())) / sum(jacobian[k, k] for k in range(K))


def kernel_exactly(tilt: int = 0) -> bool:
    """(diag(mu) - mu mu^T) 1 = 0, row by row: mu_i (1 - mu_i) - mu_i times the sum of the others; `tilt` as at K = 2."""
    weight, rest = unknowns("e", "s")
    p, others = law_of([weight, rest])
    return p * (1 - p) - p * others * (1 + tilt) == 0


def smallest_share(m: Arithmetic, K: int, **point: Number) -> Number:
    r"""$\min_k \mu_k$ over $\lambda_{K-1}(\nabla\mu(z))$."""
    z = column(point, "z")
    return m.minimum(*softmax(m, z)) * inverse_curvature(m, z)


def spectrum_box(K: int) -> Box:
    """Logits."""
    return vectors_box(z=(K, 10.0))


SECOND_WORDS = r"for $u \perp 1$, $c = \mu^\top u$ and $p = \min_k \mu_k$, $u^\top \nabla\mu\, u = \sum_k (\mu_k - p)(u_k - c)^2 + p(\lVert u \rVert^2 + K c^2) \ge p \lVert u \rVert^2$"
KERNEL = Equality(
    kernel_share,
    spectrum_box,
    SIZES_SPECTRUM,
    note=r"of $|\nabla\mu\, 1|$ to the trace",
    proof=Exactly(
        kernel_exactly, r"$\nabla\mu\, 1 = 0$ row by row, as rational functions of $e^{z_i}$ and of the sum of the others"
    ),
)
SECOND_POSITIVE = Inequality(
    smallest_share,
    spectrum_box,
    SIZES_SPECTRUM,
    note=r"$\min_k \mu_k > 0$ over the second smallest",
    proof=Exactly(second_at_least_smallest, SECOND_WORDS),
)


def spectrum(effort: Effort, tilt: int = 0) -> Finding:
    """0 with eigenvector 1, and the others at least min_k mu_k."""
    return all_of(KERNEL(effort, tilt=tilt), SECOND_POSITIVE(effort))


C019 = claim(
    "C019",
    Statement(
        place="Section 2, problem-dependent constants",
        lines=(297, 297),
        kind="text",
        prints=r"$\kappa$ is defined as the inverse of the second smallest eigenvalue of the gradient, since the smallest eigenvalue is 0 and corresponds to the eigenvector $1_K$ composed of ones.",
        reading="And the second smallest is positive.",
    ),
    spectrum,
    domain=r"every $K$ and $z$; searched at $K = 2, 3, 5$, $z \in [-10, 10]^K$",
    planted={"tilt": 1},
    module=__name__,
)


# Eq. (3), left


def kappa_bound(m: Arithmetic, K: int, r: Number, rate: int = 2, power: int = 1, **point: Number) -> Number:
    r"""$e^{-2r}/K$ over $\lambda_{K-1}(\nabla\mu(r z))$, $|z_k| \le 1$, r = SX."""
    curved = inverse_curvature(m, [r * entry for entry in column(point, "z")])
    return m.exp(-rate * r) / K**power * curved


def kappa_bound_exactly(rate: int = 2, power: int = 1) -> bool:
    """lambda_{K-1} >= min_k mu_k, whose inverse is a sum of K = 1 + more terms exp(r (z_j - z_k)), z_j = 1 - a, z_k = -1 + b."""
    a, b, more = unknowns("a", "b", "more")
    terms = nonnegative((1 + more) ** power - (1 + more))
    return terms and second_at_least_smallest() and nonnegative(rate - ((1 - a) - (b - 1)))


C020 = claim(
    "C020",
    Statement(
        place="Section 2, Eq. (3), left; Appendix B.1, lemma (right)",
        lines=(298, 300),
        kind="equation",
        prints=r"$\frac{\exp(-2SX)}{K} \le \min_{\lVert\theta\rVert_2 \le S} \min_{x\in\mathcal{X}} \lambda_{K-1}(\nabla\mu(\theta x))$.",
        hypotheses=r"$X := \max_{x\in\mathcal{X}} \lVert x \rVert_2$",
        reading=r"Used of the norm: $|[\theta x]_k| \le SX$ for all $k$, which holds for the Frobenius, spectral and row norms; that is $\kappa \le K e^{2SX}$.",
        labels=("eq:kappa bounds",),
    ),
    Inequality(
        kappa_bound,
        lambda K: {"r": (0.001, 30.0), **vectors_box(z=(K, 1.0))},
        SIZES_SPECTRUM,
        note=r"equality at $SX = 0$; for large $SX$ within a factor 4 if every row has norm $\le S$, but for $\lVert\theta\rVert_F \le S$ (or spectral, C008) too large by $e^{(2 - \sqrt{2})SX}$, as $1 + (K - 1)e^{\sqrt{2}SX}$ is a bound too",
        proof=Exactly(
            kappa_bound_exactly, SECOND_WORDS + r"; $1/\mu_k = \sum_j e^{z_j - z_k}$, $K$ terms of at most $e^{2SX}$"
        ),
    ),
    domain=r"every $K$, all $SX$ and $|z_k| \le SX$; searched at $K = 2, 3, 5$, $SX \in [0.001, 30]$",
    planted={"rate": 1, "power": 0},
    module=__name__,
)

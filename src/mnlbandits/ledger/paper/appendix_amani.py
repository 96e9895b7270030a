"""Appendix D: the framework of Amani and Thrampoulidis, its laws and its regret."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.frameworks import (
    centring_shortens,
    law_of,
    projected,
    reference_law,
    shift_keeps_law,
    unknown_vectors,
)
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax, softmax_jacobian
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

SIZES_AMANI = [{"K": K} for K in (2, 3, 5)]


def box_below(K: int) -> Box:
    """Logits of all outcomes but the last, whose logit is 0."""
    return vectors_box(z=(K - 1, 5.0))


# Equivalence


def frameworks_equivalent(scale: int = 1) -> bool:
    """theta - 1 theta_K^T and rho - rho_K 1: the law, the difference of two means and the variance of the reward stay.

    Of three outcomes, the last and two others; laws p and q of unknown weights, the rewards moved by `scale` rho_K.
    """
    e, f, rewards = unknown_vectors(e=3, f=3, r=3)
    p, q = law_of(e), law_of(f)
    referred = [entry / e[-1] for entry in e[:-1]]
    moved = [entry - scale * rewards[-1] for entry in rewards]
    last = moved[-1] == rewards[-1] * 0
    change = [a - b for a, b in zip(p, q, strict=True)]
    regret = dot(rewards, change) == dot(moved, change)
    law = all(a == b for a, b in zip(reference_law(referred), p, strict=True))
    return law and last and regret and variance(p, moved) == variance(p, rewards)


C053b = claim(
    "C053b",
    Statement(
        place="Appendix D, first paragraph",
        lines=(768, 777),
        kind="text",
        prints=r"Amani and Thrampoulidis also consider a MNL bandit framework, which is equivalent but defined slightly differently from ours: [...] $\tilde\theta_*$ is defined with its last row equal to zero. [...] $\tilde\rho$ is also defined but with its last element equal to zero.",
        reading=r"Equivalent: the same laws and the same regret of every sequence of actions, $\tilde\theta = \theta - 1 [\theta]_K^\top$ and $\tilde\rho = \rho - \rho_K 1$, $\rho_K$ the least reward; these lines name no bound on the norms. At equal $S$ ours has more laws (C018), and $R$ and $\kappa_*$ change, but not $R^2/\kappa_*$.",
    ),
    Identities(
        frameworks_equivalent,
        r"as rational functions of $e^{z_k}$ and $\rho$, three outcomes, of which one is the last; the regret of a round and the variance $R^2/\kappa_*$ have monomials in two outcomes of one law",
    ),
    domain=r"every $K$, all $\theta$, $\rho$ and actions; decided at $K = 3$",
    planted={"scale": 2},
    module=__name__,
)


# The law with a reference outcome


def reference_law_gap(m: Arithmetic, K: int, base: int = 1, **point: Number) -> Number:
    r"""Largest difference of the printed law to $\mu(z, 0)$."""
    z = column(point, "z")
    printed = reference_law([m.exp(entry) for entry in z], base)
    return m.maximum(*(abs(a - b) for a, b in zip(printed, softmax(m, [*z, 0 * z[0]]), strict=True)))


def reference_law_exactly(base: int = 1) -> bool:
    """The printed law is that of the weights (e, 1); the weights other than e_i together are one."""
    (weights,) = unknown_vectors(e=2)
    return reference_law(weights, base) == law_of([*weights, 1])


def definite_share(m: Arithmetic, K: int, **point: Number) -> Number:
    r"""$\mu_K \min_{k<K} \mu_k$ over $\lambda_{\min}(\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top)$."""
    z = [*column(point, "z"), m.number(0)]
    p = softmax(m, z)
    return p[-1] * m.minimum(*p[:-1]) / m.eigenvalues(softmax_jacobian(m, z)[:-1, :-1])[0]


def definite_exactly() -> bool:
    """v^T (diag(mu~) - mu~ mu~^T) v = mu_K sum_k mu_k v_k^2 + sum_{i<j} mu_i mu_j (v_i - v_j)^2, all indices below K.

    Times (sum_k e_k)^2 each monomial in e and v holds at most 4 indices below K: decided at K = 5, it is true for every K.
    """
    for K in (2, 3, 4, 5):
        weights, v = unknown_vectors(e=K, v=K - 1)
        *p, last = law_of(weights)
        form = RATIONALS.array(v) @ jacobian_of(RATIONALS, [*p, last])[:-1, :-1] @ RATIONALS.array(v)
        pairs = sum(p[i] * p[j] * (v[i] - v[j]) ** 2 for j in range(K - 1) for i in range(j))
        if form != last * dot(p, [entry**2 for entry in v]) + pairs:
            return False
    return True


LAW_OF_REFERENCE = Equality(
    reference_law_gap,
    box_below,
    SIZES_AMANI,
    proof=Exactly(reference_law_exactly, r"rational functions of $e^{z_i}$ and of the sum of the others"),
)
DEFINITE = Inequality(
    definite_share,
    box_below,
    SIZES_AMANI,
    proof=Exactly(
        definite_exactly,
        r"$v^\top(\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top)v = \mu_K \sum_{k<K} \mu_k v_k^2 + \sum_{i<j<K} \mu_i\mu_j (v_i - v_j)^2 \ge \mu_K \min_{k<K} \mu_k \lVert v \rVert^2$, decided at $K = 5$: each monomial holds at most 4 indices",
    ),
)


def reference_outcome(effort: Effort, base: int = 1) -> Finding:
    """The law as printed, and the positive definite matrix."""
    return all_of(LAW_OF_REFERENCE(effort, base=base), DEFINITE(effort))


C053 = claim(
    "C053",
    Statement(
        place="Appendix D, displays 1 and 2",
        lines=(769, 781),
        kind="equation",
        prints=r"$\mathbb{P}[y_t = i \mid x_t] = e^{z_i}/(1 + \sum_{k=1}^{K-1} e^{z_k})$ if $i < K$, and $1/(1 + \sum_{k=1}^{K-1} e^{z_k})$ if $i = K$, where $z = \tilde\theta_* x_t$. Contrary to our case, the fact that $\tilde\mu$ is not a probability ensures that its minimum eigenvalue is well-defined.",
        hypotheses=r"$[\tilde\theta_*]_K = 0_d$; $\tilde\mu$ is the law without its last entry",
        reading=r"Its: of $\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top$. Well-defined: positive, so that $\tilde\kappa$ is finite; here $\lambda_{\min} \ge \mu_K \min_{k<K} \mu_k$.",
    ),
    reference_outcome,
    domain=r"every $K$ and $z \in \mathbb{R}^{K-1}$; searched at $K = 2, 3, 5$, $z \in [-5, 5]^{K-1}$",
    planted={"base": 2},
    module=__name__,
)


# The regret, and the inclusion


def regret_identity(K: int, subtracted: int = 1) -> bool:
    """rho^T (p - q) against the printed sum, of laws p, q whose last entry is 1 minus the others."""
    p, q, rewards = unknown_vectors(p=K - 1, q=K - 1, r=K)
    best, other = ([*law, 1 - sum(law)] for law in (p, q))
    changes = [a - b for a, b in zip(best, other, strict=True)]
    printed = sum((rewards[k] - subtracted * rewards[-1]) * changes[k] for k in range(K - 1))
    return dot(rewards, changes) == printed


C054 = claim(
    "C054",
    Statement(
        place="Appendix D, last display",
        lines=(787, 794),
        kind="equation",
        prints=r"$\mathrm{Reg}_T = \sum_{t=1}^T \sum_{k=1}^{K-1} (\rho_k - \rho_K)(\mu(\theta_* x_*)_k - \mu(\theta_* x_t)_k)$.",
        hypotheses=r"$\min_k \rho_k = \rho_K$, so that the rewards $\rho_k - \rho_K$ are $\ge 0$",
        quantifiers=r"for all $\theta_*$, $\rho$ and actions",
    ),
    Identities(
        regret_identity,
        r"polynomials in two laws and $\rho$, one round, each monomial with two indices; the regret is a sum of them",
        [{"K": K} for K in range(2, 7)],
    ),
    domain=r"every $K$, all laws and rewards; decided at $K = 2, \dots, 6$",
    planted={"subtracted": 0},
    module=__name__,
)


def included_gap(m: Arithmetic, K: int, uneven: int = 0, **point: Number) -> Number:
    r"""Difference of laws and of mean rewards of $z$ and $\Pi z$, and the column sum of the latter over 10."""
    z, rewards = [*column(point, "z"), m.number(0)], [*column(point, "r"), m.number(0)]
    ours = projected(z, uneven)
    p, q = softmax(m, z), softmax(m, ours)
    off = [abs(a - b) for a, b in zip(p, q, strict=True)]
    return m.maximum(*off, abs(dot(rewards, p) - dot(rewards, q)), abs(sum(ours)) / 10)


def included_exactly(uneven: int = 0) -> bool:
    """A common factor of the weights cancels, so that laws and mean rewards stay; the entries of Pi z sum to 0."""
    total, K = unknowns("total", "K")
    return shift_keeps_law(uneven) and total - K * (total / K) == 0


def included_norm(m: Arithmetic, K: int, uneven: int = 0, **point: Number) -> Number:
    r"""$\lVert \Pi z \rVert^2/\lVert z \rVert^2$ for a $z$ whose last entry is 0."""
    z = [*column(point, "z"), m.number(0)]
    ours = projected(z, uneven)
    return dot(ours, ours) / dot(z, z)


C055 = claim(
    "C055",
    Statement(
        place="Section 2; Appendix D",
        lines=(795, 795),
        kind="text",
        prints=r"For $[\theta_*]_K = 0_d$ we recover the framework of Amani and Thrampoulidis. Thus their framework is included in ours.",
        reading=r"$\theta = \Pi\tilde\theta$ has the same law and regret, rows that sum to 0, and no larger norm.",
        labels=("appendix:previous framework",),
    ),
    All(
        (
            Equality(
                included_gap,
                lambda K: {**box_below(K), **{f"r{i}": (0.0, 1.0) for i in range(K - 1)}},
                SIZES_AMANI,
                note=r"of laws, mean rewards and the column sums of $\theta$",
                proof=Exactly(
                    included_exactly,
                    r"$\mu(z + c 1) = \mu(z)$ as rational functions of $e^{z_k}$, the sum of the others and $e^c$; $1^\top \Pi z = 0$",
                ),
            ),
            Inequality(
                included_norm,
                box_below,
                SIZES_AMANI,
                note=r"conversely $\theta - 1 \theta_K^\top$ has norm up to $\sqrt{K} S$ (C018)",
                proof=Exactly(
                    centring_shortens,
                    r"$\lVert z \rVert^2 - \lVert \Pi z \rVert^2 = (\sum_k z_k)^2/K$, column by column of $\theta$ for the Frobenius norm, at $z = \theta v$ for the spectral norm",
                ),
            ),
        )
    ),
    domain=r"every $K$, all $z = \tilde\theta x$ and rewards with last entry 0; searched at $K = 2, 3, 5$, $z \in [-5, 5]^{K-1}$, rewards in $[0, 1]$",
    planted={"uneven": 1},
    module=__name__,
)

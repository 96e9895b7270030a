"""Appendix C: kappa_* and the Fisher information."""

import flint

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Identities, Statement, claim
from mnlbandits.ledger.formulas.frameworks import (
    along_logit,
    centring,
    cramer_rao,
    diagonal,
    fisher_of,
    law_of,
    pseudo_inverse,
    pseudo_inverse_exactly,
    unknown_vectors,
)
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.search import Box, column, rewards_box, vectors_box

SIZES_FISHER = [{"K": K} for K in (2, 3, 4)]


def fisher_information_exactly(K: int, sign: int = -1) -> bool:
    """The covariance of Y, its score and the gradient of Gamma, as rational functions of exp(z_k) and rho."""
    weights, rewards = unknown_vectors(e=K, r=K)
    p = law_of(weights)
    printed = diagonal(RATIONALS, p) + sign * RATIONALS.array([[a * b for b in p] for a in p])
    information = (fisher_of(RATIONALS, p) == printed).all()
    score = all(along_logit(p[y], weights, i) == p[y] * (int(y == i) - p[i]) for y in range(K) for i in range(K))
    gradient = printed @ RATIONALS.array(rewards)
    return bool(information and score and all(along_logit(dot(rewards, p), weights, i) == gradient[i] for i in range(K)))


C051 = claim(
    "C051",
    Statement(
        place="Appendix C, displays of I_l(z) and grad Gamma",
        lines=(746, 754),
        kind="equation",
        prints=r"$I_\ell(z) = \mathbb{E}[(\nabla_z \ell)(\nabla_z \ell)^\top] = \mathbb{E}[(Y - \mu(z))(Y - \mu(z))^\top] = \mathrm{diag}(\mu(z)) - \mu(z)\mu(z)^\top$ and $\nabla\Gamma(z) = (\mathrm{diag}(\mu(z)) - \mu(z)\mu(z)^\top)\rho$.",
        hypotheses=r"$Y \sim \mathrm{Categorical}(\mu(z))$ one-hot, $\ell(Y) = \sum_k Y_k \log \mu(z)_k$, $\Gamma(z) = \rho^\top \mu(z)$",
        quantifiers=r"for all $z \in \mathbb{R}^K$",
    ),
    Identities(
        fisher_information_exactly,
        r"rational functions of the weights $e^{z_k}$, on which $\partial/\partial z_k$ acts as $e^{z_k}\, \partial/\partial e^{z_k}$; two outcomes stand in an entry, and of the others only the sum of the weights and of the weighted rewards, so that $K = 4$ decides every $K$",
        SIZES_FISHER,
    ),
    domain=r"every $K$, all $z$, $\rho \in \mathbb{R}^K$; decided at $K = 2, 3, 4$",
    planted={"sign": 1},
    module=__name__,
)


def cramer_rao_gap(m: Arithmetic, K: int, power: int = 1, **point: Number) -> Number:
    r"""$|\mathrm{CRLB}(z) - \mathrm{Var}(\rho_Y)|$."""
    p, rewards = softmax(m, column(point, "z")), column(point, "r")
    return abs(cramer_rao(m, p, rewards) ** power - variance(p, rewards))


def is_pseudo_inverse(K: int) -> bool:
    """The conditions of Penrose: J J^+ = J^+ J = Pi = Pi^T, Pi J = J and Pi J^+ = J^+."""
    (weights,) = unknown_vectors(e=K)
    p = law_of(weights)
    jacobian, inverse, pi = jacobian_of(RATIONALS, p), pseudo_inverse(RATIONALS, p), centring(RATIONALS, K)
    pairs = [
        (jacobian @ inverse, pi),
        (inverse @ jacobian, pi),
        (pi, pi.T),
        (pi @ jacobian, jacobian),
        (pi @ inverse, inverse),
    ]
    return all((left == right).all() for left, right in pairs)


def only_unbiased(K: int) -> bool:
    """No f but 0 has mean 0 under the K laws proportional to (1, ..., 1) + e_i."""
    laws = flint.fmpq_mat([[flint.fmpq(1 + int(i == j), K + 1) for j in range(K)] for i in range(K)])
    return laws.det() != 0


def only_unbiased_every_size() -> bool:
    """The matrix of these laws is (I + 1 1^T)/(K + 1), with the inverse (K + 1) (I - 1 1^T/(K + 1)), for every K."""
    (K,) = unknowns("K")
    b = -1 / (K + 1)
    return 1 + b + K * b == 0


def cramer_rao_exactly(power: int = 1) -> bool:
    """The chain of equalities up to rho^T J rho, which is the variance of rho_Y, the only unbiased estimator.

    At K = 2, 3, 4 by the entries; for every K, J J^+ J = Pi J = J, and rho^T J rho is the variance, by its moments.
    """
    mean, second = unknowns("mean", "second")
    moments = second - 2 * mean * mean + mean**2 == second - mean**2
    if not (moments and pseudo_inverse_exactly() and only_unbiased_every_size()):
        return False
    for case in SIZES_FISHER:
        weights, rewards = unknown_vectors(e=case["K"], r=case["K"])
        p, rho = law_of(weights), RATIONALS.array(rewards)
        bound, form = cramer_rao(RATIONALS, p, rewards) ** power, rho @ jacobian_of(RATIONALS, p) @ rho
        equal = bound == form and form == variance(p, rewards)
        if not (equal and is_pseudo_inverse(**case) and only_unbiased(**case)):
            return False
    return True


def box_fisher(K: int) -> Box:
    """Logits and rewards."""
    return {**vectors_box(z=(K, 2.0)), **rewards_box(K)}


C052 = claim(
    "C052",
    Statement(
        place="Appendix C, Eq. cramer rao statement and chain",
        lines=(741, 763),
        kind="equation",
        prints=r"The Cramér-Rao bound states that $\mathrm{CRLB}(z) = \nabla\Gamma(z)^\top I_\ell(z)^\dagger \nabla\Gamma(z) = \rho^\top J^\top J^\dagger J \rho = \rho^\top J^\top \rho = \rho^\top J \rho$ with $J = \mathrm{diag}(\mu(z)) - \mu(z)\mu(z)^\top$.",
        hypotheses=r"$\dagger$ the Moore-Penrose pseudo-inverse, $\Gamma(z) = \rho^\top\mu(z)$",
        quantifiers=r"for all $z \in \mathbb{R}^K$, $\rho$",
        reading=r"The bound is one on the variance of the unbiased estimators of $\Gamma(z)$ from one observation.",
        labels=("eq:cramer rao statement",),
    ),
    Equality(
        cramer_rao_gap,
        box_fisher,
        [{"K": 2}, {"K": 3}],
        note=r"of the bound to the variance of $\rho_Y$, which attains it",
        proof=Exactly(
            cramer_rao_exactly,
            r"$J^\dagger = \Pi\, \mathrm{diag}(1/\mu)\, \Pi$ by the conditions of Penrose: $J\, \mathrm{diag}(1/\mu) = I - \mu 1^\top$, $1^\top \Pi = 0$ and $J \Pi = J$ give $J J^\dagger = \Pi$, and $\Pi J = J$; as rational functions of $e^{z_k}$ and $\rho$. $K$ laws whose matrix $(I + 1 1^\top)/(K + 1)$ is regular leave $\rho_Y$ as the only unbiased estimator",
        ),
    ),
    domain=r"every $K$, all $z, \rho \in \mathbb{R}^K$; decided entry by entry at $K = 2, 3, 4$, searched at $K = 2, 3$",
    planted={"power": 2},
    module=__name__,
)

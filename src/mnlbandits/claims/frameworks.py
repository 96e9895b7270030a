"""Appendices C, D and E: the Fisher information, and the two neighbouring frameworks."""

import math
from fractions import Fraction

import numpy as np

from mnlbandits.assortment.model import choice_probabilities
from mnlbandits.claims.claim import Effort, Finding, claim, equality, inequality
from mnlbandits.claims.constants import exact_equality
from mnlbandits.claims.introduction import (
    Box,
    all_of,
    column,
    first_violation,
    logits_box,
    rewards_box,
    worst_over,
)
from mnlbandits.claims.precise import eigenvalues, mp, softmax_jacobian
from mnlbandits.claims.precise import softmax as precise_softmax
from mnlbandits.claims.search import Worst, worst_of
from mnlbandits.instances.families import random_instance
from mnlbandits.instances.instance import kappa_once
from mnlbandits.model.softmax import Array, cramer_rao_bound, fisher_information, softmax
from mnlbandits.model.softmax import softmax_jacobian as softmax_jacobian_of
from mnlbandits.seeds import generator

# Appendix C


@claim(
    "C051",
    place="Appendix C, displays of I_l(z) and grad Gamma",
    kind="equation",
    statement="I_l(z) = E[(Y - mu)(Y - mu)^T] = diag(mu) - mu mu^T, the score is Y - mu, and grad (rho^T mu)(z) = "
    "(diag(mu) - mu mu^T) rho.",
    method="search",
    domain="K = 2, 3; logits in [-5, 5], rewards in [0, 1]; the expectation as a sum over outcomes, derivatives in 50 "
    "digits",
)
def fisher(effort: Effort, sign: float = -1.0) -> Finding:
    def information(k: int, **point: float) -> float:
        z = column(point, "z")
        p = softmax(z)
        formula = np.diag(p) + sign * np.outer(p, p)
        return float(np.abs(fisher_information(z) - formula).max() / np.abs(fisher_information(z)).max())

    def precise_information(point: dict[str, float]):
        p = precise_softmax(column(point, "z"))
        k = len(p)

        def entry(i: int, j: int):
            return mp.fsum(p[y] * ((y == i) - p[i]) * ((y == j) - p[j]) for y in range(k))

        pairs = [(i, j) for i in range(k) for j in range(k)]
        largest = max(abs(entry(i, j)) for i, j in pairs)
        return max(abs(entry(i, j) - (p[i] if i == j else 0) - sign * p[i] * p[j]) for i, j in pairs) / largest

    def derivatives(k: int, draw: int) -> float:
        stream = generator("claims", 0, f"fisher {k}", draw)
        z, rho = [mp.mpf(entry) for entry in stream.normal(size=k)], [mp.mpf(entry) for entry in stream.random(k)]
        p, off = precise_softmax(z), []
        gradient = softmax_jacobian(z) * mp.matrix(rho)
        for i in range(k):

            def moved(s, i=i):
                return precise_softmax([entry + (s if j == i else 0) for j, entry in enumerate(z)])

            off += [abs(mp.diff(lambda s, y=y, at=moved: mp.log(at(s)[y]), 0) - (i == y) + p[i]) for y in range(k)]
            off.append(abs(mp.diff(lambda s, at=moved: mp.fdot(rho, at(s)), 0) - gradient[i]))
        return float(max(off))

    draws = max(2, effort.runs // 20)
    expectation = equality(
        worst_over(information, lambda k: logits_box(k, 5.0), (2, 3), effort, "fisher"), precise_information
    )
    found = worst_of(Worst(derivatives(k, draw), (k, draw), f"K = {k}") for k in (2, 3) for draw in range(draws))
    return all_of(expectation, equality(found, lambda point: mp.mpf(derivatives(*point)), "of the score and of grad Gamma"))


@claim(
    "C052",
    labels=("eq:cramer rao statement",),
    place="Appendix C, Eq. cramer rao statement and chain",
    kind="equation",
    statement="CRLB(z) = grad Gamma^T I^+ grad Gamma = rho^T J^T J^+ J rho = rho^T J rho, a bound on the variance of "
    "unbiased estimators.",
    method="search",
    domain="K = 2, 3, 4; logits in [-2, 2], rewards in [0, 1]; the unbiased estimator rho_Y, and J J^+ J = J",
)
def cramer_rao_statement(effort: Effort, power: float = 1.0) -> Finding:
    def attained(k: int, **point: float) -> float:
        z, rewards = column(point, "z"), column(point, "r")
        p = softmax(z)
        variance = float(p @ (rewards - p @ rewards) ** 2)
        return cramer_rao_bound(z, rewards) ** power / variance if variance > 1e-4 else math.nan

    def precise(point: dict[str, float]):
        z, rho, k = list(column(point, "z")), mp.matrix(list(column(point, "r"))), point["K"]
        jacobian, ones, p = softmax_jacobian(z), mp.ones(k) / k, precise_softmax(z)
        gradient, mean = jacobian * rho, mp.fdot(p, rho)
        bound = (gradient.T * (mp.inverse(jacobian + ones) - ones) * gradient)[0]
        return bound**power / mp.fsum(p[i] * (rho[i] - mean) ** 2 for i in range(k))

    def inverse(k: int, **point: float) -> float:
        jacobian = softmax_jacobian_of(column(point, "z"))
        return float(
            np.abs(jacobian @ np.linalg.pinv(jacobian, rcond=1e-9, hermitian=True) @ jacobian - jacobian).max()
            / np.abs(jacobian).max()
        )

    worst = worst_over(attained, lambda k: {**logits_box(k, 2.0), **rewards_box(k)}, (2, 3), effort, "attained")
    pseudo = worst_over(inverse, lambda k: logits_box(k, 2.0), (2, 3, 4), effort, "pseudo-inverse")
    note = (
        "of the bound to the variance of rho_Y, the only unbiased estimator from one observation (the family is "
        "complete): attained"
    )
    return all_of(
        inequality(worst, precise, note, loose=False), equality(pseudo, lambda point: mp.mpf(inverse(**unnamed(point))))
    )


def unnamed(point: dict[str, float]) -> dict[str, float]:
    """The arguments of a function of K and coordinates at a point of `worst_over`."""
    return {"k": point["K"]} | {key: value for key, value in point.items() if key != "K"}


# Appendix D


def truncated(z: Array) -> Array:
    """diag(mu~) - mu~ mu~^T (K - 1, K - 1), where mu~ is mu(z) without its last entry."""
    return softmax_jacobian_of(z)[:-1, :-1]


def precise_truncated(z: Array):
    """The smallest eigenvalue of `truncated` in 50 digits."""
    return eigenvalues(softmax_jacobian(list(z))[: len(z) - 1, : len(z) - 1])[0]


@claim(
    "C053",
    place="Appendix D, displays 1 and 2",
    kind="equation",
    statement="With last row 0: P(i) = e^{z_i}/(1 + sum_{k<K} e^{z_k}), and 1/(1 + sum) for i = K; diag(mu~) - mu~ "
    "mu~^T is positive definite.",
    method="search",
    domain="K = 2, 3, 5; z in [-5, 5]^{K-1}: law of (z, 0), and lambda_min >= mu_K min_{k<K} mu_k (Gershgorin)",
)
def reference_outcome(effort: Effort, base: float = 1.0) -> Finding:
    def law(k: int, **point: float) -> float:
        weights = np.exp(column(point, "z"))
        printed = np.append(weights, 1.0) / (base + weights.sum())
        return float(np.abs(printed / softmax(np.append(column(point, "z"), 0.0)) - 1).max())

    def precise_law(point: dict[str, float]):
        total = mp.fsum(mp.exp(mp.mpf(entry)) for entry in column(point, "z"))
        return abs((1 + total) / (base + total) - 1)

    def definite(k: int, **point: float) -> float:
        z = np.append(column(point, "z"), 0.0)
        p = softmax(z)
        return float(p[-1] * p[:-1].min() / np.linalg.eigvalsh(truncated(z))[0])

    def precise_definite(point: dict[str, float]):
        p = precise_softmax([*column(point, "z"), 0.0])
        return p[-1] * min(p[:-1]) / precise_truncated(np.append(column(point, "z"), 0.0)) * (1 - mp.mpf(10) ** -30)

    def box(k: int) -> Box:
        return logits_box(k - 1, 5.0)

    sizes = (2, 3, 5)
    positive = inequality(worst_over(definite, box, sizes, effort, "definite"), precise_definite, loose=False)
    return all_of(equality(worst_over(law, box, sizes, effort, "reference"), precise_law), positive)


@claim(
    "C054",
    place="Appendix D, last display",
    kind="equation",
    statement="With rho_K = min_k rho_k, Reg_T = sum_t sum_{k<K} (rho_k - rho_K)(mu(theta_* x_*)_k - mu(theta_* "
    "x_t)_k), rewards >= 0.",
    method="exact",
    domain="K = 2..6; ten pairs of laws and integer rewards each, in fractions",
)
def regret_identity(effort: Effort, subtracted: int = 1) -> Finding:
    cases = {}
    for k in range(2, 7):
        for draw in range(10):
            stream = generator("claims", 0, f"regret {k}", draw)
            laws = [[Fraction(int(n)) for n in stream.integers(1, 10, k)] for _ in range(2)]
            best, other = ([n / sum(law) for n in law] for law in laws)
            rewards = sorted((int(n) for n in stream.integers(0, 10, k)), reverse=True)
            left = sum(r * (a - b) for r, a, b in zip(rewards, best, other, strict=True))
            right = sum((rewards[i] - subtracted * rewards[-1]) * (best[i] - other[i]) for i in range(k - 1))
            cases[f"K = {k}, rho = {rewards}"] = left, right
    return exact_equality(cases)


@claim(
    "C055",
    labels=("appendix:previous framework",),
    place="Section 2; Appendix D",
    kind="text",
    statement="The framework of Amani and Thrampoulidis is included in ours: Pi theta~ has the same law and regret, "
    "and no larger norm.",
    method="search",
    domain="K = 2, 3, 5; z in [-5, 5]^{K-1} with last entry 0, rewards in [0, 1] with last entry 0",
)
def amani_included(effort: Effort, share: float = 1.0) -> Finding:
    def embedded(point: dict[str, float]) -> tuple[Array, Array]:
        z = np.append(column(point, "z"), 0.0)
        return z, z - share * z.mean()

    def law(k: int, **point: float) -> float:
        z, ours = embedded(point)
        rewards = np.append(column(point, "r"), 0.0)
        means = [float(rewards @ softmax(logits)) for logits in (z, ours)]
        return max(float(np.abs(softmax(z) - softmax(ours)).max()), abs(means[0] - means[1]), abs(float(ours.sum())) / 10)

    def precise_law(point: dict[str, float]):
        return abs(mp.fsum(mp.mpf(entry) for entry in embedded(point)[1])) / 10

    def longer(k: int, **point: float) -> float:
        z, ours = embedded(point)
        return float(np.linalg.norm(ours) / np.linalg.norm(z))

    def precise_longer(point: dict[str, float]):
        z, ours = (mp.matrix(list(logits)) for logits in embedded(point))
        return mp.norm(ours) / mp.norm(z)

    def box(k: int) -> Box:
        return {**logits_box(k - 1, 5.0), **{f"r{i}": (0.0, 1.0) for i in range(k - 1)}}

    sizes = (2, 3, 5)
    note = "of laws, mean rewards and the column sums of theta"
    same = equality(worst_over(law, box, sizes, effort, "included"), precise_law, note)
    norms = worst_over(longer, lambda k: logits_box(k - 1, 5.0), sizes, effort, "included norm")
    return all_of(
        same,
        inequality(norms, precise_longer, "conversely theta - 1 theta_K^T has norm up to sqrt(K) S (C018)", loose=False),
    )


@claim(
    "C056",
    place="Section 2; Appendix D, kappa-tilde",
    kind="text",
    statement="kappa-tilde, from the minimum over ||theta|| <= S with last row 0, is exponentially large in S and X, and "
    "comparable to kappa, read as: within a constant factor for matched norms.",
    method="certified",
    domain="K = 2, S X = 1..30: kappa-tilde = 2 + 2 cosh(SX), certified kappa; a factor of 4 either way allowed",
)
def kappa_tilde_comparable(effort: Effort, constant: float = 4.0, matching: float = math.sqrt(2)) -> Finding:
    radii = (1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 30.0)

    def tilde(radius: float) -> float:
        return 2 + 2 * math.cosh(radius)

    def ratio(r: float):
        left, right = kappa_once(2, r).upper, tilde(matching * r)
        return max(left / right, right / left) / constant

    def precise(point: float):
        r = mp.mpf(point)
        found = (1 + mp.cosh(mp.sqrt(2) * r)) / (2 + 2 * mp.cosh(matching * r))
        return max(found, 1 / found) / constant

    growth = inequality(
        worst_of(Worst(math.exp(r) / tilde(r), r, f"S X = {r:g}") for r in radii), mp.mpf, "e^{SX} <= kappa-tilde"
    )
    note = (
        "theta = Pi theta~ has norm S/sqrt(2) at K = 2, and then kappa-tilde = 2 kappa; in general the same parameters give "
        "kappa <= kappa-tilde <= K kappa (C009). At the same S both are exponentially large, with powers of e that differ "
        "by a factor sqrt(2) at K = 2"
    )
    found = (Worst(ratio(r), r, f"K = 2, d = 1, S X = {r:g}: kappa/kappa-tilde = {constant * ratio(r):.4g}") for r in radii)
    return all_of(growth, inequality(first_violation(found), precise, note, loose=False))


# Appendix E


def odds_change(theta: Array, first: Array, second: Array) -> float:
    """Largest change of the log-odds of two outcomes from one action to another."""
    change = theta @ (first - second)
    return float(np.ptp(change))


@claim(
    "C057",
    labels=("appendix:logit bandits",),
    place="Introduction, Multinomial Logit bandits; Appendix E",
    kind="text",
    statement="The settings differ in parameterisation and feedback, and neither reduces to the other easily "
    "(if outcomes keep their names).",
    method="search",
    domain="K = 3: random MNL instances, d = 2, S = 2; Logit sets of at most 2 items and none, utilities in [-3, 3]",
)
def frameworks_differ(effort: Effort, spread: float = 1.0) -> Finding:
    smallest_change, lowest = math.inf, math.inf
    for seed in range(effort.runs):
        instance = random_instance("frameworks", outcomes=3, dim=2, norm=2.0, arms=2, seed=seed)
        first, second = instance.arms
        smallest_change = min(smallest_change, odds_change(spread * instance.theta, first, second))
        lowest = min(lowest, float(instance.probabilities.min()))

    def logit_odds(k: int, u0: float, u1: float) -> float:
        laws = [choice_probabilities([u0, u1], offered) for offered in ([True, True], [True, False])]
        return abs(math.log(laws[0][0] / laws[0][2]) - math.log(laws[1][0] / laws[1][2]))

    def precise(point: dict[str, float]):
        first, second = mp.exp(mp.mpf(point["u0"])), mp.exp(mp.mpf(point["u1"]))
        full, single = 1 / (1 + first + second), 1 / (1 + first)
        return abs(mp.log(first * full / full) - mp.log(first * single / single))

    box = {"u0": (-3.0, 3.0), "u1": (-3.0, 3.0)}
    fixed = equality(
        worst_over(lambda k, u0, u1: logit_odds(k, u0, u1), lambda k: box, (3,), effort, "odds"),
        precise,
        "Logit: the odds of an item against none are those of every set that holds it",
    )
    changed = inequality(
        Worst(1e-9 / max(smallest_change, 1e-300), smallest_change, f"smallest change of log-odds {smallest_change:.3g}"),
        lambda value: mp.mpf(1e-9) / mp.mpf(max(value, 1e-300)),
        "MNL: two actions change the odds of outcomes of which all stay possible",
        loose=False,
    )
    left_out = float(choice_probabilities([0.0, 0.0], [True, False])[1])
    absent = inequality(
        Worst(
            left_out / lowest,
            left_out / lowest,
            f"probability of an item left out {left_out:g}, of any MNL outcome >= {lowest:.3g}",
        ),
        mp.mpf,
        "Logit: an item left out has probability 0; with outcomes renamed action by action, sets of exactly n items are MNL "
        "actions of dimension d n",
        loose=False,
    )
    return all_of(fixed, changed, absent)


@claim(
    "C057b",
    place="Appendix E, after the displays",
    kind="text",
    statement="MNL has a parameter per outcome, Logit one for all items: there, outcomes differ by their contexts only.",
    method="search",
    domain="Fisher information of 6 random actions or sets: rank (K - 1) d against d, for K = 3, 4, d = 2; equal contexts",
)
def parameter_counts(effort: Effort, shared: bool = True) -> Finding:
    def ranks(k: int) -> tuple[int, int]:
        stream = generator("claims", 0, f"ranks {k}")
        theta, actions = stream.normal(size=(k, 2)), stream.normal(size=(6, 2))
        full = sum(np.kron(softmax_jacobian_of(theta @ x), np.outer(x, x)) for x in actions)
        contexts = stream.normal(size=(6, k - 1, 2))
        logit = np.zeros((2, 2))
        for items in contexts:
            p = choice_probabilities(items @ theta[0], np.ones(k - 1, dtype=bool))[:-1]
            logit += items.T @ (np.diag(p) - np.outer(p, p)) @ items
        return int(np.linalg.matrix_rank(full, tol=1e-9)), int(np.linalg.matrix_rank(logit, tol=1e-9))

    found = {k: ranks(k) for k in (3, 4)}
    off = max(abs(mnl - (k - 1) * 2) + abs(logit - (2 if shared else (k - 1) * 2)) for k, (mnl, logit) in found.items())
    text = ", ".join(f"K = {k}: {mnl} and {logit}" for k, (mnl, logit) in found.items())
    counts = equality(
        Worst(off, off, f"ranks of MNL and Logit, {text}"), mp.mpf, f"of the ranks, {text} (theta of MNL up to 1 c^T)"
    )

    def uneven(k: int, u: float) -> float:
        p = choice_probabilities(np.full(k, u), np.ones(k, dtype=bool))[:-1]
        return float(np.ptp(p))

    equal = equality(
        worst_over(uneven, lambda k: {"u": (-5.0, 5.0)}, (2, 3), effort, "equal contexts"),
        lambda point: mp.mpf(uneven(point["K"], point["u"])),
        "between items with equal contexts, for every theta; the probability of an item still depends on theta and on "
        "the set",
    )
    return all_of(counts, equal)

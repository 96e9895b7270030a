"""Appendices A and B: notations, and the bounds on kappa and kappa_*."""

import math
from fractions import Fraction
from functools import cache

import numpy as np

from mnlbandits.claims.claim import ROUNDING, Effort, Finding, claim, corrected, equality, inequality
from mnlbandits.claims.introduction import (
    RADII,
    Box,
    all_of,
    certified_violation,
    column,
    first_violation,
    kappa_at_least,
    kappa_at_most,
    kappa_star_of,
    log_curvature,
    logits_box,
    precise_curvature,
    precise_kappa_star,
    worst_over,
)
from mnlbandits.claims.precise import mp, softmax_jacobian
from mnlbandits.claims.precise import softmax as precise_softmax
from mnlbandits.claims.search import Worst, worst_of
from mnlbandits.instances import Instance
from mnlbandits.instances.families import large_kappa_star
from mnlbandits.instances.instance import kappa_once
from mnlbandits.model import constants
from mnlbandits.model.softmax import Array, log_softmax, softmax
from mnlbandits.model.softmax import softmax_jacobian as softmax_jacobian_of

# Appendix A


@claim(
    "C033",
    labels=("appendix:notations",),
    place="Appendix A",
    kind="definition",
    statement=(
        "kappa = max over ||theta|| <= S, x of 1/lambda_{K-1}, and 1/kappa_* = rho^T grad mu(theta_* x_*) "
        "rho/||rho||^2, as in the text."
    ),
    method="search",
    domain="K = 2, 3; two actions of d = 1, logits in [-3, 3], rewards in [0, 1] that differ by at least 0.05",
)
def notations_of_constants(effort: Effort, power: float = 2.0) -> Finding:
    def difference(k: int, x: float, **point: float) -> float:
        z, rewards = column(point, "z"), column(point, "r")
        if np.ptp(rewards) < 0.05:
            return math.nan
        curvatures = [log_curvature(z), log_curvature(x * z)]
        largest = max(math.exp(-value) for value in curvatures)
        both = abs(largest * math.exp(min(curvatures)) - 1)
        variance = float(rewards @ softmax_jacobian_of(z) @ rewards) / float(np.linalg.norm(rewards)) ** power
        return max(both, abs(variance * kappa_star_of(z, rewards) - 1))

    def precise(point: dict[str, float]):
        z, rho = list(column(point, "z")), mp.matrix(list(column(point, "r")))
        quadratic = (rho.T * softmax_jacobian(z) * rho)[0] / mp.norm(rho) ** power
        return abs(quadratic * precise_kappa_star(z, column(point, "r")) - 1)

    def box(k: int) -> Box:
        return {"x": (0.1, 1.0), **logits_box(k, 3.0), **{f"r{i}": (0.0, 1.0) for i in range(k)}}

    return equality(worst_over(difference, box, (2, 3), effort, "notations"), precise)


def averaged_jacobian(first: Array, second: Array, weight: float = 0.0) -> Array:
    """Integral over v in [0, 1] of (1 - v)^weight grad mu((1 - v) first + v second), by Gauss-Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    v = 0.5 * (nodes + 1)
    p = softmax((1 - v)[:, None] * first + v[:, None] * second)
    shares = 0.5 * weights * (1 - v) ** weight
    return np.diag(shares @ p) - (p.T * shares) @ p


@claim(
    "C033b",
    labels=("appendix:notations",),
    place="Appendix A",
    kind="definition",
    statement=(
        "alpha_s(theta_1, theta_2) = alpha_s(theta_2, theta_1), and alpha(z_1, z_2)(z_1 - z_2) = mu(z_1) - mu(z_2) "
        "(mean-value theorem)."
    ),
    method="search",
    domain="K = 2, 3; logits in [-2, 2]; integrals by 24 Gauss-Legendre nodes; relative to the largest entry",
)
def averaged_jacobians(effort: Effort, weight: float = 0.0) -> Finding:
    def difference(k: int, **point: float) -> float:
        first, second = column(point, "z"), column(point, "w")
        forth, back = averaged_jacobian(first, second, weight), averaged_jacobian(second, first, weight)
        change = forth @ (first - second) - softmax(first) + softmax(second)
        return max(float(np.abs(forth - back).max() / np.abs(forth).max()), float(np.abs(change).max()))

    def precise(point: dict[str, float]):
        first, second = column(point, "z"), column(point, "w")

        def entry(a: Array, b: Array):
            def at(v):
                z = [(1 - v) * mp.mpf(p) + v * mp.mpf(q) for p, q in zip(a, b, strict=True)]
                return (1 - v) ** weight * softmax_jacobian(z)[0, 0]

            return mp.quad(at, [0, 0.5, 1])

        return abs(entry(first, second) / entry(second, first) - 1)

    def box(k: int) -> Box:
        return {**logits_box(k, 2.0), **{f"w{i}": (-2.0, 2.0) for i in range(k)}}

    modest = effort._replace(draws=effort.draws // 4, starts=1)
    worst = worst_over(difference, box, (2, 3), modest, "averaged Jacobians")
    return equality(worst, precise, "tilde alpha_s, with weight 1 - v, is not symmetric, and none is claimed")


# Appendix B.1


@claim(
    "C034",
    labels=("appendix:bounds on constants kappa", "appendix:bounding kappa"),
    place="Appendix B.1, lemma (left)",
    kind="lemma",
    statement="K even, X = {||x|| <= X}: K/4 + K/4 e^{2SX} <= kappa, with kappa of Eq. (1), over ||theta||_2 <= S.",
    method="certified",
    domain=(
        "K = 2, 4, 6, 8, 16; S X = 0.01..12; Frobenius or spectral: kappa <= 1 + (K - 1) e^{sqrt(2) SX}, certified at "
        "K = 2; rows: certified"
    ),
)
def even_lower_bound(effort: Effort, rate: float = 2.0) -> Finding:
    def bound(k: int, r: float, rate: float) -> float:
        return k / 4 * (1 + math.exp(rate * r))

    def above(k: int, r: float) -> float:
        return kappa_once(2, r).upper if k == 2 else kappa_at_most(k, r)

    def precise(point: tuple[int, float]):
        k, r = point[0], mp.mpf(point[1])
        exact = 1 + mp.cosh(mp.sqrt(2) * r) if k == 2 else 1 + (k - 1) * mp.exp(mp.sqrt(2) * r)
        return mp.mpf(k) / 4 * (1 + mp.exp(rate * r)) / exact

    sizes = (2, 4, 6, 8, 16)
    frobenius = first_violation(
        Worst(bound(k, r, rate) / above(k, r), (k, r), f"K = {k}, d = 1, S = {r:g}, X = 1") for k in sizes for r in RADII
    )
    mended = worst_of(
        Worst(bound(k, r, 2 / math.sqrt(k)) / kappa_at_least(k, r), None, f"K = {k}, S X = {r:g}")
        for k in sizes
        for r in RADII
    )
    rows = worst_of(
        Worst(bound(k, r, 2.0) / kappa_once(k, r, "rows").lower, None, f"rows, K = {k}, S X = {r:g}")
        for k in sizes[:3]
        for r in RADII
    )
    note = "at K = 2, S X = 1: kappa = 1 + cosh(sqrt(2)) = 3.178 against (1 + e^2)/2 = 4.195"
    printed = inequality(frobenius, precise, note, loose=False)
    correction = (
        "true as printed if every row has norm <= S; for ||theta||_F <= S (or spectral, C008) with S/sqrt(K) for S, the "
        "norm of the proof's rows then; kappa still grows like e^{sqrt(2) SX}, C021"
    )
    parts = [inequality(worst, certified_violation, loose=False) for worst in (mended, rows)]
    return corrected("condition", printed, all_of(*parts), correction)


@claim(
    "C036",
    place="Appendix B.1, proof, display 1 (Weyl)",
    kind="step",
    statement="lambda_{K-1}(diag(mu) - mu mu^T) >= lambda_K(diag(mu)) + lambda_{K-1}(-mu mu^T) = min_i mu_i.",
    method="search",
    domain="K = 2, 3, 5, 9; logits in [-30, 30]",
)
def weyl(effort: Effort, factor: float = 1.0) -> Finding:
    def ratio(k: int, **point: float) -> float:
        z = column(point, "z")
        return factor * math.exp(float(log_softmax(z).min()) - log_curvature(z))

    def precise(point: dict[str, float]):
        z = column(point, "z")
        return factor * min(precise_softmax(z)) / precise_curvature(z)

    worst = worst_over(ratio, lambda k: logits_box(k, 30.0), (2, 3, 5, 9), effort, "Weyl")
    return inequality(worst, precise, "equality if the smallest probability occurs twice, within a factor K/(K - 1) always")


@claim(
    "C037",
    place="Appendix B.1, proof, display 2",
    kind="step",
    statement="min_i mu(theta x)_i >= e^{-SX}/(K e^{SX}) for ||theta|| <= S.",
    method="search",
    domain="K = 2, 3, 5; S X in [0.001, 300]; |z_k| <= S X for all k",
)
def smallest_probability(effort: Effort, rate: float = 2.0) -> Finding:
    def ratio(k: int, r: float, **point: float) -> float:
        return math.exp(-rate * r - math.log(k) - float(log_softmax(r * column(point, "z")).min()))

    def precise(point: dict[str, float]):
        p = precise_softmax([mp.mpf(point["r"]) * mp.mpf(entry) for entry in column(point, "z")])
        return mp.exp(-rate * mp.mpf(point["r"])) / point["K"] / min(p)

    worst = worst_over(ratio, lambda k: {"r": (0.001, 300.0), **logits_box(k, 1.0)}, (2, 3, 5), effort, "smallest")
    note = "for ||theta||_F <= S, logits differ by at most sqrt(2) SX and min_i mu_i >= 1/(1 + (K - 1) e^{sqrt(2) SX})"
    return inequality(worst, precise, note)


@claim(
    "C038",
    place="Appendix B.1, proof, display 4 (Schur-Horn)",
    kind="step",
    statement="min over i != j of grad mu(z)_ii + grad mu(z)_jj >= lambda_K + lambda_{K-1} = lambda_{K-1}(grad mu(z)).",
    method="search",
    domain="K = 2, 3, 5, 9; logits in [-20, 20]",
)
def schur_horn(effort: Effort, entries: int = 2) -> Finding:
    def ratio(k: int, **point: float) -> float:
        p = softmax(column(point, "z"))
        diagonal = np.sort(p * ((1 - np.eye(k)) @ p))
        return math.exp(log_curvature(column(point, "z"))) / float(diagonal[:entries].sum())

    def precise(point: dict[str, float]):
        p = precise_softmax(column(point, "z"))
        smallest = sorted(value * mp.fsum(p[:i] + p[i + 1 :]) for i, value in enumerate(p))
        return precise_curvature(column(point, "z")) / mp.fsum(smallest[:entries])

    worst = worst_over(ratio, lambda k: logits_box(k, 20.0), (2, 3, 5, 9), effort, "Schur-Horn")
    return inequality(worst, precise, "equality at K = 2, where both are the trace")


@claim(
    "C039",
    place="Appendix B.1, proof, choice of theta",
    kind="step",
    statement=(
        "theta with ||theta|| = S, rows 1..K/2 equal, [theta]_i = -[theta]_1 for i >= 2, and x = -[theta]_1 X/S has norm X."
    ),
    method="certified",
    domain="K = 2, 4, 6, 8; d = 2; rows +-v: norms of theta when x has norm X, that is ||v|| = S",
)
def choice_of_theta(effort: Effort, norm: str = "spectral", first_opposite: int = 2) -> Finding:
    def size(k: int, norm: str) -> float:
        theta = np.outer(np.where(np.arange(k) < k // 2, 1.0, -1.0), [0.6, 0.8])
        return float(np.linalg.norm(theta, 2)) if norm == "spectral" else constants.norm(theta, norm)

    def lengths(norm: str) -> Finding:
        found = [Worst(size(k, norm), k, f"K = {k}, rows (0.6, 0.8) and minus it") for k in (2, 4, 6, 8)]
        note = f"{norm} norm of theta for rows of norm S = 1: {', '.join(f'{w.value:.4g} at K = {w.point}' for w in found)}"
        return inequality(first_violation(found), mp.sqrt, note, loose=False)

    def indices(first: int) -> Finding:
        def both(k: int) -> int:
            start = k // 2 + 1 if first == 0 else first
            return sum(1 for i in range(start, k // 2 + 1))

        found = [Worst(1 + both(k), k, f"K = {k}, {both(k)} rows both equal and opposite to row 1") for k in (2, 4, 6, 8)]
        return inequality(first_violation(found), lambda k: mp.mpf(1 + both(k)), loose=False)

    correction = (
        "the largest row norm for ||theta||: with ||theta||_F = S the rows have norm S/sqrt(K), see C034; and, a misprint, "
        "i > K/2 for i >= 2, which at K = 4 would make row 2 both equal and opposite to row 1"
    )
    return corrected(
        "condition", all_of(lengths(norm), indices(first_opposite)), all_of(lengths("rows"), indices(0)), correction
    )


@claim(
    "C040",
    place="Appendix B.1, proof, last display",
    kind="step",
    statement=(
        "4/(K (1 + e^{2SX})) = 2 e^{-SX}/(K/2 e^{-SX} + K/2 e^{SX}) >= min over theta, x and i != j of mu_i + mu_j, "
        "for even K."
    ),
    method="search",
    domain="K = 2, 4, 6; every row of norm <= S (|z_k| <= S X); S X in [0.1, 20]",
)
def pair_of_probabilities(effort: Effort, smallest: int = 2) -> Finding:
    def lowest_pair(k: int, r: float) -> float:
        """Smallest mu_i + mu_j over the cube: two coordinates at -r, the others at r."""
        return float(np.sort(softmax(np.where(np.arange(k) < 2, -r, r)))[:2].sum())

    def ratio(k: int, r: float) -> float:
        return lowest_pair(k, r) * k * (1 + math.exp(2 * r)) / 4

    def precise(point: dict[str, float]):
        k, r = point["K"], mp.mpf(point["r"])
        pair = mp.fsum(precise_softmax([-r, -r] + [r] * (k - 2))[:2]) if k > 2 else mp.mpf(1)
        return pair * k * (1 + mp.exp(2 * r)) / 4

    def over(lowest: int) -> Finding:
        small = (Worst(ratio(k, 1.0), {"K": k, "r": 1.0}, f"K = {k}, S X = 1") for k in (2, 4, 6) if k >= lowest)
        found = worst_over(
            ratio, lambda k: {"r": (0.1, 20.0)}, [k for k in (2, 4, 6) if k >= lowest], effort, f"pair {lowest}"
        )
        violation = first_violation(small)
        return inequality(violation if violation.value > 1 + ROUNDING else found, precise, loose=False)

    remark = (
        "K >= 4: at K = 2 the only pair has mu_1 + mu_2 = 1, but there grad mu_11 + grad mu_22 = 2 mu_1 mu_2 <= 2/(1 "
        "+ e^{2SX}) at the extreme theta gives the lemma all the same, in the largest row norm"
    )
    return corrected("condition", over(smallest), over(4), remark)


@claim(
    "C041",
    place="Appendix B.1, proof",
    kind="step",
    statement=(
        "For simplicity X is a ball: theta can be chosen along x. (Any X whose longest action has norm X gives the "
        "same kappa.)"
    ),
    method="search",
    domain="K = 2, 3, 5; d = 2: a single action x, theta = z x^T/||x|| against logits z ||x||, entries in [-5, 5]",
)
def ball_not_needed(effort: Effort, power: float = 1.0) -> Finding:
    def difference(k: int, x1: float, x2: float, **point: float) -> float:
        z, x = column(point, "z"), np.array([x1, x2])
        theta = np.outer(z, x) / np.linalg.norm(x)
        norms = abs(float(np.linalg.norm(theta) / np.linalg.norm(z)) - 1)
        return max(norms, abs(math.exp(log_curvature(theta @ x) - log_curvature(z * np.linalg.norm(x) ** power)) - 1))

    def precise(point: dict[str, float]):
        z, length = column(point, "z"), mp.sqrt(mp.mpf(point["x1"]) ** 2 + mp.mpf(point["x2"]) ** 2)
        logits = [[mp.mpf(entry) * scale for entry in z] for scale in (length, length**power)]
        return abs(precise_curvature(logits[0]) / precise_curvature(logits[1]) - 1)

    def box(k: int) -> Box:
        return {"x1": (0.1, 1.0), "x2": (-1.0, 1.0), **logits_box(k, 5.0)}

    return equality(worst_over(difference, box, (2, 3, 5), effort, "ball"), precise)


# Appendix B.2


@cache
def unit_example(outcomes: int) -> Instance:
    """The example of a large kappa_* with d = 1, ||theta_*||_F = 1 and R = 1; its best action is 1."""
    return large_kappa_star("example", outcomes=outcomes, dim=1, norm=1.0, arms=2)


def example_curvature(outcomes: int, norm: float) -> float:
    """1/kappa_* of the example with ||theta_*||_F = S = `norm`."""
    instance = unit_example(outcomes)
    return 1 / kappa_star_of(norm * instance.theta[:, 0], instance.rewards)


def precise_example(outcomes: int, norm: float):
    """1/kappa_* of the example with ||theta_*||_F = S = `norm`, in 50 digits."""
    m = mp.mpf(norm) * mp.sqrt(mp.mpf(outcomes) / (outcomes - 1))
    return 1 / precise_kappa_star([m] + [0] * (outcomes - 1), [2] + [1] * (outcomes - 1))


def norm_box(outcomes: int) -> Box:
    """S in [0.01, 100]."""
    return {"norm": (0.01, 100.0)}


EXAMPLE_SIZES = (2, 3, 10, 1000)
"""K at which the example is computed."""


@claim(
    "C042",
    place="Appendix B.2, definition of M_*",
    kind="definition",
    statement="M_* in R^d has m in its corner and zeros elsewhere, K is even and d >= 1, and theta_* = Pi M_* has norm S.",
    method="certified",
    domain="K = 2..9, d = 1, 2, 3: entries of M_* against those of a vector of R^d; norms and formulas for odd K",
)
def shape_of_matrix(effort: Effort, rows: int = 1) -> Finding:
    def entries(k: int, dim: int) -> float:
        return large_kappa_star("shape", outcomes=k, dim=dim, norm=2.0, arms=4).theta.size / (rows * dim)

    def norms(k: int, dim: int) -> float:
        instance = large_kappa_star("shape", outcomes=k, dim=dim, norm=2.0, arms=4)
        return max(abs(constants.norm(instance.theta) / 2 - 1), abs(float(np.linalg.norm(instance.rewards)) - 1))

    printed = inequality(
        first_violation(Worst(entries(k, 1), k, f"K = {k}, d = 1: {k} entries, one in R^d") for k in range(2, 10)),
        lambda k: mp.mpf(k) / rows,
        loose=False,
    )
    found = worst_of(Worst(norms(k, dim), None, f"K = {k}, d = {dim}") for k in range(2, 10) for dim in (1, 2, 3))
    return corrected(
        "misprint",
        printed,
        equality(found, mp.mpf),
        "misprint: M_* in R^{K x d}; that K is even is not used: K = 3, 5, 7, 9 do too",
    )


@claim(
    "C043",
    place="Appendix B.2",
    kind="step",
    statement=(
        "||rho|| = 1 for rho = (2, 1, ..., 1)/sqrt(K + 3), and the best action of the sphere is x_* = "
        "[M_*]_1/||[M_*]_1|| = e_1."
    ),
    method="search",
    domain="K = 2, 3, 5; d = 3; S in [0.1, 10]; all directions x: mean reward over that of e_1",
)
def best_action(effort: Effort, high: float = 2.0) -> Finding:
    def ratio(k: int, norm: float, x1: float, x2: float, x3: float) -> float:
        z = math.sqrt(k / (k - 1)) * norm * np.eye(k)[0]
        rewards, x = np.array([high] + [1.0] * (k - 1)), np.array([x1, x2, x3])
        first = float(x1 / max(1e-9, float(np.linalg.norm(x))))
        return float(rewards @ softmax(first * z)) / float(rewards @ softmax(z))

    def precise(point: dict[str, float]):
        k, x = point["K"], [mp.mpf(point[f"x{i}"]) for i in (1, 2, 3)]
        m = mp.sqrt(mp.mpf(k) / (k - 1)) * mp.mpf(point["norm"])
        means = [
            high * p[0] + mp.fsum(p[1:])
            for scale in (x[0] / mp.sqrt(mp.fsum(entry**2 for entry in x)), mp.mpf(1))
            for p in [precise_softmax([scale * m] + [0] * (k - 1))]
        ]
        return means[0] / means[1]

    box = {"norm": (0.1, 10.0), **{f"x{i}": (-1.0, 1.0) for i in (1, 2, 3)}}
    worst = worst_over(ratio, lambda k: box, (2, 3, 5), effort, "best action")
    squares = {k: (Fraction(2) ** 2 + k - 1) / (k + 3) for k in range(2, 50)}
    size = max(abs(float(value) - 1) for value in squares.values())
    return all_of(
        inequality(worst, precise, loose=False), equality(Worst(size, size, "||rho||^2"), mp.mpf, "of ||rho||^2 to 1")
    )


def rational_laws(outcomes: int) -> list[list[Fraction]]:
    """Probability vectors (p, q, ..., q) and one with distinct entries, in fractions."""
    even = [[Fraction(n, 12)] + [(1 - Fraction(n, 12)) / (outcomes - 1)] * (outcomes - 1) for n in range(1, 12)]
    weights = [Fraction(i + 1) for i in range(outcomes)]
    return [*even, [weight / sum(weights) for weight in weights]]


def exact_equality(cases: dict[str, tuple[Fraction, Fraction]]) -> Finding:
    """The finding about pairs of fractions claimed equal: the first that is not, or that all are."""
    off = {text: (left, right) for text, (left, right) in cases.items() if left != right}
    if not off:
        return Finding("holds", margin=0.0, evidence=f"{len(cases)} cases in rational arithmetic")
    text, (left, right) = next(iter(off.items()))
    difference = float(abs(left / right - 1)) if right else math.inf
    return Finding(
        "refuted",
        difference,
        f"{text}: {left} against {right}",
        f"{len(off)} of {len(cases)} cases differ, in exact arithmetic",
    )


def scaled_variance(p: list[Fraction], high: Fraction) -> Fraction:
    """(K + 3) rho^T grad mu rho for sqrt(K + 3) rho = (high, 1, ..., 1)."""
    a = [high] + [Fraction(1)] * (len(p) - 1)
    return sum(a[k] * p[k] * sum(a[i] * ((i == k) - p[i]) for i in range(len(p))) for k in range(len(p)))


@claim(
    "C044",
    labels=("eq:large kappa star eq1",),
    place="Appendix B.2, Eq. large kappa star eq1 and after",
    kind="equation",
    statement=(
        "rho^T grad mu rho = rho_1^2 mu_1 (1 - mu_1) - 2 rho_1 mu_1 sum_{k>1} rho_k mu_k + the sum over i, k > 1; its "
        "first two terms cancel."
    ),
    method="exact",
    domain="K = 2..6, probabilities in twelfths and one vector of distinct ones, in fractions; rho up to 1/sqrt(K + 3)",
)
def expansion(effort: Effort, cross: int = 2, high: int = 2) -> Finding:
    cases = {}
    for k in range(2, 7):
        for p in rational_laws(k):
            square, mixed = high**2 * p[0] * (1 - p[0]), cross * high * p[0] * sum(p[1:])
            rest = sum(p[m] * sum((i == m) - p[i] for i in range(1, k)) for m in range(1, k))
            text = f"K = {k}, mu_1 = {p[0]}"
            cases[f"{text}, mu_2 = {p[1]}, expansion"] = scaled_variance(p, Fraction(high)), square - mixed + rest
            cases[f"{text}, mu_2 = {p[1]}, cancelling"] = square, mixed
    return exact_equality(cases)


@claim(
    "C045",
    place="Appendix B.2, display after the first two terms cancel",
    kind="equation",
    statement="1/kappa_* = 2/(K + 3) sum_{k>1} mu_k mu_1, from rho_i rho_k = 2/(K + 3) for i, k > 1.",
    method="exact",
    domain="K = 2..6, probabilities in twelfths, in fractions",
)
def example_variance(effort: Effort, factor: int = 2) -> Finding:
    def cases(factor: int) -> dict[str, tuple[Fraction, Fraction]]:
        return {
            f"K = {k}, mu = ({p[0]}, {p[1]}, ...)": (
                scaled_variance(p, Fraction(2)) / (k + 3),
                factor * p[0] * sum(p[1:]) / (k + 3),
            )
            for k in range(2, 7)
            for p in sorted(rational_laws(k), key=lambda p: abs(p[0] - Fraction(1, 2)))
        }

    remark = "1/(K + 3), so that kappa_* is twice as large; the bounds that follow hold all the more, even kappa_* >= e^S"
    return corrected("constant", exact_equality(cases(factor)), exact_equality(cases(1)), remark)


@claim(
    "C046",
    place="Appendix B.2, last line of that display",
    kind="step",
    statement="1/kappa_* <= 2 mu_2 mu_1.",
    method="search",
    domain="the example, K = 2, 3, 10, 1000, S in [0.01, 100]",
)
def two_probabilities(effort: Effort, factor: float = 2.0) -> Finding:
    def ratio(k: int, norm: float) -> float:
        p = softmax(norm * unit_example(k).theta[:, 0])
        return example_curvature(k, norm) / (factor * p[0] * p[1])

    def precise(point: dict[str, float]):
        k, m = point["K"], mp.mpf(point["norm"]) * mp.sqrt(mp.mpf(point["K"]) / (point["K"] - 1))
        p = precise_softmax([m] + [0] * (k - 1))
        return precise_example(k, point["norm"]) / (factor * p[0] * p[1])

    note = "the ratio is (K - 1)/(2 (K + 3)); mu_2 mu_1 is a bound too"
    return inequality(worst_over(ratio, norm_box, EXAMPLE_SIZES, effort, "two probabilities"), precise, note)


@claim(
    "C047",
    place="Appendix B.2, third line of the last computation",
    kind="step",
    statement="[M_*]_1^T x_* = S where ||theta_*|| = ||Pi M_*|| = S.",
    method="search",
    domain="K = 2, 3, 10, 1000; S in [0.01, 100]; Frobenius (and spectral) norm",
)
def corner_entry(effort: Effort, factor: float = 1.0) -> Finding:
    def difference(factor: str | float, k: int, norm: float) -> float:
        theta = norm * unit_example(k).theta[:, 0]
        claimed = norm * (math.sqrt(k / (k - 1)) if factor == "centred" else factor)
        return abs(float(theta[0] - theta[1]) / claimed - 1)

    def compared(factor: str | float) -> Finding:
        def precise(point: dict[str, float]):
            root = mp.sqrt(mp.mpf(point["K"]) / (point["K"] - 1))
            return abs(root / (root if factor == "centred" else factor) - 1)

        small = Worst(difference(factor, 2, 1.0), {"K": 2, "norm": 1.0}, "K = 2, S = 1: m = sqrt(2)")
        found = worst_over(lambda k, norm: difference(factor, k, norm), norm_box, EXAMPLE_SIZES, effort, f"corner {factor}")
        return equality(small if small.value > ROUNDING else found, precise)

    remark = "m = S sqrt(K/(K - 1)), S K/(K - 1) if S is the largest row norm; as m >= S, e^{-m} <= e^{-S}: the bound stands"
    return corrected("constant", compared(factor), compared("centred"), remark)


@claim(
    "C048",
    labels=("appendix:large kappa star",),
    place="Appendix B.2, last computation",
    kind="step",
    statement="1/kappa_* <= 2 e^{-S}/((K - 1) e^{-S} + 1)^2 <= 2 e^{-S}.",
    method="search",
    domain="the example, K = 2, 3, 10, 1000, S in [0.01, 100]",
)
def large_kappa_star_bound(effort: Effort, factor: float = 2.0, rate: float = 1.0) -> Finding:
    def ratio(k: int, norm: float) -> float:
        return example_curvature(k, norm) / (factor * math.exp(-rate * norm) / ((k - 1) * math.exp(-norm) + 1) ** 2)

    def precise(point: dict[str, float]):
        k, s = point["K"], mp.mpf(point["norm"])
        return precise_example(k, s) / (factor * mp.exp(-rate * s) / ((k - 1) * mp.exp(-s) + 1) ** 2)

    worst = worst_over(ratio, norm_box, EXAMPLE_SIZES, effort, "large kappa_* bound")
    note = "against the first of the two bounds, which is the smaller one; 1/kappa_* <= e^{-S} holds too"
    return inequality(worst, precise, note)


@claim(
    "C049",
    place="Appendix B.2, end",
    kind="text",
    statement="In this case kappa_* is exponentially small in S.",
    method="search",
    domain="the example, K = 2, 3, 10, 1000, S in [0.01, 100]: kappa_* <= e^{-S}; then 1/kappa_* <= e^{-S}",
)
def exponentially_small(effort: Effort, power: int = 1) -> Finding:
    def over(power: int) -> Finding:
        def ratio(k: int, norm: float) -> float:
            return example_curvature(k, norm) ** -power * math.exp(norm)

        def precise(point: dict[str, float]):
            return precise_example(point["K"], point["norm"]) ** -power * mp.exp(mp.mpf(point["norm"]))

        small = Worst(
            ratio(2, 1.0), {"K": 2, "norm": 1.0}, f"K = 2, d = 1, S = 1: kappa_* = {1 / example_curvature(2, 1.0):.4g}"
        )
        found = worst_over(ratio, norm_box, EXAMPLE_SIZES, effort, f"small {power}")
        return inequality(small if small.value > 1 + ROUNDING else found, precise, loose=False)

    return corrected("misprint", over(power), over(-1), "misprint: kappa_* is exponentially large, 1/kappa_* small")


@claim(
    "C050",
    place="Appendix B.2, last display",
    kind="text",
    statement="By Theorem 1 the asymptotic regret of the example is of order R d e^{-S/2} sqrt(K T).",
    method="search",
    domain="the example, K = 2, 3, 10, 1000, S in [0.01, 100]: sqrt(1/kappa_*) <= sqrt(2) e^{-S/2}",
)
def example_regret(effort: Effort, rate: float = 0.5) -> Finding:
    def ratio(k: int, norm: float) -> float:
        return math.sqrt(example_curvature(k, norm)) / (math.sqrt(2) * math.exp(-rate * norm))

    def precise(point: dict[str, float]):
        bound = mp.sqrt(2) * mp.exp(-mp.mpf(rate) * mp.mpf(point["norm"]))
        return mp.sqrt(precise_example(point["K"], point["norm"])) / bound

    worst = worst_over(ratio, norm_box, EXAMPLE_SIZES, effort, "example regret")
    note = (
        "an upper bound: the power of e is sqrt(K/(K - 1)) S/2; Theorem 1 needs a finite X, so it is about finite "
        "subsets of the "
        "sphere that hold e_1 (for d = 1 the sphere is finite), with nu growing as the others come near it (C031)"
    )
    return inequality(worst, precise, note)

"""Auxiliary results (last appendix)."""

import math
from fractions import Fraction
from functools import partial

import numpy as np

from mnlbandits.claims.claim import Effort, Finding, claim, inequality
from mnlbandits.claims.precise import mp
from mnlbandits.claims.search import worst_in_box, worst_of


@claim(
    "C188",
    labels=("lemma:minimiser to gradient positive", "appendix:auxiliary results"),
    place="Appendix, auxiliary results",
    kind="lemma",
    statement="At the minimiser x_0 of a convex f over a convex set, grad f(x_0)^T (y - x_0) >= 0 for every y of the set.",
    method="search",
    domain="f(x) = ||x - c||^2 over the square [0, 1]^2, centres c and points y on a grid of fractions in [-1, 2]^2",
)
def first_order_optimality(effort: Effort, sign: int = 1) -> Finding:
    grid = [Fraction(n, 3) for n in range(-3, 7)]
    square = [value for value in grid if 0 <= value <= 1]
    lowest = min(
        sum(sign * 2 * (x - c) * (y - x) for c, y, x in zip(centre, point, nearest, strict=True))
        for centre in ((a, b) for a in grid for b in grid)
        for nearest in [[min(max(c, Fraction(0)), Fraction(1)) for c in centre]]
        for point in ((a, b) for a in square for b in square)
    )
    if lowest < 0:
        return Finding("refuted", counterexample=f"grad f(x_0)^T (y - x_0) = {lowest}", evidence="rational arithmetic")
    return Finding("holds", evidence=f"smallest grad f(x_0)^T (y - x_0) is {lowest}, in these examples; a standard fact")


@claim(
    "C189",
    labels=("lemma:modified Freedman inequality",),
    place="Appendix, auxiliary results",
    kind="lemma",
    statement=(
        "Martingale differences |X_s| <= D satisfy, for eta in [0, 1/D], with probability 1 - delta for all t: "
        "sum X_s <= (e - 2) eta sum E[X_s^2 | past] + log(1/delta)/eta."
    ),
    method="search",
    domain="y = eta X in [-1, 1]: exp(y) <= 1 + y + (e - 2) y^2 makes the exponential a supermartingale; Ville's inequality",
)
def freedman(effort: Effort, constant: float = math.e - 2) -> Finding:
    worst = worst_in_box(
        lambda y: math.exp(y) / (1 + y + constant * y * y), {"y": (-1.0, 1.0)}, effort.draws, effort.starts, "freedman"
    )
    note = "equality at y = 0 and y = 1, so e - 2 is the best constant; the bound is anytime because Ville's inequality is"
    return inequality(worst, lambda point: mp.exp(point["y"]) / (1 + point["y"] + constant * point["y"] ** 2), note)


@claim(
    "C190",
    labels=("lemma:det_trace inequality",),
    place="Appendix, auxiliary results",
    kind="lemma",
    statement="||x_s|| <= X implies det(sum_{s<=t} x_s x_s^T + lambda I) <= (lambda + t X^2/d)^d.",
    method="search",
    domain="d = 2, 3; t = 1..4 vectors in the ball of radius 1, lambda in [1e-6, 10]",
)
def determinant_trace(effort: Effort, power: float = 1.0) -> Finding:
    def ratio(dim: int, ridge: float, **entries: float) -> float:
        x = np.array(list(entries.values())).reshape(-1, dim)
        x = x / np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
        ridge = 10.0**ridge
        return np.linalg.det(x.T @ x + ridge * np.eye(dim)) ** (1 / dim) / (ridge + len(x) / dim) ** power

    candidates = []
    for dim, count in ((2, 1), (2, 2), (3, 3), (2, 4)):
        box = {"ridge": (-6.0, 1.0)} | {f"x{i}": (-1.0, 1.0) for i in range(dim * count)}
        search = worst_in_box(partial(ratio, dim), box, effort.draws, effort.starts, f"determinant {dim} {count}")
        candidates.append(search._replace(text=f"d = {dim}, t = {count}, {search.text}", point=search.point | {"dim": dim}))

    def precise(point: dict[str, float]):
        dim, ridge = point["dim"], mp.mpf(10) ** point["ridge"]
        entries = [mp.mpf(value) for key, value in point.items() if key.startswith("x")]
        rows = [mp.matrix([entries[i : i + dim]]) for i in range(0, len(entries), dim)]
        total = ridge * mp.eye(dim)
        for row in rows:
            total += row.T * row / max(mp.mpf(1), mp.norm(row)) ** 2
        return mp.det(total) ** (mp.mpf(1) / dim) / (ridge + mp.mpf(len(rows)) / dim) ** power

    return inequality(worst_of(candidates), precise, "equality at d orthogonal unit vectors, each played t/d times")


@claim(
    "C191",
    place="Proof of Theorem 1, Step 2 (Lemma 4.5 of Hazan et al.)",
    kind="lemma",
    statement="Positive definite A >= B satisfy Tr(A^-1 (A - B)) <= log(|A|/|B|).",
    method="search",
    domain="d = 2: B = diag(b) and A = B + L L^T with every entry of L in [-3, 3], b in [1e-6, 1e3]",
)
def trace_logarithm(effort: Effort, factor: float = 1.0) -> Finding:
    def ratio(b1: float, b2: float, l11: float, l21: float, l22: float) -> float:
        b, low = np.diag([10.0**b1, 10.0**b2]), np.array([[l11, 0.0], [l21, l22]])
        a = b + low @ low.T
        return float(np.trace(np.linalg.solve(a, a - b)) / (factor * np.log(np.linalg.det(a) / np.linalg.det(b))))

    def precise(point: dict[str, float]):
        b = mp.diag([mp.mpf(10) ** point["b1"], mp.mpf(10) ** point["b2"]])
        low = mp.matrix([[point["l11"], 0], [point["l21"], point["l22"]]])
        a = b + low * low.T
        left = mp.inverse(a) * (a - b)
        return (left[0, 0] + left[1, 1]) / (factor * mp.log(mp.det(a) / mp.det(b)))

    entry = {"b1": (-6.0, 3.0), "b2": (-6.0, 3.0), "l11": (0.1, 3.0), "l21": (-3.0, 3.0), "l22": (0.1, 3.0)}
    worst = worst_in_box(ratio, entry, effort.draws, effort.starts, "trace")
    return inequality(worst, precise, "of one eigenvalue it is 1 - b/a <= log(a/b), an equality in the limit a = b")

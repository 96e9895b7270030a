"""The curvature constants kappa (Eq. kappa), certified from both sides, and the bounds the paper prints for it.

kappa = max of 1 / lambda_{K-1}(grad mu(z)) over the logits z = theta x that the norm convention allows. Both conventions
that the paper mixes are here:

- ``frobenius``: ||theta||_F <= S, so ||z||_2 <= S X (the spectral norm gives the same set). The default.
- ``rows``: every row of theta has norm <= S, so |z_k| <= S X; this is what the proof in Appendix B.1 uses.

How the search is certified. Write lambda for the eigenvalue, v for its unit eigenvector, p = mu(z), and
q_k = p_k (v_k - p^T v)^2 / lambda, which is a probability vector. Then d log(lambda) = E_q[dz] - E_p[dz]. Hence

1. |log lambda(z) - log lambda(z')| <= max(z - z') - min(z - z') <= sqrt(2) ||z - z'||_2: a Lipschitz bound;
2. q/p decreases in p, so lambda decreases along rays from 0 (Chebyshev's sum inequality): minima lie on the boundary;
3. at a minimum on the sphere every p_k solves one scalar equation with at most one root below lambda and three above, so
   z has at most four distinct levels; on the cube the coordinates that are not at a corner share one level.

What is left is a search over a sphere of dimension at most two (Frobenius) or an interval (rows), done by branch and bound
with the Lipschitz bound, so the answer carries a guaranteed gap.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mnlbandits.compiled import allocating_kernel
from mnlbandits.errors import InputError, require_choice, require_integer, require_positive

Convention = Literal["frobenius", "rows"]
CONVENTIONS: tuple[str, ...] = get_args(Convention)

TOLERANCE = {0: 1e-12, 1: 1e-8, 2: 5e-4}
"""Gap in log(kappa) at which the search stops, by the dimension of the searched set (its cost grows like 1/gap)."""

LOG_LARGEST = math.log(sys.float_info.max)


@dataclass(frozen=True)
class Kappa:
    """Certified value of kappa: lower <= kappa <= upper. `logits` (K,) attain `lower`."""

    lower: float
    upper: float
    logits: tuple[float, ...]

    @property
    def gap(self) -> float:
        """Relative gap between the two certified bounds."""
        return self.upper / self.lower - 1


@allocating_kernel
def log_second_eigenvalue(levels, multiplicity):
    """log of lambda_{K-1}(grad mu(z)) where z repeats levels[i] multiplicity[i] times.

    The eigenvalue is (1 + u) p_min where u solves 1/u = sum over the other outcomes of 1 / (1 - (1 + u) p_min / p_i),
    the secular equation of diag(p) - p p^T, and u = 0 if p_min occurs twice. Accurate to rounding for logits of any size.
    """
    low, high = levels.min(), levels.max()
    copies, outcomes, total = 0, 0, 0.0
    for i in range(len(levels)):
        outcomes += multiplicity[i]
        total += multiplicity[i] * math.exp(levels[i] - high)
        if levels[i] == low:
            copies += multiplicity[i]
    log_smallest = low - high - math.log(total)
    if copies > 1:
        return log_smallest
    left, right = 0.0, 1.0 / (outcomes - 1)
    for _ in range(60):
        middle = 0.5 * (left + right)
        total = 0.0
        for i in range(len(levels)):
            if levels[i] > low:
                remainder = 1.0 - (1.0 + middle) * math.exp(low - levels[i])
                total += multiplicity[i] / remainder if remainder > 0 else math.inf
        if total * middle > 1.0:
            right = middle
        else:
            left = middle
    return log_smallest + math.log1p(0.5 * (left + right))


def kappa(outcomes: int, radius: float, convention: Convention = "frobenius") -> Kappa:
    """Certified kappa for any action set whose longest action has norm X, with radius = S X (Eq. kappa).

    Parameters
    ----------
    outcomes : K >= 2.
    radius : S X > 0, the largest norm of theta x.
    convention : which norm of theta is bounded by S, see the module's docstring.

    Raises
    ------
    InputError : outcomes < 2, radius not in (0, inf), unknown convention.
    """
    outcomes = require_integer("outcomes", outcomes, 2)
    radius = require_positive("radius", radius)
    require_choice("convention", convention, CONVENTIONS)
    faces = list(sphere_faces(outcomes, radius) if convention == "frobenius" else cube_faces(outcomes, radius))
    attained, certified, logits = minimise_over(faces)
    if -certified > LOG_LARGEST:
        raise InputError("radius", radius, "small enough for kappa to be a floating-point number")
    return Kappa(math.exp(-attained), math.exp(-certified), tuple(float(z) for z in np.sort(logits)[::-1]))


@dataclass(frozen=True)
class Face:
    """A piece of the feasible boundary: the levels at `chart(u)`, u in [-1, 1]^dimension, with their multiplicities.

    `lipschitz` bounds the change of log lambda per unit of ||u - u'||_2.
    """

    origin: np.ndarray
    axes: np.ndarray
    radius: float
    multiplicity: np.ndarray
    lipschitz: float

    @property
    def dimension(self) -> int:
        """Number of chart coordinates."""
        return self.axes.shape[0]

    def levels(self, u: np.ndarray) -> np.ndarray:
        """Levels (n, m) at the chart points u (n, dimension); a spherical chart rescales to the sphere's radius."""
        points = self.origin + u @ self.axes
        if self.radius:
            norms = np.sqrt((points**2) @ self.multiplicity)
            points = points * (self.radius / norms)[:, None]
        return points


def sphere_faces(outcomes: int, radius: float) -> Iterator[Face]:
    """The sphere ||z|| = radius in 1^perp, restricted to at most four levels, as the faces of cubes around it."""
    for multiplicity in partitions(outcomes, min(outcomes, 4)):
        weights = np.sqrt(np.array(multiplicity, dtype=float))
        orthonormal = np.linalg.qr(np.column_stack([weights, np.eye(len(weights))[:, :-1]]))[0][:, 1:].T
        frame = radius * orthonormal / weights
        for axis in range(len(frame)):
            for sign in (-1.0, 1.0):
                tangent = np.delete(frame, axis, axis=0)
                yield Face(sign * frame[axis], tangent, radius, np.array(multiplicity), lipschitz=math.sqrt(2) * radius)


def cube_faces(outcomes: int, radius: float) -> Iterator[Face]:
    """Logits with `low` entries at -radius, `high` at +radius and the rest at one common level in between."""
    for low in range(1, outcomes + 1):
        for high in range(outcomes - low + 1):
            multiplicity = np.array([low, outcomes - low - high, high])
            used = multiplicity > 0
            axes = np.array([[0.0, radius, 0.0]])[: int(used[1]), used]
            yield Face(np.array([-radius, 0.0, radius])[used], axes, 0.0, multiplicity[used], lipschitz=radius)


def partitions(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Ways to write `total` as `parts` positive integers in non-increasing order."""
    largest = total if largest is None else largest
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(largest, total - parts + 1), 0, -1):
        for rest in partitions(total - first, parts - 1, first):
            yield (first, *rest)


@allocating_kernel
def evaluate(levels, multiplicity):
    """`log_second_eigenvalue` of every row of `levels`."""
    values = np.empty(len(levels))
    for i in range(len(levels)):
        values[i] = log_second_eigenvalue(levels[i], multiplicity)
    return values


def minimise_over(faces: list[Face]) -> tuple[float, float, np.ndarray]:
    """Branch and bound for min log lambda over all faces at once.

    Returns the smallest value attained, a certified lower bound at most `TOLERANCE` below it, and the logits (K,) where the
    value is attained. A cell is dropped when its Lipschitz bound cannot beat the best value by the tolerance, or when it
    only repeats, with two levels of equal multiplicity exchanged, what another cell of the sphere holds.
    """
    dimension = max(face.dimension for face in faces)
    corners = {face.dimension: np.array(list(np.ndindex(*(2,) * face.dimension))) - 0.5 for face in faces}
    cells = [np.zeros((1, face.dimension)) for face in faces]
    attained, logits, half = math.inf, np.zeros(0), 1.0
    while True:
        levels = [face.levels(centres) for face, centres in zip(faces, cells, strict=True)]
        values = [evaluate(rows, face.multiplicity) for face, rows in zip(faces, levels, strict=True)]
        for face, rows, column in zip(faces, levels, values, strict=True):
            if len(column) and column.min() < attained:
                attained, logits = column.min(), np.repeat(rows[column.argmin()], face.multiplicity)
        for i, face in enumerate(faces):
            slack = face.lipschitz * half * math.sqrt(face.dimension)
            keep = values[i] - slack < attained - TOLERANCE[dimension]
            for j in np.flatnonzero(np.diff(face.multiplicity) == 0) if face.radius else ():
                keep &= levels[i][:, j] - levels[i][:, j + 1] >= -slack
            children = cells[i][keep][:, None, :] + half * corners[face.dimension]
            cells[i] = children.reshape(children.shape[0] * children.shape[1], face.dimension)
        if not any(len(centres) for centres in cells):
            return attained, attained - TOLERANCE[dimension], logits
        half /= 2


def printed_bounds(outcomes: int, radius: float) -> dict[str, float]:
    """The bounds on kappa that the paper prints, at S X = radius.

    ``weyl_upper``: K e^{2SX} (App. B.1); ``main_lower``: the inverse of the right side of Eq. kappa bounds;
    ``even_lower``: K/4 + K/4 e^{2SX} (App. B.1, stated for even K).
    """
    e = math.exp
    return {
        "weyl_upper": outcomes * e(2 * radius),
        "main_lower": (2 * e(-radius) + (outcomes - 2) * e(radius)) / (2 * e(-2 * radius)),
        "even_lower": outcomes / 4 * (1 + e(2 * radius)),
    }

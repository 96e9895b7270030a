"""The optimistic reward around a point c, and a quadratic function above it: what a certified search needs. Our derivation.

F(x) = m(x) + sigma ||g(x)|| + 3 R sigma^2 lambda_max(B(x)) with m = rho^T mu(theta x), g = W^{-1/2}(r (x) x), r = C^T grad
mu rho (Eq. optimistic reward). At x = c + y, ||y|| <= delta, with h = theta y, and Var, Cov under mu(theta c):

- m(x) <= m + grad m^T y + y^T hess m y/2 + (7/24) D Omega delta e^{Omega delta} Var(h), D = max rho - min rho, Omega the
  largest difference of two coordinates of theta u over ||u|| = 1: the fourth cumulant of (rho, h, h, h) is at most
  7/4 D Omega ||y|| Var(h), and Var grows by e^{Omega delta} at most.
- ||g(x)|| <= ||g + J y|| + e(y) and ||g + J y|| <= ||g + J y||^2/(2 s) + s/2 for every s > 0, where e(y) = ||T phi y|| ||y||
  sqrt(w) + (7 sqrt(2)/8) D e^{Omega delta} Var(h) (sqrt(lambda_1) + sqrt(w) delta) is what r (x) x has of second order: T
  is the third cumulant of (C, rho, C), w = lambda_max(S), lambda_1 >= lambda_2 are the largest eigenvalues of B(c).
- lambda_max(B(x)) <= x^T S x for the matrix S of `cover`; or, if gap = lambda_1 - lambda_2 - 4 sqrt(lambda_1 w) delta - w
  delta^2 > 0, <= lambda_1 + 2 c^T M y + y^T M y + (2 sqrt(lambda_1 w) + w delta)^2 ||y||^2/gap, M = (e (x) I)^T W^-1 (e (x)
  I) for the eigenvector e of lambda_1.
"""

import math
from typing import NamedTuple

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.eigen import largest_eigenvalue
from mnlbandits.learners.expansion import ACROSS, ALONG, LARGEST, NORM, SECOND, TINY
from mnlbandits.learners.linalg import quadratic_form


class Bounds(NamedTuple):
    """What holds on all of R^d, see the module's docstring; computed once for a search."""

    sigma: float
    second_order: float  # 3 R sigma^2
    spread: float  # D
    steepness: float  # Omega
    width: float  # w


@rare_kernel
def rise_within(point, bounds, cover, reach, s, local, ball, least, scratch):
    """An upper bound of F(x) - F(c) over the x of the sphere, or of the ball, with least <= ||x - c|| <= reach.

    Parameters
    ----------
    cover : S (d, d). s : > 0, of the bound of ||g + J y||. local : whether lambda_max is bounded with M, else with S.
    ball : whether x runs over the unit ball, else ||c|| = 1 and x runs over the sphere.
    """
    x, values, line, bend = point.x, point.values, scratch.line, scratch.bend
    dim, sigma, weight = len(x), bounds.sigma, bounds.second_order
    largest, norm, grown = max(0.0, values[LARGEST]), values[NORM], math.exp(bounds.steepness * reach)
    part, rise, extra = 0.0, 0.0, 0.0
    if local and weight > 0.0:
        cross = 2.0 * math.sqrt(largest * bounds.width)
        gap = largest - values[SECOND] - 2.0 * cross * reach - bounds.width * reach * reach
        if gap <= 0.0:
            return math.inf
        extra = (cross + bounds.width * reach) ** 2 / gap
    elif weight > 0.0:
        rise = weight * (quadratic_form(cover, x) - largest)
    if sigma > 0.0 and s > TINY:
        part = sigma / s
        rise += 0.5 * part * (norm - s) ** 2
    root = math.sqrt(bounds.width)
    along = values[ALONG] * (1.0 if ball else 0.5 * reach)
    second = 2.0 * sigma * root * (values[ACROSS] + along) + 2.0 * weight * extra
    varying = 7.0 / 12.0 * bounds.steepness * reach
    varying += 7.0 * math.sqrt(2.0) / 4.0 * sigma * (math.sqrt(largest) + root * reach)
    varying *= bounds.spread * grown
    for i in range(dim):
        line[i] = point.gradient[i] + part * point.slope[i]
        for j in range(dim):
            wide = point.widest[i, j] if local else cover[i, j]
            line[i] += 2.0 * weight * wide * x[j]
            bend[i, j] = point.hessian[i, j] + varying * point.variance[i, j] + part * point.square[i, j]
            bend[i, j] += 2.0 * weight * wide
        bend[i, i] += second
    steep, curved = reduced(x, reach, ball, scratch)
    farthest = reach
    if curved < 0.0:
        farthest = min(reach, max(least, -steep / curved))
    value = steep * farthest + 0.5 * curved * farthest * farthest
    return rise + max(value, steep * least + 0.5 * curved * least * least)


@kernel
def reduced(x, reach, ball, scratch):
    """(a, b) with l^T y + y^T Q y/2 <= a t + b t^2/2, t = ||y|| <= reach, for x + y on the sphere or in the ball.

    On the sphere x^T y = -t^2/2, in the ball it is at most that if ||x|| = 1, and there the multiplier l^T x > 0 counts.
    """
    line, bend, root, image = scratch.line, scratch.bend, scratch.root, scratch.image
    dim, along, length, large = len(x), 0.0, 0.0, 1.0
    for i in range(dim):
        along += line[i] * x[i]
        length += x[i] * x[i]
        image[i] = 0.0
        for j in range(dim):
            image[i] += bend[i, j] * x[j]
            large += abs(bend[i, j])
    radial, across, steep = 0.0, 0.0, 0.0
    for i in range(dim):
        radial += image[i] * x[i]
    for i in range(dim):
        across += (image[i] - radial * x[i]) ** 2
        steep += (line[i] - along * x[i]) ** 2
    loss = reach * (math.sqrt(across) + (0.5 if ball else 0.25 * reach) * max(0.0, radial))
    if ball and (length < 1.0 - 1e-14 or along < loss):
        steep = 0.0
        for i in range(dim):
            steep += line[i] * line[i]
        return math.sqrt(steep), largest_eigenvalue(bend, root)
    for i in range(dim):
        for j in range(dim):
            root[i, j] = bend[i, j] - x[i] * image[j] - image[i] * x[j] + (radial - large) * x[i] * x[j]
    for i in range(dim):
        for j in range(dim):
            bend[i, j] = root[i, j]
    tangent = largest_eigenvalue(bend, root)
    if tangent < 0.0:
        tangent *= 0.0 if ball else max(0.0, 1.0 - 0.25 * reach * reach)
    return math.sqrt(steep), tangent - along + loss

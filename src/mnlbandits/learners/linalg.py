"""Small dense linear algebra for the round loops, compiled, without BLAS: the same bits on every machine."""

import math

from mnlbandits.compiled import kernel, rare_kernel

BEYOND = 1e-8
"""Relative excess over the bound of a ball that is not rounding: instances allow ||theta_*|| to exceed S by 1e-9."""


@kernel
def cholesky(a, out):
    """Lower triangle L of a positive semi-definite `a` (n, n) with a = L L^T, into `out`; pivots <= 0 count as 0."""
    n = a.shape[0]
    for j in range(n):
        pivot = a[j, j]
        for k in range(j):
            pivot -= out[j, k] * out[j, k]
        root = math.sqrt(pivot) if pivot > 0 else 0.0
        out[j, j] = root
        for i in range(j):
            out[i, j] = 0.0
        for i in range(j + 1, n):
            entry = a[i, j]
            for k in range(j):
                entry -= out[i, k] * out[j, k]
            out[i, j] = entry / root if root > 0 else 0.0


@kernel
def cholesky_in_order(a, order, out):
    """`cholesky` of the matrix with the entries a[order[i], order[j]], for a permutation `order` (n,)."""
    for i in range(len(order)):
        for j in range(i + 1):
            out[i, j] = a[order[i], order[j]]
    cholesky(out, out)


@kernel
def solve_cholesky(lower, b):
    """Overwrite b (n,) with the solution of L L^T x = b."""
    n = len(b)
    for i in range(n):
        for k in range(i):
            b[i] -= lower[i, k] * b[k]
        b[i] /= lower[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= lower[k, i] * b[k]
        b[i] /= lower[i, i]


@rare_kernel
def invert_positive(a, out, lower):
    """Inverse of a positive definite `a` (n, n) into `out`, symmetric to the last bit; `lower` (n + 1, n) is scratch."""
    n = a.shape[0]
    cholesky(a, lower)
    column = lower[n]
    for j in range(n):
        for i in range(n):
            column[i] = 1.0 if i == j else 0.0
        solve_cholesky(lower, column)
        for i in range(j, n):
            out[i, j] = column[i]
            out[j, i] = column[i]


@kernel
def solve_general(a, b):
    """Overwrite b (n,) with the solution of a x = b and a (n, n) with its elimination, with partial pivoting."""
    n = a.shape[0]
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i, j]) > abs(a[best, j]):
                best = i
        if best != j:
            for k in range(n):
                a[j, k], a[best, k] = a[best, k], a[j, k]
            b[j], b[best] = b[best], b[j]
        for i in range(j + 1, n):
            factor = a[i, j] / a[j, j]
            for k in range(j, n):
                a[i, k] -= factor * a[j, k]
            b[i] -= factor * b[j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= a[i, k] * b[k]
        b[i] /= a[i, i]


@rare_kernel
def solve_in_ball(a, b, radius, x, shifted, lower, work):
    """Minimise x^T a x / 2 - b^T x over ||x|| <= radius, a (n, n) positive definite, into `x` (n,): (a + nu I) x = b.

    1/||x(nu)|| is concave in nu, so Newton from nu = 0 increases to the root. With a + nu I = L L^T the slope needs
    ||L^-1 x|| only (More and Sorensen 1983). `shifted`, `lower` (n, n) and `work` (n,) are scratch.

    Returns
    -------
    nu, 0 if the constraint is not active.
    """
    n = len(b)
    nu = 0.0
    for _ in range(100):
        for i in range(n):
            x[i] = b[i]
            for j in range(n):
                shifted[i, j] = a[i, j] + (nu if i == j else 0.0)
        cholesky(shifted[:n], lower)
        solve_cholesky(lower, x)
        square, slope = 0.0, 0.0
        for i in range(n):
            work[i] = x[i]
            for k in range(i):
                work[i] -= lower[i, k] * work[k]
            work[i] /= lower[i, i]
            square += x[i] * x[i]
            slope += work[i] * work[i]
        if nu == 0.0 and square <= radius * radius:
            break
        step = (math.sqrt(square) / radius - 1.0) * square / slope
        nu += step
        if step <= 1e-14 * nu:
            break
    return nu


@kernel
def quadratic_form(a, v):
    """v^T a v."""
    total = 0.0
    for i in range(len(v)):
        row = 0.0
        for j in range(len(v)):
            row += a[i, j] * v[j]
        total += v[i] * row
    return total


@kernel
def add_outer(a, weight, x):
    """a += weight x x^T."""
    for i in range(len(x)):
        for j in range(len(x)):
            a[i, j] += weight * x[i] * x[j]


@kernel
def log_volume(gram, divisor, matrix, lower):
    """log det(I + gram/divisor), gram (n, n) positive semi-definite; `matrix` and `lower` (n, n) are scratch."""
    n, volume = len(gram), 0.0
    for i in range(n):
        for j in range(n):
            matrix[i, j] = gram[i, j] / divisor + (1.0 if i == j else 0.0)
    cholesky(matrix, lower)
    for i in range(n):
        volume += 2.0 * math.log(lower[i, i])
    return volume


@kernel
def cut_by_ball(ratio, length, bound):
    """The ratio of a point of that `length` to a set whose own `ratio` leaves out that it is cut by a ball around 0.

    Only outside of the ball its part counts: a theta_* of norm S, as in the families, is on the ball's boundary always.
    """
    return max(ratio, length / bound) if length > bound * (1.0 + BEYOND) else ratio


@kernel
def dot(left, right):
    """sum of left[n] right[n] over the length of `right`, in four strands."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    count = len(right)
    whole = count - count % 4
    for n in range(0, whole, 4):
        a += left[n] * right[n]
        b += left[n + 1] * right[n + 1]
        c += left[n + 2] * right[n + 2]
        d += left[n + 3] * right[n + 3]
    for n in range(whole, count):
        a += left[n] * right[n]
    return (a + b) + (c + d)


@kernel
def multiply(a, v, out):
    """a^T v into `out` (m,), for a (n, m) and v (n,): along the rows of a, four at a time."""
    n, m = a.shape
    whole = n - n % 4
    for i in range(m):
        out[i] = 0.0
    for j in range(0, whole, 4):
        first, second, third, fourth = v[j], v[j + 1], v[j + 2], v[j + 3]
        for i in range(m):
            out[i] = out[i] + first * a[j, i] + second * a[j + 1, i] + third * a[j + 2, i] + fourth * a[j + 3, i]
    for j in range(whole, n):
        for i in range(m):
            out[i] += v[j] * a[j, i]


@kernel
def total(v):
    """The sum of v (n,)."""
    result = 0.0
    for entry in v:
        result += entry
    return result


@kernel
def largest(scores):
    """The largest of `scores` (N,) >= 0."""
    most = 0.0
    for score in scores:
        most = max(most, score)
    return most


@kernel
def first_argmax(scores):
    """Lowest index whose score is within 1e-12 (relative to the largest size) of the best: ties do not hang on rounding."""
    best, size = scores[0], abs(scores[0])
    for score in scores:
        best, size = max(best, score), max(size, abs(score))
    for i in range(len(scores)):
        if scores[i] >= best - 1e-12 * size:
            return i
    return 0


@kernel
def first_offered(scores, offered):
    """`first_argmax` among the indices with `offered` (N,), at least one of them."""
    best, size = -math.inf, 0.0
    for i in range(len(scores)):
        if offered[i]:
            best, size = max(best, scores[i]), max(size, abs(scores[i]))
    for i in range(len(scores)):
        if offered[i] and scores[i] >= best - 1e-12 * size:
            return i
    return 0

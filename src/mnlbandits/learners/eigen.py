"""Eigenvalues and roots of small symmetric matrices, compiled, without LAPACK: the same bits on every machine."""

import math

from mnlbandits.compiled import kernel, rare_kernel


@rare_kernel
def symmetric_eigen(a, vectors):
    """Turn a symmetric `a` (n, n) into the diagonal matrix of its eigenvalues by cyclic Jacobi rotations.

    The eigenvectors go into the columns of `vectors` (n, n), none into one of shape (0, n).
    """
    n = a.shape[0]
    for i in range(len(vectors)):
        for j in range(n):
            vectors[i, j] = 1.0 if i == j else 0.0
    for _ in range(60):
        off, total = 0.0, 0.0
        for i in range(n):
            for j in range(n):
                total += a[i, j] * a[i, j]
                if i != j:
                    off += a[i, j] * a[i, j]
        if off <= n * n * 1e-32 * total:  # rounding
            return
        for p in range(n - 1):
            for q in range(p + 1, n):
                if a[p, q] == 0.0:
                    continue
                ratio = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
                tangent = math.copysign(1.0, ratio) / (abs(ratio) + math.sqrt(1.0 + ratio * ratio))
                cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
                sine = tangent * cosine
                for k in range(n):
                    left, right = a[k, p], a[k, q]
                    a[k, p], a[k, q] = cosine * left - sine * right, sine * left + cosine * right
                for k in range(n):
                    left, right = a[p, k], a[q, k]
                    a[p, k], a[q, k] = cosine * left - sine * right, sine * left + cosine * right
                for k in range(len(vectors)):
                    left, right = vectors[k, p], vectors[k, q]
                    vectors[k, p], vectors[k, q] = cosine * left - sine * right, sine * left + cosine * right


@rare_kernel
def largest_eigenvalue(a, work):
    """The largest eigenvalue of a symmetric `a` (n, n), which is overwritten; `work` (2 or more, n) if n > 1.

    Householder's tridiagonal form, then QL steps with implicit shifts: several times as fast as `symmetric_eigen`.
    """
    n = a.shape[0]
    if n == 1:
        return a[0, 0]
    diagonal, beside = work[0], work[1]
    tridiagonalise(a, diagonal, beside)
    for first in range(n):
        for _ in range(60):
            last = first
            while last < n - 1 and abs(beside[last]) > 1e-16 * (abs(diagonal[last]) + abs(diagonal[last + 1])):
                last += 1
            if last == first:
                break
            ql_step(diagonal, beside, first, last)
    largest = diagonal[0]
    for i in range(1, n):
        largest = max(largest, diagonal[i])
    return largest


@kernel
def tridiagonalise(a, diagonal, beside):
    """The diagonal (n,) and the n - 1 entries beside it of Householder's tridiagonal form of the lower half of `a` (n, n).

    `a` is overwritten: of a reflection I - v v^T / h, v is kept in a column of the lower half, its image in a row above.
    """
    n = a.shape[0]
    for k in range(n):
        diagonal[k] = a[k, k]
        beside[k] = a[k + 1, k] if k < n - 1 else 0.0
        tail = 0.0
        for i in range(k + 2, n):
            tail += a[i, k] * a[i, k]
        if tail == 0.0:
            continue
        head = a[k + 1, k]
        beside[k] = -math.copysign(math.sqrt(head * head + tail), head)
        h = beside[k] * (beside[k] - head)
        a[k + 1, k] = head - beside[k]
        along = 0.0
        for i in range(k + 1, n):
            image = 0.0
            for j in range(k + 1, i + 1):
                image += a[i, j] * a[j, k]
            for j in range(i + 1, n):
                image += a[j, i] * a[j, k]
            a[k, i] = image / h
            along += a[k, i] * a[i, k]
        along /= 2.0 * h
        for i in range(k + 1, n):
            a[k, i] -= along * a[i, k]
        for i in range(k + 1, n):
            for j in range(k + 1, i + 1):
                a[i, j] -= a[i, k] * a[k, j] + a[k, i] * a[j, k]


@kernel
def ql_step(diagonal, beside, first, last):
    """One QL step with Wilkinson's shift on the rows first .. last of a symmetric tridiagonal matrix."""
    g = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first])
    g = diagonal[last] - diagonal[first] + beside[first] / (g + math.copysign(math.sqrt(1.0 + g * g), g))
    sine, cosine, shift = 1.0, 1.0, 0.0
    for i in range(last - 1, first - 1, -1):
        f, b = sine * beside[i], cosine * beside[i]
        r = math.sqrt(f * f + g * g)
        beside[i + 1] = r
        if r == 0.0:
            diagonal[i + 1] -= shift
            beside[last] = 0.0
            return
        sine, cosine = f / r, g / r
        g = diagonal[i + 1] - shift
        r = (diagonal[i] - g) * sine + 2.0 * cosine * b
        shift = sine * r
        diagonal[i + 1] = g + shift
        g = cosine * r - b
    diagonal[first] -= shift
    beside[first] = g
    beside[last] = 0.0


@rare_kernel
def matrix_roots(a, roots, values, vectors):
    """a^{1/2} and a^{-1/2} of a positive definite `a` (n, n) into `roots` (2, n, n).

    Its eigenvalues go into the diagonal of `values` (n, n), its eigenvectors into the columns of `vectors` (n, n).
    """
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            values[i, j] = a[i, j]
    symmetric_eigen(values, vectors)
    for i in range(n):
        for j in range(n):
            roots[0, i, j] = 0.0
            roots[1, i, j] = 0.0
            for k in range(n):
                root = math.sqrt(values[k, k])
                roots[0, i, j] += vectors[i, k] * root * vectors[j, k]
                roots[1, i, j] += vectors[i, k] / root * vectors[j, k]

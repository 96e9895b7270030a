"""Eigenvalues and roots of small symmetric matrices, compiled, without LAPACK: the same bits on every machine."""

import math

from mnlbandits.compiled import rare_kernel


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
        if off <= 1e-32 * total:
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

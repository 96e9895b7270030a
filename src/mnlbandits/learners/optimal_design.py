"""D-optimal designs on a finite set of vectors, by the multiplicative algorithm."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.linalg import cholesky
from mnlbandits.model.softmax import Array

GAP = 0.01
"""Steps end when no v_n^T M^-1 v_n is above rank (1 + GAP): then rank GAP bounds how far log det M is below the largest one,
by the theorem of Kiefer and Wolfowitz."""

STEPS = 60
"""Most steps of the multiplicative algorithm, none of which lowers det M."""

SPAN = 1e-6
"""A coordinate of a design's vectors counts if others do not give it up to this part of its size."""


class Scratch(NamedTuple):
    """Working memory of `optimal_design` for vectors of length D or less."""

    matrix: Array  # (D, D) M
    lower: Array  # (D, D) its Cholesky factor L
    half: Array  # (D,) L^-1 v


def make_scratch(size: int) -> Scratch:
    """Fresh working memory for D = `size`."""
    return Scratch(np.zeros((size, size)), np.zeros((size, size)), np.zeros(size))


@kernel
def square_root(g, root, vectors):
    """g^{1/2} of a positive semi-definite `g` (n, n) into `root`; overwrites g and `vectors` (n, n)."""
    size = g.shape[0]
    symmetric_eigen(g, vectors)
    for a in range(size):
        for b in range(size):
            root[a, b] = 0.0
            for k in range(size):
                root[a, b] += vectors[a, k] * math.sqrt(max(0.0, g[k, k])) * vectors[b, k]


@rare_kernel
def optimal_design(vectors, members, weights, scratch):
    """The D-optimal design of the vectors v_n (N, D) with n in `members` (N,) into `weights` (N,), which sum to 1.

    By w_n <- w_n v_n^T M^-1 v_n / rank, M = sum w_n v_n v_n^T. A linear map of the vectors changes no weight: they are first
    overwritten by `orthonormalise`, those of members in front.
    """
    inside, size = 0, vectors.shape[1]
    for n in range(len(members)):
        if members[n]:
            for j in range(size):
                vectors[inside, j] = vectors[n, j]
            inside += 1
    rank = orthonormalise(vectors[:inside])
    matrix, lower, half = scratch.matrix[:rank, :rank], scratch.lower[:rank, :rank], scratch.half
    for n in range(inside):
        weights[n] = 1.0 / inside
    for _ in range(STEPS if rank > 0 else 0):
        for i in range(rank):
            for j in range(i + 1):
                matrix[i, j] = 0.0
                for n in range(inside):
                    matrix[i, j] += weights[n] * vectors[n, i] * vectors[n, j]
        cholesky(matrix, lower)
        for i in range(rank):
            lower[i, i] = 1.0 / lower[i, i]
        scale, largest = 0.0, 0.0
        for n in range(inside):
            square = 0.0
            for i in range(rank):
                half[i] = vectors[n, i]
                for k in range(i):
                    half[i] -= lower[i, k] * half[k]
                half[i] *= lower[i, i]
                square += half[i] * half[i]
            weights[n] *= square
            scale += weights[n]
            largest = max(largest, square)
        for n in range(inside):
            weights[n] /= scale
        if largest <= (1.0 + GAP) * rank:
            break
    for n in range(len(members) - 1, -1, -1):
        if members[n]:
            inside -= 1
            weights[n] = weights[inside]
        else:
            weights[n] = 0.0


@rare_kernel
def orthonormalise(vectors):
    """Replace the columns of `vectors` (N, D) by an orthonormal basis of their span; its size.

    By the method of Gram and Schmidt, twice over.
    """
    rank = 0
    for j in range(vectors.shape[1]):
        before, after = 0.0, 0.0
        for n in range(len(vectors)):
            before += vectors[n, j] * vectors[n, j]
            vectors[n, rank] = vectors[n, j]
        for _ in range(2):
            for i in range(rank):
                along = 0.0
                for n in range(len(vectors)):
                    along += vectors[n, i] * vectors[n, rank]
                for n in range(len(vectors)):
                    vectors[n, rank] -= along * vectors[n, i]
        for n in range(len(vectors)):
            after += vectors[n, rank] * vectors[n, rank]
        if after > SPAN * SPAN * before:
            for n in range(len(vectors)):
                vectors[n, rank] /= math.sqrt(after)
            rank += 1
    return rank

# SPDX-License-Identifier: BSD-3-Clause
"""Small matrices that make figures of a solver false: wide ranges, permuted triangles, saddle points, singular ones."""
import numpy as np
import scipy.sparse as sparse

EXPONENTS = (0, 1, 3, 6, 10, 14)


def few(rng, rows, columns, density=.5):
    """Small numbers in some places."""
    return np.where(rng.random((rows, columns)) < density, rng.choice([1., -1., 2., .5, -3.], (rows, columns)), 0.)


def triangle(rng, n, wide):
    return (np.triu(few(rng, n, n), 1) + np.diag(wide(n)))[rng.permutation(n)][:, rng.permutation(n)]


def spread(rng, n, wide):
    return (few(rng, n, n) + 3 * np.eye(n)) * wide((n, n))


def graded(rng, n, wide):
    return wide(n)[:, None] * (few(rng, n, n) + 3 * np.eye(n)) * wide(n)


def positive(rng, n, wide):
    half, scales = few(rng, n, n), 2. ** np.round(np.log2(wide(n)) / 4)
    return scales[:, None] * (half @ half.T + np.eye(n)) * scales


def saddle(rng, n, wide):
    rows = few(rng, max(1, n // 3), n, .7)
    return np.block([[np.diag(wide(n)), rows.T], [rows, np.zeros((len(rows), len(rows)))]])


def dependent_saddle(rng, n, wide):
    rows = few(rng, 2, n, .7)
    rows = np.vstack([rows, rows[:1]])
    return np.block([[np.diag(2. ** np.round(np.log2(wide(n)))), rows.T], [rows, np.zeros((3, 3))]])


def graph_laplacian(rng, n, wide):
    weights = np.triu(2. ** np.clip(np.round(np.log2(wide((n, n)))), -12, 12) * (rng.random((n, n)) < .5), 1)
    weights += weights.T
    return np.diag(weights.sum(1)) - weights


def twin_rows(rng, n, wide):
    matrix = few(rng, n, n) + 3 * np.eye(n)
    matrix[-1] = matrix[0]
    return matrix * 2. ** np.round(np.log2(wide(n)))


def skew(rng, n, wide):
    upper, scales = np.triu(few(rng, n, n), 1), 2. ** np.round(np.log2(wide(n)))
    return scales[:, None] * (upper - upper.T) * scales


def blocks(rng, n, wide):
    half = max(2, n // 2)
    corner = few(rng, half, half) * wide((half, half))
    matrix = np.block([[few(rng, half, half) + np.eye(half), corner], [np.zeros((half, half)), few(rng, half, half) + np.eye(half)]])
    return matrix[rng.permutation(2 * half)][:, rng.permutation(2 * half)]


def hermitian(rng, n, _wide):
    matrix = few(rng, n, n) + 1j * few(rng, n, n)
    return matrix + matrix.conj().T


def complex_symmetric(rng, n, _wide):
    matrix = few(rng, n, n) + 1j * few(rng, n, n)
    return matrix + matrix.T + 4j * np.eye(n)


FAMILIES = (triangle, spread, graded, positive, saddle, dependent_saddle, graph_laplacian, twin_rows, skew, blocks, hermitian,
            complex_symmetric)


def draw(seed, size):
    """The name and the matrix of a seed, and a right-hand side that it has solutions for, or every third time any."""
    rng = np.random.default_rng(seed)
    exponent = rng.choice(EXPONENTS)
    family = FAMILIES[seed % len(FAMILIES)]
    matrix = family(rng, int(rng.integers(2, size + 1)), lambda shape: 10. ** rng.uniform(-exponent, exponent, shape))
    n = len(matrix)
    b = matrix @ rng.integers(1, 4, n) if seed % 3 else rng.integers(-4, 5, n)
    return family.__name__, sparse.csc_matrix(matrix), b.astype(matrix.dtype)

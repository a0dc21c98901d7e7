# SPDX-License-Identifier: BSD-3-Clause
"""What is true of a matrix and a right-hand side, by exact arithmetic where the size allows, and by NumPy's dense algebra elsewhere."""
import functools
import math
from fractions import Fraction

import numpy as np
import scipy.sparse as sparse

EPS = np.finfo(float).eps


def integers(values):
    """Numbers as integers times 2^-shift: an array of Python's integers, and the shift."""
    pairs = [float(value).as_integer_ratio() for value in np.ravel(values)]
    shift = max((below.bit_length() - 1 for _above, below in pairs), default=0)
    numbers = np.array([above << (shift - below.bit_length() + 1) for above, below in pairs] + [None], dtype=object)[:-1]
    return numbers.reshape(np.shape(values)), shift


def eliminate(matrix, num_pivots):
    """Bareiss' elimination without fractions, to a multiple of the identity: rank, sign, and what is left."""
    rows, rank, sign, last = matrix.copy(), 0, 1, 1
    for column in range(num_pivots):
        found = next((i for i in range(rank, len(rows)) if rows[i, column] != 0), None)
        if found is None:
            continue
        if found != rank:
            rows[[rank, found]] = rows[[found, rank]]
            sign = -sign
        pivot, top = rows[rank, column], rows[rank].copy()
        rows = (pivot * rows - np.outer(rows[:, column], top)) // last
        rows[rank], last, rank = top, pivot, rank + 1
    return rank, sign * last, rows


def exact_inertia(matrix):
    """Signs of the eigenvalues of a real symmetric matrix, by exact pivots of one and two variables."""
    numbers, _shift = integers(matrix)
    rest = np.vectorize(Fraction, otypes=[object])(numbers)
    positive = negative = 0
    while rest.size and rest.any():
        size = len(rest)
        chosen = next(([i] for i in range(size) if rest[i, i] != 0), None) or list(next(zip(*rest.nonzero())))
        block, other = rest[np.ix_(chosen, chosen)], [i for i in range(size) if i not in chosen]
        if len(chosen) == 1:
            positive, negative = positive + (block[0, 0] > 0), negative + (block[0, 0] < 0)
            inverse = np.array([[1 / block[0, 0]]], dtype=object)
        else:
            positive, negative = positive + 1, negative + 1
            inverse = np.array([[0, 1 / block[0, 1]], [1 / block[0, 1], 0]], dtype=object)
        border = rest[np.ix_(other, chosen)]
        rest = rest[np.ix_(other, other)] - border.dot(inverse).dot(border.T) if other else rest[:0, :0]
    return positive, negative, len(matrix) - positive - negative


def as_real(matrix):
    """The real matrix or vector of twice the size that stands for a complex one."""
    if matrix.ndim == 1:
        return np.concatenate([matrix.real, matrix.imag])
    return np.block([[matrix.real, -matrix.imag], [matrix.imag, matrix.real]])


class Truth:
    """What is true of a matrix A and a right-hand side b."""

    def __init__(self, matrix, b):
        self.sparse, self.b = sparse.csr_matrix(matrix), b
        self.with_zeros = self.sparse.copy()
        self.sparse.eliminate_zeros()
        self.order, self.is_complex = matrix.shape[0], np.iscomplexobj(matrix)
        self.is_exact = self.order * (2 if self.is_complex else 1) <= 40
        self.dense = self.sparse.toarray() if self.order <= 1500 else None
        self.is_hermitian = (self.sparse != self.sparse.conj().T).nnz == 0

    @functools.cached_property
    def eliminated(self):
        """Rank, determinant as (numerator, shift), the exact solution, and the inverse, of the real matrix."""
        real = as_real(self.dense) if self.is_complex else self.dense
        numbers, shift = integers(real)
        b, shift_b = integers(as_real(self.b) if self.is_complex else self.b)
        size = len(real)
        rank, determinant, rows = eliminate(np.hstack([numbers, np.eye(size, dtype=int).astype(object), b[:, None]]), size)
        if rank < size:
            return rank, None, None, None
        scale = Fraction(2) ** (shift - shift_b)
        solution = [Fraction(int(row[-1]), int(row[i])) * scale for i, row in enumerate(rows)]
        inverse = np.array([[float(Fraction(int(row[size + j]), int(row[i])) * 2 ** shift) for j in range(size)]
                            for i, row in enumerate(rows)])
        return rank, Fraction(determinant, 1 << (shift * size)) if size else Fraction(1), solution, inverse

    @functools.cached_property
    def rank(self):
        rank = self.eliminated[0]
        return rank // 2 if self.is_complex else rank

    @functools.cached_property
    def inverse(self):
        """A^-1, whose entries are right to rounding where it is exact; None of a singular matrix."""
        if not self.is_exact:
            return np.linalg.inv(self.dense)
        inverse, n = self.eliminated[3], self.order
        return inverse if inverse is None or not self.is_complex else inverse[:n, :n] + 1j * inverse[n:, :n]

    @functools.cached_property
    def condition(self):
        return np.linalg.norm(self.dense, 1) * np.linalg.norm(self.inverse, 1)

    @functools.cached_property
    def bauer(self):
        """The spectral radius of |A^-1| |A|."""
        return max(abs(np.linalg.eigvals(abs(self.inverse) @ abs(self.dense))), default=0)

    @functools.cached_property
    def inertia(self):
        if self.is_exact and not self.is_complex:
            return exact_inertia(self.dense)
        values = np.linalg.eigvalsh(self.dense)
        edge = self.order * EPS * max(abs(values))
        return int((values > edge).sum()), int((values < -edge).sum()), int((abs(values) <= edge).sum())

    @functools.cached_property
    def is_consistent(self):
        numbers = integers(np.column_stack([self.dense, self.b]))[0]
        return eliminate(numbers, self.order + 1)[0] == self.rank

    def residuals(self, x):
        """|b - A x|_i without rounding before the last, and (|A| |x| + |b|)_i."""
        residuals, sizes = np.zeros(self.order), abs(self.sparse) @ abs(x) + abs(self.b)
        parts = [np.real, np.imag]
        for i in range(self.order):
            terms = slice(*self.sparse.indptr[i:i + 2])
            a, z = self.sparse.data[terms], x[self.sparse.indices[terms]]
            products = [[(p(self.b[i]), 1.0)] for p in parts]
            for f, g, part, sign in ((np.real, np.real, 0, -1), (np.imag, np.imag, 0, 1),
                                     (np.real, np.imag, 1, -1), (np.imag, np.real, 1, -1)):
                if self.is_complex or (f is np.real and g is np.real):
                    products[part] += list(zip(sign * f(a), g(z)))
            residuals[i] = math.hypot(*(exact_dot(pairs) for pairs in products[:2 if self.is_complex else 1]))
        return residuals, sizes

    @functools.cached_property
    def pattern(self):
        return sparse.csr_matrix((np.ones(self.sparse.nnz), self.sparse.indices, self.sparse.indptr), self.sparse.shape)

    @functools.cached_property
    def determinant(self):
        """(real, imaginary, exponent): the exact modulus, and the phase by dense factors where it is not a sign."""
        exact = self.eliminated[1]
        bits = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
        mantissa = float(exact / Fraction(2) ** bits)
        if not self.is_complex:
            return mantissa, 0., bits
        bits, odd = divmod(bits, 2)
        number = math.sqrt(mantissa * 2 ** odd) * np.linalg.slogdet(self.dense)[0]
        return number.real, number.imag, bits

    @functools.cached_property
    def kind(self):
        """The narrowest kind of symmetry."""
        transposed = self.sparse.T
        kinds = [("hermitian", transposed.conj())] * self.is_complex + [("symmetric", transposed), ("skew-symmetric", -transposed)]
        for kind, other in kinds:
            if (self.sparse != other).nnz == 0:
                return kind
        return "general"

    @property
    def is_positive(self):
        """Whether Cholesky's factorization exists, to rounding."""
        if self.dense is None or self.order == 0:
            return self.is_hermitian
        return self.is_hermitian and np.linalg.eigvalsh(self.dense).min() > -EPS * abs(self.dense).max()

    def entries(self, facts):
        """The matrix with the zeros that frond has kept."""
        return self.with_zeros if facts.get("keeps_zeros") else self.sparse

    def count_stored(self, symmetry, facts):
        whole = self.entries(facts)
        return {"general": whole, "skew-symmetric": sparse.tril(whole, -1)}.get(symmetry, sparse.tril(whole)).nnz

    def is_nearly_of_rank(self, rank):
        """Whether columns and rows of about equal size leave only rounding beyond this rank."""
        scaled = self.dense.copy()
        for _sweep in range(10):
            for axis in (0, 1):
                sizes = abs(scaled).max(axis=axis, keepdims=True, initial=0)
                scaled = scaled / np.sqrt(np.where(sizes > 0, sizes, 1))
        values = np.linalg.svd(scaled, compute_uv=False)
        return rank < self.order and values[rank] <= 1e3 * self.order * EPS * values[0]

    def null_error(self, vectors):
        """The largest |A z| / (|A| |z|), maximum norms."""
        norm, vectors = abs(self.sparse).sum(axis=1).max(), vectors.reshape(self.order, -1)
        errors = [self.with_b(0 * z).residuals(z)[0].max() / (norm * abs(z).max()) for z in vectors.T]
        return max(errors, default=0)

    def inverse_error(self, inverse):
        """The largest backward error of a column of the inverse."""
        norm = abs(self.sparse).sum(axis=1).max()
        units = np.eye(self.order, dtype=self.sparse.dtype)
        return max(self.with_b(e).residuals(x)[0].max() / (norm * abs(x).max() + 1) for e, x in zip(units, inverse.T))

    def expansion_error(self, x, kept):
        """Componentwise, of the equations that are not kept."""
        residuals, sizes = self.residuals(x)
        return max(r / s for i, (r, s) in enumerate(zip(residuals, sizes)) if s > 0 and i not in kept)

    def with_b(self, b):
        return Truth(self.sparse, b)

    def error_of(self, x):
        """The largest error of x over its largest entry."""
        exact = self.eliminated[2]
        real = as_real(x) if self.is_complex else x
        errors = [float(abs(Fraction(float(one)) - other)) for one, other in zip(real, exact)]
        if self.is_complex:
            errors = [math.hypot(*pair) for pair in zip(errors[:self.order], errors[self.order:])]
        return max(errors) / max(abs(x))


def exact_dot(pairs):
    """Sum of products, rounded once."""
    total = Fraction(0)
    for one, other in pairs:
        total += Fraction(float(one)) * Fraction(float(other))
    return float(total)

# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices of SciPy as arrays that the library reads, and right-hand sides."""
from ctypes import addressof, c_char

import numpy as np
import scipy.sparse as sparse

from . import _library
from ._errors import UsageError

# The kinds of numbers of the library, and the types of those that others become.
SCALARS = {np.dtype(np.float32): 0, np.dtype(np.float64): 1, np.dtype(np.complex64): 2, np.dtype(np.complex128): 3}
_FLOAT64 = np.dtype(np.float64)
_COMPLEX128 = np.dtype(np.complex128)

SYMMETRIES = {None: 0, "general": 0, "symmetric": 1, "skew-symmetric": 2, "hermitian": 3}


def scalar_type(dtype):
    """float32, float64, complex64 or complex128: the one in which numbers of `dtype` are computed with."""
    if dtype in SCALARS:
        return dtype
    if dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize != 4):
        return _FLOAT64
    if dtype.kind == "c":
        return _COMPLEX128
    raise TypeError(f"numbers of the type {dtype} cannot be solved with: convert them to float64 or complex128")


def address(array):
    """Of the first entry of a contiguous array."""
    try:
        return addressof(c_char.from_buffer(array))  # a third of the time of what follows
    except (TypeError, ValueError):  # empty, not to be written, or contiguous as columns
        return array.__array_interface__["data"][0]


class Arrays:
    """A square matrix as compressed rows or columns, or triplets, whose memory this object keeps."""

    __slots__ = ("order", "dtype", "kind", "first", "second", "values", "kept")

    def __init__(self, matrix, dtype=None, triangle=False, zeros=True):
        is_as_given = sparse.issparse(matrix)
        if not is_as_given:
            matrix = sparse.csc_matrix(np.atleast_2d(np.asarray(matrix)))
        shape = matrix.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise UsageError(f"the matrix has the shape {shape}: only square ones can be factorized")
        if matrix.format not in ("csc", "csr", "coo"):
            matrix, is_as_given = matrix.tocsr(), False
        self.order = shape[0]
        self.kind = matrix.format
        self.dtype = scalar_type(matrix.dtype) if dtype is None else dtype
        pair = (matrix.row, matrix.col) if self.kind == "coo" else (matrix.indptr, matrix.indices)
        self.first, self.second = _indices(*pair)
        values = matrix.data
        if self.kind == "coo":
            if not self.first.size == self.second.size == values.size:
                raise UsageError(f"the matrix has {self.first.size} rows of entries, {self.second.size} columns and {values.size} values")
        else:
            self.second, values = entries_of(self.first, self.second, values, self.order)
        # Which values of the caller's these are: all, None for all but none of the caller's order, or those of a mask.
        self.kept = ... if is_as_given else None
        if triangle:
            kept = self._take_triangle()
            values = values[kept]
            self.kept = kept if is_as_given else None
        if not zeros and not values.all():
            self._keep(values != 0)
            values, self.kept = values[values != 0], None
        self.values = numbers(values, self.dtype)

    def _take_triangle(self):
        """Keeps the lower triangle, or the upper one if there is nothing below the diagonal; the mask of entries that stay."""
        if self.kind == "coo":
            difference = self.first - self.second
        else:
            outer = np.repeat(np.arange(self.order, dtype=self.second.dtype), np.diff(self.first))
            difference = outer - self.second if self.kind == "csr" else self.second - outer
        kept = difference >= 0 if (difference > 0).any() else difference <= 0
        self._keep(kept)
        return kept

    def _keep(self, kept):
        """Leaves out the positions of all other entries."""
        if self.kind == "coo":
            self.first, self.second = self.first[kept], self.second[kept]
        else:
            self.first = np.concatenate(([0], np.cumsum(kept, dtype=self.first.dtype)))[self.first].astype(self.first.dtype)
            self.second = self.second[kept]

    def values_from(self, given):
        """The values, from those of the caller's matrix in their order."""
        if self.kept is None:
            raise UsageError("values alone come in the order of a matrix in compressed rows, compressed columns or triplets, but another "
                             "kind of matrix was factorized: give the matrix")
        number = self.kept.size if isinstance(self.kept, np.ndarray) else self.values.size
        if given.shape != (number,):
            raise UsageError(f"there are values of the shape {given.shape}, but the matrix was given with {number} entries")
        return numbers(given[self.kept], self.dtype)

    def own(self):
        """Itself, with copies: what the caller does to the matrix later is of no effect."""
        self.first, self.second, self.values = self.first.copy(), self.second.copy(), self.values.copy()
        return self

    def give(self, handle, symmetry):
        """Sets the matrix of a solver."""
        suffix = "_64" if self.first.itemsize == 8 else ""
        if self.kind == "coo":
            give = getattr(_library, "set_triplets" + suffix)
            return give(handle, self.order, symmetry, self.values.size, address(self.first), address(self.second), address(self.values))
        give = getattr(_library, ("set_rows" if self.kind == "csr" else "set_columns") + suffix)
        return give(handle, self.order, symmetry, address(self.first), address(self.second), address(self.values))

    def has_pattern_of(self, other):
        """Whether entries have the same places in the same order, so that values are all that differs."""
        return (self.order == other.order and self.kind == other.kind and self.first.size == other.first.size
                and self.second.size == other.second.size and np.array_equal(self.first, other.first)
                and np.array_equal(self.second, other.second))


def entries_of(offsets, indices, values, num_outer):
    """Indices and values of compressed rows or columns, without the room that may be behind them. Raises UsageError where there are
    fewer than the offsets say."""
    count = offsets.item(-1) if offsets.size == num_outer + 1 else -1
    if not 0 <= count <= min(indices.size, values.size):
        raise UsageError(f"the matrix is damaged: it has {offsets.size} offsets for {num_outer} rows or columns, the last of which is "
                         f"{offsets[-1] if offsets.size else 'missing'}, {indices.size} indices and {values.size} values")
    if indices.size == values.size == count:
        return indices, values
    return indices[:count], values[:count]


def _indices(first, second):
    """Two arrays of indices as contiguous ones of the same type, int32 or int64."""
    wide = np.int64 if first.dtype.itemsize > 4 or second.dtype.itemsize > 4 else np.int32
    return np.ascontiguousarray(first, wide), np.ascontiguousarray(second, wide)


def numbers(array, dtype, order="C"):
    """A contiguous array of `dtype`. Raises UsageError where imaginary parts would be lost."""
    if array.dtype.kind == "c" and dtype.kind != "c":
        raise UsageError(f"numbers of the type {array.dtype} are given where the matrix is of the type {dtype}: factorize a complex one")
    return np.asarray(array, dtype, order=order)


def dense_sides(b, order, dtype, name="right-hand sides have"):
    """Right-hand sides of `dtype`, a vector or columns in Fortran's order. Raises UsageError for other shapes."""
    if sparse.issparse(b):
        raise UsageError(f"{name} to be dense here: give b.toarray()")
    b = np.asarray(b)
    if b.ndim not in (1, 2) or b.shape[0] != order:
        raise UsageError(f"{name} the shape {b.shape}, but there are to be {order} rows")
    return numbers(b, dtype, order="F")

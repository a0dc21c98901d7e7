# SPDX-License-Identifier: BSD-3-Clause
"""Many systems of one pattern."""
import itertools
import re

import numpy as np
import scipy.sparse as sparse

from . import _library as lib
from ._errors import UsageError
from ._factorization import _operation, _symmetry, judge_text, result_type, solver_of
from ._matrix import Arrays, address, numbers

# Values of so many bytes are handed to the library at a time, so that matrices may come from a generator.
_CHUNK_BYTES = 64_000_000


def solve_batch(matrices, b, *, trans="N", symmetry="detect", progress=None, **options):
    """Solve A_k x_k = b_k for many matrices of one pattern, several at a time, each on one thread.

    Parameters
    ----------
    matrices : iterable of sparse matrices
        With entries at the same places, in the same order. A generator may yield one matrix again and again, with other values: they
        are copied at once.
    b : array_like
        One right-hand side for all, or ``b[k]``, of the shape ``(n,)`` or ``(n, columns)``, for system ``k``.
    trans, symmetry, progress, **options
        As for `frond.solve`; the option ``threads`` says how many systems are solved at a time.

    Returns
    -------
    x : ndarray
        ``x[k]`` is of the shape of the right-hand sides of system ``k``.

    Raises
    ------
    SingularMatrixError, RankInDoubtError, NotPositiveDefiniteError
        The first system that is not solved, which the message names; the attribute `x` has all solutions. And what `frond.solve`
        raises.

    Warns
    -----
    AccuracyWarning
        If a backward error is above the target.

    Examples
    --------
    >>> import frond, numpy as np, scipy.sparse as sparse
    >>> K = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(4, 4), format="csc")
    >>> x = frond.solve_batch((K + shift * sparse.identity(4) for shift in (1, 2, 3)), np.ones(4))
    >>> x.shape
    (3, 4)
    """
    operation = _operation(trans)
    triangle = _symmetry(symmetry)[0] != 0
    if sparse.issparse(b):
        raise UsageError("right-hand sides are to be dense here: give b.toarray()")
    b = np.asarray(b)
    rest = iter(matrices)
    first = next(rest, None)
    if first is None:
        return np.empty((0, *b.shape[0 if b.ndim == 1 else 1:]), b.dtype)
    if not sparse.issparse(first):
        raise UsageError(f"matrices has a {type(first).__name__} in it: give a list of sparse matrices, or a generator")
    dtype = result_type(first, b)
    arrays = Arrays(first, dtype, triangle).own()
    sides = _Sides(b, arrays.order, dtype)
    solver = solver_of(arrays, symmetry, options, progress)
    try:
        num_at_a_time = max(1, _CHUNK_BYTES // max(1, arrays.values.nbytes))
        rest = itertools.chain([first], rest)
        solutions, worst, begin = [], None, 0
        while len(values := _next_values(rest, sides.most(begin, num_at_a_time), arrays, triangle, begin)):
            end = begin + len(values)
            if hasattr(matrices, "__len__"):
                solver.progress_range[:] = begin / len(matrices), end / len(matrices)
            x, status = _solve_chunk(solver, operation, values, sides.of(begin, end))
            solutions.append(x)
            if status != lib.SUCCESS and worst is None:
                worst = (status, re.sub(rb"^system (\d+)", lambda system: b"system %d" % (begin + int(system[1])), solver.said()))
                if status < 0:
                    raise lib.exception(None, *worst)
            begin = end
        sides.check_number(begin)
        x = np.concatenate(solutions)
        if worst is not None:
            judge_text(*worst, x)
        return x
    finally:
        solver.close()


class _Sides:
    """Right-hand sides, the same for all or each system's own."""

    def __init__(self, b, order, dtype):
        self._is_shared = b.ndim == 1
        if b.ndim not in (1, 2, 3) or b.shape[0 if self._is_shared else 1] != order:
            raise UsageError(f"right-hand sides have the shape {b.shape}: give {(order,)} for all systems, or one of the shape "
                             f"{(order,)} or {(order, 'columns')} for each")
        self._b = numbers(b, dtype)

    def of(self, begin, end):
        """Of these systems: an array whose second axis has the rows."""
        if self._is_shared:
            return np.broadcast_to(self._b, (end - begin, *self._b.shape))
        self.check_number(end, at_least=True)
        return self._b[begin:end]

    def most(self, begin, number):
        """How many systems from one on may be drawn: one more than there are right-hand sides shows that these are too few."""
        return number if self._is_shared else min(number, self._b.shape[0] - begin + 1)

    def check_number(self, number, at_least=False):
        if not self._is_shared and (self._b.shape[0] < number if at_least else self._b.shape[0] != number):
            raise UsageError(f"there are right-hand sides for {self._b.shape[0]} systems, but {number} matrices or more")


def _next_values(matrices, most, arrays, triangle, begin):
    """The values of the next ones, one after the other."""
    rows = []
    for matrix in itertools.islice(matrices, most):
        given = Arrays(matrix, arrays.dtype, triangle)
        if not given.has_pattern_of(arrays):
            raise UsageError(f"matrix {begin + len(rows)} has entries at other places, or in another order, than the first one: give all "
                             f"of them entries at the same places, zeros included")
        rows.append(given.values.copy())
    return np.stack(rows) if rows else np.empty((0, arrays.values.size), arrays.dtype)


def _solve_chunk(solver, operation, values, b):
    """Solutions of the shape of `b`, and the status."""
    columns = np.ascontiguousarray(b if b.ndim == 2 else b.transpose(0, 2, 1))  # one right-hand side after the other
    x = np.empty(columns.shape, solver.dtype)
    count, rows = 1 if b.ndim == 2 else b.shape[2], max(1, solver.order)
    solver.num_entries = values.size
    status = solver.call(lib.solve_batch, operation, len(values), address(values), count, address(columns), rows, address(x), rows, None,
                         None)
    return (x if b.ndim == 2 else np.ascontiguousarray(x.transpose(0, 2, 1))), status

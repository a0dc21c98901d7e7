# SPDX-License-Identifier: BSD-3-Clause
"""Factorized matrices, and what is known of matrices that are only analysed."""
import ctypes
import sys
import warnings

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg

from . import _library as lib
from ._errors import AccuracyWarning, RankInDoubtError, UsageError
from ._matrix import SCALARS, SYMMETRIES, Arrays, address, dense_sides, entries_of, scalar_type
from ._solver import Solver

# So many solves take about as long as a factorization, of sparse systems.
_SOLVES_LIKE_A_FACTORIZATION = 20

_OPERATIONS = {"N": 0, "T": 1, "H": 2}


def _operation(trans):
    try:
        return _OPERATIONS[trans]
    except KeyError:
        raise UsageError(f"trans is {trans!r}: give 'N' for A, 'T' for its transpose, or 'H' for its adjoint") from None


def _symmetry(symmetry):
    """The number of the library's, and whether it is to look itself."""
    if symmetry == "detect":
        return SYMMETRIES[None], True
    try:
        return SYMMETRIES[symmetry], False
    except KeyError:
        raise UsageError(f"symmetry is {symmetry!r}: give 'detect', 'general', 'symmetric', 'hermitian' or 'skew-symmetric'") from None


def make_solver(matrix, symmetry, options, progress=None, dtype=None, is_kept=True):
    """A solver that has the matrix, and its arrays: copies, if they are kept; explicit zeros, too, for other values may follow."""
    arrays = Arrays(matrix, dtype, _symmetry(symmetry)[0] != 0, zeros=is_kept)
    if is_kept:
        arrays.own()
    return solver_of(arrays, symmetry, options, progress), arrays


def solver_of(arrays, symmetry, options, progress=None):
    """A solver that has the matrix of these arrays."""
    number, detects = _symmetry(symmetry)
    solver = Solver(SCALARS[arrays.dtype], arrays.dtype, options, progress)
    if not detects:
        solver.check(lib.set(solver.handle, b"symmetry", b"as-stored"))
    solver.give(arrays, number)
    return solver


def set_variables(solver, schur, order):
    """Sets variables that are kept, and the order of elimination; returns how many are kept, 0 for none."""
    if order is not None:
        solver.check(lib.set_order(solver.handle, _indices(order, solver.order, "order").ctypes.data))
    variables = _indices([] if schur is None else schur, None, "schur")
    if variables.size:
        solver.check(lib.set_schur_variables(solver.handle, variables.size, variables.ctypes.data))
    return variables.size


def _indices(values, length, name):
    indices = np.asarray(values)
    if indices.size and indices.dtype.kind not in "iu":
        raise UsageError(f"{name} has numbers of the type {indices.dtype}: give integers")
    most = np.iinfo(np.int32).max
    if indices.size and (indices.min() < 0 or indices.max() > most):
        wrong = indices.flat[np.argmax((indices < 0) | (indices > most))]
        raise UsageError(f"{name} has {wrong} in it: variables count from 0")
    indices = np.ascontiguousarray(indices, np.int32)
    if indices.ndim != 1 or (length is not None and indices.size != length):
        raise UsageError(f"{name} has the shape {indices.shape}" + ("" if length is None else f", but {length} variables are wanted"))
    return indices


def solve_columns(solver, b, operation, out=None, is_factorized=False):
    """X of op(A) X = B for a vector or columns in Fortran's order, and the status."""
    x = np.empty(b.shape, solver.dtype, order="F") if out is None else out
    rows, count = max(1, solver.order), count_of(b)
    entries = solver.num_entries * count // _SOLVES_LIKE_A_FACTORIZATION if is_factorized else None
    status = solver.call(lib.solve, operation, count, address(b), rows, address(x), rows, entries=entries)
    return x, status


def count_of(b):
    """How many columns there are."""
    return 1 if b.ndim == 1 else b.shape[1]


def check_factors(solver, status):
    """Raises the exception of a factorization, unless its factors solve what can be solved."""
    if status not in (lib.SUCCESS, lib.SINGULAR, lib.RANK_IN_DOUBT):
        solver.check(status)


def judge(solver, status, x):
    """Raises and warns as the status of the last call says."""
    if status != lib.SUCCESS:
        judge_text(status, solver.said(), x)


def _level_of_caller():
    """How many frames of the package, and the one that asks, are above the caller's, for whom a warning is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def judge_text(status, text, x):
    """The same with what the library has said."""
    if status == lib.ACCURACY_MISSED:
        _warn(text, x)
    else:
        error = lib.exception(None, status, text)
        if status == lib.SINGULAR:
            error.x = x
        raise error


def _warn(text, x):
    warning = AccuracyWarning(text.decode())
    warning.x = x
    warnings.warn(warning, stacklevel=_level_of_caller())


class Analysis:
    """The order of elimination of a matrix and what its factorization will cost.

    Made by `frond.analyze`. ``analysis["predicted_peak_bytes"]`` and the like are figures; `figures` has all that are known.
    """

    def __init__(self, matrix, symmetry, options, progress, schur=None, order=None):
        self._arguments = (symmetry, options, progress)
        self._solver, self._arrays = make_solver(matrix, symmetry, options, progress)
        self._schur_order = set_variables(self._solver, schur, order)
        self._solver.ask(lib.analyze)

    __iter__ = None
    __contains__ = None

    def _live_solver(self):
        if self._solver is None:
            raise UsageError("the matrix has been factorized: ask the factorization, or analyse it again")
        return self._solver

    def __getitem__(self, name):
        return self._live_solver().figure(name)

    @property
    def figures(self):
        """dict : all figures that are known, by their names."""
        return known_figures(self._live_solver())

    def __reduce__(self):
        raise TypeError("what is only analysed cannot be pickled or copied: factorize it")

    def factorize(self):
        """Factorize the matrix that was analysed.

        Returns
        -------
        Factorization
            It takes the place of the analysis, which cannot be used after.
        """
        solver, self._solver = self._live_solver(), None
        return Factorization(solver, self._arrays, self._arguments, schur_order=self._schur_order)

    def __repr__(self):
        if self._solver is None:
            return "<frond.Analysis, factorized>"
        return (f"<frond.Analysis of order {self['n']}: {self['predicted_factor_flops']:.2e} flops, "
                f"{self['predicted_peak_bytes'] / 1e6:.1f} MB at the peak>")


def known_figures(solver):
    """All figures that are known, by their names."""
    solver.live_handle()
    figures = {}
    for name in lib.names_of(lib.figure_name):
        try:
            figures[name] = solver.figure(name)
        except UsageError:
            pass  # not known
    return figures


class Factorization:
    """A factorized matrix. Any number of threads may solve with it.

    Made by `frond.factorize`, `frond.load`, or from a pickle. ``factorization["backward_error"]`` and the like are figures of the
    factorization and of the last solve of this thread; `figures` has all that are known. It can be used in a ``with`` statement,
    which gives its memory back when no thread uses it any more. It keeps a copy of the matrix.

    With ``schur`` of `frond.factorize`, every answer but that of `solve` is about the variables that are eliminated.
    """

    __iter__ = None
    __contains__ = None

    def __init__(self, solver, arrays, arguments, is_loaded=False, schur_order=0):
        self._solver = solver
        self._arrays = arrays
        self._arguments = arguments
        self._schur_order = schur_order
        if not is_loaded:
            check_factors(solver, solver.call(lib.factorize))

    # What it is of.

    @property
    def shape(self):
        """tuple of int : of the matrix."""
        return (self._arrays.order, self._arrays.order)

    @property
    def dtype(self):
        """numpy.dtype : of the matrix and of solutions with right-hand sides that are no more than that."""
        return self._arrays.dtype

    @property
    def nnz(self):
        """int : entries of the factors."""
        return self["factor_entries"]

    def __getitem__(self, name):
        return self._solver.figure(name)

    @property
    def figures(self):
        """dict : all figures that are known, by their names."""
        return known_figures(self._solver)

    @property
    def is_singular(self):
        """bool : whether the matrix is proved to be singular, to rounding."""
        return self["rank_verdict"] in ("singular", "structurally_singular")

    @property
    def inertia(self):
        """tuple of int : numbers of positive, negative and zero eigenvalues, of a real symmetric or a Hermitian matrix. Those that
        count as zero cannot be distinguished from it: see ``["rank_verdict"]``."""
        counts = [ctypes.c_int64() for _sign in range(3)]
        self._solver.check(lib.inertia(self._solver.live_handle(), *map(ctypes.byref, counts)))
        return tuple(count.value for count in counts)

    def slogdet(self):
        """Sign and logarithm of the magnitude of the determinant, as `numpy.linalg.slogdet` has them.

        Returns
        -------
        sign : float or complex
            0 if the matrix is singular.
        logabsdet : float
            ``-inf`` if the matrix is singular.

        Raises
        ------
        RankInDoubtError
            If the determinant cannot be distinguished from 0, and it is not proved that it is.
        """
        try:
            mantissa = complex(self["determinant_real"], self["determinant_imaginary"])
        except UsageError:
            if self["rank_verdict"] == "in_doubt":
                raise RankInDoubtError(f"it is not proved that the determinant is 0: the rank is from {self['rank_lowest']} to "
                                       f"{self['rank_highest']}") from None
            raise
        size = abs(mantissa)
        if size == 0:
            return (0.0, -np.inf)
        sign = mantissa / size
        return (sign if self.dtype.kind == "c" else sign.real, np.log(size) + self["determinant_exponent"] * np.log(2.0))

    def logdet(self):
        """Natural logarithm of the determinant, of a matrix whose determinant is positive.

        Returns
        -------
        float
        """
        sign, logarithm = self.slogdet()
        if sign != 1:
            raise UsageError(f"the determinant is not positive (its sign is {sign}): ask slogdet()")
        return logarithm

    # Solutions.

    def solve(self, b, trans="N", out=None):
        """Solve op(A) x = b.

        Parameters
        ----------
        b : array_like or sparse matrix
            One right-hand side, or columns of several. A complex `b` with a real matrix is solved for both parts.
        trans : {'N', 'T', 'H'}
            A, its transpose, or its adjoint.
        out : ndarray, optional
            Where solutions go: of the shape of `b`, of the type of the matrix, contiguous as columns.

        Returns
        -------
        x : ndarray or sparse matrix
            Of the shape of `b`; sparse if `b` is.

        Raises
        ------
        SingularMatrixError
            Its attribute `x` solves the equations that are left.
        RankInDoubtError, UsageError, OutOfMemoryError

        Warns
        -----
        AccuracyWarning
            If a backward error is above the target.
        """
        operation = _operation(trans)
        if sparse.issparse(b):
            if out is not None:
                raise UsageError("out takes dense solutions, but b is sparse")
            return self._solve_sparse(b, operation)
        b = np.asarray(b)
        if b.dtype.kind == "c" and self.dtype.kind != "c":
            if out is not None:
                raise UsageError("out takes real solutions, but b is complex")
            return self.solve(b.real, trans) + 1j * self.solve(b.imag, trans)
        columns = dense_sides(b, self._arrays.order, self.dtype)
        x, status = solve_columns(self._solver, columns, operation, self._room(out, b.shape), is_factorized=True)
        judge(self._solver, status, x)
        return x

    __call__ = solve

    def _room(self, out, shape):
        if out is None:
            return None
        if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != self.dtype or not out.flags.f_contiguous \
                or not out.flags.writeable:
            raise UsageError(f"out is to be an array of the shape {shape} and the type {self.dtype}, contiguous as columns, that may be "
                             f"written to")
        return out

    def _solve_sparse(self, b, operation):
        if b.dtype.kind == "c" and self.dtype.kind != "c":
            return self._solve_sparse(b.real, operation) + 1j * self._solve_sparse(b.imag, operation)
        columns = b.tocsc()
        if columns.shape[0] != self._arrays.order:
            raise UsageError(f"right-hand sides have the shape {b.shape}, but the matrix has {self._arrays.order} rows")
        offsets = np.ascontiguousarray(columns.indptr, np.int64)
        rows, values = entries_of(offsets, columns.indices, columns.data, columns.shape[1])
        rows, values = np.ascontiguousarray(rows, np.int32), np.ascontiguousarray(values, self.dtype)
        x = np.empty(columns.shape, self.dtype, order="F")
        status = self._solver.call(lib.solve_sparse, operation, columns.shape[1], address(offsets), address(rows), address(values),
                                   address(x), max(1, columns.shape[0]))
        judge(self._solver, status, x)
        return type(b)(x)

    def refactorize(self, matrix):
        """Factorize other values of the same pattern, whose analysis stays; another pattern is analysed.

        Parameters
        ----------
        matrix : sparse matrix, or ndarray of values
            Values alone, a vector, come in the order of the entries of the matrix that was given, all of them. Of an array of two
            dimensions those that are not zero are the entries.

        Returns
        -------
        Factorization
            This one.

        Notes
        -----
        Values that are refused (as many as there are not to be, infinite, NaN) leave the factors as they were. Other exceptions leave
        the matrix, but not its factors: the next solve computes them again.
        """
        if not sparse.issparse(matrix):
            matrix = np.asarray(matrix)
            if matrix.ndim == 1:
                return self._factorize_values(self._arrays.values_from(matrix))
        symmetry = _symmetry(self._arguments[0])[0]
        given = Arrays(matrix, self.dtype, symmetry != 0)
        if given.has_pattern_of(self._arrays):
            return self._factorize_values(given.values)
        self._solver.give(given.own(), symmetry)
        self._arrays = given
        check_factors(self._solver, self._solver.call(lib.factorize))
        return self

    def _factorize_values(self, values):
        """Factorizes values in the order of the arrays, which keep a copy of those that the library keeps."""
        status = self._solver.call(lib.refactorize, values.size, address(values))
        if status >= 0:
            self._arrays.values = values.copy()
        check_factors(self._solver, status)
        return self

    def as_linear_operator(self):
        """The inverse as a linear operator: ``OPinv`` of `scipy.sparse.linalg.eigsh`, ``M`` of its iterative solvers.

        Returns
        -------
        scipy.sparse.linalg.LinearOperator
        """
        return scipy.sparse.linalg.LinearOperator(self.shape, dtype=self.dtype, matvec=self.solve, matmat=self.solve,
                                                  rmatvec=lambda b: self.solve(b, "H"), rmatmat=lambda b: self.solve(b, "H"))

    # Other answers.

    def inverse_diagonal(self, refined=False):
        """The diagonal of the inverse, without computing the rest of it.

        Parameters
        ----------
        refined : bool
            Refine and check all columns, and not a few of them.

        Returns
        -------
        ndarray

        Warns
        -----
        AccuracyWarning
            If the backward error of a column is above the target; its attribute `x` has the entries.
        """
        diagonal = np.empty(self._arrays.order, self.dtype)
        self._check_inverse(self._solver.call(lib.inverse_diagonal, int(refined), address(diagonal)), diagonal)
        return diagonal

    def _check_inverse(self, status, values):
        """Warns where entries are not accurate."""
        if status == lib.ACCURACY_MISSED:
            _warn(self._solver.said(), values)
        else:
            self._solver.check(status)

    def inverse_entries(self, pattern, refined=False):
        """Entries of the inverse at the places of the entries of a sparse matrix.

        Parameters
        ----------
        pattern : sparse matrix
        refined : bool
            As for `inverse_diagonal`.

        Returns
        -------
        csc_matrix

        Warns
        -----
        AccuracyWarning
            If the backward error of a column is above the target; its attribute `x` has the entries.
        """
        columns = sparse.csc_matrix(pattern)
        if columns.shape != self.shape:
            raise UsageError(f"the pattern has the shape {columns.shape}, but the inverse {self.shape}")
        columns.sum_duplicates()
        offsets = np.ascontiguousarray(columns.indptr, np.int64)
        rows = np.ascontiguousarray(columns.indices, np.int32)
        values = np.empty(rows.size, self.dtype)
        self._check_inverse(self._solver.call(lib.inverse_entries, int(refined), address(offsets), address(rows), address(values)), values)
        return sparse.csc_matrix((values, columns.indices, columns.indptr), self.shape)

    def null_space(self, trans="N"):
        """An orthonormal basis of the vectors z with op(A) z = 0.

        Returns
        -------
        ndarray
            With a column for each; none if the matrix is not singular.
        """
        n = self._arrays.order
        dimension = ctypes.c_int32()
        capacity = max(0, n - self["rank_highest"])  # enough, as a rule
        while True:
            basis = np.empty((n, capacity), self.dtype, order="F")
            self._solver.ask(lib.null_space, _operation(trans), capacity, address(basis), max(1, n), ctypes.byref(dimension))
            if dimension.value <= capacity:
                return basis[:, :dimension.value]
            capacity = dimension.value

    def schur_complement(self):
        """The Schur complement of the variables that ``schur`` of `frond.factorize` keeps, in their order.

        Returns
        -------
        ndarray
        """
        order = self._kept()
        complement = np.empty((order, order), self.dtype, order="F")
        self._solver.ask(lib.schur_complement, address(complement), order)
        return complement

    def _kept(self):
        """How many variables the Schur complement has."""
        if self._schur_order == 0:
            raise UsageError("there is no Schur complement: name its variables by schur= of frond.factorize()")
        return self._schur_order

    def condense(self, b, trans="N"):
        """The right-hand sides of the Schur complement that belong to `b`."""
        columns = dense_sides(b, self._arrays.order, self.dtype)
        condensed = np.empty((self._kept(), *columns.shape[1:]), self.dtype, order="F")
        self._solver.ask(lib.condense, _operation(trans), count_of(columns), address(columns), columns.shape[0], address(condensed),
                         self._kept())
        return condensed

    def expand(self, b, x2, trans="N"):
        """The solution of all variables, if `x2` solves the condensed equations of `b`."""
        columns = dense_sides(b, self._arrays.order, self.dtype)
        kept = dense_sides(x2, self._kept(), self.dtype, "x2 has")
        if count_of(kept) != count_of(columns):
            raise UsageError(f"b has {count_of(columns)} columns, but x2 has {count_of(kept)}")
        x = np.empty(columns.shape, self.dtype, order="F")
        rows = columns.shape[0]
        self._solver.ask(lib.expand, _operation(trans), count_of(columns), address(columns), rows, address(kept), self._kept(),
                         address(x), rows)
        return x

    def solve_part(self, part, b, trans="N"):
        """Solve with one factor of A = lower * diagonal * upper: with ``'lower'`` of Cholesky and ``trans='H'``, random normal `b`
        become samples whose covariance is the inverse of A.

        Parameters
        ----------
        part : {'lower', 'diagonal', 'upper'}
        """
        parts = {"lower": 0, "diagonal": 1, "upper": 2}
        if part not in parts:
            raise UsageError(f"part is {part!r}: give 'lower', 'diagonal' or 'upper'")
        columns = dense_sides(b, self._arrays.order, self.dtype)
        x = np.array(columns, order="F")
        self._solver.ask(lib.solve_part, parts[part], _operation(trans), count_of(x), address(x), max(1, x.shape[0]))
        return x

    # Factors that outlive the process.

    def save(self, path):
        """Write the factors to a file, without the matrix; `frond.load` reads them."""
        self._solver.ask(lib.save, lib.path_bytes(path))

    def to_bytes(self):
        """bytes : the factors, without the matrix."""
        address_of_bytes = ctypes.c_void_p()
        length = ctypes.c_int64()
        self._solver.ask(lib.save_to_memory, ctypes.byref(address_of_bytes), ctypes.byref(length))
        try:
            return ctypes.string_at(address_of_bytes, length.value)
        finally:
            lib.free(address_of_bytes)

    def __reduce__(self):
        arrays = self._arrays
        symmetry, options, _progress = self._arguments
        state = {"kind": arrays.kind, "order": arrays.order, "first": arrays.first, "second": arrays.second, "values": arrays.values,
                 "kept": arrays.kept, "symmetry": symmetry, "options": options}
        return (_from_pickle, (state, self.to_bytes()))

    def close(self):
        """Give the memory back; the factorization cannot be used after."""
        self._solver.close()

    def __enter__(self):
        self._solver.live_handle()
        return self

    def __exit__(self, *_exception):
        self.close()

    def __repr__(self):
        if self._solver.handle is None:
            return "<frond.Factorization, closed>"
        try:
            return (f"<frond.Factorization of order {self._arrays.order} by {self['method']}: {self.nnz} entries, "
                    f"{self['factor_bytes'] / 1e6:.1f} MB>")
        except UsageError:  # the last one has failed
            return f"<frond.Factorization of order {self._arrays.order}, without factors>"


def loaded(arrays, symmetry, options, load, *arguments):
    """A factorization whose factors load(solver, arguments) reads."""
    solver = solver_of(arrays, symmetry, options)
    check_factors(solver, solver.call(load, *arguments))
    return Factorization(solver, arrays, (symmetry, options, None), is_loaded=True)


def _from_pickle(state, factors):
    arrays = Arrays.__new__(Arrays)
    for name in ("kind", "order", "first", "second", "values", "kept"):
        setattr(arrays, name, state[name])
    arrays.dtype = arrays.values.dtype
    return loaded(arrays, state["symmetry"], state["options"], lib.load_from_memory, factors, len(factors))


def result_type(matrix, b):
    """The type in which A x = b is solved in one call: the wider one of both."""
    if matrix.dtype == b.dtype and b.dtype in SCALARS:
        return b.dtype
    return scalar_type(np.promote_types(scalar_type(matrix.dtype), scalar_type(b.dtype)))

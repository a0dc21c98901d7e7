# SPDX-License-Identifier: BSD-3-Clause
"""The functions of the package."""
import numpy as np
import scipy.sparse as sparse

from . import _library as lib
from ._errors import SingularMatrixError, UsageError
from ._factorization import Analysis, Factorization, judge, loaded, make_solver, result_type, set_variables, solve_columns
from ._factorization import _operation, _symmetry
from ._matrix import Arrays, dense_sides


def solve(A, b, *, trans="N", symmetry="detect", progress=None, **options):
    """Solve A x = b for a sparse matrix A.

    Parameters
    ----------
    A : sparse matrix
        Square; of any format of SciPy, a matrix or an array, with indices of 32 or 64 bits. Integers become float64. Entries that are
        zero are left out; `frond.factorize` keeps their places for other values.
    b : array_like or sparse matrix
        One right-hand side, or columns of several.
    trans : {'N', 'T', 'H'}
        Solve with A, its transpose, or its adjoint.
    symmetry : {'detect', 'general', 'symmetric', 'hermitian', 'skew-symmetric'}
        What A is: what its values say, exactly; nothing in particular; or so: then one triangle is looked at, the
        lower one unless there is nothing below the diagonal.
    progress : bool or callable, optional
        Show the progress of the factorization in a terminal, or call ``progress(fraction)``, which may raise an exception to end it.
    **options
        Options of the solver, such as ``threads=4``, ``method='ldlt'``, ``ordering='metis'``, ``pivot_threshold=0.1``,
        ``error_bounds='first'``, ``memory_limit='2GB'``, ``time_limit=60``; `frond.options` lists them.

    Returns
    -------
    x : ndarray or sparse matrix
        Of the shape of `b`, in the wider precision of `A` and `b`; sparse if `b` is.

    Raises
    ------
    SingularMatrixError
        Also a `numpy.linalg.LinAlgError`; its attribute `x` solves the equations that are left.
    RankInDoubtError, NotPositiveDefiniteError, UsageError, OutOfMemoryError, StoppedError

    Warns
    -----
    AccuracyWarning
        If a backward error is above the target.

    Examples
    --------
    >>> import frond, numpy as np, scipy.sparse as sparse
    >>> A = sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(5, 5), format="csc")
    >>> x = frond.solve(A, np.ones(5))
    >>> bool(np.allclose(A @ x, 1))
    True
    """
    if not sparse.issparse(A):
        A = sparse.csc_matrix(np.atleast_2d(np.asarray(A)))
    is_sparse = sparse.issparse(b)
    if not is_sparse:
        b = np.asarray(b)
    dtype = result_type(A, b)
    if is_sparse or (dtype.kind == "c" and A.dtype.kind != "c"):  # a real matrix needs no complex factors
        own = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" and A.dtype.kind != "c" else dtype
        solver, arrays = make_solver(A, symmetry, options, progress, own, is_kept=False)
        with Factorization(solver, arrays, (symmetry, options, progress)) as factorization:
            return factorization.solve(b, trans)
    operation = _operation(trans)
    solver, arrays = make_solver(A, symmetry, options, progress, dtype, is_kept=False)
    try:
        columns = dense_sides(b, arrays.order, dtype)
        x, status = solve_columns(solver, columns, operation)
        judge(solver, status, x)
        return x
    finally:
        solver.close()


def factorize(A, *, symmetry="detect", schur=None, order=None, progress=None, **options):
    """Factorize a sparse matrix, to solve with it any number of times.

    Parameters
    ----------
    A, symmetry, progress, **options
        As for `frond.solve`.
    schur : sequence of int, optional
        Variables that are not eliminated, but kept for a Schur complement.
    order : sequence of int, optional
        The variables in the order in which they are to be eliminated.

    Returns
    -------
    Factorization

    Examples
    --------
    >>> import frond, numpy as np, scipy.sparse as sparse
    >>> A = sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(5, 5), format="csc")
    >>> with frond.factorize(A, symmetry="symmetric") as factorization:
    ...     x = factorization.solve(np.ones(5))
    ...     print(factorization["method"], factorization.inertia)
    cholesky (5, 0, 0)
    """
    solver, arrays = make_solver(A, symmetry, options, progress)
    schur_order = set_variables(solver, schur, order)
    return Factorization(solver, arrays, (symmetry, options, progress), schur_order=schur_order)


def analyze(A, *, symmetry="detect", schur=None, order=None, progress=None, **options):
    """Order a matrix and predict what its factorization will cost, without doing it.

    Parameters
    ----------
    A, symmetry, schur, order, progress, **options
        As for `frond.factorize`.

    Returns
    -------
    Analysis
        ``analysis["predicted_peak_bytes"]``, ``analysis["predicted_factor_flops"]`` and so on; ``analysis.factorize()`` goes on.
    """
    return Analysis(A, symmetry, options, progress, schur, order)


def load(path, A, *, symmetry="detect", **options):
    """Read factors that `Factorization.save` has written.

    Parameters
    ----------
    path : path-like
    A : sparse matrix
        The one that was factorized, of the same format.
    symmetry, **options
        As for `frond.solve`.

    Returns
    -------
    Factorization
    """
    code = lib.path_bytes(path)
    with open(code, "rb"):  # or else an OSError of Python's
        arrays = Arrays(A, None, _symmetry(symmetry)[0] != 0).own()
    return loaded(arrays, symmetry, options, lib.load, code)


_ORDERS_OF_SUPERLU = (None, "NATURAL", "MMD_ATA", "MMD_AT_PLUS_A", "COLAMD")


class SuperLU:
    """What `scipy.sparse.linalg.splu` returns, as far as Frond has it: `solve`, `shape` and `nnz`."""

    def __init__(self, factorization):
        self._factorization = factorization
        self.shape = factorization.shape
        self.nnz = factorization.nnz

    def solve(self, rhs, trans="N"):
        """Solve op(A) x = rhs."""
        return self._factorization.solve(rhs, trans)


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None, **frond_options):
    """Factorize A with the signature of `scipy.sparse.linalg.splu`.

    `diag_pivot_thresh` is the pivot threshold; `permc_spec` ``'NATURAL'`` keeps the order of the columns; what concerns SuperLU
    alone (`relax`, `panel_size`, `options` and other orders) has no effect. L and U cannot be had as matrices: see
    `Factorization.solve_part`.

    Raises
    ------
    SingularMatrixError
        A RuntimeError, as SciPy raises, and a `numpy.linalg.LinAlgError`.
    """
    del relax, panel_size, options
    if permc_spec not in _ORDERS_OF_SUPERLU:
        raise UsageError(f"permc_spec is {permc_spec!r}: give one of {', '.join(_ORDERS_OF_SUPERLU[1:])}")
    if permc_spec == "NATURAL":
        frond_options.setdefault("ordering", "natural")
    if diag_pivot_thresh is not None:
        frond_options.setdefault("pivot_threshold", diag_pivot_thresh)
    return SuperLU(_regular(factorize(A, **frond_options)))


def _regular(factorization):
    """The factorization, unless it is of a singular matrix."""
    if factorization.is_singular:
        rank = factorization["rank_highest"]
        factorization.close()
        raise SingularMatrixError(f"the matrix is singular: its rank is {rank}")
    return factorization


def factorized(A, **options):
    """A function that solves A x = b, as `scipy.sparse.linalg.factorized` returns.

    Parameters
    ----------
    A, **options
        As for `frond.factorize`.

    Returns
    -------
    callable

    Raises
    ------
    SingularMatrixError
    """
    return _regular(factorize(A, **options)).solve


def options():
    """The options of the solver: a dict from their names, as Python writes them, to what they can be and what they are for.

    Returns
    -------
    dict of str to tuple of str
    """
    return {
        name.replace("-", "_"): (lib.option_values(name.encode()).decode(), lib.option_meaning(name.encode()).decode())
        for name in lib.names_of(lib.option_name)
    }


def figures():
    """The figures that an `Analysis` and a `Factorization` have, with their types and what they mean.

    Returns
    -------
    dict of str to tuple of str
    """
    return {
        name: (lib.figure_type(name.encode()).decode(), lib.figure_meaning(name.encode()).decode())
        for name in lib.names_of(lib.figure_name)
    }


def show_config():
    """Print the version of Frond, the library that is used, and where it comes from."""
    print(f"Frond {lib.version().decode()}\nlibrary: {lib.library_path}\nNumPy {np.__version__}")

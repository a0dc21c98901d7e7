# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong, as exceptions that NumPy's and Python's own handlers catch, too."""
from numpy.linalg import LinAlgError


class FrondError(Exception):
    """The root of all that Frond raises; the text names the cause, the numbers and the remedy."""


class UsageError(FrondError, ValueError):
    """Arguments that cannot be meant: shapes, names of options, values that are not finite."""


class InputError(FrondError, ValueError):
    """What is read is damaged, or is of another matrix."""


class OutputError(FrondError, OSError):
    """A file cannot be written."""


class OutOfMemoryError(FrondError, MemoryError):
    """The system, or the option ``memory_limit``, does not grant enough."""


class StoppedError(FrondError, RuntimeError):
    """The option ``time_limit`` has ended the call."""


class InternalError(FrondError, RuntimeError):
    """A defect of Frond: please report it."""


class SingularMatrixError(FrondError, LinAlgError, RuntimeError):
    """The matrix is singular, as far as its entries are known: to rounding. `x` is the solution of the equations that are left, if one
    was asked for. Also a RuntimeError, as SciPy raises."""

    x = None


class NotPositiveDefiniteError(FrondError, LinAlgError):
    """Cholesky was asked for, and the matrix is not positive definite."""


class RankInDoubtError(FrondError, LinAlgError):
    """It is not proved whether the matrix is singular."""


class AccuracyWarning(UserWarning):
    """A backward error is above the target; `x` has the answer."""

    x = None

# SPDX-License-Identifier: BSD-3-Clause
"""Frond solves sparse systems of linear equations by factorization, on all cores, and says how good each answer is.

>>> import frond, numpy as np, scipy.sparse as sparse
>>> A = sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(5, 5), format="csc")
>>> x = frond.solve(A, np.ones(5))

`factorize` serves many right-hand sides, `solve_batch` many matrices of one pattern, `analyze` predicts costs; `splu` and
`factorized` have the signatures of SciPy.
"""
from ._batch import solve_batch
from ._errors import (AccuracyWarning, FrondError, InputError, InternalError, NotPositiveDefiniteError, OutOfMemoryError, OutputError,
                      RankInDoubtError, SingularMatrixError, StoppedError, UsageError)
from ._factorization import Analysis, Factorization
from ._interface import (SuperLU, analyze, factorize, factorized, figures, load, options, show_config, solve, splu)
from ._library import version as _version

__version__ = _version().decode()

__all__ = [
    "AccuracyWarning", "Analysis", "Factorization", "FrondError", "InputError", "InternalError", "NotPositiveDefiniteError",
    "OutOfMemoryError", "OutputError", "RankInDoubtError", "SingularMatrixError", "StoppedError", "SuperLU", "UsageError", "analyze",
    "factorize", "factorized", "figures", "load", "options", "show_config", "solve", "solve_batch", "splu"
]

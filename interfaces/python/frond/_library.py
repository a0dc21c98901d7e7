# SPDX-License-Identifier: BSD-3-Clause
"""The shared library, and the types of the functions of its interface of C."""
import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_void_p

from . import _errors

_NAME = "libfrond.so.0"


def _load():
    """The library that the package contains, the one that FROND_LIBRARY names, or the one of the system."""
    named = os.environ.get("FROND_LIBRARY")
    inside = pathlib.Path(__file__).parent / "lib" / _NAME
    path = named or (str(inside) if inside.exists() else _NAME)
    try:
        return ctypes.CDLL(path), path
    except OSError as error:
        remedy = "install the wheel, which contains it, or libfrond0 of the Debian packages, or name the file by FROND_LIBRARY"
        raise ImportError(f"Frond's library cannot be loaded: {error}; {remedy}") from error


library, library_path = _load()

PROGRESS = ctypes.CFUNCTYPE(None, c_double, c_void_p)

_STATUS = c_int
_TEXT = POINTER(c_char_p)


def _declare(name, *arguments, result=_STATUS):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


version = _declare("frond_version", result=c_char_p)
create = _declare("frond_create", c_int, POINTER(c_void_p))
destroy = _declare("frond_destroy", c_void_p, result=None)
message = _declare("frond_message", c_void_p, result=c_char_p)
set_option = _declare("frond_set", c_void_p, c_char_p, c_char_p)
get_option = _declare("frond_get_option", c_void_p, c_char_p, _TEXT)
option_name = _declare("frond_option_name", c_int, result=c_char_p)
option_values = _declare("frond_option_values", c_char_p, result=c_char_p)
option_meaning = _declare("frond_option_meaning", c_char_p, result=c_char_p)
set_own_callbacks = _declare("frond_set_own_callbacks", c_void_p, c_void_p, c_void_p, c_void_p)
stop_if_set = ctypes.cast(library.frond_stop_if_set, c_void_p)
set_columns = {
    4: _declare("frond_set_columns", c_void_p, c_int32, c_int, c_void_p, c_void_p, c_void_p),
    8: _declare("frond_set_columns_64", c_void_p, c_int64, c_int, c_void_p, c_void_p, c_void_p),
}
set_rows = {
    4: _declare("frond_set_rows", c_void_p, c_int32, c_int, c_void_p, c_void_p, c_void_p),
    8: _declare("frond_set_rows_64", c_void_p, c_int64, c_int, c_void_p, c_void_p, c_void_p),
}
set_triplets = {
    4: _declare("frond_set_triplets", c_void_p, c_int32, c_int, c_int64, c_void_p, c_void_p, c_void_p),
    8: _declare("frond_set_triplets_64", c_void_p, c_int64, c_int, c_int64, c_void_p, c_void_p, c_void_p),
}
set_values = _declare("frond_set_values", c_void_p, c_int64, c_void_p)
set_order = _declare("frond_set_order", c_void_p, c_void_p)
set_schur_variables = _declare("frond_set_schur_variables", c_void_p, c_int32, c_void_p)
analyze = _declare("frond_analyze", c_void_p)
factorize = _declare("frond_factorize", c_void_p)
solve = _declare("frond_solve", c_void_p, c_int, c_int32, c_void_p, c_int64, c_void_p, c_int64)
solve_sparse = _declare("frond_solve_sparse", c_void_p, c_int, c_int32, c_void_p, c_void_p, c_void_p, c_void_p, c_int64)
solve_batch = _declare("frond_solve_batch", c_void_p, c_int, c_int64, c_void_p, c_int32, c_void_p, c_int64, c_void_p, c_int64, c_void_p,
                       c_void_p)
get_real = _declare("frond_get_real", c_void_p, c_char_p, POINTER(c_double))
get_integer = _declare("frond_get_integer", c_void_p, c_char_p, POINTER(c_int64))
get_text = _declare("frond_get_text", c_void_p, c_char_p, _TEXT)
get_integers = _declare("frond_get_integers", c_void_p, c_char_p, c_int64, c_void_p, POINTER(c_int64))
get_reals = _declare("frond_get_reals", c_void_p, c_char_p, c_int64, c_void_p, POINTER(c_int64))
inertia = _declare("frond_inertia", c_void_p, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64))
figure_name = _declare("frond_figure_name", c_int, result=c_char_p)
figure_type = _declare("frond_figure_type", c_char_p, result=c_char_p)
figure_meaning = _declare("frond_figure_meaning", c_char_p, result=c_char_p)
inverse_diagonal = _declare("frond_inverse_diagonal", c_void_p, c_int, c_void_p)
inverse_entries = _declare("frond_inverse_entries", c_void_p, c_int, c_void_p, c_void_p, c_void_p)
null_space = _declare("frond_null_space", c_void_p, c_int, c_int32, c_void_p, c_int64, POINTER(c_int32))
schur_complement = _declare("frond_schur_complement", c_void_p, c_void_p, c_int64)
condense = _declare("frond_condense", c_void_p, c_int, c_int32, c_void_p, c_int64, c_void_p, c_int64)
expand = _declare("frond_expand", c_void_p, c_int, c_int32, c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_int64)
solve_part = _declare("frond_solve_part", c_void_p, c_int, c_int, c_int32, c_void_p, c_int64)
save = _declare("frond_save", c_void_p, c_char_p)
load = _declare("frond_load", c_void_p, c_char_p)
save_to_memory = _declare("frond_save_to_memory", c_void_p, POINTER(c_void_p), POINTER(c_int64))
load_from_memory = _declare("frond_load_from_memory", c_void_p, c_void_p, c_int64)
free = _declare("frond_free", c_void_p, result=None)

SUCCESS, ACCURACY_MISSED, SINGULAR, NOT_POSITIVE_DEFINITE, RANK_IN_DOUBT = range(5)
STOPPED = -5

_EXCEPTIONS = {
    SINGULAR: _errors.SingularMatrixError,
    NOT_POSITIVE_DEFINITE: _errors.NotPositiveDefiniteError,
    RANK_IN_DOUBT: _errors.RankInDoubtError,
    -1: _errors.UsageError,
    -2: _errors.InputError,
    -3: _errors.OutputError,
    -4: _errors.OutOfMemoryError,
    STOPPED: _errors.StoppedError,
    -7: _errors.InternalError,
}


class Handle(c_void_p):
    """A pointer to a solver, which is destroyed with it: not before the last call that has got it returns."""

    def __del__(self, _destroy=destroy):
        if self:
            _destroy(self)


def path_bytes(path):
    """A path of any kind as the library takes it."""
    code = os.fsencode(path)
    if b"\0" in code:
        raise _errors.UsageError(f"the path {path!r} has a NUL in it")
    return code


def exception(handle, status, text=None):
    """The exception of a call with this solver that has come to a status other than SUCCESS and ACCURACY_MISSED. `text` is what the
    solver has said of it, unless that can still be asked."""
    if text is None:
        text = message(handle)
    return _EXCEPTIONS.get(status, _errors.InternalError)(text.decode())


def names_of(name_at):
    """All names of a list of the library."""
    names = []
    while (name := name_at(len(names))) is not None:
        names.append(name.decode())
    return names

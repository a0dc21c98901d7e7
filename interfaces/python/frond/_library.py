# SPDX-License-Identifier: BSD-3-Clause
"""The shared library with the functions of its interface of C, whose signatures are those of frond.h."""
import ctypes
import os
import pathlib
import re
from ctypes import c_char_p, c_double, c_int, c_int32, c_int64, c_void_p

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

# Other pointers are void*: what is passed for them may be an address.
_TYPES = {
    "void": None, "int": c_int, "frond_status": c_int, "int32_t": c_int32, "int64_t": c_int64, "double": c_double,
    "const char*": c_char_p, "frond_progress": c_void_p, "frond_stop": c_void_p,
}


def _type_of(name):
    return c_void_p if name.endswith("*") and name not in _TYPES else _TYPES[name]


def _declare_functions():
    """Takes the signatures from frond.h, which lies beside this file; frond_NAME becomes NAME of this module."""
    header = (pathlib.Path(__file__).parent / "frond.h").read_text(encoding="utf-8")
    for result, function_name, parameters in re.findall(r"^FROND_C_API ([^;()]*[ *])(frond_\w+)\(([^;()]*)\);", header, re.MULTILINE):
        function = getattr(library, function_name)
        function.restype = _type_of(result.strip())
        function.argtypes = [_type_of(name.strip()) for name in re.findall(r"([^,]*[ *])\w+", parameters)]
        globals()[function_name.removeprefix("frond_")] = function


_declare_functions()


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

    def __del__(self, _destroy=library.frond_destroy):
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
        text = library.frond_message(handle)
    return _EXCEPTIONS.get(status, _errors.InternalError)(text.decode())


def names_of(name_at):
    """All names of a list of the library."""
    names = []
    while (name := name_at(len(names))) is not None:
        names.append(name.decode())
    return names

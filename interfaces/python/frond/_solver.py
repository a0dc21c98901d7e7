# SPDX-License-Identifier: BSD-3-Clause
"""A solver of the library with what Python expects of it: exceptions, options by keyword, Ctrl-C, progress."""
import ctypes
import os
import signal
import socket
import sys
import threading

import numpy as np

from . import _library as lib
from ._errors import UsageError

_END = b"\0"  # no signal has this number

# Below so many entries a call is over before anybody can press Ctrl-C.
_FEW_ENTRIES = 50_000


def option_words(name, value):
    """What an option is set to: True and False become what it has for them, the rest is as it is written."""
    if isinstance(value, bool):
        words = (lib.option_values(name) or b"").split(b"|")
        word = b"always" if value else b"never"
        return word if word in words else b"%d" % value
    return str(value).encode()


class Solver:
    """Owns a solver of the library. Calls of several threads are side by side as far as the library allows it."""

    __slots__ = ("handle", "dtype", "order", "num_entries", "progress_range", "_progress", "_text", "__weakref__")

    def __init__(self, scalar, dtype, options, progress):
        self.handle = None
        handle = ctypes.c_void_p()
        status = lib.create(scalar, ctypes.byref(handle))
        if status != lib.SUCCESS:
            raise lib.exception(None, status)
        self.handle = handle.value
        self.dtype = dtype
        self.order = 0
        self.num_entries = 0
        self.progress_range = [0, 1]  # of the whole, that a call is
        self._progress = None
        self._text = None
        for name, value in options.items():
            if value is not None:
                code = name.replace("_", "-").encode()
                self.check(lib.set_option(self.handle, code, option_words(code, value)))
        if progress:
            self._show_progress(progress)

    def __del__(self):
        self.close()

    def close(self):
        """Gives memory back; nothing can be called after."""
        handle, self.handle = self.handle, None
        if handle is not None:
            lib.destroy(handle)

    def live_handle(self):
        if self.handle is None:
            raise UsageError("the factorization has been closed")
        return self.handle

    def check(self, status):
        """Raises the exception of a status below zero, or of a matrix that cannot be solved with."""
        if status not in (lib.SUCCESS, lib.ACCURACY_MISSED):
            raise self.exception(status)
        return status

    def give(self, arrays, symmetry):
        """Sets the matrix."""
        self.check(arrays.give(self.live_handle(), symmetry))
        self.order = arrays.order
        self.num_entries = arrays.values.size

    def call(self, function, *arguments, entries=None):
        """The status of function(handle, ...), which Ctrl-C ends where it may take as long as factorizing `entries`, of the matrix."""
        handle = self.live_handle()
        if (self.num_entries if entries is None else entries) < _FEW_ENTRIES or threading.current_thread() is not threading.main_thread():
            return function(handle, *arguments)
        return self._interruptible(function, handle, *arguments)

    def _interruptible(self, function, *arguments):
        """Python raises KeyboardInterrupt when the call has returned: another thread hears of the signal and ends the call."""
        flag = ctypes.c_int(0)
        with _Interrupts(flag):
            lib.set_stop(self.handle, lib.stop_if_set, ctypes.addressof(flag))
            try:
                status = function(*arguments)
            finally:
                text = lib.message(self.handle)
                lib.set_stop(self.handle, None, None)
        if flag.value:
            raise KeyboardInterrupt
        self._text = text if status != lib.SUCCESS else None
        return status

    def said(self):
        """What the last call of this thread came to. After one that was interruptible the library says nothing any more, and after
        another one it does."""
        return lib.message(self.handle) or self._text or b""

    def exception(self, status):
        """The exception of the last call of this thread."""
        return lib.exception(self.handle, status, self.said())

    def _show_progress(self, progress):
        """Tells a function, or a terminal."""
        tell = progress if callable(progress) else _terminal_progress(sys.stderr)
        part = self.progress_range

        def tell_of_whole(fraction, _context):
            begin, end = part
            tell(begin + fraction * (end - begin))

        self._progress = lib.PROGRESS(tell_of_whole)
        self.check(lib.set_progress(self.handle, self._progress, None))

    def figure(self, name):
        """A figure of the library by its name; raises UsageError where it is not known, KeyError where there is none."""
        code = name.encode()
        kind = lib.figure_type(code)
        handle = self.live_handle()
        if kind is None:
            raise KeyError(name)
        if kind == b"real":
            value = ctypes.c_double()
            self.check(lib.get_real(handle, code, ctypes.byref(value)))
            return value.value
        if kind == b"integer":
            value = ctypes.c_int64()
            self.check(lib.get_integer(handle, code, ctypes.byref(value)))
            return value.value
        if kind == b"text":
            value = ctypes.c_char_p()
            self.check(lib.get_text(handle, code, ctypes.byref(value)))
            return value.value.decode()
        ask, dtype = (lib.get_integers, np.int64) if kind == b"integers" else (lib.get_reals, np.float64)
        length = ctypes.c_int64()
        self.check(ask(handle, code, 0, None, ctypes.byref(length)))
        values = np.empty(length.value, dtype)
        self.check(ask(handle, code, length.value, values.ctypes.data, ctypes.byref(length)))
        return values


class _Interrupts:
    """Sets a flag when SIGINT arrives, while it is entered: in the main thread only."""

    def __init__(self, flag):
        self._flag = flag
        self._heard, self._signals = socket.socketpair()
        self._signals.setblocking(False)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._before = -1

    def __enter__(self):
        self._before = signal.set_wakeup_fd(self._signals.fileno(), warn_on_full_buffer=False)
        self._listener.start()
        return self

    def __exit__(self, *_exception):
        signal.set_wakeup_fd(self._before)
        self._signals.send(_END)
        self._listener.join()
        self._signals.close()
        self._heard.close()

    def _listen(self):
        while (number := self._heard.recv(1)) != _END:
            if number[0] == signal.SIGINT:
                self._flag.value = 1
            if self._before != -1:
                os.write(self._before, number)  # of an event loop


def _terminal_progress(stream):
    """A function that draws a bar where people look, and nothing elsewhere."""
    if not stream.isatty():
        return lambda fraction: None
    width = 40

    def draw(fraction):
        done = min(width, int(width * fraction))
        stream.write(f"\rfactorize [{'#' * done}{'.' * (width - done)}] {100 * min(fraction, 1):3.0f} %")
        if fraction >= 1:
            stream.write("\n")
        stream.flush()

    return draw

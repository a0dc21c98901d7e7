# SPDX-License-Identifier: BSD-3-Clause
"""A solver of the library with what Python expects of it: exceptions, options by keyword, Ctrl-C, progress."""
import contextlib
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

# The types of figures that are no lists.
_SINGLE_FIGURES = {b"real": ctypes.c_double, b"integer": ctypes.c_int64, b"text": ctypes.c_char_p}

# Calls that may be made once more after they have been stopped.
_REPEATABLE = (lib.analyze, lib.factorize, lib.refactorize)


def option_words(name, value):
    """What an option is set to: True and False become what it has for them, the rest is as it is written."""
    if isinstance(value, bool):
        words = (lib.option_values(name) or b"").split(b"|")
        for word in (b"always", b"on") if value else (b"never", b"off"):
            if word in words:
                return word
        return b"%d" % value
    return str(value).encode()


class Solver:
    """Owns a solver of the library. Calls of several threads are side by side as far as the library allows it. A call keeps the
    handle: one that is closed lives until the last call has returned."""

    __slots__ = ("handle", "dtype", "order", "num_entries", "progress_range", "_tell", "_of_thread", "__weakref__")

    def __init__(self, scalar, dtype, options, progress):
        self.handle = lib.Handle()
        status = lib.create(scalar, ctypes.byref(self.handle))
        if status != lib.SUCCESS:
            raise lib.exception(None, status)
        self.dtype = dtype
        self.order = 0
        self.num_entries = 0
        self.progress_range = [0, 1]  # of the whole, that a call is
        self._tell = None
        self._of_thread = threading.local()
        for name, value in options.items():
            if value is not None:
                code = name.replace("_", "-").encode()
                self.check(lib.set(self.handle, code, option_words(code, value)))
        if progress is not None and progress is not False:
            self._tell = self._teller(progress)

    def close(self):
        """Gives memory back, once calls of other threads have ended; nothing can be called after."""
        self.handle = None

    def live_handle(self):
        handle = self.handle
        if handle is None:
            raise UsageError("the factorization has been closed")
        return handle

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
        is_short = (self.num_entries if entries is None else entries) < _FEW_ENTRIES
        if self._tell is None and (is_short or threading.current_thread() is not threading.main_thread()):
            return function(handle, *arguments)
        return self._watched(function, handle, arguments, not is_short)

    def _watched(self, function, handle, arguments, listens):
        """Another thread receives SIGINT and ends the call. Handlers run when it has returned: that of Python raises KeyboardInterrupt;
        after one that raises nothing, a call that can be repeated is."""
        watch = self._watch()
        watch.flag.value, watch.raised = 0, None
        listens = listens and threading.current_thread() is threading.main_thread() and (
            function in _REPEATABLE or signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        with _Interrupts(watch.flag) if listens else contextlib.nullcontext():
            lib.set_own_callbacks(handle, watch.progress, lib.stop_if_set, ctypes.addressof(watch.flag))
            try:
                status = function(handle, *arguments)
            finally:
                text = lib.message(handle)
                lib.set_own_callbacks(handle, None, None, None)
        if watch.raised is not None:
            raise watch.raised
        if status == lib.STOPPED and watch.flag.value:
            if function in _REPEATABLE and signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
                return self._watched(function, handle, arguments, listens)
            raise KeyboardInterrupt
        watch.text = text if status != lib.SUCCESS else None
        return status

    def ask(self, function, *arguments):
        """Makes a call as call() does, and raises the exception that its status means."""
        return self.check(self.call(function, *arguments))

    def said(self):
        """What the last call of this thread came to. After one that was interruptible the library says nothing any more, and after
        another one it does."""
        return lib.message(self.handle) or self._watch().text or b""

    def exception(self, status):
        """The exception of the last call of this thread."""
        return lib.exception(self.handle, status, self.said())

    def _watch(self):
        """The watch over the calls of this thread."""
        watch = getattr(self._of_thread, "watch", None)
        if watch is None:
            watch = self._of_thread.watch = _Watch(self._tell)
        return watch

    def _teller(self, progress):
        """Reports to a function, which may raise to end the call, or to a terminal."""
        if progress is not True and not callable(progress):
            raise UsageError(f"progress is {progress!r}: give True, or a function of the fraction that is done")
        tell = _terminal_progress(sys.stderr) if progress is True else progress
        part = self.progress_range

        def tell_of_whole(fraction):
            begin, end = part
            tell(begin + fraction * (end - begin))

        return tell_of_whole

    def figure(self, name):
        """A figure of the library by its name; raises UsageError where it is not known, KeyError where there is none."""
        if not isinstance(name, str):
            raise KeyError(name)
        code = name.encode()
        kind = lib.figure_type(code)
        handle = self.live_handle()
        if kind is None:
            raise KeyError(name)
        if kind in _SINGLE_FIGURES:
            ask, value = getattr(lib, "get_" + kind.decode()), _SINGLE_FIGURES[kind]()
            self.check(ask(handle, code, ctypes.byref(value)))
            return value.value.decode() if kind == b"text" else value.value
        ask, dtype = (lib.get_integers, np.int64) if kind == b"integers" else (lib.get_reals, np.float64)
        length = ctypes.c_int64()
        self.check(ask(handle, code, 0, None, ctypes.byref(length)))
        values = np.empty(length.value, dtype)
        self.check(ask(handle, code, length.value, values.ctypes.data, ctypes.byref(length)))
        return values


class _Watch:
    """Ends the calls of a thread: has a flag that the library asks, and what the caller's function has raised. The library points
    to it while a call runs, and longer if a signal comes at the wrong moment."""

    __slots__ = ("flag", "progress", "raised", "text")

    def __init__(self, tell):
        self.flag = ctypes.c_int(0)
        self.raised = None
        self.text = None  # of the last call

        def hear(fraction, _context):
            try:
                tell(fraction)
            except BaseException as error:  # raised again when the call has ended
                if self.raised is None:
                    self.raised = error
                self.flag.value = 1

        self.progress = None if tell is None else lib.PROGRESS(hear)


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
    if stream is None or not stream.isatty():
        return lambda fraction: None
    width = 40

    def draw(fraction):
        done = min(width, int(width * fraction))
        stream.write(f"\rfactorize [{'#' * done}{'.' * (width - done)}] {100 * min(fraction, 1):3.0f} %")
        if fraction >= 1:
            stream.write("\n")
        stream.flush()

    return draw

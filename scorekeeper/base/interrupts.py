"""Distinguish exceptions raised by signal handlers from those of the running code.

A signal handler runs in the main thread between two instructions of the running code. If it raises,
the traceback ends in the frame of the handler. Python's own handler of Ctrl-C is written in C and
leaves no frame, so :func:`marked_interrupts` replaces it by one written in Python.
"""

import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FrameType
from typing import Final

SIGNALS: Final = tuple(signal.valid_signals())


def is_from_signal(error: BaseException) -> bool:
    """Return whether a signal handler raised this exception, or may have raised it.

    That is: its traceback has a frame of a handler, or it is an unmarked `KeyboardInterrupt`.
    """
    if isinstance(error, KeyboardInterrupt) and _is_unmarked():
        return True
    handlers = {_code_of(signal.getsignal(number)) for number in SIGNALS} - {None}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


@contextmanager
def marked_interrupts() -> Iterator[None]:
    """Within the block, let Ctrl-C raise an exception that :func:`is_from_signal` recognizes."""
    if not _is_unmarked():
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_unmarked() -> bool:
    """Return whether Ctrl-C could raise a KeyboardInterrupt here that leaves no frame."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    return in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT like Python's own handler, but with a frame in the traceback."""
    raise KeyboardInterrupt


def _code_of(handler: object) -> CodeType | None:
    """Return the code object of a signal handler; None if it is not written in Python."""
    while isinstance(handler, partial):
        handler = handler.func
    code = getattr(getattr(handler, "__func__", handler), "__code__", None)
    return code if isinstance(code, CodeType) else None

"""Jobs for the helper. Few imports, because the helper process imports this module."""

import os
import time
from pathlib import Path

from scorekeeper.base.errors import Cause, UnusableError

MEGABYTE = 1 << 20


def echo(result: bytes) -> bytes:
    return result


def slow(path: str, seconds: float) -> bytes:
    """Append a line to a file, then take wall-clock time, but no processor time."""
    with Path(path).open("a") as file:
        file.write("started\n")
    time.sleep(seconds)
    return b"done"


def toil(path: str, seconds: float) -> bytes:
    """Append a line to a file, then take processor time."""
    with Path(path).open("a") as file:
        file.write("started\n")
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return b"done"


def spin() -> bytes:
    while True:
        pass


def swell() -> bytes:
    return b"x" * (600 * MEGABYTE)


def die() -> bytes:
    os._exit(3)


def refuse() -> bytes:
    raise UnusableError(Cause("expected less", "too_many", got=3), field="data.x", line=7)


AGAIN = ZeroDivisionError("a bug")


def break_down_again() -> bytes:
    """Raise the same object each time."""
    raise AGAIN


def break_down() -> bytes:
    raise ZeroDivisionError("a bug")

"""What the helper is asked to work out; it loads this, and so this loads little."""

import os
import time
from pathlib import Path

from scorekeeper.base.errors import Cause, Unusable

MEGABYTE = 1 << 20


def echo(said: bytes) -> bytes:
    return said


def slow(path: str, seconds: float) -> bytes:
    """Write down that it was begun, and take its time, though not the processor's."""
    with Path(path).open("a") as file:
        file.write("begun\n")
    time.sleep(seconds)
    return b"done"


def spin() -> bytes:
    while True:
        pass


def swell() -> bytes:
    return b"x" * (600 * MEGABYTE)


def die() -> bytes:
    os._exit(3)


def refuse() -> bytes:
    raise Unusable(Cause("expected less", "too_many", got=3), field="data.x", line=7)


def break_down() -> bytes:
    raise ZeroDivisionError("a bug")

"""Templates: compiled once for all applications of a process, and beside it before it needs them.

A worker that compiled them itself would hold up those who record in its first seconds.
"""

import marshal
import os
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from types import CodeType
from typing import Final

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from scorekeeper.operation.orphans import kill_with_parent

NICE: Final = 5  # recording goes first


class Compiled(BytecodeCache):
    """What templates were compiled to, in memory, by their names and what they say."""

    def __init__(self) -> None:
        self.made: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.made.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.made[bucket.key, bucket.checksum] = bucket.code


COMPILED: Final = Compiled()


def load_templates(app: Flask) -> None:
    """Have all pages ready, so that the first who looks at one does not wait for it."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)


def load_templates_soon(app: Flask) -> None:
    """Have them compiled by a process that ends then; whoever is sooner compiles what he needs.

    To be called while this process has one thread: it is forked.
    """
    fork = get_context("fork")
    reader, writer = fork.Pipe(duplex=False)
    process = fork.Process(target=_compile, args=(app, os.getpid(), reader, writer), daemon=True)
    process.start()
    writer.close()
    Thread(target=_take, args=(app, reader, process), daemon=True).start()


def _compile(app: Flask, parent: int, reader: Connection, writer: Connection) -> None:
    """What the process does: it has nobody to tell once who began it has ended."""
    kill_with_parent(parent)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    os.nice(NICE)
    reader.close()
    load_templates(app)
    writer.send_bytes(marshal.dumps(COMPILED.made))


def _take(app: Flask, reader: Connection, process: BaseProcess) -> None:
    """Take over what it made, and load it."""
    with reader, suppress(EOFError):  # it was ended
        COMPILED.made |= marshal.loads(reader.recv_bytes())  # noqa: S302  # of this very program
        load_templates(app)
    process.join()

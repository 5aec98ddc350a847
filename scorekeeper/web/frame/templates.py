"""Compile templates once for all applications of a process, in a second process.

A worker that compiled them itself would delay recording in its first seconds.
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

CHILD_NICENESS: Final = 5  # added to that of the parent, so that recording has priority


class TemplateBytecode(BytecodeCache):
    """The bytecode of compiled templates in memory, by their keys and checksums."""

    def __init__(self) -> None:
        self.code_by_key: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.code_by_key.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code_by_key[bucket.key, bucket.checksum] = bucket.code


COMPILED: Final = TemplateBytecode()


def load_templates(app: Flask) -> None:
    """Compile all templates before the first request."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)


def load_templates_in_background(app: Flask) -> None:
    """Compile all templates in a child process; requests before its end compile what they need.

    Call this while this process has one thread, since it forks.
    """
    fork = get_context("fork")
    reader, writer = fork.Pipe(duplex=False)
    process = fork.Process(target=_compile, args=(app, os.getpid(), reader, writer), daemon=True)
    process.start()
    writer.close()
    Thread(target=_receive_compiled, args=(app, reader, process), daemon=True).start()


def _compile(app: Flask, parent: int, reader: Connection, writer: Connection) -> None:
    """Compile all templates in the child process, and send them to the parent."""
    kill_with_parent(parent)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    os.nice(CHILD_NICENESS)
    reader.close()
    load_templates(app)
    writer.send_bytes(marshal.dumps(COMPILED.code_by_key))


def _receive_compiled(app: Flask, reader: Connection, process: BaseProcess) -> None:
    """Receive the compiled templates from the child process, and load them."""
    with reader, suppress(EOFError):  # the child was killed
        COMPILED.code_by_key |= marshal.loads(reader.recv_bytes())  # noqa: S302  # of this very program
        load_templates(app)
    process.join()

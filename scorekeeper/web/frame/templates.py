"""Templates, each compiled once for all applications of a process and those forked from it."""

from types import CodeType
from typing import Final

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """What templates were compiled to, in memory, as long as their text is the same."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._made.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._made[bucket.key, bucket.checksum] = bucket.code


COMPILED: Final = Compiled()


def load_templates(app: Flask) -> None:
    """Have all pages ready, so that the first who looks at one does not wait for it."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)

"""Compiled templates on disk, so that only the first start of a version compiles them.

Together they take more than a second of the processor, which would delay recording after each
start.
"""

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER: Final = "templates"
# Code that another version of Jinja made is not read; Jinja itself compares the version of Python.
PATTERN: Final = f"{version('jinja2')}-%s"


class TemplateCache(FileSystemBytecodeCache):
    """The code of compiled templates in a folder of the service's own.

    Without a usable folder each process compiles the templates that it needs.
    """

    def __init__(self, data_dir: Path) -> None:
        """Keep the code in a folder in ``data_dir``; nothing is kept if ``data_dir`` is missing."""
        super().__init__(str(data_dir / FOLDER), PATTERN)

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # such as a full disk
            Path(self.directory).mkdir(mode=0o700, exist_ok=True)
            super().dump_bytecode(bucket)

"""Files that are on the disk, whole, or not there at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A path to write to; what is there in the end appears, synced, under the name ``path``."""
    if path.exists():
        raise UnusableBackupError(f"there is a file already: {path}")
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        sync(part)
        part.rename(path)
        sync(path.parent)
    except OSError as error:
        raise StorageUnavailableError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Files that are written atomically and synced to the disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError


@contextmanager
def written_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; after the block sync the file and rename it to ``path``.

    If the block fails, the file is deleted. Raises `UnusableBackupError` if ``path`` exists, and
    `StorageUnavailableError` if the file cannot be written.
    """
    if path.exists():
        raise UnusableBackupError(f"the file exists already: {path}")
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
    """Wait until a file, or the entries of a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

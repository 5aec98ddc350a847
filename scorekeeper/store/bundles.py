"""A backup as a zip of logs: what any store writes, any store reads, and a person can open.

``bundle.json`` lists the sessions with version and head. Each has a folder with ``log.jsonl``,
its sealed log; ``requests.jsonl``, what was answered to which idempotency key; ``keys.jsonl``,
its capability keys without their secrets.
"""

import json
import struct
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from scorekeeper.errors import Unusable, UnusableBackup
from scorekeeper.log.canonical import encode
from scorekeeper.store import disk, keyring, streams
from scorekeeper.store.contract import Key, Line, Position
from scorekeeper.store.streams import Done

FORMAT: Final = 1
MANIFEST: Final = "bundle.json"
THEN: Final = (1980, 1, 1, 0, 0, 0)  # the date of every file: two bundles of one state are equal

# What reading a file raises that was damaged, or is something else altogether.
UNREADABLE: Final = (
    OSError, EOFError, RuntimeError, LookupError, TypeError, ValueError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """One session with all that belongs to it."""

    id: str
    created: str
    lines: tuple[Line, ...]
    requests: Mapping[str, Done]
    keys: tuple[tuple[Key, bytes], ...]  # each with the SHA-256 of its secret

    @property
    def position(self) -> Position:
        """Where its stream ends."""
        return streams.end(self.lines)


# ------------------------------------------------------------------------------------- writing


def write(path: Path, sessions: Iterable[Kept]) -> None:
    """Write a bundle that is whole and on the disk, or no file at all."""
    with disk.appearing(path) as part:
        part.touch(mode=0o600)  # as a copy of the database: the names of all players are in it
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            listed = [_write_session(bundle, kept) for kept in sessions]
            _write(bundle, MANIFEST, encode({"format": FORMAT, "sessions": listed}))
        for _ in read(part):
            pass  # to read it is to verify it


def _write_session(bundle: zipfile.ZipFile, kept: Kept) -> Mapping[str, Any]:
    folder = f"sessions/{kept.id}"
    _write(bundle, f"{folder}/log.jsonl", *(one.line for one in kept.lines))
    _write(bundle, f"{folder}/requests.jsonl", *(
        encode({"key": key, "digest": done.digest.hex(), "version": done.version,
                "status": done.status, "answer": b64encode(done.answer).decode()})
        for key, done in kept.requests.items()
    ))  # fmt: skip
    _write(bundle, f"{folder}/keys.jsonl", *(
        encode({**asdict(key), "digest": digest.hex()}) for key, digest in kept.keys
    ))  # fmt: skip
    version, head = kept.position
    return {"id": kept.id, "created": kept.created, "version": version, "head": head}


def _write(bundle: zipfile.ZipFile, name: str, *lines: bytes) -> None:
    about = zipfile.ZipInfo(name, THEN)
    about.compress_type = zipfile.ZIP_DEFLATED
    bundle.writestr(about, b"".join(line + b"\n" for line in lines))


# ------------------------------------------------------------------------------------- reading


def is_bundle(path: Path) -> bool:
    """Whether a file looks like a bundle."""
    return zipfile.is_zipfile(path)


def read(path: Path) -> Iterator[Kept]:
    """The sessions of a bundle, each verified; UnusableBackup where one is not whole."""
    try:
        with zipfile.ZipFile(path) as bundle:
            manifest = json.loads(bundle.read(MANIFEST))
            if manifest["format"] != FORMAT:
                raise UnusableBackup(f"a bundle of format {manifest['format']}, not {FORMAT}")
            for listed in manifest["sessions"]:
                yield _read_session(bundle, listed)
    except UNREADABLE as error:
        raise UnusableBackup(f"the bundle cannot be read: {error}") from error


def _read_session(bundle: zipfile.ZipFile, listed: Mapping[str, Any]) -> Kept:
    session = listed["id"]
    folder = f"sessions/{session}"
    try:
        lines = streams.read_sealed(BytesIO(bundle.read(f"{folder}/log.jsonl")))
    except Unusable as error:
        raise UnusableBackup(f"session {session}: {error}") from error
    requests = {
        one["key"]: Done(bytes.fromhex(one["digest"]), one["version"], one["status"],
                         b64decode(one["answer"]))
        for one in _objects(bundle, f"{folder}/requests.jsonl")
    }  # fmt: skip
    keys = tuple(
        (Key(**{name: one[name] for name in Key.__slots__}), bytes.fromhex(one["digest"]))
        for one in _objects(bundle, f"{folder}/keys.jsonl")
    )
    kept = Kept(session, listed["created"], tuple(lines), requests, keys)
    if kept.position != (listed["version"], listed["head"]) or not keyring.is_id(session):
        raise UnusableBackup(f"session {session}: the log does not end where the list says")
    return kept


def _objects(bundle: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in BytesIO(bundle.read(name))]


def refuse_fork(kept: Kept, version: int, hash_here: str) -> None:
    """UnusableBackup where a session has another event at a version than the backup."""
    if kept.lines[version - 1].hash != hash_here:
        raise UnusableBackup(f"session {kept.id} has other events here than in the backup")

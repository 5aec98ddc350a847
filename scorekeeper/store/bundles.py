"""A backup as a zip of logs, which every store can write and read, and a person can open.

``bundle.json`` lists the sessions with version and head, and the SHA-256 of each file; also
the sessions and clubs that were deleted, if there are any, with the time. Each session has a folder
with these files:

- ``log.jsonl``: its sealed log;
- ``requests.jsonl``: the answer to each idempotency key;
- ``keys.jsonl``: its capability keys without their secrets;
- ``phones.jsonl``: which phone holds which key, without the secrets of the phones;
- ``clubs.jsonl``: which clubs may read it, by which key and up to which version;
- ``publications.jsonl``: its public addresses; only if there are any;
- ``recorders.jsonl``: the keys of events whose ``by`` does not name the recorder; only if there
  are any.

Bundles of version 1.0.0 lack the last three files.
"""

import stat
import struct
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import UnusableBackupError, UnusableError, shown
from scorekeeper.base.json_object import JsonObject
from scorekeeper.log import canonical
from scorekeeper.log.canonical import encode
from scorekeeper.log.reading import is_time
from scorekeeper.store import disk, keyring, streams
from scorekeeper.store.contract import (
    BackupContents,
    Fits,
    Followed,
    Key,
    Position,
    Publication,
    any_answer,
)
from scorekeeper.store.kept import Kept, named, refuse_unfit
from scorekeeper.store.streams import Done

FORMAT: Final = 1
MANIFEST: Final = "bundle.json"
DELETED: Final = "deleted"  # in the manifest; only if there are any
FIXED_TIMESTAMP: Final = (1980, 1, 1, 0, 0, 0)  # of every file: equal states make equal bundles

T = TypeVar("T")

# Of each session in the manifest.
SESSION_FIELDS: Final = {"id", "created", "version", "head", "files"}
FILES: Final = ("log.jsonl", "requests.jsonl", "keys.jsonl", "phones.jsonl", "clubs.jsonl")
OPTIONAL_FILES: Final = ("publications.jsonl", "recorders.jsonl")  # written only with lines
MISSING_IN_OLD: Final = FILES[4:]  # files that bundles of version 1.0.0 lack
LARGEST_FILE_BYTES: Final = 128 << 20

# The exceptions of reading a file that is damaged, or that is no backup.
READ_ERRORS: Final = (
    OSError, EOFError, RuntimeError, LookupError, TypeError, ValueError, AttributeError,
    ArithmeticError, UnusableError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


# ------------------------------------------------------------------------------------- writing


def write(
    path: Path, sessions: Iterable[Kept], deleted: Mapping[str, str] | None = None
) -> BackupContents:
    """Write a bundle of these sessions to a new file, verify it, sync it, and return its contents.

    ``deleted`` has the times of deletions by session or club. If anything fails, no file is left.
    Raises `UnusableBackupError` if ``path`` exists.
    """
    with disk.written_atomically(path) as part:
        part.touch(mode=0o600)  # private, as it holds the names of all players
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            listed = [_write_session(bundle, kept) for kept in sessions]
            gone = {DELETED: dict(deleted)} if deleted else {}
            manifest = {"format": FORMAT, "sessions": listed, **gone}
            _write_file(bundle, MANIFEST, encode({**manifest, "hash": hash_manifest(manifest)}))
        return count_contents(read(part))  # reading verifies


def count_contents(sessions: Iterable[Kept]) -> BackupContents:
    """Return what a backup of these sessions and clubs holds."""
    streams_of_kind, events, newest = Counter[str](), 0, ""
    for kept in sessions:
        streams_of_kind[keyring.kind_of(kept.id) or ""] += 1
        events += len(kept.lines)
        newest = max(newest, *(line.at for line in kept.lines))
    return BackupContents(streams_of_kind, events, newest)


def _write_session(bundle: zipfile.ZipFile, kept: Kept) -> JsonObject:
    """Write the files of a session to a zip, and return its entry in the manifest."""
    folder = f"sessions/{kept.id}"
    lines = {
        "log.jsonl": [stored.line for stored in kept.lines],
        "requests.jsonl": [
            encode({"key": key, "digest": done.digest.hex(), "version": done.version,
                    "status": done.status, "answer": b64encode(done.answer).decode()})
            for key, done in kept.requests.items()
        ],
        "keys.jsonl": [encode({**key.columns(), "digest": digest.hex()})
                       for key, digest in kept.keys],
        "phones.jsonl": [encode({"phone": phone.hex(), "key": key}) for phone, key in kept.phones],
        "clubs.jsonl": [encode(_club_fields(followed)) for followed in kept.clubs],
    }  # fmt: skip
    optional = {
        "publications.jsonl": [encode(publication.columns()) for publication in kept.publications],
        "recorders.jsonl": [encode({"event": seq, "key": key}) for seq, key in kept.recorders],
    }
    lines |= {name: content for name, content in optional.items() if content}
    hashes = {name: _write_file(bundle, f"{folder}/{name}", *lines[name]) for name in lines}
    version, head = kept.position
    return {"id": kept.id, "created": kept.created, "version": version, "head": head,
            "files": hashes}  # fmt: skip


def _write_file(bundle: zipfile.ZipFile, name: str, *lines: bytes) -> str:
    """Write lines to a file of a zip, and return the file's SHA-256 in hexadecimal."""
    info = zipfile.ZipInfo(name, FIXED_TIMESTAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    content = b"".join(line + b"\n" for line in lines)
    bundle.writestr(info, content)
    return sha256(content).hexdigest()


def hash_manifest(manifest: JsonObject) -> str:
    """Return the SHA-256 of a manifest without its own ``hash``, in hexadecimal."""
    names = ("format", "sessions", DELETED)
    hashed = {name: manifest[name] for name in names if name in manifest}
    return sha256(encode(hashed)).hexdigest()


# ------------------------------------------------------------------------------------- reading


def require_file(path: Path) -> None:
    """Raise `UnusableBackupError` if a path is not a regular file: a pipe may never end."""
    if not path.is_file():
        raise UnusableBackupError(f"{path} is not a file")


def is_bundle(path: Path) -> bool:
    """Return whether a file begins like a zip."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def read(path: Path, fits: Fits = any_answer, only: Container[str] | None = None) -> Iterator[Kept]:
    """Yield the sessions of a bundle, or those with the ids ``only``, each verified.

    Raises `UnusableBackupError` if the bundle or one of its sessions is not intact.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            refuse_odd_files(bundle, path.stat().st_size)
            listed = _read_manifest(bundle)
            refuse_unlisted_files(bundle, listed)
            refuse_changed(bundle, listed)
            ids: set[object] = set()
            for entry in listed:
                if only is not None and entry["id"] not in only:
                    continue
                kept = _read_session(bundle, entry)
                refuse_unfit(kept, fits)
                refuse_twice(kept, ids)
                yield kept
    except READ_ERRORS as error:
        raise UnusableBackupError(f"the bundle cannot be read: {error}") from error


def read_deleted(path: Path) -> dict[str, str]:
    """Return the deleted sessions and clubs that a bundle lists, with the time of the deletion.

    Raises `UnusableBackupError` if the bundle is not intact.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            _read_manifest(bundle)
            deleted: dict[str, str] = canonical.decode(bundle.read(MANIFEST)).get(DELETED, {})
            for stream_id, at in deleted.items():
                if keyring.kind_of(stream_id) is None or type(at) is not str or not is_time(at):
                    raise UnusableBackupError(
                        f"{MANIFEST} in the bundle: {named(stream_id)} was deleted at {shown(at)}"
                    )
            return deleted
    except READ_ERRORS as error:
        raise UnusableBackupError(f"the bundle cannot be read: {error}") from error


def refuse_odd_files(bundle: zipfile.ZipFile, size: int) -> None:
    """Raise `UnusableBackupError` if a zip has files that no bundle has.

    ``size`` is the size of the zip in bytes.
    """
    names = Counter(info.filename for info in bundle.infolist())
    for info in bundle.infolist():
        problems = {
            "it is there twice": names[info.filename] > 1,
            "it is encrypted": info.flag_bits & 1,
            "it is not a regular file": info.is_dir()
            or stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG),
            "it is not compressed by deflate": info.compress_type
            not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
            f"it is larger than {LARGEST_FILE_BYTES >> 20} MiB": (
                info.file_size > LARGEST_FILE_BYTES
            ),
        }
        for problem, is_present in problems.items():
            if is_present:
                raise UnusableBackupError(f"{named(info.filename)} in the bundle: {problem}")
    if sum(info.compress_size for info in bundle.infolist()) > size:
        raise UnusableBackupError("the bundle cannot be read: files in it overlap")


def refuse_unlisted_files(bundle: zipfile.ZipFile, listed: list[dict[str, Any]]) -> None:
    """Raise `UnusableBackupError` unless a bundle has the files of the listed sessions only.

    No file may be missing, except ``clubs.jsonl``, which bundles of version 1.0.0 lack. A session
    that is listed twice is refused.
    """
    ids = Counter(str(entry["id"]) for entry in listed)
    for session_id, times in ids.items():
        if keyring.kind_of(session_id) is None or times > 1:
            raise UnusableBackupError(
                f"session {named(session_id)}: expected an id, once, in the list"
            )
    expected = {
        MANIFEST,
        *(f"sessions/{entry['id']}/{name}" for entry in listed for name in list_files(entry)),
    }
    for name in sorted(expected ^ set(bundle.namelist())):
        if name in expected and name.endswith(MISSING_IN_OLD):
            continue
        problem = "it is missing" if name in expected else "it belongs to no session in the list"
        raise UnusableBackupError(f"{named(name)} in the bundle: {problem}")


def list_files(listed: JsonObject) -> tuple[str, ...]:
    """Return the names of the files of a session, given by its entry in the manifest."""
    return (*FILES, *(name for name in OPTIONAL_FILES if name in listed["files"]))


def refuse_twice(kept: Kept, earlier: set[object]) -> None:
    """Raise `UnusableBackupError` if two keys in a bundle have the same id or secret.

    ``earlier`` holds the key ids and digests of the sessions before; those of this one are added.
    """
    for key, digest in kept.keys:
        if earlier & {key.id, digest}:
            raise UnusableBackupError(
                f"session {kept.id}: key {key.id}: another key has its id or secret"
            )
        earlier |= {key.id, digest}


def _read_manifest(bundle: zipfile.ZipFile) -> list[dict[str, Any]]:
    """Return the entries of the sessions in the manifest.

    Raises `UnusableBackupError` if the manifest is malformed, or its hash differs.
    """
    manifest = canonical.decode(bundle.read(MANIFEST))
    if manifest["format"] != FORMAT:
        raise UnusableBackupError(f"a bundle of format {shown(manifest['format'])}, not {FORMAT}")
    listed = manifest["sessions"]
    if type(listed) is not list or any(entry.keys() != SESSION_FIELDS for entry in listed):
        raise UnusableBackupError(f"{MANIFEST} in the bundle: not as a bundle is written")
    if manifest.get("hash") != hash_manifest(manifest):
        raise UnusableBackupError(f"{MANIFEST} in the bundle was changed: its hash differs")
    return listed


def refuse_changed(bundle: zipfile.ZipFile, listed: list[dict[str, Any]]) -> None:
    """Raise `UnusableBackupError` if the hash of a file differs from the hash in the list."""
    names = set(bundle.namelist())
    for entry in listed:
        for name in list_files(entry):
            path, expected = f"sessions/{entry['id']}/{name}", entry["files"].get(name)
            if expected is None and name in MISSING_IN_OLD and path not in names:
                continue
            if sha256(bundle.read(path)).hexdigest() != expected:
                raise UnusableBackupError(f"{path} in the bundle was changed: its hash differs")


def _read_session(bundle: zipfile.ZipFile, listed: JsonObject) -> Kept:
    """Return a session of a bundle, given by its entry in the manifest.

    Raises `UnusableBackupError` if a file is malformed, or the log does not end as listed.
    """
    session_id = listed["id"]
    folder = f"sessions/{session_id}"
    try:
        with bundle.open(f"{folder}/log.jsonl") as log:
            lines = streams.read_sealed(log)
    except UnusableError as error:
        raise UnusableBackupError(f"session {session_id}: {error}") from error
    requests = list(_read_lines(bundle, f"{folder}/requests.jsonl", _parse_request))
    keys = list(_read_lines(bundle, f"{folder}/keys.jsonl", _parse_key))
    phones = list(_read_lines(bundle, f"{folder}/phones.jsonl", _parse_phone))
    clubs = tuple(
        followed._replace(session_id=session_id)
        for followed in _read_lines(bundle, f"{folder}/clubs.jsonl", _parse_club)
    )
    publications = tuple(_read_lines(bundle, f"{folder}/publications.jsonl", _parse_publication))
    recorders = tuple(_read_lines(bundle, f"{folder}/recorders.jsonl", _parse_recorder))
    kept = Kept(
        session_id, listed["created"], tuple(lines), dict(requests), tuple(keys), tuple(phones),
        clubs, publications, recorders,
    )  # fmt: skip
    if len(kept.requests) != len(requests):
        raise UnusableBackupError(f"session {session_id}: a request is there twice")
    if kept.position != (listed["version"], listed["head"]):
        raise UnusableBackupError(f"session {session_id}: the log does not end where the list says")
    return kept


def _read_lines(bundle: zipfile.ZipFile, name: str, read: Callable[..., T]) -> Iterator[T]:
    """Yield ``read(**fields)`` for each line of a file; nothing if a bundle of 1.0.0 lacks it.

    Raises `UnusableBackupError` if a line is not canonical, or does not have the right fields.
    """
    if name not in bundle.namelist():
        return
    with bundle.open(name) as file:
        for number, line in enumerate(file, start=1):
            try:
                fields = canonical.decode(line)
                value = read(**fields) if encode(fields) + b"\n" == line else None
            except (UnusableError, TypeError, ValueError):
                value = None
            if value is None:
                where = f"{name} in the bundle, line {number}"
                raise UnusableBackupError(f"{where}: not as a bundle is written")
            yield value


def _parse_request(
    *, key: str, digest: str, version: int, status: int, answer: str
) -> tuple[str, Done]:
    """Return the idempotency key and the stored request of a line of ``requests.jsonl``."""
    return key, Done(bytes.fromhex(digest), version, status, b64decode(answer, validate=True))


def _parse_key(*, session: str, digest: str, **key: Any) -> tuple[Key, bytes]:
    """Return the key and the digest of its secret of a line of ``keys.jsonl``."""
    return Key(stream_id=session, **key), bytes.fromhex(digest)


def _parse_phone(*, phone: str, key: str) -> tuple[bytes, str]:
    """Return the digest of a phone and the id of its key of a line of ``phones.jsonl``."""
    return bytes.fromhex(phone), key


def _parse_recorder(*, event: int, key: str) -> tuple[int, str]:
    """Return the seq of an event and the id of its key, of ``recorders.jsonl``."""
    return event, key


def _parse_publication(*, session: str, **fields: Any) -> Publication:
    """Return the public address of a line of ``publications.jsonl``."""
    return Publication(stream_id=session, **fields)


def _club_fields(followed: Followed) -> JsonObject:
    """Return the fields of a line of ``clubs.jsonl``."""
    version, head = followed.stop or (None, None)
    return {"club": followed.club, "key": followed.key, "version": version, "head": head}


def _parse_club(*, club: str, key: str, version: int | None, head: str | None) -> Followed:
    """Return what a club follows, without the session's id, of a line of ``clubs.jsonl``."""
    stop = None
    if version is not None or head is not None:
        stop = Position(version or 0, head or "")
    return Followed("", club, key, stop)


def refuse_fork(kept: Kept, version: int, hash_here: str) -> None:
    """Raise `UnusableBackupError` if a backup's hash at a version is not ``hash_here``."""
    if kept.lines[version - 1].hash != hash_here:
        raise UnusableBackupError(f"session {kept.id} has other events here than in the backup")


def refuse_foreign(kept: Kept, here: Kept, now: str) -> bool:
    """Return whether a backup of a session has a host's key that opens the session here.

    Every reader of a session can export its log, and the holder of a key may know its hash. So
    without such a key a backup may have nothing that is not here; it is an older one if it has
    another key that is not revoked here. Raises `UnusableBackupError` otherwise.
    """
    brought = {(key.id, digest) for key, digest in kept.keys}
    known = {(key.id, digest): key for key, digest in here.keys}
    opening = [known[pair] for pair in brought & known.keys() if known[pair].revoked is None]
    if not known or any(key.role == "host" and keyring.is_open(key, now) for key in opening):
        return True
    words = f"session {kept.id}: the backup has none of the {{}}keys that open it here, {{}}"
    if not opening:
        raise UnusableBackupError(words.format("", "so it is of another service"))
    additions = {
        "events": kept.position.version > here.position.version,
        "keys": brought - known.keys(),
        "requests": kept.requests.keys() - here.requests.keys(),
        "recorders": set(kept.recorders) - set(here.recorders),
        "clubs": {(club.club, club.key) for club in kept.clubs}
        - {(club.club, club.key) for club in here.clubs},
        "public addresses": {publication.address for publication in kept.publications}
        - {publication.address for publication in here.publications},
    }
    for name in filter(additions.__getitem__, additions):
        what = f"and {name} that are not here, so it may be of another service"
        raise UnusableBackupError(words.format("host's ", what))
    return False


def refuse_contradiction(kept: Kept, here: Kept) -> None:
    """Raise `UnusableBackupError` if a request, key or recorder differs from this store's."""
    for name, done in kept.requests.items():
        if here.requests.get(name, done) != done:
            raise UnusableBackupError(f"session {kept.id}: request {name} has another answer here")
    known = {key.id: (key, digest) for key, digest in here.keys}
    for key, digest in kept.keys:
        key_here, digest_here = known.get(key.id, (key, digest))
        comparable = replace(key_here, revoked=key.revoked, last_used=key.last_used)
        if comparable != key or digest_here != digest:
            raise UnusableBackupError(f"session {kept.id}: key {key.id} opens something else here")
    recorders_here = dict(here.recorders)
    for seq, key_id in kept.recorders:
        if recorders_here.get(seq, key_id) != key_id:
            raise UnusableBackupError(f"session {kept.id}: event {seq} came by another key here")

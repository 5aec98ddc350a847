"""A backup as a zip of logs: what any store writes, any store reads, and a person can open.

``bundle.json`` lists the sessions with version and head, and the SHA-256 of each file. Each has
a folder with ``log.jsonl``, its sealed log; ``requests.jsonl``, what was answered to which
idempotency key; ``keys.jsonl``, its capability keys without their secrets; ``phones.jsonl``, which
phone holds which of them, without the secrets of the phones; ``clubs.jsonl``, which clubs may read
it, by which key and up to where; and where the log does not say by which key an event came,
``recorders.jsonl``. Older bundles do not have these last two, and the first bundles neither
``phones.jsonl`` nor hashes.
"""

import stat
import struct
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import UnusableBackupError, UnusableError, shown
from scorekeeper.log import canonical
from scorekeeper.log.canonical import encode
from scorekeeper.store import disk, keyring, streams
from scorekeeper.store.contract import Fits, Followed, Key, Position, any_answer
from scorekeeper.store.kept import Kept, named, refuse_unfit
from scorekeeper.store.streams import Done

FORMAT: Final = 1
MANIFEST: Final = "bundle.json"
THEN: Final = (1980, 1, 1, 0, 0, 0)  # the date of every file: two bundles of one state are equal

T = TypeVar("T")

LISTED: Final = {"id", "created", "version", "head"}  # of each session
FILES: Final = ("log.jsonl", "requests.jsonl", "keys.jsonl", "phones.jsonl", "clubs.jsonl")
OF_SOME: Final = "recorders.jsonl"  # only where there is something in it
LATER: Final = FILES[4:]  # which older bundles need not have
MUCH_LATER: Final = FILES[3:]  # which the first bundles, without hashes, need not have
LARGEST: Final = 128 << 20  # bytes of one of them

# What reading a file raises that was damaged, or is something else altogether.
UNREADABLE: Final = (
    OSError, EOFError, RuntimeError, LookupError, TypeError, ValueError, AttributeError,
    ArithmeticError, UnusableError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


# ------------------------------------------------------------------------------------- writing


def write(path: Path, sessions: Iterable[Kept]) -> None:
    """Write a bundle that is whole and on the disk, or no file at all."""
    with disk.appearing(path) as part:
        part.touch(mode=0o600)  # as a copy of the database: the names of all players are in it
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            listed = [_write_session(bundle, kept) for kept in sessions]
            manifest = {"format": FORMAT, "sessions": listed}
            _write(bundle, MANIFEST, encode({**manifest, "hash": sha256_of(manifest)}))
        for _ in read(part):
            pass  # to read it is to verify it


def _write_session(bundle: zipfile.ZipFile, kept: Kept) -> Mapping[str, Any]:
    folder = f"sessions/{kept.id}"
    lines = {
        "log.jsonl": [one.line for one in kept.lines],
        "requests.jsonl": [
            encode({"key": key, "digest": done.digest.hex(), "version": done.version,
                    "status": done.status, "answer": b64encode(done.answer).decode()})
            for key, done in kept.requests.items()
        ],
        "keys.jsonl": [encode({**key.columns(), "digest": digest.hex()})
                       for key, digest in kept.keys],
        "phones.jsonl": [encode({"phone": phone.hex(), "key": key}) for phone, key in kept.phones],
        "clubs.jsonl": [encode(_club_told(one)) for one in kept.clubs],
    }  # fmt: skip
    if kept.recorders:
        lines[OF_SOME] = [encode({"event": seq, "key": key}) for seq, key in kept.recorders]
    hashes = {name: _write(bundle, f"{folder}/{name}", *lines[name]) for name in lines}
    version, head = kept.position
    return {"id": kept.id, "created": kept.created, "version": version, "head": head,
            "files": hashes}  # fmt: skip


def _write(bundle: zipfile.ZipFile, name: str, *lines: bytes) -> str:
    """Write a file; its SHA-256."""
    about = zipfile.ZipInfo(name, THEN)
    about.compress_type = zipfile.ZIP_DEFLATED
    whole = b"".join(line + b"\n" for line in lines)
    bundle.writestr(about, whole)
    return sha256(whole).hexdigest()


def sha256_of(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of a list of sessions, without the one that stands in it."""
    return sha256(encode({"format": FORMAT, "sessions": manifest["sessions"]})).hexdigest()


# ------------------------------------------------------------------------------------- reading


def refuse_no_file(path: Path) -> None:
    """UnusableBackupError where a path leads to something that is no file, and may never end."""
    if not path.is_file():
        raise UnusableBackupError(f"{path} is no file")


def is_bundle(path: Path) -> bool:
    """Whether a file looks like a bundle."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def read(path: Path, fits: Fits = any_answer) -> Iterator[Kept]:
    """The sessions of a bundle, each verified.

    Raises `UnusableBackupError` if one is not intact.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            refuse_odd_files(bundle, path.stat().st_size)
            listed = _listed(bundle)
            refuse_strangers(bundle, listed)
            refuse_changed(bundle, listed)
            seen: set[object] = set()
            for one in listed:
                kept = _read_session(bundle, one)
                refuse_unfit(kept, fits)
                refuse_twice(kept, seen)
                yield kept
    except UNREADABLE as error:
        raise UnusableBackupError(f"the bundle cannot be read: {error}") from error


def refuse_odd_files(bundle: zipfile.ZipFile, size: int) -> None:
    """UnusableBackupError where files in a zip are none that a bundle has."""
    names = Counter(info.filename for info in bundle.infolist())
    for info in bundle.infolist():
        odd = {
            "it stands there twice": names[info.filename] > 1,
            "it is encrypted": info.flag_bits & 1,
            "it is no plain file": info.is_dir()
            or stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG),
            "it is compressed in another way": info.compress_type
            not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
            f"it is larger than {LARGEST >> 20} MiB": info.file_size > LARGEST,
        }
        for what, is_so in odd.items():
            if is_so:
                raise UnusableBackupError(f"{named(info.filename)} in the bundle: {what}")
    if sum(info.compress_size for info in bundle.infolist()) > size:
        raise UnusableBackupError("the bundle cannot be read: files in it lie over one another")


def refuse_strangers(bundle: zipfile.ZipFile, listed: list[dict[str, Any]]) -> None:
    """UnusableBackupError where a bundle has other files than those of the sessions in its list."""
    ids = Counter(str(one["id"]) for one in listed)
    for session_id, times in ids.items():
        if not keyring.is_stream(session_id) or times > 1:
            raise UnusableBackupError(
                f"session {named(session_id)}: expected an id, once, in the list"
            )
    due = {MANIFEST, *(f"sessions/{one['id']}/{name}" for one in listed for name in files_of(one))}
    later = LATER if listed and "files" in listed[0] else MUCH_LATER
    for name in sorted(due ^ set(bundle.namelist())):
        if name in due and name.endswith(later):
            continue
        what = "it is missing" if name in due else "it belongs to no session in the list"
        raise UnusableBackupError(f"{named(name)} in the bundle: {what}")


def files_of(listed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the files of a session in the list."""
    return (*FILES, OF_SOME) if OF_SOME in listed.get("files", ()) else FILES


def refuse_twice(kept: Kept, seen: set[object]) -> None:
    """UnusableBackupError where keys have an id or a secret that another one has."""
    for key, digest in kept.keys:
        if seen & {key.id, digest}:
            raise UnusableBackupError(
                f"session {kept.id}: key {key.id}: another has its id or secret"
            )
        seen |= {key.id, digest}


def _listed(bundle: zipfile.ZipFile) -> list[dict[str, Any]]:
    """The sessions in the list, each with its fields."""
    manifest = canonical.decode(bundle.read(MANIFEST))
    if manifest["format"] != FORMAT:
        raise UnusableBackupError(f"a bundle of format {shown(manifest['format'])}, not {FORMAT}")
    listed = manifest["sessions"]
    hashed = {"files"} if "hash" in manifest else set()  # there were none in the first bundles
    if type(listed) is not list or any(one.keys() != LISTED | hashed for one in listed):
        raise UnusableBackupError(f"{MANIFEST} in the bundle: not as a bundle is written")
    if hashed and manifest["hash"] != sha256_of(manifest):
        raise UnusableBackupError(f"{MANIFEST} in the bundle was changed: its hash differs")
    return listed


def refuse_changed(bundle: zipfile.ZipFile, listed: list[dict[str, Any]]) -> None:
    """UnusableBackupError where a file has not the hash that the list gives for it."""
    there = set(bundle.namelist())
    for one in listed:
        for name in files_of(one) if "files" in one else ():
            path, due = f"sessions/{one['id']}/{name}", one["files"].get(name)
            if due is None and name in LATER and path not in there:
                continue
            if sha256(bundle.read(path)).hexdigest() != due:
                raise UnusableBackupError(f"{path} in the bundle was changed: its hash differs")


def _read_session(bundle: zipfile.ZipFile, listed: Mapping[str, Any]) -> Kept:
    session_id = listed["id"]
    folder = f"sessions/{session_id}"
    try:
        with bundle.open(f"{folder}/log.jsonl") as log:
            lines = streams.read_sealed(log)
    except UnusableError as error:
        raise UnusableBackupError(f"session {session_id}: {error}") from error
    requests = list(_read_all(bundle, f"{folder}/requests.jsonl", _request_of))
    keys = list(_read_all(bundle, f"{folder}/keys.jsonl", _key_of))
    phones = list(_read_all(bundle, f"{folder}/phones.jsonl", _phone_of))
    clubs = tuple(
        one._replace(session_id=session_id)
        for one in _read_all(bundle, f"{folder}/clubs.jsonl", _club_of)
    )
    recorders = tuple(_read_all(bundle, f"{folder}/{OF_SOME}", _recorder_of))
    kept = Kept(
        session_id, listed["created"], tuple(lines), dict(requests), tuple(keys), tuple(phones),
        clubs, recorders,
    )  # fmt: skip
    if len(kept.requests) != len(requests):
        raise UnusableBackupError(f"session {session_id}: a request stands there twice")
    if kept.position != (listed["version"], listed["head"]):
        raise UnusableBackupError(f"session {session_id}: the log does not end where the list says")
    return kept


def _read_all(bundle: zipfile.ZipFile, name: str, read: Callable[..., T]) -> Iterator[T]:
    """What the lines of a file say, each in the one form in which it is written."""
    if name not in bundle.namelist():
        return  # an older bundle
    with bundle.open(name) as file:
        for number, line in enumerate(file, start=1):
            try:
                value = canonical.decode(line)
                found = read(**value) if encode(value) + b"\n" == line else None
            except (UnusableError, TypeError, ValueError):
                found = None
            if found is None:
                where = f"{name} in the bundle, line {number}"
                raise UnusableBackupError(f"{where}: not as a bundle is written")
            yield found


def _request_of(
    *, key: str, digest: str, version: int, status: int, answer: str
) -> tuple[str, Done]:
    return key, Done(bytes.fromhex(digest), version, status, b64decode(answer, validate=True))


def _key_of(*, session: str, digest: str, **key: Any) -> tuple[Key, bytes]:
    return Key(session_id=session, **key), bytes.fromhex(digest)


def _phone_of(*, phone: str, key: str) -> tuple[bytes, str]:
    return bytes.fromhex(phone), key


def _recorder_of(*, event: int, key: str) -> tuple[int, str]:
    return event, key


def _club_told(one: Followed) -> Mapping[str, Any]:
    """A club as a line of the file names it."""
    version, head = one.stop or (None, None)
    return {"club": one.club, "key": one.key, "version": version, "head": head}


def _club_of(*, club: str, key: str, version: int | None, head: str | None) -> Followed:
    stop = None
    if version is not None or head is not None:
        stop = Position(version or 0, head or "")
    return Followed("", club, key, stop)


def refuse_fork(kept: Kept, version: int, hash_here: str) -> None:
    """UnusableBackupError where a session has another event at a version than the backup."""
    if kept.lines[version - 1].hash != hash_here:
        raise UnusableBackupError(f"session {kept.id} has other events here than in the backup")


def refuse_foreign(
    id_: str, keys: Iterable[tuple[Key, bytes]], here: Iterable[tuple[Key, bytes]]
) -> None:
    """UnusableBackupError where a backup has none of the keys that a session has here.

    Anybody who may read a session has its log. Only a backup of this service has its keys, too.
    """
    known = {(key.id, digest) for key, digest in here}
    if known and known.isdisjoint((key.id, digest) for key, digest in keys):
        raise UnusableBackupError(
            f"session {id_}: the backup has none of the keys that it has here, so it is of another "
            "service"
        )


def refuse_contradiction(kept: Kept, here: Kept) -> None:
    """UnusableBackupError where a request or a key of a session is another one here than there."""
    for name, done in kept.requests.items():
        if here.requests.get(name, done) != done:
            raise UnusableBackupError(
                f"session {kept.id}: request {name} was answered otherwise here"
            )
    known = {key.id: (key, digest) for key, digest in here.keys}
    for key, digest in kept.keys:
        mine, secret = known.get(key.id, (key, digest))
        same = replace(mine, revoked=key.revoked, last_used=key.last_used)
        if same != key or secret != digest:
            raise UnusableBackupError(f"session {kept.id}: key {key.id} opens something else here")
    there = dict(here.recorders)
    for seq, key_id in kept.recorders:
        if there.get(seq, key_id) != key_id:
            raise UnusableBackupError(f"session {kept.id}: event {seq} came by another key here")

"""Backups as somebody changed them who knows how they are made."""

import json
import sqlite3
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from scorekeeper.log.canonical import encode

Files = dict[str, bytes]  # of a bundle, by name
ANOTHER: Final = "222222222222"  # the id of nothing that is there, and before all others
MANIFEST: Final = "bundle.json"


def files_of(path: Path) -> Files:
    """What is in a bundle."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def packed(files: Files, path: Path) -> Path:
    """A bundle of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    return path


def hashed(files: Files) -> Files:
    """The same with the hashes that belong to them."""
    manifest = json.loads(files[MANIFEST])
    for one in manifest["sessions"]:
        for name in one.get("files", {}):
            content = files.get(f"sessions/{one['id']}/{name}", b"")
            one["files"][name] = sha256(content).hexdigest()
    unhashed = encode({"format": 1, "sessions": manifest["sessions"]})
    if "hash" in manifest:
        manifest["hash"] = sha256(unhashed).hexdigest()
    return {**files, MANIFEST: encode(manifest) + b"\n"}


def with_line(kind: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    """The last line of the last session's file of a kind, or a seat's, as a change makes it."""

    def changed(files: Files) -> Files:
        name = [name for name in files if name.endswith(f"/{kind}.jsonl")][-1]
        lines = files[name].splitlines(keepends=True)
        place = max(range(len(lines)), key=lambda n: (b'"role":"seat"' in lines[n], n))
        value = json.loads(lines[place])
        again = change(value)
        lines[place] = again if isinstance(again, bytes) else encode(value) + b"\n"
        return {**files, name: b"".join(lines)}

    return changed


def listed(**more: Any) -> Callable[[Files], Files]:
    """The last session in the list with these fields."""

    def changed(files: Files) -> Files:
        manifest = json.loads(files[MANIFEST])
        manifest["sessions"][-1].update(more)
        return {**files, MANIFEST: json.dumps(manifest).encode()}

    return changed


def key(**more: Any) -> Callable[[Files], Files]:
    """The last seat's key with these fields."""
    return with_line("keys", lambda one: one.update(more))


def request(**more: Any) -> Callable[[Files], Files]:
    """The last request with these fields."""
    return with_line("requests", lambda one: one.update(more))


def told(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    """The last request with another answer."""

    def again(one: dict[str, Any]) -> None:
        answer = json.loads(b64decode(one["answer"]))
        change(answer)
        one["answer"] = b64encode(encode(answer)).decode()

    return with_line("requests", again)


def edited(path: Path, *texts: str) -> None:
    """Change a copy of SQLite as its owner can, its schema too; it bears no digest then."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        copied.execute("PRAGMA writable_schema = ON")
        for text in (*texts, "PRAGMA user_version = 0", "PRAGMA application_id = 0"):
            copied.execute(text)

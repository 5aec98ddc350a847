"""Backups changed by an attacker who knows their format."""

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
ANOTHER: Final = "222222222222"  # an unused id that sorts before all others
MANIFEST: Final = "bundle.json"


def files_of(path: Path) -> Files:
    """Return the files of a bundle."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def packed(files: Files, path: Path) -> Path:
    """Write a bundle of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    return path


def hashed(files: Files) -> Files:
    """Return the files with matching hashes in the manifest."""
    manifest = json.loads(files[MANIFEST])
    for session in manifest["sessions"]:
        for name in session.get("files", {}):
            content = files.get(f"sessions/{session['id']}/{name}", b"")
            session["files"][name] = sha256(content).hexdigest()
    unhashed = encode({"format": 1, "sessions": manifest["sessions"]})
    if "hash" in manifest:
        manifest["hash"] = sha256(unhashed).hexdigest()
    return {**files, MANIFEST: encode(manifest) + b"\n"}


def with_line(kind: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    """Return an alteration of the last line (or a seat's) of the last session's file of a kind."""

    def changed(files: Files) -> Files:
        name = [name for name in files if name.endswith(f"/{kind}.jsonl")][-1]
        lines = files[name].splitlines(keepends=True)
        place = max(range(len(lines)), key=lambda n: (b'"role":"seat"' in lines[n], n))
        value = json.loads(lines[place])
        alter = change(value)
        lines[place] = alter if isinstance(alter, bytes) else encode(value) + b"\n"
        return {**files, name: b"".join(lines)}

    return changed


def listed(**more: Any) -> Callable[[Files], Files]:
    """Return an alteration of the last session's entry in the manifest."""

    def changed(files: Files) -> Files:
        manifest = json.loads(files[MANIFEST])
        manifest["sessions"][-1].update(more)
        return {**files, MANIFEST: json.dumps(manifest).encode()}

    return changed


def without_hashes(files: Files) -> Files:
    """Return the files with a manifest that has no hashes."""
    sessions = json.loads(files[MANIFEST])["sessions"]
    for session in sessions:
        del session["files"]
    return {**files, MANIFEST: json.dumps({"format": 1, "sessions": sessions}).encode()}


def key(**more: Any) -> Callable[[Files], Files]:
    """Return an alteration of the last seat's key."""
    return with_line("keys", lambda row: row.update(more))


def request(**more: Any) -> Callable[[Files], Files]:
    """Return an alteration of the last request."""
    return with_line("requests", lambda row: row.update(more))


def answer(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], Files]:
    """Return an alteration of the answer of the last request."""

    def alter(request: dict[str, Any]) -> None:
        answer = json.loads(b64decode(request["answer"]))
        change(answer)
        request["answer"] = b64encode(encode(answer)).decode()

    return with_line("requests", alter)


def edited(path: Path, *texts: str) -> None:
    """Change a SQLite copy and its schema as its owner can; this removes its digest."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        copied.execute("PRAGMA writable_schema = ON")
        for text in (*texts, "PRAGMA user_version = 0", "PRAGMA application_id = 0"):
            copied.execute(text)

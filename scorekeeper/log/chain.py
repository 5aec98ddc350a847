"""The chain of a sealed log: each event's hash holds all that came before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from scorekeeper.log.canonical import encode

START: Final = ""  # the hash before the first event
SEALED_FIELDS: Final = ("at", "by", "data", "hash", "seq", "type")


@dataclass(frozen=True, slots=True)
class Sealed:
    """An event's line in a sealed log, without its line feed, and its hash."""

    line: bytes
    hash: str


def seal(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str, by: str) -> Sealed:
    """The canonical line of an event that comes after the one with hash ``previous``."""
    head = encode({"at": at, "by": by, "data": data})[:-1]
    tail = b'"seq":%d,"type":%b}' % (seq, encode(kind))
    digest = link(previous, head + b"," + tail)
    return Sealed(head + b',"hash":"' + digest.encode() + b'",' + tail, digest)


def link(previous: str, unsealed: bytes) -> str:
    """The hash of an event: of the hash before, a line feed, and its form without a hash."""
    return sha256(previous.encode() + b"\n" + unsealed).hexdigest()

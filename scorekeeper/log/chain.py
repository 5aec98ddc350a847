"""The hash chain of a sealed log: each event's hash depends on all events before it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.log.canonical import encode

START: Final = ""  # the hash before the first event
SEALED_FIELDS: Final = ("at", "by", "data", "hash", "seq", "type")


@dataclass(frozen=True, slots=True)
class SealedLine:
    """An event's line in a sealed log, without its line feed, and its hash."""

    line: bytes
    hash: str


def seal(previous: str, seq: int, kind: str, data: JsonObject, at: str, by: str) -> SealedLine:
    """Return the sealed line of an event that follows the one with hash ``previous``.

    ``kind`` is the type of the event, ``at`` its time and ``by`` its author.
    """
    head = encode({"at": at, "by": by, "data": data})[:-1]
    tail = b'"seq":%d,"type":%b}' % (seq, encode(kind))
    digest = compute_hash(previous, head + b"," + tail)
    return SealedLine(head + b',"hash":"' + digest.encode() + b'",' + tail, digest)


def compute_hash(previous: str, unsealed: bytes) -> str:
    """Return the SHA-256 of the previous hash, a line feed, and an event, in hexadecimal.

    ``unsealed`` is the canonical form of the event without its hash.
    """
    return sha256(previous.encode() + b"\n" + unsealed).hexdigest()

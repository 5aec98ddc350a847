"""A corpus of requests that no honest client sends, and their answers.

As a program it sends the corpus, and prints by how much the memory of the process grew.
"""

import json
import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from werkzeug.test import TestResponse

from tests.api.asking import Table, bearer, client_of

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
SOAK: Final = os.environ.get("SOAK") == "1"
ROUNDS: Final = 4 if SOAK else 1
MUCH: Final = 4 if SOAK else 1  # factor for the length of long but valid bodies
OPENED: Final = b'{"type":"session_opened","data":{"title":"Friday","players":[]}}\n'


@dataclass(frozen=True)
class Item:
    """A body, its declared type, and whether it is only for JSON or only for logs."""

    body: bytes
    kind: str | None = None  # None: the type of the call
    headers: dict[str, str] = field(default_factory=dict)
    only: str = ""


def note(value: bytes) -> bytes:
    """Return a note with any JSON value as text, for an append and for a line of a log."""
    return b'{"type":"note_added","data":{"text":%b}}' % value


def everywhere(value: bytes) -> bytes:
    """Return an object with a JSON value in every member that a call reads."""
    names = ("title", "players", "place", "events", "as_played", "role", "player", "expires",
             "replaces", "options", "match", "corrections", "log",
             "type", "data", "seq", "at", "by", "hash")  # fmt: skip
    return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), value) for name in names)


VALUES: Final = {
    "null": b"null", "true": b"true", "zero": b"0", "a number": b"7", "negative": b"-1",
    "2^53": b"9007199254740992", "2^63": b"9223372036854775808", "2^64": b"18446744073709551616",
    "minus 2^63": b"-9223372036854775809", "10^4 digits": b"9" * 10_000, "1e999": b"1e999",
    "-1e999": b"-1e999", "1e-999": b"1e-999", "a fraction": b"1.5", "1.0": b"1.0", "-0": b"-0",
    "NaN": b"NaN", "Infinity": b"Infinity", "-Infinity": b"-Infinity", "01": b"01", "hex": b"0x1",
    "a text": b'"x"', "no text": b'""', "blanks": b'"   "', "a list": b"[]", "lists": b"[[[[]]]]",
    "a list of null": b"[null]", "an object": b"{}", "objects": b'{"a":{"a":{"a":{}}}}',
    "a NUL": b'"\\u0000"', "a raw NUL": b'"\x00"', "a lone surrogate": b'"\\ud800"',
    "the other one": b'"\\udfff"', "a pair the wrong way": b'"\\udc00\\ud800"',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"', "bad UTF-8": b'"\xff\xfe"',
    "half a character": b'"\xc3"', "an overlong slash": b'"\xc0\xaf"', "an escape": b'"\\u001b[2J"',
    "a raw line feed": b'"a\nb"', "DEL": b'"\\u007f"', "a C1 control": b'"\\u0085"',
    "a very long text": b'"' + b"x" * 900_000 + b'"',
    "a long emoji": f'"{"🂡" * 9000}"'.encode(),
    "many accents": ('"' + "e" + "\u0301" * 20_000 + '"').encode(), "a bad escape": b'"\\x41"',
    "a prototype": b'{"__proto__":{"admin":true}}', "a constructor": b'{"constructor":{}}',
    "SQL": b'"\'; DROP TABLE event; --"', "a template": b'"{{ 7*7 }}"',
    "a path": b'"../../etc/passwd"',
    "right to left": '"\u202eevil"'.encode(), "a byte order mark": b'"\xef\xbb\xbf"',
    "single quotes": b"'x'", "a comment": b'/* x */ "x"', "a comma too many": b'["x",]',
}  # fmt: skip

WHOLE: Final = {
    "nothing": Item(b"", only=JSON),
    "a NUL": Item(b"\x00"),
    "blanks": Item(b" \n\t ", only=JSON),
    "a text": Item(b'"x"'),
    "null": Item(b"null"),
    "a number": Item(b"42"),
    "a list": Item(b"[]"),
    "an empty object": Item(b"{}"),
    "empty batch": Item(b'{"events":[]}'),
    "a batch of nothings": Item(b'{"events":[' + b"{}," * 999 + b"{}]}"),
    "a huge batch": Item(b'{"events":[' + b'{"type":"note_added"},' * 40_000 + b"{}]}", only=JSON),
    "very many nothings": Item(b"[" + b"{}," * (85_000 * MUCH) + b"{}]", only=JSON),
    "very many players": Item(
        b'{"title":"x","players":[' + b"{}," * (75_000 * MUCH) + b"{}]}", only=JSON),
    "very many members": Item(
        b"{" + b",".join(b'"%d":0' % n for n in range(20_000 * MUCH)) + b"}", only=JSON),
    "10^5 lists deep": Item(b"[" * 100_000 + b"]" * 100_000),
    "10^5 lists that never end": Item(b"[" * 100_000),
    "10^5 objects deep": Item(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "as deep as can be decoded": Item(b'{"title":"\xc3\xa9","a":' + b"[" * 700 + b"]" * 700 + b"}"),
    "deep data": Item(b'{"events":[{"type":"note_added","data":{"text":' + b"[" * 400 + b'"\\u00e9"'
                      + b"]" * 400 + b"}}]}"),
    "10 MB": Item(b" " * (10 << 20)),
    "10 MB of an object": Item(b'{"title":"' + b"x" * (10 << 20) + b'"}'),
    "8 MB and a bit of a text": Item(b'"' + b"x" * (8 << 20) + b'"'),
    "a key twice": Item(b'{"title":"a","title":"b","events":[],"events":[],"role":"a","role":"b"}'),
    "a prototype": Item(b'{"__proto__":{"title":"x"},"title":"x","players":[]}'),
    "UTF-16": Item('{"title":"x","players":[]}'.encode("utf-16")),
    "UTF-32": Item('{"title":"x","players":[]}'.encode("utf-32")),
    "Latin-1": Item('{"title":"caf\xe9","players":[],"role":"view"}'.encode("latin-1")),
    "two values": Item(b'{"title":"x","players":[]}{"title":"x","players":[]}'),
    "cut short": Item(b'{"title":"x","players":['),
    "a form": Item(b"title=x&players=", kind="application/x-www-form-urlencoded"),
    "a form in parts": Item(b"--x\r\n\r\nx\r\n--x--", kind="multipart/form-data; boundary=x"),
    "no type": Item(b'{"title":"x","players":[],"role":"view"}', kind=""),
    "a web page": Item(b"<html>", kind="text/html"),
    "nonsense as type": Item(b"{}", kind="\xff/;;"),
    "JSON as a text": Item(b'{"title":"x","players":[]}', kind="text/plain", only=JSON),
    "a log as JSON": Item(OPENED, kind=JSON, only=NDJSON),
    "packed": Item(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}),
    "packed so": Item(b"{}", headers={"Content-Encoding": "\xff" * 50}),
    "chunked junk": Item(b"zz\r\nxx", headers={"Transfer-Encoding": "chunked"}),
    "a zip file": Item(b"PK\x03\x04" + b"\x00" * 100),
}  # fmt: skip
# Faults in the second line of a log.
LINES: Final = {
    "two events a line": b'{"type":"session_closed"}{"type":"session_closed"}',
    "an event of nothing": b'{"type":"event_struck","data":{"seq":99,"reason":""}}',
    "half sealed": b'{"type":"session_closed","hash":"0"}',
    "very many blanks and a fault": b"\n" * (250_000 * MUCH) + b"x",
    "a line of 2 MB": b'{"type":"' + b"x" * (2 << 20) + b'"}',
}


def items() -> Iterator[tuple[str, Item]]:
    """Yield the corpus by name."""
    yield from WHOLE.items()
    for name, value in VALUES.items():
        yield f"everywhere {name}", Item(everywhere(value))
        yield f"a note: {name}", Item(b'{"events":[%b]}' % note(value), only=JSON)
        yield f"a line: {name}", Item(OPENED + note(value) + b"\n", only=NDJSON)
    for name, line in LINES.items():
        yield f"a line: {name}", Item(OPENED + line + b"\n", only=NDJSON)


# Values that are valid in a note, though not elsewhere.
FINE_AS_TEXT: Final = frozenset({
    "a text", "no text", "blanks", "SQL", "a template", "a path", "right to left",
    "a byte order mark", "a long emoji", "many accents",
})  # fmt: skip


def sent(
    table: Table, item: Item, every: int = 1, first: int = 0
) -> Iterator[tuple[str, TestResponse]]:
    """Send an item to the calls that accept bodies of its kind; yield the answers.

    It is sent to each ``every``-th of them from the ``first`` on.
    """
    calls = (
        ("/api/sessions", JSON), (f"{table.path}/events", JSON), (f"{table.path}/keys", JSON),
        (f"{table.path}/what-if", JSON), ("/api/what-if", JSON),
        ("/api/sessions/import", NDJSON), ("/api/score", NDJSON), ("/api/verify", NDJSON),
    )  # fmt: skip
    for path, kind in [call for call in calls if item.only in ("", call[1])][first::every]:
        headers = {
            **bearer(table.keys["host"]), "If-Match": f'"{table.version}"', **item.headers,
        }  # fmt: skip
        content_type = kind if item.kind is None else item.kind
        if content_type:
            headers["Content-Type"] = content_type
        yield path, table.client.post(path, data=item.body, headers=headers)


def table() -> Table:
    """Return a session of a new application."""
    return Table.open(client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6))


def main() -> dict[str, Any]:
    """Send the corpus; return the peak memory and the answers."""
    to = table()
    for _, item in list(items())[:5]:
        list(sent(to, item))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    statuses = [
        answer.status_code
        for _ in range(ROUNDS)
        for _, item in items()
        for _, answer in sent(to, item)
    ]  # fmt: skip
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"kilobytes": grown, "answers": len(statuses), "worst": max(statuses)}


if __name__ == "__main__":
    print(json.dumps(main()))  # noqa: T201  # it is a program

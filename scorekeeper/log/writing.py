"""Writing sealed logs."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from scorekeeper.log.chain import START, seal


def now() -> str:
    """The time as a log writes it: UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def sealed_lines(
    events: Iterable[tuple[str, Mapping[str, Any]]], at: str, by: str = "import"
) -> Iterator[bytes]:
    """The lines of a sealed log, each with its line feed, of events given as type and data."""
    previous = START
    for seq, (kind, data) in enumerate(events, start=1):
        sealed = seal(previous, seq, kind, data, at, by)
        previous = sealed.hash
        yield sealed.line + b"\n"

"""How long it takes to take an evening home, in every form, and ten thousand events."""

import json
import statistics
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from benchmarks.material import session
from benchmarks.measuring import anew, collected_as_served, median_seconds
from benchmarks.pace import tell_seconds
from scorekeeper.answers.jobs import SessionView, export_session
from scorekeeper.exports import formats
from scorekeeper.languages.reader import PROGRAM
from scorekeeper.log.writing import sealed_lines
from tests.evenings import Raw, golden_evenings
from tests.web.looking import brought_in, look

ID: Final = "23456789abcd"
EVENING: Final = 1.0  # seconds for any file of an evening
PICTURE: Final = 0.5
MANY: Final = 10_000
BUNDLE: Final = 2.0
RESULTS: Final = 0.5
RESULTS_SIZE: Final = 300_000  # bytes
RECORDED: Final = {"cards": "card by card", "totals": "by count"}
FIRST_LOOKS: Final = 6  # at a page that is kept from then on; the first of them warms up
AT: Final = "2026-01-01T20:00:00.000Z"


def made(form: str, log: bytes) -> int:
    """One file of a log, from reading that on, as the service makes it; how many bytes."""
    return len(export_session(SessionView(log.splitlines(), sees_all=True), ID, form, PROGRAM))


def stored(events: Iterable[Raw]) -> bytes:
    """The log of these as the service keeps it."""
    told = ((one["type"], one.get("data", {})) for one in events)
    return b"".join(sealed_lines(told, at=AT))


def of_evenings() -> Iterator[bool]:
    """Every form of every game's golden evening; the slowest is told."""
    logs = [stored(map(json.loads, path.read_bytes().splitlines())) for path in golden_evenings()]
    for form in formats.FORMATS:
        if form == "ics":
            continue  # those logs have no times
        took = max(median_seconds(partial(made, form, log), runs=3) for log in logs)
        bar = PICTURE if form == "png" else EVENING
        what = f"an evening as {form}, the slowest of the games"
        yield tell_seconds(what, took, bar)


def of_many(level: str, how: str) -> Iterator[bool]:
    """The archive, and the page of results, of many events recorded at a level of detail."""
    log = stored(session("riparto", MANY, level)[:MANY])
    told = f"{MANY:,} events {how}"
    took = median_seconds(partial(made, "zip", log), runs=3)
    yield tell_seconds(f"{told} as an archive", took, BUNDLE)
    tables = [brought_in(log) for _ in range(FIRST_LOOKS)]
    size = len(look(tables[0], "/results").data)
    with collected_as_served():
        took = statistics.median(anew(partial(look, table, "/results")) for table in tables[1:])
    what = f"{told} on the page of results, {size // 1000} KB"
    fits = size < RESULTS_SIZE
    yield tell_seconds(what, took, RESULTS, f" and {RESULTS_SIZE // 1000} KB", well=fits)


def exporting() -> list[bool]:
    """All that is taken home."""
    return [*of_evenings(), *(met for one in RECORDED.items() for met in of_many(*one))]

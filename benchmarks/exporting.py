"""Exports: every form of a usual evening, and the largest ones of 10,000 events."""

import json
import statistics
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from benchmarks.material import session
from benchmarks.measuring import collected_as_served, median_seconds, seconds_after_collection
from benchmarks.pace import report_seconds
from scorekeeper.answers.jobs import ReadableLog, export_session
from scorekeeper.exports import formats
from scorekeeper.languages.reader import PROGRAM
from scorekeeper.log.writing import sealed_lines
from tests.evenings import Raw, golden_evenings
from tests.web.looking import brought_in, look

ID: Final = "23456789abcd"
MAX_SECONDS_OF_FILE: Final = 1.0  # of a usual evening
MAX_SECONDS_OF_PICTURE: Final = 0.5
MANY_EVENTS: Final = 10_000
MAX_SECONDS_OF_BUNDLE: Final = 2.0  # of many events
MAX_SECONDS_OF_RESULTS: Final = {"cards": 0.5, "totals": 0.4}
MAX_BYTES_OF_RESULTS: Final = 300_000
RECORDED: Final = {"cards": "card by card", "totals": "by count"}
FIRST_REQUESTS: Final = 6  # of a page that is cached after each; one of them warms up
AT: Final = "2026-01-01T20:00:00.000Z"


def export(form: str, log: bytes) -> int:
    """Make a file from a log as the service does; return the number of bytes."""
    return len(export_session(ReadableLog(log.splitlines(), sees_all=True), ID, form, PROGRAM))


def seal_events(events: Iterable[Raw]) -> bytes:
    """Return the log of events as the service stores it."""
    pairs = ((event["type"], event.get("data", {})) for event in events)
    return b"".join(sealed_lines(pairs, at=AT))


def of_evenings() -> Iterator[bool]:
    """Measure every form of every game's golden evening, and report the slowest game."""
    logs = [
        seal_events(map(json.loads, path.read_bytes().splitlines())) for path in golden_evenings()
    ]
    for form in formats.FORMATS:
        if form == "ics":
            continue  # those logs have no times
        took = max(median_seconds(partial(export, form, log), runs=3) for log in logs)
        bar = MAX_SECONDS_OF_PICTURE if form == "png" else MAX_SECONDS_OF_FILE
        what = f"an evening as {form}, the slowest of the games"
        yield report_seconds(what, took, bar)


def of_many(level: str, how: str) -> Iterator[bool]:
    """Measure the archive and the page of results of many events at a level of detail."""
    log = seal_events(session("riparto", MANY_EVENTS, level)[:MANY_EVENTS])
    what_events = f"{MANY_EVENTS:,} events {how}"
    took = median_seconds(partial(export, "zip", log), runs=3)
    yield report_seconds(f"{what_events} as an archive", took, MAX_SECONDS_OF_BUNDLE)
    tables = [brought_in(log) for _ in range(FIRST_REQUESTS)]
    size = len(look(tables[0], "/results").data)
    with collected_as_served():
        took = statistics.median(
            seconds_after_collection(partial(look, table, "/results")) for table in tables[1:]
        )
    what = f"{what_events} on the page of results, {size // 1000} KB"
    goal = f" and {MAX_BYTES_OF_RESULTS // 1000} KB"
    fits = size < MAX_BYTES_OF_RESULTS
    yield report_seconds(what, took, MAX_SECONDS_OF_RESULTS[level], goal, well=fits)


def exporting() -> list[bool]:
    """Measure all exports."""
    return [*of_evenings(), *(is_met for level in RECORDED.items() for is_met in of_many(*level))]

"""The audit of an evening, and the search for suggested corrections of a hand."""

import io
from collections.abc import Iterator
from itertools import count, islice
from typing import Final

from benchmarks.material import Raw, log_of, session
from benchmarks.measuring import median_seconds, seconds
from benchmarks.pace import report_seconds
from scorekeeper.events.event import Entry
from scorekeeper.games import GAMES
from scorekeeper.repair import suggestions
from scorekeeper.report.findings import list_findings
from scorekeeper.session.session import Session
from tests.repair.mistakes import KINDS, mistaken

HANDS: Final = 40
MAX_SECONDS_OF_AUDIT: Final = 0.100
MAX_SECONDS_OF_SEARCH: Final = 1.0  # for one hand
HANDS_PER_KIND: Final = 2


def evening(game: str) -> list[Raw]:
    """Return the events of ``HANDS`` hands of a game, recorded card by card."""
    raw_events = session(game, 100 * HANDS)
    starts = [place for place, raw in enumerate(raw_events) if raw["type"] == "hand_started"]
    return raw_events[: starts[HANDS]]


def decode_evening(game: str) -> list[Entry]:
    """Return the decoded entries of an evening."""
    session = Session.read(io.BytesIO(log_of(evening(game))))
    return list(session.corrections.recorded.values())


def audit_entries(entries: list[Entry]) -> None:
    """Replay an evening and audit it. Raises `AssertionError` if there is a finding."""
    findings = [
        finding for finding in list_findings(Session.of(entries)) if finding.severity != "info"
    ]
    if findings:
        raise AssertionError(findings)


def audit() -> Iterator[bool]:
    """Measure the replay and the audit of an evening's entries."""
    for game in GAMES:
        entries = decode_evening(game)
        took = median_seconds(lambda entries=entries: audit_entries(entries))  # type: ignore[misc]
        what = f"{GAMES[game].name}, {HANDS} hands by cards replayed and audited"
        yield report_seconds(what, took, MAX_SECONDS_OF_AUDIT)


def mistakes(game: str) -> Iterator[Session]:
    """Yield sessions with one mistake in the record of a hand, for every kind of mistake."""
    for kind in KINDS:
        tried = (mistaken(game, seed, kind) for seed in islice(count(), 100))
        yield from islice((hand.session() for hand in tried if hand), HANDS_PER_KIND)


def suggesting() -> Iterator[bool]:
    """Measure the suggestions for a hand, and report the longest search."""
    for game in GAMES:
        took = [seconds(lambda log=log: suggestions(log)) for log in mistakes(game)]  # type: ignore[misc]
        what = f"{GAMES[game].name}, suggestions for a hand, the longest of {len(took)}"
        yield report_seconds(what, max(took), MAX_SECONDS_OF_SEARCH)


def auditing() -> list[bool]:
    """Measure audits and searches; return which bars are met."""
    return [*audit(), *suggesting()]

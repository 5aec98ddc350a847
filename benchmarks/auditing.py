"""How long the audit of an evening takes, and the search for what would set a hand right."""

import io
from collections.abc import Iterator
from itertools import count, islice
from typing import Final

from benchmarks.material import Raw, log_of, session
from benchmarks.measuring import median_seconds, seconds
from benchmarks.pace import tell_seconds
from scorekeeper.events.event import Entry
from scorekeeper.games import GAMES
from scorekeeper.repair import suggestions
from scorekeeper.report.findings import list_findings
from scorekeeper.session.session import Session
from tests.repair.mistakes import KINDS, mistaken

HANDS: Final = 40
AUDIT: Final = 0.100  # seconds
SUGGESTED: Final = 1.0  # seconds, for one hand
OF_EACH_KIND: Final = 2


def evening(game: str) -> list[Raw]:
    """A given number of hands of a game, recorded card by card."""
    told = session(game, 100 * HANDS)
    starts = [place for place, one in enumerate(told) if one["type"] == "hand_started"]
    return told[: starts[HANDS]]


def recorded(game: str) -> list[Entry]:
    """The entries of such an evening, as they were read."""
    read = Session.read(io.BytesIO(log_of(evening(game))))
    return list(read.corrections.recorded.values())


def audited(entries: list[Entry]) -> None:
    """Replay an evening and find all that is wrong with it, which is nothing."""
    wrong = [one for one in list_findings(Session.of(entries)) if one.severity != "info"]
    if wrong:
        raise AssertionError(wrong)


def audit() -> Iterator[bool]:
    """Replay and all checks of an evening's entries."""
    for game in GAMES:
        entries = recorded(game)
        took = median_seconds(lambda entries=entries: audited(entries))  # type: ignore[misc]
        what = f"{GAMES[game].name}, {HANDS} hands by cards replayed and audited"
        yield tell_seconds(what, took, AUDIT)


def mistakes(game: str) -> Iterator[Session]:
    """Sessions with a hand in whose record there is one mistake, of every kind."""
    for kind in KINDS:
        tried = (mistaken(game, seed, kind) for seed in islice(count(), 100))
        yield from islice((one.session() for one in tried if one), OF_EACH_KIND)


def suggesting() -> Iterator[bool]:
    """The suggestions for one hand, of the hands that take the longest."""
    for game in GAMES:
        took = [seconds(lambda one=one: suggestions(one)) for one in mistakes(game)]  # type: ignore[misc]
        what = f"{GAMES[game].name}, suggestions for a hand, the longest of {len(took)}"
        yield tell_seconds(what, max(took), SUGGESTED)


def auditing() -> list[bool]:
    """Whether each of these bars is met."""
    return [*audit(), *suggesting()]

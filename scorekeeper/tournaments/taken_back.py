"""Corrections that take back a round that was closed, or published, by mistake.

They strike what depends on it, too: draws that could be made only after the close, and all that was
recorded about the round since its publication.
"""

from collections.abc import Iterator
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import CorrectionBegun, EventStruck
from scorekeeper.events.event import Entry
from scorekeeper.tournaments.events import (
    CallAnswered,
    ClockStopped,
    DirectorCalled,
    DrawKept,
    HandRuled,
    ResultAssigned,
    ResultRecorded,
    RoundClosed,
    RoundDrawn,
    RoundPublished,
    RoundStarted,
    SeatingCorrected,
    SeatsExchanged,
    TimeAdded,
)
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.tournament import Tournament

OF_A_DRAW: Final = (RoundDrawn, SeatsExchanged, DrawKept)
SINCE_PUBLICATION: Final = (
    RoundPublished, RoundStarted, TimeAdded, ClockStopped, SeatingCorrected, ResultRecorded,
    ResultAssigned, HandRuled, DirectorCalled, RoundClosed,
)  # fmt: skip

TakingBack = list[tuple[str, JsonObject]]


def can_reopen(record: TournamentRecord) -> bool:
    """Return whether the latest published round is closed and can be opened again."""
    latest = record.find_latest_published()
    return latest is not None and latest.closed and record.heads is None


def list_reopening(held: Tournament, number: int, reason: str) -> TakingBack:
    """Return the corrections after which a round is open again.

    Draws that were made since its close are struck. Raises `UnusableError` if the round is not
    closed, a later one is published, or the tournament is closed.
    """
    drawn = held.state.require_published(number)
    if not drawn.closed:
        words = f"round {number} is not closed"
        raise UnusableError(Cause(words, "not_closed", round=number), field="round")
    _refuse_later(held.state, number)
    entries = list(held.list_standing())
    (close,) = [
        entry.seq for entry in entries
        if isinstance(entry.event, RoundClosed) and entry.event.round == number
    ]  # fmt: skip
    return _strike([close, *_list_draws_after(entries, close, number)], reason)


def list_recall(held: Tournament, number: int, reason: str) -> TakingBack:
    """Return the corrections after which a round is drawn and not published.

    Raises `UnusableError` if it is not published, a later one is, or a result is recorded.
    """
    drawn = held.state.require_published(number)
    _refuse_later(held.state, number)
    if drawn.paper:
        words = f"a result of round {number} is recorded"
        raise UnusableError(Cause(words, "round_is_played", round=number), field="round")
    struck = list[int]()
    for entry in held.list_standing():
        event = entry.event
        about = isinstance(event, SINCE_PUBLICATION) and event.round == number
        if about or (isinstance(event, CallAnswered) and event.call in struck):
            struck.append(entry.seq)
    return _strike(struck, reason)


def _refuse_later(record: TournamentRecord, number: int) -> None:
    """Raise `UnusableError` if a later round is published, or the tournament is closed."""
    later = record.find_latest_published()
    if later is not None and later.number > number:
        words = f"round {later.number} is published, so round {number} stays as it is"
        raise UnusableError(Cause(words, "later_published", round=later.number), field="round")
    if record.heads is not None:
        words = "the tournament is closed: what was wrong is corrected"
        raise UnusableError(Cause(words, "tournament_closed"), field="type")


def _list_draws_after(entries: list[Entry], close: int, number: int) -> Iterator[int]:
    """Yield the seqs of what belongs to a draw of a later round that needed the close."""
    again = {
        entry.event.round for entry in entries
        if entry.seq > close and isinstance(entry.event, RoundDrawn) and not entry.event.early
        and entry.event.round > number
    }  # fmt: skip
    for entry in entries:
        if entry.seq > close and isinstance(entry.event, OF_A_DRAW) and entry.event.round in again:
            yield entry.seq


def _strike(seqs: list[int], reason: str) -> TakingBack:
    """Return the strikes of events, which take effect together."""
    if len(seqs) == 1:
        return [(EventStruck.TYPE, {"seq": seqs[0], "reason": reason})]
    begun = CorrectionBegun.TYPE, {"count": len(seqs), "reason": reason}
    return [begun, *((EventStruck.TYPE, {"seq": seq}) for seq in seqs)]

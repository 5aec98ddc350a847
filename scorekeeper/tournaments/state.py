"""The state of a tournament's log: each event is applied, or refused."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.event import Entry, Event
from scorekeeper.tournaments import entrant_steps, round_steps
from scorekeeper.tournaments.events import (
    CallAnswered,
    ClockStopped,
    DirectorCalled,
    DrawKept,
    EntrantPaid,
    EntrantPointsAdjusted,
    EntrantPresent,
    EntrantRegistered,
    EntrantReplaced,
    EntrantWithdrawn,
    HandRuled,
    LotDrawn,
    PlanChanged,
    ResultAssigned,
    ResultRecorded,
    RoundClosed,
    RoundDrawn,
    RoundPublished,
    RoundStarted,
    SeatingCorrected,
    SeatsExchanged,
    TimeAdded,
    TournamentClosed,
    TournamentOpened,
)
from scorekeeper.tournaments.record import TournamentRecord

AUTHORS: Final = frozenset({"keeper", "import", ""})  # of events, beside the players
AFTER_THE_CLOSE: Final = (NoteAdded, CallAnswered)


class TournamentState(TournamentRecord):
    """Everything in a tournament's log that stands, to which events are applied."""

    __slots__ = ()

    def apply(self, entry: Entry) -> None:
        """Apply the next event that stands.

        Raises `UnusableError`, with nothing changed, if the event does not fit.
        """
        event = entry.event
        self.refuse_unopened(event)
        self.refuse_author(entry)
        if self.heads is not None and not isinstance(event, AFTER_THE_CLOSE):
            words = "the tournament is closed: what was wrong is corrected"
            raise UnusableError(Cause(words, "tournament_closed"), field="type")
        self._STEPS[type(event)](self, entry, event)

    def refuse_unopened(self, event: Event) -> None:
        """Raise `UnusableError` for any event before the tournament is opened."""
        if self.opened is None and not isinstance(event, TournamentOpened):
            words = f"a tournament's log begins with tournament_opened, got {event.TYPE}"
            raise UnusableError(
                Cause(words, "tournament_not_opened", type=event.TYPE), field="type"
            )

    def refuse_author(self, entry: Entry) -> None:
        """Raise `UnusableError` for an event whose author does not belong to the tournament."""
        if entry.by not in AUTHORS and entry.by not in {who for who, _, _ in self.list_players()}:
            who = "a player of this tournament, keeper or import"
            raise UnusableError(expected(who, entry.by, "no_player_wrote"), field="by")

    _STEPS: ClassVar[Mapping[type[Event], Callable[[Any, Entry, Any], None]]] = {
        TournamentOpened: entrant_steps.open_tournament,
        PlanChanged: entrant_steps.change_plan,
        EntrantRegistered: entrant_steps.register,
        EntrantPresent: entrant_steps.note_present,
        EntrantPaid: entrant_steps.note_paid,
        EntrantWithdrawn: entrant_steps.withdraw,
        EntrantReplaced: entrant_steps.substitute,
        EntrantPointsAdjusted: entrant_steps.adjust_points,
        LotDrawn: entrant_steps.draw_lot,
        NoteAdded: entrant_steps.accept_note,
        RoundDrawn: round_steps.draw_round,
        DrawKept: round_steps.keep_draw,
        RoundPublished: round_steps.publish_round,
        RoundStarted: round_steps.start_clock,
        TimeAdded: round_steps.add_time,
        ClockStopped: round_steps.stop_clock,
        SeatsExchanged: round_steps.exchange_seats,
        SeatingCorrected: round_steps.correct_seating,
        ResultRecorded: round_steps.record_paper,
        ResultAssigned: round_steps.assign_result,
        HandRuled: round_steps.rule_hand,
        DirectorCalled: round_steps.call_director,
        CallAnswered: round_steps.answer_call,
        RoundClosed: round_steps.close_round,
        TournamentClosed: round_steps.close_tournament,
    }

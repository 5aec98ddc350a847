"""Rules for which entries of a hand can be corrected, and with which key."""

from collections.abc import Sequence

from scorekeeper.events.common import HandAbandoned, HandStarted, PenaltyGiven, ScoreClaimed
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import Event
from scorekeeper.games.game import Game
from scorekeeper.report.masking import is_over
from scorekeeper.report.report import get_hand_status, is_confirmed_by_all
from scorekeeper.service.confirmed import score_of
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.streams.holder import Holder


def editable_types(game: Game) -> frozenset[type[Event]]:
    """Return the types of events that can be corrected: of a hand, its deal, penalties."""
    common = (HandStarted, HandAbandoned, ScoreClaimed, PenaltyGiven)
    return frozenset((*game.events, *map(game.own_event, common)))


def is_disputable(hand: HandRecord) -> bool:
    """Return whether a hand can be disputed: it is over, or its record contradicts itself."""
    return is_over(hand) or get_hand_status(hand.match, hand) == "incomplete"


def may_correct_alone(session: Session, corrections: Sequence[Correction], holder: Holder) -> bool:
    """Return whether the host may record corrections without signatures.

    They change no hand that every side has confirmed, and no match with such a hand as a whole.
    Raises `UnusableError` if they cannot be recorded.
    """
    if holder.role != "host":
        return False
    confirmed = _list_confirmed(session)

    def changes_none() -> bool:
        after = _list_confirmed(session)
        return all(after.get(seq) == match for seq, match in confirmed.items())

    return session.try_corrections(corrections, changes_none)


def _list_confirmed(session: Session) -> dict[int, object]:
    """Return the hands that every side has confirmed, by their start, with score and match."""
    return {
        hand.started.seq: (score_of(hand), match.list_terms())
        for match in session.structure.matches
        for hand in match.hands
        if is_confirmed_by_all(session, hand)
    }


def may_amend(hand: HandRecord, holder: Holder) -> bool:
    """Return whether the holder may have a hand's entries corrected; during play only the host."""
    return holder.role == "host" or (holder.role == "seat" and is_disputable(hand))

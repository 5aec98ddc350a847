"""Rules for which entries of a hand can be corrected, and with which key."""

from scorekeeper.events.common import HandAbandoned, HandStarted, PenaltyGiven, ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.games.game import Game
from scorekeeper.report.masking import is_over
from scorekeeper.report.report import get_hand_status
from scorekeeper.session.matches import HandRecord
from scorekeeper.streams.holder import Holder


def editable_types(game: Game) -> frozenset[type[Event]]:
    """Return the types of events that can be corrected: of a hand, its deal, penalties."""
    return frozenset((*game.events, HandStarted, HandAbandoned, ScoreClaimed, PenaltyGiven))


def is_disputable(hand: HandRecord) -> bool:
    """Return whether a hand can be disputed: it is over, or its record contradicts itself."""
    return is_over(hand) or get_hand_status(hand.match, hand) == "incomplete"


def may_amend(hand: HandRecord, holder: Holder) -> bool:
    """Return whether the holder may have a hand's entries corrected; during play only the host."""
    return holder.role == "host" or (holder.role == "seat" and is_disputable(hand))

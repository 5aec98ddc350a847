"""What can be corrected of a hand, and by whom."""

from scorekeeper.events.common import HandAbandoned, HandStarted, PenaltyGiven, ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.games.game import Game
from scorekeeper.report.masking import is_over
from scorekeeper.report.report import get_hand_status
from scorekeeper.service.permissions import Holder
from scorekeeper.session.matches import HandRecord


def editable(game: Game) -> frozenset[type[Event]]:
    """What can be said otherwise of a hand: all that happens in it, who dealt, and penalties."""
    return frozenset((*game.events, HandStarted, HandAbandoned, ScoreClaimed, PenaltyGiven))


def disputable(hand: HandRecord) -> bool:
    """Whether a hand can be disputed: it is over, or its record contradicts itself."""
    return is_over(hand) or get_hand_status(hand.match, hand) == "incomplete"


def amendable(hand: HandRecord, holder: Holder) -> bool:
    """Whether somebody can have a hand's entries corrected; while it is at play, only the host."""
    return holder.role == "host" or (holder.role == "seat" and disputable(hand))

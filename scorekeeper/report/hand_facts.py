"""What players tell of a hand of a session: its facts, and the line that sums it up."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.events.sentences import Voice
from scorekeeper.play.facts import SummaryLine
from scorekeeper.session.matches import HandRecord


def get_facts(hand: HandRecord) -> dict[str, Any]:
    """The facts of a hand by id, as far as they are on record; none where it does not score."""
    return hand.game.facts.known(hand.deal) if hand.match.is_complete(hand) else {}


def summarize_hand(hand: HandRecord, voice: Voice) -> Sequence[SummaryLine]:
    """What a hand came to, in the language that is spoken.

    Where the game tells nothing of it, its lines do; nothing where it does not score.
    """
    if not hand.match.is_complete(hand):
        return ()
    sides = tuple(hand.match.sides)
    told = tuple(hand.game.facts.summarize(get_facts(hand), sides, voice))
    lines = hand.deal.result.lines
    return told or tuple(SummaryLine((line.side,), line.text.say(voice.show)) for line in lines)

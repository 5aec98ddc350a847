"""The facts of a hand of a session, and the sentence that sums it up."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.events.sentences import Voice
from scorekeeper.play.facts import SummaryLine
from scorekeeper.session.matches import HandRecord


def get_facts(hand: HandRecord) -> dict[str, Any]:
    """Return the recorded facts of a hand by id; none if the hand does not score."""
    return hand.game.facts.known(hand.deal) if hand.match.is_complete(hand) else {}


def summarize_hand(hand: HandRecord, voice: Voice) -> Sequence[SummaryLine]:
    """Return the result of a hand in the current language; empty if the hand does not score.

    If the game has no summary, the lines of the score are used.
    """
    if not hand.match.is_complete(hand):
        return ()
    sides = tuple(hand.match.sides)
    facts = tuple(hand.game.facts.summarize(get_facts(hand), sides, voice))
    lines = hand.deal.result.lines
    return facts or tuple(SummaryLine((line.side,), line.text.say(voice.show)) for line in lines)

"""Add the entries of a hand to its deal, and refuse unusable ones before.

The fold (:data:`FOLD`) only records: it never judges. A game's own fold adds its events.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.events.common import HandAbandoned, ScoreClaimed
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.playing import (
    CardPlayed,
    CardsShown,
    OutcomeRecorded,
    PointsCounted,
    RestClaimed,
    TrickTaken,
)
from scorekeeper.events.references import Scope, refuse_unknown
from scorekeeper.play.counts import refuse_count
from scorekeeper.play.deal import ClaimOfRest, Deal, RecordedEvent, ShownCards


def _refuse_count(deal: Deal, event: PointsCounted) -> None:
    """Raise `UnusableError` if a count leaves out too many sides or exceeds the fixed total."""
    sides = deal.counted_sides()
    refuse_count("data.points", event.points, sides, deal.total(), deal.COUNTED_IN)
    if event.tricks is not None:
        refuse_count("data.tricks", event.tricks, sides, deal.tricks.total)


def _refuse_repeated_play(deal: Deal, event: CardPlayed) -> None:
    """Raise `UnusableError` if the player already played this card, or to this trick."""
    if event.card in deal.first:
        for play in deal.plays_of(event.card):
            if play.player == event.player:
                raise _played_error(deal, play, "in this hand", "played_before", "data.card")
    trick = deal.tricks.open
    for play in () if trick is None else trick.plays:
        if play.player == event.player:
            raise _played_error(deal, play, "to this trick", "played_to_this_trick", "data.player")


def _played_error(deal: Deal, play: Play, where: str, why: str, field: str) -> UnusableError:
    """Return the error for a repeated play.

    ``play`` is the earlier one, ``where`` completes the sentence, ``why`` is the code, and
    ``field`` the field of the event that is at fault.
    """
    name, card = deal.name(play.player), deal.table.pack.show(play.card)
    words = f"{name} has already played {card} {where} (event {play.seq})"
    return UnusableError(Cause(words, why, name=name, card=card, seq=play.seq), field=field)


Refuse = Callable[[Any, Any], None]
Refusals = Mapping[type[Event], Refuse]

# The test of each event that can be unusable in a hand. It runs before the fold.
REFUSE: Final[Refusals] = MappingProxyType(
    {CardPlayed: _refuse_repeated_play, PointsCounted: _refuse_count}
)


def refuse_card(deal: Deal, event: CardPlayed, scope: Scope) -> None:
    """Refuse an unknown card or player, and a card or turn that was played before.

    Equivalent to :func:`make_refusal`, but faster: most events of a log are cards.
    """
    card, player, trick = event.card, event.player, deal.tricks.open
    if card not in scope.cards or player not in scope.active:
        refuse_unknown(event, scope)
    before = card in deal.first
    if trick is not None:
        for play in trick.plays:
            before |= play.player == player
    if before:
        _refuse_repeated_play(deal, event)


# ------------------------------------------------------------------------------------- fold


FoldStep = Callable[[Any, int, Any], object]
Fold = Mapping[type[Event], FoldStep]


def record_entry(deal: Deal, entry: Entry, fold: Fold) -> None:
    """Add an entry of a hand to its deal: apply the fold step of its event, and list the entry.

    An event without a step in ``fold`` is only listed.
    """
    step = fold.get(type(entry.event))
    if step is not None:
        step(deal, entry.seq, entry.event)
    deal.entries.append(entry)


def card_played(deal: Deal, seq: int, event: CardPlayed) -> Trick | None:
    """Record a card; close and return the trick that it fills.

    Return None if the trick is not full.
    """
    play = Play(seq, event.player, event.card)
    if deal.first.setdefault(event.card, play) is not play:
        deal.again.append(play)
    deal.plays.append(play)
    return deal.tricks.play(play)


def trick_taken(deal: Deal, seq: int, event: TrickTaken) -> None:
    """Record the winner of a trick as the players named them."""
    deal.tricks.name_winner(seq, event.player, event.trick)


def rest_claimed(deal: Deal, seq: int, event: RestClaimed) -> None:
    """Record a claim of the rest; the last claim stands."""
    deal.rest = RecordedEvent(seq, event)
    taken = [n for n, trick in deal.tricks.numbered.items() if trick is not deal.tricks.open]
    deal.rests.append(ClaimOfRest(seq, event.player, frozenset(taken)))


def hand_abandoned(deal: Deal, seq: int, event: HandAbandoned) -> None:
    """Record that the hand is abandoned."""
    deal.abandoned = RecordedEvent(seq, event)


def cards_shown(deal: Deal, seq: int, event: CardsShown) -> None:
    """Record cards that a player showed, and at which point of the play."""
    shown = ShownCards(seq, event.player, event.cards, len(deal.plays), deal.tricks.due)
    deal.shown.append(shown)


def append_to(name: str) -> Callable[[Deal, int, Any], None]:
    """Return a fold step that appends the event with its seq to the deal's list ``name``."""

    def note(deal: Deal, seq: int, event: object) -> None:
        """Append the event with its seq to the list of the deal."""
        getattr(deal, name).append(RecordedEvent(seq, event))

    return note


FOLD: Final[Fold] = MappingProxyType({
    CardPlayed: card_played,
    TrickTaken: trick_taken,
    RestClaimed: rest_claimed,
    HandAbandoned: hand_abandoned,
    CardsShown: cards_shown,
    PointsCounted: append_to("counts"),
    OutcomeRecorded: append_to("outcomes"),
    ScoreClaimed: append_to("claims"),
})  # fmt: skip

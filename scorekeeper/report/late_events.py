"""What nobody may see while a hand is played, and can be put on record once it is over.

What was laid away can be said then as it is (its first record that names cards has effect).
What an event on record kept back is added to it by a correction, and so is an exchange that
nobody recorded: its place is before the declarations, elder's first.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scorekeeper.events.common import Entry, Event
from scorekeeper.events.fields import parts
from scorekeeper.session.matches import HandRecord

LAID_AWAY: Final = "cards_laid_away"
EXCHANGED: Final = "cards_exchanged"
WHITE: Final = "white_declared"


class Late(NamedTuple):
    """An event of a player's that a hand can do with, and what is to be said of it.

    ``kept`` is the entry that kept this back. ``after`` is the seq after which it belongs, where
    it needs a correction to come there.
    """

    declared: type[Event]
    player: str
    fields: tuple[str, ...]
    kept: Entry | None = None
    after: int | None = None


def late_events(hand: HandRecord) -> Iterator[Late]:
    """All of a complete hand that was not to be seen, and is not on record."""
    if not hand.deal.tricks.numbered:
        return  # of which only the totals were asked
    yield from _laid_away(hand)
    for entry in hand.entries:
        event = entry.event
        if event.TYPE != LAID_AWAY and is_bare(event):
            player = str(getattr(event, "player", ""))
            yield Late(type(event), player, kept_back(type(event)), kept=entry)
    if hand.deal.first:
        yield from _exchange(hand)


def kept_back(declared: type[Event]) -> tuple[str, ...]:
    """The fields that are not asked for while a hand is played: they lie face down till then."""
    hidden = declared.HIDDEN
    if not hidden:
        return ()
    return tuple(one.name for one in parts(declared) if one.optional and one.name in hidden)


def is_bare(event: Event) -> bool:
    """Whether an event keeps back all that it can."""
    names = kept_back(type(event))
    return bool(names) and all(getattr(event, name) is None for name in names)


def _laid_away(hand: HandRecord) -> Iterator[Late]:
    said = [entry.event for entry in hand.entries if entry.event.TYPE == LAID_AWAY]
    declared = _declared(hand, LAID_AWAY)
    if declared is not None and all(map(is_bare, said)):
        yield Late(declared, getattr(hand.deal, "bidder", hand.deal.table.dealer), ("cards",))


def _exchange(hand: HandRecord) -> Iterator[Late]:
    """The first exchange that is not on record, in a game in which everybody exchanges."""
    declared = _declared(hand, EXCHANGED)
    done = [getattr(entry.event, "player", "") for entry in hand.entries if _is_exchange(entry)]
    missing = [player for player in hand.deal.table.players if player not in done]
    if declared is not None and missing:
        after = _before(hand, missing[0])
        yield Late(declared, missing[0], ("discarded", "count"), after=after)


def _declared(hand: HandRecord, kind: str) -> type[Event] | None:
    return next((one for one in hand.game.events if kind == one.TYPE), None)


def _is_exchange(entry: Entry) -> bool:
    return entry.event.TYPE == EXCHANGED


def _before(hand: HandRecord, player: str) -> int:
    """The seq of what comes right before an exchange: the deal, a White, elder's exchange."""
    elder = hand.deal.table.players[0]
    found = hand.started.seq
    for entry in hand.entries:
        of_elder = getattr(entry.event, "player", "") == elder
        if entry.event.TYPE == WHITE and (of_elder or player != elder):
            found = entry.seq
        if _is_exchange(entry) and of_elder and player != elder:
            found = entry.seq
    return found

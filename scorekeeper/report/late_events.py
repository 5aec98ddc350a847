"""What nobody may see while a hand is played, and can be put on record once it is over.

What was laid away can be said then as it is (its first record that names cards has effect).
What an event on record kept back is added to it by a correction, and so is an exchange that
nobody recorded: its place is before the declarations, elder's first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.events.event import Afterwards, Entry, Event
from scorekeeper.events.fields import PLAYER, parts
from scorekeeper.session.matches import HandRecord


class LateEvent(NamedTuple):
    """An event of a player's that a hand can do with, and what is to be said of it.

    ``kept`` is the entry that kept this back. ``after`` is the seq after which it belongs, where
    it needs a correction to come there.
    """

    declared: type[Event]
    player: str
    fields: tuple[str, ...]
    kept: Entry | None = None
    after: int | None = None


def list_late_events(hand: HandRecord) -> Iterator[LateEvent]:
    """All of a complete hand that was not to be seen, and is not on record."""
    if not hand.deal.tricks.numbered:
        return  # of which only the totals were asked
    for declared in _left_out(hand, Afterwards.SAID_AGAIN):
        yield from _again(hand, declared)
    for entry in hand.entries:
        event = entry.event
        if event.AFTERWARDS is not Afterwards.SAID_AGAIN and withholds_all(event):
            player = str(getattr(event, "player", ""))
            yield LateEvent(type(event), player, list_withheld_fields(type(event)), kept=entry)
    if hand.deal.first:
        for declared in _left_out(hand, Afterwards.INSERTED):
            yield from _inserted(hand, declared)


def _left_out(hand: HandRecord, how: Afterwards) -> Iterator[type[Event]]:
    return (one for one in hand.game.events if one.AFTERWARDS is how)


def list_withheld_fields(declared: type[Event]) -> tuple[str, ...]:
    """The fields that are not asked for while a hand is played: they lie face down till then."""
    hidden = declared.HIDDEN
    if not hidden:
        return ()
    return tuple(one.name for one in parts(declared) if one.optional and one.name in hidden)


def withholds_all(event: Event) -> bool:
    """Whether an event keeps back all that it can."""
    names = list_withheld_fields(type(event))
    return bool(names) and all(getattr(event, name) is None for name in names)


def _again(hand: HandRecord, declared: type[Event]) -> Iterator[LateEvent]:
    """What is said by one player alone, who bid or dealt: nobody said it, or not what it hides."""
    said = [entry.event for entry in hand.entries if isinstance(entry.event, declared)]
    if all(map(withholds_all, said)):
        yield LateEvent(
            declared,
            getattr(hand.deal, "bidder", hand.deal.table.dealer),
            list_late_fields(declared),
        )


def _inserted(hand: HandRecord, declared: type[Event]) -> Iterator[LateEvent]:
    """The first that is not on record of what everybody does."""
    done = [_player(entry) for entry in hand.entries if isinstance(entry.event, declared)]
    missing = [player for player in hand.deal.table.players if player not in done]
    if missing:
        needed = [p.name for p in parts(declared) if not p.optional and p.kind != PLAYER]
        fields = (*list_late_fields(declared), *needed)
        yield LateEvent(declared, missing[0], fields, after=_before(hand, declared, missing[0]))


def list_late_fields(declared: type[Event]) -> tuple[str, ...]:
    """What is hidden in an event, and does not follow from the rest of the record."""
    follows = {one.name for one in parts(declared) if one.follows}
    return tuple(name for name in list_withheld_fields(declared) if name not in follows)


def _player(entry: Entry) -> str:
    return str(getattr(entry.event, "player", ""))


def _before(hand: HandRecord, declared: type[Event], player: str) -> int:
    """The seq of what comes right before: the deal, what comes before it by its kind, elder's."""
    elder = hand.deal.table.players[0]
    found = hand.started.seq
    for entry in hand.entries:
        of_elder = _player(entry) == elder
        if declared.TYPE in entry.event.BEFORE and (of_elder or player != elder):
            found = entry.seq
        if isinstance(entry.event, declared) and of_elder and player != elder:
            found = entry.seq
    return found

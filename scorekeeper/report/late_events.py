"""Events that nobody may see while a hand is played, and that can be recorded once it is over.

Cards laid away can be recorded again with their names, since the first record with names counts. A
correction adds the fields that a recorded event withheld. A correction also inserts an exchange
that nobody recorded: before the declarations, elder's first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.events.event import Afterwards, Entry, Event
from scorekeeper.events.fields import PLAYER, parts_of
from scorekeeper.session.matches import HandRecord


class LateEvent(NamedTuple):
    """An event of a player that is still missing, and the fields to ask for.

    ``kept`` is the entry that withheld these fields. ``after`` is the seq after which the event
    belongs, if a correction has to insert it.
    """

    declared: type[Event]
    player: str
    fields: tuple[str, ...]
    kept: Entry | None = None
    after: int | None = None


def list_late_events(hand: HandRecord) -> Iterator[LateEvent]:
    """Yield the events of a complete hand that were hidden and are not on record."""
    if not hand.deal.tricks.numbered:
        return  # only the totals of this hand are recorded
    for declared in _list_types(hand, Afterwards.SAID_AGAIN):
        yield from _late_statement(hand, declared)
    for entry in hand.entries:
        event = entry.event
        if event.AFTERWARDS is not Afterwards.SAID_AGAIN and withholds_all(event):
            player = str(getattr(event, "player", ""))
            yield LateEvent(type(event), player, list_withheld_fields(type(event)), kept=entry)
    if hand.deal.first:
        for declared in _list_types(hand, Afterwards.INSERTED):
            yield from _late_insertion(hand, declared)


def _list_types(hand: HandRecord, how: Afterwards) -> Iterator[type[Event]]:
    """Yield the event types of a game that are recorded after the hand in this way."""
    return (declared for declared in hand.game.events if declared.AFTERWARDS is how)


def list_withheld_fields(declared: type[Event]) -> tuple[str, ...]:
    """Return the fields that lie face down during a hand, and are only asked for after it."""
    hidden = declared.HIDDEN
    if not hidden:
        return ()
    return tuple(
        event_part.name
        for event_part in parts_of(declared)
        if event_part.optional and event_part.name in hidden
    )


def withholds_all(event: Event) -> bool:
    """Return whether an event leaves out all fields that it may withhold; false if it has none."""
    names = list_withheld_fields(type(event))
    return bool(names) and all(getattr(event, name) is None for name in names)


def _late_statement(hand: HandRecord, declared: type[Event]) -> Iterator[LateEvent]:
    """Yield an event of the concealer that was not recorded, or only without its fields."""
    recorded = [entry.event for entry in hand.entries if isinstance(entry.event, declared)]
    player = hand.deal.concealer
    if player is not None and all(map(withholds_all, recorded)):
        yield LateEvent(declared, player, list_late_fields(declared))


def _late_insertion(hand: HandRecord, declared: type[Event]) -> Iterator[LateEvent]:
    """Yield an event that all players record, for the first player without it."""
    done = [_player_of_entry(entry) for entry in hand.entries if isinstance(entry.event, declared)]
    missing = [player for player in hand.deal.table.players if player not in done]
    if missing:
        needed = [p.name for p in parts_of(declared) if not p.optional and p.kind != PLAYER]
        fields = (*list_late_fields(declared), *needed)
        yield LateEvent(declared, missing[0], fields, after=_find_place(hand, declared, missing[0]))


def list_late_fields(declared: type[Event]) -> tuple[str, ...]:
    """Return the hidden fields of an event that do not follow from the rest of the record."""
    follows = {event_part.name for event_part in parts_of(declared) if event_part.follows}
    return tuple(name for name in list_withheld_fields(declared) if name not in follows)


def _player_of_entry(entry: Entry) -> str:
    """Return the player of an event; empty if it has none."""
    return str(getattr(entry.event, "player", ""))


def _find_place(hand: HandRecord, declared: type[Event], player: str) -> int:
    """Return the seq after which an event belongs.

    That is the deal, an event that comes before it by its type, or elder's event of the same type.
    """
    elder = hand.deal.table.players[0]
    seq = hand.started.seq
    for entry in hand.entries:
        of_elder = _player_of_entry(entry) == elder
        if declared.TYPE in entry.event.BEFORE and (of_elder or player != elder):
            seq = entry.seq
        if isinstance(entry.event, declared) and of_elder and player != elder:
            seq = entry.seq
    return seq

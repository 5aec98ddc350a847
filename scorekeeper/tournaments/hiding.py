"""The draws that the hall must not see yet: which events of a log hold them, and their salts.

A draw lies face down until its round is published, and with it the seats that were exchanged and
the corrections of both. Only the directors see it; everybody may see that it exists. A draw that
was drawn again turns up with the one that is played.
"""

from collections.abc import Iterator, Sequence
from secrets import token_urlsafe
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.event import SALT, Event
from scorekeeper.log.face_down import INSERTING_TYPES, SALT_BYTES
from scorekeeper.tournaments.events import RoundDrawn, SeatsExchanged
from scorekeeper.tournaments.tournament import Tournament

DRAWING_TYPES: Final = (RoundDrawn.TYPE, SeatsExchanged.TYPE)
NO_ROUND: Final = 0  # of a correction that names no round: it stays hidden


def find_hidden(held: Tournament) -> frozenset[int]:
    """Return the seqs of the events that hold a part of a draw that is not published."""
    hidden = {
        key
        for key, entry in held.corrections.recorded.items()
        if any(not _is_published(held, number) for number in _list_drawn_rounds(entry.event))
    }
    set_of = held.corrections.set_of
    # The reason of a set may tell of the draw that one of its corrections puts in.
    begun = {set_of[key] for key in hidden if key in set_of}
    return frozenset(held.corrections.recorded[key].seq for key in hidden | begun)


def _is_published(held: Tournament, number: int) -> bool:
    """Return whether the hall sees a round."""
    drawn = held.state.rounds.get(number)
    return drawn is not None and drawn.published


def _list_drawn_rounds(event: Event) -> Iterator[int]:
    """Yield the round of which an event holds a part of the draw, also within a correction."""
    if isinstance(event, RoundDrawn | SeatsExchanged):
        yield event.round
    elif isinstance(event, EventReplaced | EventInserted):
        yield from _list_rounds_in_data(event.type, event.data)


def _list_rounds_in_data(kind: object, data: object) -> Iterator[int]:
    """Yield the round of an undecoded event that holds a part of its draw."""
    number = data.get("round") if isinstance(data, dict) else None
    if kind in DRAWING_TYPES:
        yield number if type(number) is int else NO_ROUND
    elif kind in INSERTING_TYPES and isinstance(data, dict):
        yield from _list_rounds_in_data(data.get("type"), data.get("data"))


def add_salts(events: Sequence[tuple[str, JsonObject]]) -> list[tuple[str, JsonObject]]:
    """Return types and data of new events with a new salt in each that holds a part of a draw.

    Without it the hash would reveal which of the possible draws it is. Malformed data is returned
    as it is: it will be refused.
    """
    drawing = any(_is_drawing(kind, data) for kind, data in events)
    return [(kind, _salted(kind, data, drawing=drawing)) for kind, data in events]


def _is_drawing(kind: str, data: object) -> bool:
    """Return whether an event holds a part of a draw, or corrects one into it."""
    return any(True for _ in _list_rounds_in_data(kind, data))


def _salted(kind: str, data: JsonObject, *, drawing: bool) -> JsonObject:
    """Return the data of an event with its salt, if it needs one."""
    if not isinstance(data, dict):
        return data
    if kind in INSERTING_TYPES and "data" in data and _is_drawing(kind, data):
        return {**data, "data": _salted(str(data.get("type")), data["data"], drawing=drawing)}
    if kind in DRAWING_TYPES or (kind == CorrectionBegun.TYPE and drawing):
        return {**data, SALT: token_urlsafe(SALT_BYTES)}  # in place of one that the client sent
    return data

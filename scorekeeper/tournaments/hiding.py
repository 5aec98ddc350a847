"""The draws that the hall must not see yet: which events of a log hold them, and their salts.

A draw lies face down until its round is published, and with it the seats that were exchanged and
the corrections of both. Only directors and assistants see it; everybody may see that it exists. A
draw that was drawn again turns up with the one that is played.

The seed of a stage's first round foretells its later rounds, unless each is drawn by lot. So the
events of its draws stay face down until the last planned round of the stage is published, or the
stage is over. Who sits where in a published round is shown by the views.
"""

from collections.abc import Iterator, Sequence
from secrets import token_urlsafe
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.event import SALT, Event
from scorekeeper.log.face_down import INSERTING_TYPES, SALT_BYTES
from scorekeeper.tournaments.events import DrawKept, RoundDrawn, SeatsExchanged
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.tournament import Tournament

DRAWING_TYPES: Final = (RoundDrawn.TYPE, SeatsExchanged.TYPE, DrawKept.TYPE)
UNFORESEEABLE: Final = ("random", "by_hand")  # draws of which each round has a lot of its own
NO_ROUND: Final = 0  # of a correction that names no round: it stays hidden


def find_hidden(held: Tournament) -> frozenset[int]:
    """Return the seqs of the events that hold a part of a draw that the hall must not know yet."""
    hidden = {
        key
        for key, entry in held.corrections.recorded.items()
        if any(_lies_face_down(held.state, part) for part in _list_parts(entry.event))
    }
    set_of = held.corrections.set_of
    # The reason of a set may tell of the draw that one of its corrections puts in.
    begun = {set_of[key] for key in hidden if key in set_of}
    return frozenset(held.corrections.recorded[key].seq for key in hidden | begun)


class DrawPart(NamedTuple):
    """A part of the draw of a round; ``seeded`` is whether the seed is in it."""

    round: int
    seeded: bool


def _lies_face_down(record: TournamentRecord, part: DrawPart) -> bool:
    """Return whether a part belongs to a round that is not published, or foretells one."""
    drawn = record.rounds.get(part.round)
    if drawn is None or not drawn.published:
        return True
    foretells = record.stages[drawn.stage - 1].draw not in UNFORESEEABLE
    return part.seeded and foretells and drawn.stage not in record.disclosed


def _list_parts(event: Event) -> Iterator[DrawPart]:
    """Yield the part of a draw that an event holds, also within a correction."""
    if isinstance(event, RoundDrawn | SeatsExchanged | DrawKept):
        yield DrawPart(event.round, isinstance(event, RoundDrawn))
    elif isinstance(event, EventReplaced | EventInserted):
        yield from _list_parts_of_data(event.type, event.data)


def _list_parts_of_data(kind: object, data: object) -> Iterator[DrawPart]:
    """Yield the part of a draw that an undecoded event holds."""
    number = data.get("round") if isinstance(data, dict) else None
    if kind in DRAWING_TYPES:
        yield DrawPart(number if type(number) is int else NO_ROUND, kind == RoundDrawn.TYPE)
    elif kind in INSERTING_TYPES and isinstance(data, dict):
        yield from _list_parts_of_data(data.get("type"), data.get("data"))


def add_salts(events: Sequence[tuple[str, JsonObject]]) -> list[tuple[str, JsonObject]]:
    """Return types and data of new events with a new salt in each that holds a part of a draw.

    Without it the hash would reveal which of the possible draws it is. Malformed data is returned
    as it is: it will be refused.
    """
    drawing = any(_is_drawing(kind, data) for kind, data in events)
    return [(kind, _salted(kind, data, drawing=drawing)) for kind, data in events]


def _is_drawing(kind: str, data: object) -> bool:
    """Return whether an event holds a part of a draw, or corrects one into it."""
    return any(True for _ in _list_parts_of_data(kind, data))


def _salted(kind: str, data: JsonObject, *, drawing: bool) -> JsonObject:
    """Return the data of an event with its salt, if it needs one."""
    if not isinstance(data, dict):
        return data
    if kind in INSERTING_TYPES and "data" in data and _is_drawing(kind, data):
        return {**data, "data": _salted(str(data.get("type")), data["data"], drawing=drawing)}
    if kind in DRAWING_TYPES or (kind == CorrectionBegun.TYPE and drawing):
        return {**data, SALT: token_urlsafe(SALT_BYTES)}  # in place of one that the client sent
    return data

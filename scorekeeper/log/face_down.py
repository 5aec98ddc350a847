"""The parts of events that can lie face down, also within corrections and proposals.

Whether they still do depends on other events: see :mod:`scorekeeper.report.masking`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple, cast

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import COMMON
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.disputes import Correction, CorrectionProposed
from scorekeeper.events.event import SALT, Event
from scorekeeper.events.playing import PLAY
from scorekeeper.games import GAMES
from scorekeeper.log import canonical
from scorekeeper.log.codec import FaceDown

KEEPER: Final = "keeper"
SALT_BYTES: Final = 16  # 22 letters of base64url
HIDDEN_REASON: Final = "face down"  # replaces the reason of a face-down correction
_SALTED: Final = b'"%b":' % SALT.encode()
INSERTING_TYPES: Final = (EventReplaced.TYPE, EventInserted.TYPE)
# Types of events that are open in all games, so that no game has to be loaded for them.
OPEN_TYPES: Final = frozenset(
    event_type.TYPE for event_type in (*COMMON, *PLAY) if not event_type.HIDDEN
)


@cache
def get_hidden_fields() -> Mapping[str, frozenset[str]]:
    """Return the fields that can lie face down in any game, by the type of the event."""
    fields: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for game in GAMES:
        for version in GAMES.versions(game):
            for declared in version.events:
                if declared.HIDDEN:
                    fields[declared.TYPE] |= set(declared.HIDDEN)
    return dict(fields)


@cache
def get_author_hidden_types() -> frozenset[str]:
    """Return the types of the events whose author is not shown while they lie face down."""
    events = (
        declared
        for game in GAMES
        for version in GAMES.versions(game)
        for declared in version.events
    )
    return frozenset(declared.TYPE for declared in events if declared.AUTHOR_HIDDEN)


class HiddenPart(NamedTuple):
    """A part that can lie face down: the type of its event, and the event that it corrects.

    ``names`` is the seq that a correction names; None for an event that is no correction.
    """

    type: str
    names: int | None = None


def find_hidden_parts(event: Event) -> Iterator[HiddenPart]:
    """Yield the parts of a decoded event that can lie face down, also within corrections."""
    if isinstance(event, EventReplaced | EventInserted):
        names = event.after if isinstance(event, EventInserted) else event.seq
        yield from (part._replace(names=names) for part in _find_in_data(event.type, event.data))
    elif isinstance(event, CorrectionProposed):
        for part in event.corrections:
            yield from _find_in_data(part.type, part.data)
    elif any(getattr(event, name) is not None for name in event.HIDDEN):
        yield HiddenPart(event.TYPE)


def _find_in_data(kind: object, data: object, names: int | None = None) -> Iterator[HiddenPart]:
    """Yield the hidden parts of an undecoded event, of type ``kind``, within a correction.

    Malformed data has none: it will be refused.
    """
    if not isinstance(kind, str) or not isinstance(data, dict):
        return
    if kind in INSERTING_TYPES:
        names = data.get("seq", data.get("after"))
        yield from _find_in_data(data.get("type"), data.get("data"), names)
    elif kind == CorrectionProposed.TYPE:
        corrections = data.get("corrections")
        for correction in corrections if isinstance(corrections, list) else ():
            if isinstance(correction, dict):
                yield from _find_in_data(correction.get("type"), correction.get("data"))
    elif (
        kind not in OPEN_TYPES
        and kind in get_hidden_fields()
        and not get_hidden_fields()[kind].isdisjoint(data)
    ):
        yield HiddenPart(kind, names)


# ------------------------------------------------------------------------------------ changing


def _change_hidden(kind: str, data: object, change: Callable[[str, JsonObject], JsonObject]) -> Any:
    """Return the data of an event of type ``kind`` with ``change`` applied to each hidden part.

    ``change`` takes the type and the data of a part that can lie face down. Malformed data is
    returned unchanged.
    """
    if not isinstance(data, dict):
        return data  # it will be refused
    if kind in get_hidden_fields():
        return data if get_hidden_fields()[kind].isdisjoint(data) else change(kind, data)
    if kind in INSERTING_TYPES and "data" in data:
        return {**data, "data": _change_hidden(str(data.get("type")), data["data"], change)}
    if kind == CorrectionProposed.TYPE and isinstance(data.get("corrections"), list):
        return {
            **data,
            "corrections": [
                _change_correction(correction, change) for correction in data["corrections"]
            ],
        }
    return data


def _change_correction(correction: object, change: Callable[[str, JsonObject], JsonObject]) -> Any:
    """Return a correction in a proposal with ``change`` applied to its hidden parts."""
    if not isinstance(correction, dict) or "data" not in correction:
        return correction
    return {
        **correction,
        "data": _change_hidden(str(correction.get("type")), correction["data"], change),
    }


def add_salt(kind: str, data: JsonObject) -> JsonObject:
    """Return the data of an event with a new salt in each part that can lie face down.

    The data of ``correction_begun`` always get one, for their reason: call this for a set only if
    it puts in such a part.
    """
    if kind == CorrectionBegun.TYPE:
        return {SALT: token_urlsafe(SALT_BYTES), **data}
    new = _change_hidden(
        kind, data, lambda _, part_data: {SALT: token_urlsafe(SALT_BYTES), **part_data}
    )
    return cast("JsonObject", new)


def remove_salt(kind: str, data: JsonObject) -> JsonObject:
    """Return the data of an event without any salts."""
    without = _change_hidden(
        kind, data, lambda _, part_data: {n: v for n, v in part_data.items() if n != SALT}
    )
    return cast("JsonObject", without)


def hide_event(event: Event) -> Event:
    """Return an event as the table knows it while it lies face down: without cards and reasons."""
    if isinstance(event, EventReplaced | EventInserted):
        return replace(
            event, data=_change_hidden(event.type, event.data, _drop_hidden), reason=HIDDEN_REASON
        )
    if isinstance(event, CorrectionBegun):
        return replace(event, reason=HIDDEN_REASON)
    if isinstance(event, CorrectionProposed):
        known = tuple(_hide_correction(correction) for correction in event.corrections)
        return replace(event, corrections=known, reason=HIDDEN_REASON)
    return replace(event, **dict.fromkeys(event.HIDDEN)) if event.HIDDEN else event  # type: ignore[type-var]


def _hide_correction(correction: Correction) -> Correction:
    """Return a correction of a hidden proposal without cards, and without its own reason."""
    data = _change_hidden(correction.type, correction.data, _drop_hidden)
    return Correction(
        correction.type, {**data, **dict.fromkeys(data.keys() & {"reason"}, HIDDEN_REASON)}
    )


def _drop_hidden(kind: str, data: JsonObject) -> JsonObject:
    """Return the data of an event without its hidden fields and its salt."""
    names = get_hidden_fields()[kind] | {SALT}
    return FaceDown({name: value for name, value in data.items() if name not in names})


def is_salted(line: bytes) -> bool:
    """Return whether something in a stored line has a salt, so that it can lie face down."""
    return _SALTED in line


def find_salted(lines: Iterable[bytes], after: int) -> set[int]:
    """Return the seqs of lines after a seq that have a salt, so that they can lie face down."""
    return {seq for seq, line in enumerate(lines, start=max(after, 0) + 1) if is_salted(line)}


def mask_line(line: bytes) -> bytes:
    """Return a line of a sealed log as shown while its event lies face down: with null as data.

    The author is replaced by the keeper if another author would reveal the data.
    """
    event = canonical.decode(line)
    by = KEEPER if event["type"] in get_author_hidden_types() else event["by"]
    return canonical.encode({**event, "by": by, "data": None})


def mask_lines(lines: Iterable[bytes], after: int, hidden: Collection[int]) -> Iterator[bytes]:
    """Yield the lines after a seq; those whose seq is in ``hidden`` are masked."""
    for seq, line in enumerate(lines, start=max(after, 0) + 1):
        yield mask_line(line) if seq in hidden else line

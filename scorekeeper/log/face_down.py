"""What can lie face down: in an event, in one that a correction puts in, in one proposed.

Which of it still does is no matter of a single event: see :mod:`scorekeeper.report.masking`.
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
UNTOLD: Final = "face down"  # what stands for the reason of a correction that lies so
_SALTED: Final = b'"%b":' % SALT.encode()
PUTS_IN: Final = (EventReplaced.TYPE, EventInserted.TYPE)
# What games share lies open in all of them: not one has to be loaded to tell.
OPEN: Final = frozenset(one.TYPE for one in (*COMMON, *PLAY) if not one.HIDDEN)


@cache
def hidden() -> Mapping[str, frozenset[str]]:
    """The fields that can lie face down, by the type of the event, in whichever game."""
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for game in GAMES:
        for version in GAMES.versions(game):
            for declared in version.events:
                if declared.HIDDEN:
                    found[declared.TYPE] |= set(declared.HIDDEN)
    return dict(found)


@cache
def author_hidden() -> frozenset[str]:
    """Return the types of the events whose author is not shown while they lie face down."""
    events = (one for game in GAMES for version in GAMES.versions(game) for one in version.events)
    return frozenset(one.TYPE for one in events if one.AUTHOR_HIDDEN)


class Covered(NamedTuple):
    """Something that can lie face down: the type of its event, and what that event corrects.

    ``names`` is the seq that a correction names; None where it is no correction.
    """

    type: str
    names: int | None = None


def covered(event: Event) -> Iterator[Covered]:
    """What can lie face down of an event that was read."""
    if isinstance(event, EventReplaced | EventInserted):
        names = event.after if isinstance(event, EventInserted) else event.seq
        yield from (one._replace(names=names) for one in _covered(event.type, event.data))
    elif isinstance(event, CorrectionProposed):
        for one in event.corrections:
            yield from _covered(one.type, one.data)
    elif any(getattr(event, name) is not None for name in event.HIDDEN):
        yield Covered(event.TYPE)


def _covered(kind: str, data: Any, names: int | None = None) -> Iterator[Covered]:
    """The same of an event as it stands in a correction or in a proposal."""
    if kind in PUTS_IN:
        names = data.get("seq", data.get("after"))
        yield from _covered(data.get("type", ""), data.get("data") or {}, names)
    elif kind == CorrectionProposed.TYPE:
        for one in data.get("corrections", ()):
            yield from _covered(one["type"], one["data"])
    elif kind not in OPEN and kind in hidden() and not hidden()[kind].isdisjoint(data):
        yield Covered(kind, names)


# ------------------------------------------------------------------------------------ changing


def _changed(kind: str, data: Any, change: Callable[[str, JsonObject], JsonObject]) -> Any:
    """The data of an event with a ``change`` of whatever in it can lie face down."""
    if not isinstance(data, dict):
        return data  # it will be refused
    if kind in hidden():
        return data if hidden()[kind].isdisjoint(data) else change(kind, data)
    if kind in PUTS_IN and "data" in data:
        return {**data, "data": _changed(str(data.get("type")), data["data"], change)}
    if kind == CorrectionProposed.TYPE and isinstance(data.get("corrections"), list):
        return {**data, "corrections": [_changed_one(one, change) for one in data["corrections"]]}
    return data


def _changed_one(one: Any, change: Callable[[str, JsonObject], JsonObject]) -> Any:
    if not isinstance(one, dict) or "data" not in one:
        return one
    return {**one, "data": _changed(str(one.get("type")), one["data"], change)}


def salted(kind: str, data: JsonObject) -> JsonObject:
    """The data of an event with a new salt in whatever can lie face down, where it has none."""
    new = _changed(kind, data, lambda _, one: {SALT: token_urlsafe(SALT_BYTES), **one})
    return cast("JsonObject", new)


def unsalted(kind: str, data: JsonObject) -> JsonObject:
    """The data of an event without any salt: what it says."""
    without = _changed(kind, data, lambda _, one: {n: v for n, v in one.items() if n != SALT})
    return cast("JsonObject", without)


def turned_down(event: Event) -> Event:
    """What the table knows of an event while it lies face down: no card, no reason."""
    if isinstance(event, EventReplaced | EventInserted):
        return replace(event, data=_changed(event.type, event.data, _known), reason=UNTOLD)
    if isinstance(event, CorrectionBegun):
        return replace(event, reason=UNTOLD)
    if isinstance(event, CorrectionProposed):
        known = [Correction(one.type, _changed(one.type, one.data, _known))
                 for one in event.corrections]  # fmt: skip
        return replace(event, corrections=tuple(known), reason=UNTOLD)
    return replace(event, **dict.fromkeys(event.HIDDEN)) if event.HIDDEN else event  # type: ignore[type-var]


def _known(kind: str, data: JsonObject) -> JsonObject:
    names = hidden()[kind] | {SALT}
    return FaceDown({name: value for name, value in data.items() if name not in names})


def is_salted(line: bytes) -> bool:
    """Return whether something in a stored line has a salt, so that it can lie face down."""
    return _SALTED in line


def salted_in(lines: Iterable[bytes], after: int) -> set[int]:
    """The seqs of what can lie face down in any game at all, by its salt, of lines after a seq."""
    return {seq for seq, line in enumerate(lines, start=max(after, 0) + 1) if is_salted(line)}


def masked(line: bytes) -> bytes:
    """A line of a sealed log as it is shown while its event lies face down: its data null.

    Its author is the keeper where another one would give the data away.
    """
    event = canonical.decode(line)
    by = KEEPER if event["type"] in author_hidden() else event["by"]
    return canonical.encode({**event, "by": by, "data": None})


def masked_where(lines: Iterable[bytes], after: int, hidden: Collection[int]) -> Iterator[bytes]:
    """The lines after a seq, those masked that lie face down."""
    for seq, line in enumerate(lines, start=max(after, 0) + 1):
        yield masked(line) if seq in hidden else line

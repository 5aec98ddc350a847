"""Events in words, for whoever asks why a point is there."""

from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.cards import Card
from scorekeeper.events import Each, Entry, Event, Kind, Many, PlayerId, parts
from scorekeeper.replay.records import HandRecord
from scorekeeper.replay.session import Session

Names = Mapping[str, str]
Show = Callable[[Card], str]


def tell(event: Event, names: Names, show: Show = str) -> str:
    """What an event says, in a few words: its type, then what stands in its fields.

    >>> from scorekeeper.events import CardPlayed
    >>> tell(CardPlayed("leo", Card.parse("7C")), {"leo": "Leo"})
    'card played: Leo, 7C'
    """
    said = [
        _say(getattr(event, one.name), one.kind, names, show)
        for one in parts(type(event))
        if getattr(event, one.name) is not None
    ]
    words = event.TYPE.replace("_", " ")
    return f"{words}: {', '.join(said)}" if said else words


def _say(value: Any, kind: Kind, names: Names, show: Show) -> str:
    if isinstance(value, Card):
        return show(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(kind, PlayerId):
        return names.get(value, value)
    if isinstance(kind, Many):
        return " ".join(_say(one, kind.of, names, show) for one in value) or "none"
    if isinstance(kind, Each):
        return ", ".join(
            f"{names.get(key, key)} {_say(one, kind.of, names, show)}" for key, one in value.items()
        )
    return str(value)


def entries_of(session: Session, hand: HandRecord) -> dict[int, str]:
    """Every event that a hand's lines and findings can cite, in words, by seq."""
    names, show = session.record.players, hand.match.pack.show
    told: dict[int, str] = {}
    for match in session.record.matches:
        for one in match.hands:
            told[one.started.seq] = tell(one.started.event, names, show)
    entries: list[Entry] = hand.entries
    return told | {entry.seq: tell(entry.event, names, show) for entry in entries}

"""The declarations of events: complete, and nothing in them beside the others."""

import dataclasses
import inspect
import re

import pytest

from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import Event, Place
from scorekeeper.events.fields import AnyOf, Declared, Each, Kind, Many, Nested, parts_of
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games import GAMES
from scorekeeper.log.codec import READERS
from scorekeeper.play.rulebook import COMMON as COMMON_CLAUSES
from tests.events.declared import EVERY_EVENT

CLAUSES = {c.id for c in COMMON_CLAUSES} | {
    c.id for game in GAMES.values() for c in game.book.clauses
}


def kinds_in(kind: Kind) -> list[Kind]:
    """Return a kind and the kinds within it."""
    inner: list[Kind] = []
    if isinstance(kind, Many):
        inner = [kind.of]
    elif isinstance(kind, Each):
        inner = [kind.key, kind.of]
    elif isinstance(kind, AnyOf):
        inner = list(kind.kinds)
    elif isinstance(kind, Nested):
        inner = [part.kind for part in parts_of(kind.of)]
    return [kind, *(deep for within in inner for deep in kinds_in(within))]


def declarations() -> list[type[Declared]]:
    nested = [
        kind.of
        for event_type in EVERY_EVENT
        for part in parts_of(event_type)
        for kind in kinds_in(part.kind)
        if isinstance(kind, Nested)
    ]
    return [*EVERY_EVENT, *dict.fromkeys(nested)]


@pytest.mark.parametrize("declared", declarations(), ids=lambda declared: declared.__name__)
def test_a_declaration_is_complete(declared: type[Declared]) -> None:
    assert dataclasses.is_dataclass(declared)
    assert declared.__dataclass_params__.frozen
    assert "__dict__" not in dir(declared), "an event is slotted: there are many"
    assert inspect.getdoc(declared), "what happened, in a sentence"
    optional = False
    for part in parts_of(declared):
        assert part.doc, f"{part.name} says what it means"
        assert isinstance(part.kind, Kind)
        assert not optional or part.optional, "fields that may be left out come last"
        optional = part.optional


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda declared: declared.__name__)
def test_an_event_has_a_name_and_a_place(declared: type[Event]) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", declared.TYPE)
    assert isinstance(declared.PLACE, Place)
    assert (declared.PLACE is Place.CORRECTION) == (declared in CORRECTING)


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda declared: declared.__name__)
def test_every_kind_is_readable_and_has_an_expected_text(declared: type[Event]) -> None:
    for part in parts_of(declared):
        for kind in kinds_in(part.kind):
            assert type(kind) in READERS
            assert kind.expected
            assert "object at 0x" not in kind.expected


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda declared: declared.__name__)
def test_a_clause_that_is_named_exists(declared: type[Event]) -> None:
    words = inspect.getdoc(declared) or ""
    words += " ".join(part.doc for part in parts_of(declared))
    for named in re.findall(r"\b[A-Z]\d{1,2}\b", words):
        assert named in CLAUSES


def test_an_event_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        CardPlayed("leo", None).player = "mara"  # type: ignore[arg-type, misc]

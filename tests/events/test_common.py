"""The declarations of events: complete, and nothing in them beside the others."""

import dataclasses
import inspect
import re

import pytest

from scorekeeper.events.common import COMMON, CORRECTIONS, PLAY, CardPlayed, Event, Place
from scorekeeper.events.fields import (
    LARGEST,
    AnyOf,
    Declared,
    Each,
    Kind,
    Many,
    Nested,
    OneOf,
    Whole,
    Words,
    parts,
)
from scorekeeper.games import GAMES
from scorekeeper.log.codec import READ
from scorekeeper.play.rulebook import COMMON as COMMON_CLAUSES
from scorekeeper.session.disputes import ABOUT_A_HAND
from scorekeeper.session.structure import SHAPING, Structure

EVERY_EVENT = list(
    dict.fromkeys((*COMMON, *PLAY, *(one for game in GAMES.values() for one in game.events)))
)
CLAUSES = {c.id for c in COMMON_CLAUSES} | {
    c.id for game in GAMES.values() for c in game.book.clauses
}

# As the log format lists them; games add their own.
SESSION_TYPES = set(
    re.findall(
        r"\w+",
        """
    session_opened player_joined match_started hand_started hand_abandoned points_counted
    outcome_recorded score_claimed hand_confirmed hand_disputed correction_proposed
    proposal_signed proposal_declined dispute_settled penalty_given note_added match_ended
    session_closed event_struck event_replaced event_inserted card_played trick_taken
    rest_claimed cards_shown
""",
    )
)


def kinds_in(kind: Kind) -> list[Kind]:
    """A kind and those within it."""
    inner: list[Kind] = []
    if isinstance(kind, Many):
        inner = [kind.of]
    elif isinstance(kind, Each):
        inner = [kind.key, kind.of]
    elif isinstance(kind, AnyOf):
        inner = list(kind.kinds)
    elif isinstance(kind, Nested):
        inner = [part.kind for part in parts(kind.of)]
    return [kind, *(deep for one in inner for deep in kinds_in(one))]


def declarations() -> list[type[Declared]]:
    nested = [
        kind.of
        for one in EVERY_EVENT
        for part in parts(one)
        for kind in kinds_in(part.kind)
        if isinstance(kind, Nested)
    ]
    return [*EVERY_EVENT, *dict.fromkeys(nested)]


@pytest.mark.parametrize("declared", declarations(), ids=lambda one: one.__name__)
def test_a_declaration_is_complete(declared: type[Declared]) -> None:
    assert dataclasses.is_dataclass(declared)
    assert declared.__dataclass_params__.frozen
    assert "__dict__" not in dir(declared), "an event is slotted: there are many"
    assert inspect.getdoc(declared), "what happened, in a sentence"
    optional = False
    for part in parts(declared):
        assert part.doc, f"{part.name} says what it means"
        assert isinstance(part.kind, Kind)
        assert not optional or part.optional, "fields that may be left out come last"
        optional = part.optional


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda one: one.__name__)
def test_an_event_has_a_name_and_a_place(declared: type[Event]) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", declared.TYPE)
    assert isinstance(declared.PLACE, Place)
    assert (declared.PLACE is Place.CORRECTION) == (declared in CORRECTIONS)


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda one: one.__name__)
def test_every_kind_can_be_read_and_says_what_it_expects(declared: type[Event]) -> None:
    for part in parts(declared):
        for kind in kinds_in(part.kind):
            assert type(kind) in READ
            assert kind.expected
            assert "object at 0x" not in kind.expected


@pytest.mark.parametrize("declared", EVERY_EVENT, ids=lambda one: one.__name__)
def test_a_clause_that_is_named_exists(declared: type[Event]) -> None:
    words = inspect.getdoc(declared) or ""
    words += " ".join(part.doc for part in parts(declared))
    for named in re.findall(r"\b[A-Z]\d{1,2}\b", words):
        assert named in CLAUSES


def test_the_types_of_the_log_format_are_declared_under_their_names() -> None:
    assert {one.TYPE for one in EVERY_EVENT} >= SESSION_TYPES


def test_what_every_session_can_hold_is_common_to_all_games() -> None:
    for game in GAMES.values():
        assert {one.TYPE for one in COMMON} <= set(game.by_type)
        assert len({one for one in game.events if one in COMMON}) == 0


def test_whatever_belongs_to_no_hand_has_a_place_of_its_own() -> None:
    """An event beside the play is placed by a function, and its correction places all anew."""
    for declared in EVERY_EVENT:
        if declared.PLACE not in (Place.HAND, Place.CORRECTION) and declared.TYPE != "note_added":
            assert declared in Structure._PLACES or declared in ABOUT_A_HAND
            assert declared.TYPE in SHAPING or declared.TYPE == "penalty_given"


def test_a_kind_says_what_it_expects() -> None:
    assert Whole().expected == "a whole number"
    assert Whole(0).expected == "a whole number from 0 on"
    assert Whole(0, 15).expected == "a whole number from 0 to 15"
    assert Whole(1, 1).expected == "the number 1"
    assert Whole(1, LARGEST).expected == "a whole number from 1 on"
    name = "a text of 1 to 60 characters without control characters"
    assert Words(60, name=True).expected == name
    assert OneOf(("up", "down")).expected == '"up" or "down"'
    assert Many(OneOf(("S",)), sizes=(0, 4)).expected == 'a list of 0 or 4, each "S"'


def test_an_event_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        CardPlayed("leo", None).player = "mara"  # type: ignore[arg-type, misc]

"""Declarations of events: the kinds of fields, and the texts about expected values."""

import dataclasses
from dataclasses import dataclass
from typing import Final

import pytest

from scorekeeper.events.fields import (
    MAX_EXACT_NUMBER,
    AnyOf,
    Anything,
    CardCode,
    Currency,
    Day,
    Declared,
    Each,
    Exact,
    Flag,
    Kind,
    LastDay,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Random,
    SideId,
    Whole,
    Whom,
    Words,
    part,
    parts_of,
)
from scorekeeper.log.codec import READERS


@dataclass(frozen=True, slots=True)
class Inner(Declared):
    """An object within another."""

    count: int = part(Whole(0), "how many")
    who: str | None = part(PlayerId(), "whose", optional=True)


KINDS: Final[list[tuple[Kind, str]]] = [
    (Whole(3, 3), "the number 3"),
    (Whole(), "a whole number"),
    (Whole(1), "a whole number from 1 on"),
    (Whole(0, 15), "a whole number from 0 to 15"),
    (Words(80, name=True), "a text of 1 to 80 characters without control characters"),
    (Exact(), 'a whole number, or a fraction such as "7/2"'),
    (Words(80), "a text of at most 80 characters"),
    (Flag(), "true or false"),
    (OneOf(("made", "lost")), '"made" or "lost"'),
    (AnyOf((Whole(61, 120), OneOf(("pass",)))), 'a whole number from 61 to 120, or "pass"'),
    (PlayerId(), "a player who takes part in this hand"),
    (PlayerId(Whom.NEW), "a new player's id"),
    (SideId(), "a side of this match"),
    (SideId(counted=True), "a side that the count is given for"),
    (CardCode(), "a card, such as AS or 10H"),
    (Many(CardCode()), "a list, each a card, such as AS or 10H"),
    (Many(Whole(), sizes=(2, 3)), "a list of 2 or 3, each a whole number"),
    (Each(SideId(), Whole(0)),
     "an object from a side of this match to a whole number from 0 on"),
    (Nested(Inner), "an object with count, who"),
    (Random(22), "22 letters of base64url"),
    (Anything(), "an object"),
    (Currency(), "a currency of ISO 4217, such as EUR"),
    (Nothing(), "null"),
    (Day(), "a day such as 2026-11-20"),
    (LastDay(), "a day such as 2026-11-20, or null for no end"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "expected"), KINDS)
def test_expected_value_has_a_text(kind: Kind, expected: str) -> None:
    assert kind.expected == expected


def test_a_kind_says_what_it_expects() -> None:
    with pytest.raises(NotImplementedError):
        assert Kind().expected


def test_every_kind_is_covered() -> None:
    assert {type(kind) for kind, _ in KINDS} == set(READERS)


def test_the_fields_of_a_declaration_stand_in_its_order() -> None:
    first, second = parts_of(Inner)
    assert (first.name, first.kind, first.doc, first.optional) == ("count", Whole(0), "how many",
                                                                  False)  # fmt: skip
    assert (second.name, second.kind, second.doc, second.optional) == ("who", PlayerId(), "whose",
                                                                      True)  # fmt: skip


def test_only_optional_fields_may_be_left_out() -> None:
    assert Inner(3) == Inner(3, None)
    with pytest.raises(TypeError):
        Inner()


def test_a_declaration_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Inner(3).count = 4  # type: ignore[misc]


def test_the_largest_number_is_exact_in_json() -> None:
    assert float(MAX_EXACT_NUMBER) == MAX_EXACT_NUMBER
    assert int(float(MAX_EXACT_NUMBER + 2)) != MAX_EXACT_NUMBER + 2
    assert (Whole().low, Whole().high) == (-MAX_EXACT_NUMBER, MAX_EXACT_NUMBER)


def test_expected_text_of_a_kind_has_its_bounds() -> None:
    assert Whole().expected == "a whole number"
    assert Whole(0).expected == "a whole number from 0 on"
    assert Whole(0, 15).expected == "a whole number from 0 to 15"
    assert Whole(1, 1).expected == "the number 1"
    assert Whole(1, MAX_EXACT_NUMBER).expected == "a whole number from 1 on"
    name = "a text of 1 to 60 characters without control characters"
    assert Words(60, name=True).expected == name
    assert OneOf(("up", "down")).expected == '"up" or "down"'
    assert Many(OneOf(("S",)), sizes=(0, 4)).expected == 'a list of 0 or 4, each "S"'

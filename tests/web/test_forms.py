"""The widget of each kind: what a form sends of a value is read back as the value.

Tests of ``web.forms.widgets``, ``web.forms.option_widgets`` and ``web.forms.typed``.
"""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from werkzeug.datastructures import MultiDict

from scorekeeper.events.fields import (
    CARD,
    AnyOf,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    Whole,
    parts_of,
)
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games import GAMES
from scorekeeper.games.riparto.events import BidMade
from scorekeeper.play.rulebook import Choice, ListOf, NamedTexts, Number, Numbers
from scorekeeper.service.amending import editable_types
from scorekeeper.web.forms.scene import Scene
from scorekeeper.web.forms.typed import FieldError, line_error, name_error, parse_whole, read_amount
from scorekeeper.web.forms.widget import Asked
from scorekeeper.web.forms.widgets import WIDGETS, widget_of
from tests.api.asking import client_of
from tests.evenings import riparto

NAME: Final = "field"
CALL: Final = AnyOf((OneOf(("pass", "3"), words="rank"), Whole(62, 120)))


def read_back(kind: Any, value: Any) -> Any:
    """Return the value of a form that has this value."""
    widget = widget_of(kind)
    return widget.read(kind, NAME, MultiDict((NAME, text) for text in widget.texts(kind, value)))


def kinds_in(kind: Kind) -> Iterator[Kind]:
    """Yield a kind and those of its items."""
    yield kind
    inner = kind.kinds if isinstance(kind, AnyOf) else ()
    for one in (*inner, getattr(kind, "of", None), getattr(kind, "key", None)):
        if isinstance(one, Kind):
            yield from kinds_in(one)


def test_every_kind_of_every_game_has_a_widget() -> None:
    declared = {event for game in GAMES.values() for event in editable_types(game)}
    kinds = {type(kind) for event in declared for part in parts_of(event)
             for kind in kinds_in(part.kind)}  # fmt: skip
    options = {type(choice) for game in GAMES.values() for option in game.book.options
               for choice in option.choices}  # fmt: skip
    assert kinds | options <= WIDGETS.keys()
    assert BidMade in declared


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Whole(-5, 5), -4),
        (Flag(), True),
        (Flag(), False),
        (OneOf(("S", "H")), "H"),
        (Many(OneOf(("S", "H"))), ["H", "S"]),
        (Many(OneOf(("S", "H"))), []),
        (CALL, "3"),
        (CALL, 63),
        (CALL, "pass"),
        (Number("target"), {"target": 21}),
        (Number(None, only=(3, 5)), 5),
        (Numbers(low=1, high=9, least=2, most=2), [3, 1]),
        (Numbers(keys=("won", "lost"), high=9, least=2, most=2), {"won": 3, "lost": 1}),
        (Numbers(only=(1, 2)), [1, 2]),
        (ListOf(("one", "two")), ["two"]),
        (ListOf(("one", "two")), []),
        (NamedTexts(2, 20), [{"id": "pull_an_ear", "text": "I have the World"}]),
        (NamedTexts(), []),
        ("majority", "majority"),
        (False, False),
    ],
)
def test_values_are_read_back(kind: Kind | Choice, value: Any) -> None:
    with client_of().application.test_request_context():
        assert read_back(kind, value) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [(Whole(), "five"), (Flag(), "perhaps"), (CALL, "62 points"), (OneOf(("S",)), "X")],
)
def test_other_text_of_an_event_is_left_for_the_codec(kind: Kind, text: str) -> None:
    assert widget_of(kind).read(kind, NAME, MultiDict({NAME: text})) == text


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Number(None), "five", "Type a number here."),
        (Number(None), "12345678", "Type a number here."),
        (Number(None, only=(3, 5)), "4", "One of these: 3, 5."),
        (Number(None, step=4), "6", "A multiple of 4."),
        (Number(None, low=4), "3", "This is not possible."),
        (Numbers(most=2, high=9), "1 x", "Type numbers here, with a space between them."),
        (Numbers(most=2, high=9, rising=True), "2 1",
         "Rising numbers from 0 to 9, at most 2 of them."),
        (Numbers(least=2, most=2, high=9), "2", "2 numbers, each from 0 to 9."),
        (ListOf(("one",)), "two", "This is not possible."),
    ],
)  # fmt: skip
def test_other_text_of_an_option_is_refused_with_the_reason(
    kind: Choice, text: str, message: str
) -> None:
    with (
        client_of().application.test_request_context(),
        pytest.raises(FieldError, match=f"^{message}"),
    ):
        widget_of(kind).read(kind, NAME, MultiDict({NAME: text}))


def test_a_value_for_each_side_is_read_by_side() -> None:
    kind = Each(OneOf(("A", "B")), Whole(0, 9))
    form = MultiDict({f"{NAME}.A": "4", f"{NAME}.B": " "})
    assert widget_of(kind).read(kind, NAME, form) == {"A": 4}


@pytest.mark.parametrize(
    ("typed", "number"), [("-5", -5), ("\N{MINUS SIGN}5", -5), ("+7", 7), ("1_0", "1_0")]
)
def test_whole_numbers_as_people_type_them(typed: str, number: Any) -> None:
    assert parse_whole(typed) == number


def test_lines_names_and_amounts_have_their_errors() -> None:
    with client_of().application.test_request_context():
        assert line_error("abc", 3) == line_error("", 3) == ""
        assert line_error("abcd", 3) == "This is longer than 3 letters."
        assert name_error("", (), "Type a name.") == "Type a name."
        assert name_error("Mara", ["Mara"]) == "Somebody else has this name; add a letter."
        assert read_amount(" 0,10", "EUR", 10) == 10
        for typed, message in (("x", "An amount such as 0.10."), ("99999999999", "At most ")):
            with pytest.raises(FieldError, match=message):
                read_amount(typed, "EUR", 10)


def test_objects_are_typed_as_a_name_and_a_number() -> None:
    nested = [kind for game in GAMES.values() for event in game.events for part in parts_of(event)
              for kind in kinds_in(part.kind) if isinstance(kind, Nested)]  # fmt: skip
    for kind in nested:
        value = {parts_of(kind.of)[0].name: 40}
        assert read_back(kind, value) == value


def test_card_of_which_none_is_likely_is_chosen_from_the_whole_pack() -> None:
    match = riparto().session.structure.matches[0]
    card = next(part for part in parts_of(CardPlayed) if part.kind is CARD)
    slot = widget_of(CARD).slot(CARD, Asked(Scene({}, match), CardPlayed, card))
    assert slot is not None
    assert [len(slot.values), slot.more] == [len(match.pack.cards), ()]

"""Declared events from JSON and back, for every event of every game."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.event import Event
from scorekeeper.events.fields import AnyOf, Each, PlayerId, Whole, parts_of
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log import canonical, codec
from scorekeeper.log.codec import decode, encode
from tests.conftest import SOAK
from tests.making import EVERY_EVENT, data_of, types_at

NAMED = [
    pytest.param(declared, game, id=f"{game.id if game else 'common'}-{declared.__name__}")
    for declared, game in EVERY_EVENT
]
ODD: list[Any] = [
    None, True, False, 0, -1, 7, 2**53 - 1, "", "x", "leo", "AS", "Ü", "\x00", "\u202e", [], [[]],
    ["AS", "AS"], {}, {"a": 1}, {"leo": "AS"}, {"leo": -1}, {"": {}}, [{}], [None], "x" * 10_001,
]  # fmt: skip


@pytest.mark.parametrize(("declared", "game"), NAMED)
@settings(max_examples=300 if SOAK else 4)
@given(st.data())
def test_encoded_event_is_decoded_again(
    declared: type[Event], game: Game | None, data: st.DataObject
) -> None:
    given_data = data.draw(data_of(declared))
    event = decode(declared.TYPE, given_data, types_at(game))
    assert type(event) is declared
    assert encode(event) == given_data
    again = canonical.decode(canonical.encode(encode(event)))
    assert decode(declared.TYPE, again, types_at(game)) == event


def read(declared: type[Event], data: Any, game: Game | None) -> tuple[Any, UnusableError | None]:
    """The event with this data, or why there is none."""
    try:
        return decode(declared.TYPE, data, types_at(game)), None
    except UnusableError as error:
        return None, error


@pytest.mark.parametrize(("declared", "game"), NAMED)
def test_any_value_of_a_field_is_read_or_refused(declared: type[Event], game: Game | None) -> None:
    fields = [part.name for part in parts_of(declared)]
    for name in [*fields, "extra"]:
        for value in ODD:
            data = {name: value}
            event, refused = read(declared, data, game)
            if refused is not None:
                assert refused.field.startswith(("data", "type"))
                assert refused.reason
            else:
                assert encode(event) == data


@pytest.mark.parametrize(("declared", "game"), NAMED)
@settings(max_examples=3 if SOAK else 2)
@given(st.data())
def test_unknown_and_missing_fields_are_refused(
    declared: type[Event], game: Game | None, data: st.DataObject
) -> None:
    good = data.draw(data_of(declared))
    with pytest.raises(UnusableError, match="unknown field"):
        decode(declared.TYPE, {**good, "extra": 1}, types_at(game))
    for part in parts_of(declared):
        if not part.optional:
            less = {name: value for name, value in good.items() if name != part.name}
            with pytest.raises(UnusableError) as refused:
                decode(declared.TYPE, less, types_at(game))
            assert refused.value.field == f"data.{part.name}"
        with pytest.raises(UnusableError):
            decode(declared.TYPE, {**good, part.name: None}, types_at(game))


@given(st.data())
def test_order_and_spaces_do_not_change_an_event(data: st.DataObject) -> None:
    declared, game = data.draw(st.sampled_from(EVERY_EVENT))
    good = data.draw(data_of(declared))
    turned = dict(reversed(good.items()))
    again = canonical.decode(json.dumps(turned, indent=3).encode())
    one, other = (decode(declared.TYPE, each, types_at(game)) for each in (good, again))
    assert one == other
    assert canonical.encode(encode(one)) == canonical.encode(encode(other))


def test_event_of_another_game_and_unknown_event_have_different_messages() -> None:
    with pytest.raises(
        UnusableError, match=r'"bris_called" is an event of another game \(Briscola R'
    ):
        decode("bris_called", {}, GAMES["riparto"].by_type)
    with pytest.raises(
        UnusableError, match='"card_played" is an event of a match, and no match has'
    ):
        decode("card_played", {})
    with pytest.raises(UnusableError, match='expected a known type of event, got "jump"'):
        decode("jump", {})


def nested(depth: int) -> dict[str, Any]:
    return {"a": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(("depth", "welcome"), [(0, True), (8, True), (9, False), (500, False)])
def test_undecoded_data_is_limited_in_depth(depth: int, welcome: bool) -> None:
    data = {"seq": 1, "type": "note_added", "data": nested(depth), "reason": ""}
    if welcome:
        assert encode(decode("event_replaced", data)) == data
    else:
        with pytest.raises(UnusableError, match="nested too deeply"):
            decode("event_replaced", data)


@pytest.mark.parametrize("data", [None, [], "x", 7, True])
def test_data_is_an_object(data: object) -> None:
    with pytest.raises(UnusableError) as refused:
        decode("note_added", data)
    assert refused.value.field == "data"


def test_later_kind_is_tried_after_an_earlier_one_of_the_same_shape() -> None:
    kind = AnyOf((Each(PlayerId(), Whole(0, 5)), Each(PlayerId(), Whole(0, 9))))
    assert codec.read_value(kind, {"mara": 7}) == {"mara": 7}
    with pytest.raises(UnusableError) as raised:
        codec.read_value(kind, {"mara": 10})
    assert raised.value.field == "mara"

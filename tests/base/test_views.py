"""Views: their values for JSON, and the shapes from which schemas are derived."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from scorekeeper.base.views import (
    DeclaredView,
    Shape,
    declare,
    declared_fields,
    from_json_values,
    own_members,
    to_json_values,
)


@dataclass(frozen=True, slots=True)
class Place(DeclaredView):
    name: str = declare("a name", pattern="^[a-z]+$")
    from_: int | None = declare("a number or null", key="from", minimum=1)


@dataclass(frozen=True, slots=True)
class Trip(DeclaredView):
    stops: Sequence[Place] = declare("the places")
    by_day: Mapping[str, Place | None] = declare("the places by day")
    fares: Mapping[str, Sequence[int]] = declare("numbers by name")
    note: str | None = declare("a text", optional=True, values=("late",))
    own: Mapping[str, Any] = own_members("other members")


def test_values_have_the_keys_and_the_order_of_the_fields() -> None:
    trip = Trip([Place("a", 1), Place("b", None)], {"mo": None, "tu": Place("c", 3)}, {"x": (1, 2)})
    values = to_json_values(trip)
    assert values == {
        "stops": [{"name": "a", "from": 1}, {"name": "b", "from": None}],
        "by_day": {"mo": None, "tu": {"name": "c", "from": 3}},
        "fares": {"x": [1, 2]},
    }
    assert list(values) == ["stops", "by_day", "fares"]


def test_optional_field_is_absent_without_a_value_and_own_members_stand_beside() -> None:
    values = to_json_values(Trip([], {}, {}, note="late", own={"games": [1]}))
    assert values == {"stops": [], "by_day": {}, "fares": {}, "note": "late", "games": [1]}


@dataclass(frozen=True, slots=True)
class Route(DeclaredView):
    stops: Sequence[Place] = declare("the places")
    by_day: Mapping[str, Place | None] = declare("the places by day")
    note: str | None = declare("a text", optional=True)
    miles: int = declare("a number", default=7)


def test_view_is_read_from_its_values_without_unknown_members() -> None:
    route = Route([Place("a", 1)], {"mo": None, "tu": Place("c", None)})
    assert route.miles == 7
    assert from_json_values(Route, {**to_json_values(route), "more": 1}) == route


def test_values_do_not_share_lists_and_objects_with_the_view() -> None:
    fares = {"x": [1]}
    to_json_values(Trip([], {}, fares))["fares"]["y"] = [2]
    assert fares == {"x": [1]}


def test_fields_have_the_shapes_of_their_types() -> None:
    declared = {field.name: field for field in declared_fields(Trip)}
    assert declared["stops"].shape == Shape(list, Shape(Place))
    assert declared["by_day"].shape == Shape(dict, Shape(Place, nullable=True))
    assert declared["fares"].shape == Shape(dict, Shape(list, Shape(int)))
    assert declared["note"].shape == Shape(str, nullable=True)
    note = declared["note"].description
    assert (note.optional, note.values) == (True, ("late",))
    assert declared["own"].description.beside
    name, from_ = declared_fields(Place)
    assert (name.key, name.description.pattern) == ("name", "^[a-z]+$")
    assert (from_.key, from_.description.minimum) == ("from", 1)


def test_order_of_values_may_differ_from_that_of_the_fields() -> None:
    @dataclass(frozen=True, slots=True)
    class Stay(Place):
        ORDER = ("nights", "name", "from_")
        nights: float = declare("a number")

    assert list(to_json_values(Stay("a", 1, 2.5)).items()) == [
        ("nights", 2.5), ("name", "a"), ("from", 1)
    ]  # fmt: skip
    assert [field.name for field in declared_fields(Stay)] == ["name", "from_", "nights"]


def test_type_that_json_does_not_have_is_refused() -> None:
    @dataclass(frozen=True)
    class Odd(DeclaredView):
        data: bytes = declare("bytes")

    with pytest.raises(TypeError):
        declared_fields(Odd)

"""Values and views as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.base.views import DeclaredView, declare, to_json_values
from scorekeeper.log.writing import LastingView, as_json, encode_view


@dataclass
class Leg(LastingView):
    """A part that many tours share."""

    miles: int = declare("a number")


@dataclass(frozen=True, slots=True)
class Tour(DeclaredView):
    """A view with lasting views in it, directly and in a list."""

    name: str = declare("a text")
    legs: Sequence[Leg] = declare("the legs")
    note: str | None = declare("a text or null")
    longest: Leg | None = declare("the longest leg", optional=True)


@dataclass(frozen=True, slots=True)
class Atlas(DeclaredView):
    """A view of views with lasting views in them."""

    tours: Sequence[Tour] = declare("the tours")
    best: Tour = declare("the best tour")


def test_view_is_encoded_as_its_values_are() -> None:
    leg = Leg(3)
    tours = [Tour("north", [leg, Leg(4)], None, leg), Tour("south", [], "dull")]
    atlas = Atlas(tours, tours[0])
    assert encode_view(atlas).encode() == as_json(to_json_values(atlas))
    assert encode_view(Atlas([], tours[1])) == (
        '{"tours":[],"best":{"name":"south","legs":[],"note":"dull"}}'
    )


def test_lasting_view_is_encoded_once() -> None:
    leg = Leg(3)
    tour = Tour("north", [leg], None)
    before = encode_view(tour)
    leg.miles = 5
    assert encode_view(tour) == before
    assert leg.json == '{"miles":3}'

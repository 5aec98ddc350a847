"""The drawing of a table from above: seats in their order, starting with the viewer's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, NamedTuple

EN_DASH: Final = "\N{EN DASH}"
CENTRE: Final = 100
SEAT_DISTANCE: Final = 74  # distance of the seats from the centre


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in the picture: its number and position, in hundredths of half the picture."""

    number: int
    x: int
    y: int


def seats_in_ring(seats: int, direction: str) -> list[Seat]:
    """Return the seats in order of play, the first at the bottom, nearest to the viewer."""
    sign = 1 if direction == "clockwise" else -1
    return [_seat(place, sign * 2 * pi * place / seats) for place in range(seats)]


def _seat(place: int, angle: float) -> Seat:
    """Return the seat at an angle, clockwise from the bottom."""
    x, y = CENTRE - SEAT_DISTANCE * sin(angle), CENTRE + SEAT_DISTANCE * cos(angle)
    return Seat(place + 1, round(x), round(y))


class PlaceInRing(NamedTuple):
    """A seat round the table: its number, with the clock from the viewer's, and where it faces."""

    number: int
    facing: str


# The seats opposite the viewer's, by the number of seats; they face away from the viewer.
OPPOSITE: Final = {2: (2,), 3: (), 4: (3,), 5: (3, 4), 6: (4,), 7: (4, 5)}


def place_in_ring(turn: int, seats: int, direction: str) -> PlaceInRing:
    """Return the place of the seat whose turn comes ``turn`` seats after the viewer's.

    >>> [place_in_ring(turn, 4, "counter-clockwise") for turn in range(2)]
    [PlaceInRing(number=1, facing='near'), PlaceInRing(number=4, facing='right')]
    """
    number = turn + 1 if turn == 0 or direction == "clockwise" else seats + 1 - turn
    if number == 1:
        return PlaceInRing(number, "near")
    if number in OPPOSITE.get(seats, ()):
        return PlaceInRing(number, "far")
    return PlaceInRing(number, "left" if number * 2 <= seats + 1 else "right")


def starting_with(seats: Iterable[str], first: str | None) -> tuple[str, ...]:
    """Return seats in order of play, starting with the viewer's; unchanged if the viewer has none.

    >>> starting_with(("mara", "leo", "nina"), "leo"), starting_with(("mara", "leo"), None)
    (('leo', 'nina', 'mara'), ('mara', 'leo'))
    """
    order = tuple(seats)
    place = order.index(first) if first in order else 0
    return order[place:] + order[:place]


def sides_starting_with(sides: Mapping[str, Sequence[str]], first: str | None) -> tuple[str, ...]:
    """Return sides in the order of their seats, starting with the viewer's.

    >>> sides_starting_with({"A": ("mara", "nina"), "B": ("leo", "ugo")}, "ugo")
    ('B', 'A')
    """
    return starting_with(
        sides, next((side for side, members in sides.items() if first in members), None)
    )


def format_seat_counts(seats: tuple[int, ...]) -> str:
    """Return the possible numbers of players of a game, as text.

    >>> format_seat_counts((2, 3, 4, 5)), format_seat_counts((2,)), format_seat_counts((2, 4))
    ('2–5', '2', '2, 4')
    """
    if len(seats) > 1 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]}{EN_DASH}{seats[-1]}"
    return ", ".join(map(str, seats))

"""Late entries and withdrawals: one entrant comes or goes, and nobody else's table changes."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from scorekeeper.tournaments.draws.draw import DrawnRound, EntrantPair, TableSeats, count_meetings

MAX_STEPS: Final = 20_000  # of the search for places without a repeat


def remove_entrant(
    rounds: Iterable[DrawnRound], entrant: int, sizes: Collection[int]
) -> tuple[DrawnRound, ...] | None:
    """Return the rounds without an entrant; None if a table would be of a size that is not played.

    If the table would be too small, an entrant with a bye in that round takes the place.
    """
    kept = []
    for drawn in rounds:
        without = _remove(drawn, entrant, sizes)
        if without is None:
            return None
        kept.append(without)
    return tuple(kept)


def _remove(drawn: DrawnRound, entrant: int, sizes: Collection[int]) -> DrawnRound | None:
    """Return a round without an entrant; None if that leaves an impossible table."""
    byes = tuple(other for other in drawn.byes if other != entrant)
    tables = list(drawn.tables)
    for place, table in enumerate(tables):
        if entrant in table:
            if len(table) - 1 in sizes:
                tables[place] = tuple(other for other in table if other != entrant)
            elif byes:
                tables[place] = tuple(byes[0] if other == entrant else other for other in table)
                byes = byes[1:]
            else:
                return None
    return DrawnRound(drawn.number, tuple(tables), byes)


def move_one(
    drawn: DrawnRound, gone: int, sizes: Collection[int], others: Iterable[DrawnRound]
) -> DrawnRound | None:
    """Return a round without an entrant in which one other entrant fills the short table.

    That one leaves a table that may be smaller, and has met few of the new table in the ``others``.
    None if no table may be smaller.
    """
    met = count_meetings(table for other in others for table in other.tables)
    short = next((table for table in drawn.tables if gone in table), ())
    moves = [
        (sum(met[min(mover, other), max(mover, other)] for other in short if other != gone), mover)
        for table in drawn.tables
        if table != short and len(table) - 1 in sizes
        for mover in table
    ]
    if not moves:
        return None
    _repeats, mover = min(moves)
    tables = (
        tuple(mover if entrant == gone else entrant for entrant in table) if table == short
        else tuple(entrant for entrant in table if entrant != mover)
        for table in drawn.tables
    )  # fmt: skip
    return drawn._replace(tables=tuple(tables))


def leave_idle(rounds: Iterable[DrawnRound], entrant: int) -> tuple[DrawnRound, ...]:
    """Return rounds of tables of two without an entrant, whose opponents sit out."""
    return tuple(
        DrawnRound(
            drawn.number,
            tuple(table for table in drawn.tables if entrant not in table),
            tuple(
                other
                for seats in (*(table for table in drawn.tables if entrant in table), drawn.byes)
                for other in seats
                if other != entrant
            ),
        )
        for drawn in rounds
    )


def add_entrant(
    rounds: Sequence[DrawnRound], entrant: int, sizes: Collection[int],
    before: Iterable[DrawnRound] = (),
) -> tuple[DrawnRound, ...] | None:  # fmt: skip
    """Return the rounds with one more entrant, with few repeats; None if a round has no place.

    ``before`` are the rounds already played. The entrant takes free places at tables that may be
    larger, or makes a table with entrants who have a bye.
    """
    met = count_meetings(table for drawn in before for table in drawn.tables)
    known = Counter({_other(pair, entrant): count for pair, count in met.items()
                     if entrant in pair})  # fmt: skip
    places = [_list_places(drawn, sizes) for drawn in rounds]
    if not all(places):
        return None
    chosen = PlaceSearch(places, known).find()
    return tuple(_seat(drawn, entrant, table) for drawn, table in zip(rounds, chosen, strict=True))


def _other(pair: EntrantPair, entrant: int) -> int:
    """Return the other entrant of a pair."""
    return pair[1] if pair[0] == entrant else pair[0]


def _list_places(drawn: DrawnRound, sizes: Collection[int]) -> list[TableSeats]:
    """Return the tables that one more entrant can join; a new one consists of byes."""
    places = [table for table in drawn.tables if len(table) + 1 in sizes]
    new = [drawn.byes[: size - 1] for size in sizes if 1 < size <= len(drawn.byes) + 1]
    return places or new[:1]


class PlaceSearch:
    """The search for one table in each round at which a new entrant meets few people twice.

    ``known`` is whom the entrant has met before, and how often.
    """

    def __init__(self, places: Sequence[Sequence[TableSeats]], known: Counter[int]) -> None:
        self.places, self.known = places, known
        self.chosen: list[TableSeats] = []
        self.steps = 0

    def find(self) -> list[TableSeats]:
        """Return the tables without a repeat, or with the fewest for each round after the other."""
        return self.chosen if self._extend() else self._choose_greedily()

    def _extend(self) -> bool:
        """Choose tables for the remaining rounds; return whether that worked without a repeat."""
        if len(self.chosen) == len(self.places):
            return True
        for table in self.places[len(self.chosen)]:
            self.steps += 1
            if self.steps > MAX_STEPS:
                return False
            if not any(self.known[other] for other in table):
                self.known.update(table)
                self.chosen.append(table)
                if self._extend():
                    return True
                self.chosen.pop()
                self.known.subtract(table)
        return False

    def _choose_greedily(self) -> list[TableSeats]:
        """Return the table with the fewest acquaintances of each round."""
        known = +self.known
        chosen = []
        for tables in self.places:
            table = min(tables, key=lambda seats: sum(known[other] for other in seats))
            known.update(table)
            chosen.append(table)
        return chosen


def _seat(drawn: DrawnRound, entrant: int, joined: TableSeats) -> DrawnRound:
    """Return a round in which an entrant has joined a table, or people with a bye."""
    if joined in drawn.tables:
        tables = tuple((*table, entrant) if table == joined else table for table in drawn.tables)
        return drawn._replace(tables=tables)
    byes = tuple(other for other in drawn.byes if other not in joined)
    return DrawnRound(drawn.number, (*drawn.tables, (*joined, entrant)), byes)

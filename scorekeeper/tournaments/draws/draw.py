"""A draw: the tables of its rounds, and the figures by which it is judged."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.tournaments.draws.bounds import compute_fewest_repeats

PARTNERS: Final = "partners"
# The places of partners in the list of a table of two sides: seats 1 and 3, 2 and 4.
PARTNER_PLACES: Final = ((0, 2), (1, 3))
MAX_ENTRANTS: Final = 2_000
MAX_ROUNDS: Final = 1_000
MAX_SEED: Final = 2**53 - 1  # too many to try them all while a round is played

TableSeats = tuple[int, ...]  # the entrants of a table, in seat order
EntrantPair = tuple[int, int]  # two entrants, the lower number first


class DrawnRound(NamedTuple):
    """A round: the entrants of each table in seat order, and the entrants who sit out."""

    number: int
    tables: tuple[TableSeats, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Draw:
    """The rounds of a draw of ``entrants``; ``by`` is the generator and its version."""

    entrants: int
    rounds: tuple[DrawnRound, ...]
    seed: int
    by: str

    @property
    def counts_partners(self) -> bool:
        """Whether its repeats are those of partners, and not those of meetings at a table."""
        return self.by.partition(" ")[0] == PARTNERS

    @property
    def repeats(self) -> int:
        """The number of pairs of rounds that two entrants share, added up over all pairs."""
        tables = self.list_tables()
        counted = count_partners(tables) if self.counts_partners else count_meetings(tables)
        return count_repeats(counted)

    @property
    def most_meetings(self) -> int:
        """The highest number of rounds in which two entrants meet at one table."""
        return max(count_meetings(self.list_tables()).values(), default=0)

    @property
    def fewest(self) -> int | None:
        """The lower bound of the repeats; None if none is known and there are repeats."""
        sizes = [[len(table) for table in drawn.tables] for drawn in self.rounds]
        bound = compute_fewest_repeats(self.entrants, sizes, partners=self.counts_partners)
        return bound if bound or not self.repeats else None

    def list_tables(self) -> Iterator[TableSeats]:
        """Yield all tables of all rounds."""
        for drawn in self.rounds:
            yield from drawn.tables

    def to_json(self) -> JsonObject:
        """Return the draw for JSON, with its figures."""
        rounds = [
            {
                "round": drawn.number,
                "tables": [list(table) for table in drawn.tables],
                "byes": list(drawn.byes),
            }
            for drawn in self.rounds
        ]
        return {
            "entrants": self.entrants, "rounds": rounds, "repeats": self.repeats,
            "fewest": self.fewest, "most_meetings": self.most_meetings, "seed": self.seed,
            "by": self.by,
        }  # fmt: skip


def make_rounds(
    tables_of_rounds: Iterable[Iterable[Sequence[int]]], entrants: int
) -> tuple[DrawnRound, ...]:
    """Return numbered rounds of these tables; entrants at no table of a round sit out."""
    rounds = []
    for number, tables in enumerate(tables_of_rounds, start=1):
        seated = tuple(tuple(table) for table in tables)
        playing = {entrant for table in seated for entrant in table}
        byes = tuple(entrant for entrant in range(1, entrants + 1) if entrant not in playing)
        rounds.append(DrawnRound(number, seated, byes))
    return tuple(rounds)


def count_meetings(tables: Iterable[TableSeats]) -> Counter[EntrantPair]:
    """Return the number of meetings of each pair of entrants who met at a table."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def count_partners(tables: Iterable[TableSeats]) -> Counter[EntrantPair]:
    """Return how often each pair of entrants played together, at tables of two sides."""
    return Counter(
        (min(table[one], table[other]), max(table[one], table[other]))
        for table in tables
        for one, other in PARTNER_PLACES
        if len(table) == 4
    )


def count_repeats(meetings: Mapping[EntrantPair, int]) -> int:
    """Return the number of pairs of rounds in which a pair meets, added up over all pairs.

    >>> count_repeats({(1, 2): 2, (1, 3): 3, (2, 3): 1})
    4
    """
    return sum(count * (count - 1) // 2 for count in meetings.values())


# --------------------------------------------------------------------------------- from JSON


def read_draw(data: Any) -> Draw:
    """Return the draw of decoded JSON; figures in it are not read.

    Raises `UnusableError` with the path of the value that has the wrong form.
    """
    if not isinstance(data, dict):
        raise UnusableError(expected("an object with entrants and rounds", data, "no_draw"))
    entrants = _read_number(data.get("entrants"), "entrants", MAX_ENTRANTS)
    rounds = _read_list(data.get("rounds"), "rounds", MAX_ROUNDS)
    drawn = tuple(
        _read_round(number, value, f"rounds.{number}") for number, value in enumerate(rounds, 1)
    )
    seed, by = data.get("seed", 0), data.get("by", "by_hand 1")
    if type(seed) is not int:
        raise UnusableError(expected("a whole number", seed, "no_number"), field="seed")
    if not isinstance(by, str):
        raise UnusableError(expected("the name of a generator", by, "no_text"), field="by")
    return Draw(entrants, drawn, seed, by)


def _read_round(number: int, value: Any, path: str) -> DrawnRound:
    """Return a round of decoded JSON, the round with this number."""
    if not isinstance(value, dict):
        raise UnusableError(expected("an object with tables", value, "no_round"), field=path)
    if value.get("round", number) != number:
        words = f"the rounds are listed in order: expected round {number}"
        raise UnusableError(Cause(words, "round_out_of_order", round=number), field=f"{path}.round")
    tables = tuple(
        _read_entrants(table, f"{path}.tables.{place}")
        for place, table in enumerate(_read_list(value.get("tables"), f"{path}.tables"), 1)
    )
    return DrawnRound(number, tables, _read_entrants(value.get("byes", []), f"{path}.byes"))


def _read_entrants(value: Any, path: str) -> tuple[int, ...]:
    """Return a list of entrants as a tuple."""
    items = _read_list(value, path)
    return tuple(_read_number(item, path, MAX_ENTRANTS) for item in items)


def _read_list(value: Any, path: str, most: int = MAX_ENTRANTS) -> list[Any]:
    """Return the value if it is a list of at most `most` items."""
    if not isinstance(value, list) or len(value) > most:
        raise UnusableError(expected(f"a list of at most {most}", value, "no_list"), field=path)
    return value


def _read_number(value: Any, path: str, most: int) -> int:
    """Return the value if it is a whole number from 1 to `most`."""
    if type(value) is not int or not 1 <= value <= most:
        cause = expected(
            f"a whole number from 1 to {most}", value, "out_of_range", low=1, high=most
        )
        raise UnusableError(cause, field=path)
    return value

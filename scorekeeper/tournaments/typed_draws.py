"""A round that somebody drew by hand: typed, or in a file.

Each line is a table, with the numbers or names of its entrants in seat order; whoever is on no line
sits out. Instead of lines the text can be the JSON of a draw. Numbers count the entrants from 1 on,
in the order of their registration.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.names import fold_name
from scorekeeper.log import canonical
from scorekeeper.tournaments.draws.draw import read_draw
from scorekeeper.tournaments.events import MAX_TABLES
from scorekeeper.tournaments.record import TournamentRecord

MAX_CHARACTERS: Final = 200_000
MAX_LINES: Final = 2 * MAX_TABLES  # blank ones included
SEPARATORS: Final = re.compile(r"[,;\t]")
# A line may begin with the number of its table: "3:", "Table 3:".
HEADING: Final = re.compile(r"[^\d,;\t:]{0,20}\d{1,3}\s{0,3}:")


class TypedRound(NamedTuple):
    """The entrants of each table in seat order, and those who sit out."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


def parse_typed_round(
    text: str, record: TournamentRecord, number: int, members: Collection[str]
) -> TypedRound:  # fmt: skip
    """Return the tables of a round from lines, or from the JSON of a draw.

    ``members`` are those who sit out if they are at no table. A draw of several rounds is that of
    the whole stage. Raises `UnusableError`, with the line where there is one, if it cannot be read.
    """
    if len(text) > MAX_CHARACTERS:
        cause = Cause(f"more than {MAX_CHARACTERS} characters", "too_long", most=MAX_CHARACTERS)
        raise UnusableError(cause, field="text")
    if text.lstrip().startswith("{"):
        tables = list(_read_json(text, record, number))
    else:
        tables = list(_read_lines(text.splitlines(), record))
    if not tables:
        raise UnusableError(Cause("no table", "no_lines"), field="text")
    seated = {entrant for table in tables for entrant in table}
    byes = tuple(entrant.id for entrant in record.list_drawable(number)
                 if entrant.id in members and entrant.id not in seated)  # fmt: skip
    return TypedRound(tuple(tables), byes)


def _read_json(text: str, record: TournamentRecord, number: int) -> Iterator[tuple[str, ...]]:
    """Yield the tables of the JSON of a draw."""
    rounds = read_draw(canonical.decode(text.encode("utf-8", "replace"))).rounds
    place = 0
    if len(rounds) > 1:
        last = record.rounds.get(number - 1)
        stage = record.rounds[number].stage if number in record.rounds else last and last.stage
        place = sum(other.stage == stage and other.number < number
                    for other in record.rounds.values())  # fmt: skip
    if place >= len(rounds):
        words = f"the draw has {len(rounds)} rounds, and this would be number {place + 1}"
        raise UnusableError(Cause(words, "too_few_rounds", rounds=len(rounds)), field="text")
    for table in rounds[place].tables:
        yield tuple(_find_by_number(entrant, record, 0) for entrant in table)


def _read_lines(lines: Sequence[str], record: TournamentRecord) -> Iterator[tuple[str, ...]]:
    """Yield the table of each line that is not blank."""
    if len(lines) > MAX_LINES:
        cause = Cause(f"more than {MAX_LINES} lines", "too_many_lines", most=MAX_LINES)
        raise UnusableError(cause, field="text")
    names = {fold_name(entrant.name): entrant.id for entrant in record.entrants.values()}
    for number, line in enumerate(lines, start=1):
        heading = HEADING.match(line)
        cells = _split(line[heading.end() :] if heading else line)
        if cells:
            yield tuple(_find(cell, record, names, number) for cell in cells)


def _split(line: str) -> list[str]:
    """Return the numbers or names of a line; blanks separate only numbers."""
    words = line.split()
    cells = words if all(map(str.isdecimal, words)) else SEPARATORS.split(line)
    return [cell for cell in (" ".join(cell.split()) for cell in cells) if cell]


def _find(
    cell: str, record: TournamentRecord, names: Mapping[str, str], line: int
) -> str:  # fmt: skip
    """Return the entrant with a number or name. Raises `UnusableError` if there is none."""
    if cell.isdecimal() and len(cell) <= 4:
        return _find_by_number(int(cell), record, line)
    found = names.get(fold_name(cell))
    if found is None:
        cause = Cause(f"no entrant is called {cell[:60]}", "nobody_has_name", name=cell[:60])
        raise _at_line(line, cause)
    return found


def _find_by_number(number: int, record: TournamentRecord, line: int) -> str:
    """Return the entrant with a number, in the order of their registration."""
    if not 1 <= number <= len(record.entrants):
        words = f"expected a number from 1 to {len(record.entrants)}, got {number}"
        raise _at_line(line, Cause(words, "no_entrant_number", most=len(record.entrants)))
    return list(record.entrants)[number - 1]


def _at_line(line: int, cause: Cause) -> UnusableError:
    """Return the error for a line, or with 0 for none."""
    error = UnusableError(cause, field="text")
    error.line = line or None
    return error

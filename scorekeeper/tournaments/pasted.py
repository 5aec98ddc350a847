"""Entrants from a pasted list: a name on each line, or a table as CSV.

A table has commas, semicolons or tabs. Its first line may name its columns: `name`, `partner`,
`group` and `seed`, also in Italian and French; otherwise they are in that order, without `partner`
for individuals. The two of a pair may also stand on one line with ``&``, ``+`` or ``/`` between.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from string import digits
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.events.names import player_ids
from scorekeeper.tournaments.events import MAX_ENTRANTS
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.table_rules import PAIRS

MAX_LINE_CHARACTERS: Final = 1_000
DELIMITERS: Final = "\t;,"
BETWEEN_PARTNERS: Final = "&+/"
NAME, PARTNER, GROUP, SEED = "name", "partner", "group", "seed"
# The columns by the words that people write above them.
COLUMN_OF: Final[Mapping[str, str]] = {
    "name": NAME, "nome": NAME, "nom": NAME, "player": NAME, "giocatore": NAME, "joueur": NAME,
    "partner": PARTNER, "compagno": PARTNER, "compagna": PARTNER, "partenaire": PARTNER,
    "group": GROUP, "club": GROUP, "team": GROUP, "circolo": GROUP, "squadra": GROUP,
    "gruppo": GROUP, "équipe": GROUP, "groupe": GROUP,
    "seed": SEED, "testa di serie": SEED, "tête de série": SEED,
}  # fmt: skip


class PastedEntrant(NamedTuple):
    """An entrant of a list: the names of one or two players, and what stands beside them."""

    line: int
    names: tuple[str, ...]
    group: str
    seed: str


class PastedRegistration(NamedTuple):
    """The data of an `entrant_registered`, and the line of the list that it is made of."""

    line: int
    data: JsonObject


def parse_entrants(
    text: str, record: TournamentRecord, from_round: int | None = None
) -> list[PastedRegistration]:
    """Return the registration of each entrant of a list.

    Ids are made of the names. ``from_round`` is the first round of late entries. Raises
    `UnusableError` with the line that cannot be read.
    """
    pairs = record.opening.entrants == PAIRS
    listed = list(_read_lines(text.removeprefix("\ufeff"), pairs=pairs))
    if not listed or len(listed) > MAX_ENTRANTS:
        what = f"a list of 1 to {MAX_ENTRANTS} names, one on each line"
        raise UnusableError(expected(what, f"{len(listed)} lines", "no_names"), field="text")
    taken = {*record.entrants, *(player for player, _, _ in record.list_players())}
    registrations = []
    for entrant in listed:
        ids = [_take_id(name, taken) for name in entrant.names]
        whole = _take_id(" ".join(entrant.names), taken) if pairs else ids[0]
        data = _make_data(entrant, whole, ids, from_round)
        registrations.append(PastedRegistration(entrant.line, data))
    return registrations


def _take_id(name: str, taken: set[str]) -> str:
    """Return a new id made of a name, and add it to those that are taken."""
    (id_,) = player_ids([name], taken).values()
    taken.add(id_)
    return id_


def _make_data(
    entrant: PastedEntrant, id_: str, ids: Sequence[str], from_round: int | None
) -> JsonObject:
    """Return the data of the event that registers an entrant."""
    players = [{"id": player, "name": name}
               for player, name in zip(ids, entrant.names, strict=True)]  # fmt: skip
    data: dict[str, Any] = {
        "id": id_, "name": " & ".join(entrant.names)[:MAX_NAME_CHARACTERS], "players": players,
    }  # fmt: skip
    if entrant.group:
        data["group"] = entrant.group
    if entrant.seed:
        data["seed"] = int(entrant.seed)
    if from_round is not None:
        data["from_round"] = from_round
    return data


def _read_lines(text: str, *, pairs: bool) -> Iterator[PastedEntrant]:
    """Yield the entrants of a list. Raises `UnusableError` with the line that cannot be read."""
    lines = text.splitlines()
    columns = [NAME, PARTNER, GROUP, SEED] if pairs else [NAME, GROUP, SEED]
    begun = False
    for number, line in enumerate(lines, start=1):
        cells = _split(number, line)
        if not any(cells):
            continue
        named = [COLUMN_OF.get(cell.casefold()) for cell in cells]
        if not begun and NAME in named:
            columns, begun = [column or "" for column in named], True
            continue
        begun = True
        yield _make_entrant(number, dict(zip(columns, cells, strict=False)), pairs=pairs)


def _split(line_number: int, line: str) -> list[str]:
    """Return the cells of a line, without the number of a numbered list.

    Raises `UnusableError` if the line is too long.
    """
    if len(line) > MAX_LINE_CHARACTERS:
        words = f"line {line_number} is too long: expected one name on each line"
        raise UnusableError(Cause(words, "no_names", line=line_number), field="text")
    delimiter = next((mark for mark in DELIMITERS if mark in line), ",")
    cells = next(csv.reader([line], delimiter=delimiter), [])
    cells = [" ".join(cell.split()) for cell in cells]
    first = cells[0] if cells else ""
    unnumbered = first.lstrip(digits)
    if unnumbered != first and unnumbered[:1] in (".", ")"):
        cells[0] = unnumbered[1:].strip()
    return cells


def _make_entrant(number: int, cells: Mapping[str, str], *, pairs: bool) -> PastedEntrant:
    """Return the entrant of a line. Raises `UnusableError` if it lacks a name, or has too many."""
    names = [cells.get(NAME, ""), cells.get(PARTNER, "")]
    mark = next((mark for mark in BETWEEN_PARTNERS if pairs and mark in names[0]), None)
    if mark is not None:
        one, _, other = names[0].partition(mark)
        beside = names[1]
        names = [one.strip(), other.strip()]
        if beside:  # it is not the partner's column
            cells = {**cells, GROUP: beside}
    given = tuple(name for name in names if name)
    seed = cells.get(SEED, "")
    if seed and not (seed.isdecimal() and seed.isascii() and len(seed) <= 3):
        cause = Cause(f"line {number}: the seed is a number, got {seed[:20]}", "no_seed")
        raise UnusableError(cause, field="text")
    if len(given) != (2 if pairs else 1):
        what = "the names of both players" if pairs else "one name"
        cause = Cause(f"line {number}: expected {what}", "no_names", line=number)
        raise UnusableError(cause, field="text")
    return PastedEntrant(number, given, cells.get(GROUP, ""), seed)

"""What the screen of a hall shows: pages of seats, a clock and places, and nothing of a draw.

A page has at most 24 names, so that they can be read from the back of the hall.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.tournaments.movement import compute_movement
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import StageStandings
from scorekeeper.tournaments.time_limits import find_end, find_seconds_left
from scorekeeper.tournaments.values import TournamentRound

ROWS_A_COLUMN: Final = 12  # a page has two columns of names


class NameRow(NamedTuple):
    """A name in the seating; the table is None for an entrant who sits out."""

    name: str
    table: int | None


class HallTable(NamedTuple):
    """A table with the names of its entrants, in seat order."""

    number: int
    names: tuple[str, ...]


class PlaceRow(NamedTuple):
    """A line of the standings; ``moved`` is by how many places up, None if nothing was before."""

    place: int
    shared: bool
    name: str
    points: Fraction
    moved: int | None
    provisional: bool


HallRow = NameRow | HallTable | PlaceRow


class HallSlide(NamedTuple):
    """One page of the screen, of several parts of a kind: title, names, tables, clock, standings.

    ``columns`` are lists of rows of that kind.
    """

    kind: str
    part: int = 1
    parts: int = 1
    columns: tuple[tuple[HallRow, ...], ...] = ()


class HallClock(NamedTuple):
    """The clock of a round: when it ends if it runs, else the seconds that are left.

    ``more`` are the tables with time of their own, and their ends.
    """

    ends_at: datetime | None = None
    seconds_left: int | None = None
    minutes: int | None = None
    more: tuple[tuple[int, datetime], ...] = ()


class HallView(NamedTuple):
    """A tournament as its hall sees it: the latest published round, and its pages."""

    name: str
    place: str
    zone: str
    round: int
    open: bool
    closed: bool
    clock: HallClock
    slides: tuple[HallSlide, ...]


def view_hall(snapshot: TournamentSnapshot, *, standings: bool) -> HallView:
    """Return the pages of the hall; without ``standings`` there are no places among them."""
    record = snapshot.state
    drawn = record.find_latest_published()
    playing = drawn is not None and not drawn.closed
    slides = [*_list_seating(record, drawn)] if drawn is not None and playing else []
    if standings and drawn is not None:
        slides += _list_places(snapshot)
    return HallView(
        record.opening.name, record.opening.place or "", record.opening.zone or "UTC",
        drawn.number if drawn else 0, playing, record.heads is not None,
        _find_clock(record, drawn) if drawn is not None and playing else HallClock(),
        tuple(slides) or (HallSlide("title"),),
    )  # fmt: skip


def _list_seating(record: TournamentRecord, drawn: TournamentRound) -> Iterator[HallSlide]:
    """Yield the pages of a round that is being played: its seats, and its clock."""
    names = sorted(_list_names(record, drawn), key=lambda row: sort_key(row.name))
    yield from _make_slides("names", _split(names, ROWS_A_COLUMN))
    size = max((len(table) for table in drawn.tables), default=1)
    blocks = [
        HallTable(number, tuple(_name_at(record, drawn, entrant) for entrant in table))
        for number, table in enumerate(drawn.tables, 1)
    ]
    yield from _make_slides("tables", _split(blocks, max(1, ROWS_A_COLUMN // size)))
    if drawn.clock or record.stages[drawn.stage - 1].minutes is not None:
        yield HallSlide("clock")


def _list_names(record: TournamentRecord, drawn: TournamentRound) -> Iterator[NameRow]:
    """Yield each entrant of a round with the table, and those who sit out."""
    for number, table in enumerate(drawn.tables, 1):
        for entrant in table:
            yield NameRow(_name_at(record, drawn, entrant), number)
    for entrant in drawn.byes:
        yield NameRow(_name_at(record, drawn, entrant), None)


def _name_at(record: TournamentRecord, drawn: TournamentRound, entrant_id: str) -> str:
    """Return the name of an entrant; if somebody plays for them, those of the players."""
    entrant = record.entrants[entrant_id]
    players = entrant.list_players(drawn.number)
    if players == list(entrant.players):
        return entrant.name
    names = dict(entrant.all_players())
    return " – ".join(names[player] for player in players)


def _list_places(snapshot: TournamentSnapshot) -> Iterator[HallSlide]:
    """Yield the pages of the standings of the latest stage, if somebody has points there."""
    record, results = snapshot.state, snapshot.results
    computed = snapshot.standings()
    if any(row.points or row.rounds for row in computed.rows):
        moved = compute_movement(snapshot.scoreboard, record, results, computed)
        rows = list_place_rows(record, computed, moved)
        yield from _make_slides("standings", _split(rows, ROWS_A_COLUMN), columns_a_page=1)


def list_place_rows(
    record: TournamentRecord, computed: StageStandings, moved: Mapping[str, int]
) -> list[PlaceRow]:
    """Return the lines of standings with the names of the entrants."""
    return [
        PlaceRow(row.place, row.shared, record.entrants[row.entrant].name, row.points,
                 moved.get(row.entrant), row.provisional)
        for row in computed.rows
    ]  # fmt: skip


def _find_clock(record: TournamentRecord, drawn: TournamentRound) -> HallClock:
    """Return the clock of a round."""
    end = find_end(drawn, 0)
    ends = ((table, find_end(drawn, table)) for table in range(1, len(drawn.tables) + 1))
    more = tuple((table, own) for table, own in ends if own is not None and own != end)
    # A stopped clock keeps its time, whatever time it is now.
    left = None if end is not None else find_seconds_left(drawn, datetime.max.replace(tzinfo=UTC))
    return HallClock(end, left, record.stages[drawn.stage - 1].minutes, more)


def _split(rows: Sequence[HallRow], most: int) -> list[tuple[HallRow, ...]]:
    """Return the rows in columns of at most so many."""
    return [tuple(rows[start : start + most]) for start in range(0, len(rows), most)]


def _make_slides(
    kind: str, columns: Sequence[tuple[HallRow, ...]], columns_a_page: int = 2
) -> Iterator[HallSlide]:
    """Yield the pages with these columns."""
    starts = range(0, len(columns), columns_a_page)
    for part, start in enumerate(starts, 1):
        page = tuple(columns[start : start + columns_a_page])
        yield HallSlide(kind, part, len(starts), page)


def sort_key(name: str) -> str:
    """Return a name as it is sorted: without accents, and in small letters.

    >>> sort_key("Élodie")
    'elodie'
    """
    return "".join(sign for sign in normalize("NFKD", name) if not combining(sign)).casefold()

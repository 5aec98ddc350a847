"""Slips with a QR code each, ten on a page: of the tables of a round, or of the players.

The addresses of the codes hold keys. They come from the caller, and nothing here keeps them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.language import speaking
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, TOP, Paper
from scorekeeper.exports.paper_flow import fit_texts, line_height, write_lines
from scorekeeper.exports.seating_paper import sort_key, start_paper
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.languages.catalogues import gettext as _

COLUMNS: Final = 2
ROWS: Final = 5
# Millimetres.
WIDTH: Final = (RIGHT - LEFT) / COLUMNS
HEIGHT: Final = (BOTTOM - TOP) / ROWS
QR: Final = 36.0
QUIET: Final = 4.5  # empty space around a code, so that phones find it
ADDRESS_HEIGHT: Final = 8.0
HEAD_HEIGHT: Final = 15.0
CUT: Final = 0.1  # width of the lines along which slips are cut
# Points.
HEAD_SIZE: Final = 13.0
TEXT_SIZE: Final = 9.0
SMALL_SIZE: Final = 6.5
ADDRESS_SIZE: Final = 5.0
SMALLEST_SIZE: Final = 2.5  # of many long names, which no other slip needs
NO_BREAK: Final = "\N{NO-BREAK SPACE}"  # between a seat and a name


@dataclass(frozen=True, slots=True)
class SlipAddresses:
    """The addresses of QR codes: by the number of a table, or by the id of a player.

    They are secrets, so their representation does not show them.
    """

    tables: Mapping[int, str] = field(default_factory=dict, repr=False)
    players: Mapping[str, str] = field(default_factory=dict, repr=False)


class Slip(NamedTuple):
    """A slip: a head, lines, and the address of its QR code with a sentence about it."""

    head: str
    lines: Sequence[str]
    about: str
    address: str

    def __repr__(self) -> str:
        return f"Slip({self.head!r})"  # without the secret


def draw_slips(file: TournamentFile, addresses: SlipAddresses) -> bytes:
    """Return slips as a PDF: those of the tables, then those of the players by name.

    Raises `UnusableError` for a table that the asked round does not have, or an unknown player.
    """
    with speaking(file.reader.translated_language):
        slips = [*_list_table_slips(file, addresses.tables),
                 *_list_player_slips(file, addresses.players)]  # fmt: skip
        paper = start_paper(file, _("Slips"))
        for number, slip in enumerate(slips):
            place = number % (COLUMNS * ROWS)
            if number and not place:
                paper.add_page()
            if not place:
                _draw_cut_lines(paper)
            x = LEFT + WIDTH * (place % COLUMNS)
            _draw_slip(paper, file, slip, x, TOP + HEIGHT * (place // COLUMNS))
        return bytes(paper.output())


def _list_table_slips(file: TournamentFile, addresses: Mapping[int, str]) -> Iterator[Slip]:
    """Yield the slips of tables, with who sits there in the asked round."""
    if not addresses:
        return
    seating = file.seating
    tables = {table.table: table for table in seating.tables}
    for number, address in sorted(addresses.items()):
        if number not in tables:
            raise UnusableError(expected("a table of the round", number),
                                field="tables")  # fmt: skip
        seats = [f"{seat.seat}{NO_BREAK}{seat.name}" for seat in tables[number].seats]
        head = _("Table %(number)s", number=number)
        round_words = _("Round %(number)s", number=seating.round)
        about = _("Any phone at the table can scan this, and records for all.")
        yield Slip(head, [round_words, *seats], about, address)


def _list_player_slips(file: TournamentFile, addresses: Mapping[str, str]) -> Iterator[Slip]:
    """Yield the slips of players by name."""
    for player in addresses:
        if player not in file.players:
            raise UnusableError(expected("a player of this tournament", player),
                                field="players")  # fmt: skip
    for player in sorted(addresses, key=lambda each: (sort_key(file.players[each].name), each)):
        known = file.players[player]
        entrant = file.names[known.entrant]
        lines = [text for text in (entrant, file.groups.get(known.entrant, ""))
                 if text and text != known.name]  # fmt: skip
        about = _("Scan this with your phone: it shows your table in every round. Keep it.")
        yield Slip(known.name, lines, about, addresses[player])


def _draw_cut_lines(paper: Paper) -> None:
    """Draw dashed lines between the slips of a page, and around them."""
    paper.set_line_width(CUT)
    paper.set_dash_pattern(dash=1, gap=1)
    for row in range(ROWS + 1):
        paper.line(LEFT, TOP + HEIGHT * row, RIGHT, TOP + HEIGHT * row)
    for column in range(COLUMNS + 1):
        paper.line(LEFT + WIDTH * column, TOP, LEFT + WIDTH * column, BOTTOM)
    paper.set_dash_pattern()


def _draw_slip(paper: Paper, file: TournamentFile, slip: Slip, x: float, y: float) -> None:
    """Draw a slip: the code on the left, the texts beside it."""
    paper.qr(slip.address, x + QUIET, y + (HEIGHT - QR) / 2, QR)
    left = x + 2 * QUIET + QR
    width = x + WIDTH - left - 1.5
    top, bottom = y + 2.0, y + HEIGHT - 2.0
    title = fit_texts(paper, [file.about.name], width, 2 * line_height(SMALL_SIZE), SMALL_SIZE)
    top = write_lines(paper, left, top, width, title) + 0.5
    head = fit_texts(paper, [slip.head], width, HEAD_HEIGHT, HEAD_SIZE, "B")
    top = write_lines(paper, left, top, width, head, "B") + 0.5
    address = fit_texts(
        paper, [slip.address], width, ADDRESS_HEIGHT, ADDRESS_SIZE, smallest=SMALLEST_SIZE
    )
    about = fit_texts(paper, [slip.about], width, 3 * line_height(SMALL_SIZE), SMALL_SIZE)
    write_lines(paper, left, bottom - address.height, width, address)
    write_lines(paper, left, bottom - address.height - about.height - 0.5, width, about)
    free = bottom - address.height - about.height - 1.0 - top
    lines = fit_texts(paper, slip.lines, width, free, TEXT_SIZE, smallest=SMALLEST_SIZE)
    write_lines(paper, left, top, width, lines)

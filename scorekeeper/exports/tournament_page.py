"""The standings of a tournament as one HTML file without scripts, for the website of a club.

It loads nothing from elsewhere. Its style stands in the file, with light and dark colours.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import (
    describe_day,
    describe_prize,
    describe_progress,
    describe_protests,
    describe_row,
    format_exact,
    format_round,
    format_standing_place,
    list_notes,
    list_round_numbers,
)
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.tournaments.standings_views import StandingRowView

STYLE: Final = """\
:root { color-scheme: light dark; --line: #ccc; --soft: #555; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --soft: #aaa; } }
body { font: 1rem/1.45 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0.25rem 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; white-space: nowrap; }
th.name, td.name { text-align: left; white-space: normal; overflow-wrap: anywhere; width: 100%;
  min-width: 8rem; }
small { display: block; color: var(--soft); font-weight: normal; }
.first td { font-weight: bold; }
.notes { color: var(--soft); }
@media print { body { max-width: none; margin: 0; } tr { break-inside: avoid; } }
"""


def standings_page(file: TournamentFile) -> bytes:
    """Return the standings as a whole HTML page."""
    with speaking(file.reader.translated_language):
        return ("\n".join(_list_lines(file)) + "\n").encode()


def _list_lines(file: TournamentFile) -> Iterator[str]:
    """Yield the lines of the page."""
    title = _text(file.title)
    yield "<!DOCTYPE html>"
    yield f'<html lang="{file.reader.language}">'
    yield '<head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>"
    yield f"<style>\n{STYLE}</style></head>"
    yield f"<body><main><h1>{title}</h1>"
    about = (file.game, describe_day(file), file.about.place, describe_progress(file))
    yield f"<p>{_text(' · '.join(filter(None, about)))}</p>"
    yield from _list_table_lines(file)
    yield '<div class="notes">'
    for note in list_notes(file.standings, file.names):
        yield f"<p>{_text(note)}</p>"
    yield from (f"<p>{_text(line)}</p>" for line in filter(None, (describe_protests(file),)))
    yield "</div>"
    if file.prizes:
        yield from _list_prize_lines(file)
    yield "</main></body></html>"


def _text(text: str) -> str:
    """Return a text in HTML, without controls that would turn the text around it."""
    return escape(strip_bidi(text))


def _name(text: str) -> str:
    """Return a name in HTML, in its own direction."""
    return f"<bdi>{_text(text)}</bdi>"


def _list_table_lines(file: TournamentFile) -> Iterator[str]:
    """Yield the lines of the table of standings."""
    numbers = list_round_numbers(file.standings)
    yield '<div class="wide"><table>'
    heads = "".join(
        f'<th scope="col"><abbr title="{_text(_("Round %(number)s", number=number))}">'
        f"{number}</abbr></th>"
        for number in numbers
    )
    yield (f'<thead><tr><th scope="col">{_text(_("Pos."))}</th>'
           f'<th scope="col" class="name">{_text(_("Name"))}</th>'
           f'<th scope="col">{_text(_("Points"))}</th>{heads}</tr></thead><tbody>')  # fmt: skip
    for row in file.standings.rows:
        yield _row_line(file, row, numbers)
    yield "</tbody></table></div>"


def _row_line(file: TournamentFile, row: StandingRowView, numbers: Sequence[int]) -> str:
    """Return the line of an entrant."""
    of_round = {played.round: played for played in row.rounds}
    cells = "".join(f"<td>{_text(format_round(of_round.get(number)))}</td>" for number in numbers)
    more = [*([row.group] if row.group else []), *describe_row(row, file.names)]
    remarks = "".join(f"<small>{_text(line)}</small>" for line in more)
    first = ' class="first"' if row.place == 1 else ""
    points = f"{format_exact(row.points)}{'*' * row.provisional}"
    return (f"<tr{first}><td>{format_standing_place(row)}</td>"
            f'<td class="name">{_name(row.name)}{remarks}</td>'
            f"<td><strong>{_text(points)}</strong></td>{cells}</tr>")  # fmt: skip


def _list_prize_lines(file: TournamentFile) -> Iterator[str]:
    """Yield the lines of the prizes."""
    yield f"<h2>{_text(_('Prizes'))}</h2><table><tbody>"
    for line in file.prizes:
        place = f"{line.first}–{line.last}" if line.last > line.first else f"{line.first}."
        names = ", ".join(map(_name, line.names))
        yield (f'<tr><td>{place}</td><td class="name">{names}</td>'
               f"<td>{_text(describe_prize(file, line))}</td></tr>")  # fmt: skip
    yield "</tbody></table>"

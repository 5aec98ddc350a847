"""The standings of a tournament as a short text for a chat."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports.chat import FLAG, isolate
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import (
    describe_day,
    describe_progress,
    describe_protests,
    describe_tie,
    format_exact,
    format_standing_place,
)
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import ngettext

MAX_LINES: Final = 60  # entrants in a text for a chat; the files have all


def standings_text(file: TournamentFile) -> bytes:
    """Return the standings as a short text for a chat."""
    with speaking(file.reader.translated_language):
        return ("\n".join(list_text_lines(file)) + "\n").encode()


def list_text_lines(file: TournamentFile) -> Iterator[str]:
    """Yield the lines of the text: the title, and at most `MAX_LINES` entrants."""
    rows = file.standings.rows
    yield f"{isolate(file.title)} · {file.game}"
    yield ", ".join(filter(None, (describe_progress(file), describe_day(file))))
    yield ""
    names = {entrant: isolate(name) for entrant, name in file.names.items()}
    for row in rows[:MAX_LINES]:
        tie = describe_tie(row, names)
        mark = "*" if row.provisional else ""
        figure = f"{format_exact(row.points)}{mark}{f' ({tie})' if tie else ''}"
        name = _("%(label)s:", label=isolate(row.name))
        yield f"{format_standing_place(row)} {name} {figure}"
    left = len(rows) - MAX_LINES
    if left > 0:
        yield ngettext("… and %(num)d more", "… and %(num)d more", left)
    if not rows:
        yield _("Nobody has entered.")
    if any(row.provisional for row in rows):
        yield _("* may still change")
    protests = describe_protests(file)
    if protests:
        yield f"{FLAG} {protests}"

"""The table of a season in a few lines, as it is sent to a chat."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scorekeeper.base.language import speaking
from scorekeeper.clubs.season_words import FIGURE, missing
from scorekeeper.exports.chat import own
from scorekeeper.exports.season import SeasonFile, place_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import ngettext

MOST: Final = 60  # lines of a text for a chat; the files have all


def season_text(season: SeasonFile) -> bytes:
    """The table in a few lines, for a chat."""
    with speaking(season.reader.translated_language):
        return ("\n".join(_lines(season)) + "\n").encode()


def _lines(season: SeasonFile) -> Iterator[str]:
    yield " · ".join(filter(None, (own(season.title), season.games)))
    many = len(season.told["evenings"])
    after = ngettext("after %(num)d evening", "after %(num)d evenings", many)
    yield f"{_(FIGURE[season.by])}, {after}"
    yield ""
    yield from (_line(season, row) for row in season.told["rows"][:MOST])
    left = len(season.told["rows"]) - MOST
    if left > 0:
        yield ngettext("… and %(num)d more", "… and %(num)d more", left)
    if not season.told["rows"]:
        yield _("Nobody has played yet.")
    if any(row["provisional"] for row in season.told["rows"]):
        yield _("* may still change")
    yield from missing(season.told)


def _line(season: SeasonFile, row: Mapping[str, Any]) -> str:
    return f"{place_of(row)} {own(row['name'])} {season.shown(row)}{'*' * row['provisional']}"

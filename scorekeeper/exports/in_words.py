"""Tables with words in place of codes, in the language of the reader.

Tables for programs have codes for games, sides, the values of closed lists, and cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.events.sentences import Voice
from scorekeeper.exports.csv import Coded, CsvCell, games_played
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.fact_columns import FactCell, fact_labels
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.report.marks import STATUS
from scorekeeper.report.narration import get_voice
from scorekeeper.report.option_words import describe_value

# The names of the values of these columns.
VALUES: Final = {
    "status": {**STATUS, "penalty": N_("Penalty")},
    "level": {
        "cards": N_("card by card"), "tricks": N_("trick by trick"),
        "totals": N_("totals only"), "mixed": N_("cards and tricks"),
    },
    "severity": {
        "error": N_("Wrong"), "warning": N_("In doubt"), "info": N_("Not certain"),
    },
}  # fmt: skip
FLAGS: Final = ("disputed", "unresolved", "provisional")
SIDES: Final = ("side", "winner")


def replace_codes(
    evening: Evening, columns: Sequence[str], rows: Iterable[Sequence[Coded]]
) -> Iterator[list[CsvCell]]:
    """Yield rows of a table with words in place of codes; numbers stay numbers.

    One of the `columns` must be `match`.
    """
    of_match = columns.index("match")
    lists = _words_by_column(evening)
    listed = [(n, lists[name]) for n, name in enumerate(columns) if name in lists]
    sides = [n for n, name in enumerate(columns) if name in SIDES]
    names: dict[Coded, Mapping[Any, str]] = {
        played.sheet.match: played.sheet.columns for played in evening.matches
    }
    labelled = fact_labels(games_played(evening))
    facts = [n for n, name in enumerate(columns) if name in labelled]
    fact_text = _fact_formatter(evening)
    for row in rows:
        match = row[of_match]
        cells: list[Any] = list(row)
        for n, words in listed:
            cells[n] = words.get(cells[n], cells[n])
        for n in sides:
            cells[n] = names[match].get(cells[n], cells[n])
        for n in facts:
            if isinstance(cells[n], FactCell):
                cells[n] = fact_text(match, n, cells[n])
        yield cells


def _words_by_column(evening: Evening) -> dict[str, dict[CsvCell, str]]:
    """Return the words for the values of closed lists, by column."""
    games = games_played(evening)
    words: dict[str, dict[CsvCell, str]] = {
        column: {value: _(text) for value, text in texts.items()}
        for column, texts in VALUES.items()
    }
    words |= {column: {flag: describe_value(bool(flag)) for flag in (0, 1)} for column in FLAGS}
    words["game"] = {game.id: game.local_name for game in games}
    words["game_of_match"] = {
        value: language().word("game", name)
        for game in games
        for value, name in game.called.items()
    }
    return words


def _fact_formatter(evening: Evening) -> Callable[[Coded, int, FactCell], CsvCell]:
    """Return a function that formats a fact of a match in a column, with a cache."""
    voices: dict[Coded, Voice] = {
        number: get_voice(evening.session, match)
        for number, match in enumerate(evening.session.structure.matches, start=1)
    }
    cache: dict[tuple[Coded, int, str | int | Decimal], str] = {}

    def fact_text(match: Coded, column: int, fact: FactCell) -> CsvCell:
        is_number = isinstance(fact.code, int | Decimal) and not isinstance(fact.value, bool)
        if fact.code == "" or is_number:
            return fact.code
        key = match, column, fact.code
        if key not in cache:
            cache[key] = voices[match].worded(fact.value, fact.kind)
        return cache[key]

    return fact_text

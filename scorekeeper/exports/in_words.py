"""A table in the words of its reader, who is told of sides by their names and of cards as cards.

Tables for programs have codes: of games, of sides, of the values of closed lists, of cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.events.sentences import Voice
from scorekeeper.exports.csv import Coded, CsvCell, games_of
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.fact_columns import FactCell, labels
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.report.marks import STATUS
from scorekeeper.report.narration import voice_of
from scorekeeper.report.sheet import value_words

# What the values of these columns are called.
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
WHETHER: Final = ("disputed", "unresolved")
SIDES: Final = ("side", "winner")


def in_words(
    evening: Evening, columns: Sequence[str], rows: Iterable[Sequence[Coded]]
) -> Iterator[list[CsvCell]]:
    """Rows of a table of an evening, whose values are called what readers call them.

    One of the columns is ``match``. Figures stay figures.
    """
    of_match = columns.index("match")
    lists = _lists(evening)
    listed = [(n, lists[name]) for n, name in enumerate(columns) if name in lists]
    sides = [n for n, name in enumerate(columns) if name in SIDES]
    names: dict[Coded, Mapping[Any, str]] = {
        played.sheet.match: played.sheet.columns for played in evening.matches
    }
    labelled = labels(games_of(evening))
    facts = [n for n, name in enumerate(columns) if name in labelled]
    said = _facts(evening)
    for row in rows:
        match = row[of_match]
        cells: list[Any] = list(row)
        for n, words in listed:
            cells[n] = words.get(cells[n], cells[n])
        for n in sides:
            cells[n] = names[match].get(cells[n], cells[n])
        for n in facts:
            if isinstance(cells[n], FactCell):
                cells[n] = said(match, n, cells[n])
        yield cells


def _lists(evening: Evening) -> dict[str, dict[CsvCell, str]]:
    """What the values of a closed list are called, by column."""
    games = games_of(evening)
    called: dict[str, dict[CsvCell, str]] = {
        name: {value: _(said) for value, said in told.items()} for name, told in VALUES.items()
    }
    called |= {name: {flag: value_words(bool(flag)) for flag in (0, 1)} for name in WHETHER}
    called["game"] = {game.id: game.name for game in games}
    called["game_of_match"] = {
        value: language().word("game", said)
        for game in games
        for value, said in game.called.items()
    }
    return called


def _facts(evening: Evening) -> Callable[[Coded, int, FactCell], CsvCell]:
    """How a fact of a hand of a match, in a column, is said; each only once."""
    voices: dict[Coded, Voice] = {
        number: voice_of(evening.session, match)
        for number, match in enumerate(evening.session.structure.matches, start=1)
    }
    known: dict[tuple[Coded, int, str | int], str] = {}

    def said(match: Coded, column: int, fact: FactCell) -> CsvCell:
        if fact.code == "" or (isinstance(fact.code, int) and not isinstance(fact.value, bool)):
            return fact.code
        key = match, column, fact.code
        if key not in known:
            known[key] = voices[match].worded(fact.value, fact.kind)
        return known[key]

    return said

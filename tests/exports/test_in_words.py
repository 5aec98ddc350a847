"""``exports.in_words``: workbooks have words in place of the codes for programs."""

import re
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from scorekeeper.exports.evening import Evening
from scorekeeper.exports.formats import export_file
from scorekeeper.exports.hands import FORMATS
from scorekeeper.languages.reader import Reader
from tests.exports.samples import EVENINGS, ID, evening_of, events_of, riparto
from tests.thinned import thinned_rows

LANGUAGES = ("en", "it", "fr")
CODE = re.compile(r"[A-Z0-9]{1,2}[CDHSB]|[CDHSB]|[a-z]+[_+-][a-z_+-]+|true|false|[01]")
FIRST, SECOND, REGINA = "Leo & Nina", "Mara & Ugo", "Briscola Regina"


def golden_evening(game: str, language: str) -> Evening:
    """Return the golden evening of a game, for a reader of a language."""
    (path,) = (path for path in EVENINGS if path.parent.name == game)
    return Evening.of(ID, evening_of(events_of(path)).session, Reader(language=language))


def table(data: bytes, page: int) -> list[dict[str, Any]]:
    """Return the rows of a sheet of a workbook as mappings from the heads of columns."""
    head, *rows = load_workbook(BytesIO(data)).worksheets[page].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def results(game: str, language: str) -> list[dict[str, Any]]:
    evening = golden_evening(game, language)
    return table(export_file("xlsx", evening, b""), len(evening.matches))


@pytest.mark.parametrize(
    ("path", "language"),
    thinned_rows(product(EVENINGS, LANGUAGES), 2),
    ids=lambda one: one.parent.name if isinstance(one, Path) else one,
)
def test_no_cell_of_the_results_is_a_code(path: Path, language: str) -> None:
    rows = results(path.parent.name, language)
    texts = {cell for row in rows for cell in row.values() if isinstance(cell, str)}
    ranks = {str(rank) for rank in range(2, 8)}  # as which players bid
    assert {text for text in texts if CODE.fullmatch(text)} - ranks == set()


def test_cards_suits_and_sides_are_in_words() -> None:
    for language, suit, yes, no in (
        ("en", "coins", "yes", "no"), ("it", "denari", "sì", "no"), ("fr", "deniers", "oui", "non"),
    ):  # fmt: skip
        one, other, *_more = (list(row.values()) for row in results("briscola_regina", language))
        assert (one[6], one[7], one[11]) == (FIRST, "Leo, Nina", FIRST)
        assert (other[6], other[7], other[11]) == (SECOND, "Mara, Ugo", FIRST)
        assert one[-4:] == [suit, 0, suit, no]
        assert other[-4:] == [None, 0, suit, no], "a side without a Bris has no suit of one"
        (made_it, *_more) = (list(row.values()) for row in results("riparto", language))
        assert made_it[-3] == yes


def test_called_card_is_in_words_and_numbers_stay_numbers() -> None:
    row = next(row for row in results("briscola_chiamata", "it") if row["Carta chiamata"])
    assert (row["Chiamante"], row["Offerta"], row["Carta chiamata"]) == (
        "Ugo",
        75,
        "il 2 di bastoni",
    )
    assert (row["Punti necessari"], row["Punti fatti"], row["Da solo"]) == (75, 80, "no")


def test_sides_of_a_line_are_named() -> None:
    evening = golden_evening("briscola_regina", "en")
    rows = table(export_file("xlsx", evening, b""), len(evening.matches) + 1)
    of_first = {row["Side"] for row in rows if row["Match"] == 1}
    assert of_first == {FIRST, SECOND}


def test_hands_of_many_sessions_are_in_words() -> None:
    evenings = [golden_evening("briscola_regina", "it"), golden_evening("picchetto", "it")]
    form = FORMATS["xlsx"]
    rows = [row for evening in evenings for row in form.rows(evening)]
    one, *_more, last = table(form.file(rows, evenings[0].reader), 0)
    assert (one["Gioco"], one["Stato"], one["Livello di dettaglio"]) == (
        REGINA, "completa", "carta per carta",
    )  # fmt: skip
    assert (one["Vincitore"], one["Contestata"], one["Parte 1"]) == (FIRST, "no", FIRST)
    assert last["Gioco"] == "Picchetto"


def test_csv_has_codes() -> None:
    evening = golden_evening("briscola_regina", "it")
    (first, *_more) = (dict(row) for row in FORMATS["csv"].rows(evening))
    assert (first["game"], first["status"], first["disputed"]) == ("briscola_regina", "complete", 0)
    head, one, *_rows = export_file("results", evening, b"").decode("utf-8-sig").splitlines()
    row = dict(zip(head.split(","), one.replace('"Leo, Nina"', "").split(","), strict=True))
    assert (row["status"], row["level"], row["trump"], row["sweep"]) == (
        "complete",
        "cards",
        "D",
        "0",
    )
    assert row["winner"] == row["side"]


def test_results_without_a_hand_have_only_heads() -> None:
    page = load_workbook(BytesIO(export_file("xlsx", evening_of(riparto(0)), b""))).worksheets[1]
    (head,) = page.iter_rows(values_only=True)
    assert head[:3] == ("Match", "Game", "Hand")

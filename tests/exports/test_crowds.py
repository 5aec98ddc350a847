"""A season, and a table of all hands, of forty players with difficult names, in each format.

Other libraries read the files back, and the values must be those of the table.
"""

import io

import pytest
from icalendar import Calendar
from openpyxl import load_workbook

from scorekeeper.clubs.season import compute_standings
from scorekeeper.clubs.standings import EVENING_COLUMNS, view_standings
from scorekeeper.exports.chat import isolate
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import parse_time, strip_bidi
from scorekeeper.exports.hands import hand_rows, hand_rows_in_words, hands_csv, hands_workbook
from scorekeeper.exports.paper import BOX, Paper
from scorekeeper.exports.season import SeasonFile, format_place
from scorekeeper.exports.season_formats import SEASON_FORMATS
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.session.session import Session
from tests.clubs.founding import attended, evening, match, of_november
from tests.exports.samples import ID, log_of
from tests.exports.test_forty import TITLE, WHO, forty, rows, same
from tests.exports.test_season import ROME, text_of


@pytest.fixture(scope="module")
def crowd() -> SeasonFile:
    """Return a season of forty players in which each hand is still disputed."""
    figures = range(40, 0, -1)
    open_match = match(1, *figures, players=" ".join(WHO), over=False)
    evenings = [
        evening(day, open_match)._replace(title=title, place=title)
        for day, title in (("06", TITLE), ("13", "+1"), ("20", "@A1"))
    ]
    ranked = compute_standings(of_november("points"), attended(evenings), ROME)
    return SeasonFile(view_standings(ranked, WHO), evenings, ROME, Reader("it"), TITLE)


def test_csv_of_a_crowd(crowd: SeasonFile) -> None:
    read = rows(SEASON_FORMATS["csv"](crowd))
    assert len(read) == 3 * len(WHO)
    for row in read:
        [expected] = [item for item in crowd.table.rows if item.member == row["member"]]
        assert same(row["name"], WHO[row["member"]])
        assert (int(row["figure"]), row["provisional"]) == (expected.figure, "1")
    assert {row["title"] for row in read} == {f"'{TITLE}", "'+1", "'@A1"}


def test_xlsx_of_a_crowd(crowd: SeasonFile) -> None:
    book = load_workbook(io.BytesIO(SEASON_FORMATS["xlsx"](crowd)))
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert not any(cell.data_type == "f" or cell.hyperlink for cell in cells)
    _heads, *read = book.worksheets[0].iter_rows(values_only=True)
    assert [(row[2] or "", row[3], row[8]) for row in read] == [
        (strip_bidi(row.name), row.figure, "sì") for row in crowd.table.rows
    ]
    assert book.worksheets[1].max_row == 1 + 3 * len(WHO)


def test_pdf_of_a_crowd(crowd: SeasonFile) -> None:
    text = "".join("".join(page.split()) for page in text_of(SEASON_FORMATS["pdf"](crowd)))
    paper = Paper("x", parse_time("2026-11-20T20:00:00.000Z"), "")
    for row in crowd.table.rows:
        printable = "".join(paper.printable(row.name, "").split())
        expected = row.member if BOX in printable or not printable else printable[:1]
        assert expected in text
        assert f"{row.place}." in text
        assert f"{row.figure}*" in text
    paper.output()  # which closes its fonts


def test_text_of_a_crowd(crowd: SeasonFile) -> None:
    lines = SEASON_FORMATS["text"](crowd).decode().splitlines()
    assert [line for line in lines if line.endswith("*") and line[0].isdigit()] == [
        f"{format_place(row)} {isolate(row.name)} {row.figure}*" for row in crowd.table.rows
    ]


def test_ics_of_a_crowd(crowd: SeasonFile) -> None:
    events = Calendar.from_ical(SEASON_FORMATS["ics"](crowd)).walk("VEVENT")
    assert [str(item["SUMMARY"]) for item in events] == [TITLE, "+1", "@A1"]
    assert all(item.errors == [] for item in events)


def test_season_without_players_is_valid_in_each_format() -> None:
    empty = SeasonFile(view_standings(compute_standings(of_november(), [], ROME), {}), [], ROME)
    files = {name: make(empty) for name, make in SEASON_FORMATS.items()}
    assert files["csv"].decode("utf-8-sig").split() == [",".join(EVENING_COLUMNS)]
    book = load_workbook(io.BytesIO(files["xlsx"]))
    assert [page.max_row for page in book.worksheets[:2]] == [1, 1]
    assert Calendar.from_ical(files["ics"]).walk("VEVENT") == []
    for text in (files["text"].decode(), *text_of(files["pdf"])):
        assert "Nobody has played yet." in text


def test_each_format_of_a_crowd_is_tested() -> None:
    tested = {name.removesuffix("_of_a_crowd").removeprefix("test_") for name in globals()}
    assert set(SEASON_FORMATS) <= tested


# ------------------------------------------------------------------------------ all their hands


def test_all_hands_of_a_crowd() -> None:
    """Each hand has a row with the name and the figures of each side, as in the report."""
    english = Evening.of(ID, Session.read(io.BytesIO(log_of(forty())), None))
    hands = [hand for match in english.report.matches for hand in match.hands]
    read = rows(hands_csv(list(hand_rows(english)), PROGRAM))
    italian = Evening.of(ID, english.session, Reader("it"))
    book = load_workbook(
        io.BytesIO(hands_workbook(list(hand_rows_in_words(italian)), italian.reader))
    )
    heads, *cells = book.worksheets[0].iter_rows(values_only=True)
    assert len(read) == len(cells) == len(hands)
    for row, line, hand in zip(read, cells, hands, strict=True):
        assert same(row["title"], TITLE)
        assert row["disputed"] == "1"
        assert line[heads.index("Contestata")] == "sì"
        first = heads.index(next(head for head in heads if str(head).endswith(" 1")))
        for number, (side, score) in enumerate(hand.scores.items(), start=1):
            assert same(row[f"side_{number}"], WHO[side])
            assert int(row[f"score_{number}"]) == score
            assert list(line[first : first + 2]) == [strip_bidi(WHO[side]), score]
            first += 3

"""A season and a table of all hands of forty players with names that upset things: each format.

What another library reads back is what the table says, of a season of nobody, too.
"""

import io

import pytest
from icalendar import Calendar
from openpyxl import load_workbook

from scorekeeper.clubs.season import standings
from scorekeeper.clubs.standings import EVENING_COLUMNS, table
from scorekeeper.exports.chat import isolate
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import parse_time, strip_bidi
from scorekeeper.exports.hands import hand_rows, hand_rows_in_words, hands_csv, hands_workbook
from scorekeeper.exports.paper import BOX, Paper
from scorekeeper.exports.season import SeasonFile, place_of
from scorekeeper.exports.season_formats import SEASON_FORMATS
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.session.session import Session
from tests.clubs.founding import attended, evening, match, of_november
from tests.exports.taken import ID, log_of
from tests.exports.test_forty import TITLE, WHO, forty, rows, same
from tests.exports.test_season import ROME, text_of


@pytest.fixture(scope="module")
def crowd() -> SeasonFile:
    """A season of forty, each hand of whose evenings is still in dispute."""
    figures = range(40, 0, -1)
    one = match(1, *figures, players=" ".join(WHO), over=False)
    evenings = [
        evening(day, one)._replace(title=title, place=title)
        for day, title in (("06", TITLE), ("13", "+1"), ("20", "@A1"))
    ]
    made = standings(of_november("points"), attended(evenings), ROME)
    return SeasonFile(table(made, WHO), evenings, ROME, Reader("it"), TITLE)


def test_csv_of_a_crowd(crowd: SeasonFile) -> None:
    read = rows(SEASON_FORMATS["csv"](crowd))
    assert len(read) == 3 * len(WHO)
    for row in read:
        [told] = [one for one in crowd.table["rows"] if one["member"] == row["member"]]
        assert same(row["name"], WHO[row["member"]])
        assert (int(row["figure"]), row["provisional"]) == (told["figure"], "1")
    assert {row["title"] for row in read} == {f"'{TITLE}", "'+1", "'@A1"}


def test_xlsx_of_a_crowd(crowd: SeasonFile) -> None:
    book = load_workbook(io.BytesIO(SEASON_FORMATS["xlsx"](crowd)))
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert not any(cell.data_type == "f" or cell.hyperlink for cell in cells)
    _heads, *read = book.worksheets[0].iter_rows(values_only=True)
    assert [(row[2] or "", row[3], row[-1]) for row in read] == [
        (strip_bidi(one["name"]), one["figure"], "sì") for one in crowd.table["rows"]
    ]
    assert book.worksheets[1].max_row == 1 + 3 * len(WHO)


def test_pdf_of_a_crowd(crowd: SeasonFile) -> None:
    text = "".join("".join(page.split()) for page in text_of(SEASON_FORMATS["pdf"](crowd)))
    paper = Paper("x", parse_time("2026-11-20T20:00:00.000Z"), "")
    for one in crowd.table["rows"]:
        shown = "".join(paper.printable(one["name"], "").split())
        wanted = one["member"] if BOX in shown or not shown else shown[:1]
        assert wanted in text
        assert f"{one['place']}." in text
        assert f"{one['figure']}*" in text
    paper.output()  # which closes its fonts


def test_text_of_a_crowd(crowd: SeasonFile) -> None:
    lines = SEASON_FORMATS["text"](crowd).decode().splitlines()
    assert [line for line in lines if line.endswith("*") and line[0].isdigit()] == [
        f"{place_of(one)} {isolate(one['name'])} {one['figure']}*" for one in crowd.table["rows"]
    ]


def test_ics_of_a_crowd(crowd: SeasonFile) -> None:
    events = Calendar.from_ical(SEASON_FORMATS["ics"](crowd)).walk("VEVENT")
    assert [str(one["SUMMARY"]) for one in events] == [TITLE, "+1", "@A1"]
    assert all(one.errors == [] for one in events)


def test_a_season_of_nobody_opens_in_each_format() -> None:
    nobody = SeasonFile(table(standings(of_november(), [], ROME), {}), [], ROME)
    made = {name: make(nobody) for name, make in SEASON_FORMATS.items()}
    assert made["csv"].decode("utf-8-sig").split() == [",".join(EVENING_COLUMNS)]
    book = load_workbook(io.BytesIO(made["xlsx"]))
    assert [page.max_row for page in book.worksheets[:2]] == [1, 1]
    assert Calendar.from_ical(made["ics"]).walk("VEVENT") == []
    for said in (made["text"].decode(), *text_of(made["pdf"])):
        assert "Nobody has played yet." in said


def test_each_format_of_a_crowd_is_looked_at() -> None:
    looked_at = {name.removesuffix("_of_a_crowd").removeprefix("test_") for name in globals()}
    assert set(SEASON_FORMATS) <= looked_at


# ------------------------------------------------------------------------------ all their hands


def test_all_hands_of_a_crowd() -> None:
    """One row a hand, each side with its name and its figures, as the report has them."""
    told = Evening.of(ID, Session.read(io.BytesIO(log_of(forty())), None))
    hands = [hand for match in told.report["matches"] for hand in match["hands"]]
    read = rows(hands_csv(list(hand_rows(told)), PROGRAM))
    italian = Evening.of(ID, told.session, Reader("it"))
    book = load_workbook(
        io.BytesIO(hands_workbook(list(hand_rows_in_words(italian)), italian.reader))
    )
    heads, *cells = book.worksheets[0].iter_rows(values_only=True)
    assert len(read) == len(cells) == len(hands)
    for row, line, hand in zip(read, cells, hands, strict=True):
        assert same(row["title"], TITLE)
        assert row["disputed"] == "1"
        assert line[heads.index("Contestata")] == "sì"
        first = heads.index(next(one for one in heads if str(one).endswith(" 1")))
        for number, (side, score) in enumerate(hand["scores"].items(), start=1):
            assert same(row[f"side_{number}"], WHO[side])
            assert int(row[f"score_{number}"]) == score
            assert list(line[first : first + 2]) == [strip_bidi(WHO[side]), score]
            first += 3

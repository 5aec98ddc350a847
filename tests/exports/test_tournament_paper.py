"""The pages of a tournament: all names, whole, with the figures of the standings and the draw.

Tests of ``exports.seating_paper``, ``exports.score_sheet_paper``, ``exports.slips`` and
``exports.paper_flow``, too.
"""

import io
from typing import Any

import pytest
from pypdf import PdfReader

from scorekeeper.base.errors import UnusableError
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, Paper
from scorekeeper.exports.paper_flow import fit_texts, write_figures
from scorekeeper.exports.slips import Slip, SlipAddresses, draw_slips
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_formats import export_tournament_file
from scorekeeper.exports.tournament_words import format_exact, format_round
from scorekeeper.languages.reader import Reader
from tests.evenings import event
from tests.exports.halls import file_of, name_of, open_hall
from tests.exports.test_pdf import MADE
from tests.thinned import thinned
from tests.tournaments import hall

WIDE = [f"{'W' * 55}{n:03}zz" for n in range(1, 14)]  # 60 characters


def pages_of(data: bytes) -> list[str]:
    """Return the text of each page without blanks, in the order in which it was written."""
    return ["".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(data)).pages]


def plain(many: int = 12, **more: Any) -> TournamentFile:
    """Return a tournament with names that pages have as they are."""
    reader = more.pop("reader", None)
    names = [name_of(n) for n in range(101, 101 + many)]
    asked = {key: more.pop(key) for key in ("sees_draws", "round_number") if key in more}
    return file_of(open_hall(many, names=names, **more), reader, **asked)


def test_standings_have_every_line_and_column_in_order() -> None:
    file = plain(12)
    rows = file.standings.rows
    (text,) = pages_of(export_tournament_file(file, "standings.pdf"))
    lines = [f"{row.place}{'=' if row.shared else '.'}{row.name.replace(' ', '')}" for row in rows]
    places = [text.index(line) for line in lines]
    assert places == sorted(places)
    points = [f"{format_exact(row.points)}{'*' * row.provisional}" for row in rows]
    assert any({"⅓", "⅔"} & set(figure) for figure in points)
    assert "".join(points) in text
    for number in (1, 2):
        assert "".join(format_round(row.rounds[number - 1]) for row in rows) in text


@pytest.mark.parametrize("language", thinned(["fr", "en", "it"], 3))
@pytest.mark.parametrize(
    "name",
    ["standings.pdf", "seating.pdf", "score_sheets.pdf", "cross_table.pdf", "prizes.pdf",
     "road_cards.pdf"],
)  # fmt: skip
def test_longest_names_are_whole_on_every_page(name: str, language: str) -> None:
    held = open_hall(13, names=WIDE, name="Torneo " + "M" * 60, place="Sala Bossi")
    file = file_of(held, Reader(language), sees_draws=True)
    text = "".join(pages_of(export_tournament_file(file, name)))
    assert "…" not in text
    shown = list(file.names.values())
    if name == "prizes.pdf":
        shown = [winner for line in file.prizes for winner in line.names]
    elif name == "score_sheets.pdf":
        shown = [seat.name for table in file.seating.tables for seat in table.seats]
    assert all(who in text for who in shown)
    assert len(shown) >= 3


def test_seating_lists_players_by_name_and_by_table() -> None:
    file = plain(13)
    by_name, by_table = pages_of(export_tournament_file(file, "seating.pdf"))
    seats = {seat.name: (table.table, seat.seat)
             for table in file.seating.tables for seat in table.seats}  # fmt: skip
    order = sorted(file.names.values())
    places = [by_name.index(name.replace(" ", "")) for name in order]
    assert places == sorted(places)
    for name, (table, seat) in seats.items():
        assert f"{name.replace(' ', '')}{table}{seat}" in by_name
        start = by_table.index(f"Table{table}")
        assert start < by_table.index(f"{seat}{name.replace(' ', '')}")
    assert file.seating.byes
    assert all(f"{file.names[idle].replace(' ', '')}Sitout" in by_name
               for idle in file.seating.byes)  # fmt: skip


def test_road_card_has_each_round_of_an_entrant() -> None:
    file = plain(12, sees_draws=True)
    text = "".join(pages_of(export_tournament_file(file, "road_cards.pdf")))
    for entrant, name in file.names.items():
        rows = "RoundTableSeat"
        for seating in file.rounds:
            found = [f"{seating.round}{table.table}{seat.seat}" for table in seating.tables
                     for seat in table.seats if seat.entrant == entrant]  # fmt: skip
            rows += found[0] if found else f"{seating.round}Sitout"
        assert name.replace(" ", "") + rows in text


def test_score_sheet_has_a_page_for_each_table_with_its_hands() -> None:
    file = plain(11)  # five and six
    pages = pages_of(export_tournament_file(file, "score_sheets.pdf"))
    assert len(pages) == len(file.seating.tables) == 2
    for page, table in zip(pages, file.seating.tables, strict=True):
        assert page.startswith(f"Table{table.table}·Round2")
        assert table.deals == {5: 10, 6: 12}[len(table.seats)]
        assert f"{table.deals}Total" in page
        assert "addsupto0" in page
        for seat in table.seats:
            assert page.count(seat.name.replace(" ", "")) == 2  # over its column, and to sign


def test_score_sheet_of_other_games_has_no_sum_of_zero() -> None:
    assert not plain_game("picchetto").about.zero_sum
    (page,) = pages_of(export_tournament_file(plain_game("picchetto"), "score_sheets.pdf"))
    assert "addsupto0" not in page
    assert "eachcolumnisaddeduptwice" in page


def plain_game(game: str) -> TournamentFile:
    """Return a tournament with one table of two."""
    stage = {"draw": "by_hand", "rounds": 1, "points": "score"}
    return file_of(hall.tournament(
        hall.opening(stage, game=game), *hall.registrations(2), hall.drawn(1, (1, 2)),
        hall.published(1, None),
    ))  # fmt: skip


def test_cross_table_names_the_places_of_those_at_the_table() -> None:
    file = plain(10)
    (text,) = pages_of(export_tournament_file(file, "cross_table.pdf"))
    places = {row.entrant: row.place for row in file.standings.rows}
    for row in file.standings.rows:
        for played in row.rounds:
            drawn = file.rounds[played.round - 1].tables[(played.table or 1) - 1]
            others = sorted(places[other] for other in drawn.entrants if other != row.entrant)
            assert f"{format_round(played)}{''.join(map(str, others))}" in text


def test_prizes_go_to_the_places_and_shared_ones_are_added_up() -> None:
    scores = {"e1": 5, "e2": 2, "e3": 2, "e4": -4, "e5": -5}
    stage = {"draw": "by_hand", "rounds": 1, "ties": ["points", "shared"]}
    held = hall.tournament(
        hall.opening(stage, prizes={"1": 10_000, "2": 5_000, "3": 3_000, "7": "a ham"},
                     fee={"amount": 500, "currency": "EUR"}, zone="Europe/Rome",
                     protest_minutes=45),
        *hall.registrations(5), hall.drawn(1, (1, 2, 3, 4, 5)), hall.published(1, None),
        event("result_recorded", round=1, table=1, scores=scores), hall.closed(1),
    )  # fmt: skip
    file = file_of(held)
    assert [(line.first, line.last, line.names) for line in file.prizes] == [
        (1, 1, ("E1",)), (2, 3, ("E2", "E3")), (7, 7, ()),
    ]  # fmt: skip
    (text,) = pages_of(export_tournament_file(file, "prizes.pdf"))
    assert "€100.00" in text
    assert "€80.00together" in text
    assert "theprizesmaystillchange" in text
    hall.add(held, event("tournament_closed", heads={}))
    (text,) = pages_of(export_tournament_file(file_of(held), "prizes.pdf"))
    closed = held.state.closed_at  # 20:00:11 in UTC, an hour later in Rome
    assert closed.startswith("2026-11-21T20:00")
    assert "Protestsuntil21:45." in text


# ------------------------------------------------------------------------------------- slips


def addresses(file: TournamentFile) -> SlipAddresses:
    """Return addresses for all tables and players."""
    base = "https://cards.example.org/join/"
    return SlipAddresses(
        {table.table: f"{base}table{table.table:039}" for table in file.seating.tables},
        {player: f"{base}player{n:037}" for n, player in enumerate(file.players)},
    )


def test_slips_are_ten_on_a_page_with_all_names_and_addresses() -> None:
    file = file_of(open_hall(13, names=WIDE))
    asked = addresses(file)
    pages = pages_of(draw_slips(file, asked))
    text = "".join(pages)
    assert len(pages) == -(-(2 + 13) // 10)
    for address in (*asked.tables.values(), *asked.players.values()):
        assert address in text
    seated = [seat.name for table in file.seating.tables for seat in table.seats]
    for name in WIDE:
        assert text.count(name) == 1 + seated.count(name)
    assert "…" not in text


def test_slips_for_nobody_are_refused() -> None:
    file = plain(11)
    for wrong in (SlipAddresses(tables={3: "https://a"}), SlipAddresses(players={"zoe": "b"})):
        with pytest.raises(UnusableError) as refused:
            draw_slips(file, wrong)
        assert refused.value.field in ("tables", "players")


def test_secrets_are_in_no_representation() -> None:
    asked = SlipAddresses({1: "https://x/join/secret"}, {"e1": "https://x/join/secret"})
    assert "secret" not in repr((asked, Slip("Table 1", (), "", "https://x/join/secret")))


@pytest.mark.soak
def test_slips_of_two_hundred_entrants_take_seconds() -> None:
    file = file_of(open_hall(200))
    assert len(pages_of(draw_slips(file, addresses(file)))) == 24


# ------------------------------------------------------------------------------------ layout


def test_units_of_figures_are_below_units(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper("A title", MADE, "a foot")
    ends: dict[str, float] = {}

    def write(self: Paper, x: float, y: float, width: float, text: str, *look: Any) -> None:
        ends[text] = x + self.width_of(text, *look)

    monkeypatch.setattr(Paper, "write_at", write)
    write_figures(paper, 100, [(10, "3½"), (20, "\u221212"), (30, "b4"), (40, "7*")], 20, 9)
    units = [ends[head] for head in ("3", "\u221212", "b4", "7")]
    assert max(units) - min(units) < 0.01
    assert ends["½"] <= 120.01


def test_text_is_fitted_into_its_box() -> None:
    paper = Paper("A title", MADE, "a foot")
    fitted = fit_texts(paper, WIDE[:3], 40, 16, 14)
    assert fitted.height <= 16.01
    assert "".join(fitted.lines) == "".join(WIDE[:3])
    assert all(paper.width_of(line, fitted.size) <= 40 for line in fitted.lines)
    assert 0 < LEFT < RIGHT < 210
    assert BOTTOM < 297

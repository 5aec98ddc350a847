"""``tournament standings``, ``print`` and ``next`` as files; with ``cli.draw_progress``."""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from scorekeeper.cli.draw_progress import showing_search
from scorekeeper.cli.tournament_files import FORMATS, PAGES
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.search import search_rounds
from tests.cli.asking import run, terminal
from tests.evenings import by_hand
from tests.tournaments.hall import drawn, opening, registrations

BEGINS = {
    "csv": b"\xef\xbb\xbfplace,", "xlsx": b"PK", "json": b"{", "pdf": b"%PDF", "text": b"Sagra",
    "html": b"<!DOCTYPE html>", "png": b"\x89PNG", "chat": "Sagra · Rounds".encode(),
    "ics": b"BEGIN:VCALENDAR",
}  # fmt: skip


def test_standings_are_written_in_each_format(hall: Path, tmp_path: Path) -> None:
    names = [row["name"] for row in json.loads(
        run("tournament", "standings", hall, "--format", "json").stdout)["rows"]]  # fmt: skip
    for form in FORMATS:
        path = tmp_path / f"standings.{form}"
        outcome = run("tournament", "standings", hall, "--format", form, "-o", path)
        assert outcome.exit_code == 0, outcome.output
        assert path.read_bytes().startswith(BEGINS[form])
    sheet = load_workbook(tmp_path / "standings.xlsx").worksheets[0]
    assert [row[2] for row in sheet.iter_rows(min_row=2, values_only=True)] == names


def test_pages_are_printed_in_a_language(hall: Path, tmp_path: Path) -> None:
    for what in PAGES:
        path = tmp_path / f"{what}.pdf"
        outcome = run("tournament", "print", what, hall, "--language", "it", "-o", path)
        assert outcome.exit_code == 0, outcome.output
        assert path.read_bytes().startswith(b"%PDF")
    pages = PdfReader(tmp_path / "score_sheets.pdf").pages
    assert [page.extract_text().split(" · ")[0] for page in pages] == ["Tavolo 1", "Tavolo 2"]
    data = run("tournament", "print", "seating", hall, "--format", "csv").stdout_bytes
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    assert [row["entrant"] for row in rows] == [f"e{n}" for n in range(1, 11)]


def test_draw_that_is_not_published_is_printed_only_by_its_round(tmp_path: Path) -> None:
    path = tmp_path / "tournament.jsonl"
    path.write_bytes(
        by_hand([opening({"rounds": 2}), *registrations(5), drawn(1, (1, 2, 3, 4, 5))])
    )
    outcome = run("tournament", "print", "seating", path, "--format", "json")
    assert (outcome.exit_code, outcome.stderr.strip()) == (2, "no round is published yet")
    asked = run("tournament", "print", "seating", path, "--format", "json", "--round", 1)
    assert json.loads(asked.stdout)["published"] is False
    calendar = run("tournament", "standings", path, "--format", "ics")
    assert "no time of play is known" in calendar.stderr
    cards = run("tournament", "print", "road_cards", path)
    assert "need the draw of all 2 rounds of the stage: 1 can be shown" in cards.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["print", "prizes", "--format", "csv"], "prizes is printed as a PDF, and not as csv"),
        (["print", "seating", "--round", "9"], "round 9 is not drawn"),
        (["standings", "--stage", "2"], "a stage from 1 to 1"),
        (["standings", "--zone", "Bologna"], "Bologna is not a time zone"),
    ],
)
def test_impossible_files_are_refused(hall: Path, arguments: list[str], words: str) -> None:
    outcome = run("tournament", *arguments, hall)
    assert outcome.exit_code == 2
    assert words in outcome.stderr


def test_logs_are_read_from_standard_input(hall: Path) -> None:
    log = (hall / "tournament.jsonl").read_bytes()
    tables = (hall / "first.jsonl", hall / "second.jsonl")
    outcome = run("tournament", "standings", "-", *tables, stdin=log)
    assert outcome.stdout == run("tournament", "standings", hall).stdout
    begun = by_hand([opening({"rounds": 2}), *registrations(10)])
    line = json.loads(run("tournament", "next", "-", stdin=begun).stdout)
    assert (line["type"], line["data"]["round"]) == ("round_drawn", 1)


def test_search_shows_its_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    with showing_search():
        draw_balanced(25, 4, (5,))  # by construction
    assert stderr.getvalue() == ""
    with showing_search():
        search_rounds(10, [range(1, 11)] * 3, (5, 5), seed=1)
    assert "Searching" in stderr.getvalue()
    assert "%" in stderr.getvalue()


def test_search_is_silent_elsewhere(hall: Path) -> None:
    outcome = run("tournament", "draw", "--entrants", 11, "--rounds", 3, "--game", "riparto",
                  "--format", "json")  # fmt: skip
    assert (outcome.exit_code, outcome.stderr) == (0, "")

"""``season``: the table of a season from logs alone."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.api.asking import client_of
from tests.api.hall import Hall
from tests.api.test_club_tournaments import play
from tests.cli.asking import run
from tests.evenings import by_hand, event, opening, sealed


@pytest.fixture
def folder() -> Path:
    """Return the folder of the golden logs of Picchetto."""
    return Path(__file__).parents[1] / "golden" / "picchetto"


def season_table(*arguments: str) -> Any:
    outcome = run("season", *arguments, "--format", "json")
    return json.loads(outcome.stdout)


def test_folder_of_logs_gives_a_table(folder: Path) -> None:
    outcome = run("season", str(folder), "--ranking", "wins")
    lines = outcome.stdout.splitlines()
    table = season_table(str(folder), "--ranking", "wins")
    assert lines[0] == f"Picchetto: {len(table['evenings'])} evenings, by wins"
    first = table["rows"][0]
    assert lines[2].split()[:3] == ["1.", first["name"], first["shown"]]
    assert first["figure"] == sum(part["figure"] for part in first["made_of"])
    assert len(lines) == 2 + len(table["rows"])


def test_each_format_has_the_same_figures(folder: Path) -> None:
    table = season_table(str(folder))
    data = run("season", str(folder), "--format", "csv").stdout_bytes
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    for member in table["rows"]:
        mine = [row for row in rows if row["member"] == member["member"]]
        assert len(mine) == member["evenings"]
        assert {row["figure"] for row in mine} == {str(member["figure"])}
    book = load_workbook(io.BytesIO(run("season", str(folder), "--format", "xlsx").stdout_bytes))
    heads, *lines = book["Standings"].iter_rows(values_only=True)
    shown = heads.index("Points")
    assert [str(line[shown]) for line in lines] == [row["shown"] for row in table["rows"]]
    assert book["Evenings"].max_row == 1 + len(rows)


def test_unusable_logs_are_reported_and_left_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("{")
    good = min(folder.glob("*.jsonl"))
    outcome = run("season", str(good), str(tmp_path), "--ranking", "wins")
    assert outcome.exit_code == 1
    assert "broken.jsonl" in outcome.stderr
    assert "left out" in outcome.stderr
    assert outcome.stdout.startswith("Picchetto: 1 evening, by wins")


def test_tables_of_a_tournament_are_one_evening(tmp_path: Path) -> None:
    hall = Hall.open(client_of())
    sessions = [*play(hall, 1), *play(hall, 2, "ada dora bea", "ciro elio fede")]
    (tmp_path / "tournament.jsonl").write_bytes(hall.get("/log.jsonl").data)
    for session in sessions:
        log = hall.get(f"/api/sessions/{session}/log.jsonl").data
        (tmp_path / f"{session}.jsonl").write_bytes(log)
    table = season_table(str(tmp_path))
    assert len(table["evenings"]) == 1
    assert {(row["evenings"], row["matches"]) for row in table["rows"]} == {(1, 2)}
    (tmp_path / "tournament.jsonl").unlink()
    assert len(season_table(str(tmp_path))["evenings"]) == len(sessions)


def test_repeated_evening_counts_only_in_its_longer_log(tmp_path: Path) -> None:
    log = sealed([opening("mara", "leo", "nina"), event("note_added", text="x")])
    longer, shorter = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    longer.write_bytes(log)
    shorter.write_bytes(log.splitlines(keepends=True)[0])
    outcome = run("season", str(tmp_path))
    assert outcome.exit_code == 1
    assert f"{shorter}: the same evening as {longer}; left out" in outcome.stderr


def test_longer_of_two_diverging_logs_counts(tmp_path: Path) -> None:
    first, longer, shorter = (
        opening("mara", "leo", "nina"),
        tmp_path / "a.jsonl",
        tmp_path / "b.jsonl",
    )
    longer.write_bytes(
        sealed([first, event("note_added", text="x"), event("note_added", text="y")])
    )
    shorter.write_bytes(sealed([first, event("note_added", text="z")]))
    outcome = run("season", str(tmp_path))
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        f"{shorter}: begins as {longer} does and goes on differently; the longer one counts, "
        "this one is left out\n"
    )


def test_possibly_identical_players_are_reported(tmp_path: Path) -> None:
    for number, name in enumerate(("Leo", "Leone")):
        log = opening("mara", "leo", "nina")
        log["data"]["players"][1]["name"] = name
        (tmp_path / f"{number}.jsonl").write_bytes(sealed([log, event("note_added", text=name)]))
    outcome = run("season", str(tmp_path))
    assert outcome.exit_code == 0
    assert outcome.stderr == (
        "Leo (leo) and Leone (leo): the same person only with the same name; not added up\n"
    )


def test_evenings_outside_the_days_and_without_a_date_are_left_out(
    folder: Path, tmp_path: Path
) -> None:
    undated = tmp_path / "undated.jsonl"
    undated.write_bytes(by_hand([opening("mara", "leo", "nina")]))
    outcome = run("season", str(folder), str(undated), "--from", "2026-01-01", "--ranking", "wins")
    assert "no date on record; left out" in outcome.stderr
    assert season_table(str(folder), "--to", "2001-01-01")["rows"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "yesterday"], "a day such as 2026-11-20"),
        (["--zone", "../../etc"], "is not a time zone"),
        (["--game", "bridge"], "bridge"),
        (["--ranking", "rating", "--best", "3"], "best does not fit it"),
        (["--best", "0"], "--best"),
    ],
)
def test_invalid_arguments_are_refused(folder: Path, arguments: list[str], words: str) -> None:
    outcome = run("season", str(folder), *arguments)
    assert outcome.exit_code == 2
    assert words in outcome.stderr
    assert not outcome.stdout


def test_points_of_different_games_are_not_added(folder: Path) -> None:
    outcome = run("season", str(folder), str(folder.parent / "riparto"), "--ranking", "points")
    assert outcome.exit_code == 2
    assert "--game: picchetto, riparto" in outcome.stderr
    assert run("season", str(folder), str(folder.parent / "riparto")).stdout.startswith(
        "Picchetto, Riparto: "
    )

"""``tournament`` on files alone, with ``cli.draw_text``, ``cli.tournament_logs``, and the text.

That is ``cli.standings_text``.
"""

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli.standings_text import standings_lines
from scorekeeper.session.session import Session
from scorekeeper.tournaments.standings_views import (
    EntrantRoundView,
    StandingRowView,
    TeamRowView,
    TieDecisionView,
    TournamentStandingsView,
)
from tests.cli.asking import run
from tests.evenings import by_hand, event
from tests.tournaments.hall import closed, published
from tests.tournaments.tables import Table

CHIAMATA = ("--game", "briscola_chiamata")


def draw(*arguments: object) -> Any:
    outcome = run("tournament", "draw", *arguments, "--format", "json")
    assert outcome.exit_code == 0, outcome.output
    return json.loads(outcome.stdout)


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    path = tmp_path / "draw.json"
    path.write_text(json.dumps(draw("--entrants", 20, *CHIAMATA, "--rounds", 3)), "utf-8")
    return path


def test_draw_states_its_figures() -> None:
    data = draw("--entrants", 38, *CHIAMATA, "--rounds", 4, "--seed", 7)
    assert list(data) == ["entrants", "rounds", "repeats", "fewest", "most_meetings", "seed", "by"]
    assert [list(drawn) for drawn in data["rounds"]] == [["round", "tables", "byes"]] * 4
    assert {**data, "rounds": []} == {
        "entrants": 38, "rounds": [], "repeats": 0, "fewest": 0, "most_meetings": 1, "seed": 7,
        "by": "balanced 1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "by", "size"),
    [
        ((10, "--game", "knock", "--rounds", 9, "--draw", "all_play_all"), "all_play_all 1", 2),
        ((8, "--game", "knock", "--rounds", 7, "--draw", "partners"), "partners 1", 4),
        ((11, "--game", "knock", "--rounds", 6, "--draw", "mitchell"), "mitchell 1", 2),
        ((33, "--game", "briscola_regina", "--rounds", 7, "--size", "4-5"), "balanced 1", 5),
        ((9, "--game", "riparto", "--rounds", 4, "--size", "3"), "balanced 1", 3),
    ],
)
def test_each_kind_of_draw_has_its_tables(
    arguments: tuple[object, ...], by: str, size: int
) -> None:
    data = draw("--entrants", *arguments)
    assert (data["by"], data["repeats"]) == (by, 0)
    assert max(len(table) for drawn in data["rounds"] for table in drawn["tables"]) == size


def test_text_of_a_draw_names_every_table_and_bye() -> None:
    outcome = run("tournament", "draw", "--entrants", 7, *CHIAMATA, "--rounds", 2)
    lines = outcome.stdout.splitlines()
    assert lines[0] == "7 entrants, 2 rounds (balanced 1)"
    assert lines[1].startswith("the same meet again ")
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2"]
    assert sum("sit out:" in line for line in lines) == 2


@pytest.mark.parametrize(
    ("form", "begins"), [("csv", b"\xef\xbb\xbfround,table"), ("pdf", b"%PDF")]
)
def test_draw_as_a_file(form: str, begins: bytes) -> None:
    arguments = ("--entrants", 20, *CHIAMATA, "--rounds", 3, "--format", form)
    outcome = run("tournament", "draw", *arguments)
    assert outcome.stdout_bytes.startswith(begins)
    assert outcome.stdout_bytes == run("tournament", "draw", *arguments).stdout_bytes


def test_check_accepts_a_draw_and_counts_anew(drawn: Path) -> None:
    outcome = run("tournament", "check", drawn, *CHIAMATA)
    assert outcome.exit_code == 0
    assert outcome.stdout.splitlines() == [
        "20 entrants, 3 rounds", "tables of 5",
        "the same meet again 12 times; fewer are impossible", "nothing is wrong",
    ]  # fmt: skip
    data = json.loads(drawn.read_text("utf-8"))
    drawn.write_text(json.dumps({**data, "repeats": 0}), "utf-8")
    counted = json.loads(run("tournament", "check", drawn, "--format", "json").stdout)
    assert (counted["repeats"], counted["fewest"], counted["problems"]) == (12, 12, [])


def test_check_finds_an_entrant_at_two_tables(drawn: Path) -> None:
    data = json.loads(drawn.read_text("utf-8"))
    first, second = data["rounds"][1]["tables"][:2]
    lost, second[0] = second[0], first[0]
    drawn.write_text(json.dumps(data), "utf-8")
    outcome = run("tournament", "check", drawn)
    assert outcome.exit_code == 1
    assert f"wrong: round 2: entrant {first[0]} is drawn twice" in outcome.stdout
    assert f"wrong: round 2: entrant {lost} is at no table" in outcome.stdout
    sizes = run("tournament", "check", drawn, "--game", "riparto")
    assert "table 1 has 5 entrants, expected 3 or 4" in sizes.stdout


def test_plan_lists_the_rounds_that_fit() -> None:
    arguments = ("--players", 38, *CHIAMATA, "--minutes", 180)
    outcome = run("tournament", "plan", *arguments)
    assert outcome.stdout.splitlines()[:2] == [
        "3 tables of 6, 4 tables of 5", "180 minutes, 5 between two rounds, 5 for a hand",
    ]  # fmt: skip
    rows, presets = outcome.stdout.split("\n\n")[1:]
    assert rows.splitlines()[-1].split() == ["5", "32", "5", "5", "at", "5,", "6", "at", "6", "no"]
    assert [line.partition(" (")[0] for line in presets.splitlines()[1:]] == [
        "Linguaglossa", "Bologna",
    ]  # fmt: skip
    data = json.loads(run("tournament", "plan", *arguments, "--format", "json").stdout)
    assert data["plans"][1] == {"rounds": 2, "minutes": 87, "hands": 10,
                                "deals": {"5": 10, "6": 12}, "repeats": False}  # fmt: skip
    assert [preset["minutes"] for preset in data["presets"]] == [None, 135]
    short = run("tournament", "plan", "--players", 7, *CHIAMATA, "--minutes", 4)
    assert short.stdout.splitlines()[0] == "1 table of 6, 1 sits out"
    assert short.stdout.splitlines()[-1] == "no round fits"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["draw", "--entrants", "4", *CHIAMATA, "--rounds", "2"], "a table needs 5"),
        (["draw", "--entrants", "9", "--game", "bridge", "--rounds", "2"], "bridge"),
        (["draw", "--entrants", "9", *CHIAMATA, "--rounds", "2", "--size", "6-5"],
         "smaller size first"),
        (["draw", "--entrants", "9", *CHIAMATA, "--rounds", "2", "--size", "x"],
         "sizes such as 5-6"),
        (["draw", "--entrants", "9", *CHIAMATA, "--rounds", "2", "--size", "3-4"],
         "balanced of Briscola Chiamata has tables of 5 or 6, got 3-4"),
        (["draw", "--entrants", "8", *CHIAMATA, "--rounds", "2", "--draw", "partners"],
         "Briscola Chiamata is not"),
        (["draw", "--entrants", "8", "--game", "knock", "--rounds", "5", "--draw", "mitchell"],
         "the same meet again after 4 rounds"),
        (["plan", "--players", "4", *CHIAMATA, "--minutes", "60"], "a table needs 5"),
    ],
)  # fmt: skip
def test_impossible_draws_are_refused(arguments: list[str], words: str) -> None:
    outcome = run("tournament", *arguments)
    assert outcome.exit_code == 2
    assert words in outcome.stderr


@pytest.mark.parametrize(
    ("text", "words"), [("{", "not JSON"), ("[" * 100_000, "not JSON"), ("[]", "an empty list")]
)
def test_other_files_are_no_draw(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "draw.json"
    path.write_text(text, "utf-8")
    outcome = run("tournament", "check", path)
    assert outcome.exit_code == 2
    assert words in outcome.stderr
    assert str(path) in outcome.stderr


# -------------------------------------------------------------------------------- standings


def test_standings_are_those_of_the_logs(hall: Path) -> None:
    outcome = run("tournament", "standings", hall)
    assert outcome.exit_code == 0, outcome.output
    lines = outcome.stdout.splitlines()
    assert lines[0] == "Sagra: Rounds"
    assert lines[1].split() == ["entrant", "points", "1"]
    table = json.loads(run("tournament", "standings", hall, "--format", "json").stdout)
    totals: dict[str, int] = {}
    for name in ("first", "second"):
        score = json.loads(run("score", hall / f"{name}.jsonl", "--format", "json").stdout)
        totals |= score["matches"][0]["totals"]
    for row in table["rows"]:
        assert row["rounds"][0]["score"] == totals[row["entrant"]]
    ada = next(row for row in table["rows"] if row["entrant"] == "e1")
    assert ada["points"] == f"{2 * totals['e1'] - 7}/2"
    assert "E1: -7/2, late" in lines
    names = {row["entrant"]: row["name"] for row in table["rows"]}
    assert f"advance: {', '.join(names[who] for who in table['qualifiers'][0])}" in lines
    data = run("tournament", "standings", hall, "--format", "csv").stdout_bytes
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    assert [row["entrant"] for row in rows] == [row["entrant"] for row in table["rows"]]


def test_missing_and_unknown_logs_are_reported(hall: Path) -> None:
    other = Table("other", [f"e{n}" for n in range(1, 6)], 9, "briscola_chiamata")
    (hall / "second.jsonl").write_bytes(other.sealed())
    (hall / "broken.jsonl").write_text("{")
    outcome = run("tournament", "standings", hall)
    assert outcome.exit_code == 1
    assert "round 1, table 2: no log of the session second" in outcome.stderr
    assert "second: belongs to no table of the tournament" in outcome.stderr
    assert "broken.jsonl: line 1" in outcome.stderr
    assert "·" in outcome.stdout


def test_logs_written_by_hand_are_found_by_their_file_names(hall: Path) -> None:
    table = Table("first", [f"e{n}" for n in range(1, 6)], 3, "briscola_chiamata")
    table.play(3)
    (hall / "first.jsonl").write_bytes(by_hand(table.log))
    outcome = run("tournament", "standings", hall)
    assert outcome.exit_code == 0, outcome.output


def test_changes_after_the_close_are_named(hall: Path) -> None:
    path = hall / "tournament.jsonl"
    heads = {name: Session.read(io.BytesIO((hall / f"{name}.jsonl").read_bytes())).head
             for name in ("first", "second")}  # fmt: skip
    heads["second"] = "0" * 64
    line = json.dumps(event("tournament_closed", heads=heads)) + "\n"
    path.write_bytes(path.read_bytes() + line.encode())
    lines = run("tournament", "standings", hall).stdout.splitlines()
    assert lines[-1] == "changed after the close: second"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["first.jsonl"], "expected the log of one tournament, got 0"),
     (["tournament.jsonl", "tournament.jsonl"], "got 2"),
     (["tournament.jsonl", "--stage", "2"], "expected a stage from 1 to 1, got 2")],
)  # fmt: skip
def test_standings_need_one_tournament(hall: Path, arguments: list[str], words: str) -> None:
    paths = [str(hall / name) if name.endswith("jsonl") else name for name in arguments]
    outcome = run("tournament", "standings", *paths)
    assert outcome.exit_code == 2
    assert words in outcome.stderr


def test_unusable_log_of_a_tournament_is_named(hall: Path) -> None:
    path = hall / "tournament.jsonl"
    line = json.dumps(event("entrant_present", entrant="zoe")) + "\n"
    path.write_bytes(path.read_bytes() + line.encode())
    outcome = run("tournament", "standings", hall)
    assert outcome.exit_code == 2
    assert "line 16, field data.entrant: expected an entrant of this tournament" in outcome.stderr


def test_next_round_is_an_event_for_the_log(hall: Path) -> None:
    path = hall / "tournament.jsonl"
    more = [event("plan_changed", stage=1, rounds=2, reason="there is time")]
    path.write_bytes(path.read_bytes() + by_hand(more))
    outcome = run("tournament", "next", hall, "--seed", 5)
    assert outcome.exit_code == 0, outcome.output
    assert outcome.stdout == run("tournament", "next", hall, "--seed", 5).stdout
    drawn = json.loads(outcome.stdout)
    assert (drawn["type"], drawn["data"]["round"]) == ("round_drawn", 2)
    path.write_bytes(path.read_bytes() + outcome.stdout.encode())
    assert run("tournament", "standings", hall).exit_code == 0
    path.write_bytes(path.read_bytes() + by_hand([published(2, None, None), closed(2)]))
    over = run("tournament", "next", hall)
    assert (over.exit_code, over.stderr) == (2, "all rounds are played\n")


ROW: dict[str, Any] = {
    "place": 1, "shared": False, "carried": 0, "rounds": [], "adjustments": [], "decision": None,
    "provisional": False, "withdrawn_from": None, "group": None, "points": 3,
}  # fmt: skip


def test_line_says_what_decided_and_what_may_change() -> None:
    decision = TieDecisionView("hands_won", "bea", 6, 5)
    played = [
        EntrantRoundView(1, "bye", "7/2", True, None, None, None, None, False, False, None),
        EntrantRoundView(2, "missed", -3, False, None, None, None, None, False, False, None),
    ]
    rows = [
        StandingRowView(**{**ROW, "entrant": "ada", "name": "Ada", "decision": decision,
                           "provisional": True, "rounds": played}),
        StandingRowView(**{**ROW, "entrant": "bea", "name": "Bea", "place": 2, "shared": True,
                           "withdrawn_from": 2}),
    ]  # fmt: skip
    teams = [TeamRowView(1, "Lanzo", 3, ["ada"])]
    table = TournamentStandingsView(
        "Sagra", 1, "Rounds", 2, rows, [["ada"], ["bea"]], teams, False, [], None
    )
    assert list(standings_lines(table)) == [
        "Sagra: Rounds",
        "     entrant   points      1      2",
        "  1. Ada            3   b7/2  (m-3)  before Bea: hands won 6 to 5; provisional",
        "  2= Bea            3                withdrew from round 2",
        "b sat out, m missed", "final 1: Ada", "final 2: Bea", "  1. Lanzo  3  Ada",
    ]  # fmt: skip
    lot = TieDecisionView("lot", "bea", 2, 1)
    places = TieDecisionView("countback", "bea", [2, 0], [1, 1])
    for other, words in ((lot, "before Bea: lot"), (places, "before Bea: places 2-0 to 1-1")):
        first = StandingRowView(**{**ROW, "entrant": "ada", "name": "Ada", "decision": other})
        lines = standings_lines(dataclasses.replace(table, rows=[first, rows[1]]))
        assert words in list(lines)[2]
    empty = dataclasses.replace(table, rows=[], after_round=0)
    assert list(standings_lines(empty))[1:] == ["no round has been published", "nobody has entered"]

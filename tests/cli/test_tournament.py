"""``tournament`` on files alone, with ``cli.draw_text``."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.asking import run

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
    assert outcome.stdout.splitlines()[-1].split() == [
        "5",
        "32",
        "5",
        "5",
        "at",
        "5,",
        "6",
        "at",
        "6",
        "no",
    ]
    data = json.loads(run("tournament", "plan", *arguments, "--format", "json").stdout)
    assert data["plans"][1] == {"rounds": 2, "minutes": 87, "hands": 10,
                                "deals": {"5": 10, "6": 12}, "repeats": False}  # fmt: skip
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

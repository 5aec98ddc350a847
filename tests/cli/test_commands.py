"""The command line: what it prints, and how it ends.

Tests of ``cli.score``, ``cli.sheet_text``, ``cli.logs`` and ``cli.books``.
"""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from scorekeeper.cli import COMMANDS, main
from scorekeeper.cli.sheet_text import width
from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile, verify

LOG: list[dict[str, Any]] = [
    {
        "type": "session_opened",
        "data": {
            "title": "Friday",
            "place": "Leo's kitchen",
            "players": [
                {"id": "mara", "name": "Mara"},
                {"id": "leo", "name": "Leo 🂡"},
                {"id": "nina", "name": "ニナ"},
            ],
        },
    },
    {
        "type": "match_started",
        "data": {
            "game": "riparto",
            "seats": ["mara", "leo", "nina"],
            "options": {"match_end": {"target": 20}},
        },
    },
    {"type": "hand_started", "data": {"dealer": "mara"}},
    {"type": "bid_made", "data": {"player": "leo", "points": 5}},
    {"type": "points_counted", "data": {"points": {"leo": 5, "nina": 6}}},
    {"type": "hand_confirmed", "data": {"player": "nina"}},
]
CLAIM: dict[str, Any] = {"type": "score_claimed", "data": {"scores": {"leo": 6}}}


def text(events: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def run(*args: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, args, input=given)


# ------------------------------------------------------------------------------------- score


def test_money_is_told_under_the_sheets() -> None:
    assert "pays" not in run("score", "-", given=text(LOG)).stdout
    started = {**LOG[1]["data"], "stake": {"currency": "EUR", "point": 50, "match": 0}}
    log = [LOG[0], {**LOG[1], "data": started}, *LOG[2:]]
    said = run("score", "-", given=text(log)).stdout
    assert "Match 1. Played for money: €0.50 a point." in said
    assert "Mara pays Leo 🂡 €2.50" in said
    assert "ニナ pays Leo 🂡 €2.50" in said
    assert "It may still change by match 1." in said
    assert "Who pays whom: Each player settles" in run("rules", "riparto").stdout


def test_a_sheet_has_hands_as_rows_and_sides_as_columns() -> None:
    outcome = run("score", "-", given=text(LOG))
    assert outcome.exit_code == 0
    lines = outcome.output.splitlines()
    assert lines[:2] == ["Friday, Leo's kitchen", "6 events"]
    assert "Match 1: Riparto (open)" in lines
    assert "played with match_end target 20" in lines
    row = next(line for line in lines if line.startswith("   1"))
    assert row.split() == ["1", "Mara", "·", "0", "+5", "5", "·", "0", "signed", "by", "Nina"] or (
        "signed by" in row
    )
    assert next(line for line in lines if "total" in line).split() == ["total", "0", "5", "0"]


def test_columns_stand_under_one_another_whatever_the_names() -> None:
    lines = run("score", "-", given=text(LOG)).output.splitlines()
    start = lines.index("played with match_end target 20") + 1
    heads, row, total = (line.split("  signed")[0] for line in lines[start : start + 3])
    assert width(heads) == width(row) == width(total)


def test_findings_of_severity_error_end_with_1() -> None:
    outcome = run("score", "-", given=text([*LOG, CLAIM]))
    assert outcome.exit_code == 1
    said = " ".join(outcome.output.split())
    assert "ERROR, hand 1: " in said
    assert "+6" in said
    assert "(R12; events 4–5, 7)" in said


def test_the_report_as_json() -> None:
    outcome = run("score", "-", "--format", "json", given=text(LOG))
    assert outcome.exit_code == 0
    told = json.loads(outcome.output)
    assert told["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}
    assert told["session"]["players"][2] == {"id": "nina", "name": "ニナ"}


def test_why_a_hand_scores_what_it_does() -> None:
    for hand in ("1", "1.1"):
        outcome = run("score", "-", "--explain", hand, given=text(LOG))
        assert outcome.exit_code == 0
        assert "+5: Declared 5 and took 5" in outcome.output
        clause = GAMES["riparto"].book.clause("R12").text
        assert f"R12 {clause}" in " ".join(outcome.output.split())
        assert "    4  " in outcome.output


@pytest.mark.parametrize("hand", ["2", "1.2", "2.1", "x", "", "1.", "0"])
def test_a_hand_that_is_not_there(hand: str) -> None:
    outcome = run("score", "-", "--explain", hand, given=text(LOG))
    assert outcome.exit_code == 2
    assert "1.1" in outcome.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "no event in it"),
        ("not json", "line 1: not JSON"),
        (text(LOG[:2]) + '{"type": "hand_started", "data": {"dealer": "zoe"}}', "line 3, field"),
        (text(LOG)[:-20], "line 6: not JSON"),
        ("\x00", "line 1: not JSON"),
    ],
)
def test_unusable_input_ends_with_2_and_says_where(given: str, said: str) -> None:
    outcome = run("score", "-", given=given)
    assert outcome.exit_code == 2
    assert said in outcome.output
    assert outcome.output.startswith("standard input: ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert run("score", str(tmp_path / "none.jsonl")).exit_code == 2
    assert run("score", str(tmp_path)).exit_code == 2


# --------------------------------------------------------------------------- seal and verify


def sealed(events: list[dict[str, Any]]) -> bytes:
    outcome = run("seal", "-", given=text(events))
    assert outcome.exit_code == 0
    return outcome.stdout_bytes


def test_sealing_gives_a_log_that_is_whole() -> None:
    log = sealed(LOG)
    assert verify(io.BytesIO(log)).ok
    outcome = run("verify", "-", given=log)
    assert outcome.exit_code == 0
    assert outcome.output.startswith("intact: 6 events, head ")
    raws = list(LogFile(io.BytesIO(log)))
    assert [(raw.type, raw.data, raw.by) for raw in raws] == [
        (event["type"], event["data"], "import") for event in LOG
    ]


def test_a_changed_byte_is_found_and_its_line_named() -> None:
    outcome = run("verify", "-", given=sealed(LOG).replace(b'"points":5', b'"points":6'))
    assert outcome.exit_code == 1
    assert outcome.output.startswith("damaged at line 4: ")


def test_a_cut_end_is_found_by_who_remembers_it() -> None:
    log = sealed(LOG)
    cut = b"".join(log.splitlines(keepends=True)[:-1])
    head = verify(io.BytesIO(log)).head
    assert run("verify", "-", given=cut).exit_code == 0
    assert run("verify", "-", "--head", head, given=cut).exit_code == 1
    assert run("verify", "-", "--count", "6", given=cut).exit_code == 1
    assert run("verify", "-", "--count", "6", "--head", head, given=log).exit_code == 0


@pytest.mark.parametrize("given", [text(LOG), "", "{}", "hello\n"])
def test_what_is_no_sealed_log_ends_with_2(given: str) -> None:
    outcome = run("verify", "-", given=given)
    assert outcome.exit_code == 2
    assert "not a sealed log" in outcome.output


def test_what_is_unusable_or_sealed_already_is_not_sealed() -> None:
    for given in (text(LOG[1:]).encode(), sealed(LOG)):
        outcome = run("seal", "-", given=given)
        assert outcome.exit_code == 2
        assert outcome.stdout_bytes.count(b"\n") <= 1


def test_damage_of_a_sealed_log_is_a_finding() -> None:
    outcome = run("score", "-", given=sealed(LOG).replace(b'"points":5', b'"points":6'))
    assert outcome.exit_code == 1
    assert "ERROR, the log: Event 4" in outcome.output


# ------------------------------------------------------------------------------------- books


def test_games() -> None:
    outcome = run("games")
    assert outcome.exit_code == 0
    assert [line.split()[0] for line in outcome.output.splitlines()] == list(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_the_rule_book_has_every_clause_and_option(game: str) -> None:
    outcome = run("rules", game)
    assert outcome.exit_code == 0
    for clause in GAMES[game].book.clauses:
        assert f"\n{clause.id} " in outcome.output
    for option in GAMES[game].book.options:
        assert f"\n{option.name} ({option.clause})" in outcome.output


def test_the_schema_is_json() -> None:
    outcome = run("schema")
    assert outcome.exit_code == 0
    assert "$schema" in json.loads(outcome.output)


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        outcome = run(name, "--help")
        assert outcome.exit_code == 0
        assert outcome.output.startswith("Usage: ")
    assert all(name in run("--help").output for name in COMMANDS)


def test_a_file_to_take_home_is_made_without_loading_the_service() -> None:
    watched = (
        "import sys\n"
        "import scorekeeper.exports.formats, scorekeeper.exports.season_formats\n"
        "print(sorted({'flask', 'sqlalchemy', 'alembic', 'psycopg'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize("command", ["score", "seal", "verify"])
def test_a_file_is_looked_at_without_loading_the_service(command: str) -> None:
    watched = (
        "import atexit, sys\n"
        "heavy = {'flask', 'jinja2', 'werkzeug', 'segno', 'gunicorn', 'sqlalchemy', 'psycopg',"
        " 'pydantic', 'pydantic_settings', 'structlog', 'prometheus_client', 'alembic',"
        " 'importlib.metadata'}\n"
        "atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))\n"
        "from scorekeeper.cli import main\n"
        f"main(['{command}', '-'], standalone_mode=False)\n"
    )
    given = sealed(LOG).decode() if command == "verify" else text(LOG)
    done = subprocess.run(
        [sys.executable, "-c", watched], input=given, capture_output=True, text=True, check=False
    )
    assert done.stdout
    assert done.stderr.strip() == "[]"

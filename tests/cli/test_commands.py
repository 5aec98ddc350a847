"""The command line: its output and exit codes.

Tests of ``cli.score``, ``cli.sheet_text``, ``cli.logs`` and ``cli.rule_books``.
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
from scorekeeper.cli.sheet_text import terminal_width
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


def run(*args: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, args, input=stdin)


# ------------------------------------------------------------------------------------- score


def test_payments_are_printed_below_the_sheets() -> None:
    assert "pays" not in run("score", "-", stdin=text(LOG)).stdout
    started = {**LOG[1]["data"], "stake": {"currency": "EUR", "point": 50, "match": 0}}
    log = [LOG[0], {**LOG[1], "data": started}, *LOG[2:]]
    output = run("score", "-", stdin=text(log)).stdout
    assert "Match 1. Played for money: €0.50 a point." in output
    assert "Mara pays Leo 🂡 €2.50" in output
    assert "ニナ pays Leo 🂡 €2.50" in output
    assert "It may still change through match 1." in output
    assert "Who pays whom: Each player settles" in run("rules", "riparto").stdout


def test_a_sheet_has_hands_as_rows_and_sides_as_columns() -> None:
    outcome = run("score", "-", stdin=text(LOG))
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


def test_columns_are_aligned_for_any_names() -> None:
    lines = run("score", "-", stdin=text(LOG)).output.splitlines()
    start = lines.index("played with match_end target 20") + 1
    heads, row, total = (line.split("  signed")[0] for line in lines[start : start + 3])
    assert terminal_width(heads) == terminal_width(row) == terminal_width(total)


def test_findings_of_severity_error_exit_with_1() -> None:
    outcome = run("score", "-", stdin=text([*LOG, CLAIM]))
    assert outcome.exit_code == 1
    output = " ".join(outcome.output.split())
    assert "ERROR, hand 1: " in output
    assert "+6" in output
    assert "(R12; events 4–5, 7)" in output


def test_the_report_as_json() -> None:
    outcome = run("score", "-", "--format", "json", stdin=text(LOG))
    assert outcome.exit_code == 0
    report = json.loads(outcome.output)
    assert report["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}
    assert report["session"]["players"][2] == {"id": "nina", "name": "ニナ"}


def test_score_of_a_hand_is_explained() -> None:
    for hand in ("1", "1.1"):
        outcome = run("score", "-", "--explain", hand, stdin=text(LOG))
        assert outcome.exit_code == 0
        assert "+5: Declared 5 and took 5" in outcome.output
        clause = GAMES["riparto"].book.clause("R12").text
        assert f"R12 {clause}" in " ".join(outcome.output.split())
        assert "    4  " in outcome.output


@pytest.mark.parametrize("hand", ["2", "1.2", "2.1", "x", "", "1.", "0"])
def test_unknown_hand_is_refused(hand: str) -> None:
    outcome = run("score", "-", "--explain", hand, stdin=text(LOG))
    assert outcome.exit_code == 2
    assert "1.1" in outcome.output


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("", "no event in it"),
        ("not json", "line 1: not JSON"),
        (text(LOG[:2]) + '{"type": "hand_started", "data": {"dealer": "zoe"}}', "line 3, field"),
        (text(LOG)[:-20], "line 6: not JSON"),
        ("\x00", "line 1: not JSON"),
    ],
)
def test_unusable_input_exits_with_2_and_names_the_place(log: str, message: str) -> None:
    outcome = run("score", "-", stdin=log)
    assert outcome.exit_code == 2
    assert message in outcome.output
    assert outcome.output.startswith("standard input: ")


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert run("score", str(tmp_path / "none.jsonl")).exit_code == 2
    assert run("score", str(tmp_path)).exit_code == 2


# --------------------------------------------------------------------------- seal and verify


def sealed(events: list[dict[str, Any]]) -> bytes:
    outcome = run("seal", "-", stdin=text(events))
    assert outcome.exit_code == 0
    return outcome.stdout_bytes


def test_sealed_log_is_intact() -> None:
    log = sealed(LOG)
    assert verify(io.BytesIO(log)).ok
    outcome = run("verify", "-", stdin=log)
    assert outcome.exit_code == 0
    assert outcome.output.startswith("intact: 6 events, head ")
    raws = list(LogFile(io.BytesIO(log)))
    assert [(raw.type, raw.data, raw.by) for raw in raws] == [
        (event["type"], event["data"], "import") for event in LOG
    ]


def test_a_changed_byte_is_found_and_its_line_named() -> None:
    outcome = run("verify", "-", stdin=sealed(LOG).replace(b'"points":5', b'"points":6'))
    assert outcome.exit_code == 1
    assert outcome.output.startswith("damaged at line 4: ")


def test_truncated_log_is_found_by_its_head_or_count() -> None:
    log = sealed(LOG)
    cut = b"".join(log.splitlines(keepends=True)[:-1])
    head = verify(io.BytesIO(log)).head
    assert run("verify", "-", stdin=cut).exit_code == 0
    assert run("verify", "-", "--head", head, stdin=cut).exit_code == 1
    assert run("verify", "-", "--count", "6", stdin=cut).exit_code == 1
    assert run("verify", "-", "--count", "6", "--head", head, stdin=log).exit_code == 0


@pytest.mark.parametrize("log", [text(LOG), "", "{}", "hello\n"])
def test_verify_of_an_unsealed_log_exits_with_2(log: str) -> None:
    outcome = run("verify", "-", stdin=log)
    assert outcome.exit_code == 2
    assert "not a sealed log" in outcome.output


def test_unusable_or_sealed_logs_are_not_sealed() -> None:
    for log in (text(LOG[1:]).encode(), sealed(LOG)):
        outcome = run("seal", "-", stdin=log)
        assert outcome.exit_code == 2
        assert outcome.stdout_bytes.count(b"\n") <= 1


def test_damage_of_a_sealed_log_is_a_finding() -> None:
    outcome = run("score", "-", stdin=sealed(LOG).replace(b'"points":5', b'"points":6'))
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
    for kind, first in (("session", "session_opened"), ("club", "club_opened")):
        outcome = run("schema", kind)
        assert outcome.exit_code == 0
        assert json.loads(outcome.output)["properties"]["type"]["enum"][0] == first
    assert run("schema").output == run("schema", "session").output


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        outcome = run(name, "--help")
        assert outcome.exit_code == 0
        assert outcome.output.startswith("Usage: ")
    assert all(name in run("--help").output for name in COMMANDS)


def test_export_does_not_import_the_service() -> None:
    watched = (
        "import sys\n"
        "import scorekeeper.exports.formats, scorekeeper.exports.season_formats\n"
        "print(sorted({'flask', 'sqlalchemy', 'alembic', 'psycopg'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize("command", ["score", "seal", "verify"])
def test_commands_on_files_do_not_import_the_service(command: str) -> None:
    watched = (
        "import atexit, sys\n"
        "heavy = {'flask', 'jinja2', 'werkzeug', 'segno', 'gunicorn', 'sqlalchemy', 'psycopg',"
        " 'pydantic', 'pydantic_settings', 'structlog', 'prometheus_client', 'alembic',"
        " 'importlib.metadata'}\n"
        "atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))\n"
        "from scorekeeper.cli import main\n"
        f"main(['{command}', '-'], standalone_mode=False)\n"
    )
    stdin = sealed(LOG).decode() if command == "verify" else text(LOG)
    done = subprocess.run(
        [sys.executable, "-c", watched], input=stdin, capture_output=True, text=True, check=False
    )
    assert done.stdout
    assert done.stderr.strip() == "[]"

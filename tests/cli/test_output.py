"""Where commands read and write: files, standard input and output, and terminals.

Tests of ``cli.printing``.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli.output import is_text, write_output
from scorekeeper.cli.printing import paint_line, print_lines
from scorekeeper.games import GAMES
from scorekeeper.store import Store
from tests.cli.asking import BY_HAND, SEALED, run, words
from tests.operation.serving import CHECKOUT

pytestmark = pytest.mark.usefixtures("empty_folder")

BINARY = b"%PDF-1.7 \xff\x00"
SAMPLE = CHECKOUT / "samples" / "riparto-evening.jsonl"


class Terminal(io.TextIOWrapper):
    """A standard output that is a terminal."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def written(self) -> bytes:
        buffer: Any = self.buffer
        return bytes(buffer.getvalue())


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace standard output by a terminal, and return it."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return terminal


# ----------------------------------------------------------------------------------- terminals


@pytest.mark.parametrize("output", [None, Path("-")])
def test_binary_data_is_not_written_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch, output: Path | None
) -> None:
    terminal = on_terminal(monkeypatch)
    with pytest.raises(SystemExit) as ended:
        write_output(BINARY, output)
    assert ended.value.code == 2
    assert terminal.written == b""
    write_output("Mara è qui\n".encode(), output)
    assert terminal.written == "Mara è qui\n".encode()


def test_binary_data_is_written_to_a_file_beside_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on_terminal(monkeypatch)
    write_output(BINARY, Path("sheet.pdf"))
    assert Path("sheet.pdf").read_bytes() == BINARY


@pytest.mark.parametrize("form", ["pdf", "xlsx", "png", "zip"])
def test_no_binary_format_passes_for_text(session_id: str, form: str) -> None:
    assert not is_text(run("export", session_id, "--format", form).stdout_bytes)


@pytest.mark.parametrize("form", ["log", "results", "lines", "payments", "ics", "text"])
def test_every_other_format_is_text(session_id: str, form: str) -> None:
    log = run("import", str(SAMPLE)).output.split()[1]
    assert is_text(run("export", log, "--format", form).stdout_bytes)


def test_lines_are_coloured_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    line = "ERROR: revoke"
    print_lines([line, "no ERROR"])
    assert terminal.written == b"\x1b[31m\x1b[1mERROR\x1b[0m: revoke\nno ERROR\n"
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            before = terminal.written
            print_lines([line])
            assert terminal.written == before + line.encode() + b"\n"


def test_only_the_first_word_is_coloured() -> None:
    assert paint_line("intact: 3 events").startswith("\x1b[32mintact\x1b[0m: ")
    for line in ("intactly", " ERROR", "", "It is damaged"):
        assert paint_line(line) == line


def test_output_that_is_no_terminal_has_no_colours() -> None:
    assert "\x1b" not in run("verify", "-", stdin=SEALED).output


# ----------------------------------------------------------------- standard input and output


def test_season_reads_standard_input_and_writes_a_file() -> None:
    log = SAMPLE.read_bytes()
    Path("friday.jsonl").write_bytes(log)
    from_file = run("season", "friday.jsonl")
    assert run("season", "-", stdin=log).output == from_file.output
    assert run("season", "-", "-o", "table.txt", stdin=log).output == ""
    assert Path("table.txt").read_text("utf-8") == from_file.output
    assert run("season", "-", "-o", "-", stdin=log).output == from_file.output
    again = run("season", "-", "-o", "table.txt", stdin=log)
    assert (again.exit_code, again.output) == (2, "the file exists already: table.txt\n")


def test_club_is_opened_from_standard_input(store: Store) -> None:
    outcome = run("club", "open", "Circolo", "-", stdin=SAMPLE.read_bytes())
    assert outcome.exit_code == 0, outcome.output
    assert "new member: Mara" in outcome.output
    assert len(store.sessions()) == 1


def test_export_of_a_log_from_standard_input() -> None:
    outcome = run("export", "--all", "--format", "csv", "-", stdin=SAMPLE.read_bytes())
    assert outcome.exit_code == 0
    assert outcome.stdout_bytes.startswith(b"\xef\xbb\xbfdate,session")


@pytest.mark.parametrize("how", [(), ("--bundle",)])
def test_backup_goes_through_standard_output_and_input(
    session_id: str, how: tuple[str, ...]
) -> None:
    outcome = run("backup", "-", *how)
    assert outcome.exit_code == 0
    assert (
        "is on standard output, and is intact: 1 session, 0 clubs, 0 tournaments, 3 events"
        in outcome.stderr
    )
    Path("var/scorekeeper.db").unlink()
    restored = run("restore", "-", stdin=outcome.stdout_bytes)
    assert restored.exit_code == 0, restored.output
    assert run("export", session_id, "-o", "-").stdout_bytes == SEALED


def test_empty_or_wrong_standard_input_is_refused(store: Store) -> None:
    assert run("season", "-").exit_code == 1
    assert run("restore", "-", stdin=b"").exit_code == 2
    assert run("import", "-", stdin=b"x").exit_code == 2
    assert run("club", "import", "-", stdin=BY_HAND).exit_code == 2


def test_spooled_input_is_deleted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    assert run("season", "-", stdin=SAMPLE.read_bytes()).exit_code == 0
    assert set(tmp_path.iterdir()) == before


# ------------------------------------------------------------------------------------- as JSON


def test_games_are_listed_as_json() -> None:
    listed = json.loads(run("games", "--format", "json").output)
    assert [game["id"] for game in listed] == list(GAMES)
    assert [game["players"] for game in listed] == [list(game.seats) for game in GAMES.values()]


def test_sessions_are_listed_as_json(store: Store, session_id: str) -> None:
    (listed,) = json.loads(run("sessions", "--format", "json").output)
    (stored,) = store.sessions()
    assert listed == {
        "id": session_id, "title": "Friday", "created": stored.created, "events": 3,
        "head": stored.head, "players": ["Zoë"],
    }  # fmt: skip


def test_no_sessions_are_an_empty_list(store: Store) -> None:
    assert json.loads(run("sessions", "--format", "json").output) == []
    assert words(run("sessions")).startswith("no sessions in ")

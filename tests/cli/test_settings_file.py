"""``--settings FILE``: commands find the database of the service."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.cli.settings_file import move_to_front, read_variables
from scorekeeper.store import Store
from tests.cli.asking import run, words
from tests.store.asking import opened


@pytest.fixture(autouse=True)
def _restored_environment() -> Iterator[None]:
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def elsewhere(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Open a session in the database, work in another folder, and return the session's id."""
    session_id = opened(store).id
    (tmp_path / "scorekeeper.env").write_text(
        f"# of the service\nSCOREKEEPER_DATA_DIR={tmp_path / 'var'}\nOTHER=1\n"
    )
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return session_id


@pytest.mark.parametrize("before", [True, False])
def test_command_finds_the_database_of_the_service(elsewhere: str, before: bool) -> None:
    option = ("--settings", "../scorekeeper.env")
    outcome = run(*option, "sessions") if before else run("sessions", *option)
    assert outcome.exit_code == 0
    assert elsewhere in outcome.output
    assert "OTHER" not in os.environ


def test_command_without_settings_says_where_it_looked(elsewhere: str, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "var" / "scorekeeper.db"
    for command in (("sessions",), ("backup", "b"), ("verify", "--all"), ("keys", elsewhere)):
        outcome = run(*command)
        assert outcome.exit_code == 2
        assert f"It was looked for in {path}." in outcome.output
        assert "--settings FILE" in outcome.output
    run("migrate")
    assert "holds no session, club or tournament" in run("backup", "b").output
    assert words(run("sessions")) == f"no sessions in {path}"
    assert words(run("club", "list")) == f"no clubs in {path}"


def test_file_comes_before_the_environment(elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA_DIR", "nowhere")
    assert elsewhere in run("--settings=../scorekeeper.env", "sessions").output


def test_password_of_a_database_is_not_printed(
    empty_folder: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("e").write_text("SCOREKEEPER_DATABASE_URL=postgresql://me:swordfish@127.0.0.1:9/scores\n")
    outcome = run("sessions", "--settings", "e")
    assert outcome.exit_code == 2
    assert "PostgreSQL database scores on 127.0.0.1" in outcome.output
    assert "swordfish" not in outcome.output


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SCOREKEEPER_PORT=8001", {"SCOREKEEPER_PORT": "8001"}),
        ("  SCOREKEEPER_PORT = 1", None),
        ('SCOREKEEPER_HOST="a b"\n\n; x\n# y\nPATH=/', {"SCOREKEEPER_HOST": "a b"}),
        ("export SCOREKEEPER_HOST='a'", {"SCOREKEEPER_HOST": "a"}),
        ("SCOREKEEPER_PUBLIC_URL=", {"SCOREKEEPER_PUBLIC_URL": ""}),
        ("SCOREKEEPER_PORT", None),
        ('SCOREKEEPER_HOST="a', None),
    ],
)
def test_lines_of_a_settings_file(text: str, expected: dict[str, str] | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="line 1: expected NAME=VALUE"):
            dict(read_variables(text))
    else:
        assert dict(read_variables(text)) == expected


@pytest.mark.parametrize(
    ("args", "moved"),
    [
        (["sessions", "--settings", "f"], ["--settings", "f", "sessions"]),
        (["sessions", "--settings=f", "x"], ["--settings=f", "sessions", "x"]),
        (["sessions", "--", "--settings", "f"], ["sessions", "--", "--settings", "f"]),
        (["sessions", "--settings"], ["--settings", "sessions"]),
    ],
)
def test_option_may_stand_behind_the_command(args: list[str], moved: list[str]) -> None:
    assert move_to_front(args) == moved


def test_missing_or_malformed_file_is_refused(empty_folder: None) -> None:
    outcome = run("sessions", "--settings", "none")
    assert outcome.exit_code == 2
    assert "none" in outcome.output
    Path("bad").write_text("SCOREKEEPER_PORT=1\nnonsense\n")
    outcome = run("sessions", "--settings", "bad")
    assert outcome.exit_code == 2
    assert "bad, line 2: expected NAME=VALUE" in words(outcome)

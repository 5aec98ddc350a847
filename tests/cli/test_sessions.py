"""The commands on sessions: list, export, import, verify."""

import io
import json
import re
from pathlib import Path

import pytest

from scorekeeper.cli.database import count_things
from scorekeeper.cli.sessions import FORMATS, LOG
from scorekeeper.exports import formats
from scorekeeper.exports.evening import Evening
from scorekeeper.session.session import Session
from scorekeeper.store import Store
from tests.cli.asking import BY_HAND, EVENTS, SEALED, damage, run, words

KEY = r"[\w-]{32}"
UNKNOWN = "23456789abcd"


# ----------------------------------------------------------------------------------- sessions


def test_sessions_are_listed(store: Store, session_id: str) -> None:
    outcome = run("sessions")
    assert outcome.exit_code == 0
    heads, row = outcome.output.splitlines()
    assert heads.split() == ["id", "title", "created", "events", "players"]
    day, time = store.sessions()[0].created[:16].split("T")
    assert row.split() == [session_id, "Friday", day, time, "3", "Zoë"]
    for name, value in (("title", "Friday"), ("created", day), ("players", "Zoë")):
        assert heads.index(name) == row.index(value)


def test_control_characters_of_names_are_not_printed(store: Store) -> None:
    data = {"title": "a \u202eb" + "x" * 60, "players": [{"id": "mara", "name": "M\u2067a"}]}
    store.open_session([("session_opened", data)], "keeper")
    row = run("sessions").output.splitlines()[1]
    assert "\u202e" not in row
    assert row.endswith("  Ma")
    assert "a bxxxx" in row
    assert "…" in row


def test_empty_database_has_no_sessions(store: Store) -> None:
    assert run("sessions").output.startswith("no sessions in ")


# ------------------------------------------------------------------------------------- export


def test_export_writes_the_log_byte_for_byte(session_id: str) -> None:
    assert run("export", session_id).stdout_bytes == SEALED
    assert run("export", session_id, "-o", "friday.jsonl").exit_code == 0
    assert Path("friday.jsonl").read_bytes() == SEALED


def test_export_supports_every_format(session_id: str) -> None:
    for form, make in formats.FORMATS.items():
        if form == "ics":  # a session without a hand has no time
            refused = run("export", session_id, "--format", form)
            assert (refused.exit_code, refused.stdout_bytes) == (2, b"")
            continue
        evening = Evening.of(session_id, Session.read(io.BytesIO(SEALED)))
        assert run("export", session_id, "--format", form).stdout_bytes == make(evening, SEALED)
        if form in ("xlsx", "pdf", "zip"):  # the others have no words without a match
            refused = run("export", session_id, "--format", form, "--language", "it")
            assert refused.stdout_bytes != make(evening, SEALED)
    assert run("export", session_id, "--format", "pdf", "-o", "friday.pdf").exit_code == 0
    assert Path("friday.pdf").read_bytes()[:5] == b"%PDF-"
    assert set(FORMATS) == {LOG, *formats.FORMATS}
    assert run("export", session_id, "--format", "doc").exit_code == 2


@pytest.mark.parametrize(
    ("output", "message"),
    [("there.jsonl", "the file exists already"), ("nowhere/x", "cannot be written"),
     ("folder", "is a directory")],
)  # fmt: skip
def test_export_overwrites_nothing(session_id: str, output: str, message: str) -> None:
    Path("there.jsonl").write_text("mine")
    Path("folder").mkdir()
    outcome = run("export", session_id, "-o", output)
    assert outcome.exit_code == 2
    assert message in outcome.output
    assert "migrate" not in outcome.output
    assert Path("there.jsonl").read_text() == "mine"


@pytest.mark.parametrize("session_id", [UNKNOWN, "x", "' OR 1=1 --", "\x1b[2J", "x" * 5000])
def test_unknown_session_is_refused(store: Store, session_id: str) -> None:
    outcome = run("export", session_id)
    assert outcome.exit_code == 2
    assert outcome.output.startswith("there is no session ")
    assert "\x1b" not in outcome.output


# ------------------------------------------------------------------------------------- import


def test_file_in_place_of_a_session_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(BY_HAND)
    result = run("export", str(path), "--format", "text")
    assert result.exit_code == 2
    assert f"{path} is a file: name a session, or import the file first" in result.output


def test_sealed_log_is_imported_byte_for_byte(store: Store) -> None:
    Path("log.jsonl").write_bytes(SEALED)
    outcome = run("import", "log.jsonl")
    assert outcome.exit_code == 0
    ((head, session_id), *keys) = (line.rsplit(maxsplit=1) for line in outcome.output.splitlines())
    assert head == "session"
    assert store.export(session_id) == SEALED
    assert [name for name, _ in keys] == ["host", "view", "seat mara"]
    for name, secret in keys:
        key = store.find_key(secret)
        assert key is not None
        assert f"{key.role} {key.player or ''}".strip() == name
        assert key.stream_id == session_id


def test_handwritten_log_is_sealed_on_import(store: Store) -> None:
    outcome = run("import", "-", stdin=BY_HAND)
    assert outcome.exit_code == 0
    (listed,) = store.sessions()
    events = [json.loads(line) for line in store.export(listed.id).splitlines()]
    assert [(event["type"], event["data"]) for event in events] == EVENTS
    assert {event["by"] for event in events} == {"import"}
    assert [stream.verdict.ok for stream in store.verify_all()] == [True]


def test_keys_are_links_if_there_is_a_public_address(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://scores.example")
    outcome = run("import", "-", stdin=SEALED)
    assert re.search(rf"^view +https://scores\.example/join/{KEY}$", outcome.output, re.MULTILINE)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (b"", "standard input: line 1: no event in it"),
        (b"hello", "standard input: line 1: not JSON"),
        (BY_HAND[:-9], "standard input: line 3: not JSON"),
        (BY_HAND.replace(b'"text": "two"', b'"text": 2'), "line 3, field data.text: expected"),
        (BY_HAND.replace(b"note_added", b"hand_started"), "line 2"),
        (SEALED.replace(b"one", b"1ne"), "line 2: the hash does not fit"),
        (SEALED.splitlines(keepends=True)[1], "standard input: line 1"),
        (SEALED + b"\n", "line 4"),
    ],
)
def test_unusable_log_is_refused_with_its_line(store: Store, log: bytes, message: str) -> None:
    outcome = run("import", "-", stdin=log)
    assert outcome.exit_code == 2
    assert message in outcome.output
    assert store.sessions() == []


@pytest.mark.parametrize("args", [("import", "none"), ("import", "."), ("import",)])
def test_missing_log_is_refused(store: Store, args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


# ------------------------------------------------------------------------------------- verify


def test_intact_database_is_verified(session_id: str) -> None:
    outcome = run("verify", "--all")
    assert (outcome.exit_code, outcome.output) == (
        0,
        (
            f"{Path('var/scorekeeper.db').absolute()}: "
            "1 session, 0 clubs, 0 tournaments, 3 events: all intact\n"
        ),
    )


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("UPDATE events SET line = replace(line, 'one', '1ne') WHERE seq = 2", 2),
        ("UPDATE events SET by = 'leo' WHERE seq = 3", 3),
        ("DELETE FROM events WHERE seq = 1", 1),
    ],
)
def test_damaged_event_is_named(store: Store, session_id: str, change: str, place: int) -> None:
    other = store.import_sealed(SEALED.splitlines(keepends=True)).id
    damage(f"{change} AND session = '{session_id}'")
    outcome = run("verify", "--all")
    assert outcome.exit_code == 1
    first, last = outcome.output.splitlines()
    assert first.startswith(f"session {session_id} is damaged at event {place}: ")
    assert last.endswith(
        f": 2 sessions, 0 clubs, 0 tournaments, {count_things(3 + place - 1, 'event')}: 1 damaged"
    )
    assert other not in outcome.output


@pytest.mark.parametrize(
    "args", [(), ("--all", "log.jsonl"), ("--all", "--count", "0"), ("--all", "--head", "x")]
)
def test_verify_needs_either_a_log_or_all(store: Store, args: tuple[str, ...]) -> None:
    Path("log.jsonl").write_bytes(SEALED)
    outcome = run("verify", *args)
    assert outcome.exit_code == 2
    assert "either a LOG" in words(outcome)


def test_list_has_the_present_title_and_names(store: Store) -> None:
    players = [{"id": "mara", "name": "Mara"}]
    store.open_session(
        [
            ("session_opened", {"title": "Friday", "players": players}),
            ("session_described", {"title": "Saturday"}),
            ("player_renamed", {"player": "mara", "name": "Maria"}),
        ],
        "keeper",
    )
    row = run("sessions").output.splitlines()[1]
    assert "Saturday" in row
    assert row.endswith("  Maria")

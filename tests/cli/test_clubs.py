"""``club``: from a folder of old logs to a club, its table in every format, and back."""

import io
import json
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from scorekeeper.base.paths import resource
from scorekeeper.cli.clubs import FORMATS, JSON, LOG
from scorekeeper.exports.season_formats import SEASON_FORMATS
from scorekeeper.log.reading import LogFile
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.store import KeyRequest, New, Position, Store, open_store
from tests.cli.asking import SEALED, run, words
from tests.conftest import SOAK
from tests.evenings import golden_evenings

GUIDE = (resource("docs") / "operation.md").read_text(encoding="utf-8")
A_YEAR = 50 if SOAK else 15  # evenings
NOTE = NewEvent("note_added", {"text": "once"})


def day_of(number: int) -> str:
    """Return the day of an evening."""
    return f"2025-{number // 28 + 1:02}-{number % 28 + 1:02}"


def old_logs(many: int) -> Path:
    """Return a folder with the logs of so many evenings, on consecutive days."""
    folder, golden = Path("old-logs"), golden_evenings()
    folder.mkdir()
    for number in range(many):
        log = LogFile(io.BytesIO(golden[number % len(golden)].read_bytes()))
        at = f"{day_of(number)}T20:00:00.000Z"
        lines = sealed_lines([(raw.type, raw.data) for raw in log], at, by="keeper")
        (folder / f"{number:02}.jsonl").write_bytes(b"".join(lines))
    return folder


@pytest.fixture
def club_id(store: Store) -> str:
    """Open a club with three evenings."""
    outcome = run("club", "open", "Circolo", "--zone", "Europe/Rome", old_logs(3))
    assert outcome.exit_code == 0, outcome.output
    return str(re.findall(r"^club +(\w+)$", outcome.output, re.MULTILINE)[0])


def test_commands_of_the_guide_open_a_club_from_a_year_of_logs(store: Store) -> None:
    """The commands are those of the guide, unchanged."""
    old_logs(A_YEAR)
    lines = re.findall(r"^scorekeeper club (.*)$", GUIDE, re.MULTILINE)
    assert len(lines) == 4
    for line in lines:
        clubs = store.clubs()
        outcome = run("club", *_arguments(line, clubs[0].id if clubs else ""))
        assert outcome.exit_code == 0, outcome.output
    rows = load_workbook("table.xlsx").worksheets[0].max_row
    assert rows > 5
    assert len(store.sessions()) == A_YEAR
    assert f"evenings: {A_YEAR}, from 2025-01-01 to {day_of(A_YEAR - 1)}" in words(
        run("club", "enter", store.clubs()[0].id)
    )


def _arguments(line: str, club_id: str) -> list[str]:
    """Return the arguments of a line as a shell would pass them."""
    parts = re.findall(r'"([^"]*)"|(\S+)', line)
    return [(quoted or bare).replace("CLUB", club_id) for quoted, bare in parts]


def test_clubs_are_listed(club_id: str) -> None:
    heads, row = run("club", "list").output.splitlines()
    assert heads.split() == ["id", "name", "members", "evenings", "seasons"]
    assert row.split()[:2] == [club_id, "Circolo"]
    assert row.split()[-2:] == ["3", "0"]


def test_clubs_are_listed_as_json(store: Store, club_id: str) -> None:
    (listed,) = json.loads(run("club", "list", "--format", "json").output)
    (stored,) = store.clubs()
    assert listed.pop("members") > 0
    assert listed == {
        "id": club_id, "name": "Circolo", "created": stored.created, "events": stored.version,
        "head": stored.head, "evenings": 3, "seasons": 0,
    }  # fmt: skip


def test_missing_club_is_reported(store: Store) -> None:
    assert words(run("club", "list")).startswith("no clubs in ")
    assert json.loads(run("club", "list", "--format", "json").output) == []
    outcome = run("club", "enter", "o3456789abcd")
    assert (outcome.exit_code, "no club" in outcome.output) == (2, True)
    outcome = run("club", "open", "Circolo", "--currency", "euros")
    assert outcome.exit_code == 2
    assert store.clubs() == []


def test_unusable_logs_are_reported_and_left_out(club_id: str) -> None:
    Path("bad.jsonl").write_bytes(b"{}\n")
    outcome = run("club", "enter", club_id, "bad.jsonl", "old-logs")
    assert outcome.exit_code == 1
    assert "bad.jsonl: line 1" in outcome.output
    assert outcome.output.count("is entered already; left out") == 3


@pytest.mark.parametrize("number", [0, 4])  # sealed, and by hand
def test_equal_logs_are_entered_once(store: Store, number: int) -> None:
    log = golden_evenings()[number].read_bytes()
    paths = [f"{place}.jsonl" for place in range(6)]
    for path in paths:
        Path(path).write_bytes(log)
    outcome = run("club", "open", "Circolo", *paths)
    assert outcome.output.count(": entered as ") == 1, outcome.output
    assert outcome.output.count("is entered already; left out") == 5
    assert "evenings: 1" in outcome.output
    joined = [line for line in outcome.output.splitlines() if line.startswith("new member: ")]
    assert len(joined) == len(set(joined)) > 0
    again = run("club", "enter", store.clubs()[0].id, *paths)
    assert again.output.count("is entered already; left out") == 6


def test_handwritten_log_is_reported_as_undated(club_id: str) -> None:
    outcome = run("club", "enter", club_id, golden_evenings()[4])
    assert outcome.exit_code == 0, outcome.output
    assert "among all evenings: 1" in outcome.output


def test_table_is_exported_in_every_format(club_id: str) -> None:
    assert set(FORMATS) == {LOG, JSON, *SEASON_FORMATS}
    table = json.loads(run("club", "export", club_id, "--format", "json").output)
    assert len(table["evenings"]) == 3
    text = run("club", "export", club_id, "--format", "text", "--language", "it").output
    assert text.startswith("Circolo · ")
    assert "dopo 3 serate" in text
    for form, begins in (("csv", "place"), ("xlsx", "PK"), ("pdf", "%PDF"), ("ics", "BEGIN:VCAL")):
        data = run("club", "export", club_id, "--format", form).stdout_bytes
        assert data.lstrip(b"\xef\xbb\xbf").startswith(begins.encode()), form
    refused = run("club", "export", club_id, "--format", "csv", "--season", "autumn")
    assert (refused.exit_code, "there is ever" in refused.output) == (2, True)


def test_exported_log_of_a_club_can_be_imported(store: Store, club_id: str) -> None:
    log = run("club", "export", club_id).stdout_bytes
    assert run("club", "export", club_id, "-o", "club.jsonl").exit_code == 0
    outcome = run("club", "import", "club.jsonl", "--read-evenings")
    assert outcome.exit_code == 0, outcome.output
    assert "in this database" not in outcome.output
    other = next(club.id for club in store.clubs() if club.id != club_id)
    assert run("club", "export", other).stdout_bytes == log
    tables = {
        run("club", "export", id_, "--format", "csv").stdout_bytes for id_ in (club_id, other)
    }
    assert len(tables) == 1
    assert run("club", "import", "-", stdin=b"{}").exit_code == 2


def test_imported_club_reads_no_evening_of_this_database(store: Store, club_id: str) -> None:
    evening = min(Clubs(Service(store)).with_state(club_id, lambda state: list(state.evenings)))
    log = run("club", "export", club_id).stdout_bytes
    for _ in range(2):
        before = {club.id for club in store.clubs()}
        outcome = run("club", "import", "-", stdin=log)
        assert outcome.exit_code == 0, outcome.output
        sentence = (
            "3 of its evenings are in this database, and are left unread: add each to the club"
        )
        assert sentence in words(outcome)
        assert "not in this database" not in outcome.output
        (club_id_,) = {club.id for club in store.clubs()} - before
        figures = json.loads(run("club", "export", club_id_, "--format", "json").stdout_bytes)
        assert figures["evenings"] == []
        assert store.stops(club_id_)[evening] == Position(0, "")
        assert not store.stop_following(evening, club_id_)
    assert "without a key" in words(run("club", "import", "--help"))


def test_house_rules_are_in_the_log_of_a_club(store: Store, club_id: str) -> None:
    """Also house rules of an unknown game, in a log of another program."""
    rules = {"name": "Fridays", "game": "knock", "options": {}}
    elsewhere = {**rules, "game": "bridge", "options": {"vulnerable": ["both"]}}
    clubs = Clubs(Service(store))
    request = AppendRequest(store.position(club_id).version, (NewEvent("house_kept", rules),))
    clubs.record(club_id, request, Holder("host"))
    sealed = run("club", "export", club_id).stdout_bytes
    events = [*((raw.type, raw.data) for raw in LogFile(io.BytesIO(sealed))),
              ("house_kept", elsewhere)]  # fmt: skip
    by_hand = b"".join(
        json.dumps({"type": kind, "data": data}).encode() + b"\n" for kind, data in events
    )
    for log, kept in ((sealed, [rules]), (by_hand, [rules, elsewhere])):
        before = {club.id for club in store.clubs()}
        outcome = run("club", "import", "-", stdin=log)
        assert outcome.exit_code == 0, outcome.output
        (club_id_,) = {club.id for club in store.clubs()} - before
        houses = clubs.with_state(club_id_, lambda state: list(state.house_rules.values()))
        assert [{"name": house.name, "game": house.game, "options": house.options}
                for house in houses] == kept  # fmt: skip
        exported = LogFile(io.BytesIO(run("club", "export", club_id_).stdout_bytes))
        assert [raw.data for raw in exported if raw.type == "house_kept"] == kept


def test_missing_evenings_of_an_imported_club_are_counted(store: Store) -> None:
    opened = {"type": "club_opened", "data": {"name": "Circolo", "format": 1}}
    entered = {"type": "evening_entered", "data": {"session": "23456789abcd", "players": {}}}
    log = "".join(json.dumps(event) + "\n" for event in (opened, entered)).encode()
    outcome = run("club", "import", "-", stdin=log)
    assert "1 of its evenings are not in this database" in outcome.output


def test_unusable_club_is_not_restored(store: Store, club_id: str) -> None:
    opened: New = ("club_opened", {"format": 1, "name": "x"})
    events: list[New] = [opened, ("member_left", {"member": "leo"})]
    bad = store.open_club(events, "keeper").id
    assert run("backup", "all.zip", "--bundle").exit_code == 0
    Path("var/scorekeeper.db").unlink()
    outcome = run("restore", "all.zip")
    assert outcome.exit_code == 2
    assert f"club {bad}, event 2: the log cannot be used: expected a member" in outcome.output


@pytest.mark.parametrize("command", ["export", "enter"])
@pytest.mark.parametrize("club_id", ["nope", "23456789abcd", "o23456789abc"])
def test_unknown_club_is_called_a_club(store: Store, command: str, club_id: str) -> None:
    Path("log.jsonl").write_bytes(SEALED)
    outcome = run("club", command, club_id, *(["log.jsonl"] if command == "enter" else []))
    assert outcome.exit_code == 2
    assert outcome.output == f'there is no club "{club_id}"\n'
    assert store.sessions() == []


@pytest.mark.parametrize("bundle", [(), ("--bundle",)])
def test_backup_contains_the_clubs(store: Store, club_id: str, bundle: tuple[str, ...]) -> None:
    clubs, request = Clubs(Service(store)), AppendRequest(store.position(club_id).version, (NOTE,),
                                                        key="once", digest=bytes(32))  # fmt: skip
    first = clubs.record(club_id, request, Holder("host"))
    store.add_key(club_id, KeyRequest("seat", "mara"))
    saved = run("club", "export", club_id, "--format", "json").output
    log, keys = run("club", "export", club_id).stdout_bytes, store.keys(club_id)
    assert run("backup", "all.saved", *bundle).exit_code == 0
    Path("var/scorekeeper.db").unlink()
    outcome = run("restore", "all.saved")
    assert outcome.exit_code == 0, outcome.output
    assert "3 sessions, 1 club" in outcome.output
    assert run("club", "export", club_id).stdout_bytes == log
    assert run("club", "export", club_id, "--format", "json").output == saved
    with open_store("sqlite:///var/scorekeeper.db") as back:
        assert back.keys(club_id) == keys
        assert Clubs(Service(back)).record(club_id, request, Holder("host")) == first
        assert back.export(club_id) == log

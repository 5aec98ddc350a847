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
from scorekeeper.store import New, Store, Wish, open_store
from tests.cli.asking import run, said
from tests.conftest import SOAK
from tests.evenings import golden_evenings

GUIDE = (resource("docs") / "operation.md").read_text(encoding="utf-8")
A_YEAR = 50 if SOAK else 15  # evenings
NOTE = NewEvent("note_added", {"text": "once"})


def day_of(number: int) -> str:
    """The day of an evening."""
    return f"2025-{number // 28 + 1:02}-{number % 28 + 1:02}"


def old_logs(many: int) -> Path:
    """A folder with the logs of so many evenings, one after the other."""
    folder, golden = Path("old-logs"), golden_evenings()
    folder.mkdir()
    for number in range(many):
        log = LogFile(io.BytesIO(golden[number % len(golden)].read_bytes()))
        at = f"{day_of(number)}T20:00:00.000Z"
        lines = sealed_lines([(one.type, one.data) for one in log], at, by="keeper")
        (folder / f"{number:02}.jsonl").write_bytes(b"".join(lines))
    return folder


@pytest.fixture
def club_id(store: Store) -> str:
    """A club of three evenings."""
    outcome = run("club", "open", "Circolo", "--zone", "Europe/Rome", old_logs(3))
    assert outcome.exit_code == 0, outcome.output
    return str(re.findall(r"^club +(\w+)$", outcome.output, re.MULTILINE)[0])


def test_the_guide_makes_a_club_of_a_year(store: Store) -> None:
    """The commands of the guide, as they stand there, on its logs."""
    old_logs(A_YEAR)
    lines = re.findall(r"^scorekeeper club (.*)$", GUIDE, re.MULTILINE)
    assert len(lines) == 4
    for line in lines:
        found = store.clubs()
        outcome = run("club", *_words(line, found[0].id if found else ""))
        assert outcome.exit_code == 0, outcome.output
    rows = load_workbook("table.xlsx").worksheets[0].max_row
    assert rows > 5
    assert len(store.sessions()) == A_YEAR
    assert f"evenings: {A_YEAR}, from 2025-01-01 to {day_of(A_YEAR - 1)}" in said(
        run("club", "enter", store.clubs()[0].id)
    )


def _words(line: str, club_id: str) -> list[str]:
    """The arguments of a line as a shell would pass them."""
    parts = re.findall(r'"([^"]*)"|(\S+)', line)
    return [(quoted or bare).replace("CLUB", club_id) for quoted, bare in parts]


def test_clubs_are_listed(club_id: str) -> None:
    heads, row = run("club", "list").output.splitlines()
    assert heads.split() == ["id", "name", "members", "evenings", "seasons"]
    assert row.split()[:2] == [club_id, "Circolo"]
    assert row.split()[-2:] == ["3", "0"]


def test_where_no_club_is_it_says_so(store: Store) -> None:
    assert said(run("club", "list")) == "no clubs"
    outcome = run("club", "enter", "o3456789abcd")
    assert (outcome.exit_code, "no club" in outcome.output) == (2, True)
    outcome = run("club", "open", "Circolo", "--currency", "euros")
    assert outcome.exit_code == 2
    assert store.clubs() == []


def test_what_cannot_be_entered_is_told_and_left_out(club_id: str) -> None:
    Path("bad.jsonl").write_bytes(b"{}\n")
    outcome = run("club", "enter", club_id, "bad.jsonl", "old-logs")
    assert outcome.exit_code == 1
    assert "bad.jsonl: line 1" in outcome.output
    assert outcome.output.count("is entered already; left out") == 3


def test_a_log_by_hand_is_told_to_have_no_date(club_id: str) -> None:
    outcome = run("club", "enter", club_id, golden_evenings()[4])
    assert outcome.exit_code == 0, outcome.output
    assert "among all evenings: 1" in outcome.output


def test_the_table_is_written_in_every_format(club_id: str) -> None:
    assert set(FORMATS) == {LOG, JSON, *SEASON_FORMATS}
    told = json.loads(run("club", "export", club_id, "--format", "json").output)
    assert len(told["evenings"]) == 3
    text = run("club", "export", club_id, "--format", "text", "--language", "it").output
    assert text.startswith("Circolo · ")
    assert "dopo 3 serate" in text
    for form, begins in (("csv", "place"), ("xlsx", "PK"), ("pdf", "%PDF"), ("ics", "BEGIN:VCAL")):
        made = run("club", "export", club_id, "--format", form).stdout_bytes
        assert made.lstrip(b"\xef\xbb\xbf").startswith(begins.encode()), form
    refused = run("club", "export", club_id, "--format", "csv", "--season", "autumn")
    assert (refused.exit_code, "there is ever" in refused.output) == (2, True)


def test_a_log_of_a_club_makes_the_club_again(store: Store, club_id: str) -> None:
    log = run("club", "export", club_id).stdout_bytes
    assert run("club", "export", club_id, "-o", "club.jsonl").exit_code == 0
    outcome = run("club", "import", "club.jsonl")
    assert outcome.exit_code == 0, outcome.output
    assert "not in this database" not in outcome.output
    other = next(one.id for one in store.clubs() if one.id != club_id)
    assert run("club", "export", other).stdout_bytes == log
    tables = {
        run("club", "export", one, "--format", "csv").stdout_bytes for one in (club_id, other)
    }
    assert len(tables) == 1
    assert run("club", "import", "-", given=b"{}").exit_code == 2


def test_house_rules_go_with_the_log_of_a_club(store: Store, club_id: str) -> None:
    """Also those of a game that is not here, by the log of another program."""
    rules = {"name": "Fridays", "game": "knock", "options": {}}
    elsewhere = {**rules, "game": "bridge", "options": {"vulnerable": ["both"]}}
    clubs = Clubs(Service(store))
    asked = AppendRequest(store.position(club_id).version, (NewEvent("house_kept", rules),))
    clubs.record(club_id, asked, Holder("host"))
    sealed = run("club", "export", club_id).stdout_bytes
    events = [*((one.type, one.data) for one in LogFile(io.BytesIO(sealed))),
              ("house_kept", elsewhere)]  # fmt: skip
    by_hand = b"".join(
        json.dumps({"type": kind, "data": data}).encode() + b"\n" for kind, data in events
    )
    for log, kept in ((sealed, [rules]), (by_hand, [rules, elsewhere])):
        before = {one.id for one in store.clubs()}
        outcome = run("club", "import", "-", given=log)
        assert outcome.exit_code == 0, outcome.output
        (made,) = {one.id for one in store.clubs()} - before
        found = clubs.roll(made, lambda roll: list(roll.houses.values()))
        assert [{"name": one.name, "game": one.game, "options": one.options}
                for one in found] == kept  # fmt: skip
        exported = LogFile(io.BytesIO(run("club", "export", made).stdout_bytes))
        assert [one.data for one in exported if one.type == "house_kept"] == kept


def test_evenings_that_are_elsewhere_are_told(store: Store) -> None:
    opened = {"type": "club_opened", "data": {"name": "Circolo", "format": 1}}
    entered = {"type": "evening_entered", "data": {"session": "23456789abcd", "players": {}}}
    log = "".join(json.dumps(one) + "\n" for one in (opened, entered)).encode()
    outcome = run("club", "import", "-", given=log)
    assert "1 of its evenings are not in this database" in outcome.output


def test_a_club_that_cannot_be_used_is_not_restored(store: Store, club_id: str) -> None:
    opened: New = ("club_opened", {"format": 1, "name": "x"})
    events: list[New] = [opened, ("member_left", {"member": "leo"})]
    bad = store.open_club(events, "keeper").id
    assert run("backup", "all.zip", "--bundle").exit_code == 0
    Path("var/scorekeeper.db").unlink()
    outcome = run("restore", "all.zip")
    assert outcome.exit_code == 2
    assert f"club {bad}, event 2: the log cannot be used: expected a member" in outcome.output


@pytest.mark.parametrize("bundle", [(), ("--bundle",)])
def test_a_backup_holds_the_clubs(store: Store, club_id: str, bundle: tuple[str, ...]) -> None:
    clubs, asked = Clubs(Service(store)), AppendRequest(store.position(club_id).version, (NOTE,),
                                                        key="once", digest=bytes(32))  # fmt: skip
    first = clubs.record(club_id, asked, Holder("host"))
    store.add_key(club_id, Wish("seat", "mara"))
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
        assert Clubs(Service(back)).record(club_id, asked, Holder("host")) == first
        assert back.export(club_id) == log

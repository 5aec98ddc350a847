"""``export --all``: the hands of all sessions in one table, read back by other readers.

Tests of ``exports.hands``, and of how logs and folders are named, in ``cli.log_files``.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from scorekeeper.cli import every
from scorekeeper.languages.reader import PROGRAM
from scorekeeper.report.report import report as report_of
from scorekeeper.session.session import Session
from scorekeeper.store import Store
from tests.cli.asking import run, terminal
from tests.exports.samples import EVENINGS, NAMES, log_of, riparto

pytestmark = pytest.mark.usefixtures("here")

HEAD = ["date", "session", "title", "match", "game", "hand"]


def table(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_every_hand_of_a_folder_has_one_row_with_what_the_report_has() -> None:
    folder = Path("logs")
    folder.mkdir()
    wanted = []
    for path in EVENINGS:
        (folder / f"{path.parent.name}.jsonl").write_bytes(path.read_bytes())
    for name in sorted(path.parent.name for path in EVENINGS):
        with (folder / f"{name}.jsonl").open("rb") as log:
            report = report_of(Session.read(log))
        wanted += [(name, match, hand) for match in report["matches"] for hand in match["hands"]]
    outcome = run("export", "--all", "logs", "--format", "csv")
    assert outcome.exit_code == 0
    rows = table(outcome.stdout_bytes)
    assert list(rows[0])[:6] == HEAD
    for row, (name, match, hand) in zip(rows, wanted, strict=True):
        assert (row["session"], row["hand"], row["date"]) == (name, str(hand["hand"]), "")
        scores = [row[f"score_{n}"] for n in range(1, len(match["sides"]) + 1)]
        complete = hand["status"] == "complete"
        assert scores == [str(one) if complete else "" for one in hand["scores"].values()]


def test_the_whole_database_is_in_it(store: Store) -> None:
    for title, at in (("One", "2026-11-20T23:30:00.000Z"), ("Two", "2026-11-27T20:00:00.000Z")):
        store.import_sealed(log_of(riparto(2, title=title), at).splitlines(keepends=True))
    rome = ("--zone", "Europe/Rome", "--separator", ";")
    outcome = run("export", "--all", "--format", "csv", *rome)
    assert outcome.exit_code == 0
    told = [(row["title"], row["date"], row["hand"]) for row in table(outcome.stdout_bytes, ";")]
    assert told == [
        ("One", "2026-11-21", "1"), ("One", "2026-11-21", "2"),
        ("Two", "2026-11-27", "1"), ("Two", "2026-11-27", "2"),
    ]  # fmt: skip
    assert run("export", "--all", "--format", "xlsx", "-o", "all.xlsx").exit_code == 0
    (page,) = load_workbook("all.xlsx")
    rows = list(page.iter_rows(values_only=True))
    assert rows[0][:3] == ("Date", "Session", "Title")
    assert [row[2] for row in rows[1:]] == ["One", "One", "Two", "Two"]
    italian = run("export", "--all", "--format", "xlsx", "--language", "it").stdout_bytes
    (page,) = load_workbook(io.BytesIO(italian))
    assert page.title == "Mani"


def test_a_bar_goes_on_with_each_log_where_they_are_long_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of many short ones there was a bar, and of few that took a minute there was none."""
    for number in range(12):
        Path(f"{number}.jsonl").write_bytes(log_of(riparto(1)))
    logs = sorted(Path().glob("*.jsonl"))
    shown = terminal(monkeypatch)
    table, _exit_code = every.all_hands(logs, "csv", PROGRAM)
    assert shown.getvalue() == "", "of short logs"
    monkeypatch.setattr(every, "WITH_PROGRESS", 12)
    assert every.all_hands(logs, "csv", PROGRAM) == (table, 0)
    assert "Reading" in shown.getvalue()
    assert "100%" in shown.getvalue()


def test_a_bar_is_as_long_as_the_sessions_of_the_database(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.import_sealed(log_of(riparto(2)).splitlines(keepends=True))
    shown = terminal(monkeypatch)
    monkeypatch.setattr(every, "WITH_PROGRESS", 9)
    every.all_hands((), "csv", PROGRAM)
    assert shown.getvalue() == "", "of 8 events"
    monkeypatch.setattr(every, "WITH_PROGRESS", 8)
    every.all_hands((), "csv", PROGRAM)
    assert "100%" in shown.getvalue()


def test_a_log_that_cannot_be_used_is_told_and_the_others_are_there() -> None:
    Path("good.jsonl").write_bytes(log_of(riparto(1)))
    Path("bad.jsonl").write_bytes(log_of(riparto(1)).replace(b"riparto", b"bridge"))
    outcome = run("export", "--all", "bad.jsonl", "gone.jsonl", "good.jsonl", "--format", "csv")
    assert outcome.exit_code == 1
    assert [row["session"] for row in table(outcome.stdout_bytes)] == ["good"]
    assert [line.split(":")[0] for line in outcome.stderr.splitlines()] == [
        "bad.jsonl", "gone.jsonl",
    ]  # fmt: skip


def test_nothing_is_a_table_too(store: Store) -> None:
    outcome = run("export", "--all", "--format", "csv")
    assert (outcome.exit_code, table(outcome.stdout_bytes)) == (0, [])
    assert outcome.stdout_bytes.startswith(b"\xef\xbb\xbfdate,session,title")


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_a_formula(name: str) -> None:
    Path("log.jsonl").write_bytes(log_of(riparto(1, name, "Leo", "Nina", title=name)))
    (row,) = table(run("export", "--all", "log.jsonl", "--format", "csv").stdout_bytes)
    cells = (row["title"], row["dealer"], row["side_1"])
    assert not any(cell.startswith(("=", "+", "@", "-")) for cell in cells if cell != "-1")


@pytest.mark.parametrize(
    "args",
    [("--all",), ("--all", "--format", "pdf"), (), ("a", "b"), ("a", "--format", "csv")],
)
def test_what_is_asked_for_has_to_be_clear(store: Store, args: tuple[str, ...]) -> None:
    outcome = run("export", *args)
    assert outcome.exit_code == 2
    assert "--all" in outcome.output


def test_the_rows_are_those_of_the_log_however_it_was_recorded() -> None:
    """By hand and sealed: only the dates are known of one alone."""
    events = riparto(3)
    lines = (json.dumps({"type": one["type"], "data": one["data"]}) for one in events)
    Path("by-hand.jsonl").write_text("\n".join(lines))
    Path("sealed.jsonl").write_bytes(log_of(events))
    outcome = run("export", "--all", "by-hand.jsonl", "sealed.jsonl", "--format", "csv")
    rows = table(outcome.stdout_bytes)
    bare = [{k: v for k, v in row.items() if k not in {"date", "session"}} for row in rows]
    assert bare[:3] == bare[3:]
    assert [bool(row["date"]) for row in rows] == [False] * 3 + [True] * 3

"""``export --all``: the hands of all sessions in one table, read back by other libraries.

Tests of ``exports.hands``, and of the paths of logs and folders in ``cli.log_files``.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from scorekeeper.cli import export_all
from scorekeeper.languages.reader import PROGRAM
from scorekeeper.session.session import Session
from scorekeeper.store import Store
from tests.cli.asking import run, terminal
from tests.evenings import build_report
from tests.exports.samples import EVENINGS, NAMES, log_of, riparto

pytestmark = pytest.mark.usefixtures("empty_folder")

HEAD = ["date", "session", "title", "match", "game", "hand"]


def table(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_every_hand_of_a_folder_has_one_row_with_the_scores_of_the_report() -> None:
    folder = Path("logs")
    folder.mkdir()
    wanted = []
    for path in EVENINGS:
        (folder / f"{path.parent.name}.jsonl").write_bytes(path.read_bytes())
    for name in sorted(path.parent.name for path in EVENINGS):
        with (folder / f"{name}.jsonl").open("rb") as log:
            report = build_report(Session.read(log))
        wanted += [(name, match, hand) for match in report["matches"] for hand in match["hands"]]
    outcome = run("export", "--all", "logs", "--format", "csv")
    assert outcome.exit_code == 0
    rows = table(outcome.stdout_bytes)
    assert list(rows[0])[:6] == HEAD
    for row, (name, match, hand) in zip(rows, wanted, strict=True):
        assert (row["session"], row["hand"], row["date"]) == (name, str(hand["hand"]), "")
        scores = [row[f"score_{n}"] for n in range(1, len(match["sides"]) + 1)]
        complete = hand["status"] == "complete"
        assert scores == [str(score) if complete else "" for score in hand["scores"].values()]


def test_table_has_all_sessions_of_the_database(store: Store) -> None:
    for title, at in (("One", "2026-11-20T23:30:00.000Z"), ("Two", "2026-11-27T20:00:00.000Z")):
        store.import_sealed(log_of(riparto(2, title=title), at).splitlines(keepends=True))
    rome = ("--zone", "Europe/Rome", "--separator", ";")
    outcome = run("export", "--all", "--format", "csv", *rome)
    assert outcome.exit_code == 0
    cells = [(row["title"], row["date"], row["hand"]) for row in table(outcome.stdout_bytes, ";")]
    assert cells == [
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


def test_progress_bar_depends_on_the_events_of_all_logs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of logs does not matter: a few long ones can take a minute."""
    for number in range(12):
        Path(f"{number}.jsonl").write_bytes(log_of(riparto(1)))
    logs = sorted(Path().glob("*.jsonl"))
    stderr = terminal(monkeypatch)
    table, _exit_code = export_all.all_hands(logs, "csv", PROGRAM)
    assert stderr.getvalue() == "", "of short logs"
    monkeypatch.setattr(export_all, "PROGRESS_BAR_MIN_EVENTS", 12)
    assert export_all.all_hands(logs, "csv", PROGRAM) == (table, 0)
    assert "Reading" in stderr.getvalue()
    assert "100%" in stderr.getvalue()


def test_progress_bar_counts_the_events_of_the_database(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.import_sealed(log_of(riparto(2)).splitlines(keepends=True))
    stderr = terminal(monkeypatch)
    monkeypatch.setattr(export_all, "PROGRESS_BAR_MIN_EVENTS", 9)
    export_all.all_hands((), "csv", PROGRAM)
    assert stderr.getvalue() == "", "of 8 events"
    monkeypatch.setattr(export_all, "PROGRESS_BAR_MIN_EVENTS", 8)
    export_all.all_hands((), "csv", PROGRAM)
    assert "100%" in stderr.getvalue()


def test_unusable_logs_are_reported_and_left_out() -> None:
    Path("good.jsonl").write_bytes(log_of(riparto(1)))
    Path("bad.jsonl").write_bytes(log_of(riparto(1)).replace(b"riparto", b"bridge"))
    outcome = run("export", "--all", "bad.jsonl", "gone.jsonl", "good.jsonl", "--format", "csv")
    assert outcome.exit_code == 1
    assert [row["session"] for row in table(outcome.stdout_bytes)] == ["good"]
    assert [line.split(":")[0] for line in outcome.stderr.splitlines()] == [
        "bad.jsonl", "gone.jsonl",
    ]  # fmt: skip


def test_empty_database_gives_an_empty_table(store: Store) -> None:
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
def test_ambiguous_arguments_are_refused(store: Store, args: tuple[str, ...]) -> None:
    outcome = run("export", *args)
    assert outcome.exit_code == 2
    assert "--all" in outcome.output


def test_rows_of_sealed_and_handwritten_logs_are_equal() -> None:
    """Only the date is known from the sealed log alone."""
    events = riparto(3)
    lines = (json.dumps({"type": raw["type"], "data": raw["data"]}) for raw in events)
    Path("by-hand.jsonl").write_text("\n".join(lines))
    Path("sealed.jsonl").write_bytes(log_of(events))
    outcome = run("export", "--all", "by-hand.jsonl", "sealed.jsonl", "--format", "csv")
    rows = table(outcome.stdout_bytes)
    without_dates = [{k: v for k, v in row.items() if k not in {"date", "session"}} for row in rows]
    assert without_dates[:3] == without_dates[3:]
    assert [bool(row["date"]) for row in rows] == [False] * 3 + [True] * 3

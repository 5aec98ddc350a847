"""``bundle.zip``: all files of a session, reproducible, with a program that verifies the log."""

import json
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from scorekeeper.exports import csv
from scorekeeper.exports.bundle import VERIFIER, make_archive, make_readme
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import make_workbook
from scorekeeper.session.session import Session
from tests.evenings import build_report
from tests.exports.samples import EVENINGS, NAMES, evening_of, events_of, log_of, riparto

FILES: Final = {
    "README.txt", "log.jsonl", "results.csv", "lines.csv", "payments.csv", "report.json",
    "results.xlsx", "sheet.pdf", "verify.py",
}  # fmt: skip


def unzip(data: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_archive_has_all_files(path: Path) -> None:
    events = events_of(path)
    evening, log = evening_of(events), log_of(events)
    files = unzip(make_archive(evening, log))
    assert set(files) == FILES
    assert files["log.jsonl"] == log
    assert json.loads(files["report.json"]) == build_report(Session.read(BytesIO(log)))
    assert files["results.csv"] == csv.results_csv(evening)
    assert files["lines.csv"] == csv.lines_csv(evening)
    assert files["verify.py"] == VERIFIER


def test_workbook_and_sheet_equal_those_exported_alone() -> None:
    evening = evening_of(riparto(2))
    files = unzip(make_archive(evening, b""))
    assert files["results.xlsx"] == make_workbook(evening)
    assert files["sheet.pdf"] == score_sheet(evening)


def run_readme(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command that README.txt names."""
    text = (folder / "README.txt").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("    python3 "))
    command = [sys.executable, *line.split()[1:]]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_command_of_the_readme_verifies_the_log(tmp_path: Path) -> None:
    events = riparto(3)
    for name, data in unzip(make_archive(evening_of(events), log_of(events))).items():
        (tmp_path / name).write_bytes(data)
    whole = run_readme(tmp_path)
    assert (whole.returncode, whole.stdout[:7]) == (0, "intact:")
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert run_readme(tmp_path).returncode == 1


def test_the_readme_names_every_file() -> None:
    files = unzip(make_archive(evening_of(riparto(1)), b""))
    lines = files["README.txt"].decode("utf-8").splitlines()
    assert {line.split()[0] for line in lines if line and line.split()[0] in FILES} == FILES


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_the_readme(name: str) -> None:
    evening = evening_of(riparto(1, name, "Leo", "Nina", title=name))
    lines = make_readme(evening).splitlines()
    assert lines[0] == evening.about.title
    assert lines[2] == f"{evening.players[0]}, Leo, Nina"


@pytest.mark.parametrize(
    ("at", "year"),
    [("0001-01-01T00:00:00.000Z", 1980), ("2026-11-21T20:14:03.250Z", 2026),
     ("9999-12-31T23:59:59.999Z", 2107)],
)  # fmt: skip
def test_times_are_limited_to_those_of_a_zip_archive(at: str, year: int) -> None:
    events = riparto(1)
    with zipfile.ZipFile(
        BytesIO(make_archive(evening_of(events, at), log_of(events, at)))
    ) as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {year}


def test_export_is_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    events = riparto(3)
    first = make_archive(evening_of(events), log_of(events))
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert make_archive(evening_of(events), log_of(events)) == first

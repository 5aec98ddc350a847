"""The report of a log does not depend on the hash seed, the time zone or the language."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import SOAK
from tests.evenings import a_log, by_hand, golden_evenings, golden_logs

SURROUNDINGS = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4294967295", "TZ": "Pacific/Kiritimati", "LC_ALL": "POSIX"},
]
if SOAK:
    SURROUNDINGS += [
        {"PYTHONHASHSEED": str(seed), "TZ": zone, "LC_ALL": language}
        for seed in range(5)
        for zone in ("UTC", "Europe/Rome", "Asia/Kathmandu", "America/St_Johns")
        for language in ("C", "C.UTF-8", "POSIX")
    ]

REPORTED = """
import json, sys
from scorekeeper.base.views import to_json_values
from scorekeeper.log.reading import verify
from scorekeeper.log.writing import sealed_lines
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session

out = sys.stdout.buffer
for name in sys.argv[1:]:
    with open(name, "rb") as stream:
        session = Session.read(stream)
    out.write(json.dumps(to_json_values(view_report(session))).encode() + b"\\n")
    entries = session.corrections.recorded.values()
    pairs = [(e.event.TYPE, {"text": str(e.event)}) for e in entries]
    out.writelines(sealed_lines(pairs, at="2026-11-21T20:14:03.250Z"))
"""


def reported(logs: list[Path], surroundings: dict[str, str]) -> str:
    """Return the digest of the reports of logs by a process in these surroundings."""
    done = subprocess.run(
        [sys.executable, "-c", REPORTED, *map(str, logs)],
        check=True,
        capture_output=True,
        env={**os.environ, **surroundings},
    )
    assert done.stdout
    return hashlib.sha256(done.stdout).hexdigest()


def test_the_report_is_the_same_in_all_surroundings(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(by_hand(a_log()))
    logs = [log, *(golden_logs() if SOAK else {*golden_evenings(), *golden_logs()[::16]})]
    assert len({reported(logs, surroundings) for surroundings in SURROUNDINGS}) == 1

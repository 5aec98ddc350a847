"""Faulty installed games harm neither a real server nor its helper.

Tests of ``answers.helper`` and ``answers.helper_process`` with code from outside the project.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.answers.helper import Helper
from scorekeeper.answers.helper_process import Job
from scorekeeper.answers.jobs import score_log
from scorekeeper.base.errors import NotInstalledError, OverBudgetError
from tests.api.asking import hand, match, session_body
from tests.evenings import Raw, event, opening
from tests.faulty_game import install
from tests.operation.serving import CHECKOUT, UNREADY, Answer, Server, serving

SEATS = ["mara", "leo", "nina"]
FAULTY = event("match_started", game="faulty", seats=SEATS)
MAX_BYTES = 1 << 20


def log_of(match_started: Raw) -> bytes:
    events = (opening(*SEATS), match_started, *hand())
    return "".join(json.dumps(event) + "\n" for event in events).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(install(tmp_path / "installed")))
    return tmp_path


@pytest.fixture
def helper(folder: Path) -> Iterator[Helper]:
    helper = Helper()
    yield helper
    helper._kill()


@pytest.mark.parametrize(
    ("kind", "raised"),
    [
        ("busy", OverBudgetError),
        pytest.param("endless", OverBudgetError, marks=pytest.mark.soak),
        ("hungry", OverBudgetError),
        ("interrupt", NotInstalledError),
        pytest.param("exit", NotInstalledError, marks=pytest.mark.soak),
        pytest.param("evil", NotInstalledError, marks=pytest.mark.soak),
    ],
)
def test_helper_answers_the_next_job_after_a_faulty_game(
    helper: Helper, monkeypatch: pytest.MonkeyPatch, kind: str, raised: type[Exception]
) -> None:
    monkeypatch.setenv("FAULT", f"score {kind}")
    seconds = 0.5 if raised is OverBudgetError else 60
    with pytest.raises(raised):
        helper.run(Job(score_log, (log_of(FAULTY), MAX_BYTES), seconds, 256 << 20), lambda: True)
    report = helper.run(Job(score_log, (log_of(match()), MAX_BYTES), 60, 256 << 20), lambda: True)
    assert json.loads(report)["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}


def append(server: Server, path: str, key: str, *events: Raw, version: int = 1) -> Answer:
    return server.get(
        path, "POST", json.dumps({"events": events}), Authorization=f"Bearer {key}",
        Content_Type="application/json", If_Match=f'"{version}"',
    )  # fmt: skip


def open_session(server: Server) -> Any:
    body = json.dumps(session_body(*SEATS))
    return server.get("/api/sessions", "POST", body, Content_Type="application/json").json


@pytest.mark.parametrize("kind", ["exit", pytest.param("interrupt", marks=pytest.mark.soak)])
def test_server_continues_whatever_a_game_raises(folder: Path, kind: str) -> None:
    python_path = os.pathsep.join((str(CHECKOUT), os.environ["PYTHONPATH"]))
    command = ("env", f"PYTHONPATH={python_path}", f"FAULT=score {kind}", *UNREADY)
    with serving(folder, command=command) as server:
        faulty, good = open_session(server), open_session(server)
        path = f"/api/sessions/{faulty['id']}/events"
        started = append(server, path, faulty["keys"]["host"], FAULTY, *hand()[:2])
        assert started.status == 201, started.body
        for _ in range(3):
            refused = append(server, path, faulty["keys"]["host"], hand()[2], version=4)
            assert (refused.status, refused.json["code"]) == (422, "unusable")
            assert 'the game "faulty" failed' in refused.json["detail"]
        post = {"Content_Type": "application/x-ndjson"}
        assert server.get("/api/score", "POST", log_of(FAULTY), **post).status == 422
        assert server.get("/api/score", "POST", log_of(match()), **post).status == 200
        path = f"/api/sessions/{good['id']}/events"
        assert append(server, path, good["keys"]["host"], match(), *hand()[:1]).status == 201
        logged = server.logged.read_text()
    assert logged.count("Booting worker") <= 1
    assert "Exception in ASGI" not in logged

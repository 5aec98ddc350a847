"""Installed games that do anything in a real server, or in its helper without end.

Tests of ``answers.helper`` and ``answers.helper_process`` with code that nobody here has read.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.answers.helper import Helper
from scorekeeper.answers.helper_process import Job
from scorekeeper.answers.jobs import scored
from scorekeeper.base.errors import NotInstalled, OverBudget
from tests.api.asking import hand, match, session_body
from tests.evenings import Raw, event, opening
from tests.faulty_game import install
from tests.operation.serving import CHECKOUT, UNREADY, Answer, Server, serving

SEATS = ["mara", "leo", "nina"]
FAULTY = event("match_started", game="faulty", seats=SEATS)
LARGEST = 1 << 20


def log_of(started: Raw) -> bytes:
    lines = (opening(*SEATS), started, *hand())
    return "".join(json.dumps(one) + "\n" for one in lines).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(install(tmp_path / "installed")))
    return tmp_path


@pytest.fixture
def helper(folder: Path) -> Iterator[Helper]:
    made = Helper()
    yield made
    made._end()


@pytest.mark.parametrize(
    ("kind", "raised"),
    [
        ("busy", OverBudget),
        pytest.param("endless", OverBudget, marks=pytest.mark.soak),
        ("hungry", OverBudget),
        ("interrupt", NotInstalled),
        pytest.param("exit", NotInstalled, marks=pytest.mark.soak),
        pytest.param("evil", NotInstalled, marks=pytest.mark.soak),
    ],
)
def test_whatever_a_game_does_in_the_helper_others_are_answered_next(
    helper: Helper, monkeypatch: pytest.MonkeyPatch, kind: str, raised: type[Exception]
) -> None:
    monkeypatch.setenv("FAULT", f"score {kind}")
    seconds = 0.5 if raised is OverBudget else 60
    with pytest.raises(raised):
        helper.work(Job(scored, (log_of(FAULTY), LARGEST), seconds, 256 << 20), lambda: True)
    made = helper.work(Job(scored, (log_of(match()), LARGEST), 60, 256 << 20), lambda: True)
    assert json.loads(made)["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}


def asked(server: Server, path: str, key: str, *events: Raw, at: int = 1) -> Answer:
    return server.get(
        path, "POST", json.dumps({"events": events}), Authorization=f"Bearer {key}",
        Content_Type="application/json", If_Match=f'"{at}"',
    )  # fmt: skip


def opened(server: Server) -> Any:
    body = json.dumps(session_body(*SEATS))
    return server.get("/api/sessions", "POST", body, Content_Type="application/json").json


@pytest.mark.parametrize("kind", ["exit", pytest.param("interrupt", marks=pytest.mark.soak)])
def test_a_server_goes_on_whatever_a_game_raises(folder: Path, kind: str) -> None:
    path = os.pathsep.join((str(CHECKOUT), os.environ["PYTHONPATH"]))
    command = ("env", f"PYTHONPATH={path}", f"FAULT=score {kind}", *UNREADY)
    with serving(folder, command=command) as server:
        faulty, good = opened(server), opened(server)
        there = f"/api/sessions/{faulty['id']}/events"
        begun = asked(server, there, faulty["keys"]["host"], FAULTY, *hand()[:2])
        assert begun.status == 201, begun.body
        for _ in range(3):
            refused = asked(server, there, faulty["keys"]["host"], hand()[2], at=4)
            assert (refused.status, refused.json["code"]) == (422, "unusable")
            assert 'the game "faulty" failed' in refused.json["detail"]
        post = {"Content_Type": "application/x-ndjson"}
        assert server.get("/api/score", "POST", log_of(FAULTY), **post).status == 422
        assert server.get("/api/score", "POST", log_of(match()), **post).status == 200
        there = f"/api/sessions/{good['id']}/events"
        assert asked(server, there, good["keys"]["host"], match(), *hand()[:1]).status == 201
        logged = server.logged.read_text()
    assert logged.count("Booting worker") <= 1
    assert "Exception in ASGI" not in logged

"""The hostile corpus is refused with a problem, stores nothing and leaves no memory in use."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.api import hostile
from tests.api.answers import complaints
from tests.api.asking import Table
from tests.conftest import SOAK

ITEMS = dict(hostile.items())
MOST_GROWTH = 50 << 10  # kilobytes


@pytest.fixture(scope="module")
def table() -> Table:
    return hostile.table()


def state(table: Table) -> Any:
    store = table.client.application.extensions["service"].store
    return [(session.id, session.version) for session in store.sessions()], len(
        store.keys(table.id)
    )


def fine(name: str, path: str, answer: Any) -> bool:
    """Return whether the answer accepts a text, or is a verdict that the body is no log."""
    of_a_text = name.partition(": ")[2] in hostile.FINE_AS_TEXT
    verdict = path == "/api/verify" and answer.status_code == 200 and not answer.get_json()["ok"]
    return of_a_text or verdict


def test_corpus_is_large_enough() -> None:
    assert len(ITEMS) >= 80
    assert len({item.body for item in ITEMS.values()}) >= 80


@pytest.mark.parametrize("name", ITEMS)
def test_hostile_request_is_refused_and_changes_nothing(table: Table, name: str) -> None:
    before = state(table)
    every = 1 if SOAK else 2
    for path, answer in hostile.sent(table, ITEMS[name], every, list(ITEMS).index(name) % every):
        if fine(name, path, answer):
            assert answer.status_code in (200, 201, 422), path
            continue
        assert 400 <= answer.status_code < 500, path
        assert answer.mimetype == "application/problem+json", path
        problem = answer.get_json()
        assert problem["detail"].isprintable()
        assert len(problem["detail"]) < 400
        template = path.replace(table.id, "{session}")
        assert complaints(table.client, template, answer) == []
    if name.partition(": ")[2] not in hostile.FINE_AS_TEXT:
        assert state(table) == before
    table.version = table.get("/events").get_json()["version"]


@pytest.mark.soak
def test_memory_does_not_grow() -> None:
    """The peak is limited, too, over the whole corpus."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.api.hostile"],
        cwd=Path(__file__).parents[2], capture_output=True, check=True, timeout=300,
    )  # fmt: skip
    decoded = json.loads(done.stdout.splitlines()[-1])
    assert decoded["answers"] > 500
    assert decoded["worst"] < 500
    assert decoded["kilobytes"] < MOST_GROWTH

"""``GET /api/sessions/{id}/witness``: a remembered head detects a cut or rewritten log."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.api.answers import NDJSON, complaints
from tests.api.asking import NO_KEY, Table, hand, match, problem_of
from tests.evenings import Raw, sealed, struck
from tests.players.common import evening
from tests.thinned import thinned

REWRITTEN = 50  # logs; most of them in the soak


def ask(table: Table, version: Any, head: str, who: str = "view") -> Any:
    """Return the answer about a remembered version and head."""
    answer = table.get(f"/witness?version={version}&head={head}", who)
    assert answer.status_code == 200, answer.text
    assert complaints(table.client, "/api/sessions/{session}/witness", answer, "get") == []
    assert answer.headers["ETag"] == table.tag(who, answer.get_json()["version"])
    return answer.get_json()


def heads(log: bytes) -> list[str]:
    """Return the head after each event."""
    return [json.loads(line)["hash"] for line in log.splitlines()]


def kept(client: FlaskClient, log: bytes) -> Table:
    """Import a log as a session."""
    answer = client.post("/api/sessions/import", data=log, content_type=NDJSON)
    assert answer.status_code == 201, answer.text
    return Table(client, answer.get_json())


def test_reader_learns_the_end_of_the_session(any_table: Table) -> None:
    recorded = any_table.do(match())
    report = any_table.report()["session"]
    stream = any_table.get("/events", "view").get_json()
    for version, head in (
        (recorded["version"], recorded["head"]), (report["events"], report["head"]),
        (stream["version"], stream["head"]),
    ):  # fmt: skip
        assert ask(any_table, version, head) == {"holds": True, "version": 2, "head": head}


def test_every_earlier_head_is_confirmed(any_table: Table) -> None:
    remembered = [(any_table.version, any_table.head)]
    for raw in (match(), *hand(), struck(4), *hand("leo")):
        any_table.do(raw, as_played=True)
        remembered.append((any_table.version, any_table.head))
    for who in ("host", "leo", "view"):
        for version, head in remembered:
            assert ask(any_table, version, head, who)["holds"]
    for (version, _), (_, other) in pairwise(remembered):
        assert not ask(any_table, version, other)["holds"]


@pytest.mark.parametrize("version", [0, 2, 9, 2**53 - 1])
def test_unknown_head_is_not_confirmed(any_table: Table, version: int) -> None:
    head = any_table.head
    expected = {"holds": False, "version": 1, "head": head}
    assert ask(any_table, version, head) == expected
    assert ask(any_table, 1, "ab" * 32) == expected


@pytest.mark.parametrize(
    "query",
    ["", "version=1", f"head={'ab' * 32}", "version=1&head=ab", f"version=-1&head={'ab' * 32}",
     f"version=x&head={'ab' * 32}", f"version=1&head={'AB' * 32}",
     f"version=1&head={'ab' * 32}&more=1", f"version={2**53}&head={'ab' * 32}"],
)  # fmt: skip
def test_incomplete_query_of_a_witness_is_refused(table: Table, query: str) -> None:
    answer = table.get(f"/witness?{query}")
    assert problem_of(answer) == (400, "malformed")
    assert "expected" in answer.get_json()["detail"] or "nknown" in answer.get_json()["detail"]


def test_witness_needs_a_key(table: Table) -> None:
    query = f"/witness?version=1&head={table.head}"
    assert problem_of(table.get(query, NO_KEY)) == (401, "no_key")


# ----------------------------------------------------------------------- rewritten and cut


def rewritten(rng: random.Random, events: list[Raw]) -> tuple[list[Raw], int]:
    """Return a usable log with one altered event, and the number of the first different event."""
    place = rng.randrange(2, len(events))
    anew = [dict(event) for event in events]
    note = {"type": "note_added", "data": {"text": "nothing happened"}}
    match rng.randrange(3):
        case 0:
            anew.insert(place, note)
        case 1:
            anew[0] = {**anew[0], "data": {**anew[0]["data"], "title": "Saturday"}}
            place = 0
        case _:
            del anew[place:]
            anew.append(note)
    return anew, place


@pytest.mark.parametrize("seed", thinned(range(REWRITTEN), 4))
def test_rewritten_log_is_detected_by_every_later_head(on_memory: FlaskClient, seed: int) -> None:
    """With new hashes it is whole, but phones remember another history."""
    rng = random.Random(seed)  # noqa: S311
    events = evening(rng, rng.choice(list(GAMES)), "totals", hands=2).events
    remembered = heads(sealed(events))
    anew, changed = rewritten(rng, events)
    log = sealed(anew)
    table = kept(on_memory, log)
    verdict = on_memory.post("/api/verify", data=log, content_type=NDJSON).get_json()
    assert verdict["ok"], "the chain alone cannot show it"
    for version, head in enumerate(remembered, start=1):
        assert ask(table, version, head)["holds"] == (version <= changed)


def test_cut_log_is_detected_by_every_head_of_its_tail(on_memory: FlaskClient) -> None:
    rng = random.Random(7)  # noqa: S311
    log = sealed(evening(rng, "riparto", "totals", hands=2).events)
    lines = log.splitlines(keepends=True)
    table = kept(on_memory, b"".join(lines[:5]))
    held = [ask(table, n, head)["holds"] for n, head in enumerate(heads(log), start=1)]
    assert held == [True] * 5 + [False] * (len(lines) - 5)

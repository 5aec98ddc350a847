"""What clients are told, and whether an answer that was kept is one of those.

Tests of ``service.responses``.
"""

import json
from typing import Any

import pytest

from scorekeeper.service.responses import fits, recorded
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Repeated, sealed
from scorekeeper.store.contract import Position
from tests.evenings import AT, event, opening

NOTE = event("note_added", text="Coffee.")
EVENTS = [(one["type"], one["data"]) for one in (opening("mara", "leo"), NOTE, NOTE)]
LINES = sealed(Position(0, ""), EVENTS, AT, "keeper")


def changed(**more: Any) -> Answer:
    """What was answered as the last two came, with something said otherwise."""
    answer = recorded(Session(), LINES[1:], [])
    return Answer(answer.status, json.dumps({**json.loads(answer.body), **more}).encode())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_answer_fits_the_events_that_it_is_of_and_no_others(count: int) -> None:
    answer = recorded(Session(), LINES[-count:], [])
    assert fits(Repeated(3, answer), LINES)
    assert not fits(Repeated(2, answer), LINES)
    longer = [*LINES, *sealed(Position(3, LINES[-1].hash), EVENTS[1:], AT, "keeper")]
    assert fits(Repeated(3, answer), longer)
    assert not fits(Repeated(4, answer), longer)


def test_what_lies_face_down_in_an_answer_fits() -> None:
    dark = [{**json.loads(one.line), "data": None} for one in LINES[1:]]
    assert fits(Repeated(3, changed(events=dark)), LINES)
    assert fits(Repeated(3, changed(findings=[{"code": "revoke"}])), LINES)


@pytest.mark.parametrize(
    "more",
    [
        {"version": 2},
        {"head": LINES[1].hash},
        {"events": []},
        {"events": [json.loads(LINES[1].line)]},
        {"events": [json.loads(one.line) for one in (*LINES, *LINES)]},
        {"events": [{**json.loads(one.line), "data": {"text": "Tea."}} for one in LINES[1:]]},
        {"findings": [{"code": 1}]},
        {"findings": None},
        {"more": 1},
    ],
)
def test_an_answer_that_was_never_given_does_not_fit(more: dict[str, Any]) -> None:
    assert not fits(Repeated(3, changed(**more)), LINES)


def test_an_answer_of_another_status_or_that_cannot_be_read_does_not_fit() -> None:
    answer = changed()
    assert fits(Repeated(3, answer), LINES)
    assert not fits(Repeated(3, Answer(200, answer.body)), LINES)
    assert not fits(Repeated(3, Answer(answer.status, answer.body[:-1])), LINES)

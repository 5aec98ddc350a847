"""What clients are told, and whether an answer that was kept is one of those."""

import json
from typing import Any

import pytest

from scorekeeper.base.language import Language, speaking
from scorekeeper.events.playing import PointsCounted, TrickTaken
from scorekeeper.play.prompts import Counts, Prompt
from scorekeeper.play.scoring import Finding, Text
from scorekeeper.service.responses import append_answer, events, matches_log, prompt_values
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Repeated, sealed
from scorekeeper.store.contract import Position
from tests.evenings import AT, event, opening

NOTE = event("note_added", text="Coffee.")
EVENTS = [(one["type"], one["data"]) for one in (opening("mara", "leo"), NOTE, NOTE)]
LINES = sealed(Position(0, ""), EVENTS, AT, "keeper")


def changed(**more: Any) -> Answer:
    """What was answered as the last two came, with something said otherwise."""
    answer = append_answer(Session(), LINES[1:], [])
    return Answer(answer.status, json.dumps({**json.loads(answer.body), **more}).encode())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_answer_fits_the_events_that_it_is_of_and_no_others(count: int) -> None:
    answer = append_answer(Session(), LINES[-count:], [])
    assert matches_log(Repeated(3, answer), LINES)
    assert not matches_log(Repeated(2, answer), LINES)
    longer = [*LINES, *sealed(Position(3, LINES[-1].hash), EVENTS[1:], AT, "keeper")]
    assert matches_log(Repeated(3, answer), longer)
    assert not matches_log(Repeated(4, answer), longer)


def test_what_lies_face_down_in_an_answer_fits() -> None:
    dark = [{**json.loads(one.line), "data": None} for one in LINES[1:]]
    assert matches_log(Repeated(3, changed(events=dark)), LINES)
    assert matches_log(Repeated(3, changed(findings=[{"code": "revoke"}])), LINES)


@pytest.mark.parametrize(
    "more",
    [
        {"version": 2},
        {"head": LINES[1].hash},
        {"events": []},
        {"events": [json.loads(LINES[1].line)]},
        {"events": [json.loads(one.line) for one in (*LINES, *LINES)]},
        {"events": [{**json.loads(one.line), "data": {"text": "Tea."}} for one in LINES[1:]]},
        {"events": [json.loads(LINES[1].line), {**json.loads(LINES[2].line), "type": "tea"}]},
        {"findings": [{"code": 1}]},
        {"findings": None},
        {"more": 1},
    ],
)
def test_an_answer_that_was_never_given_does_not_fit(more: dict[str, Any]) -> None:
    assert not matches_log(Repeated(3, changed(**more)), LINES)


def test_an_answer_of_another_status_or_that_cannot_be_read_does_not_fit() -> None:
    answer = changed()
    assert matches_log(Repeated(3, answer), LINES)
    assert not matches_log(Repeated(3, Answer(200, answer.body)), LINES)
    assert not matches_log(Repeated(3, Answer(answer.status, answer.body[:-1])), LINES)


# ------------------------------------------------------------------------------- what is told

FOUND = Finding("revoke", "R7", Text("{player} revoked", player="Leo"), (4, 5))


def answer(found: tuple[Finding, ...] = ()) -> Answer:
    """What is told of the last two events."""
    return append_answer(Session(), LINES[1:], found)


def test_who_recorded_is_told_where_the_stream_ends_what_is_stored_and_what_is_wrong() -> None:
    told = json.loads(answer((FOUND,)).body)
    assert answer().status == 201
    assert (told["version"], told["head"]) == (LINES[-1].seq, LINES[-1].hash)
    assert told["events"] == [json.loads(one.line) for one in LINES[1:]]
    (finding,) = told["findings"]
    assert (finding["code"], finding["message"], finding["events"]) == (
        "revoke", "Leo revoked", [4, 5],
    )  # fmt: skip


def test_stored_lines_keep_their_own_bytes() -> None:
    assert events([]) == b"[]"
    assert events([b'{"b":1,"a":2}', b"{}"]) == b'[{"b":1,"a":2},{}]'


def test_a_prompt_is_told_with_the_whole_data_of_each_choice() -> None:
    choices = (TrickTaken("leo"), TrickTaken("mara", 2))
    assert prompt_values(Prompt(choices, ("tricks",))) == {
        "type": "trick_taken", "player": None, "levels": ["tricks"],
        "choices": [{"player": "leo"}, {"player": "mara", "trick": 2}],
    }  # fmt: skip


def test_counts_that_are_too_many_are_told_by_their_bounds() -> None:
    counts = Counts("points", ("A", "B"), (100, 101), {"A": 0, "B": 5}, {"A": 95, "B": 101})
    told = prompt_values(Prompt((PointsCounted({"A": 50, "B": 50}),), counts=counts))
    assert told["counts"] == {
        "field": "points", "sides": ["A", "B"], "totals": [100, 101],
        "least": {"A": 0, "B": 5}, "most": {"A": 95, "B": 101},
    }  # fmt: skip


class Loud(Language):
    """Another language."""

    def say(self, text: str) -> str:
        return text.upper()


def test_an_answer_is_in_english_whoever_asked() -> None:
    with speaking(Loud()):
        assert b"Leo revoked" in answer((FOUND,)).body

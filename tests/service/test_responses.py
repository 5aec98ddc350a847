"""Answers to appends, and the check of stored answers. Tests of ``service.responses``."""

import json
from typing import Any

import pytest

from scorekeeper.base.language import Language, speaking
from scorekeeper.base.views import to_json_values
from scorekeeper.events.playing import PointsCounted, TrickTaken
from scorekeeper.play.prompts import Counts, Prompt
from scorekeeper.play.scoring import Finding, Text
from scorekeeper.service.responses import append_answer, events, matches_log, view_prompt
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Repeated, sealed
from scorekeeper.store.contract import Position
from tests.evenings import AT, event, opening

NOTE = event("note_added", text="Coffee.")
EVENTS = [(raw["type"], raw["data"]) for raw in (opening("mara", "leo"), NOTE, NOTE)]
LINES = sealed(Position(0, ""), EVENTS, AT, "keeper")


def changed(**more: Any) -> Answer:
    """Return the answer to the append of the last two events, with changed fields."""
    answer = append_answer(Session(), LINES[1:], [])
    return Answer(answer.status, json.dumps({**json.loads(answer.body), **more}).encode())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_answer_matches_only_its_own_events(count: int) -> None:
    answer = append_answer(Session(), LINES[-count:], [])
    assert matches_log(Repeated(3, answer), LINES)
    assert not matches_log(Repeated(2, answer), LINES)
    longer = [*LINES, *sealed(Position(3, LINES[-1].hash), EVENTS[1:], AT, "keeper")]
    assert matches_log(Repeated(3, answer), longer)
    assert not matches_log(Repeated(4, answer), longer)


def test_answer_with_hidden_data_matches() -> None:
    dark = [{**json.loads(line.line), "data": None} for line in LINES[1:]]
    assert matches_log(Repeated(3, changed(events=dark)), LINES)
    assert matches_log(Repeated(3, changed(findings=[{"code": "revoke"}])), LINES)


@pytest.mark.parametrize(
    "more",
    [
        {"version": 2},
        {"head": LINES[1].hash},
        {"events": []},
        {"events": [json.loads(LINES[1].line)]},
        {"events": [json.loads(line.line) for line in (*LINES, *LINES)]},
        {"events": [{**json.loads(line.line), "data": {"text": "Tea."}} for line in LINES[1:]]},
        {"events": [json.loads(LINES[1].line), {**json.loads(LINES[2].line), "type": "tea"}]},
        {"findings": [{"code": 1}]},
        {"findings": None},
        {"more": 1},
    ],
)
def test_answer_that_was_never_sent_does_not_match(more: dict[str, Any]) -> None:
    assert not matches_log(Repeated(3, changed(**more)), LINES)


def test_answer_of_another_status_or_with_broken_json_does_not_match() -> None:
    answer = changed()
    assert matches_log(Repeated(3, answer), LINES)
    assert not matches_log(Repeated(3, Answer(200, answer.body)), LINES)
    assert not matches_log(Repeated(3, Answer(answer.status, answer.body[:-1])), LINES)


# --------------------------------------------------------------------------- what is sent

FOUND = Finding("revoke", "R7", Text("{player} revoked", player="Leo"), (4, 5))


def answer(findings: tuple[Finding, ...] = ()) -> Answer:
    """Return the answer to the append of the last two events."""
    return append_answer(Session(), LINES[1:], findings)


def test_answer_has_the_version_the_stored_events_and_findings() -> None:
    body = json.loads(answer((FOUND,)).body)
    assert answer().status == 201
    assert (body["version"], body["head"]) == (LINES[-1].seq, LINES[-1].hash)
    assert body["events"] == [json.loads(line.line) for line in LINES[1:]]
    (finding,) = body["findings"]
    assert (finding["code"], finding["message"], finding["events"]) == (
        "revoke", "Leo revoked", [4, 5],
    )  # fmt: skip


def test_stored_lines_keep_their_own_bytes() -> None:
    assert events([]) == b"[]"
    assert events([b'{"b":1,"a":2}', b"{}"]) == b'[{"b":1,"a":2},{}]'


def test_prompt_has_the_complete_data_of_each_choice() -> None:
    choices = (TrickTaken("leo"), TrickTaken("mara", 2))
    assert to_json_values(view_prompt(Prompt(choices, ("tricks",)))) == {
        "type": "trick_taken", "player": None, "levels": ["tricks"],
        "choices": [{"player": "leo"}, {"player": "mara", "trick": 2}],
    }  # fmt: skip


def test_too_many_possible_counts_are_sent_as_bounds() -> None:
    counts = Counts("points", ("A", "B"), (100, 101), {"A": 0, "B": 5}, {"A": 95, "B": 101})
    prompt = view_prompt(Prompt((PointsCounted({"A": 50, "B": 50}),), counts=counts))
    values = to_json_values(prompt)
    assert values["counts"] == {
        "field": "points", "sides": ["A", "B"], "totals": [100, 101],
        "least": {"A": 0, "B": 5}, "most": {"A": 95, "B": 101},
    }  # fmt: skip


class Loud(Language):
    """A language that returns texts in upper case."""

    def say(self, text: str) -> str:
        return text.upper()


def test_answer_is_in_english_for_every_client() -> None:
    with speaking(Loud()):
        assert b"Leo revoked" in answer((FOUND,)).body

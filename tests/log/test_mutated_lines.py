"""The JSON Schema of a log accepts every golden line, and refuses it after a change.

Only what a schema of one line can know is changed: not which players and events there are.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import CorrectionProposed
from scorekeeper.log.reading import LogFile
from scorekeeper.log.schema import log_schema
from tests.evenings import event, golden_logs
from tests.thinned import EACH_LOG

LINE = Draft202012Validator(log_schema())
NESTING = (EventReplaced.TYPE, EventInserted.TYPE)
FREE = ("options",)  # each option has a schema of its own, in the match of its game


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one line of a log for each type of event and set of its fields."""
    seen = set()
    with path.open("rb") as stream:
        for raw in LogFile(stream):
            shape = (raw.type, *raw.data)
            if shape not in seen:
                seen.add(shape)
                yield {"type": raw.type, "data": raw.data}


def mutants(line: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield changed lines that no reader accepts, each with the change."""
    yield "another type", {**line, "type": f"{line['type']}s"}
    yield "no type", {"data": line["data"]}
    yield "an unknown field", {**line, "data": {**line["data"], "unknown": 1}}
    yield "another member", {**line, "player": "mara"}
    yield "a part of a seal", {**line, "seq": 1}
    for name in line["data"].keys() - {*FREE}:
        yield f"{name} is a fraction", {**line, "data": {**line["data"], name: 0.5}}
    if line["type"] in NESTING:
        for change, inner in mutants({name: line["data"][name] for name in ("type", "data")}):
            if change not in ("another member", "a part of a seal"):
                rest = {name: value for name, value in line["data"].items() if name != "type"}
                yield f"within: {change}", {**line, "data": {**rest, **inner}}


@EACH_LOG
def test_mutated_golden_lines_do_not_fit(path: Path) -> None:
    for line in read(path):
        assert not list(LINE.iter_errors(line)), line
        for change, mutant in mutants(deepcopy(line)):
            assert not LINE.is_valid(mutant), (change, mutant)


@pytest.mark.parametrize("kind", [EventReplaced.TYPE, EventInserted.TYPE])
def test_corrected_event_has_to_fit_its_type(kind: str) -> None:
    place = {"seq": 3} if kind == EventReplaced.TYPE else {"after": 3}
    good = event("bid_made", player="mara", points=4)
    assert LINE.is_valid(event(kind, **place, **good))
    for bad in (event("bid_made", player="mara"), event("bid_made", player="mara", points="four"),
                event("bid_maid", player="mara", points=4)):  # fmt: skip
        assert not LINE.is_valid(event(kind, **place, **bad)), bad
        proposed = event(CorrectionProposed.TYPE, reason="r", corrections=[
            event(kind, **place, **bad)])  # fmt: skip
        assert not LINE.is_valid(proposed), bad


def test_there_are_corrections_among_the_golden_lines() -> None:
    types = {json.loads(line)["type"] for path in golden_logs()
             for line in path.read_text("utf-8").splitlines() if line.strip()}  # fmt: skip
    assert {*NESTING, CorrectionProposed.TYPE} <= types

"""A match is replayed for ever under the version of the rules that it was played under."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games import GAMES
from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Result
from scorekeeper.session.session import Session
from tests.evenings import build_report

OLD = GAMES["riparto"]


def twice_as_much(deal: Deal) -> Result:
    """The score of another edition of the rules."""
    result = OLD.score(deal)
    result.lines = tuple(line._replace(points=2 * line.points) for line in result.lines)
    return result


@pytest.fixture(autouse=True)
def newer_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = replace(OLD, version=2, score=twice_as_much)
    monkeypatch.setitem(GAMES._versions, "riparto", (OLD, newer))


def log(rules: int | None) -> bytes:
    started: dict[str, Any] = {"game": "riparto", "seats": ["mara", "leo", "nina"]}
    if rules is not None:
        started["rules"] = rules
    players = [{"id": seat, "name": seat.title()} for seat in started["seats"]]
    events = [
        {"type": "session_opened", "data": {"title": "Friday", "players": players}},
        {"type": "match_started", "data": started},
        {"type": "hand_started", "data": {"dealer": "mara"}},
        {"type": "bid_made", "data": {"player": "leo", "points": 5}},
        {"type": "points_counted", "data": {"points": {"leo": 5, "nina": 6}}},
    ]
    return "".join(json.dumps(event) + "\n" for event in events).encode()


@pytest.mark.parametrize(("rules", "version", "points"), [(None, 1, 5), (1, 1, 5), (2, 2, 10)])
def test_the_version_decides(rules: int | None, version: int, points: int) -> None:
    match = build_report(Session.read(io.BytesIO(log(rules))))["matches"][0]
    assert match["rules"] == version
    assert match["totals"]["leo"] == points


def test_a_version_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(UnusableError) as refused:
        Session.read(io.BytesIO(log(3)))
    assert str(refused.value) == (
        "line 2, field data.rules: expected a version of the rules of riparto (1, 2), got 3"
    )

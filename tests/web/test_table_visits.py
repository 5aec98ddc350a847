"""The cost of a tap: one visit of its session, without repeated computations."""

import json
from collections import Counter
from contextlib import AbstractContextManager
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.shared import SharedCache
from scorekeeper.store import MemoryStore, Position
from scorekeeper.streams.stream_cache import StreamCache
from scorekeeper.web.entry import table as page_of_table
from scorekeeper.web.entry.board import build_board
from tests.api.asking import client_of
from tests.evenings import Raw, event
from tests.web.tapping import FRAGMENT, Tapped

MATCH: Final = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
SHORT: Final = event(
    "match_started",
    game="riparto",
    seats=["mara", "leo", "nina"],
    options={"match_end": {"hands": 1}},
)
DEALT: Final = event("hand_started", dealer="nina")
BID: Final = event("bid_made", player="mara", points=5)
COUNTED: Final = event("points_counted", points={"mara": 5, "leo": 5, "nina": 5})


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the visits of sessions, the reads of positions, and the prompts of deals."""
    counts: Counter[str] = Counter()
    held, position, prompts = StreamCache.held, MemoryStore.position, GAMES["riparto"].prompts

    def holding(
        cache: StreamCache[FoldedSession], session_id: str, *, wait: bool = True
    ) -> AbstractContextManager[FoldedSession]:
        counts["visits"] += 1
        return held(cache, session_id, wait=wait)

    def placed(store: MemoryStore, session_id: str) -> Position:
        counts["positions"] += 1
        return position(store, session_id)

    def prompted(deal: Any) -> Any:
        counts[f"prompts of {deal.table.dealer}'s deal"] += 1
        return prompts(deal)

    monkeypatch.setattr(StreamCache, "held", holding)
    monkeypatch.setattr(MemoryStore, "position", placed)
    monkeypatch.setitem(vars(GAMES["riparto"]), "prompts", prompted)
    return counts


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6)


TAPS: Final = {
    "a bid": ([MATCH, DEALT], BID, ""),
    "what begins a hand": ([MATCH], BID, "nina"),
    "what completes a hand": ([MATCH, DEALT, BID], COUNTED, ""),
    "what ends a match": ([SHORT, DEALT, BID], COUNTED, ""),
    "an end of a match": ([MATCH, DEALT, BID, COUNTED], event("match_ended"), ""),
    "a hand after another": ([MATCH, DEALT, BID, COUNTED], BID, "mara"),
}  # fmt: skip


def tapped(table: Tapped, counted: Counter[str], act: str, late: int = 0, **more: Any) -> int:
    """Return the status of a counted response to a form, sent so many versions late."""
    data = {"version": table.report()["version"] - late, "key": "once", **more}
    counted.clear()
    headers = {**table.headers(), **FRAGMENT}
    return table.client.post(f"/t/{table.id}/{act}", data=data, headers=headers).status_code


def form_fields(raw: Raw) -> dict[str, Any]:
    """Return an event as form fields."""
    return {"type": raw["type"], "fixed": json.dumps(raw["data"])}


def assert_straight(counted: Counter[str]) -> None:
    """Check for one visit, at most one read of the position, and no deal prompted twice."""
    assert counted.pop("visits") == 1
    assert counted
    assert set(counted.values()) == {1}


@pytest.mark.parametrize("what", TAPS)
def test_a_tap_is_recorded_and_answered_in_one_visit(
    visited: FlaskClient, counted: Counter[str], what: str
) -> None:
    before, one, dealer = TAPS[what]
    table = Tapped.open(visited, "mara leo nina", *before)
    assert tapped(table, counted, "record", **form_fields(one), dealer=dealer) == 200
    assert_straight(counted)


def test_an_undo_is_recorded_and_answered_in_one_visit(
    visited: FlaskClient, counted: Counter[str]
) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH, DEALT)
    table.record(BID)
    assert tapped(table, counted, "undo") == 200
    assert_straight(counted)


def test_the_page_is_made_in_one_visit(visited: FlaskClient, counted: Counter[str]) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH, DEALT, BID)
    counted.clear()
    table.page()
    assert_straight(counted)


def test_a_tap_that_is_refused_takes_one_visit_more(
    visited: FlaskClient, counted: Counter[str]
) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH, DEALT)
    assert tapped(table, counted, "record", late=1, **form_fields(BID)) == 412
    assert counted["visits"] == 2


def test_viewer_gets_the_present_state_with_or_without_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Tapped.open(client_of(), "mara leo nina", MATCH, DEALT)
    history = [
        event("bid_made", player="mara", points=5),
        event("event_struck", seq=4, reason="slip"),
        event("bid_made", player="mara", points=6),
        event("event_replaced", seq=6, reason="slip", type="bid_made",
              data={"player": "leo", "points": 5}),
        event("points_counted", points={"mara": 5, "leo": 4, "nina": 3}),
    ]  # fmt: skip
    views = ("?view=watch", "?view=flat", "?view=entry")
    ways = [(view, language) for view in views for language in ("en", "fr")]

    def seen() -> list[str]:
        return [
            table.get(view, "view", **{"Accept-Language": language}, **FRAGMENT).text
            for view, language in ways
        ]

    boards: list[Any] = []

    def counted(*args: Any, **more: Any) -> Any:
        boards.append(args)
        return build_board(*args, **more)

    monkeypatch.setattr(page_of_table, "build_board", counted)
    shown = [seen()]
    for raw in history:
        table.record(raw, as_played=True)
        shown.append(seen())
        drawn = len(boards)
        assert (seen(), len(boards)) == (shown[-1], drawn)
        with monkeypatch.context() as afresh:
            afresh.setattr(table.client.application.extensions["service"], "_shared", SharedCache())
            assert seen() == shown[-1]
    assert len({text for texts in shown for text in texts}) == len(ways) * len(shown)
    assert 'name="key"' not in "".join(shown[-1])

"""An immediate Undo of the last entry is not shown as a correction: only the log has it."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.evenings import Raw, event
from tests.web.pages import Page, page_of, score
from tests.web.tapping import Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

MATCH: Final = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
START: Final = event("hand_started", dealer="mara")
BID: Final = event("bid_made", player="leo", points=5)
COUNT: Final = event("points_counted", points={"mara": 4, "leo": 5, "nina": 6})
WRONG: Final = event("bid_made", player="leo", points=3)  # entry 4


def back(seq: int) -> Raw:
    return event("event_struck", seq=seq, reason="taken back at the table")


def back_together(*seqs: int) -> list[Raw]:
    """The events of one form, taken back by one tap."""
    begun = event("correction_begun", count=len(seqs), reason="taken back at the table")
    return [begun, *(event("event_struck", seq=seq) for seq in seqs)]


def corrected_together(bid: int, count: int) -> list[Raw]:
    """Another bid and count in one set; the set begins right after the count."""
    begun = event("correction_begun", count=2, reason="heard")
    was = {"leo": 4, "mara": 5, "nina": 6}
    return [
        begun, event("event_replaced", seq=bid, type="bid_made", data=WRONG["data"]),
        event("event_replaced", seq=count, type="points_counted", data={"points": was}),
    ]  # fmt: skip


def parsed_page(table: Tapped, page: str) -> Page:
    answer = table.client.get(f"/t/{table.id}{page}", headers=table.headers())
    assert answer.status_code == 200, answer.text
    return page_of(answer)


def corrected(table: Tapped) -> set[str]:
    """Return the pages on which the first hand is shown as corrected."""
    marks = {
        "/h/1-1": "corrected" in parsed_page(table, "/h/1-1").words,
        "/d/1-1": "Corrections" in parsed_page(table, "/d/1-1").words,
        "/audit": "nothing erased" in parsed_page(table, "/audit").words,
        "/results": "corrected"
        in [element.get("title") for element in parsed_page(table, "/results").all("span")],
        "/score": "was crossed out" in (words := score_page(table).words)
        or "was replaced" in words,
    }
    return {page for page, marked in marks.items() if marked}


def score_page(table: Tapped) -> Page:
    log = table.client.get(f"/api/sessions/{table.id}/log.jsonl", headers=table.headers())
    return page_of(score(table.client, log.text))


@pytest.mark.parametrize("before", [
    [START, WRONG, back(4), BID, COUNT],
    [START, BID, WRONG, back(5), back(4), BID, COUNT],  # two taps, one after the other
    [START, BID, COUNT, event("score_claimed", scores={"leo": 5}), back(6)],
    [START, WRONG, COUNT, *back_together(5, 4), BID, COUNT],
])  # fmt: skip
def test_it_is_no_correction_on_any_page(visited: FlaskClient, before: list[Raw]) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH)
    table.record(*before, as_played=True)
    assert corrected(table) == set()
    assert "crossed out" in table.page("/log").words


@pytest.mark.parametrize("before", [
    [START, WRONG, COUNT, *back_together(3, 5, 4), START, BID, COUNT],
    [START, BID, COUNT, *corrected_together(4, 5), back(6)],
])  # fmt: skip
def test_a_set_that_took_back_a_hand_or_was_taken_back_is_no_correction_either(
    visited: FlaskClient, before: list[Raw]
) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH)
    table.record(*before, as_played=True)
    assert corrected(table) == set()


def test_the_log_of_the_table_shows_it_struck(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH, START)
    table.record(WRONG)
    undo = next(form for form in table.forms() if "/undo" in form.action)
    assert table.post(undo, []).status_code == 303
    assert "<del><bdi>Leo bid 3</bdi></del>" in table.get("/log").text


@pytest.mark.parametrize("before", [
    [START, WRONG, event("note_added", text="heard"), back(4), BID, COUNT],
    [START, BID, COUNT, START, back(4), BID],
    [START, WRONG, COUNT, event("note_added", text="heard"), *back_together(5, 4), BID, COUNT],
    [START, BID, COUNT, *corrected_together(4, 5)],
    [START, BID, COUNT, event("score_claimed", scores={"leo": 5}), back(6), back(7), back(6)],
])  # fmt: skip
def test_strike_of_an_earlier_entry_is_a_correction(
    visited: FlaskClient, before: list[Raw]
) -> None:
    table = Tapped.open(visited, "mara leo nina", MATCH)
    table.record(*before, as_played=True)
    assert corrected(table) == {"/h/1-1", "/d/1-1", "/audit", "/results", "/score"}

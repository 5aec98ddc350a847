"""Undo does not take back entries that led to a signed correction."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.evenings import Raw, event
from tests.web.tapping import Form, Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = ("mara", "leo", "nina")
OF: Final = {"match": 1, "hand": 1}
BID: Final = 4
HAND: Final = [
    event("hand_started", dealer="mara"),
    event("bid_made", player="leo", points=5),
    event("points_counted", points={"mara": 4, "leo": 5, "nina": 6}),
]
ANEW: Final = event(
    "event_replaced", seq=BID, type="bid_made", data={"player": "leo", "points": 9}, reason="heard"
)


def corrected(visited: FlaskClient, *before: Raw) -> Tapped:
    """A table at which the bid of the first hand was corrected with all signatures."""
    table = Tapped.open(
        visited, " ".join(SEATS), event("match_started", game="riparto", seats=list(SEATS)), *HAND
    )
    for raw in before:
        table.record(raw)
    table.record(event("hand_disputed", player="leo", reason="heard", **OF), who="leo")
    table.record(event("correction_proposed", corrections=[ANEW], reason="heard", **OF))
    proposal = table.report()["version"]
    for seat in SEATS:
        table.record(event("proposal_signed", proposal=proposal, player=seat), who=seat)
    settled = event("dispute_settled", ruling="corrected", text="heard", proposal=proposal, **OF)
    table.record(settled, ANEW)
    return table


def undo_of(table: Tapped, who: str = "host") -> Form:
    return next(form for form in table.forms(who=who) if "/undo" in form.action)


@pytest.mark.parametrize("who", ["host", *SEATS])
def test_of_the_hand_itself_nothing_is_taken_back(visited: FlaskClient, who: str) -> None:
    table = corrected(visited)
    version = table.report()["version"]
    undo = undo_of(table, who)
    assert [control for control in undo.controls if control.kind == "submit"] == []
    assert table.post(undo, [], who=who).status_code == 422
    assert table.report()["version"] == version


def test_entry_after_a_signed_correction_can_be_undone(visited: FlaskClient) -> None:
    table = corrected(visited)
    table.record(event("note_added", text="late"))
    note = table.report()["version"]
    assert table.post(undo_of(table), []).status_code == 303
    assert table.events()[-1]["data"]["seq"] == note


def test_a_tap_in_the_next_hand_is_taken_back_from_under_it(visited: FlaskClient) -> None:
    table = corrected(
        visited,
        event("hand_started", dealer="leo"),
        event("bid_made", player="nina", points=3),
    )
    assert table.post(undo_of(table), []).status_code == 303
    (bid,) = [raw for raw in table.events() if raw["data"].get("player") == "nina"][:1]
    assert table.events()[-1]["data"]["seq"] == bid["seq"]


def test_a_seat_is_not_offered_to_take_back_its_signature(visited: FlaskClient) -> None:
    """It could not: the hand stays confirmed until the host corrects it."""
    table = Tapped.open(
        visited, " ".join(SEATS), event("match_started", game="riparto", seats=list(SEATS)), *HAND
    )
    table.record(event("hand_confirmed", player="leo"), who="leo")
    undo = undo_of(table, "leo")
    assert [control for control in undo.controls if control.kind == "submit"] == []
    assert table.post(undo, [], who="leo").status_code == 422

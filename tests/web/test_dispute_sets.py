"""Sets of corrections at the desk: several entries of a hand that depend on one another.

Tests of ``web.dispute.amend``.
"""

import json
from typing import Final

import pytest

from tests.api.asking import Table, hand, match
from tests.evenings import event, inserted, replaced, struck
from tests.web.looking import everybodys, forms, page, post
from tests.web.test_dispute_entries import DESK, previewed, sent, types

BID: Final = 4
COUNT: Final = 5
# The count alone would not stand: nobody called Ugo plays in the hand.
UGO: Final = [
    replaced(2, "match_started", game="riparto", seats=["mara", "leo", "ugo"]),
    replaced(COUNT, "points_counted", points={"mara": 5, "leo": 5, "ugo": 5}),
]


@pytest.fixture
def put_in() -> Table:
    """Return a hand of Riparto whose bid and count a set inserted, in events 5 and 6."""
    table = Table.open(everybodys())
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(
        event("correction_begun", count=2, reason="left out"),
        inserted(3, "bid_made", player="leo", points=5),
        inserted(3, "points_counted", points={"mara": 5, "leo": 5, "nina": 5}),
    )
    return table


def test_dependent_corrections_are_proposed_signed_and_applied_together() -> None:
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(match("mara leo nina"), *hand())
    form = previewed(table, *UGO, who="leo")["propose"]
    sent(table, "propose", "leo", form, reason="Ugo played")
    proposal = table.get("/events").get_json()["version"]
    for who in ("mara", "leo", "nina", "ugo"):
        at = {"version": str(table.get("/events").get_json()["version"]), "player": who}
        answer = post(table, f"{DESK}/sign", who, proposal=str(proposal), **at)
        assert answer.status_code == 303, answer.text
    assert types(table, proposal + 4) == ["dispute_settled", "event_replaced", "event_replaced"]
    assert table.report()["matches"][0]["seats"] == ["mara", "leo", "ugo"]
    assert "corrected" in page(table, DESK, "leo").words


def test_several_corrections_of_a_hand_at_play_are_one_set() -> None:
    table = Table.riparto(everybodys())
    table.do(event("bid_made", player="leo", points=5))
    some = struck(BID), inserted(3, "bid_made", player="leo", points=7)
    sent(table, "correct", "host", previewed(table, *some, who="host")["correct"])
    assert types(table, 4) == ["correction_begun", "event_struck", "event_inserted"]
    assert "Leo bid 7" in page(table, "/log", "leo").words


def test_an_entry_that_a_set_put_in_is_corrected_with_the_rest_of_the_set(put_in: Table) -> None:
    asked = {"f.player": "leo", "f.points": "4", "seq": "5", "reason": "heard"}
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    answer = page(put_in, f"{DESK}/preview?{query}", "leo")
    assert "Leo bid 4" in answer.words
    sent(put_in, "propose", "leo", forms(answer)["propose"], reason="heard")
    corrections = put_in.report()["disputes"][0]["proposals"][0]["corrections"]
    assert [raw["type"] for raw in corrections] == [
        "event_struck",
        "event_inserted",
        "event_inserted",
    ]
    assert corrections[0]["data"]["seq"] == 4
    assert corrections[1]["data"]["data"] == {"player": "leo", "points": 4}


def test_an_entry_that_a_set_put_in_is_struck_with_the_set_and_the_rest_comes_again(
    put_in: Table,
) -> None:
    form = forms(page(put_in, f"{DESK}/preview?seq=6&strike=1&reason=heard", "leo"))["propose"]
    first, second = json.loads(form["corrections"])
    assert (first["type"], first["data"]["seq"]) == ("event_struck", 4)
    assert (second["type"], second["data"]["type"]) == ("event_inserted", "bid_made")
    sent(put_in, "propose", "leo", form, reason="heard")


def test_dependent_corrections_are_not_separated() -> None:
    table = Table.open(everybodys())
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(
        event("correction_begun", count=2, reason="left out"),
        inserted(3, "bid_made", player="leo", points=5),
        inserted(5, "points_counted", points={"mara": 5, "leo": 5, "nina": 5}),
    )
    words = page(table, f"{DESK}/preview?seq=5&strike=1&reason=heard", "leo", status=422).words
    assert "build on one another" in words

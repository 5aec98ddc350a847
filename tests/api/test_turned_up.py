"""Attempts of one seat to turn cards up, and of corrections to hide them again.

Tests of ``report.masking``, from outside.
"""

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table
from tests.api.test_peeking import visible
from tests.evenings import Raw, event, inserted, struck

FIVE = "mara leo nina ugo zoe"
COUNT = event("points_counted", points={"bidder": 70})
MISDEAL = event("hand_abandoned", reason="misdeal")


def knock(client: FlaskClient) -> tuple[Table, int]:
    """Return a table in its second hand of Knock!, and the seq of the dealer's lay-away."""
    table = Table.open(client, "mara leo nina ugo")
    table.do(event("match_started", game="knock", seats=["mara", "leo", "nina", "ugo"]))
    table.do(event("hand_started", dealer="ugo"), event("points_counted", points={"A": 60}))
    table.do(event("hand_started", dealer="mara"))
    table.do(event("cards_laid_away", player="mara", cards=["QB", "7C"]), who="mara")
    return table, table.version


def chiamata(client: FlaskClient, game: str = "briscola_chiamata") -> tuple[Table, int]:
    """Return a table at which Mara has bid and the host recorded the partner, with that seq."""
    table = Table.open(client, FIVE)
    table.do(event("match_started", game=game, seats=FIVE.split()))
    bid: Raw = event("bid_made", player="mara", bid="J" if game == "briscola_chiamata" else 70)
    table.do(event("hand_started", dealer="zoe"), bid)
    table.do(event("partner_revealed", player="nina"))
    return table, table.version


@pytest.mark.parametrize("end", [MISDEAL, event("hand_started", dealer="leo")])
def test_confirmation_of_another_hand_turns_nothing_up(on_memory: FlaskClient, end: Raw) -> None:
    table, laid = knock(on_memory)
    table.do(end, who="leo", as_played=True)
    assert laid not in visible(table, "leo")
    table.append(event("hand_confirmed", player="leo"), who="leo")
    assert laid not in visible(table, "leo") | visible(table, "view")


def test_confirmation_inserted_in_another_hand_turns_nothing_up(on_memory: FlaskClient) -> None:
    table, laid = knock(on_memory)
    table.do(event("points_counted", points={"A": 50}), who="leo", as_played=True)
    table.append(inserted(4, "hand_confirmed", player="leo"), who="leo")
    assert laid not in visible(table, "leo") | visible(table, "view")


@pytest.mark.parametrize("end", [COUNT, MISDEAL])
def test_guess_is_refused_and_striking_an_end_turns_nothing_up(
    on_memory: FlaskClient, end: Raw
) -> None:
    table, partner = chiamata(on_memory)
    answer = table.append(event("partner_revealed", player="ugo"), who="leo")
    assert answer.status_code == 403
    table.do(end, who="leo", as_played=True)
    assert partner not in visible(table, "leo")
    table.append(struck(table.version), who="leo")
    assert partner not in visible(table, "leo") | visible(table, "view")


def test_table_stays_readable_after_a_strike_of_an_accepted_end(
    on_memory: FlaskClient,
) -> None:
    table, _ = chiamata(on_memory)
    table.do(COUNT)
    end = table.version
    table.do(event("hand_confirmed", player="leo"), who="leo")
    table.do(event("hand_disputed", player="nina", reason="so"), who="nina")
    table.do(struck(end))
    for who in ("host", "view", "leo"):
        answer = table.get(who=who)
        assert answer.status_code == 200, answer.text
        assert answer.get_json()["matches"][0]["hands"][0]["status"] == "open"
    table.do(event("note_added", text="again"), who="leo")
    table.do(COUNT)
    assert table.get(who="view").get_json()["matches"][0]["hands"][0]["status"] == "complete"


def test_seat_strikes_the_events_of_its_form(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory, FIVE)
    table.do(event("match_started", game="briscola_chiamata", seats=FIVE.split()))
    table.do(event("hand_started", dealer="zoe"))
    form = [event("bid_made", player="mara", bid="J"), COUNT]
    table.do(*form, event("partner_revealed", player="nina"), who="leo")
    last = table.version
    strikes = [event("event_struck", seq=seq) for seq in (last, last - 1, last - 2)]
    table.do(event("correction_begun", count=3, reason="typed wrongly"), *strikes, who="leo")


@pytest.mark.parametrize("who", ["view", "mara", "host"])
def test_what_if_with_a_confirmation_turns_nothing_up(on_memory: FlaskClient, who: str) -> None:
    table = Table.riparto(on_memory)
    table.do(
        event("bid_made", player="leo", points=5),
        event("points_counted", points={"leo": 5, "nina": 6}),
    )
    supposed = inserted(table.version, "hand_confirmed", player="mara")
    answer = table.ask("POST", "/what-if", who, json={"corrections": [supposed]})
    assert answer.status_code == 200, answer.text

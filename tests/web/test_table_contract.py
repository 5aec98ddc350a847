"""A bid is shown as such until the auction is over; then it is the contract.

Tests of ``web.entry.contract_facts``.
"""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.evenings import event
from tests.web.pages import page_of
from tests.web.tapping import Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = ["mara", "leo", "nina", "ugo", "ada"]


def test_when_all_the_others_have_passed_the_bid_is_the_contract(visited: FlaskClient) -> None:
    table = Tapped.open(
        visited,
        " ".join(SEATS),
        event("match_started", game="briscola_chiamata", seats=SEATS),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", bid="A"),
        *(event("bid_made", player=player, bid="pass") for player in ("nina", "ugo", "ada")),
    )
    assert "Leo bids A" in table.page().words
    table.record(event("bid_made", player="mara", bid="pass"))
    assert "Leo’s contract: A" in table.page().words


@pytest.mark.parametrize(("game", "bid"), [("briscola_chiamata", "A"), ("briscola_col_monte", 95)])
@pytest.mark.parametrize(
    ("partner", "words"), [("leo", "Leo plays alone"), ("nina", "The partner is Nina")]
)
def test_bidder_without_a_partner_is_said_to_play_alone(
    visited: FlaskClient, game: str, bid: str | int, partner: str, words: str
) -> None:
    table = Tapped.open(
        visited,
        " ".join(SEATS),
        event("match_started", game=game, seats=SEATS),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", bid=bid),
        event("partner_revealed", player=partner),
        event("outcome_recorded", made=True),
    )
    for path in ("log", "h/1-1"):
        page = page_of(table.client.get(f"/t/{table.id}/{path}", headers=table.headers()))
        assert words in page.words
        assert ("The partner is" in page.words) is (partner != "leo")

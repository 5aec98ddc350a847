"""A bid is shown as such until the auction is over; then it is the contract.

Tests of ``web.entry.contract_facts``.
"""

from typing import Final

from flask.testing import FlaskClient

from tests.evenings import event
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

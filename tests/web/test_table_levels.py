"""A phone at a level at which the hand is not told goes on with it as it is told."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.evenings import Raw, event
from tests.web.tapping import Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = "mara leo nina"
BID: Final = event("bid_made", player="leo", points=5)
NO_TRUMPS: Final = event("hierarchy_declared", player="leo", suits=[])
TOLD: Final[dict[str, list[Raw]]] = {
    "trick_taken": [event("trick_taken", player="leo")],
    "card_played": [
        event("card_played", player=player, card=card)
        for player, card in [("leo", "AS"), ("nina", "6S"), ("mara", "7S")]
    ],
}


@pytest.mark.parametrize(("told", "level"), [("trick_taken", "cards"), ("card_played", "tricks")])
def test_a_phone_at_another_level_goes_on_with_the_hand(
    visited: FlaskClient, told: str, level: str
) -> None:
    table = Tapped.open(
        visited,
        SEATS,
        event("match_started", game="riparto", seats=SEATS.split()),
        event("hand_started", dealer="mara"),
        BID,
        NO_TRUMPS,
    )
    table.record(*TOLD[told], as_played=True)
    table.level = level
    open_forms = [one for one in table.forms() if one.action.split("?")[0].endswith("/record")]
    assert open_forms[0].step == told
    assert [one.step for one in open_forms].index("rest_claimed") > 0


def test_to_claim_the_rest_is_two_taps(visited: FlaskClient) -> None:
    start = event("match_started", game="knock", seats=["mara", "leo", "nina", "ugo"])
    dealt = event("hand_started", dealer="mara")
    table = Tapped.open(visited, "mara leo nina ugo", start, dealt)
    trick, rest = table.form("trick_taken"), table.form("rest_claimed")
    assert {one.folded for one in trick.buttons()} == {0}
    assert {one.folded for one in rest.buttons()} == {1}

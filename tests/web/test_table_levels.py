"""A phone continues a hand at its own level, however the hand was recorded before."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import bearer
from tests.browser.hands import DICE, GAMES, log_of
from tests.evenings import event
from tests.web.tapping import Forms, Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

LEVEL_OF: Final = {"trick_taken": "tricks", "card_played": "cards"}
# The recorded play: the number of tricks by their winner, then the number of cards.
PLAYED: Final = {"a winner": (1, 0), "a trick of cards": (0, 9), "both": (1, 1)}
COUNTS: Final = {"points_counted", "tricks_counted", "outcome_recorded", "partner_revealed"}


def begun(client: FlaskClient, game: str, winners: int, cards: int) -> Tapped:
    """Return a table with a hand in play, recorded through the API."""
    log = log_of(game, "cards", DICE[game])
    first = next(place for place, raw in enumerate(log) if raw["type"] == "card_played")
    size = len(log[1]["data"]["seats"])
    tricks = [log[place : place + size] for place in range(first, first + 2 * size, size)]
    leaders = [trick[0]["data"]["player"] for trick in tricks]
    table = Tapped.open(client, GAMES[game], *log[1:first])
    if winners:
        table.record(event("trick_taken", player=leaders[1]))
    if cards:
        table.record(*tricks[winners][:cards])
    return table


@pytest.mark.parametrize("played", PLAYED)
@pytest.mark.parametrize("game", GAMES)
def test_the_page_goes_on_at_the_level_of_the_phone(
    visited: FlaskClient, game: str, played: str
) -> None:
    table = begun(visited, game, *PLAYED[played])
    for wanted, level in LEVEL_OF.items():
        answer = table.get(f"?level={level}")
        shown = [form for form in Forms(answer.text).forms if form.action.endswith("?view=entry")]
        steps = [form_.step for form_ in shown if not form_.action.split("?")[0].endswith("/undo")]
        assert steps[0] == wanted, (level, steps)
        assert [control.folded for control in shown[0].controls] == [0] * len(shown[0].controls)
    totals = {form.step for form in table.forms("?level=totals")}
    assert totals & COUNTS
    assert not totals & set(LEVEL_OF)
    offered = table.client.get(
        f"/api/sessions/{table.id}/next?level=cards", headers=bearer(table.keys["host"])
    )
    assert "card_played" in {raw["type"] for raw in offered.get_json()}


def test_to_claim_the_rest_is_two_taps(visited: FlaskClient) -> None:
    start = event("match_started", game="knock", seats=["mara", "leo", "nina", "ugo"])
    dealt = event("hand_started", dealer="mara")
    table = Tapped.open(visited, "mara leo nina ugo", start, dealt)
    trick, rest = table.form("trick_taken"), table.form("rest_claimed")
    assert {button.folded for button in trick.buttons()} == {0}
    assert {button.folded for button in rest.buttons()} == {1}

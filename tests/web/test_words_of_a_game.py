"""A game with words of its own for its parties, and a totals form that depends on the table.

Tests of ``Game.questions`` and ``Game.parties``.
"""

from dataclasses import replace

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Ask
from scorekeeper.play.table import Party
from tests.api.asking import client_of
from tests.evenings import event
from tests.web.tapping import Tapped

PARTIES = {
    "bidder": Party("Taker", "the taker's side", "taker"),
    "defenders": Party("Defence", "the defence", "defence"),
}
PLAYERS = ["mara", "leo", "nina", "ugo", "zoe", "ada"]


def questions(deal: Deal) -> tuple[Ask, ...]:
    """Return the questions of Chiamata, for six players without the one about the partner."""
    bid, partner, count = GAME.totals if isinstance(GAME.totals, tuple) else ()
    return (bid, count) if len(deal.table.seats) > 5 else (bid, partner, count)


@pytest.mark.parametrize("seats", [5, 6])
def test_form_has_the_words_and_the_questions_of_the_game(
    monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    game = replace(GAME, totals=questions, parties=PARTIES)
    monkeypatch.setitem(GAMES._versions, "briscola_chiamata", (game,))
    players = PLAYERS[:seats]
    begun = event("match_started", game="briscola_chiamata", seats=players)
    table = Tapped.open(
        client_of(), " ".join(players), begun, event("hand_started", dealer=players[-1])
    )
    table.level = "totals"
    asked = [c.value for c in table.form("totals").controls if c.name.endswith("type")]
    assert ("partner_revealed" in asked) == (seats == 5)
    page = table.get().text
    assert "Taker" in page
    assert "Bidder’s party" not in page

"""A game with words of its own: for its parties, its questions, and its sentences.

Tests of ``Game.questions``, ``Game.parties`` and ``Game.facts``.
"""

from dataclasses import replace

import pytest

from scorekeeper.events.fields import PLAYER
from scorekeeper.games import GAMES
from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.games.briscola_regina import GAME as REGINA
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import HandFact, Phrase, Sentence
from scorekeeper.play.prompts import Ask
from scorekeeper.play.table import Party
from tests.api.asking import client_of
from tests.evenings import event, golden_evenings
from tests.web.looking import brought_in, page
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


def test_summary_about_a_player_of_a_partnership_has_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = HandFact("first", "led first", PLAYER, lambda deal: deal.table.seats[0])
    said = Sentence("first", ((Phrase("led first"),),))
    facts = replace(REGINA.facts, facts=(*REGINA.facts.facts, first), sentences=(said,))
    monkeypatch.setitem(GAMES._versions, "briscola_regina", (replace(REGINA, facts=facts),))
    evening = next(path for path in golden_evenings() if path.parent.name == "briscola_regina")
    table = brought_in(evening.read_text("utf-8"))
    for path in ("/results", "/h/1-1"):
        words = page(table, path).words
        assert "Leo led first" in words
        assert "leo led first" not in words

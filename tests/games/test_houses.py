"""The presets of each game, compared with the options of the tables they are named after.

They stand beside its golden logs, as ``houses.json``.
"""

import json

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.report.option_words import summarize_rules
from tests.evenings import GOLDEN


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_presets_have_the_options_of_their_tables(game: Game) -> None:
    file = GOLDEN / game.id / "houses.json"
    presets = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    assert {house.name: dict(house.options) for house in game.houses} == presets


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_preset_is_playable_and_unusual(game: Game) -> None:
    for house in game.houses:
        for seats in game.seats:
            assert summarize_rules(game, game.options(house.options, seats))

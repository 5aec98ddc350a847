"""Presets fit a game, a number of entrants and an evening, and their stages can be opened."""

import pytest

from scorekeeper.games import GAMES
from scorekeeper.tournaments.presets import PRESETS, FittingPreset, list_presets
from scorekeeper.tournaments.table_rules import can_end_after_hands
from tests.tournaments.hall import opening, tournament

ALONE = ["milan", "linguaglossa", "bologna", "concours"]


def fit(game: str, entrants: int | None = None, minutes: int | None = None) -> list[FittingPreset]:
    return list_presets(GAMES[game], entrants, minutes)


def test_each_preset_is_for_some_game_and_can_be_opened_there() -> None:
    seen = set()
    for game in GAMES:
        for entrants in (None, *range(2, 40)):
            for fitting in fit(game, entrants):
                seen.add(fitting.preset.id)
                stages = list(fitting.stages)
                tournament(opening(game=game, entrants=fitting.entrants, stages=stages))
    assert seen == {preset.id for preset in PRESETS}


@pytest.mark.parametrize(
    ("game", "entrants", "expected"),
    [
        ("briscola_chiamata", 38, ALONE),
        ("briscola_chiamata", 9, ["bologna", "concours"]),
        ("knock", 12, ["bologna", "lanzo", "everybodys_partner"]),
        ("picchetto", 12, ["bologna", "lanzo"]),
        ("picchetto", 3, []),
    ],
)
def test_presets_follow_from_the_game(game: str, entrants: int, expected: list[str]) -> None:
    assert [fitting.preset.id for fitting in fit(game, entrants)] == expected


def test_numbers_follow_from_entrants_game_and_time() -> None:
    stages = {
        (name, entrants): [(stage["name"], stage["rounds"]) for stage in fitting.stages]
        for name in ("briscola_chiamata", "knock")
        for entrants in (12, 13, 24)
        for fitting in fit(name, entrants)
        if fitting.preset.id in ("linguaglossa", "everybodys_partner")
    }
    assert stages["briscola_chiamata", 12] == [("Semifinals", 1), ("Final round", 1)]
    assert stages["briscola_chiamata", 13][0] == ("Qualification", 2)
    assert [stages["knock", n][0][1] for n in (12, 13, 24)] == [11, 13, 7]
    lanzo = next(fitting for fitting in fit("knock", 24) if fitting.preset.id == "lanzo")
    assert (lanzo.entrants, lanzo.stages[1]["rounds"]) == ("pairs", 3)  # eight firsts of groups
    hands = {
        game.id: fitting.stages[0]["hands"]
        for game in GAMES.values()
        for fitting in fit(game.id)
        if fitting.preset.id == "concours"
    }
    assert set(hands) == {game.id for game in GAMES.values() if can_end_after_hands(game)}
    assert (hands["briscola_chiamata"], set(hands.values())) == (10, {10, 12})
    bologna = {
        minutes: fitting.stages[0]["rounds"]
        for minutes in (90, 100, 134, 135)
        for fitting in fit("knock", 20, minutes)
        if fitting.preset.id == "bologna"
    }
    assert bologna == {100: 3, 134: 3, 135: 4}

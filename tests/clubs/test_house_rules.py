"""The house rules that a club keeps: valid and invalid ones, and their use in a match."""

from typing import Any

import pytest

from scorekeeper.base.errors import NotInstalledError, UnusableError
from scorekeeper.clubs.house_rules import complete_options
from scorekeeper.clubs.state import MAX_HOUSE_RULES
from scorekeeper.games import GAMES
from tests.clubs.founding import Said, club, entry


def kept(name: str = "Milan", game: str = "briscola_chiamata", **options: Any) -> Said:
    return "house_kept", {"name": name, "game": game, "options": options}


def dropped(name: str = "Milan", game: str = "briscola_chiamata") -> Said:
    return "house_dropped", {"name": name, "game": game}


def names(*events: Said) -> list[tuple[str, str]]:
    """Return the house rules that a club has after these events, by game and name."""
    return [(rule.game, rule.name) for rule in club(*events).state.house_rules.values()]


def test_each_game_has_house_rules_of_its_own() -> None:
    """The same name may stand for rules of two games."""
    monte = kept(game="briscola_col_monte", bands=[81])
    assert names(kept(bands=[71, 81]), monte, dropped()) == [("briscola_col_monte", "Milan")]


@pytest.mark.parametrize("name", ["Milan", "MILAN", " milan ", "\uff2dilan"])
def test_equivalent_name_is_taken_and_can_be_dropped(name: str) -> None:
    with pytest.raises(UnusableError) as caught:
        club(kept(), kept(name))
    assert (caught.value.field, "called Milan already" in caught.value.reason) == (
        "data.name",
        True,
    )
    assert names(kept(), dropped(name)) == []
    assert names(kept(), dropped(name), kept(name)) == [("briscola_chiamata", name)]


def test_unknown_house_rules_cannot_be_dropped() -> None:
    for events in ([dropped()], [kept(), dropped(game="knock")], [kept(), dropped(), dropped()]):
        with pytest.raises(UnusableError) as caught:
            club(*events)
        assert caught.value.field == "data.name"


def test_house_rules_are_limited_to_a_hundred() -> None:
    circolo = club(*(kept(f"House {n}") for n in range(MAX_HOUSE_RULES)))
    assert len(circolo.state.house_rules) == 100
    with pytest.raises(UnusableError, match="at most 100"):
        circolo.add(entry(circolo.events + 1, kept("one more")))
    circolo.add(entry(circolo.events + 1, dropped("house 7")))
    circolo.add(entry(circolo.events + 1, kept("one more")))


def test_struck_events_of_house_rules_have_no_effect() -> None:
    circolo = club(kept(), dropped())
    circolo.add(entry(4, ("event_struck", {"seq": 3, "reason": "a slip"})))
    assert list(circolo.state.house_rules) == [("briscola_chiamata", "milan")]
    circolo.add(entry(5, ("event_struck", {"seq": 2, "reason": "a slip"})))
    assert circolo.state.house_rules == {}


@pytest.mark.parametrize("name", ["", "x" * 61, "two\nlines", 7, None])
def test_invalid_name_is_refused(name: Any) -> None:
    with pytest.raises(UnusableError) as caught:
        entry(2, kept(name))
    assert caught.value.field == "data.name"


@pytest.mark.parametrize("options", [[], "bands", None, {"": 1}, {"a b": 1}])
def test_options_are_an_object(options: Any) -> None:
    with pytest.raises(UnusableError) as caught:
        entry(2, ("house_kept", {"name": "Milan", "game": "knock", "options": options}))
    assert caught.value.field.startswith("data.options")


def test_unknown_games_and_options_are_kept() -> None:
    """A newer program may have written it."""
    circolo = club(kept(telepathy=True), kept(game="bridge", vulnerable="both"))
    first, second = circolo.state.house_rules.values()
    assert (first.options, second.options) == ({"telepathy": True}, {"vulnerable": "both"})
    with pytest.raises(UnusableError) as caught:
        complete_options(first.game, first.options)
    assert caught.value.field == "data.options.telepathy"
    with pytest.raises(NotInstalledError) as missing:
        complete_options(second.game, second.options)
    assert missing.value.field == "data.game"


def test_rules_of_which_one_has_no_effect_stay_on_record_and_open_no_match() -> None:
    (old,) = club(kept(next_double=["weak_hand"])).state.house_rules.values()
    with pytest.raises(UnusableError, match=r"next_double .* redeal_max_points"):
        complete_options(old.game, old.options)


@pytest.mark.parametrize(
    ("game", "house"),
    [(game, house) for game in GAMES.values() for house in game.houses],
    ids=lambda named: named.id if hasattr(named, "id") else named.name,
)
def test_presets_of_the_games_can_be_kept(game: Any, house: Any) -> None:
    (house_rules,) = club(kept(house.name, game.id, **house.options)).state.house_rules.values()
    assert game.book.changed(
        complete_options(house_rules.game, house_rules.options)
    ) == game.book.changed(game.options(house.options, max(game.seats)))

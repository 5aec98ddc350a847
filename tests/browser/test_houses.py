"""A hand by the rules of each house, tapped on a phone at each level by what is offered alone."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.play.rulebook import Preset
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.report import build_report
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server
from tests.players.common import Event, event, seeded
from tests.players.walking import WEIGHTS, Walker

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# What the suite plays; the soak plays every house at every level.
SUITE: Final = {("Marianna", "totals"), ("Linguaglossa league", "tricks")}
MOST: Final = 120  # events of a hand


def houses() -> Iterator[Any]:
    """Every house at every level."""
    for game in GAMES.values():
        for house in game.houses:
            for level in LEVELS:
                marks = [] if (house.name, level) in SUITE else [pytest.mark.soak]
                name = f"{house.name}-{level}"
                yield pytest.param(game, house, level, marks=marks, id=name)


def hand_of(walker: Walker) -> dict[str, Any]:
    found: dict[str, Any] = build_report(walker.session)["matches"][-1]["hands"][-1]
    return found


def offered(walker: Walker, level: Level) -> Event:
    """What is recorded by somebody who always takes what is likeliest: any choice of it."""
    likeliest = next(one for one in list_prompts(walker.session, level) if one.type not in WEIGHTS)
    return event(likeliest.type, **codec.encode(walker.rng.choice(likeliest.choices)))


@pytest.mark.parametrize(("game", "house", "level"), list(houses()))
def test_a_hand_by_the_rules_of_a_house(
    server: Server, browser: "Browser", game: Game, house: Preset, level: Level
) -> None:
    evening = Evening.begin(server, game.id, game.seats[0], **house.options)
    evening.record(("hand_started", {"dealer": "mara"}))
    walker = Walker(seeded(11), [
        {"type": one["type"], "data": one["data"]} for one in evening.events()
    ])  # fmt: skip
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open(level)
        told: list[Event] = []
        while hand_of(walker)["status"] == "open" and len(told) < MOST:
            told.append(offered(walker, level))
            walker.record(told[-1])
            if level != "totals":
                thumb.record(told[-1]["type"], told[-1]["data"])
        if level == "totals":
            thumb.save(told)
        assert host.wrong == [], told[-3:]
    (hand,) = evening.get()["matches"][-1]["hands"]
    assert hand["status"] == "complete", told
    assert hand["scores"] == hand_of(walker)["scores"]
    found = [one for one in evening.get()["findings"] if one["severity"] != "info"]
    assert found == []


def test_carichi_is_bid_with_a_number(server: Server, browser: "Browser") -> None:
    """Its number has a field of its own, beside that of a bid of points."""
    evening = Evening.begin(server, "briscola_chiamata", 5, carichi="points")
    evening.record(("hand_started", {"dealer": "mara"}))
    bid = {"player": "leo", "bid": {"carichi": 85}}
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open("tricks")
        thumb.record("bid_made", bid)
        assert host.wrong == []
    assert [one["data"] for one in evening.events("bid_made")] == [bid]

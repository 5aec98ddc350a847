"""A hand by each preset of rules, entered on a phone at each level from the offered choices."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.play.rulebook import Preset
from scorekeeper.report.next_events import list_prompts
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.evenings import build_report
from tests.operation.serving import Server
from tests.players.common import Event, event, seeded
from tests.players.walking import WEIGHTS, Walker

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# The suite's hands; the soak plays every preset at every level.
SUITE: Final = {("Marianna", "totals"), ("Linguaglossa league", "tricks")}
MOST: Final = 120  # events of a hand


def houses() -> Iterator[Any]:
    """Parametrize every preset at every level."""
    for game in GAMES.values():
        for house in game.houses:
            for level in LEVELS:
                marks = [] if (house.name, level) in SUITE else [pytest.mark.soak]
                name = f"{house.name}-{level}"
                yield pytest.param(game, house, level, marks=marks, id=name)


def hand_of(walker: Walker) -> dict[str, Any]:
    last_hand: dict[str, Any] = build_report(walker.session)["matches"][-1]["hands"][-1]
    return last_hand


def offered(walker: Walker, level: Level) -> Event:
    """Return an event that takes any choice of the likeliest next event."""
    likeliest = next(
        prompt for prompt in list_prompts(walker.session, level) if prompt.type not in WEIGHTS
    )
    return event(likeliest.type, **codec.encode(walker.rng.choice(likeliest.choices)))


@pytest.mark.parametrize(("game", "house", "level"), list(houses()))
def test_hand_by_a_preset_is_entered_from_the_offered_choices(
    server: Server, browser: "Browser", game: Game, house: Preset, level: Level
) -> None:
    evening = Evening.begin(server, game.id, game.seats[0], **house.options)
    evening.record(("hand_started", {"dealer": "mara"}))
    walker = Walker(seeded(11), [
        {"type": event["type"], "data": event["data"]} for event in evening.events()
    ])  # fmt: skip
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open(level)
        entered: list[Event] = []
        while hand_of(walker)["status"] == "open" and len(entered) < MOST:
            entered.append(offered(walker, level))
            walker.record(entered[-1])
            if level != "totals":
                thumb.record(entered[-1]["type"], entered[-1]["data"])
        if level == "totals":
            thumb.save(entered)
        assert host.wrong == [], entered[-3:]
    (hand,) = evening.get()["matches"][-1]["hands"]
    assert hand["status"] == "complete", entered
    assert hand["scores"] == hand_of(walker)["scores"]
    findings = [finding for finding in evening.get()["findings"] if finding["severity"] != "info"]
    assert findings == []


def test_carichi_is_bid_with_a_number(server: Server, browser: "Browser") -> None:
    """Its number has its own field beside that of a bid of points."""
    evening = Evening.begin(server, "briscola_chiamata", 5, carichi="points")
    evening.record(("hand_started", {"dealer": "mara"}))
    bid = {"player": "leo", "bid": {"carichi": 85}}
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open("tricks")
        thumb.record("bid_made", bid)
        assert host.wrong == []
    assert [event["data"] for event in evening.events("bid_made")] == [bid]

"""A hand of each game at each level, entered on two phones by taps, with a limit on taps.

The suite taps the beginning and the end of a hand of cards, the soak the whole hand.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, parts, played, recorded_events, truth
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server
from tests.players.common import Event
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# Events of a hand after which the host taps for both players, without waiting between phones.
TAPPED_BY_TWO: Final = 12


# The suite's levels. Other tests enter the totals of each game without scripts, and the tricks of
# a hand by keys, and count the taps of every card of every game on the forms.
SCROLLS: Final = {"totals": 0, "tricks": 0, "cards": 2}  # at most, in a hand
SUITE: Final = {"totals": "briscola_col_monte", "cards": "riparto"}


def hands() -> Iterator[Any]:
    """Parametrize every game at every level; most of them only in the soak."""
    for game, sample in SAMPLES.items():
        for level in sample.most_taps:
            marks = [] if game == SUITE.get(level) else [pytest.mark.soak]
            yield pytest.param(game, game, level, marks=marks, id=f"{game}-{level}")


@pytest.fixture
def table(
    request: pytest.FixtureRequest, server: Server, browser: "Browser"
) -> Iterator[tuple[Thumb, Thumb]]:
    """Return the phones of the host and of a seat, at a table with a hand that is dealt."""
    game: str = request.param
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    with (
        phone(browser, evening, "host") as host,
        phone(browser, evening, "leo") as leo,
    ):
        yield Thumb(host), Thumb(leo)


def tap(by: Thumb, event: Event) -> None:
    """Enter the next event once the page shows all events before it."""
    by.phone.wait_for(by.phone.evening.version())
    by.record(event["type"], event["data"])


@pytest.mark.parametrize(("table", "game", "level"), list(hands()), indirect=["table"])
def test_hand_is_entered_by_few_taps(table: tuple[Thumb, Thumb], game: str, level: str) -> None:
    host, leo = table
    evening = host.phone.evening
    for thumb in table:
        thumb.open(level)
    events = recorded_events(game, level, DICE[game])
    if level == "totals":
        host.save(events)
    else:
        begun, elsewhere, last = parts(events)
        for place, event in enumerate(begun):
            is_leos = event["data"].get("player") == "leo" and place < TAPPED_BY_TWO
            tap(leo if is_leos else host, event)
        if elsewhere:
            evening.record(*((event["type"], event["data"]) for event in elsewhere))
        for event in last:
            tap(host, event)
    (hand,) = evening.get()["matches"][-1]["hands"]
    assert hand["status"] == "complete", hand
    assert hand["scores"] == truth(game, DICE[game])
    assert hand["level"] == SAMPLES[game].levels.get(level, level)
    assert host.taps + leo.taps <= SAMPLES[game].most_taps[level], (host.texts, leo.texts)
    assert host.scrolls + leo.scrolls <= SCROLLS[level], (host.texts, leo.texts)

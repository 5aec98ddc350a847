"""What a thumb reaches on a phone: all cards without a scroll, each in its place all hand."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, told
from tests.browser.phones import Evening, Phone, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

HIGHEST: Final = 200  # pixels of 740 for header and strip
SOAKED: Final = pytest.mark.soak
SCROLLS: Final = {"riparto": 1, "knock": 4}  # at most, in a whole hand of cards
# Where the pad begins, where each card stands; how many are not wholly in sight, are smaller than
# a thumb needs, or nearer to another.
SEEN: Final = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  const cards = [...document.querySelectorAll(".card_played .suit-column button")];
  const boxes = cards.map((one) => one.getBoundingClientRect());
  return {
    top: pad.top,
    places: boxes.map((box) => [box.left, box.top].map(Math.round).join()).join(" "),
    faded: cards.filter((one) => one.disabled).length,
    hidden: boxes.filter((box) => box.top < pad.top || box.bottom > pad.bottom).length,
    narrow: boxes.filter((box) => box.width < 47.5 || box.height < 47.5).length,
    close: boxes.filter((box) => boxes.some((other) => other !== box
      && other.left < box.right + 7.5 && box.left < other.right + 7.5
      && other.top < box.bottom + 7.5 && box.top < other.bottom + 7.5)).length,
  };
}"""


def begun(server: Server, game: str) -> tuple[Evening, list[dict[str, Any]]]:
    """A table at which the cards of a hand are about to be played, and what is played."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    events = told(game, "cards", DICE[game])
    first = next(n for n, one in enumerate(events) if one["type"] == "card_played")
    evening.record(*((one["type"], one["data"]) for one in events[: first + 2]))
    return evening, events[first + 2 :]


def play(host: Phone, *told: dict[str, Any], as_played: bool = False) -> None:
    """Record events elsewhere, and see them on this phone."""
    host.evening.record(*((one["type"], one["data"]) for one in told), as_played=as_played)
    host.wait_for(host.evening.version())


@pytest.mark.parametrize("game", SCROLLS)
def test_all_cards_are_in_reach_and_keep_their_places(
    server: Server, browser: "Browser", game: str
) -> None:
    evening, rest = begun(server, game)
    with phone(browser, evening, "host") as host:
        host.open("?level=cards")
        before = host.page.evaluate(SEEN)
        for one in rest[: len(GAMES[game].split())]:
            play(host, one)
        after = host.page.evaluate(SEEN)
    assert before["top"] <= HIGHEST
    assert before["hidden"] == before["narrow"] == before["close"] == 0
    assert after["faded"] == before["faded"] + len(GAMES[game].split())
    assert {**after, "faded": 0} == {**before, "faded": 0}


@pytest.mark.parametrize(
    "game",
    [
        one if one in ("picchetto", "briscola_chiamata") else pytest.param(one, marks=SOAKED)
        for one in GAMES
    ],
)
def test_what_comes_next_is_one_glance(server: Server, browser: "Browser", game: str) -> None:
    """What stands over the pad stays low in the first two hands, whatever is on record of them."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    events = told(game, "tricks", DICE[game])
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        for hand in (1, 2):
            if evening.get()["matches"][0]["status"] != "open":
                return  # won by its first hand
            dealt = {"dealer": played(game, DICE[game]).dealer}
            evening.record(("hand_started", dealt), as_played=True)
            unseen: list[dict[str, Any]] = []
            for one in events[:-1]:
                unseen.append(one)
                if one["type"] != "trick_taken":
                    play(host, *unseen, as_played=True)
                    unseen.clear()
                    assert page.evaluate(SEEN)["top"] <= HIGHEST, (hand, one)
            rest = ((one["type"], one["data"]) for one in (*unseen, events[-1]))
            evening.record(*rest, as_played=True)


@pytest.mark.soak
@pytest.mark.parametrize("game", SCROLLS)
def test_a_hand_of_cards_takes_few_scrolls(server: Server, browser: "Browser", game: str) -> None:
    evening, rest = begun(server, game)
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open("cards")
        for one in rest:
            if one["type"] == "card_played":
                thumb.record(one["type"], one["data"])
    assert thumb.scrolls <= SCROLLS[game], thumb.said


@pytest.mark.parametrize("game", SCROLLS)
def test_what_is_seldom_said_is_behind_one_button(
    server: Server, browser: "Browser", game: str
) -> None:
    evening, _ = begun(server, game)
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        seldom = page.locator(".seldom form")
        assert seldom.count() >= len({"note_added", "penalty_given", "hand_abandoned"})
        assert page.locator(".pad > form:visible, .aside form:visible").count() > 0
        assert page.locator(".seldom form:visible").count() == 0
        page.get_by_text("More", exact=True).click()
        page.locator(".seldom").get_by_text("Note", exact=True).click()
        assert page.locator(".seldom textarea").is_visible()

"""Without scripts every page is complete, and a hand of each game can be recorded."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events, truth
from tests.browser.letters import Letters
from tests.browser.phones import Evening, Phone
from tests.browser.places import PLACES, WIDER, Sessions
from tests.browser.thumb import Thumb
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

# Forms without a visible button to send them.
DEAD: Final = """() => [...document.querySelectorAll("main form")]
  .filter((form) => form.checkVisibility())
  .filter((form) => ![...form.querySelectorAll("button:not([type=button]), input[type=submit]")]
    .some((one) => one.checkVisibility() || one.closest("details:not([open])")))
  .map((form) => form.outerHTML.slice(0, 160))"""


@dataclass
class Plain(Thumb):
    """A thumb on a browser without scripts, where each form is sent by its button."""

    def open(self, level: str) -> None:
        """Open the table at a level."""
        self.phone.open(f"?level={level}")

    def type(self, field: "Locator", number: int, high: int) -> None:
        """Type a number on the keyboard of the phone."""
        field.fill(str(number))


# The pages with the most scripts; every page in the soak.
SUITE: Final = ("home", "new", "table-tricks", "hand", "dispute", "results", "settings")


@pytest.fixture(scope="module")
def page(browser: "Browser", sessions: Sessions) -> Iterator["Page"]:
    with browser.new_context(
        base_url=sessions.origin, viewport={"width": 360, "height": 740}, java_script_enabled=False
    ) as context:
        sessions.sit(context)
        yield context.new_page()


@pytest.mark.parametrize(
    "place",
    [pytest.param(page, marks=[] if page in SUITE else [pytest.mark.soak]) for page in PLACES],
)
def test_page_is_complete_without_scripts(
    page: "Page", sessions: Sessions, letters: Letters, place: str
) -> None:
    page.goto(sessions.path(place))
    assert page.locator("h1").inner_text().strip()
    assert page.locator("main").inner_text().strip()
    assert page.evaluate(DEAD) == []
    assert max(letters.each(page, WIDER).values()) <= 0


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.soak] * (at % 3 > 0)) for at, game in enumerate(GAMES)],
)
def test_totals_of_a_hand_are_entered_without_scripts(
    server: Server, browser: "Browser", game: str
) -> None:
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    with browser.new_context(base_url=server.origin, java_script_enabled=False) as context:
        host = Plain(Phone.of(context, evening, "host"))
        host.open("totals")
        form = host.page.locator("form.whole")
        for event in recorded_events(game, "totals", DICE[game]):
            host.fill(form, host.prefix(form, event["type"]), dict(event["data"]))
        host.tap(form.locator("button.save"), "save")
        host.page.locator(".handover").wait_for()
    (hand,) = evening.get()["matches"][-1]["hands"]
    assert hand["scores"] == truth(game, DICE[game])

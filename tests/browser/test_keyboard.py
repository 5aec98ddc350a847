"""A hand entered with only Tab, arrows, space, Enter and digits; the whole hand in the soak."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, parts, played, recorded_events, truth
from tests.browser.letters import FAMILIES, put
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

FARTHEST: Final = 160  # presses of Tab, more than the elements of a page
THERE: Final = """(one) => document.activeElement === one || (one.type === "radio"
  && document.activeElement.type === "radio" && document.activeElement.name === one.name
  && document.activeElement.form === one.form)"""
SEEN: Final = """() => {
  const one = document.activeElement, box = (one.closest(".pick") || one).getBoundingClientRect();
  const bar = document.querySelector(".bar");
  const floor = bar && !bar.contains(one) ? bar.getBoundingClientRect().top : innerHeight;
  return box.bottom <= floor + 1 && box.bottom > 0;
}"""


@dataclass
class Keys(Thumb):
    """A user of the keyboard, who sees the focus."""

    arrowed: bool = False

    def go(self, target: "Locator") -> None:
        """Press Tab until an element, or another choice of its group, has the focus."""
        handle = target.element_handle()
        for _ in range(FARTHEST):
            if self.page.evaluate(THERE, handle):
                assert self.page.evaluate(SEEN), "hidden by the bar"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way to {target}")

    def _tap(self, target: "Locator", what: str) -> None:
        radio = target.locator("> input[type=radio]")
        if radio.count():
            self.choose(radio)
        else:
            self.go(target)
            self.page.keyboard.press("Enter")
        self.taps += 1
        self.texts.append(what)

    def choose(self, radio: "Locator") -> None:
        """Choose a radio button: the first by space, another one by arrows."""
        self.go(radio)
        handle = radio.element_handle()
        same = "(one) => document.activeElement === one"
        self.arrowed = False
        for _ in range(FARTHEST):
            if self.page.evaluate(same, handle):
                break
            self.page.keyboard.press("ArrowDown")
            self.arrowed = True
        if not self.arrowed:
            self.page.keyboard.press("Space")

    def type(self, field: "Locator", number: int, high: int) -> None:
        """Type a number into the focused field."""
        self.go(field)
        self.page.keyboard.type(str(number))

    def fill(self, form: "Locator", prefix: str, left: dict[str, object]) -> bool:
        """Choose the controls of these values; press Enter, as a choice by arrows sends nothing."""
        auto = form.get_attribute("data-auto") is not None
        self.arrowed = False
        sent = super().fill(form, prefix, left)
        if auto and self.arrowed:
            self.page.keyboard.press("Enter")
        return sent


LEVELS: Final = ("totals", "tricks", "cards")
IN_THE_SUITE: Final = ("riparto", "tricks")  # the others in the soak


def hands() -> Iterator[Any]:
    """Parametrize every game at every level."""
    for level, game in itertools.product(LEVELS, GAMES):
        marks = [] if (game, level) == IN_THE_SUITE else [pytest.mark.soak]
        yield pytest.param(game, game, level, marks=marks, id=f"{game}-{level}")


@pytest.fixture
def keys(request: pytest.FixtureRequest, server: Server, browser: "Browser") -> Iterator[Keys]:
    """Return the keyboard at a table with a hand that is dealt."""
    game: str = request.param
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    with phone(browser, evening, "host") as host:
        yield Keys(host)


@pytest.mark.parametrize(("keys", "game", "level"), list(hands()), indirect=["keys"])
def test_hand_is_entered_with_the_keyboard_only(keys: Keys, game: str, level: str) -> None:
    keys.open(level)
    put(keys.page, tuple(FAMILIES)[list(GAMES).index(game) % len(FAMILIES)])
    events = recorded_events(game, level, DICE[game])
    if level == "totals":
        keys.save(events)
    else:
        begun, elsewhere, last = parts(events)
        for raw in begun:
            keys.record(raw["type"], raw["data"])
        if elsewhere:
            keys.phone.evening.record(*((event["type"], event["data"]) for event in elsewhere))
            keys.phone.wait_for(keys.phone.evening.version())
        for raw in last:
            keys.record(raw["type"], raw["data"])
    (hand,) = keys.phone.evening.get()["matches"][-1]["hands"]
    assert hand["scores"] == truth(game, DICE[game])

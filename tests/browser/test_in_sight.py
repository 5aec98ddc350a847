"""What a player needs is whole on the screen, with nothing over it, at every size."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, phone
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SMALL, USUAL, LYING, TABLET, DESK = (
    (320, 568), (360, 740), (740, 360), (768, 1024), (1280, 800)
)  # fmt: skip
ALL: Final = 1000  # more events than a hand has
ENDS: Final[dict[str, list[tuple[str, dict[str, Any]]]]] = {
    "over": [("match_ended", {})], "closed": [("match_ended", {}), ("session_closed", {})],
}  # fmt: skip
# Which of the elements are cut off by the window, by the bar, or by one another; and how many rows
# they stand in.
LOOK: Final = """(selector) => {
  const size = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [one.getBoundingClientRect(), range.getBoundingClientRect()];
  };
  const cross = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const boxes = all.map(size);
  const hidden = all.filter((_, at) => boxes[at].some((box) => box.top < 0 || box.left < -1
    || box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || cross(box, bar)
    || boxes.some((others, other) => other !== at && cross(box, others[1]))));
  return {
    count: all.length, hidden: hidden.map((one) => one.textContent.trim()),
    rows: new Set(boxes.map(([box]) => Math.round(box.top))).size,
  };
}"""


@dataclass(frozen=True)
class Sight:
    """Elements of a page: at a level, after so many events of a hand, at a window size."""

    game: str
    level: str
    events: int
    size: tuple[int, int]
    selector: str
    language: str = "en"
    view: str = "entry"
    end: str = ""
    rows: int = 0  # or any number


SIGHTS: Final = {
    "five who watch": Sight("briscola_chiamata", "cards", 20, USUAL, ".zone", view="watch"),
    "five, lying": Sight("briscola_chiamata", "cards", 20, LYING, ".zone", view="watch"),
    "five, desk": Sight("briscola_chiamata", "cards", 20, DESK, ".zone", view="watch"),
    "four, small": Sight("riparto", "cards", 20, SMALL, ".zone", view="watch"),
    "tricks": Sight("knock", "tricks", 5, SMALL, ".tricks small", rows=1),
    "four numbers": Sight("riparto", "totals", 1, SMALL, ".pad > form .typed", rows=1),
    "dealer": Sight("briscola_col_monte", "cards", 2, SMALL, ".where", "it", rows=1),
    "more": Sight("riparto", "tricks", 4, SMALL, ".also summary:not(.sheet-up *)", rows=1),
    "games": Sight("picchetto", "tricks", 1, LYING, ".games-won", "fr", rows=1),
    "question": Sight("picchetto", "tricks", 2, LYING, ".zone, .shown .of-seats span"),
    "cards, lying": Sight("riparto", "cards", 4, LYING, ".by-suit .tap", rows=4),
    "cards, tablet": Sight("picchetto", "cards", 12, TABLET, ".also > .seldom > summary", "it"),
    "cards, desk": Sight("knock", "cards", 9, DESK, ".also > .seldom > summary"),
    "over, lying": Sight("riparto", "totals", ALL, LYING, ".over .button", "fr", end="over"),
    "closed, lying": Sight("riparto", "totals", ALL, LYING, ".over .button", "it", end="closed"),
}  # fmt: skip
SUITE: Final = ("five who watch", "games", "tricks", "over, lying")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SUITE else pytest.mark.soak) for name in SIGHTS]
)
def test_what_is_needed_is_whole_on_the_screen(
    server: Server, browser: "Browser", name: str
) -> None:
    sight = SIGHTS[name]
    evening = Evening.begin(server, sight.game, len(GAMES[sight.game].split()))
    dealt: tuple[str, dict[str, Any]] = (
        "hand_started", {"dealer": played(sight.game, DICE[sight.game]).dealer}
    )  # fmt: skip
    events = recorded_events(sight.game, sight.level, DICE[sight.game])[: sight.events]
    evening.record(dealt, *((one["type"], one["data"]) for one in events), as_played=True)
    if sight.end:
        evening.record(*ENDS[sight.end])
    with phone(browser, evening, "host") as host:
        width, height = sight.size
        host.page.set_viewport_size({"width": width, "height": height})
        host.page.set_extra_http_headers({"Accept-Language": sight.language})
        seen = host.open(f"?level={sight.level}&view={sight.view}").evaluate(LOOK, sight.selector)
        host.page.set_extra_http_headers({})
    assert seen["count"] > 0
    assert seen["hidden"] == []
    assert sight.rows in (0, seen["rows"])

"""Between two hands nothing moves under a thumb, and the next hand takes one tap."""

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, Phone, phone
from tests.browser.test_phones_away import speak
from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect

pytestmark = pytest.mark.browser

SOAKED: Final = pytest.mark.soak
MOST_CHECKED: Final = 16 if SOAK else 6  # events of a hand that are checked one by one
HAND: Final = (
    ("hand_started", {"dealer": "mara"}),
    ("bid_made", {"player": "leo", "points": 5}),
    ("points_counted", {"points": {"mara": 4, "leo": 5, "zoe": 6}}),
)
SHIFTS: Final = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value)))
    .observe({ type: "layout-shift" });
}"""
# Waits until the browser has reported a layout shift of the last frame.
SEEN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))"


def boxes(device: Phone) -> list["FloatRect | None"]:
    """Return the places of the buttons that a thumb taps next."""
    return [
        device.page.locator(selector).bounding_box()
        for selector in (".accepts .button", ".next-hand")
    ]


@pytest.mark.parametrize("who", ["leo", "host"])
def test_confirmations_of_others_move_no_button(
    server: Server, browser: "Browser", who: str
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, who) as device:
        page = device.open("?level=tricks")
        before = boxes(device) if who == "leo" else [page.locator(".next-hand").bounding_box()]
        page.evaluate(SHIFTS)
        for other in ("mara", "zoe"):
            evening.record(("hand_confirmed", {"player": other}), by=other)
            device.wait_for(evening.version())
        page.evaluate(SEEN)
        assert page.locator(".signer.good").count() == len(("mara", "zoe"))
        now = boxes(device) if who == "leo" else [page.locator(".next-hand").bounding_box()]
        assert now == before
        assert page.evaluate("() => window.shifts") == []


def test_next_hand_appears_under_the_thumb_that_accepted(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, "leo") as leo:
        page = leo.open("?level=tricks")
        next_hand = page.locator(".next-hand summary")
        before = next_hand.bounding_box()
        assert not page.locator(".pad").is_visible()
        page.get_by_role("button", name="Accept").click()
        until(lambda: evening.events("hand_confirmed"), 10)
        page.get_by_text("You have accepted").wait_for()
        assert next_hand.bounding_box() == before
        next_hand.click()
        page.locator(".pad").wait_for()
        assert not page.locator(".accounts").is_visible()
        evening.record(("hand_confirmed", {"player": "mara"}), by="mara")
        leo.wait_for(evening.version())
        assert page.locator(".pad").is_visible()
        evening.record(("hand_started", {"dealer": "leo"}))
        leo.wait_for(evening.version())
        assert page.locator(".next-hand").count() == 0
        evening.record(*HAND[1:])
        leo.wait_for(evening.version())
        assert page.locator(".accounts").is_visible()
        assert not page.locator(".pad").is_visible()


# Whether a box scrolls within the card, and the distance of its end above the bar.
WHOLE: Final = """() => {
  const edge = (one, side) => document.querySelector(one).getBoundingClientRect()[side];
  return {
    boxed: [...document.querySelectorAll(".handover, .handover *")].filter((one) =>
      one.checkVisibility() && ["auto", "scroll"].includes(getComputedStyle(one).overflowY)).length,
    over: edge(".hand-on", "bottom") - edge(".bar", "top"),
    hidden: edge(".accounts", "bottom") - edge(".hand-on", "top"),
  };
}"""
LOST: Final = ("outcome_recorded", {"made": False})


@pytest.mark.parametrize("who", ["leo", "host"])
def test_whole_result_of_five_players_is_visible_beside_the_buttons(
    server: Server, browser: "Browser", who: str
) -> None:
    evening = Evening.begin(server, "briscola_chiamata", 5)
    evening.record(
        ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "leo", "bid": "K"}),
        ("partner_revealed", {"player": "ben"}),
        ("points_counted", {"points": {"bidder": 70, "defenders": 50}}),
    )  # fmt: skip
    with phone(browser, evening, who) as device:
        layout = device.open("?level=totals").evaluate(WHOLE)
    assert layout["over"] <= 0
    assert layout["hidden"] <= 0


@pytest.mark.parametrize("height", [740, pytest.param(568, marks=pytest.mark.soak)])
def test_accept_stays_visible_while_the_result_of_seven_players_scrolls(
    server: Server, browser: "Browser", height: int
) -> None:
    evening = Evening.begin(server, "briscola_col_monte", 7)
    evening.record(
        ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "leo", "bid": 63}),
        ("partner_revealed", {"player": "ben"}), LOST,
    )  # fmt: skip
    with phone(browser, evening, "leo") as device:
        device.page.set_viewport_size({"width": 360, "height": height})
        page = device.open("?level=totals")
        layout = page.evaluate(WHOLE)
        assert layout["boxed"] == 0
        assert layout["over"] <= 0
        page.locator(".stage").evaluate("(one) => { one.scrollTop = one.scrollHeight; }")
        assert page.evaluate(WHOLE)["hidden"] < 1, "the last of them comes out under it"
        page.get_by_role("button", name="Accept").click()
        until(lambda: evening.events("hand_confirmed"), 10)


@pytest.mark.parametrize("level", ["cards", "tricks"])
def test_next_steps_move_no_button(server: Server, browser: "Browser", level: str) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND, ("hand_started", {"dealer": "leo"}))
    evening.record(("bid_made", {"player": "leo", "points": 5}))
    evening.record(("hierarchy_declared", {"player": "leo", "suits": ["S", "H", "D", "C"]}))
    places = """() => [...document.querySelectorAll('.pad button')]
      .map((one) => one.getBoundingClientRect().top)"""
    with phone(browser, evening, "host") as device:
        page = device.open(f"?level={level}")
        page.evaluate(SHIFTS)
        before = page.evaluate(places)
        evening.record(("hand_disputed", {"player": "zoe", "hand": 1, "reason": "no"}), by="zoe")
        device.wait_for(evening.version())
        page.get_by_text("Hand 1 is disputed").first.wait_for()
        assert page.evaluate(places) == pytest.approx(before, abs=1)
        withdrawn = {"seq": evening.events("hand_disputed")[0]["seq"], "reason": "no"}
        evening.record(("event_struck", withdrawn), by="zoe")
        device.wait_for(evening.version())
        page.locator(".to-do").wait_for(state="detached")
        assert page.evaluate(places) == pytest.approx(before, abs=1)
        page.evaluate(SEEN)
        assert page.evaluate("() => window.shifts") == []


@pytest.mark.parametrize("level", ["tricks", "cards"])
@pytest.mark.parametrize(
    "game", ["riparto", *(pytest.param(game, marks=SOAKED) for game in GAMES if game != "riparto")]
)
def test_hand_recorded_on_another_phone_shifts_no_layout(
    server: Server, browser: "Browser", game: str, level: str
) -> None:
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    with phone(browser, evening, "host") as device:
        page = device.open(f"?level={level}")
        page.evaluate(SHIFTS)
        for event in recorded_events(game, level, DICE[game])[:MOST_CHECKED]:
            evening.record((event["type"], event["data"]))
            device.wait_for(evening.version())
        page.evaluate(SEEN)
        assert page.evaluate("() => window.shifts") == []


LINES: Final = """(all) => all.map((one) =>
  Math.floor(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)))"""


def test_star_of_the_winners_takes_no_line_of_its_own(server: Server, browser: "Browser") -> None:
    """In French the headings of the figures leave the names of two players least room."""
    evening = Evening.begin(server, "briscola_regina", 4)
    evening.record(HAND[0], ("points_counted", {"points": {"A": 12, "B": 108}}))
    with phone(browser, evening, "mara") as mara:
        speak(mara, "fr")
        assert mara.open().locator(".accounts tbody th").evaluate_all(LINES) == [1, 1]


LONG: Final = {
    "mara": "Massimiliano Bartolomeo Rossi-Colonna di Montefeltro", "zoe": "Zoe",
}  # fmt: skip
# The distances of the name of a side from the edge of the card, and of its first line from the
# first line of its figures.
ALIGNED: Final = """() => [...document.querySelectorAll("tbody > :has(th)")].map((row) => {
  const first = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getClientRects()[0];
  };
  const card = row.closest("table").getBoundingClientRect(), name = first(row.cells[0]);
  const figures = [...row.cells].slice(1).map((cell) => first(cell).top - name.top);
  return [name.left - card.left, ...figures].map(Math.abs);
})"""


def test_long_names_begin_at_the_edge_with_the_figures_on_their_first_line(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND, ("player_renamed", {"player": "mara", "name": LONG["mara"]}))
    with phone(browser, evening, "leo") as leo:
        page = leo.open()
        assert page.locator(".accounts tbody th").evaluate_all(LINES)[-1] > 1
        for distances in page.evaluate(ALIGNED):
            assert max(distances) < 6


def test_match_is_ended_behind_the_more_of_the_result(server: Server, browser: "Browser") -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, "host") as host:
        page = host.open()
        before = page.locator(".next-hand").bounding_box()
        page.locator(".handover").get_by_text("More", exact=True).click()
        page.locator("summary").get_by_text("The match stops here").click()
        assert page.locator("form.match_ended button").first.is_visible()
        assert page.locator(".next-hand").bounding_box() == before
        page.locator(".happened").click()
        assert not page.locator("form.match_ended").is_visible()


def test_change_and_total_of_each_player_are_shown_once(server: Server, browser: "Browser") -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, "host") as host:
        page = host.open()
        assert page.get_by_text("+5", exact=False).locator("visible=true").count() == 1
        page.locator(".next-hand summary").click()
        assert page.locator(".delta").first.is_visible()


def test_host_accepts_for_another_by_one_tap_and_no_chip_moves(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, "host") as host:
        page = host.open()
        chips = page.locator(".signer")
        places = "(all) => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
        before = chips.evaluate_all(places)
        page.locator("button.signer", has_text="Leo").click()
        until(lambda: evening.events("hand_confirmed"), 10)
        page.locator(".signer.good", has_text="Leo").wait_for()
        assert chips.evaluate_all(places) == before


def test_no_word_before_a_correction_is_broken(server: Server, browser: "Browser") -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    count = {"mara": 5, "leo": 5, "zoe": 5}
    replaced = {"seq": evening.version(), "type": "points_counted", "data": {"points": count}}
    evening.record(("event_replaced", {**replaced, "reason": "typed wrongly"}), as_played=True)
    with phone(browser, evening, "mara") as mara:
        speak(mara, "fr")
        mara.page.goto(f"/t/{evening.id}/h/1-1")
        words = mara.page.locator(".corrections :is(.before, .after) > span")
        assert words.all_inner_texts() == ["avant", "maintenant"]
        assert len(set(words.evaluate_all(TEXT_HEIGHTS))) == 1


TEXT_HEIGHTS: Final = """(all) => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return Math.round(range.getBoundingClientRect().height);
})"""

"""Several phones at the same time, and double taps on one."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import HEIGHT, NAMES, WIDTH, Evening, Phone, asking, phone
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROUND_TRIP: Final = 150  # milliseconds
# Clicks on an element at a time of the shared clock; returns before that.
CLICK_AT: Final = """([selector, at]) => {
  setTimeout(() => document.querySelector(selector).click(), at - Date.now());
}"""
TOUCHED_TWICE: Final = """([selector, apart]) => {
  const touched = document.querySelector(selector);
  touched.click();
  setTimeout(() => document.querySelector(selector)?.click(), apart);
}"""
APART: Final = 100  # milliseconds
CHIAMATA: Final = (
    ("hand_started", {"dealer": "mara"}),
    ("bid_made", {"player": "leo", "bid": "K"}),
    ("partner_revealed", {"player": "ben"}),
    ("outcome_recorded", {"made": True}),
)

RIPARTO: Final = (
    ("hand_started", {"dealer": "mara"}),
    ("bid_made", {"player": "leo", "points": 5}),
    ("points_counted", {"points": {"mara": 4, "leo": 5, "zoe": 6}}),
)


def slow(page: "Page") -> None:
    """Delay every request of a page."""
    conditions = {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": -1,
                  "uploadThroughput": -1}  # fmt: skip
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def tap_in_turn(phones: list[tuple[Phone, str]], spacing: float) -> None:
    """Tap on an element of each phone, ``spacing`` milliseconds after the previous one."""
    start = 1000 * time.time() + 100 * len({device.page for device, _ in phones})
    for place, (tapped, selector) in enumerate(phones):
        tapped.page.evaluate(CLICK_AT, [selector, start + place * spacing])
    tapped.page.wait_for_timeout(start + len(phones) * spacing - 1000 * time.time())


@pytest.fixture
def seated(browser: "Browser", server: Server) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a table with the phones of all seats."""
    with ExitStack() as stack:

        def begin(game: str, of: int, query: str, *events: Any) -> tuple[Evening, dict[str, Phone]]:
            evening = Evening.begin(server, game, of)
            evening.record(*events)
            phones = {
                name: stack.enter_context(phone(browser, evening, name, new=True))
                for name in list(NAMES)[:of]
            }
            for value in phones.values():
                value.open(query)
                slow(value.page)
            return evening, phones

        yield begin


@pytest.mark.parametrize(
    "spacing",
    [100, *(pytest.param(spacing, marks=pytest.mark.soak) for spacing in (0, 30, 60, 200, 400))],
)
def test_confirmations_in_quick_succession_are_all_recorded(
    seated: Callable[..., Any], spacing: int
) -> None:
    evening, phones = seated("briscola_chiamata", 5, "?level=totals", *CHIAMATA)
    tap_in_turn([(value, "#table .accepts button") for value in phones.values()], spacing)
    until(lambda: len(evening.events("hand_confirmed")) == len(phones), 5)
    assert {event["by"] for event in evening.events("hand_confirmed")} == set(phones)
    for value in phones.values():
        assert value.page.locator("#notice, #conflict:not([hidden])").count() == 0


IN_TURN: Final = (
    ("leo", "A"),
    ("zoe", "3"),
    ("ben", "K"),
    ("mara", "2"),
)  # the player who leads wins
CARDS: Final = [(who, f"{rank}{suit}") for suit in "SCDB" for who, rank in IN_TURN]
AT_CARDS: Final = "briscola_regina", 4, "?level=cards", ("hand_started", {"dealer": "mara"})


def button_of(card: str) -> str:
    return f"#table .card_played button[value*='\"{card}\"']"


def cards_of(evening: Evening) -> list[tuple[str, str]]:
    return [
        (event["data"]["player"], event["data"]["card"]) for event in evening.events("card_played")
    ]


def test_cards_of_phones_with_outdated_pages_are_all_recorded(
    seated: Callable[..., Any],
) -> None:
    """Each page shows only what its own phone recorded."""
    evening, phones = seated(*AT_CARDS)
    for value in phones.values():
        value.page.evaluate(asking("live.close()"))
    played = CARDS[: 2 * len(phones)]
    for place, (who, card) in enumerate(played, 1):
        phones[who].page.evaluate(CLICK_AT, [button_of(card), 0])
        until(lambda place=place: len(cards_of(evening)) == place, 5)  # type: ignore[misc]
    assert cards_of(evening) == played


def test_waiting_card_is_named_by_its_player_and_itself(browser: "Browser", server: Server) -> None:
    """The card of the trick before still lies at the seat of its player."""
    evening = Evening.begin(server, AT_CARDS[0], AT_CARDS[1])
    trick = [("card_played", {"player": who, "card": card}) for who, card in CARDS[:4]]
    evening.record(AT_CARDS[3], *trick)
    with phone(browser, evening, "host") as host:
        host.open(AT_CARDS[2])
        host.go_away()
        host.page.evaluate("(selector) => document.querySelector(selector).click()",
                           button_of(CARDS[4][1]))  # fmt: skip
        until(lambda: host.waiting() == 1, 5)
        words = host.page.evaluate(asking("outbox.all()[0].said"))
        assert words == "Leo, ace of cups"


@pytest.mark.soak
def test_cards_tapped_by_four_phones_in_turn_are_all_recorded(seated: Callable[..., Any]) -> None:
    evening, phones = seated(*AT_CARDS)
    tap_in_turn([(phones[who], button_of(card)) for who, card in CARDS], 250)
    until(lambda: len(cards_of(evening)) == len(CARDS), 5)
    assert cards_of(evening) == CARDS


# ------------------------------------------------------------------------------ touched twice


@pytest.fixture
def host(browser: "Browser", evening: Evening) -> Iterator[Phone]:
    """Return the host's phone on a slow network."""
    with phone(browser, evening, "host", new=True) as host:
        host.open()  # from then on the store knows the phone, even if answers are lost
        slow(host.page)
        yield host


def wait_until(page: "Page", there: Callable[[], object]) -> None:
    """Wait until a condition holds, while the page continues."""

    def all_recorded() -> bool:
        page.wait_for_timeout(APART)
        return bool(there())

    until(all_recorded, 10)


def arrive(page: "Page", there: str) -> None:
    """Wait until the answer to the second tap is displayed, which replaces the first."""
    wait_until(page, lambda: re.search(there, page.url))
    page.wait_for_timeout(APART + 2 * ROUND_TRIP)
    page.wait_for_load_state()


def touch_twice(page: "Page", selector: str, leads_to: str) -> None:
    page.evaluate(TOUCHED_TWICE, [selector, APART])
    arrive(page, leads_to)


def test_double_tap_on_start_opens_one_table(host: Phone) -> None:
    page = host.page
    page.goto("/new?game=riparto")
    for place, name in enumerate(("Mara", "Leo", "Zoe")):
        page.locator("#new input[name=name]").nth(place).fill(name)
    touch_twice(page, "#new button.wide", "/share$")
    page.goto("/")
    tables = page.locator("a[href^='/t/']").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href').split('/')[2])"
    )
    assert len(set(tables) - {host.evening.id}) == 1


def test_double_tap_on_open_the_club_opens_one_club(host: Phone) -> None:
    page = host.page
    page.goto("/club/new")
    page.locator("input[name=name]").fill("Circolo")
    page.locator("input[name=me]").fill("Mara")
    page.check("#money-no")
    touch_twice(page, "main form button.wide", "/club/o")
    page.goto("/")
    clubs = page.locator("a[href^='/club/o']").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href').split('/')[2])"
    )
    assert len(set(clubs)) == 1


def test_double_tap_on_another_match_starts_one(host: Phone) -> None:
    host.page.goto(f"/t/{host.evening.id}/settings/match")
    touch_twice(host.page, "#new button.wide", f"/t/{host.evening.id}$")
    assert len(host.evening.events("match_started")) == 2


def test_double_tap_at_the_desk_reports_that_it_is_done(browser: "Browser", server: Server) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*RIPARTO)
    with phone(browser, evening, "leo", new=True) as leo:
        slow(leo.page)
        leo.page.goto(f"/t/{evening.id}/d/1-1")
        leo.page.evaluate(TOUCHED_TWICE, ["button[name=reason]", APART])
        wait_until(leo.page, lambda: evening.events("hand_disputed"))
        arrive(leo.page, "/d/1-1")
        leo.page.get_by_role("heading", name="Hand 1 is disputed").wait_for()
        assert "stale" not in leo.page.url
        assert "nothing was done" not in leo.page.locator("main").inner_text()
    assert len(evening.events("hand_disputed")) == 1


# --------------------------------------------------------------------------- of another hand


COUNT_WHOLE: Final = """(points) => {
  const form = document.querySelector("[data-step=totals]");
  const place = form.querySelector("input[value=points_counted]").name.split(".")[0];
  form.querySelector(`[name="${place}.n:points.A"]:not([type=radio])`).value = points;
  form.querySelector(".save").click();
}"""


def counted(a: int) -> tuple[str, dict[str, Any]]:
    """The count of a hand of Knock!."""
    return "points_counted", {"points": {"A": a, "B": 100 - a}}


@pytest.fixture
def away(browser: "Browser", server: Server) -> Iterator[Phone]:
    """Return a phone without a network at a hand of Knock!."""
    evening = Evening.begin(server, "knock", 4)
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "mara") as mara:
        mara.open("?level=totals")
        mara.go_away()
        yield mara


def count(device: Phone, *hands: int) -> None:
    """Enter the counts of whole hands."""
    for place, points in enumerate(hands, 1):
        device.page.evaluate(COUNT_WHOLE, str(points))
        until(lambda place=place: device.waiting() == place, 5)  # type: ignore[misc]


def test_count_entered_offline_is_not_recorded_in_the_next_hand(away: Phone) -> None:
    """The page offers no way to record it there."""
    count(away, 62)
    away.evening.record(counted(62), ("hand_started", {"dealer": "leo"}))
    before = away.evening.version()
    away.context.set_offline(False)
    sheet = away.page.locator("#conflict")
    sheet.wait_for()
    assert sheet.locator("[data-part=same]").is_visible()
    assert sheet.locator("[data-part=over]").is_visible()
    buttons = sheet.locator("li button")
    assert buttons.all_inner_texts() == ["Discard it"]
    assert buttons.get_attribute("class") == "button"
    buttons.click()
    until(lambda: not away.waiting(), 5)
    assert away.evening.version() == before


def test_counts_entered_offline_stay_in_their_hands(away: Phone) -> None:
    """Others recorded the first two hands: only the third can still be recorded, as the third."""
    count(away, 62, 40, 55)
    others = away.evening
    others.record(counted(62), ("hand_started", {"dealer": "leo"}), counted(40))
    others.record(("hand_started", {"dealer": "zoe"}))
    away.context.set_offline(False)
    first = away.page.locator("#conflict li").first
    for left in (2, 1):
        first.get_by_role("button", name="Discard it").click()
        until(lambda left=left: away.waiting() == left, 5)  # type: ignore[misc]
        away.page.locator("#conflict").wait_for()
    first.get_by_role("button", name="Record it after that").click()
    until(lambda: not away.waiting(), 5)
    assert [event["data"]["points"]["A"] for event in others.events("points_counted")] == [
        62,
        40,
        55,
    ]
    assert len(others.events("hand_started")) == 3


def test_offline_entries_of_several_hands_arrive_without_other_writers(
    away: Phone,
) -> None:
    count(away, 62, 40, 55)
    away.context.set_offline(False)
    until(lambda: not away.waiting(), 10)
    hands = away.evening.get()["matches"][0]["hands"]
    assert [hand["status"] for hand in hands] == ["complete"] * 3


@pytest.fixture
def missing_tricks(browser: "Browser", server: Server) -> Iterator[Phone]:
    """Return a phone without a network at a hand of Riparto that lacks its last two tricks."""
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*RIPARTO[:2], *[("trick_taken", {"player": "zoe"})] * 7)
    with phone(browser, evening, "leo") as leo:
        leo.open("?level=tricks")
        leo.go_away()
        yield leo


def take(device: Phone, *names: str) -> None:
    """Enter who takes the next tricks."""
    for place, name in enumerate(names, 1):
        device.page.locator("form.trick_taken button", has_text=name).click()
        until(lambda place=place: device.waiting() == place, 5)  # type: ignore[misc]


def test_tricks_behind_one_that_went_after_another_stay_in_their_hand(
    missing_tricks: Phone,
) -> None:
    """The hand was over with the first of them, and the second began the next hand."""
    leo, evening = missing_tricks, missing_tricks.evening
    take(leo, "Leo", "Mara", "Zoe")
    evening.record(("trick_taken", {"player": "zoe"}))
    leo.context.set_offline(False)
    sheet = leo.page.locator("#conflict")
    sheet.get_by_role("button", name="Record it after that").click()
    until(lambda: leo.waiting() == 2, 5)
    sheet.locator("[data-part=over]").wait_for()
    assert len(evening.events("hand_started")) == 1
    sheet.locator("li").first.get_by_role("button", name="Discard it").click()
    sheet.get_by_role("button", name="Try again").click()
    until(lambda: not leo.waiting(), 5)
    kinds = [event["type"] for event in evening.events()]
    assert kinds[-2:] == ["hand_started", "trick_taken"]
    assert kinds.count("trick_taken") == 10


def test_trick_of_the_next_hand_waits_for_the_end_of_this_one(missing_tricks: Phone) -> None:
    """The trick of the next hand completed this one, for which another phone took one back."""
    leo, evening = missing_tricks, missing_tricks.evening
    take(leo, "Leo", "Mara", "Zoe")
    evening.record(("event_struck", {"seq": evening.version(), "reason": "not yet"}))
    leo.context.set_offline(False)
    sheet = leo.page.locator("#conflict")
    sheet.get_by_role("button", name="Record it after that").click()
    until(lambda: leo.waiting() == 1, 5)
    sheet.get_by_text("an earlier hand is not over").wait_for()
    evening.record(("trick_taken", {"player": "mara"}))
    sheet.get_by_role("button", name="Try again").click()
    sheet.get_by_role("button", name="Record it after that").click()
    until(lambda: not leo.waiting(), 5)
    kinds = [event["type"] for event in evening.events()]
    assert kinds[-3:] == ["trick_taken", "hand_started", "trick_taken"]


def test_second_tap_on_another_button_does_nothing(server: Server, browser: "Browser") -> None:
    """As if the page was redrawn with another player, or an older entry, at the same place."""
    evening = Evening.begin(server, "riparto", 3)
    with phone(browser, evening, "leo") as leo:
        page = leo.open("?level=tricks")
        page.evaluate(TWO_BUTTONS)
        spot = page.locator("#first").bounding_box()
        assert spot
        x, y = spot["x"] + 5, spot["y"] + 5
        page.mouse.click(x, y)
        page.mouse.click(x, y)
        assert page.evaluate("taps") == ["first"]
        page.wait_for_timeout(400)
        page.mouse.click(x, y)
        assert page.evaluate("taps") == ["first", "second"]


TOUCH_DOWN: Final = """(selector) => {
  const touched = document.querySelector(selector);
  touched.click();
  touched.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
}"""
TOUCH_UP: Final = """(selector) => {
  const touched = document.querySelector(selector);
  touched.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  touched.click();
}"""


@pytest.mark.parametrize(
    ("who", "selector", "kind", "before"),
    [
        ("leo", ".accepts button", "hand_confirmed", RIPARTO),
        ("host", "[data-step=hand_started] button", "hand_started", ()),
        ("host", ".undo button", "event_struck", RIPARTO),
    ],
)
def test_second_touch_that_is_down_as_the_answer_comes_sends_nothing(
    browser: "Browser", server: Server, who: str, selector: str, kind: str, before: Any
) -> None:
    """The answered form stays on the page until the touch is lifted."""
    evening = Evening.begin(server, "riparto", 3)
    for entry in before:
        evening.record(entry)  # each append is a separate form for Undo
    with phone(browser, evening, who) as device:
        page = device.open("?level=tricks")
        shown = device.version()
        page.evaluate(TOUCH_DOWN, selector)
        until(lambda: evening.version() > shown and not device.waiting(), 5)
        assert device.version() == shown
        page.evaluate(TOUCH_UP, selector)
        device.wait_for(shown + 1)
        assert not device.waiting()
        assert len(evening.events(kind)) == 1
        assert page.locator("#notice").count() == 0


def test_double_tap_on_undo_takes_back_one_entry(browser: "Browser", server: Server) -> None:
    """The page that comes between the two taps puts an older entry under the thumb."""
    evening = Evening.begin(server, "riparto", 3)
    for entry in RIPARTO:
        evening.record(entry)
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        spot = page.locator(".undo button").bounding_box()
        assert spot
        x, y = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
        page.evaluate(COUNT_SUBMITS)
        page.mouse.dblclick(x, y)
        host.wait_for(len(RIPARTO) + 3)
        assert page.evaluate("submits") == 1
        until(lambda: not host.waiting(), 5)
        assert len(evening.events("event_struck")) == 1


COUNT_SUBMITS: Final = """() => {
  window.submits = 0;
  document.addEventListener("submit", () => { window.submits += 1; }, true);
}"""


def test_second_tap_on_a_chip_chooses_nothing(browser: "Browser", server: Server) -> None:
    """As after a tap on the dealer, where the first figures of the hand appear."""
    evening = Evening.begin(server, "riparto", 3)
    with phone(browser, evening, "host") as host:
        page = host.open("?level=totals")
        page.evaluate(BUTTON_OVER_CHIP)
        page.mouse.click(5, 5)
        page.mouse.click(5, 5)
        chip = page.locator("#under")
        assert not chip.is_checked()
        page.wait_for_timeout(400)
        page.mouse.click(5, 5)
        assert chip.is_checked()


# A button that a chip replaces at the same place as soon as it is tapped.
BUTTON_OVER_CHIP: Final = """() => {
  const place = document.createElement("div");
  place.style = "position: fixed; top: 0; left: 0; z-index: 99";
  place.innerHTML = "<button type=button>Mara</button>";
  place.firstChild.addEventListener("click", () => {
    place.innerHTML = "<label class=pick><input type=radio id=under><span>5</span></label>";
  });
  document.body.append(place);
}"""

# A button that another one replaces at the same place as soon as it is tapped.
TWO_BUTTONS = """() => {
  window.taps = [];
  const place = document.createElement("div");
  place.style = "position: fixed; top: 0; left: 0; z-index: 99";
  const put = (id, next) => {
    const made = document.createElement("button");
    Object.assign(made, { id, type: "button", textContent: id });
    made.addEventListener("click", () => { window.taps.push(id); next?.(); });
    place.replaceChildren(made);
  };
  put("first", () => put("second"));
  document.body.append(place);
}"""


# Touches a button, and its place once more, perhaps after an event of the page. Both touches say
# when they were, so that no slow machine comes between them.
TOUCHED_AGAIN: Final = """([selector, event, apart]) => {
  const first = document.querySelector(selector), box = first.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2, began = performance.now();
  const touch = (target, after) => {
    const how = { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 1 };
    const click = new MouseEvent("click", how);
    Object.defineProperty(click, "timeStamp", { value: began + after });
    target.dispatchEvent(click);
  };
  const again = () => setTimeout(() => touch(document.elementFromPoint(x, y), apart), apart);
  touch(first, 0);
  if (event) document.addEventListener(event, again, { once: true }); else again();
}"""
PASS: Final = "form.bid_made [value*='\"pass\"']"


def test_second_touch_on_pass_does_not_pass_for_the_next_player(
    browser: "Browser", server: Server
) -> None:
    evening = Evening.begin(server, "briscola_chiamata", 5)
    evening.record(CHIAMATA[0])
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        page.evaluate(TOUCHED_AGAIN, [PASS, "table:shown", APART])
        host.wait_for(4)
        page.wait_for_timeout(3 * APART)
        assert not host.waiting()
        assert [event["data"]["player"] for event in evening.events("bid_made")] == ["leo"]


@pytest.mark.parametrize(
    ("game", "of", "selector", "before"),
    [
        ("knock", 4, ".save", CHIAMATA[:1]),
        ("knock", 4, "[data-step=hand_started] button", ()),
        ("briscola_chiamata", 5, PASS, CHIAMATA[:1]),
    ],
)
def test_form_touched_twice_without_a_network_waits_once(
    browser: "Browser", server: Server, game: str, of: int, selector: str, before: Any
) -> None:
    evening = Evening.begin(server, game, of)
    for entry in before:
        evening.record(entry)
    with phone(browser, evening, "host") as host:
        page = host.open(f"?level={'totals' if selector == '.save' else 'tricks'}")
        for field in page.locator(".whole .typed input").all()[:1]:
            field.fill("52")
        host.go_away()
        page.evaluate(TOUCHED_AGAIN, [selector, "", APART])
        page.wait_for_timeout(3 * APART)
        assert host.waiting() == 1


@pytest.mark.parametrize(("game", "of"), [("knock", 4), ("briscola_regina", 4)])
def test_empty_count_is_refused_without_a_network(
    browser: "Browser", server: Server, game: str, of: int
) -> None:
    evening = Evening.begin(server, game, of)
    evening.record(CHIAMATA[0])
    with phone(browser, evening, "host") as host:
        page = host.open("?level=totals")
        host.go_away()
        page.locator(".save").click()
        empty = page.locator(".whole input:invalid").first
        message = empty.evaluate("(one) => one.validationMessage")
        assert message == "Nothing has been entered yet."
        assert not host.waiting()


def twice_at(page: "Page", selector: str) -> None:
    """Tap twice at the place of an element, even if the first tap removes it."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    for _ in range(2):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(APART)


def test_two_taps_on_a_name_seat_one_player(browser: "Browser", server: Server) -> None:
    with browser.new_context(
        base_url=server.origin, viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True
    ) as context:
        names = "&".join(f"name={value}" for value in NAMES.values())
        known = f"game=riparto&{names}"
        context.add_cookies([{"name": "players", "value": known, "url": server.origin}])
        page = context.new_page()
        page.goto("/new")
        twice_at(page, ".person:not(.same)")
        seated = page.locator(".names input[name=name]").evaluate_all(
            "(all) => all.map((one) => one.value)"
        )
        assert [name for name in seated if name] == ["Mara"]
        # The button of the next page at the same place is not tapped.
        page.locator(".game-pick[value=picchetto]").scroll_into_view_if_needed()
        twice_at(page, ".game-pick[value=picchetto]")
        page.wait_for_load_state()
        assert page.locator("[name=game]").input_value() == "picchetto"

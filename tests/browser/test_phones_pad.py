"""The pad of an offline phone continues to work, and its entries arrive later."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import Evening, Phone, asking, phone
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.browser


@pytest.fixture
def evening(server: Server) -> Evening:
    """Return a table of four with the first hand of a match."""
    evening = Evening.begin(server, "briscola_regina", 4)
    evening.record(("hand_started", {"dealer": "mara"}))
    return evening


@pytest.fixture
def leo(browser: "Browser", evening: Evening) -> Iterator[Phone]:
    """Return Leo's phone."""
    with phone(browser, evening, "leo") as leo:
        yield leo


def card(device: Phone, name: str) -> None:
    """Tap a card, and wait until the phone has stored it."""
    count = device.waiting()
    device.page.get_by_role("button", name=name, exact=True).click()
    until(lambda: device.waiting() == count + 1, 5)


def next_seat(device: Phone) -> list[str]:
    chosen = device.page.locator("[data-group=player] label:has(input:checked)")
    return [text.strip() for text in chosen.all_inner_texts()]


def test_played_card_disappears_and_the_next_seat_is_selected(evening: Evening, leo: Phone) -> None:
    leo.open("?level=cards")
    leo.go_away()
    card(leo, "ace of swords")
    assert next_seat(leo) == ["Zoe"]
    assert leo.page.get_by_role("button", name="ace of swords", exact=True).is_disabled()
    card(leo, "3 of swords")
    assert next_seat(leo) == ["Ben"]
    assert "2 waiting. The last: Zoe, 3 of swords" in leo.page.locator("#strip").inner_text()
    assert not leo.page.locator(".up-next").is_visible()
    leo.context.set_offline(False)
    leo.wait_for(5)
    played = [
        (event["data"]["player"], event["data"]["card"]) for event in evening.events("card_played")
    ]
    assert played == [("leo", "AS"), ("zoe", "3S")]
    assert next_seat(leo) == ["Ben"]
    assert not leo.page.locator("#strip").is_visible()


def test_winner_of_a_trick_leads_unless_another_player_is_chosen(
    evening: Evening, leo: Phone
) -> None:
    leo.open("?level=cards")
    leo.go_away()
    for name in ("2 of swords", "3 of swords", "4 of swords", "5 of swords"):
        card(leo, name)
    assert next_seat(leo) == []
    card(leo, "6 of swords")
    assert next_seat(leo) == []
    leo.page.locator("form.card_played label", has_text="Leo").click()
    card(leo, "7 of swords")
    assert next_seat(leo) == ["Zoe"]
    leo.context.set_offline(False)
    leo.wait_for(9)
    led = [event["data"] for event in evening.events("card_played")][4:]
    assert led == [{"player": "zoe", "card": "6S"}, {"player": "leo", "card": "7S"}]


def test_waiting_cards_stay_hidden_after_a_reload(browser: "Browser", evening: Evening) -> None:
    with phone(browser, evening, "leo", new=True) as leo:
        leo.open("?level=cards")
        leo.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        leo.page.wait_for_timeout(500)
        leo.go_away()
        card(leo, "ace of swords")
        leo.page.reload()
        leo.page.locator("#strip [data-line=waiting]").wait_for()
        assert leo.page.get_by_role("button", name="ace of swords", exact=True).is_disabled()
        assert next_seat(leo) == ["Zoe"]


def test_entry_on_an_outdated_page_is_no_conflict(evening: Evening, leo: Phone) -> None:
    leo.open("?level=cards")
    leo.page.evaluate(asking("live.close()"))
    leo.page.route(f"**/t/{evening.id}?level=cards", lambda route: route.abort())
    leo.go_away()
    card(leo, "ace of swords")
    leo.context.set_offline(False)
    until(lambda: leo.waiting() == 0, 10)
    leo.page.get_by_role("button", name="3 of swords", exact=True).click()
    leo.wait_for(5)
    assert leo.page.locator("#notice").count() == 0
    played = [
        (event["data"]["player"], event["data"]["card"]) for event in evening.events("card_played")
    ]
    assert played == [("leo", "AS"), ("zoe", "3S")]


def test_undo_removes_a_waiting_entry(evening: Evening, leo: Phone) -> None:
    leo.open("?level=cards")
    leo.go_away()
    card(leo, "ace of swords")
    card(leo, "3 of swords")
    leo.page.locator(".undo button").click()
    until(lambda: leo.waiting() == 1, 5)
    assert leo.page.get_by_role("button", name="3 of swords", exact=True).is_enabled()
    assert next_seat(leo) == ["Zoe"]
    # The first entry may have arrived; this one waits behind it. A key press is no double tap.
    leo.page.locator(".undo button").press("Enter")
    until(lambda: leo.waiting() == 2, 5)
    leo.context.set_offline(False)
    leo.wait_for(5)
    (played,) = evening.events("card_played")
    assert played["data"]["card"] == "AS"
    assert [event["data"]["seq"] for event in evening.events("event_struck")] == [played["seq"]]


def test_undo_that_waits_names_what_it_takes_back(evening: Evening, leo: Phone) -> None:
    leo.open("?level=tricks")
    words = leo.page.locator(".undo small:visible")
    leo.page.get_by_role("button", name="Zoe", exact=True).click()
    leo.wait_for(4)
    leo.go_away()
    leo.page.locator(".undo button").click()
    words.get_by_text("waiting").wait_for()
    assert words.all_inner_texts() == ["1 waiting. The last: Undo · Zoe took the trick"]
    leo.page.get_by_role("button", name="Ben", exact=True).click()
    until(lambda: leo.waiting() == 2, 5)
    leo.page.locator(".undo button").press("Enter")
    until(lambda: leo.waiting() == 1, 5)
    leo.context.set_offline(False)
    leo.wait_for(5)
    assert [event["data"]["player"] for event in evening.events("trick_taken")] == ["zoe"]


def test_tricks_that_wait_show_who_took_them(evening: Evening, leo: Phone) -> None:
    leo.open("?level=tricks")
    leo.go_away()
    for place, name in enumerate(["Zoe", "Ben", "Zoe"], start=1):
        leo.page.get_by_role("button", name=name, exact=True).press("Enter")
        until(lambda: leo.waiting() == place, 5)  # noqa: B023
    marks = leo.page.locator(".tricks .sent b")
    assert marks.all_inner_texts() == ["Z", "B", "Z"]
    leo.page.locator(".undo button").press("Enter")
    until(lambda: marks.all_inner_texts() == ["Z", "B"], 5)
    leo.context.set_offline(False)
    leo.wait_for(5)
    won = leo.page.locator(".tricks .won b").all_inner_texts()
    assert [text.split()[0] for text in won] == ["Z", "B"]


def test_totals_of_two_hands_are_entered_offline(evening: Evening, leo: Phone) -> None:
    leo.open("?level=totals")
    leo.go_away()
    for n, points in enumerate(("70", "50"), start=1):
        field = leo.page.locator(".whole .typed input").first
        field.fill(points)
        leo.page.get_by_role("button", name="Save the hand").click()
        until(lambda n=n: leo.waiting() == n, 5)  # type: ignore[misc]
        assert field.input_value() == ""
    leo.context.set_offline(False)
    until(lambda: leo.waiting() == 0, 10)
    counted = [event["data"]["points"]["B"] for event in evening.events("points_counted")]
    assert counted == [70, 50]
    dealers = [event["data"]["dealer"] for event in evening.events("hand_started")]
    assert dealers == ["mara", "leo"]


def test_trick_recorded_on_two_phones_is_explained(
    browser: "Browser", evening: Evening, leo: Phone
) -> None:
    with phone(browser, evening, "zoe") as zoe:
        leo.open("?level=tricks")
        zoe.open("?level=tricks")
        leo.go_away()
        trick = leo.page.locator("form.trick_taken button", has_text="Ben")
        trick.click()
        until(lambda: leo.waiting() == 1, 5)
        zoe.page.locator("form.trick_taken button", has_text="Ben").click()
        zoe.wait_for(4)
        leo.context.set_offline(False)
        sheet = leo.page.locator("#conflict")
        sheet.locator("[data-part=same]").wait_for()
        assert "Zoe: Ben took the trick" in sheet.inner_text()
        sheet.get_by_role("button", name="Discard it").click()
        leo.wait_for(4)
        assert not sheet.is_visible()
        assert len(evening.events("trick_taken")) == 1


def test_slow_answer_does_not_delay_the_pad(evening: Evening, leo: Phone) -> None:
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    leo.open("?level=cards")
    leo.page.route("**/record*", hold, times=1)
    leo.page.get_by_role("button", name="ace of swords", exact=True).click()
    leo.page.locator("#strip [data-line=waiting]").wait_for()
    card(leo, "3 of swords")
    held[0].continue_()
    leo.wait_for(5)
    assert [event["data"]["card"] for event in evening.events("card_played")] == ["AS", "3S"]


def test_tap_on_an_outdated_page_shows_the_other_entry(evening: Evening, leo: Phone) -> None:
    leo.open("?level=tricks")
    leo.page.evaluate(asking("live.close()"))
    evening.record(("trick_taken", {"player": "ben"}), by="zoe")
    leo.page.locator("form.trick_taken button", has_text="Ben").click()
    notice = leo.page.locator("#notice")
    notice.wait_for()
    assert "Ben took the trick" in notice.inner_text()
    assert leo.waiting() == 0
    notice.get_by_role("button", name="Send it again").click()
    leo.wait_for(5)
    assert len(evening.events("trick_taken")) == 2


FELT = """
window.felt = 0;
Object.defineProperty(navigator, "vibrate", { value: () => { window.felt += 1; return true; } });
"""


@pytest.mark.parametrize(("prefs", "felt"), [("", 1), ("vibrate=no", 0)])
def test_recorded_tap_vibrates_by_preference(
    browser: "Browser", evening: Evening, prefs: str, felt: int
) -> None:
    with phone(browser, evening, "leo", new=True) as leo:
        origin = evening.server.origin
        leo.context.add_cookies([{"name": "prefs", "value": prefs, "url": origin}])
        leo.context.add_init_script(FELT)
        leo.open("?level=tricks")
        leo.page.locator("form.trick_taken button", has_text="Ben").click()
        leo.wait_for(4)
        assert leo.page.evaluate("() => window.felt") == felt


def test_quickly_answered_entry_is_not_shown_as_waiting(leo: Phone) -> None:
    """Otherwise the table would move down and up again, and ignore taps in between."""
    leo.open("?level=cards")
    leo.page.evaluate("""() => {
      window.lines = [];
      new MutationObserver((all) => all.forEach((one) =>
        one.addedNodes.forEach((line) => lines.push(line.textContent))))
        .observe(document.getElementById("strip"), { childList: true });
    }""")
    leo.page.get_by_role("button", name="ace of swords", exact=True).click()
    leo.wait_for(4)
    assert leo.page.evaluate("lines") == []


def test_number_out_of_range_is_reported_before_it_is_sent(evening: Evening, leo: Phone) -> None:
    leo.open("?level=totals")
    field = leo.page.locator("form.whole [data-high]").first
    field.fill("121")
    leo.page.locator(".dock .save").click()
    assert field.evaluate("(one) => one.validationMessage") == field.get_attribute("placeholder")
    assert evening.events("points_counted") == []
    field.fill("70")
    leo.page.locator(".dock .save").click()
    until(lambda: bool(evening.events("points_counted")), 5)


def test_level_of_the_address_gives_way_to_the_one_tapped_later(
    evening: Evening, leo: Phone
) -> None:
    leo.open("?level=cards&view=entry")
    level = leo.page.locator("a[data-level]", has_text="Totals")
    leo.page.locator("details:has(a[data-level])").evaluate_all(
        "(all) => all.forEach((one) => { one.open = true; })"
    )
    level.click()
    chosen = leo.page.locator(".levels [aria-current]")
    until(lambda: chosen.all_text_contents() == ["Totals"], 5)
    evening.record(("note_added", {"text": "Late"}))
    leo.wait_for(4)
    assert chosen.all_text_contents() == ["Totals"]
    leo.page.reload()
    assert chosen.all_text_contents() == ["Totals"]
    assert leo.page.url.endswith("?view=entry")


def test_page_reports_a_missing_network_until_it_returns(leo: Phone) -> None:
    leo.open()
    leo.go_away()
    line = leo.page.locator("#strip [data-line=away]")
    line.wait_for()
    leo.context.set_offline(False)
    line.wait_for(state="detached")
    assert line.count() == 0


COVERED_LINKS = """() => [...document.querySelectorAll(".session-nav a")].filter((link) => {
  const { left, top, width, height } = link.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) !== link;
}).map((link) => link.textContent)"""


def test_undo_names_what_waits_and_the_navigation_stays_free(leo: Phone) -> None:
    """A slow network: two cards are tapped, and the first has no answer yet."""
    leo.open("?level=cards")
    undo = leo.page.locator(".undo button")
    leo.page.route("**/record?*", lambda route: None)
    card(leo, "ace of swords")
    card(leo, "3 of swords")
    words = undo.locator("small:visible")
    words.wait_for()
    assert words.all_inner_texts() == ["1 waiting. The last: Zoe, 3 of swords"]
    assert words.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    assert leo.page.evaluate(COVERED_LINKS) == []


def test_undo_of_an_entry_that_waits_names_the_one_before(leo: Phone) -> None:
    leo.open("?level=cards")
    undo = leo.page.locator(".undo button")
    leo.go_away()
    card(leo, "ace of swords")
    card(leo, "3 of swords")
    undo.click()
    until(lambda: leo.waiting() == 1, 5)
    words = undo.locator("small:visible").all_inner_texts()
    assert words == ["1 waiting. The last: Leo, ace of swords"]

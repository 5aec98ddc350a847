"""Phones that are offline for long: two together, over a server restart, without storage."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.phones import Evening, Phone, asking, phone
from tests.browser.test_phones import replace_key
from tests.conftest import SOAK
from tests.operation.serving import Server, serving, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog

pytestmark = pytest.mark.browser

MANY: Final = 20 if SOAK else 8
MOST_IN_A_MINUTE: Final = 30  # events of one key
# Records numbered notes of a player as fast as possible.
NOTES: Final = """async ([who, count]) => {
  const { outbox } = await import(document.querySelector("script[type=module]").src);
  for (let n = 1; n <= count; n += 1) {
    const fields = [["type", "note_added"], ["t:text", `${who} ${n}`]];
    outbox.post(`${location.pathname}/record`, fields, `${who} ${n}`);
  }
}"""
KEPT: Final = "async (path) => Boolean(await caches.match(path))"
# A browser whose settings allow no storage, and one whose storage is full.
DENIED: Final = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); } });"""
FULL: Final = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError"); };"""


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with a low limit on the entries of a seat in a minute."""
    folder = tmp_path_factory.mktemp("hurried")
    with serving(folder, key_events_a_minute=MOST_IN_A_MINUTE) as server:
        yield server


def notes(device: Phone, who: str, count: int = 1) -> None:
    device.page.evaluate(NOTES, [who, count])


def recorded_notes(evening: Evening, who: str) -> list[str]:
    texts = [event["data"]["text"] for event in evening.events("note_added")]
    return [text for text in texts if text.startswith(f"{who} ")]


def numbered(who: str, count: int) -> list[str]:
    return [f"{who} {n}" for n in range(1, count + 1)]


def speak(device: Phone, language: str) -> None:
    """Switch the language of a phone."""
    origin = device.evening.server.origin
    device.context.add_cookies([{"name": "prefs", "value": f"lang={language}", "url": origin}])


def leave(device: Phone) -> None:
    """Disconnect a phone once it has stored its page."""
    device.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    until(lambda: device.page.evaluate(KEPT, f"/t/{device.evening.id}"), 10)
    device.go_away()


def decide(device: Phone) -> None:
    """Record all waiting entries after the others, wherever the page asks."""
    press = device.page.locator("#conflict [data-do=after]").first
    until(lambda: press.is_visible() or not device.waiting(), 20)
    if press.is_visible():
        press.click()


def test_many_entries_of_two_phones_arrive_in_order_without_doubles(
    browser: "Browser", evening: Evening
) -> None:
    with (
        phone(browser, evening, "mara", new=True) as mara,
        phone(browser, evening, "leo", new=True) as leo,
    ):
        for who, device in (("mara", mara), ("leo", leo)):
            speak(device, "fr")
            device.open()
            leave(device)
            notes(device, who, MANY)
        mara.page.reload()
        mara.page.locator("#strip [data-line=waiting]").wait_for()
        assert mara.waiting() == leo.waiting() == MANY
        mara.context.set_offline(False)
        leo.context.set_offline(False)
        while mara.waiting() or leo.waiting():
            decide(mara)
            decide(leo)
        assert recorded_notes(evening, "mara") == numbered("mara", MANY)
        assert recorded_notes(evening, "leo") == numbered("leo", MANY)
        for device in (mara, leo):
            device.wait_for(2 + 2 * MANY)
            assert not device.page.locator("#conflict").is_visible()


@pytest.mark.parametrize(
    ("language", "expected"),
    [("it", "Registrato nel frattempo"), ("fr", "Noté entre-temps")],
)
def test_conflict_is_explained_in_the_language_of_the_phone(
    browser: "Browser", evening: Evening, language: str, expected: str
) -> None:
    with phone(browser, evening, "mara") as mara:
        speak(mara, language)
        mara.open()
        mara.go_away()
        notes(mara, "mara", 2)
        evening.record(("hand_started", {"dealer": "mara"}))
        mara.context.set_offline(False)
        sheet = mara.page.locator("#conflict")
        sheet.wait_for()
        assert expected in sheet.inner_text()
        offered = [
            element.locator("button:visible").evaluate_all("(all) => all.map((b) => b.dataset.do)")
            for element in sheet.locator("li").all()
        ]
        assert offered == [["after", "drop"], ["drop"]]
        english = ("Record it", "Discard it", "What waits", "Somebody")
        assert not any(text in sheet.inner_text() for text in english)
        decide(mara)
        until(lambda: not mara.waiting(), 10)
        assert recorded_notes(evening, "mara") == numbered("mara", 2)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Too many entries in a short time."),
        ("it", "Troppe voci in poco tempo."),
        ("fr", "Trop d’entrées en peu de temps."),
    ],
)
def test_entries_over_the_limit_of_a_minute_are_sent_later(
    browser: "Browser", hurried: Server, language: str, expected: str
) -> None:
    """Only in the soak: test_phones simulates the same answer."""
    evening = Evening.begin(hurried)
    with phone(browser, evening, "mara") as mara:
        speak(mara, language)
        mara.open()
        evening.record(*[("note_added", {"text": "a flood"})] * MOST_IN_A_MINUTE, by="mara")
        mara.wait_for(2 + MOST_IN_A_MINUTE)  # well before the limit allows another one
        notes(mara, "mara")
        strip = mara.page.locator("#strip")
        until(lambda: expected in strip.inner_text(), 10)
        assert mara.waiting() > 0
        until(lambda: not mara.waiting(), 30)
        assert expected not in strip.inner_text()
    assert recorded_notes(evening, "mara") == numbered("mara", 1)


def test_error_of_one_entry_is_not_shown_for_the_next(browser: "Browser", server: Server) -> None:
    evening = Evening.begin(server, "briscola_regina", 4)
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "leo") as leo:
        leo.open("?level=cards")
        leo.go_away()
        for n, name in enumerate(("ace of swords", "3 of swords"), start=1):
            leo.page.get_by_role("button", name=name, exact=True).click()
            until(lambda n=n: leo.waiting() == n, 5)  # type: ignore[misc]
        evening.record(("card_played", {"player": "leo", "card": "AS"}), by="zoe")
        leo.context.set_offline(False)
        sheet = leo.page.locator("#conflict")
        sheet.locator("[data-part=same]").wait_for()
        decide(leo)
        sheet.locator("[data-do=again]").first.wait_for()
        assert "already played ace of swords" in sheet.inner_text()
        sheet.locator("[data-do=drop]").first.click()
        until(lambda: leo.waiting() == 1, 5)
        assert "ace of swords" not in sheet.inner_text()
        sheet.locator("[data-do=again]").first.click()
        until(lambda: not leo.waiting(), 10)
    assert [event["data"]["card"] for event in evening.events("card_played")] == ["AS", "3S"]


@pytest.mark.soak
def test_waiting_entries_survive_a_restart_of_the_server(
    browser: "Browser", tmp_path: Path
) -> None:
    with serving(tmp_path) as server:
        evening = Evening.begin(server)
        with phone(browser, evening, "mara") as mara:
            mara.open()
            server.stop()
            notes(mara, "mara", 3)
            mara.page.locator("#strip [data-line=away]").wait_for()
            assert mara.waiting() == 3
            with serving(tmp_path, server.port) as evening.server:
                until(lambda: not mara.waiting(), 20)
                mara.wait_for(5)
                assert recorded_notes(evening, "mara") == numbered("mara", 3)
                mara.page.locator("#strip").wait_for(state="hidden")
                mara.page.evaluate(asking("live.close()"))


def test_waiting_entries_are_reported_after_a_revocation(
    browser: "Browser", evening: Evening
) -> None:
    with phone(browser, evening, "mara") as mara:
        mara.open()
        mara.go_away()
        notes(mara, "mara", 2)
        replace_key(evening, "mara")
        mara.page.goto("about:blank")
        mara.context.set_offline(False)
        mara.open()
        mara.page.get_by_text("What waits here is kept").wait_for()
        mara.page.goto(f"/join/{evening.key('mara')}")
        mara.page.locator("main form button").click()
        until(lambda: len(recorded_notes(evening, "mara")) == 2, 10)


def test_revoked_phone_without_entries_reports_none(browser: "Browser", evening: Evening) -> None:
    with phone(browser, evening, "mara") as mara:
        replace_key(evening, "mara")
        mara.open()
        assert mara.page.locator("#left").count() == 1
        assert not mara.page.locator("#left").is_visible()


@pytest.mark.parametrize("storage", [DENIED, FULL], ids=["denied", "full"])
def test_page_without_storage_warns_and_keeps_entries_in_memory(
    browser: "Browser", evening: Evening, storage: str
) -> None:
    dialogs: list[str] = []

    def stay(dialog: "Dialog") -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    with phone(browser, evening, "mara", new=True) as mara:
        mara.context.add_init_script(storage)
        mara.open()
        mara.page.locator("h1").click()
        mara.go_away()
        notes(mara, "mara", 2)
        mara.page.locator("#strip [data-line=unkept]").wait_for()
        mara.page.on("dialog", stay)
        with pytest.raises(Exception, match=r"ERR_ABORTED|interrupted"):
            mara.page.goto("/prefs", timeout=5000)
        assert dialogs == ["beforeunload"]
        assert mara.waiting() == 2
        mara.context.set_offline(False)
        until(lambda: not mara.waiting(), 10)
        mara.wait_for(4)
        assert recorded_notes(evening, "mara") == numbered("mara", 2)
        assert not mara.page.locator("#strip").is_visible()

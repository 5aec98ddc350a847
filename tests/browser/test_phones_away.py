"""Phones that are away for long: two at once, over a restart of the server, without a storage."""

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
A_MINUTE: Final = 30  # events of one key
# Records notes of somebody as fast as they can be said, numbered in their order.
NOTES: Final = """async ([who, count]) => {
  const { outbox } = await import(document.querySelector("script[type=module]").src);
  for (let n = 1; n <= count; n += 1) {
    const fields = [["type", "note_added"], ["t:text", `${who} ${n}`]];
    outbox.post(`${location.pathname}/record`, fields, `${who} ${n}`);
  }
}"""
KEPT: Final = "async (path) => Boolean(await caches.match(path))"
# What a browser does where its settings let no page keep anything, and where there is no room.
DENIED: Final = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); } });"""
FULL: Final = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError"); };"""


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server to which a seat may not send much in a minute."""
    folder = tmp_path_factory.mktemp("hurried")
    with serving(folder, key_events_a_minute=A_MINUTE) as server:
        yield server


def notes(one: Phone, who: str, count: int = 1) -> None:
    one.page.evaluate(NOTES, [who, count])


def noted(evening: Evening, who: str) -> list[str]:
    texts = [one["data"]["text"] for one in evening.events("note_added")]
    return [text for text in texts if text.startswith(f"{who} ")]


def numbered(who: str, count: int) -> list[str]:
    return [f"{who} {n}" for n in range(1, count + 1)]


def speak(one: Phone, language: str) -> None:
    """Let a phone speak a language from now on."""
    origin = one.evening.server.origin
    one.context.add_cookies([{"name": "prefs", "value": f"lang={language}", "url": origin}])


def leave(one: Phone) -> None:
    """Go out of reach, once the phone could open its page without a network."""
    one.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    until(lambda: one.page.evaluate(KEPT, f"/t/{one.evening.id}"), 10)
    one.go_away()


def decide(one: Phone) -> None:
    """Record what waits after what is on record, wherever that is asked."""
    press = one.page.locator("#conflict [data-do=after]").first
    until(lambda: press.is_visible() or not one.waiting(), 20)
    if press.is_visible():
        press.click()


def test_many_entries_on_each_of_two_phones_arrive_once_and_in_order(
    browser: "Browser", evening: Evening
) -> None:
    with (
        phone(browser, evening, "mara", new=True) as mara,
        phone(browser, evening, "leo", new=True) as leo,
    ):
        for who, one in (("mara", mara), ("leo", leo)):
            speak(one, "fr")
            one.open()
            leave(one)
            notes(one, who, MANY)
        mara.page.reload()
        mara.page.locator("#strip [data-line=waiting]").wait_for()
        assert mara.waiting() == leo.waiting() == MANY
        mara.context.set_offline(False)
        leo.context.set_offline(False)
        while mara.waiting() or leo.waiting():
            decide(mara)
            decide(leo)
        assert noted(evening, "mara") == numbered("mara", MANY)
        assert noted(evening, "leo") == numbered("leo", MANY)
        for one in (mara, leo):
            one.wait_for(2 + 2 * MANY)
            assert not one.page.locator("#conflict").is_visible()


@pytest.mark.parametrize(
    ("language", "said"),
    [("it", "Registrato nel frattempo"), ("fr", "Noté entre-temps")],
)
def test_a_conflict_is_told_in_the_language_of_the_phone(
    browser: "Browser", evening: Evening, language: str, said: str
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
        assert said in sheet.inner_text()
        offered = [
            one.locator("button:visible").evaluate_all("(all) => all.map((b) => b.dataset.do)")
            for one in sheet.locator("li").all()
        ]
        assert offered == [["after", "drop"], ["drop"]]
        english = ("Record it", "Throw it", "What waits", "Somebody")
        assert not any(one in sheet.inner_text() for one in english)
        decide(mara)
        until(lambda: not mara.waiting(), 10)
        assert noted(evening, "mara") == numbered("mara", 2)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Too many entries in a short time."),
        ("it", "Troppe voci in poco tempo."),
        ("fr", "Trop d’entrées en peu de temps."),
    ],
)
def test_what_is_too_much_for_a_minute_waits_and_is_sent_later(
    browser: "Browser", hurried: Server, language: str, said: str
) -> None:
    """On a server of its own; the suite lets one of the others say so, in test_phones."""
    evening = Evening.begin(hurried)
    with phone(browser, evening, "mara") as mara:
        speak(mara, language)
        mara.open()
        evening.record(*[("note_added", {"text": "a flood"})] * A_MINUTE, by="mara")
        mara.wait_for(2 + A_MINUTE)  # well before there is room for one more
        notes(mara, "mara")
        strip = mara.page.locator("#strip")
        until(lambda: said in strip.inner_text(), 10)
        assert mara.waiting() > 0
        until(lambda: not mara.waiting(), 30)
        assert said not in strip.inner_text()
    assert noted(evening, "mara") == numbered("mara", 1)


def test_what_was_wrong_with_one_is_not_said_of_the_next(
    browser: "Browser", server: Server
) -> None:
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
    assert [one["data"]["card"] for one in evening.events("card_played")] == ["AS", "3S"]


@pytest.mark.soak
def test_what_waits_outlives_a_restart_of_the_server(browser: "Browser", tmp_path: Path) -> None:
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
                assert noted(evening, "mara") == numbered("mara", 3)
                mara.page.locator("#strip").wait_for(state="hidden")
                mara.page.evaluate(asking("live.close()"))


def test_where_the_key_opens_nothing_any_more_it_is_said_that_entries_wait(
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
        until(lambda: len(noted(evening, "mara")) == 2, 10)


def test_without_a_key_nothing_is_said_of_entries_that_are_not(
    browser: "Browser", evening: Evening
) -> None:
    with phone(browser, evening, "mara") as mara:
        replace_key(evening, "mara")
        mara.open()
        assert mara.page.locator("#left").count() == 1
        assert not mara.page.locator("#left").is_visible()


@pytest.mark.parametrize("storage", [DENIED, FULL], ids=["denied", "full"])
def test_without_a_storage_the_page_says_so_and_holds_what_waits(
    browser: "Browser", evening: Evening, storage: str
) -> None:
    asked: list[str] = []

    def stay(dialog: "Dialog") -> None:
        asked.append(dialog.type)
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
        assert asked == ["beforeunload"]
        assert mara.waiting() == 2
        mara.context.set_offline(False)
        until(lambda: not mara.waiting(), 10)
        mara.wait_for(4)
        assert noted(evening, "mara") == numbered("mara", 2)
        assert not mara.page.locator("#strip").is_visible()

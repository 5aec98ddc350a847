"""Two phones at one table: entries of one appear on the other, and waiting entries are not lost."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from statistics import quantiles
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import Evening, Phone, asking, phone
from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request, Route

pytestmark = pytest.mark.browser

Sit = Callable[..., Phone]

BUSY = 1 if SOAK else 3  # factor for times on a busy machine

# Records numbered notes as fast as possible.
NOTES = """
async ([first, count]) => {
  const { outbox } = await import(document.querySelector("script[type=module]").src);
  for (let n = first; n < first + count; n += 1) {
    const fields = [["type", "note_added"], ["t:text", `note ${n}`]];
    outbox.post(`${location.pathname}/record`, fields, `note ${n}`);
  }
}
"""
WATCHED_STREAMS = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...told) { super(...told); window.streams.push(this); }
};
"""
KEPT = "async (path) => Boolean(await caches.match(path))"
OPEN_STREAMS = "() => window.streams.filter((one) => one.readyState !== EventSource.CLOSED).length"


def note(device: Phone, first: int = 1, count: int = 1) -> None:
    device.page.evaluate(NOTES, [first, count])


def recorded_notes(evening: Evening) -> list[str]:
    return [event["data"]["text"] for event in evening.events("note_added")]


def numbered(count: int) -> list[str]:
    return [f"note {n}" for n in range(1, count + 1)]


def press(device: Phone, name: str) -> None:
    device.page.locator("#conflict").get_by_role("button", name=name).first.click()


# ----------------------------------------------------------------------------------- live


@pytest.mark.parametrize("count", [6, pytest.param(40, marks=pytest.mark.soak)])
def test_entries_appear_at_once_on_the_other_phone(
    evening: Evening, at_the_table: Sit, count: int
) -> None:
    mara, leo = at_the_table("mara"), at_the_table("leo")
    took = []
    for n in range(count):
        writer, reader = (mara, leo) if n % 2 else (leo, mara)
        began = time.monotonic()
        note(writer, n)
        reader.wait_for(3 + n)
        took.append(time.monotonic() - began)
        writer.wait_for(3 + n)
    assert quantiles(took, n=20, method="inclusive")[-1] <= 0.25 * BUSY


def test_page_polls_without_a_free_stream(browser: "Browser", evening: Evening) -> None:
    with phone(browser, evening, "mara", new=True) as mara:
        with phone(browser, evening, "leo", new=True) as leo:
            for device in (mara, leo):
                device.context.route("**/stream", lambda route: route.fulfill(status=503))
                device.open()
            began = time.monotonic()
            note(leo)
            mara.wait_for(3)
            assert time.monotonic() - began < 4 * BUSY
        sent = polls_when_idle(mara)
        assert 4 <= len(sent) <= 12
        assert sum(sent) <= 20 * 1024


def polls_when_idle(device: Phone) -> list[int]:
    """Return the bytes of each poll in a minute, after a long time without changes."""
    sent: list[Request] = []

    def count(request: "Request") -> None:
        sent.append(request)

    device.page.clock.install()
    device.open()
    device.page.on("request", count)
    for _ in range(14):
        device.page.clock.run_for(10_000)
        device.page.wait_for_timeout(30)
    sent.clear()
    for _ in range(12):
        device.page.clock.run_for(5_000)
        device.page.wait_for_timeout(30)
    sizes = [request.sizes() for request in sent]
    return [size["requestHeadersSize"] + size["responseHeadersSize"] for size in sizes]


def test_hidden_page_closes_its_stream_and_catches_up(browser: "Browser", evening: Evening) -> None:
    with phone(browser, evening, "mara", new=True) as mara:
        mara.context.add_init_script(WATCHED_STREAMS)
        mara.open()
        until(lambda: mara.page.evaluate(OPEN_STREAMS) == 1, 5)
        mara.hide()
        until(lambda: mara.page.evaluate(OPEN_STREAMS) == 0, 5)
        evening.record(("note_added", {"text": "unseen"}))
        assert mara.version() == 2
        mara.hide(False)
        mara.wait_for(3)
        assert mara.page.evaluate(OPEN_STREAMS) == 1


def test_half_entered_form_is_not_redrawn(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    mara.page.evaluate(
        """() => {
          const typed = document.createElement("input");
          typed.id = "typed";
          document.querySelector("#table form").append(typed);
          typed.value = "12";
        }"""
    )
    evening.record(("note_added", {"text": "of somebody else"}))
    mara.page.locator("#strip button").wait_for()
    assert mara.page.locator("#typed").input_value() == "12"
    assert mara.version() == 2
    mara.page.locator("#strip button").click()
    mara.wait_for(3)
    assert not mara.page.locator("#strip").is_visible()


def test_log_that_lost_displayed_events_is_reported(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    mara.page.evaluate(
        "(name) => localStorage.setItem(name, "
        "JSON.stringify({ version: 2, head: '0'.repeat(64) }))",
        f"witness:{evening.id}",
    )
    mara.page.reload()
    mara.page.locator("#strip [data-line=broken]").wait_for()
    assert "event 2" in mara.page.locator("#strip").inner_text()


def test_displayed_end_of_the_log_is_stored_and_valid(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    note(mara)
    mara.wait_for(3)
    seen = json.loads(
        mara.page.evaluate("(name) => localStorage.getItem(name)", f"witness:{evening.id}")
    )
    assert seen == {"version": 3, "head": evening.get("/events")["head"]}
    mara.page.reload()
    mara.page.wait_for_timeout(300)
    assert not mara.page.locator("#strip").is_visible()


# -------------------------------------------------------------------------------- offline


def test_fifty_entries_survive_a_reload_and_arrive_in_order_without_doubles(
    evening: Evening, at_the_table: Sit
) -> None:
    mara = at_the_table("mara", new=True)
    mara.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    until(lambda: mara.page.evaluate(KEPT, f"/t/{evening.id}"), 10)
    mara.go_away()
    note(mara, 1, 50)
    began = time.monotonic()
    mara.page.reload()
    mara.page.locator("#strip [data-line=waiting]").wait_for()
    assert time.monotonic() - began < 1 * BUSY
    assert mara.waiting() == 50
    assert len(recorded_notes(evening)) <= 1  # one may have been sent whose answer was lost
    mara.context.set_offline(False)
    took = until(lambda: len(recorded_notes(evening)) == 50, 10)
    mara.wait_for(52)
    assert took <= 3 * BUSY
    assert recorded_notes(evening) == numbered(50)
    assert mara.waiting() == 0


def lose(device: Phone, seed: int, change: Callable[[str], str] = str) -> None:
    """Lose requests before or after they arrive; ``change`` alters their bodies."""
    chance = Random(seed)  # noqa: S311  # the same faults in every run

    def handle(route: "Route") -> None:
        fate = chance.choice(("arrives", "arrives", "request lost", "answer lost"))
        if fate == "request lost":
            route.abort()
            return
        answer = route.fetch(post_data=change(route.request.post_data or ""))
        if fate == "answer lost":
            route.abort()
        else:
            route.fulfill(response=answer)

    device.page.route("**/record", handle)


def empty(device: Phone) -> None:
    """Let a phone send until no entries wait."""
    while device.waiting():
        device.page.evaluate(asking("outbox.flush()"))
        device.page.wait_for_timeout(20)


@pytest.mark.parametrize("count", [20, pytest.param(500, marks=pytest.mark.soak)])
def test_lost_requests_and_answers_lose_and_double_no_entry(
    evening: Evening, at_the_table: Sit, count: int
) -> None:
    mara = at_the_table("mara")
    lose(mara, seed=count)
    note(mara, 1, count)
    empty(mara)
    assert recorded_notes(evening) == numbered(count)


@pytest.mark.soak
def test_entries_without_idempotency_keys_are_doubled(evening: Evening, at_the_table: Sit) -> None:
    """A control: the same without idempotency keys, and with the present version."""
    mara = at_the_table("mara")

    def bare(body: str) -> str:
        fields = [field for field in body.split("&") if not field.startswith(("key=", "version="))]
        return "&".join([*fields, f"version={evening.version()}"])

    lose(mara, 20, bare)
    note(mara, 1, 10)
    empty(mara)
    assert set(recorded_notes(evening)) == set(numbered(10))
    assert len(recorded_notes(evening)) > 10


BUSY_ANSWERS = {503: "", 429: "Too many entries in a short time."}  # status: displayed text


def test_phone_waits_as_long_as_a_busy_server_requests(browser: "Browser", server: Server) -> None:
    """With two phones at different tables that wait at the same time."""
    with ExitStack() as stack:
        sent: dict[int, list[float]] = {}
        phones = {}
        for status in BUSY_ANSWERS:
            evening = Evening.begin(server)
            device = phones[status] = stack.enter_context(phone(browser, evening, "mara"))
            device.open()
            sent[status] = refused_once(device, status)
        for status, message in BUSY_ANSWERS.items():
            device = phones[status]
            note(device)
            strip = device.page.locator("#strip")
            strip.locator("[data-line=waiting]").wait_for()
            until(lambda strip=strip, message=message: message in strip.inner_text(), 1)  # type: ignore[misc]
        until(lambda: not any(value.waiting() for value in phones.values()), 10)
        for status, device in phones.items():
            first, second = sent[status]
            assert second - first >= 1.9
            assert recorded_notes(device.evening) == numbered(1)


def refused_once(device: Phone, status: int) -> list[float]:
    """Refuse the first entry of a phone for now; return the times of all tries."""
    sent: list[float] = []

    def handle(route: "Route") -> None:
        sent.append(time.monotonic())
        if len(sent) == 1:
            route.fulfill(status=status, headers={"Retry-After": "2"}, body="")
        else:
            route.continue_()

    device.page.route("**/record", handle)
    return sent


def test_entries_wait_for_a_new_key_after_a_revocation(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    mara.go_away()
    note(mara, 1, 2)
    replace_key(evening, "mara")
    mara.context.set_offline(False)
    mara.page.locator("#conflict").wait_for()
    assert "new link" in mara.page.locator("#conflict").inner_text()
    assert mara.waiting() == 2
    origin = evening.server.origin
    mara.page.goto(f"{origin}/join/{evening.key('mara')}")
    mara.page.locator("main form button").click()
    until(lambda: len(recorded_notes(evening)) == 2, 10)
    assert recorded_notes(evening) == numbered(2)


def replace_key(evening: Evening, who: str) -> None:
    """Revoke a seat's key, and make another one."""
    keys = evening.get("/keys")["keys"]
    (old,) = [key["id"] for key in keys if key.get("player") == who]
    body = {"role": "seat", "player": who, "replaces": old}
    answer = evening.server.get(
        f"/api/sessions/{evening.id}/keys",
        "POST",
        json.dumps(body),
        Content_Type="application/json",
        Authorization=f"Bearer {evening.key('host')}",
    )
    assert answer.status == 201, answer.body
    evening.keys["seats"][who] = answer.json["key"]


# ------------------------------------------------------------------------------- conflicts


DEALT: Final = ("hand_started", {"dealer": "mara"})  # after it a note may belong to another hand


def disagree(evening: Evening, mara: Phone, *theirs: tuple[str, Any]) -> None:
    """Let Mara record two notes offline, and the host other events in the meantime."""
    mara.go_away()
    note(mara, 1, 2)
    evening.record(*theirs)
    mara.context.set_offline(False)
    mara.page.locator("#conflict").wait_for()


def test_conflict_is_shown_and_keeps_both_entries(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    disagree(evening, mara, DEALT)
    mara.wait_for(3)
    waiting = mara.page.locator("#conflict li > bdi").all_inner_texts()
    assert waiting == ["note 1", "note 2"]
    assert not mara.page.locator("[data-part=same]").is_visible()
    press(mara, "Record it after that")
    mara.wait_for(5)
    assert recorded_notes(evening) == numbered(2)
    assert not mara.page.locator("#conflict").is_visible()


def test_entry_recorded_by_another_phone_can_be_discarded(
    evening: Evening, at_the_table: Sit
) -> None:
    mara = at_the_table("mara")
    disagree(evening, mara, ("note_added", {"text": "note 1"}))
    mara.page.locator("[data-part=same]").wait_for()
    buttons = mara.page.locator("#conflict li").first.locator("button")
    assert buttons.all_inner_texts() == ["Discard it", "Record it after that"]
    assert [button.get_attribute("class") for button in buttons.all()] == ["button", "button quiet"]
    press(mara, "Discard it")
    mara.wait_for(4)  # the later entry contradicts nothing
    assert recorded_notes(evening) == ["note 1", "note 2"]


def test_conflict_survives_a_reload(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    disagree(evening, mara, DEALT)
    press(mara, "Discard it")
    until(lambda: mara.waiting() == 1, 5)
    mara.page.reload()
    mara.page.locator("#conflict").wait_for()
    assert mara.page.locator("#conflict li > bdi").all_inner_texts() == ["note 2"]
    assert recorded_notes(evening) == []


def test_unsent_entry_can_be_undone(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    mara.go_away()
    note(mara, 1, 2)
    mara.page.locator("#strip [data-line=waiting]").wait_for()
    assert mara.page.evaluate(asking("outbox.undo()"))
    assert not mara.page.evaluate(asking("outbox.undo()"))  # it may have arrived
    mara.context.set_offline(False)
    mara.wait_for(3)
    assert recorded_notes(evening) == numbered(1)


# ---------------------------------------------------------------------------------- phone


LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = { released: false, release: async () => { lock.released = true; } };
  window.locks.push(lock);
  return lock;
} } });
"""
HELD = "() => window.locks.filter((one) => !one.released).length"


def test_screen_stays_on_during_a_hand(browser: "Browser", evening: Evening) -> None:
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "mara", new=True) as mara:
        mara.context.add_init_script(LOCKS)
        mara.open()
        assert mara.page.evaluate(HELD) == 0
        mara.page.locator(".tabletop .where").first.click()
        assert mara.page.evaluate(HELD) == 1
        mara.hide()
        assert mara.page.evaluate(HELD) == 0
        mara.hide(False)
        until(lambda: mara.page.evaluate(HELD) == 1, 5)


def test_screen_may_turn_off_by_a_preference(browser: "Browser", evening: Evening) -> None:
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "mara", new=True) as mara:
        mara.context.add_init_script(LOCKS)
        origin = evening.server.origin
        mara.context.add_cookies([{"name": "prefs", "value": "awake=no", "url": origin}])
        mara.open()
        mara.page.locator(".tabletop .where").first.click()
        assert mara.page.evaluate(HELD) == 0


def test_long_press_on_the_bar_locks_and_unlocks_the_page(at_the_table: Sit) -> None:
    mara = at_the_table("mara")
    bar = mara.page.locator("header.top")
    bar.click(delay=750, position={"x": 5, "y": 5})
    cover = mara.page.locator("#pocket")
    cover.click()
    assert cover.is_visible()
    cover.click(delay=750)
    assert cover.count() == 0


def test_keys_and_links_are_never_cached(evening: Evening, at_the_table: Sit) -> None:
    mara = at_the_table("mara", new=True)
    mara.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    mara.page.goto(f"/join/{evening.key('view')}")
    mara.open()
    until(lambda: mara.page.evaluate(KEPT, f"/t/{evening.id}"), 10)
    kept: list[Any] = mara.page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys()) {
            for (const one of await (await caches.open(name)).keys()) found.push(one.url);
          }
          return found;
        }"""
    )
    paths = {"/" + url.split("/", 3)[3] for url in kept}
    assert f"/t/{evening.id}" in paths
    assert all(path == f"/t/{evening.id}" or path.startswith("/static/") for path in paths)

"""A hand of a game recorded on a phone, in Chromium, at a server in a thread of this process."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import pytest
from werkzeug.serving import make_server

from scorekeeper.app import create_app
from scorekeeper.base.json_object import JsonObject
from scorekeeper.config import read_settings
from scorekeeper.events.playing import CardPlayed, TrickTaken
from scorekeeper.games.game import Game
from scorekeeper.play.prompts import Level
from scorekeeper.promises.play import NAMES
from scorekeeper.store import MemoryStore

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext, Browser, Page

CHROMIUMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS: Final = ("--no-sandbox", "--disable-gpu")  # a container runs tests as root
MOST_EVENTS: Final = 200  # of a hand
TAPPED: Final = (CardPlayed.TYPE, TrickTaken.TYPE)  # recorded by taps alone in every game
PAUSE_MILLISECONDS: Final = 400  # a second tap near the first one is ignored for as long
WIDTH: Final = 360
HEIGHT: Final = 740
# The controls of a form that record an event, in the order of their taps; none if it is not said by
# buttons and choices alone. A form with data-auto is sent by its last choice.
CONTROLS: Final = """({ type, data }) => {
  for (const form of document.querySelectorAll("form[action*='/record']")) {
    if (form.elements.type?.value !== type) continue;
    const left = new Map(Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)]));
    const drop = (part) => Object.keys(part).forEach((key) => left.delete(key));
    const fits = (part) => Object.entries(part).every(
      ([key, value]) => left.get(key) === JSON.stringify(value));
    const fixed = JSON.parse(form.elements.fixed?.value || "{}");
    if (!fits(fixed)) continue;
    drop(fixed);
    const taps = [];
    let sent = "auto" in form.dataset;
    for (const kind of ["input[type=radio]", "button"]) {
      for (const control of form.querySelectorAll(`${kind}[name^='with:']`)) {
        const part = JSON.parse(control.value);
        if (!left.size || !fits(part)) continue;
        drop(part);
        if (!control.checked) taps.push(control.closest("label") || control);
        sent = sent || kind === "button";
      }
    }
    if (left.size) continue;
    if (!sent) taps.push(form.querySelector("button.go, button.single"));
    const shown = (one) => one && one.getClientRects().length;
    if (taps.length && taps.every(shown)) return taps;
  }
  return [];
}"""
TOO_WIDE: Final = "() => document.documentElement.scrollWidth > window.innerWidth"


def open_chromium() -> Iterator["Browser"]:
    """Yield Chromium; skip the test where it or Playwright is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def serve() -> Iterator[str]:
    """Serve the application from memory, and yield its address."""
    with TemporaryDirectory() as folder:
        settings = read_settings(data_dir=folder)
        server = make_server("127.0.0.1", 0, create_app(settings, MemoryStore()), threaded=True)
        thread = threading.Thread(target=server.serve_forever, name="scorekeeper")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def find_errors_on_pages(browser: "Browser", game: Game, level: Level) -> Iterator[str]:
    """Record a hand by the prompts at a level, and yield the errors of the pages that show it.

    An event that buttons and choices of the page say is recorded by taps, and others over the API.
    """
    with serve() as origin:
        context = browser.new_context(
            base_url=origin,
            viewport={"width": WIDTH, "height": HEIGHT},
            service_workers="block",
        )
        page, wrong = context.new_page(), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda message: wrong.append(message.text) if message.type == "error" else None,
        )
        try:
            table = _Table(context.request, game)
            table.join()
            page.goto(f"/t/{table.id}?level={level}")
            yield from _record_hand(page, table, level)
            yield from wrong
        finally:
            context.close()


def _record_hand(page: "Page", table: "_Table", level: Level) -> Iterator[str]:
    """Record a hand; yield a message if it is never complete, or a page is too wide."""
    rng = Random(1)  # noqa: S311  # no secret
    taps, has_tapped_events = 0, False
    for _ in range(MOST_EVENTS):
        page.wait_for_selector(f"#table[data-version='{table.version}']")
        if page.evaluate(TOO_WIDE):
            yield f"the page is wider than {WIDTH} px at event {table.version}"
        if table.is_hand_complete():
            if has_tapped_events and not taps:
                yield f"no control of the page records an event of a hand by its {level}"
            return
        event = table.pick(rng, level)
        has_tapped_events |= event["type"] in TAPPED
        found = page.evaluate_handle(CONTROLS, event).get_properties().values()
        controls = [element for handle in found if (element := handle.as_element())]
        if controls:
            page.wait_for_timeout(PAUSE_MILLISECONDS)
            for control in controls:
                control.click()
            taps += 1
            table.version += 1
        else:
            table.record(event)
    yield f"a hand by its {level} is not complete after {MOST_EVENTS} events"


class _Table:
    """A table with a hand that has begun, over the API."""

    def __init__(self, request: "APIRequestContext", game: Game) -> None:
        self.request = request
        players = [{"id": name.lower(), "name": name} for name in NAMES[: game.seats[0]]]
        seats = [player["id"] for player in players]
        opened = self.send("/api/sessions", {"title": "Trial", "players": players})
        self.id, self.key, self.version = opened["id"], opened["keys"]["host"], 1
        self.record({"type": "match_started", "data": {"game": game.id, "seats": seats}})
        self.record({"type": "hand_started", "data": {"dealer": seats[-1]}})

    def join(self) -> None:
        """Let the phone hold the key of the host. Raises `ValueError` if it cannot."""
        form = {"key": self.key}
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = self.request.post("/join", form=form, headers=headers, max_redirects=0)
        if answer.status != HTTPStatus.SEE_OTHER:
            raise ValueError(answer.text())

    def send(self, path: str, body: JsonObject, **headers: str) -> Any:
        """Send a request with a body. Raises `ValueError` if it is refused."""
        answer = self.request.post(path, data=body, headers=headers)
        if not answer.ok:
            raise ValueError(answer.text())
        return answer.json()

    def get(self, path: str = "") -> Any:
        """Return what the API says of the table. Raises `ValueError` if it is refused."""
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = self.request.get(f"/api/sessions/{self.id}{path}", headers=headers)
        if not answer.ok:
            raise ValueError(answer.text())
        return answer.json()

    def record(self, event: JsonObject) -> None:
        """Record an event over the API."""
        headers = {"Authorization": f"Bearer {self.key}", "If-Match": f'"{self.version}"'}
        self.send(f"/api/sessions/{self.id}/events", {"events": [event]}, **headers)
        self.version += 1

    def pick(self, rng: Random, level: Level) -> JsonObject:
        """Return a choice of the likeliest prompt of a level."""
        prompt = self.get(f"/next?level={level}")[0]
        return {"type": prompt["type"], "data": rng.choice(prompt["choices"])}

    def is_hand_complete(self) -> bool:
        """Return whether the hand is complete."""
        (match,) = self.get()["matches"]
        return bool(match["hands"][0]["status"] == "complete")

"""The page of a table on a slow phone and network: its size, and its time to load."""

import json
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.measuring import print_row
from tests.browser.joining import join
from tests.operation.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

KB: Final = 1024
RUNS: Final = 5
# A slow mobile network.
NETWORK: Final = {
    "offline": False,
    "latency": 150,  # milliseconds there and back
    "downloadThroughput": 1.6e6 / 8,  # bytes a second
    "uploadThroughput": 0.75e6 / 8,
}
CPU_SLOWDOWN: Final = 4  # of the phone relative to this machine
PHONE: Final = {"width": 360, "height": 740}
MAX_BYTES_OF_KIND: Final = {"Document": 14 * KB, "Script": 25 * KB, "Stylesheet": 14 * KB}
MAX_BYTES: Final = 60 * KB
MAX_REQUESTS: Final = 6
MAX_PAINT_SECONDS: Final = 1.8  # to the largest contentful paint
MAX_TAP_MS: Final = 100  # from a tap to the next paint
MAX_UNDO_MS: Final = 300  # from Undo to the table without the event, without the network
OBSERVE: Final = """
window.seen = { painted: 0, answered: 0 };
new PerformanceObserver((list) => { seen.painted = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => list.getEntries().filter((entry) => entry.interactionId)
  .forEach((entry) => { seen.answered = Math.max(seen.answered, entry.duration); }))
  .observe({ type: "event", durationThreshold: 16, buffered: true });
"""
UNDO: Final = """() => new Promise((done) => {
  const began = performance.now();
  document.addEventListener("table:shown", () => done(performance.now() - began), { once: true });
  document.querySelector(".undo button").click();
})"""


class Weight:
    """The bytes that a page loads, compressed as they are sent over the network."""

    def __init__(self, session: "CDPSession") -> None:
        self.kinds: dict[str, str] = {}
        self.heads: dict[str, float] = {}
        self.bytes: dict[str, float] = {}
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    def _received(self, message: Mapping[str, Any]) -> None:
        self.kinds[message["requestId"]] = message["type"]
        self.heads[message["requestId"]] = message["response"]["encodedDataLength"]

    def _finished(self, message: Mapping[str, Any]) -> None:
        self.bytes[message["requestId"]] = message["encodedDataLength"]

    def of(self, kind: str) -> float:
        """Return the bytes of one kind of file, without the headers."""
        requests = [request for request in self.bytes if self.kinds.get(request) == kind]
        return sum(self.bytes[request] - self.heads[request] for request in requests)


def pages() -> list[bool]:
    """Measure the page of a table during a hand, on a slow phone."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium on the path: the page is not measured")
        return []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), log_level="warning") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        session = open_table(server)
        met = measure_size(browser, server, session)
        met += measure_times(browser, server, session)
        browser.close()
    return met


def open_table(server: Server) -> Any:
    """Open a session in which a hand is being played; return the answer with its keys."""
    seats = ["mara", "leo", "zoe", "ben"]
    players = [{"id": player, "name": player.title()} for player in seats]
    body = json.dumps({"title": "Friday", "players": players})
    opened = server.get("/api/sessions", "POST", body, Content_Type="application/json").json
    events = [
        {"type": "match_started", "data": {"game": "riparto", "seats": seats}},
        {"type": "hand_started", "data": {"dealer": "mara"}},
        {"type": "bid_made", "data": {"player": "leo", "points": 5}},
    ]  # fmt: skip
    answer = server.get(
        f"/api/sessions/{opened['id']}/events", "POST", json.dumps({"events": events}),
        Content_Type="application/json", Authorization=f"Bearer {opened['keys']['host']}",
        If_Match='"1"',
    )  # fmt: skip
    if answer.status != 201:
        raise AssertionError(answer.body)
    return opened


@contextmanager
def slow_phone(browser: "Browser", server: Server, opened: Any) -> Iterator[tuple["Page", Weight]]:
    """Yield a page on the host's phone with an empty cache, and the bytes that it loads."""
    origin = f"http://127.0.0.1:{server.port}"
    with browser.new_context(base_url=origin, viewport=PHONE, service_workers="block") as context:  # type: ignore[arg-type]
        join(context, origin, opened["keys"]["host"])
        context.add_init_script(OBSERVE)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        yield page, Weight(session)


def measure_size(browser: "Browser", server: Server, opened: Any) -> list[bool]:
    """Measure the bytes and requests of the first load."""
    with slow_phone(browser, server, opened) as (page, weight):
        page.goto(f"/t/{opened['id']}?level=tricks")
        page.wait_for_timeout(1000)
        met = [
            print_row(f"table page, {kind.lower()}", f"{weight.of(kind) / KB:.1f} KB",
                 f"at most {most // KB}", met=0 < weight.of(kind) <= most)
            for kind, most in MAX_BYTES_OF_KIND.items()
        ]  # fmt: skip
        whole = sum(weight.bytes.values())
        met.append(
            print_row(
                "table page, all that it loads",
                f"{whole / KB:.1f} KB",
                f"at most {MAX_BYTES // KB}",
                met=0 < whole <= MAX_BYTES,
            )
        )
        requests = len(weight.bytes)
        met.append(
            print_row(
                "table page, requests",
                str(requests),
                f"at most {MAX_REQUESTS}",
                met=0 < requests <= MAX_REQUESTS,
            )
        )
    return met


def measure_times(browser: "Browser", server: Server, opened: Any) -> list[bool]:
    """Measure the median times of the first paint, of a tap and of Undo."""
    painted, answered, undone = [], [], []
    for _ in range(RUNS):
        with slow_phone(browser, server, opened) as (page, _weight):
            page.goto(f"/t/{opened['id']}?level=tricks")
            page.wait_for_timeout(500)
            painted.append(page.evaluate("() => seen.painted") / 1000)
            page.locator("form.trick_taken button", has_text="Leo").click()
            page.wait_for_timeout(1500)
            answered.append(page.evaluate("() => seen.answered"))
            undone.append(page.evaluate(UNDO) - NETWORK["latency"])
    first, tap, undo = (statistics.median(times) for times in (painted, answered, undone))
    return [
        print_row(
            "table page, largest paint on a slow phone",
            f"{first:.2f} s",
            f"at most {MAX_PAINT_SECONDS}",
            met=0 < first <= MAX_PAINT_SECONDS,
        ),
        print_row(
            "table page, from a tap to what is seen",
            f"{tap:.0f} ms",
            f"under {MAX_TAP_MS}",
            met=0 < tap < MAX_TAP_MS,
        ),
        print_row(
            "table page, undo without the network",
            f"{undo:.0f} ms",
            f"at most {MAX_UNDO_MS}",
            met=undo <= MAX_UNDO_MS,
        ),
    ]

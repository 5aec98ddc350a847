"""The page of a table on a slow phone and network: what it weighs, and how soon it is there."""

import json
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.measuring import tell
from tests.operation.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

KB: Final = 1024
RUNS: Final = 5
# A slow mobile network, and a processor four times slower than this one.
NETWORK: Final = {
    "offline": False,
    "latency": 150,  # milliseconds there and back
    "downloadThroughput": 1.6e6 / 8,  # bytes a second
    "uploadThroughput": 0.75e6 / 8,
}
SLOWER: Final = 4
PHONE: Final = {"width": 360, "height": 740}
MOST: Final = {"Document": 14 * KB, "Script": 25 * KB, "Stylesheet": 12 * KB}
MOST_BYTES: Final = 60 * KB
MOST_REQUESTS: Final = 6
PAINTED: Final = 1.8  # seconds to the largest thing on the page
ANSWERED: Final = 100  # milliseconds from a tap to what is seen of it
UNDONE: Final = 300  # milliseconds from Undo to the table without the event, network aside
WATCH: Final = """
window.seen = { painted: 0, answered: 0 };
new PerformanceObserver((list) => { seen.painted = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => list.getEntries().filter((one) => one.interactionId)
  .forEach((one) => { seen.answered = Math.max(seen.answered, one.duration); }))
  .observe({ type: "event", durationThreshold: 16, buffered: true });
"""
UNDO: Final = """() => new Promise((done) => {
  const began = performance.now();
  document.addEventListener("table:shown", () => done(performance.now() - began), { once: true });
  document.querySelector(".undo button").click();
})"""


class Weight:
    """What a page loads until it is there, compressed as it comes over the network."""

    def __init__(self, session: "CDPSession") -> None:
        self.kinds: dict[str, str] = {}
        self.heads: dict[str, float] = {}
        self.bytes: dict[str, float] = {}
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    def _received(self, said: Mapping[str, Any]) -> None:
        self.kinds[said["requestId"]] = said["type"]
        self.heads[said["requestId"]] = said["response"]["encodedDataLength"]

    def _finished(self, said: Mapping[str, Any]) -> None:
        self.bytes[said["requestId"]] = said["encodedDataLength"]

    def of(self, kind: str) -> float:
        """The bytes of one kind of file, without the headers."""
        mine = [one for one in self.bytes if self.kinds.get(one) == kind]
        return sum(self.bytes[one] - self.heads[one] for one in mine)


def pages() -> list[bool]:
    """The page of a table at which a hand is played, on such a phone."""
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
        opened = table(server)
        met = weighed(browser, server, opened)
        met += timed(browser, server, opened)
        browser.close()
    return met


def table(server: Server) -> Any:
    """A session in which a hand is being played."""
    seats = ["mara", "leo", "zoe", "ben"]
    players = [{"id": one, "name": one.title()} for one in seats]
    body = json.dumps({"title": "Friday", "players": players})
    told = server.get("/api/sessions", "POST", body, Content_Type="application/json").json
    events = [
        {"type": "match_started", "data": {"game": "riparto", "seats": seats}},
        {"type": "hand_started", "data": {"dealer": "mara"}},
        {"type": "bid_made", "data": {"player": "leo", "points": 5}},
    ]  # fmt: skip
    answer = server.get(
        f"/api/sessions/{told['id']}/events", "POST", json.dumps({"events": events}),
        Content_Type="application/json", Authorization=f"Bearer {told['keys']['host']}",
        If_Match='"1"',
    )  # fmt: skip
    if answer.status != 201:
        raise AssertionError(answer.body)
    return told


@contextmanager
def slow_phone(browser: "Browser", server: Server, opened: Any) -> Iterator[tuple["Page", Weight]]:
    """The host's phone, which has nothing in its cache."""
    origin = f"http://127.0.0.1:{server.port}"
    with browser.new_context(base_url=origin, viewport=PHONE, service_workers="block") as context:  # type: ignore[arg-type]
        cookie = {"name": f"table-{opened['id']}", "value": opened["keys"]["host"], "url": origin}
        context.add_cookies([cookie])  # type: ignore[list-item]
        context.add_init_script(WATCH)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        yield page, Weight(session)


def weighed(browser: "Browser", server: Server, opened: Any) -> list[bool]:
    """What the first load weighs."""
    with slow_phone(browser, server, opened) as (page, weight):
        page.goto(f"/t/{opened['id']}?level=tricks")
        page.wait_for_timeout(1000)
        met = [
            tell(f"table page, {kind.lower()}", f"{weight.of(kind) / KB:.1f} KB",
                 f"at most {most // KB}", met=0 < weight.of(kind) <= most)
            for kind, most in MOST.items()
        ]  # fmt: skip
        whole = sum(weight.bytes.values())
        met.append(tell("table page, all that it loads", f"{whole / KB:.1f} KB",
                        f"at most {MOST_BYTES // KB}", met=0 < whole <= MOST_BYTES))  # fmt: skip
        requests = len(weight.bytes)
        met.append(tell("table page, requests", str(requests), f"at most {MOST_REQUESTS}",
                        met=0 < requests <= MOST_REQUESTS))  # fmt: skip
    return met


def timed(browser: "Browser", server: Server, opened: Any) -> list[bool]:
    """How soon the page is there, and how soon it answers; medians."""
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
    first, tap, undo = (statistics.median(one) for one in (painted, answered, undone))
    return [
        tell("table page, largest paint on a slow phone", f"{first:.2f} s", f"at most {PAINTED}",
             met=0 < first <= PAINTED),
        tell("table page, from a tap to what is seen", f"{tap:.0f} ms", f"under {ANSWERED}",
             met=0 < tap < ANSWERED),
        tell("table page, undo without the network", f"{undo:.0f} ms", f"at most {UNDONE}",
             met=undo <= UNDONE),
    ]  # fmt: skip

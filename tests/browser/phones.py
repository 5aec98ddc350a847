"""Phones at one table: a real server, a session, and pages that collect their errors."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from tests.browser.joining import join
from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        CDPSession,
        ConsoleMessage,
        Error,
        Page,
    )

NAMES: Final = {
    "mara": "Mara", "leo": "Leo", "zoe": "Zoe", "ben": "Ben", "ada": "Ada", "ugo": "Ugo",
    "nina": "Nina",
}  # fmt: skip
WIDTH: Final = 360
HEIGHT: Final = 740
# Tests that need no offline pages save the time of the service worker.
WORKERS: Final[Literal["allow", "block"]] = "allow" if SOAK else "block"
BLOCKED: Final = "Service Worker registration blocked by Playwright"
# Messages of the browser itself if the network is down or the server refuses.
EXPECTED: Final = (
    "Failed to load resource",
    "the server responded with",
    "net::ERR",
    "when fetching the script",
    "The Cross-Origin-Opener-Policy header has been ignored",  # over plain http
    BLOCKED,
)
REPORTS: Final = """
window.reports = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.reports.push(event.violatedDirective + " " + event.blockedURI);
});
"""


def asking(what: str) -> str:
    """Return a script that calls a function of the table's hidden module."""
    module = "await import(document.querySelector('script[type=module]').src)"
    return f"async () => ({module}).{what}"


@dataclass
class Evening:
    """A session on a server, with its keys."""

    server: Server
    id: str
    keys: Mapping[str, Any]

    @classmethod
    def begin(
        cls, server: Server, game: str = "picchetto", of: int = 2, **options: Any
    ) -> "Evening":
        """Open a session with ``of`` players, and a match by these rules."""
        seats = list(NAMES)[:of]
        players = [{"id": key, "name": NAMES[key]} for key in seats]
        body = json.dumps({"title": "Friday", "players": players})
        body_events = server.get("/api/sessions", "POST", body, Content_Type="application/json")
        assert body_events.status == 201, body_events.body
        evening = cls(server, body_events.json["id"], body_events.json["keys"])
        rules = {"options": options} if options else {}
        evening.record(("match_started", {"game": game, "seats": seats, **rules}))
        return evening

    def key(self, who: str) -> str:
        """Return the key of a seat, of the host or of a viewer."""
        return str(self.keys["seats"][who] if who in NAMES else self.keys[who])

    def get(self, path: str = "") -> Any:
        """Return an answer of the API about the session."""
        url = f"/api/sessions/{self.id}{path}"
        return self.server.get(url, Authorization=f"Bearer {self.key('host')}").json

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the recorded events of one type, or all."""
        events: list[dict[str, Any]] = self.get("/events")["events"]
        return [event for event in events if kind in ("", event["type"])]

    def version(self) -> int:
        """Return the number of events."""
        return int(self.get("/events?limit=1")["version"])

    def record(
        self, *events: tuple[str, dict[str, Any]], by: str = "host", as_played: bool = False
    ) -> None:
        """Record over the API; ``as_played`` also records irregular events."""
        body_events = [{"type": kind, "data": data} for kind, data in events]
        answer = self.server.get(
            f"/api/sessions/{self.id}/events",
            "POST",
            json.dumps({"events": body_events, "as_played": as_played}),
            Content_Type="application/json",
            Authorization=f"Bearer {self.key(by)}",
            If_Match=f'"{self.version()}"',
        )
        assert answer.status == 201, answer.body


REACHED: Final = "() => fetch('/healthz').then(() => true, () => false)"


@dataclass
class Phone:
    """A phone at the table that holds a key."""

    evening: Evening
    context: "BrowserContext"
    page: "Page"
    wrong: list[str] = field(default_factory=list)
    _tools: "list[CDPSession]" = field(default_factory=list)

    @classmethod
    def of(cls, context: "BrowserContext", evening: Evening, who: str) -> "Phone":
        """Return a phone with the key of ``who``, which has not opened the table."""
        context.add_init_script(REPORTS)
        return cls(evening, context, context.new_page()).held_by(who)

    def held_by(self, who: str) -> "Phone":
        """Give the phone the key of ``who``, and collect its errors."""
        join(self.context, self.evening.server.origin, self.evening.key(who))
        self.page.on("pageerror", self.note_error)
        self.page.on("console", self.note)
        return self

    def tools(self) -> "CDPSession":
        """Return the browser's tools for developers; what they emulate ends with the test."""
        tools = self.context.new_cdp_session(self.page)
        self._tools.append(tools)
        return tools

    def forget(self) -> None:
        """Remove all data, so that the phone can be reused."""
        for tools in self._tools:
            tools.detach()
        empty(self.page, self.evening.server.origin)
        self.page.remove_listener("pageerror", self.note_error)
        self.page.remove_listener("console", self.note)
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

    def note_error(self, error: "Error") -> None:
        """Collect an uncaught error."""
        self.wrong.append(str(error))

    def note(self, message: "ConsoleMessage") -> None:
        """Collect an unexpected console message."""
        loud = message.type in ("error", "warning")
        if loud and not any(text in message.text for text in EXPECTED):
            self.wrong.append(message.text)

    def open(self, query: str = "") -> "Page":
        """Open the table."""
        self.page.goto(f"/t/{self.evening.id}{query}")
        return self.page

    def go_away(self) -> None:
        """Disconnect from the network until the context is set online again."""
        self.context.set_offline(True)
        # Chromium's network process is notified, but not in order with its requests.
        until(lambda: not self.page.evaluate(REACHED), 5)

    def version(self) -> int:
        """Return the displayed version."""
        return int(self.page.locator("#table").get_attribute("data-version") or 0)

    def wait_for(self, version: int, seconds: float = 5) -> None:
        """Wait until a version is displayed."""
        self.page.wait_for_function(
            "(version) => Number(document.getElementById('table').dataset.version) >= version",
            arg=version,
            timeout=1000 * seconds,
            polling=20,
        )

    def waiting(self) -> int:
        """Return the number of entries that wait to be sent."""
        return int(self.page.evaluate(asking("outbox.waiting()")))

    def hide(self, hidden: bool = True) -> None:
        """Hide the page, or show it again."""
        self.page.evaluate(
            """(hidden) => {
              Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
              Object.defineProperty(document, "visibilityState",
                { get: () => (hidden ? "hidden" : "visible"), configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )


def empty(page: "Page", origin: str) -> None:
    """Clear the storage of a page, as if it were new.

    It then shows a small page of the same origin: a blank page would need another process.
    """
    session = page.context.new_cdp_session(page)
    # Otherwise it might reload at this moment and not be left.
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.unroute_all()
    page.context.set_offline(False)
    page.goto(f"{origin}/static/icon.svg")
    page.context.clear_cookies()
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.send("Emulation.setScriptExecutionDisabled", {"value": False})
    session.detach()


# Unused phones by the address of their server: creating a new phone is the slowest step.
IDLE: Final[dict[str, list[Phone]]] = defaultdict(list)


@contextmanager
def phone(browser: "Browser", evening: Evening, who: str, new: bool = SOAK) -> Iterator[Phone]:
    """Return a phone at the table; any error in its page fails the test.

    It may have been used before, and has no service worker. A ``new`` one has, and may be changed
    permanently: by scripts, a clock, or handlers of dialogs.
    """
    idle = IDLE[evening.server.origin]
    if idle and not new:
        used = idle.pop()
        phone = Phone(evening, used.context, used.page).held_by(who)
    else:
        context = browser.new_context(
            base_url=evening.server.origin,
            viewport={"width": WIDTH, "height": HEIGHT},
            service_workers="allow" if new else "block",
        )
        phone = Phone.of(context, evening, who)
    whole = False
    try:
        yield phone
        assert phone.wrong == [], phone.wrong
        assert phone.page.evaluate("() => window.reports") == []
        whole = not new
    finally:
        if whole:
            phone.forget()
            idle.append(phone)
        else:
            phone.context.close()

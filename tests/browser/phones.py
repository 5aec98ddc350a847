"""Phones at one table: a real server, a session, and pages that note what goes wrong in them."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page

NAMES: Final = {
    "mara": "Mara", "leo": "Leo", "zoe": "Zoe", "ben": "Ben", "ada": "Ada", "ugo": "Ugo",
    "nina": "Nina",
}  # fmt: skip
WIDTH: Final = 360
HEIGHT: Final = 740
# Where no page is kept for a time without a network, its worker would only cost.
WORKERS: Final[Literal["allow", "block"]] = "allow" if SOAK else "block"
BLOCKED: Final = "Service Worker registration blocked by Playwright"
# What a browser itself notes where the network is away or the server refuses.
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
    """To ask something of the scripts of the table, which are one module, out of sight."""
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
        """A session of so many, and a match by these rules."""
        seats = list(NAMES)[:of]
        players = [{"id": key, "name": NAMES[key]} for key in seats]
        body = json.dumps({"title": "Friday", "players": players})
        told = server.get("/api/sessions", "POST", body, Content_Type="application/json")
        assert told.status == 201, told.body
        evening = cls(server, told.json["id"], told.json["keys"])
        rules = {"options": options} if options else {}
        evening.record(("match_started", {"game": game, "seats": seats, **rules}))
        return evening

    def key(self, who: str) -> str:
        """The key of a seat, the host or who looks on."""
        return str(self.keys["seats"][who] if who in NAMES else self.keys[who])

    def get(self, path: str = "") -> Any:
        """What the API says."""
        asked = f"/api/sessions/{self.id}{path}"
        return self.server.get(asked, Authorization=f"Bearer {self.key('host')}").json

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """The events on record, of one type or all."""
        events: list[dict[str, Any]] = self.get("/events")["events"]
        return [one for one in events if kind in ("", one["type"])]

    def version(self) -> int:
        """How many events there are."""
        return int(self.get("/events?limit=1")["version"])

    def record(
        self, *events: tuple[str, dict[str, Any]], by: str = "host", as_played: bool = False
    ) -> None:
        """Record through the API, perhaps what breaks a rule."""
        told = [{"type": kind, "data": data} for kind, data in events]
        answer = self.server.get(
            f"/api/sessions/{self.id}/events",
            "POST",
            json.dumps({"events": told, "as_played": as_played}),
            Content_Type="application/json",
            Authorization=f"Bearer {self.key(by)}",
            If_Match=f'"{self.version()}"',
        )
        assert answer.status == 201, answer.body


REACHED: Final = "() => fetch('/healthz').then(() => true, () => false)"


@dataclass
class Phone:
    """A phone at the table, in the hand of somebody."""

    evening: Evening
    context: "BrowserContext"
    page: "Page"
    wrong: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: "BrowserContext", evening: Evening, who: str) -> "Phone":
        """A phone with somebody's key, not yet at the table."""
        context.add_init_script(REPORTS)
        return cls(evening, context, context.new_page()).held_by(who)

    def held_by(self, who: str) -> "Phone":
        """It has somebody's key, and notes what goes wrong."""
        cookie = f"table-{self.evening.id}"
        key = self.evening.key(who)
        self.context.add_cookies(
            [{"name": cookie, "value": key, "url": self.evening.server.origin}]
        )
        self.page.on("pageerror", self.note_error)
        self.page.on("console", self.note)
        return self

    def forget(self) -> None:
        """Leave nothing to who holds it next."""
        empty(self.page, self.evening.server.origin)
        self.page.remove_listener("pageerror", self.note_error)
        self.page.remove_listener("console", self.note)
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

    def note_error(self, error: "Error") -> None:
        """Keep what nobody caught."""
        self.wrong.append(str(error))

    def note(self, said: "ConsoleMessage") -> None:
        """Keep what the console says that should not be there."""
        loud = said.type in ("error", "warning")
        if loud and not any(one in said.text for one in EXPECTED):
            self.wrong.append(said.text)

    def open(self, query: str = "") -> "Page":
        """The table."""
        self.page.goto(f"/t/{self.evening.id}{query}")
        return self.page

    def go_away(self) -> None:
        """Have no network, until the context is told that there is one again."""
        self.context.set_offline(True)
        # Chromium's network process hears of it, but not by the way that requests come to it.
        until(lambda: not self.page.evaluate(REACHED), 5)

    def version(self) -> int:
        """The version that is shown."""
        return int(self.page.locator("#table").get_attribute("data-version") or 0)

    def wait_for(self, version: int, seconds: float = 5) -> None:
        """Wait until a version is shown."""
        self.page.wait_for_function(
            "(version) => Number(document.getElementById('table').dataset.version) >= version",
            arg=version,
            timeout=1000 * seconds,
            polling=20,
        )

    def waiting(self) -> int:
        """How many entries wait on it."""
        return int(self.page.evaluate(asking("outbox.waiting()")))

    def hide(self, hidden: bool = True) -> None:
        """Turn the page away, or back."""
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
    """Leave a page without a memory, as if it were new.

    What it shows then is small, and of the same origin: a blank page would be another process.
    """
    session = page.context.new_cdp_session(page)
    # Else it might load itself again just now, and not be left.
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.unroute_all()
    page.context.set_offline(False)
    page.goto(f"{origin}/static/icon.svg")
    page.context.clear_cookies()
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.send("Emulation.setScriptExecutionDisabled", {"value": False})
    session.detach()


# Phones that nobody holds, by the address of their server: to make a new one is what costs most.
IDLE: Final[dict[str, list[Phone]]] = defaultdict(list)


@contextmanager
def phone(browser: "Browser", evening: Evening, who: str, new: bool = SOAK) -> Iterator[Phone]:
    """A phone at the table; nothing may go wrong in its page.

    Another may have held it before, and it has no worker. A new one has, and may be changed for
    good: by scripts, a clock, or whatever answers a dialog.
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

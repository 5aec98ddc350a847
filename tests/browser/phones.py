"""Phones at one table: a real server, a session, and pages that note what goes wrong in them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

NAMES: Final = {"mara": "Mara", "leo": "Leo", "zoe": "Zoe", "ben": "Ben", "ada": "Ada"}
WIDTH: Final = 360
HEIGHT: Final = 740
# What a browser itself notes where the network is away or the server refuses.
EXPECTED: Final = (
    "Failed to load resource",
    "the server responded with",
    "net::ERR",
    "when fetching the script",
    "The Cross-Origin-Opener-Policy header has been ignored",  # over plain http
)
REPORTS: Final = """
window.reports = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.reports.push(event.violatedDirective + " " + event.blockedURI);
});
"""


@dataclass
class Evening:
    """A session on a server, with its keys."""

    server: Server
    id: str
    keys: Mapping[str, Any]

    @classmethod
    def begin(cls, server: Server, game: str = "picchetto", of: int = 2) -> "Evening":
        """A session of so many, and a match."""
        seats = list(NAMES)[:of]
        players = [{"id": key, "name": NAMES[key]} for key in seats]
        body = json.dumps({"title": "Friday", "players": players})
        told = server.get("/api/sessions", "POST", body, Content_Type="application/json")
        assert told.status == 201, told.body
        evening = cls(server, told.json["id"], told.json["keys"])
        evening.record(("match_started", {"game": game, "seats": seats}))
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
        return len(self.events())

    def record(self, *events: tuple[str, dict[str, Any]], by: str = "host") -> None:
        """Record through the API."""
        told = [{"type": kind, "data": data} for kind, data in events]
        answer = self.server.get(
            f"/api/sessions/{self.id}/events",
            "POST",
            json.dumps({"events": told}),
            Content_Type="application/json",
            Authorization=f"Bearer {self.key(by)}",
            If_Match=f'"{self.version()}"',
        )
        assert answer.status == 201, answer.body


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
        origin = f"http://127.0.0.1:{evening.server.port}"
        cookie = f"table-{evening.id}"
        context.add_cookies([{"name": cookie, "value": evening.key(who), "url": origin}])
        context.add_init_script(REPORTS)
        phone = cls(evening, context, context.new_page())
        phone.page.on("pageerror", lambda error: phone.wrong.append(str(error)))
        phone.page.on("console", phone.note)
        return phone

    def note(self, said: "ConsoleMessage") -> None:
        """Keep what the console says that should not be there."""
        loud = said.type in ("error", "warning")
        if loud and not any(one in said.text for one in EXPECTED):
            self.wrong.append(said.text)

    def open(self, query: str = "") -> "Page":
        """The table."""
        self.page.goto(f"/t/{self.evening.id}{query}")
        return self.page

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
        return int(self.page.evaluate("() => window.outbox.waiting()"))

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


@contextmanager
def phone(browser: "Browser", evening: Evening, who: str, **more: Any) -> Iterator[Phone]:
    """A phone at the table; nothing may go wrong in its page."""
    origin = f"http://127.0.0.1:{evening.server.port}"
    with browser.new_context(
        base_url=origin, viewport={"width": WIDTH, "height": HEIGHT}, **more
    ) as context:
        phone = Phone.of(context, evening, who)
        yield phone
        assert phone.wrong == [], phone.wrong
        assert phone.page.evaluate("() => window.reports") == []

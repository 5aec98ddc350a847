"""Every page of sessions in every state, and measurements of a page in a browser."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.browser.joining import join
from tests.browser.phones import EXPECTED, REPORTS
from tests.operation.serving import Server
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page

# The number of recorded events of the example session by state.
STATES: Final = {"empty": 1, "begun": 2, "live": 40, "disputed": 117, "closed": 312}
# Paths of the pages: ``{live}`` is the id of the live session, and so on.
PLACES: Final[Mapping[str, str]] = {
    "home": "/",
    "new": "/new",
    "new-options": "/new?pick=briscola_regina",
    "code": "/code",
    "prefs": "/prefs",
    "verify": "/verify",
    "score": "/score",
    "example": "/score/mistake",
    "rules": "/rules",
    "rules-picchetto": "/rules/picchetto",
    "api": "/api/docs",
    "nothing": "/nothing",
    "no-such-table": "/t/nobodyhasit",
    "share": "/t/{live}/share",
    "table-empty": "/t/{empty}",
    "table-begun": "/t/{begun}",
    "table-totals": "/t/{live}?level=totals",
    "table-tricks": "/t/{live}?level=tricks",
    "table-cards": "/t/{live}?level=cards",
    "table-flat": "/t/{live}?level=tricks&view=flat",
    "table-watch": "/t/{live}?view=watch",
    "table-disputed": "/t/{disputed}?level=totals",
    "table-closed": "/t/{closed}",
    "log": "/t/{disputed}/log",
    "hand": "/t/{disputed}/h/1-1",
    "hand-disputed": "/t/{disputed}/h/1-5",
    "audit-empty": "/t/{empty}/audit",
    "audit": "/t/{disputed}/audit",
    "dispute": "/t/{disputed}/d/1-5",
    "dispute-new": "/t/{disputed}/d/1-1",
    "whole-hand": "/t/{disputed}/d/1-1/whole/add_hand_after",
    "whole-rules": "/t/{disputed}/d/1-1/whole/change_rules",
    "whole-effect": "/t/{disputed}/d/1-1/preview?whole=remove_hand",
    "results-empty": "/t/{empty}/results",
    "results": "/t/{closed}/results",
    "export": "/t/{closed}/export",
    "settings": "/t/{live}/settings",
    "settings-match": "/t/{begun}/settings/match",
    "settings-end": "/t/{live}/settings/end",
    "settings-close": "/t/{live}/settings/close",
    "guide": "/guide",
}


@dataclass
class Sessions:
    """The same session in several states, on one server."""

    server: Server
    opened: Mapping[str, Any]

    @classmethod
    def begin(cls, server: Server, log: str = EXAMPLE) -> "Sessions":
        """Import the sessions."""
        return cls(server, {state: import_session(server, log, n) for state, n in STATES.items()})

    def path(self, place: str) -> str:
        """Return the path of a page."""
        return PLACES[place].format(
            **{state: opened_place["id"] for state, opened_place in self.opened.items()}
        )

    def sit(self, context: "BrowserContext", who: str = "host") -> None:
        """Give a browser the key of ``who`` to each session."""
        for value in self.opened.values():
            keys = {**value["keys"], **value["keys"]["seats"]}
            join(context, self.origin, keys[who])

    @property
    def origin(self) -> str:
        """Return the origin of the server."""
        return self.server.origin


def import_session(server: Server, log: str, events: int) -> Any:
    """Import the first events of a log; return the session with its keys."""
    lines = [line for line in log.splitlines() if line.strip()]
    answer = server.get(
        "/api/sessions/import",
        "POST",
        ("\n".join(lines[:events]) + "\n").encode(),
        Content_Type="application/x-ndjson",
    )
    assert answer.status == 201, answer.body
    return json.loads(answer.body)


# ----------------------------------------------------------------------------- measuring

WIDER: Final = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
OPEN_ALL: Final = (
    "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"
)
# Controls below the least size: 48 px in the pad, 44 elsewhere. A label counts for its field,
# and a link within a text may be as high as the text.
SMALL: Final = """() => [...document.querySelectorAll(
  "a[href], button, input, select, textarea, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.matches("p a:not(.button), li a, dd a, dt a, td a, .skip, .sr, .chip, "
    + "a.clause, h2 a, h3 a, .house-value > input, .tick > input"))
  .map((one) => {
    const label = one.matches("input") && one.closest("label");
    const box = (label && label.querySelector("span") && one.closest(".pick") ? label : one);
    const around = one.matches("input[type=checkbox], input[type=radio]") && label ? label : box;
    return [one, around.getBoundingClientRect(), one.closest(".pad, .bar, .zones") ? 48 : 44];
  })
  .filter(([, box, least]) => box.width && (box.height < least - .5 || box.width < least - .5))
  .map(([one, box, least]) => [one.outerHTML.slice(0, 90), box.width, box.height, least].join(" "))
"""
# A focused element that lies under the bar at the bottom.
COVERED: Final = """() => {
  const bar = document.querySelector(".bar");
  if (!bar || !["fixed", "sticky"].includes(getComputedStyle(bar).position)) return [];
  return [...document.querySelectorAll("main a[href], main button, main input, main summary")]
    .filter((one) => one.checkVisibility() && !one.disabled && !bar.contains(one))
    .filter((one) => {
      one.focus();
      const box = (one.closest(".pick") || one).getBoundingClientRect();
      return document.activeElement === one && box.bottom > bar.getBoundingClientRect().top + 1;
    })
    .map((one) => one.outerHTML.slice(0, 90));
}"""
# The contrast of a text with its background, by the formula of WCAG.
CONTRAST: Final = """(selector) => {
  const parse = (text) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((n) => n / 255)
      .map((n) => (n <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return parse("white");
  };
  return [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => {
      const [a, b] = [parse(getComputedStyle(one).color), behind(one)].map(light)
        .sort((x, y) => y - x);
      return (a + .05) / (b + .05);
    });
}"""
LETTERS: Final = "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"


# ------------------------------------------------------------------------------- watching


@contextmanager
def watched(page: "Page") -> Iterator["Page"]:
    """Fail the test on any error, policy report or dialog of the page."""
    wrong: list[str] = []
    page.add_init_script(REPORTS)

    def note_console(message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning") and not any(
            text in message.text for text in EXPECTED
        ):
            wrong.append(message.text)

    def note_dialog(dialog: "Dialog") -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", note_console)
    page.on("dialog", note_dialog)
    yield page
    assert wrong == []


REPORTED: Final = "() => window.reports || []"

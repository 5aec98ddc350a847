"""Words on the controls of a table are readable in every state: also pressed and disabled.

axe-core measures neither pressed controls nor disabled ones.
"""

from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, Phone, phone
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

CONTROLS: Final = "#table :is(button, summary, a, .pick, .button):not(.log *)"
# The log is fetched when it is opened.
OPEN_ALL: Final = """() => document.querySelectorAll("#table details:not(.log)")
  .forEach((one) => { one.open = true; })"""
PUT_ON: Final = "(theme) => { document.documentElement.dataset.theme = theme; }"
STATES: Final = {"plain": [], "pointed at": ["hover"], "pressed": ["hover", "active"]}
LEVELS: Final = ("cards", "tricks", "totals")
THEMES: Final = ("light", "dark", "black")
# The texts and signs on controls with less contrast than they need, as WCAG computes it: 4.5, and
# 3 for signs. Backgrounds and texts that one can see through are mixed with what is behind them.
UNREADABLE: Final = """(controls) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  const parse = (text) => {
    if (!colours.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colours.set(text, [r, g, b, a / 255]);
    }
    return colours.get(text);
  };
  const mix = (top, share, under) => under.map((n, at) => top[at] * share + n * (1 - share));
  const over = (text, under) => mix(parse(text), parse(text)[3], under);
  const grounds = new Map([[null, [255, 255, 255]]]);
  const ground = (one) => {
    if (!grounds.has(one)) {
      const { backgroundColor, opacity } = getComputedStyle(one), under = ground(one.parentElement);
      grounds.set(one, mix(over(backgroundColor, under), Number(opacity), under));
    }
    return grounds.get(one);
  };
  const ink = (text, one) => {
    let colour = over(text, ground(one));
    for (let at = one; at; at = at.parentElement) {
      const share = Number(getComputedStyle(at).opacity);
      if (share < 1) colour = mix(colour, share, ground(at.parentElement));
    }
    return colour;
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((n) => n / 255)
      .map((n) => (n <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const contrast = (text, one) => {
    const [a, b] = [ink(text, one), ground(one)].map(light).sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  };
  const found = new Set();
  const see = (one, text, least, what) => {
    const n = contrast(text, one);
    if (n < least) found.add(`${n.toFixed(2)} ${what} ${one.closest(controls).className}`);
  };
  for (const one of document.querySelectorAll(`${controls}, ${controls} *`)) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".sr")) continue;
    const { color } = getComputedStyle(one);
    if (one.matches("svg")) see(one, color, 3, "sign");
    const texts = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (texts.length) see(one, color, 4.5, one.textContent.trim().slice(0, 20));
    const after = getComputedStyle(one, "::after");
    if (/[\\w★▸]/.test(after.content) && !["none", "normal", '""'].includes(after.content))
      see(one, after.color, 4.5, after.content);
  }
  return [...found];
}"""


def pages(server: Server) -> dict[str, tuple[Evening, str]]:
    """Return a table of each game with a hand that was begun, and the address of its page."""
    opened = {}
    for game, level in zip(GAMES, cycle(LEVELS)):
        evening = Evening.begin(server, game, len(GAMES[game].split()))
        dealt = {"type": "hand_started", "data": {"dealer": played(game, DICE[game]).dealer}}
        events = recorded_events(game, level, DICE[game])
        begun = [dealt, *events[: len(events) // 4]]
        evening.record(*((event["type"], event["data"]) for event in begun), as_played=True)
        opened[f"{game} {level}"] = evening, f"?level={level}"
    return opened


def force(host: Phone, session: Any, states: list[str]) -> None:
    """Let all controls look as in these states."""
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    found = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": CONTROLS})
    for node in found["nodeIds"]:
        session.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": states})


def test_controls_are_readable_in_every_state(server: Server, browser: "Browser") -> None:
    faults: dict[tuple[str, ...], list[str]] = {}
    for where, (evening, query) in pages(server).items():
        with phone(browser, evening, "host") as host:
            page, session = host.open(query), host.tools()
            session.send("DOM.enable")
            session.send("CSS.enable")
            page.evaluate(OPEN_ALL)
            for state, forced in STATES.items():
                force(host, session, forced)
                for theme in THEMES:
                    page.evaluate(PUT_ON, theme)
                    if found := page.evaluate(UNREADABLE, CONTROLS):
                        faults[where, state, theme] = found
    assert faults == {}


def test_points_made_so_far_are_readable(server: Server, browser: "Browser") -> None:
    game, level = "picchetto", "tricks"
    evening = Evening.begin(server, game)
    dealt = {"dealer": played(game, DICE[game]).dealer}
    shown = recorded_events(game, level, DICE[game])[:2]
    events = [("hand_started", dealt), *((event["type"], event["data"]) for event in shown)]
    evening.record(*events, as_played=True)
    faults: dict[tuple[int, str], list[str]] = {}
    with phone(browser, evening, "host") as host:
        for width in (360, 1280):  # over what follows, and among it
            host.page.set_viewport_size({"width": width, "height": 800})
            page = host.open(f"?level={level}")
            page.evaluate(OPEN_ALL)
            assert page.locator(".counted li").count() == len(shown)
            for theme in THEMES:
                page.evaluate(PUT_ON, theme)
                if found := page.evaluate(UNREADABLE, ".counted li"):
                    faults[width, theme] = found
    assert faults == {}

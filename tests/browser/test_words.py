"""Words on the buttons of the table are not broken, in any language, on the narrowest phone.

The questions of a hand of each game at each level are drawn by an application in this process, and
put one after another into the page of a table.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import client_of
from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import HEIGHT, Evening, phone
from tests.evenings import event
from tests.operation.serving import Server
from tests.thinned import thinned
from tests.web.tapping import FRAGMENT, Tapped

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LANGUAGES: Final = ("en", "it", "fr")
LEVELS: Final = ("totals", "tricks", "cards")
WIDTHS: Final = (320, 360)
# Puts a table into the page; returns the words of its buttons that are on two lines, and the
# buttons that are narrower than their words.
BROKEN: Final = """([html, language]) => {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("table");
  document.documentElement.lang = language;
  document.getElementById("table").replaceWith(next);
  const found = new Set();
  const range = document.createRange();
  const buttons = "button, summary, .button, .pick > span, .levels a, .bar a";
  next.querySelectorAll("details").forEach((one) => { one.open = true; });
  next.querySelectorAll(buttons).forEach((one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return;
    const words = one.textContent.trim();
    if (one.scrollWidth > one.clientWidth + 1) found.add(`too narrow: ${words}`);
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest(".sr")) continue;
      for (const { 0: word, index } of node.data.matchAll(/[^\\s\\u2013\\u2014·-]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width > .5)
          .map((box) => Math.round(box.top)));
        if (lines.size > 1) found.add(`broken: ${word} of ${words}`);
      }
    }
  });
  return [...found];
}"""


def questions(client: FlaskClient, game: str) -> Iterator[tuple[str, str, str]]:
    """Yield each question of a hand, a language, and the table that asks it."""
    seats = GAMES[game].split()
    dealer = event("hand_started", dealer=played(game, DICE[game]).dealer)
    started = event("match_started", game=game, seats=seats)
    asked = set()
    for level in LEVELS:
        table = Tapped.open(client, GAMES[game], started, dealer)
        table.level = level
        for coming in recorded_events(game, level, DICE[game]):
            question = "totals" if level == "totals" else coming["type"]
            if question not in asked:
                asked.add(question)
                for language in LANGUAGES:
                    html = table.get(**FRAGMENT, **{"Accept-Language": language}).text
                    yield question, language, html
            if level == "totals":
                break
            table.record(coming, as_played=True)


@pytest.mark.parametrize("game", thinned(GAMES, 3))
def test_no_word_on_a_button_is_broken(server: Server, browser: "Browser", game: str) -> None:
    asked, faults = list(questions(client_of(), game)), {}
    with phone(browser, Evening.begin(server, game, len(GAMES[game].split())), "host") as host:
        host.open("?level=totals")
        for width in WIDTHS:
            host.page.set_viewport_size({"width": width, "height": HEIGHT})
            for question, language, html in asked:
                if found := host.page.evaluate(BROKEN, [html, language]):
                    faults[width, question, language] = found
    assert faults == {}

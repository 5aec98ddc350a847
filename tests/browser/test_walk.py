"""A hand of each game at each level, recorded on another phone, as this phone shows it.

After each event the question is visible with its first answer, and no control has moved.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, Phone, phone
from tests.browser.test_felt import PLACES, PLAYS, moved
from tests.browser.test_reach import play
from tests.browser.thumb import HASTE
from tests.levels import games_and_levels
from tests.operation.serving import Server
from tests.players.common import Event

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# What is amiss with the question: its title, where it is drawn, and its first answer are within the
# window and not covered; no two questions have the same row of names.
QUESTION: Final = """() => {
  const form = document.querySelector(".pad form.step");
  if (!form) return ["no question"];
  const drawn = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled
    && getComputedStyle(one).clipPath === "none";
  const amiss = (what, one) => {
    if (!one) return [`no ${what}`];
    const box = one.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth)
      return [`the ${what} is beyond the window: ${one.textContent}`];
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const edges = [[x, box.top + 4], [x, box.bottom - 4], [box.left + 4, y], [box.right - 4, y]];
    const over = [[x, y], ...edges].map(([a, b]) => document.elementFromPoint(a, b))
      .find((met) => !one.contains(met));
    return over ? [`the ${what} is covered: ${one.textContent} by ${over.className}`] : [];
  };
  const title = [...form.querySelectorAll("h3")].find(drawn);
  const answer = [...form.querySelectorAll("button, .pick, .typed, summary")].find(drawn);
  const rows = [...document.querySelectorAll(".pad .step:not(.whole) .chips.seats")].filter(drawn)
    .map((row) => [...row.children].map((one) => one.textContent.trim()).join());
  return [...(title ? amiss("title", title) : []), ...amiss("answer", answer),
    ...(rows.some((row, n) => rows.indexOf(row) < n) ? [`the same names twice: ${rows}`] : [])];
}"""


def stretches(events: list[Event], seats: int) -> Iterator[list[Event]]:
    """Yield the events one by one; of the play all at once that resembles its first trick."""
    plays = [place for place, event in enumerate(events) if event["type"] in PLAYS]
    alike = set(plays[seats + 1 : -1])
    stretch: list[Event] = []
    for place, event in enumerate(events):
        stretch.append(event)
        if place not in alike:
            yield stretch
            stretch = []


def faults_of(host: Phone, game: str, level: str) -> Iterator[tuple[str, Any]]:
    """Record a hand; yield the name of each event after which something is amiss, and what."""
    dealer = {"type": "hand_started", "data": {"dealer": played(game, DICE[game]).dealer}}
    events = [dealer, *recorded_events(game, level, DICE[game])]
    before: dict[str, list[int]] = {}
    for stretch in stretches(events, len(GAMES[game].split())):
        play(host, *stretch, as_played=True)
        if host.page.locator(".pad").count() == 0 or host.page.locator(".handover").count():
            return
        after = host.page.evaluate(PLACES)
        question = host.page.evaluate(QUESTION)
        if question or moved(before, after):
            yield stretch[-1]["type"], [*question, moved(before, after)]
        before = after


@pytest.mark.parametrize(("game", "level"), games_and_levels())
def test_question_is_visible_and_no_control_moves_throughout_a_hand(
    server: Server, browser: "Browser", game: str, level: str
) -> None:
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    with phone(browser, evening, "host") as host:
        host.open(f"?level={level}").evaluate(HASTE)
        faults = list(faults_of(host, game, level))
    assert faults == []

"""The table in the middle of the page: large scores, seats to tap, and nothing that moves."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played
from tests.browser.phones import Evening, Phone, phone
from tests.browser.test_reach import begun, play
from tests.operation.serving import Server
from tests.thinned import thinned

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

PLAYS: Final = ("card_played", "trick_taken")
SIDES: Final = {2: "picchetto", 4: "riparto", 5: "briscola_chiamata"}  # by their number
NEAR: Final = 1  # pixels that a place may differ by, for rounding
# The place of each control in reach that records, and of the way to the rare ones.
PLACES: Final = """() => {
  const seen = {};
  for (const one of document.querySelectorAll(".pad button[value], .pad .pick input, .undo button,"
    + " .pad .aside > summary, .pad .seldom > summary")) {
    const whole = one.closest(".pick") ?? one, box = whole.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (one.disabled || !whole.contains(document.elementFromPoint(x, y))) continue;
    // A question is the same one as long as it has the same answers.
    const answers = one.form?.querySelectorAll(".chips :is(button[value], .pick input)") ?? [];
    const form = (one.form?.dataset.step ?? "") + [...answers].map((other) => other.value);
    const name = one.matches("summary, .undo button") ? one.firstChild.textContent : one.value;
    seen[`${form} ${one.name ?? ""} ${name}`] = [box.left, box.top].map(Math.round);
  }
  return seen;
}"""
SIZES: Final = "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
# The numbers of cards in the rows of the grid, and whether each row is as wide as the grid.
ROWS: Final = """() => {
  const rows = {};
  for (const card of document.querySelectorAll(".card_played .cards button")) {
    const box = card.getBoundingClientRect();
    (rows[Math.round(box.top)] ??= []).push(box);
  }
  const grid = document.querySelector(".card_played .cards").getBoundingClientRect();
  return Object.values(rows).map((row) => ({
    cards: row.length,
    whole: Math.abs(Math.min(...row.map((box) => box.left)) - grid.left) <= 1
      && Math.abs(Math.max(...row.map((box) => box.right)) - grid.right) <= 1,
  }));
}"""


def dealt(server: Server, game: str) -> Evening:
    """Return a table with a hand that is dealt."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    return evening


def moved(before: dict[str, list[int]], after: dict[str, list[int]]) -> dict[str, Any]:
    """Return the places of the controls that exist before and after, and differ."""
    return {
        name: (place, after[name])
        for name, place in before.items()
        if name in after and max(abs(a - b) for a, b in zip(place, after[name], strict=True)) > NEAR
    }


def walk(host: Phone, events: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what moves at each event of the play, which another phone records."""
    before = host.page.evaluate(PLACES)
    for event in events:
        play(host, event, as_played=True)
        after = host.page.evaluate(PLACES)
        yield event["type"], moved(before, after)
        before = after


def test_question_for_the_partner_does_not_move_the_seats(
    server: Server, browser: "Browser"
) -> None:
    evening = dealt(server, "briscola_chiamata")
    with phone(browser, evening, "host") as host:
        host.open("?level=tricks")
        bid = {"type": "bid_made", "data": {"player": "leo", "bid": "K"}}
        call = {"type": "card_called", "data": {"player": "leo", "card": "KB"}}
        play(host, bid, call)
        partner = {"type": "partner_revealed", "data": {"player": "zoe"}}
        assert list(walk(host, [partner])) == [("partner_revealed", {})]


@pytest.mark.parametrize("sides", SIDES)
def test_scores_are_read_from_afar(server: Server, browser: "Browser", sides: int) -> None:
    least, watched = (40, 72) if sides <= 4 else (28, 56)
    with phone(browser, dealt(server, SIDES[sides]), "host") as host:
        for level in ("totals", "tricks", "cards"):
            page = host.open(f"?level={level}")
            assert min(page.locator(".totals .figure").evaluate_all(SIZES)) >= least, level
        page = host.open("?view=watch")
        assert min(page.locator(".totals .figure").evaluate_all(SIZES)) >= watched
        page = host.open("?view=flat&level=tricks")
        assert min(page.locator(".zone .figure").evaluate_all(SIZES)) >= watched


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_score_that_changes_is_marked_by_one_motion(
    server: Server, browser: "Browser", motion: Any
) -> None:
    evening = dealt(server, "knock")
    with phone(browser, evening, "host") as host:
        host.page.emulate_media(reduced_motion=motion)
        page = host.open("?level=totals")
        evening.record(("points_counted", {"points": {"A": 60, "B": 40}}))
        host.wait_for(evening.version())
        changed = page.locator(".figure.changed")
        assert changed.count() == 2
        names = "(all) => all.map((one) => getComputedStyle(one).animationName)"
        assert set(changed.evaluate_all(names)) == {"none" if motion == "reduce" else "changed"}
        evening.record(("note_added", {"text": "Coffee"}))
        host.wait_for(evening.version())
        assert page.locator(".figure.changed").count() == 0
        host.page.emulate_media(reduced_motion="null")


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_cards_stand_in_whole_rows(server: Server, browser: "Browser", game: str) -> None:
    evening, _ = begun(server, game)
    with phone(browser, evening, "host") as host:
        page = host.open("?level=cards")
        rows = page.evaluate(ROWS)
    assert len({row["cards"] for row in rows}) == 1
    assert all(row["whole"] for row in rows)


@pytest.mark.parametrize("level", ["tricks", "cards"])
def test_phone_on_its_side_shows_scores_beside_the_question(
    server: Server, browser: "Browser", level: str
) -> None:
    evening, _ = begun(server, "briscola_regina")
    with phone(browser, evening, "host") as host:
        host.page.set_viewport_size({"width": 740, "height": 360})
        page = host.open(f"?level={level}")
        box = "(one) => { const at = one.getBoundingClientRect(); return [at.left, at.right]; }"
        scores, pad = (page.locator(one).evaluate(box) for one in (".totals", ".pad"))
        assert scores[1] <= pad[0]
        first = page.locator(".pad form").first.locator("button[value], .pick").first
        assert first.evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight")

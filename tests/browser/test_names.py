"""Scores and names: none is cut without an ellipsis, none overlaps, no two look alike."""

import json
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import NAMES, Evening, phone
from tests.evenings import event
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# By the number of players: a game, and events of a hand with winners and losers.
BID: Final = ("bid_made", {"player": "leo", "points": 8})
MONTE: Final = (
    "briscola_col_monte",
    ("bid_made", {"player": "leo", "bid": 95}),
    ("partner_revealed", {"player": "leo"}),
    ("outcome_recorded", {"made": False}),
)
HANDS: Final[Any] = {
    2: ("picchetto", ("points_counted", {"points": {"mara": 104, "leo": 13}})),
    3: ("riparto", BID, ("points_counted", {"points": {"mara": 1, "leo": 7, "zoe": 7}})),
    4: ("knock", ("points_counted", {"points": {"A": 40}})),
    5: MONTE, 6: MONTE, 7: MONTE,
}  # fmt: skip
SEATS: Final = tuple(NAMES)
OF_60: Final = "Massimiliano Bartolomeo Ferdinando Rossi-Colonna di Serra"
CALLED: Final = {
    "one letter": list("ABCDEFG"),
    "usual": ["Alessandro", "Giovanna", "Leo", "Francesca", "Ada", "Sebastiano", "Piero"],
    "alike": ["Maria Grazia", "Maria Giovanna", "Alessandro", "Alessandra", "Leo", "Anna", "Anna"],
    "long": [f"{OF_60} {n}" for n in range(7)],
    "broad": [letter * 60 for letter in "MWmw@漢あ"],
}
SIZES: Final = [
    (320, 740, 100),
    (360, 740, 100),
    (320, 740, 125),
    (360, 740, 200),
    (1280, 800, 100),
]
# The texts of the scores and seats that are cut, overflow, overlap, or equal another one in their
# row.
WRONG: Final = """() => {
  const wrong = [];
  const shown = (one) => !one.matches(".sr") && one.checkVisibility({ visibilityProperty: true });
  const rows = [[".totals li", ".name bdi, .figure, .delta"], [".seats > *", "bdi"],
    [".numbers.folded legend", "bdi"], [".zone", "bdi, .figure"]];
  for (const [place, inside] of rows) {
    const boxes = [];
    document.querySelectorAll(place).forEach((cell) => {
      const around = cell.getBoundingClientRect();
      [...cell.querySelectorAll(inside)].filter(shown).forEach((one) => {
        const range = document.createRange();
        const heard = !one.matches("bdi") && one.querySelector(".sr");
        const own = one.matches(".apart") && one.lastElementChild;
        range.selectNodeContents(one);
        if (heard) range.setEndBefore(heard);
        const inside = range.getBoundingClientRect();
        if (!inside.width) return;
        const box = one.matches("bdi") ? one.getBoundingClientRect() : inside;
        const cut = one.scrollWidth > one.clientWidth + 1
          || one.scrollHeight > one.clientHeight + 1;
        if (one.matches("bdi") && one.clientWidth && cut
          && getComputedStyle(one).textOverflow !== "ellipsis")
          wrong.push(`cut: ${one.textContent}`);
        if (own && own.clientWidth < Math.min(own.scrollWidth, 10))
          wrong.push(`its own letters are hidden: ${one.textContent}`);
        if (box.left < around.left - 1 || box.right > around.right + 1
          || box.bottom > around.bottom + 1)
          wrong.push(`outside ${place}: ${one.textContent}`);
        if (place !== ".zone") boxes.push([range.toString().trim(), box]);
      });
    });
    boxes.forEach(([text, a], n) => boxes.slice(n + 1).forEach(([other, b]) => {
      if (a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 4 && b.top < a.bottom - 4)
        wrong.push(`over one another in ${place}: ${text}, ${other}`);
    }));
  }
  for (const row of document.querySelectorAll(".totals, .seats, .zones")) {
    const names = [...row.querySelectorAll("bdi")].filter(shown).map((one) => one.textContent);
    if (new Set(names).size < names.length) wrong.push(`alike: ${names}`);
  }
  return wrong;
}"""


def table(server: Server, names: list[str]) -> Evening:
    """Open a table of these players with large scores and a recorded hand."""
    game, *hand = HANDS[len(names)]
    seats = SEATS[: len(names)]
    players = [{"id": seat, "name": name} for seat, name in zip(seats, names, strict=True)]
    opening = json.dumps(event("session_opened", title="Friday", players=players))
    # Some of the names look alike: only an import takes them.
    answer = server.get(
        "/api/sessions/import", "POST", opening, Content_Type="application/x-ndjson"
    )
    opened = answer.json
    evening = Evening(server, opened["id"], opened["keys"])
    evening.record(("match_started", {"game": game, "seats": list(seats)}))
    for side in {"knock": ("A", "B"), "picchetto": ()}.get(game, seats):
        evening.record(("penalty_given", {"side": side, "points": -112, "reason": "late"}))
    evening.record(("hand_started", {"dealer": "mara"}), *hand, ("hand_started", {"dealer": "leo"}))
    return evening


def find_faults(
    server: Server, browser: "Browser", names: list[str], sizes: Any, wrong: str = WRONG
) -> list[str]:
    """Return the faults of the table of these players in windows of these sizes."""
    faults = []
    with phone(browser, table(server, names), "leo") as device:
        for level in ("?level=tricks", "?level=totals", "?view=flat", "?view=watch"):
            device.page.set_viewport_size({"width": 360, "height": 740})
            device.open(level)
            for width, height, percent in sizes:
                device.page.set_viewport_size({"width": width, "height": height})
                size = f"document.documentElement.style.fontSize = '{percent}%'"
                device.page.evaluate(size)
                place = f"{level} {width}x{height} {percent}%"
                faults += [f"{place} {fault}" for fault in device.page.evaluate(wrong)]
    return faults


def test_seven_similar_names_are_displayed_distinctly(server: Server, browser: "Browser") -> None:
    assert find_faults(server, browser, CALLED["alike"], SIZES[:1] + SIZES[3:4]) == []


# The names that are not shown as a whole.
CUT: Final = """() => [...document.querySelectorAll(".totals bdi, .seats bdi, .zone bdi")]
  .flatMap((one) => [one, ...one.querySelectorAll(":not(.sr)")])
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""


def test_name_that_fits_is_shown_as_a_whole(server: Server, browser: "Browser") -> None:
    usual = ["Margherita", "Alessandro", "Alessandra", "Wilhelmina"]
    for names, width in [(usual[:3], 360), (usual, 1280)]:
        assert find_faults(server, browser, names, [(width, 740, 100)], CUT) == []


def test_name_that_does_not_fit_ends_with_an_ellipsis(server: Server, browser: "Browser") -> None:
    faults = find_faults(server, browser, CALLED["long"][:4], [(360, 740, 100)], CUT)
    assert {fault.partition(" 360")[0] for fault in faults} == {
        "?level=tricks", "?level=totals", "?view=flat", "?view=watch",
    }  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "called"), list(product(HANDS, CALLED)))
def test_names_and_scores_of_any_length_do_not_overflow(
    server: Server, browser: "Browser", seats: int, called: str
) -> None:
    assert find_faults(server, browser, CALLED[called][:seats], SIZES) == []


def test_large_figures_do_not_touch_the_names_beside_them(
    server: Server, browser: "Browser"
) -> None:
    with phone(browser, table(server, CALLED["usual"][:2]), "leo") as device:
        page = device.open()
        page.set_viewport_size({"width": 320, "height": 740})
        page.goto(page.url.partition("?")[0] + "/h/1-1")
        gaps = page.evaluate("""() => [...document.querySelectorAll(".gain")].map((line) => {
          const [figure, words] = line.children, range = document.createRange();
          figure.textContent = "+14400";
          range.selectNodeContents(figure);
          return words.getBoundingClientRect().left - range.getBoundingClientRect().right;
        })""")
        assert gaps
        assert min(gaps) > 4

"""The screen of a hall in a browser: what can be read from its back, and how soon it changes."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.joining import join
from tests.browser.phones import REPORTS
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WIDTH, HEIGHT = 1920, 1080
WIDEST = "W" * 60
NAMES = (WIDEST, *(f"Ada Longobardi {place}" for place in range(2, 27)))
LAYOUT = """() => {
  const box = (one) => one.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(`main ${selector}`)];
  const canvas = document.createElement("canvas").getContext("2d");
  const height = (one) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(one);
    canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return canvas.measureText("0").actualBoundingBoxAscent;
  };
  const digits = all(":is(b, .moved, .part, .time, .clock, .ends, .more)")
    .filter((one) => /[0-9]/.test(one.textContent) && box(one).height);
  const names = all(".columns bdi");
  const rows = all(".columns li").filter((one) => !one.querySelector("li"));
  const follows = (one, place, cells) => !place || box(cells[place - 1]).right <= box(one).left + 1;
  const { scrollHeight, scrollWidth } = document.documentElement;
  return {
    digits: Math.min(...digits.map(height), innerHeight),
    names: names.length,
    cut: names.filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => getComputedStyle(one).textOverflow),
    apart: rows.every((one) => [...one.children].every(follows)),
    inside: rows.every((one) => box(one).bottom <= innerHeight && box(one).right <= innerWidth),
    scrolls: scrollHeight > innerHeight || scrollWidth > innerWidth,
  };
}"""


class HallOnServer:
    """A tournament of 26 at Chiamata, or of these names, with a screen."""

    def __init__(self, server: Server, names: Sequence[str] = NAMES, title: str = "Sagra") -> None:
        self.server = server
        body = {
            "name": title, "game": "briscola_chiamata", "entrants": "individual",
            "stages": [{"name": "Rounds", "draw": "balanced", "rounds": 3, "points": "places",
                        "minutes": 30}],
            "registered": [{"id": f"e{place}", "name": name,
                            "players": [{"id": f"e{place}", "name": name}]}
                           for place, name in enumerate(names, 1)],
        }  # fmt: skip
        opened = self.send("/api/tournaments", body, key="")
        self.path, self.key = f"/api/tournaments/{opened['id']}", opened["keys"]["director"]
        self.page = f"/tournament/{opened['id']}"
        self.version = opened["version"]

    def send(self, path: str, body: Any, key: str | None = None, **more: str) -> Any:
        """Send a POST with the director's key, and return the JSON of the answer."""
        named = {} if key == "" else {"Authorization": f"Bearer {key or self.key}"}
        answer = self.server.get(
            path, "POST", json.dumps(body), Content_Type="application/json", **named, **more
        )
        assert answer.status in (200, 201), answer.body
        return answer.json

    def make_address(self, directors: "BrowserContext") -> str:
        """Make the address of the screen in the director's browser, and return its path."""
        director = directors.new_page()
        join(directors, self.server.origin, self.key)
        director.goto(f"{self.page}/hall")
        director.get_by_role("button", name="Make the address").click()
        href = director.locator(".link-text a").get_attribute("href") or ""
        return href[href.index("/published/") :]

    def do(self, kind: str, **data: Any) -> None:
        """Record an event."""
        self.append("/events", {"events": [{"type": kind, "data": data}]})

    def append(self, path: str, body: Any) -> Any:
        """Append to the log at its latest version."""
        answered = self.send(self.path + path, body, If_Match=f'"{self.version}"')
        self.version = answered["version"]
        return answered

    def draw(self, *paper: int) -> list[list[str]]:
        """Draw the next round and publish it; return its tables."""
        drawn = self.send(f"{self.path}/draw", {"seed": 1})["draw"]
        self.do("round_drawn", **drawn)
        self.append("/publish", {"round": drawn["round"], "paper": list(paper)})
        tables: list[list[str]] = drawn["tables"]
        return tables

    def find_sessions(self) -> list[str]:
        """Return the sessions of the latest round, by table."""
        answer = self.server.get(f"{self.path}/tables", Authorization=f"Bearer {self.key}")
        return [table["session"] for table in answer.json["tables"]]

    def record(self, table: int, seats: list[str], best: int) -> None:
        """Record the result of a table in the first round; ``seats`` are in the order of scores."""
        scores = {entrant: best - 10 * place for place, entrant in enumerate(seats)}
        scores[seats[0]] -= sum(scores.values())
        self.do("result_recorded", round=1, table=table, scores=scores, hands=10)


@pytest.fixture
def screen(browser: "Browser", server: Server) -> Iterator[tuple[HallOnServer, "Page", str]]:
    """Return a hall, a screen without keys, and the address that a director made for it."""
    hall = HallOnServer(server)
    with (
        browser.new_context(base_url=server.origin, service_workers="block") as directors,
        browser.new_context(
            base_url=server.origin, viewport={"width": WIDTH, "height": HEIGHT}
        ) as wall,
    ):
        address = hall.make_address(directors)
        wall.add_init_script(REPORTS)
        page, wrong = wall.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield hall, page, address
        assert page.evaluate("() => window.reports") == []
        assert wrong == []
        assert wall.cookies() == []


def test_screen_can_be_read_from_the_back_and_follows_the_hall(
    screen: tuple[HallOnServer, "Page", str],
) -> None:
    hall, page, address = screen
    tables = hall.draw(1, 2, 3, 4, 5)
    hall.do("round_started", round=1, minutes=30)
    for number, seats in enumerate(tables[1:], 2):
        hall.record(number, seats, 20)
    page.goto(address)
    kinds, first = list[str](), page.locator("#hall").get_attribute("data-here")
    while not kinds or page.locator("#hall").get_attribute("data-here") != first:
        kinds.append((page.locator("#hall").get_attribute("class") or "").removeprefix("of-"))
        found = page.evaluate(LAYOUT)
        assert found["digits"] >= HEIGHT * 0.05, (kinds, found)
        assert found["names"] <= 24
        assert set(found["cut"]) <= {"ellipsis"}
        assert (found["apart"], found["inside"], found["scrolls"]) == (True, True, False), kinds
        page.goto(page.locator("#hall").get_attribute("data-next") or "")
    assert kinds[:2] == ["names", "names"]
    assert list(dict.fromkeys(kinds)) == ["names", "tables", "clock", "standings"]

    # The clock, whose end the API names.
    page.goto(f"{address}&page={kinds.index('clock') + 1}")
    page.wait_for_function("() => document.querySelector('.clock').textContent.includes(':')")
    clock = hall.server.get(f"{hall.path}/clock", Authorization=f"Bearer {hall.key}").json
    minutes, seconds = page.locator(".clock").inner_text().split(":")
    assert abs(int(minutes) * 60 + int(seconds) - clock["seconds_left"]) <= 1

    # Standings, a moment after a result.
    page.goto(f"{address}&page={kinds.index('standings') + 1}")
    seats, waits = tables[0], []
    for best in range(400, 410):
        page.wait_for_timeout(150)
        page.evaluate("() => { document.getElementById('hall').dataset.old = 1; }")
        hall.record(1, seats, best)
        began = time.monotonic()
        page.wait_for_function("() => !('old' in document.getElementById('hall').dataset)")
        waits.append(time.monotonic() - began)
        seats = [*seats[1:], seats[0]]
    assert sorted(waits)[-2] <= 1.0, waits
    assert page.locator("main :is(a, button, input, form)").count() == 0

"""A club in the browser: set up from old logs on a phone, seen by all, printed on one page."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import OPEN_ALL, REPORTED, SMALL, WIDER, watched
from tests.browser.test_axe_pages import AXE, RUN_AXE, WAYS, Way
from tests.operation.serving import Server
from tests.web.club.visiting import GOLDEN, riparto

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FilePayload, Page

pytestmark = pytest.mark.browser

PHONE: Final[Any] = {"width": 360, "height": 740}
LONG: Final = tuple(f"{n:03} {'Wilhelmine' * 5} {n:05}" for n in range(300))
STAKE: Final = {"currency": "EUR", "point": 10, "match": 100}
# The pages of a club, below its address.
PAGES: Final = (
    "", "?season=ever", "/evenings", "/member/mara", "/records", "/money",
    "/money/of?account=mara&currency=EUR", "/export", "/settings", "/settings/member/leo",
    "/settings/merge?member=leo&into=ugo", "/settings/season", "/settings/season/autumn/close",
    "/settings/recorded", "/settings/recorded/2", "/enter", "/new",
)  # fmt: skip
SUITE: Final = ("", "/member/mara", "/money", "/settings", "/enter")  # the others in the soak
# Names that are cut off by the box in which they stand.
CUT: Final = """() => [...document.querySelectorAll("main bdi")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).overflow !== "visible")
  .filter((one) => one.clientHeight > 0
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2))
  .map((one) => one.textContent)"""


def file(log: bytes, at: int) -> "FilePayload":
    return {"name": f"{at}.jsonl", "mimeType": "application/x-ndjson", "buffer": log}


def opened(page: "Page", name: str, me: str, others: tuple[str, ...] = ()) -> str:
    """Open a club; its address."""
    page.goto("/club/new")
    page.fill("#name", name)
    page.fill("#me", me)
    page.fill("#others", "\n".join(others))
    page.check("#money-yes")
    page.get_by_role("button", name="Open the club").click()
    page.wait_for_url(re.compile("/club/o"))
    return page.url


def brought(page: "Page", club: str, *logs: bytes) -> None:
    """Bring in the evenings of logs."""
    page.goto(f"{club}/enter")
    page.set_input_files("#log", [file(log, at) for at, log in enumerate(logs)])
    page.get_by_role("button", name="Add them").click()
    page.get_by_role("status").wait_for()


@pytest.fixture(scope="module")
def visitor(browser: "Browser", server: Server) -> Iterator["BrowserContext"]:
    """The phone of the host."""
    with browser.new_context(
        base_url=server.origin, viewport=PHONE, reduced_motion="reduce", service_workers=WORKERS
    ) as context:
        yield context


@pytest.fixture(scope="module")
def page(visitor: "BrowserContext") -> Iterator["Page"]:
    with watched(visitor.new_page()) as page:
        yield page


@pytest.fixture(scope="module")
def club(page: "Page") -> str:
    """A club with a season, set up from fifty old logs."""
    address = opened(page, "Circolo", "Mara", ("Leo", "Nina"))
    seats = ("mara leo nina ugo", "leo mara nina zoe")
    logs = [
        riparto(f"2026-{9 + at // 25:02}-{1 + at % 25:02}", ("mara", "leo", "nina")[at % 3],
                seats[at % 2], stake=STAKE)
        for at in range(44)
    ]  # fmt: skip
    brought(page, address, *logs, *(p.read_bytes() for p in sorted(GOLDEN.glob("*/evening.jsonl"))))
    assert "50 evenings were added." in page.inner_text("main")
    page.goto(f"{address}/settings/season")
    page.fill("#name", "Autumn")
    page.fill("#from", "2026-09-01")
    for game in page.locator("input[name=game]").all():
        game.set_checked(game.get_attribute("value") == "riparto")
    page.check("#by-points")
    page.get_by_role("button", name="Open the season").click()
    page.wait_for_url("**/settings?*")
    return address


def test_a_club_is_set_up_from_old_logs_and_each_figure_is_explained(
    page: "Page", club: str
) -> None:
    page.goto(club)
    table = page.locator(".season-table")
    first = table.locator("tbody tr:visible").first
    assert "Mara" in first.inner_text()
    assert "You" in first.inner_text()
    first.locator(".figure a").click()
    page.wait_for_url("**#made")
    page.locator("#made tbody tr:not(.game) a").first.click()
    page.wait_for_url("**/results*")
    page.locator("tbody th a").first.click()
    page.wait_for_url("**/h/1-1")
    assert "Riparto" in page.inner_text("main")
    page.goto(f"{club}/money")
    assert "€" in page.inner_text(".pays-list")


def test_the_members_are_tapped_into_their_seats(page: "Page", club: str) -> None:
    page.goto(club)
    page.get_by_role("link", name="New table").last.click()
    page.get_by_role("button", name="The same as last time").click()
    page.wait_for_url("**again=*")
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/share")
    page.goto(f"{club}/evenings")
    assert "51 evenings" in page.inner_text("h1")


def test_the_table_moves_while_an_evening_is_played(
    page: "Page", visitor: "BrowserContext", club: str
) -> None:
    page.goto(club)
    page.wait_for_timeout(300)
    with watched(visitor.new_page()) as other:
        brought(other, club, riparto("2026-11-20", "mara", "mara leo nina ugo", "The last one"))
    page.locator("main", has_text="The last one").wait_for()


@pytest.mark.parametrize(
    "path", [pytest.param(one, marks=[] if one in SUITE else [pytest.mark.soak]) for one in PAGES]
)
def test_a_page_is_for_everybody(page: "Page", letters: Letters, club: str, path: str) -> None:
    seen = WAYS[PAGES.index(path) * 5 % len(WAYS)]
    look(page, club, path, seen)
    faults: dict[str, Any] = {}
    page.evaluate(AXE.read_text("utf-8"))
    faults["policy"] = page.evaluate(REPORTED)
    faults["axe"] = page.evaluate(RUN_AXE)
    faults["sideways"] = letters.widest(page, WIDER)
    page.evaluate(OPEN_ALL)
    faults["small"] = page.evaluate(SMALL)
    faults["sideways when open"] = letters.widest(page, WIDER)
    assert {name: one for name, one in faults.items() if one} == {}


def look(page: "Page", club: str, path: str, way: Way) -> None:
    """Open a page as somebody with these choices sees it."""
    language, theme, width = way
    origin = club.partition("/club/")[0]
    prefs = f"lang={language}&theme={theme}"
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": origin}])
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.goto(f"{origin}/club/new" if path == "/new" else f"{club}{path}")
    page.context.clear_cookies(name="prefs")


def test_the_season_of_fifty_is_printed_on_one_page_of_a4(
    browser: "Browser", server: Server
) -> None:
    with browser.new_context(base_url=server.origin, service_workers=WORKERS) as context:
        page = context.new_page()
        names = {f"m{n:02}": f"Member {n:02} with a name" for n in range(50)}
        address = opened(page, "Fifty", names["m00"], tuple(names.values())[1:])
        ids = list(names)
        logs = [
            riparto(f"2026-10-{1 + first // 4:02}", seats=" ".join(ids[first : first + 4]),
                    winner=ids[first], names=names)
            for first in range(0, 46, 4)
        ]  # fmt: skip
        last = riparto("2026-10-20", seats=" ".join(ids[-3:]), winner=ids[-1], names=names)
        brought(page, address, *logs, last)
        page.goto(address)
        assert page.locator(".season-table tbody tr:visible").count() == len(names)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) == 1


def test_three_hundred_long_names_are_cut_off_nowhere(
    browser: "Browser", server: Server, letters: Letters
) -> None:
    with browser.new_context(
        base_url=server.origin, viewport={"width": 320, "height": 568}, service_workers=WORKERS
    ) as context:
        page = context.new_page()
        address = opened(page, "A club of three hundred", LONG[0], LONG[1:])
        seats = [f"{n:03}" for n in range(4)]
        names = {seat: LONG[n] for n, seat in enumerate(seats)}
        log = riparto(winner=seats[0], seats=" ".join(seats), names=names, stake=STAKE)
        brought(page, address, log)
        for path in ("", "/evenings", "/settings", "/money", "/records", "/enter",
                     "/settings/merge"):  # fmt: skip
            page.goto(f"{address}{path}")
            assert page.evaluate(CUT) == [], path
            assert letters.widest(page, WIDER) == 0, path
        page.goto(f"{address}/settings")
        assert page.locator(".members .member").count() == len(LONG)

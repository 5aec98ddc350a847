"""A club in the browser: set up from old logs on a phone, accessible, printed on one page.

Its season has thirty real evenings, in the suite twelve of them.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.joining import join
from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import OPEN_ALL, REPORTED, SMALL, WIDER, import_session, watched
from tests.browser.test_axe_pages import APPEARANCES, AXE, LANGUAGES, RUN_AXE, Appearance
from tests.browser.thirty import STAKE, TWELVE, Played, thirty
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.operation.serving import Server
from tests.web.club.visiting import riparto

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page

pytestmark = pytest.mark.browser

PHONE: Final[Any] = {"width": 360, "height": 740}
CROWD: Final = 300 if SOAK else 100  # members
LONG: Final = tuple(f"{n:03} {'Wilhelmine' * 5} {n:05}" for n in range(CROWD))
# Equally many evenings of each game, some of them for money, one with a correction.
EVENINGS: Final = (
    thirty() if SOAK else [evening for at, evening in enumerate(thirty()) if at % 5 in (1, 2)]
)
OPENED: Final = 30 if SOAK else 1  # evenings of a figure that are opened
# The pages of a club, below its address.
PAGES: Final = (
    "", "?season=ever", "/evenings", "/member/mara", "/records", "/money",
    "/money/of?account=mara&currency=EUR", "/export", "/settings", "/settings/member/leo",
    "/settings/merge?member=ugo&into=carla", "/settings/season", "/settings/season/autumn/close",
    "/settings/recorded", "/settings/recorded/2", "/enter", "/new",
)  # fmt: skip
SUITE: Final = ("", "/member/mara", "/money", "/settings", "/enter")  # the others in the soak
# Pages with many names; the suite tests the first ones.
CROWDED: Final = (
    ("", "/evenings", "/settings", "/money", "/records", "/enter", "/settings/merge")
    if SOAK else ("", "/settings", "/money", "/settings/merge")
)  # fmt: skip
# Names that are cut off by their box.
CUT: Final = """() => [...document.querySelectorAll("main bdi")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).overflow !== "visible")
  .filter((one) => one.clientHeight > 0
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2))
  .map((one) => one.textContent)"""

# Tables that are wider than the box in which they scroll.
SCROLLED: Final = """() => [...document.querySelectorAll(".box")]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => `${box.textContent.trim().slice(0, 60)} ${box.scrollWidth - box.clientWidth}`)"""

# Commas that stand in another line than the name before them.
COMMAS_FIRST: Final = """() => [...document.querySelectorAll(".who a")].filter((name) => {
  const comma = name.nextSibling;
  if (!comma?.textContent.startsWith(",")) return false;
  const range = document.createRange();
  range.setStart(comma, 0);
  range.setEnd(comma, 1);
  return range.getBoundingClientRect().top > name.getBoundingClientRect().bottom;
}).length"""

# Focused elements that are covered or out of sight.
HIDDEN: Final = """() => [...document.querySelectorAll(
  "main :is(a[href], button, input, select, textarea, summary)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter((one) => {
    one.focus();
    const { left, top, width, height } = one.getBoundingClientRect();
    const there = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
    const labels = [...(one.labels || [])];
    return document.activeElement === one && !one.contains(there)
      && !there?.contains(one) && !labels.some((label) => label.contains(there));
  })
  .map((one) => one.outerHTML.slice(0, 90))"""


def file(log: bytes, at: int) -> "FilePayload":
    return {"name": f"{at}.jsonl", "mimeType": "application/x-ndjson", "buffer": log}


def opened(page: "Page", name: str, me: str, others: tuple[str, ...] = ()) -> str:
    """Open a club; return its address."""
    page.goto("/club/new")
    page.fill("#name", name)
    page.fill("#me", me)
    page.fill("#others", "\n".join(others))
    page.check("#money-yes")
    page.get_by_role("button", name="Open the club").click()
    page.wait_for_url(re.compile("/club/o"))
    return page.url


def brought(page: "Page", club: str, *logs: bytes) -> None:
    """Import evenings from logs."""
    page.goto(f"{club}/enter")
    page.set_input_files("#log", [file(log, at) for at, log in enumerate(logs)])
    page.get_by_role("button", name="Add these").click()
    page.get_by_role("status").wait_for()


@pytest.fixture(scope="module")
def visitor(browser: "Browser", server: Server) -> Iterator["BrowserContext"]:
    """Return the phone of the host."""
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
    """Set up a club with a season from old logs, whose players become members."""
    address = opened(page, "Circolo", "Mara")
    brought(page, address, *(evening.log for evening in EVENINGS))
    assert f"{len(EVENINGS)} evenings were added." in page.inner_text("main")
    season(page, address, "Autumn")
    return address


def season(
    page: "Page", club: str, name: str, first: str = "2025-10-01", by: str = "places"
) -> None:
    """Open a season of place points from a day on, in which all evenings count."""
    page.goto(f"{club}/settings/season")
    page.fill("#name", name)
    page.fill("#from", first)
    page.check(f"#by-{by}")
    page.get_by_role("button", name="Open the season").click()
    page.wait_for_url("**/settings?*")


def table_of(page: "Page") -> dict[str, str]:
    """Return the row of each member in the table of a season."""
    rows = page.locator(".season-table tbody tr:visible").all()
    return {row.locator("bdi").inner_text(): row.locator(".figure a").inner_text() for row in rows}


def figure(cell: "Locator") -> float:
    """Return the figure of a cell, without its mark."""
    return float(cell.inner_text().rstrip("*").replace("\N{MINUS SIGN}", "-"))


@pytest.mark.parametrize(
    "who", ["Mara", *(pytest.param(name, marks=pytest.mark.soak) for name in TWELVE[1:])]
)
def test_each_figure_leads_to_evening_hand_clause_and_event(
    page: "Page", club: str, who: str
) -> None:
    page.goto(club)
    row = page.locator(".season-table tbody tr:visible", has_text=who)
    shown = figure(row.locator(".figure a"))
    row.locator(".figure a").click()
    page.wait_for_url("**#made")
    evenings = page.locator("#made tr.game")
    matches = page.locator("#made tbody tr:not(.game)")
    assert sum(figure(row.locator("td").last) for row in evenings.all()) == shown
    assert sum(figure(row.locator("td").last) for row in matches.all()) == shown
    address = page.url
    for at in range(min(evenings.count(), OPENED)):
        page.goto(address)
        evenings.nth(at).locator("a").click()
        page.wait_for_url("**/results*")
        proved_by_hands(page)


def proved_by_hands(page: "Page") -> None:
    """Follow the results of an evening to a hand, and from there to the clause and the events."""
    hands = {a.get_attribute("href") for a in page.locator("tbody th a[href*='/h/']").all()}
    assert hands
    results = page.url
    for hand in sorted(filter(None, hands))[: None if SOAK else 2]:
        page.goto(hand)
        why = page.locator("#why")
        for proof in why.locator("a[href^='#e']").all():
            assert page.locator(str(proof.get_attribute("href"))).count() == 1
        clauses = why.locator("a.clause")
        if clauses.count():
            assert why.locator("a[href^='#e']").count()
            anchor = str(clauses.first.get_attribute("href")).partition("#")[2]
            clauses.first.click()
            page.wait_for_url("**/rules/**")
            assert page.locator(f"[id='{anchor}']").count() == 1
    page.goto(results)


def test_corrected_hand_updates_the_open_table_with_a_note(
    page: "Page", visitor: "BrowserContext", club: str
) -> None:
    """Also beside the final table of a closed season."""
    season(page, club, "Closed", "2025-09-01")
    page.goto(f"{club}/settings/season/closed/close")
    page.get_by_role("button", name="Close the season").click()
    page.wait_for_url("**/settings?*")
    page.goto(f"{club}?season=autumn")
    before = table_of(page)
    with watched(visitor.new_page()) as other:
        corrected(other, club)
    page.locator("main", has_text="Corrected later").wait_for()
    after = table_of(page)
    assert {name for name in after if after[name] != before.get(name)} == {"Ugo", "Zoe", "Ada"}
    page.goto(f"{club}?season=closed")
    assert table_of(page) == before
    assert "1 evening was corrected" in page.inner_text(".after-close")
    assert {"Ugo", "Zoe", "Ada"} <= set(page.locator(".after-close bdi").all_inner_texts())


def test_table_is_polled_without_a_stream(
    page: "Page", visitor: "BrowserContext", club: str
) -> None:
    """As behind a proxy that buffers streams."""
    with watched(visitor.new_page()) as waiting:
        waiting.route("**/stream", lambda route: None)
        waiting.clock.install()
        waiting.goto(f"{club}?season=autumn")
        followed = waiting.locator("#followed")
        before = str(followed.get_attribute("data-tag"))
        corrected(page, club, "zoe")
        assert followed.get_attribute("data-tag") == before
        waiting.clock.run_for(5_000)
        followed.and_(waiting.locator(f":not([data-tag='{before}'])")).wait_for()


def corrected(page: "Page", club: str, who: str = "ada") -> None:
    """Correct the counted points in a hand of an old evening."""
    page.goto(f"{club}/evenings")
    page.get_by_role("link", name="Riparto equal-bids").first.click()
    page.wait_for_url("**/results*")
    session_id = page.url.partition("/t/")[2].partition("/")[0]
    counted = next(
        event for event in events_of(page, session_id) if event["type"] == "points_counted"
    )
    points = dict.fromkeys(counted["data"]["points"], 0) | {who: 15}
    wrong = {"seq": counted["seq"], "type": counted["type"], "data": {"points": points}}
    recorded(page, session_id, event("event_replaced", **wrong, reason="typed wrongly"))


def events_of(page: "Page", session_id: str) -> list[Any]:
    """Return the events of a session whose key this phone holds."""
    events_there: list[Any] = page.request.get(f"/api/sessions/{session_id}/events").json()[
        "events"
    ]
    return events_there


def recorded(page: "Page", session_id: str, *events: Raw) -> None:
    """Record in a session whose key this phone holds."""
    answer = page.request.post(
        f"/api/sessions/{session_id}/events", data={"events": events, "as_played": True},
        headers={"Origin": page.url.partition("/t/")[0],
                 "If-Match": f'"{len(events_of(page, session_id))}"'},
    )  # fmt: skip
    assert answer.status == 201, answer.text()


@pytest.mark.soak
def test_evenings_from_files_link_code_and_chips_count_alike(
    page: "Page", browser: "Browser", server: Server
) -> None:
    evenings = thirty()
    files = opened(page, "Files", "Mara")
    brought(page, files, *(evening.log for evening in evenings))
    ways = opened(page, "Ways", "Mara")
    chips = next(evening for evening in evenings if evening.source.stem == "equal-bids")
    others = [evening for evening in evenings if evening is not chips]
    brought(page, ways, *(evening.log for evening in others[:-2]))
    link, code = (
        import_session(server, evening.log.decode(), len(evening.events)) for evening in others[-2:]
    )
    entered(page, ways, "link", f"{server.origin}/join/{link['keys']['host']}")
    with browser.new_context(base_url=server.origin, service_workers=WORKERS) as other:
        join(other, server.origin, code["keys"]["host"])
        shown = other.new_page()
        shown.goto(f"/t/{code['id']}/settings")
        shown.get_by_role("button", name="code").first.click()
        entered(page, ways, "code", shown.inner_text(".the-code"))
    seated(page, ways, chips)
    assert standings(page, ways) == standings(page, files)


def entered(page: "Page", club: str, field: str, text: str) -> None:
    """Import an evening by its link or code, each player as the member of the same name."""
    page.goto(f"{club}/enter")
    page.fill(f"#{field}", text)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Add the evening").click()
    page.wait_for_url(re.compile("/(enter|evenings)?\\?done=|/club/[^/]*$"))


def seated(page: "Page", club: str, evening: Played) -> None:
    """Seat the members of an evening by taps, and play it."""
    page.goto(f"/new?club={club.rpartition('/')[2]}")
    page.locator("label[for=mine-none]").click()
    for player in evening.events[0]["data"]["players"]:
        page.get_by_role("button", name=player["name"]).first.click()
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/share")
    session_id = page.url.partition("/t/")[2].partition("/")[0]
    recorded(page, session_id, *evening.events[1:])


def standings(page: "Page", club: str) -> list[Any]:
    """Return the standings over all evenings of a club."""
    table_of_season = page.request.get(
        f"/api/clubs/{club.rpartition('/')[2]}/standings?season=ever"
    ).json()
    columns = ("place", "name", "figure", "evenings", "matches", "hands", "won")
    return [[row[column] for column in columns] for row in table_of_season["rows"]]


def test_members_are_seated_by_taps(page: "Page", club: str) -> None:
    many = evenings_of(page, club)
    page.goto(club)
    page.get_by_role("link", name="New table").last.click()
    page.get_by_role("button", name="The same as last time").click()
    page.wait_for_url("**again=*")
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/share")
    assert evenings_of(page, club) == many + 1


def evenings_of(page: "Page", club: str) -> int:
    """Return the number of evenings that count for a club."""
    page.goto(f"{club}/evenings")
    return int(page.inner_text("h1").split()[0])


def test_table_is_updated_during_an_evening(
    page: "Page", visitor: "BrowserContext", club: str
) -> None:
    page.goto(club)
    page.wait_for_timeout(300)
    with watched(visitor.new_page()) as other:
        brought(other, club, riparto("2026-11-20", "mara", "mara leo nina ugo", "The last one"))
    evenings = page.locator("main", has_text="The last one")
    evenings.wait_for()
    assert evenings.is_visible()


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path in SUITE else [pytest.mark.soak]) for path in PAGES],
)
def test_club_page_is_accessible(page: "Page", letters: Letters, club: str, path: str) -> None:
    seen = APPEARANCES[PAGES.index(path) * 5 % len(APPEARANCES)]
    look(page, club, path, seen)
    faults: dict[str, Any] = {}
    page.evaluate(AXE.read_text("utf-8"))
    faults["policy"] = page.evaluate(REPORTED)
    faults["axe"] = page.evaluate(RUN_AXE)
    faults["sideways"] = letters.widest(page, WIDER)
    page.evaluate(OPEN_ALL)
    faults["small"] = page.evaluate(SMALL)
    faults["hidden"] = page.evaluate(HIDDEN)
    faults["sideways when open"] = letters.widest(page, WIDER)
    assert {name: fault for name, fault in faults.items() if fault} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_table_of_a_member_is_wider_than_a_phone(
    page: "Page", letters: Letters, club: str, language: str
) -> None:
    look(page, club, "/member/mara", (language, "light", 360))
    page.evaluate(OPEN_ALL)
    assert letters.widest(page, WIDER) == 0
    assert letters.widest(page, SCROLLED) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_phone(
    page: "Page", letters: Letters, club: str, language: str
) -> None:
    """In the suite each page in one language."""
    wide = {}
    for at, path in enumerate(PAGES):
        if SOAK or at % len(LANGUAGES) == LANGUAGES.index(language):
            look(page, club, path, (language, "light", 360))
            page.evaluate(OPEN_ALL)
            wide[path] = letters.widest(page, WIDER)
    assert {path: pixels for path, pixels in wide.items() if pixels} == {}


def test_no_line_of_names_begins_with_a_comma(page: "Page", club: str) -> None:
    for width in (320, 330, 340, 350, 360):
        look(page, club, "/records?season=ever", ("en", "light", width))
        assert page.evaluate(COMMAS_FIRST) == 0, width


def test_the_currency_is_asked_for_where_a_club_counts_money(page: "Page", club: str) -> None:
    page.goto("/club/new")
    currency = page.get_by_label("Currency")
    assert not currency.is_visible()
    page.get_by_label("Yes").check()
    assert currency.is_visible()
    assert currency.input_value() == "EUR"


def look(page: "Page", club: str, path: str, way: Appearance) -> None:
    """Open a page in a language, theme and width."""
    language, theme, width = way
    origin = club.partition("/club/")[0]
    prefs = f"lang={language}&theme={theme}"
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": origin}])
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.goto(f"{origin}/club/new" if path == "/new" else f"{club}{path}")
    page.context.clear_cookies(name="prefs")


def test_season_of_fifty_is_printed_on_one_page_of_a4(browser: "Browser", server: Server) -> None:
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
        season(page, address, "Rated", "2026-10-01", "rating")
        page.goto(address)
        assert page.locator(".season-table tr:visible", has_text="hardly known yet").count() == 50
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) == 1


def test_hundreds_of_long_names_are_not_cut_off(
    browser: "Browser", server: Server, letters: Letters
) -> None:
    with browser.new_context(
        base_url=server.origin, viewport={"width": 320, "height": 568}, service_workers=WORKERS
    ) as context:
        page = context.new_page()
        address = opened(page, "A large club", LONG[0], LONG[1:])
        seats = [f"{n:03}" for n in range(4)]
        names = {seat: LONG[n] for n, seat in enumerate(seats)}
        log = riparto(winner=seats[0], seats=" ".join(seats), names=names, stake=STAKE)
        brought(page, address, log)
        for path in CROWDED:
            page.goto(f"{address}{path}")
            assert page.evaluate(CUT) == [], path
            assert letters.widest(page, WIDER) == 0, path
        assert page.locator(".chosen:visible").count() == 0
        page.select_option("#into", label=LONG[7])
        assert page.locator(".chosen:visible").all_inner_texts() == [LONG[7]]
        page.goto(f"{address}/settings")
        assert page.locator(".members .member").count() == len(LONG)

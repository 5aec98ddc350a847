"""Every page in every font family, on every screen: nothing overflows, is cut off or covered."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.joining import join
from tests.browser.letters import FAMILIES, Letters, put
from tests.browser.phones import WORKERS, Evening
from tests.browser.places import OPEN_ALL, PLACES, Sessions
from tests.conftest import SOAK, no_browser
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LAYOUT: Final = Path(__file__).with_name("layout.js").read_text("utf-8")
# Width and height of a screen, and the size of its letters in percent of the default.
SCREENS: Final = {
    "phone": (360, 740, 100), "small": (320, 568, 100), "lying": (740, 360, 100),
    "large": (360, 740, 200), "small-large": (320, 640, 200), "tablet": (768, 1024, 100),
    "desk": (1280, 800, 100),
}  # fmt: skip
USUAL: Final = ("phone", "small-large")
LANGUAGES: Final = ("en", "it", "fr")
# Each game at each level, on a player's phone or on one in the middle.
LEVELS: Final = ("totals entry", "tricks entry", "cards entry", "tricks flat", "cards watch")
TABLES: Final = [f"{game} {level}" for game, level in itertools.product(GAMES, LEVELS)]


@pytest.fixture(scope="module")
def page(browser: "Browser", sessions: Sessions) -> Iterator["Page"]:
    with browser.new_context(
        base_url=sessions.origin, reduced_motion="reduce", service_workers=WORKERS
    ) as context:
        sessions.sit(context)
        yield context.new_page()


def ways(places: Iterable[str], nth: int = 1) -> Iterator[Any]:
    """Parametrize every nth page, each in another language; the soak tests all in all languages."""
    for at, place in enumerate(places):
        for number, language in enumerate(LANGUAGES):
            looked_at = at % nth == 0 and number == at // nth % len(LANGUAGES)
            marks = [] if looked_at else [pytest.mark.soak]
            yield pytest.param(place, language, marks=marks, id=f"{place}-{language}")


def look(page: "Page", server: Server, path: str, language: str) -> None:
    """Open a page in a language."""
    prefs = f"lang={language}"
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": server.origin}])
    page.goto(path)


def layout_faults(page: "Page", letters: Letters, number: int) -> dict[tuple[str, str], list[str]]:
    """Return the faults of the layout by screen and font family.

    The suite tests one family in turn on the phone, and the widest one on the tightest screen and
    on another in turn.
    """
    faults_by_place = {}
    others = [name for name in SCREENS if name not in USUAL]
    for screen, (width, height, percent) in SCREENS.items():
        if not SOAK and screen not in (*USUAL, others[number % len(others)]):
            continue
        page.set_viewport_size({"width": width, "height": height})
        turn = letters.by_turns(number)
        for family in turn if SOAK or screen == "phone" else letters.here[:1]:
            put(page, family, percent)
            faults_by_place[screen, family] = page.evaluate(LAYOUT)
    return {where: some for where, some in faults_by_place.items() if some}


@pytest.mark.parametrize("family", FAMILIES)
def test_fonts_are_installed(letters: Letters, family: str) -> None:
    if family in letters.missing:
        no_browser(f"no layout is looked at in {family} letters: {FAMILIES[family].sans} and its "
                   f"kin are not here (sudo apt install {FAMILIES[family].package})")  # fmt: skip


@pytest.mark.parametrize(("place", "language"), list(ways(PLACES, nth=5)))
def test_page_fits_in_any_font(
    page: "Page", sessions: Sessions, letters: Letters, place: str, language: str
) -> None:
    look(page, sessions.server, sessions.path(place), language)
    if "table" not in place:
        page.evaluate(OPEN_ALL)
    assert layout_faults(page, letters, list(PLACES).index(place)) == {}


@pytest.mark.parametrize(("table", "language"), list(ways(TABLES, nth=10)))
def test_table_fits_in_any_font(
    page: "Page", server: Server, letters: Letters, table: str, language: str
) -> None:
    game, level, view = table.split()
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    join(page.context, server.origin, evening.key("host"))
    path, number = f"/t/{evening.id}?level={level}&view={view}", TABLES.index(table)
    look(page, server, path, language)
    assert layout_faults(page, letters, number) == {}
    events = [(event["type"], event["data"]) for event in recorded_events(game, level, DICE[game])]
    evening.record(*events[: 1 + len(events) // 2])
    look(page, server, path, language)
    assert layout_faults(page, letters, number + 1) == {}
    page.context.clear_cookies(name=re.compile("phone"))


# ---------------------------------------------------------------- controls

FAULTS: Final = {
    "the page is too wide": "<div style='width: 500px'>wide</div>",
    "beyond the window": "<p style='margin-left: -40px'>words</p>",
    "cut off": "<p style='width: 60px; overflow: hidden; white-space: nowrap'>many words here</p>",
    "out of its control": "<button style='width: 50px; white-space: nowrap'>many words</button>",
    "one over another": "<p>first words</p><p style='margin-top: -1.5em'>other words</p>",
    "scrolls sideways": "<div style='overflow-x: auto'><p style='width: 500px'>wide</p></div>",
    "the table scrolls": "<div class='table-page' style='height: 900px'>high</div>",
    "other letters": "<p style='font-family: cursive'>words</p>",
}
RIGHT: Final = """
<p>Words that end where the line ends and go on in the next, however wide their letters are</p>
<p style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">
<bdi>Massimiliano</bdi></p>
<button>one</button> <button>other</button>
<div style="overflow-x: auto" class="box" tabindex="0" role="region" aria-label="Wide">
<p style="width: 500px">wide</p></div>
<div class="table-page">not high</div>"""
PLAIN: Final = (
    "<!doctype html><style>*, button {{ font: 16px/1.3 var(--sans) }} p {{ margin: 0 }}</style>{}"
)


@pytest.mark.parametrize("what", FAULTS)
def test_layout_fault_is_detected(page: "Page", letters: Letters, what: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("about:blank")
    page.set_content(PLAIN.format(FAULTS[what]))
    for faults in letters.each(page, LAYOUT).values():
        assert any(fault.startswith(what) for fault in faults)


def test_correct_layout_has_no_faults(page: "Page", letters: Letters) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("about:blank")
    page.set_content(PLAIN.format(RIGHT))
    assert not any(letters.each(page, LAYOUT).values())

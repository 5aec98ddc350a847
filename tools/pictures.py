"""The pictures of README.md, of the guide and of the first page, taken of the real pages.

``python -m tools.pictures`` makes all of them, each in every language; those of a demo table and of
the screen of a hall are for README.md alone, in English.

``python -m tools.pictures FOLDER --tables 360x740 en light`` makes sheets instead, to look at: the
table page of each game at each level of detail, at the steps of a hand and until the evening is
closed.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from scorekeeper.base.paths import resource
from scorekeeper.demo.club import CLUB, MEMBERS, list_fridays, write_evenings
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.log.writing import now
from scorekeeper.play.prompts import LEVELS
from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.joining import join
from tests.browser.phones import Evening, Phone
from tests.browser.places import import_session
from tests.browser.test_clubs import brought, opened, season
from tests.browser.test_hall import HallOnServer
from tests.conftest import CHROMIUM_FLAGS
from tests.evenings import Raw, event, opening, sealed
from tests.operation.serving import Server, serving
from tests.web.pages import EXAMPLE, STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER: Final = resource("docs") / "pictures"
THEMES: Final = ("light", "dark")  # of the pictures of the first page
SIZE: Final[Any] = {"width": 360, "height": 740}  # CSS px; the picture has two for each
COLOURS: Final = 192
LARGEST: Final = 150_000  # bytes

IN_A_ROW: Final = 5  # pages on a sheet
PLAYS: Final = ("card_played", "trick_taken")
ENDS: Final[Sequence[tuple[str, dict[str, Any]]]] = (("match_ended", {}), ("session_closed", {}))

EVENING: Final[tuple[Raw, ...]] = tuple(map(json.loads, EXAMPLE.splitlines()))
WITHOUT_MISTAKE: Final = (STATIC / "example.jsonl").read_text("utf-8")
# One trick is recorded, and the count exchanged the two sides: Leo's ace alone took 21.
EXCHANGED: Final = (
    opening("mara", "leo"),
    event("match_started", game="briscola_regina", seats=["mara", "leo"]),
    event("hand_started", dealer="leo"),
    event("card_played", player="mara", card="3D"),
    event("card_played", player="leo", card="AD"),
    event("points_counted", points={"mara": 108, "leo": 12}),
    event("hand_disputed", player="leo", reason="My ace alone took 21"),
)


@dataclass(frozen=True)
class Picture:
    """A page of a session with these events, or the page behind its link ``follow``.

    The picture begins at the top of the page, or at ``part``.
    """

    events: tuple[Raw, ...]
    path: str
    follow: str = ""
    part: str = ""


PICTURES: Final = {
    "table": Picture(EVENING[:94], "?level=cards"),
    "hand": Picture(EVENING[:110], "/h/1-1", part="#why"),
    "dispute": Picture(EXCHANGED, "/d/1-1", follow="form[action$='/preview'] button", part="h1"),
}


SEASON: Final = "club"
DEMO: Final = "demo"
OF_THE_GUIDE: Final = (*PICTURES, SEASON)  # in this order
HALL: Final = "hall"
OF_THE_README: Final = (DEMO, "hand", "dispute", SEASON, HALL)
SCREEN: Final[Any] = {"width": 1920, "height": 1080}
# Who sits in the hall: first names and surnames, paired by turns.
FIRST_NAMES: Final = ("Ada", "Bruno", "Carla", "Dino", "Elsa", "Franco", "Gina")
SURNAMES: Final = ("Arrigoni", "Bassi", "Conti", "Donati", "Ferri")
# The first page shows a table at which nothing is wrong, on a phone as wide as the file.
FIRST_PAGE: Final = Picture(
    tuple(map(json.loads, WITHOUT_MISTAKE.splitlines()))[:97], "?level=cards"
)


def file_of(name: str, language: str) -> str:
    """Return the file name of a picture; ``name-language-theme.png`` on the first page."""
    return f"{name}-{language}.png"


def take(browser: "Browser", server: Server, folder: Path) -> Iterator[Path]:
    """Take every picture in every language; yield the files."""
    for name, picture in PICTURES.items():
        session = bring_in(server, picture)
        key = session["keys"]["host"]
        for language in LANGUAGES:
            with phone(browser, server, language, scale=2) as page:
                join(page.context, server.origin, key)
                path = folder / file_of(name, language)
                path.write_bytes(small(shot(page, session["id"], picture)))
            yield path
    with phone(browser, server, DEFAULT, scale=2) as page:
        path = folder / file_of(DEMO, DEFAULT)
        path.write_bytes(small(shot_of_demo(page)))
        yield path
    path = folder / file_of(HALL, DEFAULT)
    path.write_bytes(small(shot_of_hall(browser, server)))
    yield path
    with phone(browser, server, DEFAULT, scale=2) as page:
        address = open_club(page)
        for language in LANGUAGES:
            speak(page, server, language)
            page.goto(address)
            path = folder / file_of(SEASON, language)
            path.write_bytes(small(page.screenshot(animations="disabled")))
            yield path


def shot_of_hall(browser: "Browser", server: Server) -> bytes:
    """Publish the first round of a tournament, and return the screen with the seats by name."""
    names = [f"{first} {last}" for place, first in enumerate(FIRST_NAMES)
             for last in SURNAMES[place % 2 :: 2]]  # fmt: skip
    hall = HallOnServer(server, names, "Autumn cup")
    hall.draw()
    hall.do("round_started", round=1, minutes=30)
    with browser.new_context(base_url=server.origin, viewport=SCREEN) as context:
        address = hall.make_address(context)
        page = context.new_page()
        page.goto(address)
        return page.screenshot(animations="disabled")


def shot_of_demo(page: "Page") -> bytes:
    """Open a demo table from the first page, and return a screenshot of it."""
    page.goto("/")
    page.click("form[action='/demo/table'] button")
    page.wait_for_url("**/t/demo*")
    return page.screenshot(animations="disabled")


def open_club(page: "Page") -> str:
    """Open a club with the evenings and the season of the demo club; return its address."""
    today, (me, *others) = datetime.now(UTC).date(), MEMBERS.values()
    address = opened(page, CLUB["name"], me, tuple(others))
    brought(page, address, *write_evenings(today))
    season(page, address, str(today.year), str(list_fridays(today)[0]))
    return address


def take_first_page(browser: "Browser", server: Server, folder: Path) -> Iterator[Path]:
    """Take the pictures of the first page, in each language and in both themes."""
    session = bring_in(server, FIRST_PAGE)
    for language in LANGUAGES:
        for theme in THEMES:
            with phone(browser, server, language, theme) as page:
                join(page.context, server.origin, session["keys"]["host"])
                path = folder / file_of("table", f"{language}-{theme}")
                path.write_bytes(small(shot(page, session["id"], FIRST_PAGE)))
            yield path


def bring_in(server: Server, picture: Picture) -> Any:
    """Import the session of a picture as one of today, so that nobody is asked to close it."""
    return import_session(server, sealed(picture.events, at=now()).decode(), len(picture.events))


@contextmanager
def phone(
    browser: "Browser", server: Server, language: str, theme: Any = "light", scale: int = 1
) -> Iterator["Page"]:
    """Open a page on a phone, whose screen has `scale` pixels for each CSS px."""
    with browser.new_context(
        base_url=server.origin, viewport=SIZE, device_scale_factor=scale,
        reduced_motion="reduce", color_scheme=theme, service_workers="block",
    ) as context:  # fmt: skip
        page = context.new_page()
        speak(page, server, language)
        yield page


def speak(page: "Page", server: Server, language: str) -> None:
    """Choose the language of a phone."""
    prefs = {"name": "prefs", "value": f"lang={language}", "url": server.origin}
    page.context.add_cookies([prefs])  # type: ignore[list-item]


def shot(page: "Page", session_id: str, picture: Picture) -> bytes:
    """Return a screenshot of the page on a phone."""
    page.goto(f"/t/{session_id}{picture.path}")
    if picture.follow:
        page.locator(picture.follow).first.click()
        page.wait_for_url("**/preview")
    if picture.part:
        page.locator(picture.part).evaluate("(one) => one.scrollIntoView()")
    return page.screenshot(animations="disabled")


def draw_sheets(
    browser: "Browser", server: Server, folder: Path, size: str, language: str, theme: Any
) -> Iterator[Path]:
    """Draw the sheets of all games and levels, at this window size; yield the files."""
    width, height = map(int, size.split("x"))
    for game in GAMES:
        for level in LEVELS:
            with browser.new_context(
                base_url=server.origin, viewport={"width": width, "height": height},
                color_scheme=theme, extra_http_headers={"Accept-Language": language},
                reduced_motion="reduce", service_workers="block",
            ) as context:  # fmt: skip
                evening = Evening.begin(server, game, len(GAMES[game].split()))
                host = Phone.of(context, evening, "host")
                path = folder / f"{game}-{level}.png"
                side_by_side(list(steps_of_hand(host, game, level))).save(path)
            yield path


def steps_of_hand(host: Phone, game: str, level: str) -> Iterator[Image.Image]:
    """Record a hand, and yield the page before and after the deal, and after the chosen events.

    These are all before the play, the first trick, one in the middle (in all views), and the last
    two. Then the next hand is opened, the match is stopped, and the evening is closed.
    """
    events = [(event["type"], event["data"]) for event in recorded_events(game, level, DICE[game])]
    plays = [place for place, (kind, _) in enumerate(events) if kind in PLAYS] or [len(events)]
    early = plays[0] + len(GAMES[game].split())
    middle = (plays[0] + plays[-1]) // 2
    shown = {*range(early), middle, *range(len(events) - 2, len(events))}
    yield page_of(host, level)
    for place, entry in enumerate(
        [("hand_started", {"dealer": played(game, DICE[game]).dealer}), *events], start=-1
    ):
        host.evening.record(entry, as_played=True)
        if place < 0 or place in shown:
            yield page_of(host, level)
        if place == middle:
            yield from (page_of(host, level, view) for view in ("watch", "flat"))
    host.open(f"?level={level}").locator(".next-hand summary").click()
    yield picture_of(host)
    for entry in ENDS:
        host.evening.record(entry)
        yield page_of(host, level)


def page_of(host: Phone, level: str, view: str = "entry") -> Image.Image:
    """Return the picture of the table page at a level, in a view."""
    host.open(f"?level={level}&view={view}")
    return picture_of(host)


def picture_of(host: Phone) -> Image.Image:
    """Return the picture of the present page."""
    shot = host.page.screenshot(animations="disabled")
    return Image.open(BytesIO(shot)).convert("RGB")


def side_by_side(pages: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size on a sheet, in rows."""
    width, height = pages[0].size
    rows = -(-len(pages) // IN_A_ROW)
    sheet = Image.new("RGB", (min(len(pages), IN_A_ROW) * width, rows * height))
    for place, page in enumerate(pages):
        sheet.paste(page, (place % IN_A_ROW * width, place // IN_A_ROW * height))
    return sheet


def small(picture: bytes) -> bytes:
    """Return the picture compressed further."""
    body = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(body, "PNG", optimize=True)
    return body.getvalue()


def main(folder: Path | None, tables: Sequence[str] = ()) -> None:
    """Write the pictures where the project has them, and print their sizes.

    With the size, language and theme of the `tables`, write the sheets of table pages to the
    folder instead.
    """
    from playwright.sync_api import sync_playwright

    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as data,
        serving(Path(data)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        ) as browser,
    ):
        if folder and tables:
            paths = draw_sheets(browser, server, folder, *tables)
        else:
            paths = chain(
                take(browser, server, folder or FOLDER),
                take_first_page(browser, server, folder or STATIC),
            )
        for path in paths:
            sys.stdout.write(f"{path.stat().st_size:7} {path}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, help="other than those of the project")
    parser.add_argument("--tables", nargs=3, default=(), metavar=("SIZE", "LANGUAGE", "THEME"))
    main(**vars(parser.parse_args()))

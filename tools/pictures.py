"""The pictures of README.md and of the guide, taken of the real pages.

``python -m tools.pictures [FOLDER]`` makes all of them, each in every language.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from scorekeeper.base.paths import resource
from scorekeeper.languages.catalogues import LANGUAGES
from tests.browser.joining import join
from tests.browser.places import import_session
from tests.conftest import CHROMIUM_FLAGS
from tests.evenings import Raw, event, opening, sealed
from tests.operation.serving import Server, serving
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER: Final = resource("docs") / "pictures"
SIZE: Final[Any] = {"width": 360, "height": 740}  # CSS px; the picture has two for each
COLOURS: Final = 64
LARGEST: Final = 150_000  # bytes

EVENING: Final[tuple[Raw, ...]] = tuple(map(json.loads, EXAMPLE.splitlines()))
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


def file_of(name: str, language: str) -> str:
    """Return the file name of a picture."""
    return f"{name}-{language}.png"


def take(browser: "Browser", server: Server, folder: Path) -> Iterator[Path]:
    """Take every picture in every language; yield the files."""
    for name, picture in PICTURES.items():
        session = import_session(server, sealed(picture.events).decode(), len(picture.events))
        for language in LANGUAGES:
            with browser.new_context(
                base_url=server.origin, viewport=SIZE, device_scale_factor=2,
                reduced_motion="reduce", color_scheme="light", service_workers="block",
            ) as context:  # fmt: skip
                prefs = {"name": "prefs", "value": f"lang={language}", "url": server.origin}
                context.add_cookies([prefs])  # type: ignore[list-item]
                join(context, server.origin, session["keys"]["host"])
                path = folder / file_of(name, language)
                path.write_bytes(small(shot(context.new_page(), session["id"], picture)))
            yield path


def shot(page: "Page", session_id: str, picture: Picture) -> bytes:
    """Return a screenshot of the page on a phone."""
    page.goto(f"/t/{session_id}{picture.path}")
    if picture.follow:
        page.locator(picture.follow).first.click()
        page.wait_for_url("**/preview")
    if picture.part:
        page.locator(picture.part).evaluate("(one) => one.scrollIntoView()")
    return page.screenshot(animations="disabled")


def small(picture: bytes) -> bytes:
    """Return the picture compressed further."""
    body = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(body, "PNG", optimize=True)
    return body.getvalue()


def main(folder: Path) -> None:
    """Write the pictures to this folder, and print their sizes."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as data,
        serving(Path(data)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        ) as browser,
    ):
        for path in take(browser, server, folder):
            sys.stdout.write(f"{path.stat().st_size:7} {path}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)

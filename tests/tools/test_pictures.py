"""The pictures that ``make pictures`` takes with ``tools.pictures``."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.play.prompts import LEVELS
from tests.browser.hands import GAMES
from tests.operation.serving import serving
from tools.pictures import (
    DEMO,
    LARGEST,
    OF_THE_GUIDE,
    THEMES,
    draw_sheets,
    file_of,
    take,
    take_first_page,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.soak]


def test_every_picture_can_be_taken(browser: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        paths = [*take(browser, server, tmp_path), *take_first_page(browser, server, tmp_path)]
        pictures = {path.name: path.read_bytes() for path in paths}
    names = {file_of(name, language) for name in OF_THE_GUIDE for language in LANGUAGES}
    names |= {file_of("table", f"{language}-{theme}") for language in LANGUAGES for theme in THEMES}
    names.add(file_of(DEMO, DEFAULT))
    assert set(pictures) == names
    assert max(map(len, pictures.values())) < LARGEST
    assert len(set(pictures.values())) == len(pictures)  # no two show the same page


def test_sheets_show_every_game_at_every_level(browser: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        sheets = list(draw_sheets(browser, server, tmp_path, "360x740", "fr", "dark"))
    assert {sheet.stem for sheet in sheets} == {f"{game}-{lv}" for game in GAMES for lv in LEVELS}
    assert len({sheet.read_bytes() for sheet in sheets}) == len(sheets)

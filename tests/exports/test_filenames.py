"""Names of files are safe in a header and in a folder, for any title."""

import re
from datetime import date

import pytest
from werkzeug.http import parse_options_header

from scorekeeper.exports.filenames import (
    MAX_TITLE_LENGTH,
    content_disposition,
    file_name,
    get_day,
)
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.span import DayOfPlay
from tests.exports.samples import ID, NAMES

BEGAN = "2026-11-20T23:30:00.000Z"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Friday", "2026-11-20-friday"),
        ("Venerdì, da Mara (2)!", "2026-11-20-venerdì-da-mara-2"),
        ("../../etc/passwd", "2026-11-20-etc-passwd"),
        ("日本 2", "2026-11-20-日本-2"),
        ("🎉", f"2026-11-20-{ID}"),
        ("", f"2026-11-20-{ID}"),
    ],
)
def test_name_has_the_day_and_the_title(title: str, name: str) -> None:
    assert file_name(title, date(2026, 11, 20), ID) == name
    assert file_name(title, None, ID) == name.removeprefix("2026-11-20-")


def test_day_is_in_the_zone_of_the_reader() -> None:
    day = DayOfPlay(at=BEGAN)
    assert get_day(day, PROGRAM) == date(2026, 11, 20)
    assert get_day(day, Reader(zone="Europe/Rome")) == date(2026, 11, 21)
    assert get_day(day._replace(date="2019-01-02"), PROGRAM) == date(2019, 1, 2)
    assert get_day(DayOfPlay(), PROGRAM) is None


@pytest.mark.parametrize(
    "title",
    [*NAMES, 'a"; filename="b', "a\r\nSet-Cookie: x=1", "x/../y", "%2e%2e%2f", "C:\\x", "٣"],
)
def test_name_is_safe_for_any_title(title: str) -> None:
    """It adds no header line and no folder, and all browsers read one file name."""
    name = file_name(title, None, ID)
    assert 0 < len(name) <= MAX_TITLE_LENGTH
    assert not re.search(r"[^\w-]|^-|-$", name)
    header = content_disposition(f"{name}-results.csv")
    assert header.isascii()
    assert header.isprintable()
    kind, options = parse_options_header(header)
    assert kind == "attachment"
    assert options["filename"] == f"{name}-results.csv"
    plain = re.findall(r'filename="([^"]*)"', header)
    assert len(plain) == 1
    assert re.fullmatch(r"[\w-]*-?results\.csv", plain[0], re.ASCII)

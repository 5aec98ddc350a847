"""Days, periods and numbers in the format of a reader; languages and time zones."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from scorekeeper.languages.reader import (
    PROGRAM,
    Reader,
    select_language,
    spreadsheet_separators,
    time_zones,
)

BEGAN = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
ENDED = datetime(2026, 11, 20, 23, 45, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "zone", "hours"),
    [
        ("en", "UTC", "20 November 2026, 22:30 – 23:45 UTC"),
        ("it", "Europe/Rome", "20 novembre 2026, 23:30 – 21 novembre 2026, 00:45 CET"),
        ("fr", "Asia/Kolkata", "21 novembre 2026, 04:00 – 05:15 IST"),
        ("en", "America/New_York", "20 November 2026, 17:30 – 18:45 EST"),
    ],
)
def test_period_is_in_the_zone_of_the_reader(language: str, zone: str, hours: str) -> None:
    assert Reader(language, zone).format_period(BEGAN, ENDED) == hours


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "Africa/Monrovia"])
@pytest.mark.parametrize("year", [1980, 2107])
def test_times_of_logs_are_valid_dates_in_every_zone(zone: str, year: int) -> None:
    assert str(year)[:2] in Reader("it", zone).format_day(datetime(year, 6, 1, tzinfo=UTC))


def test_numbers_have_the_decimal_sign_of_the_reader() -> None:
    assert Reader(decimal=",").format_number(Decimal("-1.50")) == "-1,50"
    assert PROGRAM.format_number(Decimal("-1.50")) == "-1.50"
    assert [spreadsheet_separators(code) for code in ("en", "it", "fr", "xx")] == [
        (",", "."), (";", ","), (";", ","), (",", "."),
    ]  # fmt: skip


def test_time_zones_are_those_of_the_database_and_no_files() -> None:
    assert {"UTC", "Europe/Rome", "America/Argentina/Ushuaia"} <= time_zones()
    assert not {"", "Europe", "../etc/passwd", "localtime", "posixrules"} & time_zones()


def test_readers_with_equal_preferences_are_equal() -> None:
    assert Reader("it") == Reader("it") != PROGRAM
    assert len({str(Reader(language, zone)) for language in "ab" for zone in "cd"}) == 4


@pytest.mark.parametrize(
    ("preferred", "expected"),
    [([], "en"), (["de"], "en"), (["de", "IT-ch"], "it"), (["*"], "en"), (["frr", "fr"], "fr")],
)
def test_first_supported_language_is_selected(preferred: list[str], expected: str) -> None:
    assert select_language(preferred) == expected

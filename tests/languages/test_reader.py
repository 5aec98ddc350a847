"""For whom a file is made: days, hours and figures as he writes them."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from scorekeeper.languages.reader import PROGRAM, Reader, known_language, spreadsheet, zones

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
def test_an_evening_lasts_by_the_clocks_of_the_zone(language: str, zone: str, hours: str) -> None:
    assert Reader(language, zone).hours(BEGAN, ENDED) == hours


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "Africa/Monrovia"])
@pytest.mark.parametrize("year", [1980, 2107])
def test_no_zone_takes_a_time_of_a_log_out_of_the_calendar(zone: str, year: int) -> None:
    assert str(year)[:2] in Reader("it", zone).day(datetime(year, 6, 1, tzinfo=UTC))


def test_figures_have_the_sign_that_was_asked_for() -> None:
    assert Reader(decimal=",").figure(Decimal("-1.50")) == "-1,50"
    assert PROGRAM.figure(Decimal("-1.50")) == "-1.50"
    assert [spreadsheet(one) for one in ("en", "it", "fr", "xx")] == [
        (",", "."), (";", ","), (";", ","), (",", "."),
    ]  # fmt: skip


def test_zones_are_those_of_the_database_and_no_files() -> None:
    assert {"UTC", "Europe/Rome", "America/Argentina/Ushuaia"} <= zones()
    assert not {"", "Europe", "../etc/passwd", "localtime", "posixrules"} & zones()


def test_readers_of_one_kind_are_equal_and_written_alike() -> None:
    assert Reader("it") == Reader("it") != PROGRAM
    assert len({str(Reader(language, zone)) for language in "ab" for zone in "cd"}) == 4


@pytest.mark.parametrize(
    ("asked", "known"),
    [([], "en"), (["de"], "en"), (["de", "IT-ch"], "it"), (["*"], "en"), (["frr", "fr"], "fr")],
)
def test_the_first_language_that_we_have_is_taken(asked: list[str], known: str) -> None:
    assert known_language(asked) == known

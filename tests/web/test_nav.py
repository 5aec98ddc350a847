"""The ways from page to page, and the one on which the reader is."""

from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorekeeper.web.frame.nav import MAIN, OF_A_SESSION, NavLink, main_ways, room_of, session_ways


def here(ways: list[NavLink]) -> list[str]:
    """The addresses that are marked as the page that is shown."""
    return [urlsplit(one.href).path for one in ways if one.here]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/", []),
        ("/new", ["/new"]),
        ("/code", ["/code"]),
        ("/score/example", ["/score"]),
        ("/rules/knock", ["/rules"]),
        ("/prefs", ["/prefs"]),
        ("/nothing", []),
    ],
)
def test_the_bar_of_every_page(app: Flask, path: str, marked: list[str]) -> None:
    with app.test_request_context(path):
        ways = main_ways()
        assert len(ways) == len(MAIN)
        assert here(ways) == marked


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/t/abc", ["/t/abc"]),
        ("/t/abc/results", ["/t/abc/results"]),
        ("/t/abc/audit", ["/t/abc/audit"]),
        ("/t/abc/export", ["/t/abc/export"]),
        ("/t/abc/settings", ["/t/abc/settings"]),
        ("/t/abc/h/1-1", []),
    ],
)
def test_the_bar_of_a_session(app: Flask, path: str, marked: list[str]) -> None:
    with app.test_request_context(path):
        ways = session_ways("abc")
        assert len(ways) == len(OF_A_SESSION)
        assert all("/t/abc" in one.href for one in ways)
        assert here(ways) == marked


def test_a_page_belongs_to_the_room_of_its_endpoint() -> None:
    assert [room_of(one) for one in ("table.page", "table", "")] == ["table", "table", ""]

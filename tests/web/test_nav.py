"""The navigation bars, and the mark of the present page."""

from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorekeeper.web.frame.nav import (
    MAIN,
    OF_A_SESSION,
    NavLink,
    main_links,
    section_of,
    session_links,
)


def current_paths(links: list[NavLink]) -> list[str]:
    """Return the addresses that are marked as the present page."""
    return [urlsplit(link.href).path for link in links if link.current]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/", []),
        ("/new", ["/new"]),
        ("/code", ["/code"]),
        ("/score/example", ["/score"]),
        ("/score/mistake", ["/score"]),
        ("/rules/knock", ["/rules"]),
        ("/prefs", ["/prefs"]),
        ("/nothing", []),
    ],
)
def test_the_bar_of_every_page(app: Flask, path: str, marked: list[str]) -> None:
    with app.test_request_context(path):
        links = main_links()
        assert len(links) == len(MAIN)
        assert current_paths(links) == marked


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
        links = session_links("abc")
        assert len(links) == len(OF_A_SESSION)
        assert all("/t/abc" in link.href for link in links)
        assert current_paths(links) == marked


def test_page_belongs_to_the_section_of_its_endpoint() -> None:
    assert [section_of(endpoint) for endpoint in ("table.page", "table", "")] == [
        "table",
        "table",
        "",
    ]

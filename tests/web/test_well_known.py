"""Files at fixed addresses, and what a chat may show of a link.

Tests of ``web.reference.well_known``.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.config import SettingsError, read_settings
from scorekeeper.http.headers import HEADERS
from tests.api.asking import Table, bearer, client_of
from tests.api.routes import REQUESTS, disputed
from tests.http.test_access import OPEN
from tests.web.pages import page_of

ICONS: Final = {
    "/favicon.ico": "image/vnd.microsoft.icon",
    "/apple-touch-icon.png": "image/png",
    "/apple-touch-icon-precomposed.png": "image/png",
}
SECURITY: Final = "/.well-known/security.txt"
# Pages that everybody can read and that say what they are; each other page is bare.
TOLD: Final = {
    "GET /", "GET /guide", "GET /guide/tournaments", "GET /rules", "GET /rules/<game>",
    "GET /published/<address>",
}  # fmt: skip
EVIL: Final = "evil.example"


@pytest.fixture
def known() -> FlaskClient:
    return client_of(security_contact="security@example.org", public_url="https://a.example")


@pytest.mark.parametrize("path", [*ICONS, "/robots.txt", SECURITY, "/static/icon.svg"])
def test_usual_requests_are_answered_with_all_headers(known: FlaskClient, path: str) -> None:
    answers = [known.open(path, method=method, buffered=True) for method in ("GET", "HEAD")]
    for answer in answers:
        assert answer.status_code == 200
        for name, value in HEADERS.items():
            assert answer.headers.getlist(name) == [value], name
        assert "Set-Cookie" not in answer.headers
        if path in ICONS:
            assert answer.mimetype == ICONS[path]
        if not path.startswith("/static"):
            assert answer.headers["Cache-Control"] == "public, max-age=86400"


def test_favicon_is_an_icon_in_several_sizes(known: FlaskClient) -> None:
    icon = known.get("/favicon.ico", buffered=True).data
    assert icon[:4] == b"\0\0\1\0"
    assert icon[4] == 3


def test_robots_ask_for_no_page_of_a_table_or_club(known: FlaskClient) -> None:
    answer = known.get("/robots.txt")
    lines = answer.text.splitlines()
    assert answer.content_type == "text/plain; charset=utf-8"
    assert lines[0] == "User-agent: *"
    closed = [line.removeprefix("Disallow: ") for line in lines[1:]]
    for path in ("/t/x", "/club/x", "/join/x", "/code", "/api/published/x"):
        assert any(path.startswith(prefix) for prefix in closed), path
    for path in ("/", "/guide", "/rules/riparto", "/published/x", "/static/icon-512.png"):
        assert not any(path.startswith(prefix) for prefix in closed), path


def test_security_txt_names_the_contact_and_expires_within_a_year(known: FlaskClient) -> None:
    answer = known.get(SECURITY)
    assert answer.content_type == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields.keys() == {"Contact", "Expires", "Preferred-Languages", "Canonical"}
    assert fields["Contact"] == "mailto:security@example.org"
    assert fields["Preferred-Languages"] == "en, it, fr"
    assert fields["Canonical"] == f"https://a.example{SECURITY}"
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=150) < left < timedelta(days=365)
    assert known.get(SECURITY).data == answer.data


def test_without_a_contact_there_is_no_security_txt() -> None:
    assert client_of().get(SECURITY).status_code == 404


@pytest.mark.parametrize(("contact", "shown"), [
    ("a@example.org", "mailto:a@example.org"), ("mailto:a@example.org", "mailto:a@example.org"),
    ("https://example.org/report", "https://example.org/report"), ("", None),
])  # fmt: skip
def test_contact_is_an_address_or_a_page(contact: str, shown: str | None) -> None:
    assert read_settings(security_contact=contact).security_contact == shown


@pytest.mark.parametrize("contact", [
    "somebody", "http://example.org", "https://", "mailto:", "a@b\nExpires: 1999-01-01T00:00:00Z",
    "a@b c", "javascript:alert(1)", "ä@example.org", "a@b\r\nContact: mailto:evil@example.org",
])  # fmt: skip
def test_other_texts_are_no_contact(contact: str) -> None:
    with pytest.raises(SettingsError, match="SCOREKEEPER_SECURITY_CONTACT"):
        read_settings(security_contact=contact)


# ------------------------------------------------------------------------- what a chat may show


def told(text: str) -> list[str]:
    """Return what a page tells chats and robots about itself."""
    return re.findall(r'<meta (?:property="og:[^"]*"|name="(?:description|twitter[^"]*)")', text)


@pytest.mark.parametrize("path", ["/", "/guide", "/rules", "/rules/riparto"])
def test_open_page_says_what_it_is(known: FlaskClient, path: str) -> None:
    page = page_of(known.get(path, headers={"Accept-Language": "it"}))
    about = {meta["property"]: meta["content"] for meta in page.all("meta") if "property" in meta}
    assert about["og:url"] == f"https://a.example{path}"
    assert about["og:image"].startswith("https://a.example/static/icon-512.png")
    assert about["og:title"]
    assert about["og:site_name"] == "Scorekeeper"
    (description,) = [meta for meta in page.all("meta") if meta.get("name") == "description"]
    assert description["content"] == about["og:description"]
    image = about["og:image"].removeprefix("https://a.example")
    assert known.get(image, buffered=True).mimetype == "image/png"


def test_no_other_host_is_in_what_a_page_says() -> None:
    answer = client_of().get("/", headers={"Host": EVIL})
    assert EVIL not in answer.text


def test_every_private_page_is_bare_with_a_key_and_without() -> None:
    """Of each page that anybody may read it is listed whether it says what it is."""
    client = client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)
    table = Table.open(client)
    disputed(table)
    seen = set()
    for request in REQUESTS:
        if request.method != "GET" or request.rule.startswith("/api"):
            continue
        there = request.about(table)
        for headers in ({}, bearer(there.keys["host"])):
            answer = client.get(request.path(table), headers=headers, buffered=True)
            if answer.mimetype == "text/html" and told(answer.text):
                seen.add(request.name)
            elif answer.mimetype == "text/html" and request.name not in OPEN and not headers:
                assert "Friday" not in answer.text, request.name
    assert seen == TOLD


def test_preview_of_a_link_to_join_shows_nothing(known: FlaskClient) -> None:
    table = Table.open(known)
    answer = known.get(f"/join/{table.keys['leo']}")
    assert answer.status_code == 200
    assert told(answer.text) == []

"""``/prefs``: the choices of this phone, in one cookie, and their effect on pages."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.http import parse_cookie

from scorekeeper import __version__
from scorekeeper.web.phone.prefs import CHOICES, Prefs
from tests.api.asking import client_of, created
from tests.web.pages import inputs_of, page_of

ALL = {name: values[-1] for name, values in CHOICES.items()}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """A client without a cookie jar, which sends the cookies of a test."""
    return client_of()


def choose(client: FlaskClient, **data: Any) -> Any:
    return client.post("/prefs", data=data, headers={"Sec-Fetch-Site": "same-origin"})


def test_choices_are_stored_and_shown() -> None:
    phone = created().test_client()
    answer = choose(phone, **ALL)
    assert answer.status_code == 303
    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert parse_cookie(name)["prefs"] == "&".join(f"{k}={v}" for k, v in ALL.items())
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000"} <= set(attributes)
    page = page_of(phone.get("/prefs?saved=1"))
    assert {name: inputs_of(page)[name] for name in ALL} == {k: [v] for k, v in ALL.items()}
    assert page.wrong == []


@pytest.mark.parametrize("name", CHOICES)
def test_every_page_bears_the_choice(client: FlaskClient, name: str) -> None:
    for value in CHOICES[name]:
        answer = client.get("/rules", headers={"Cookie": f"prefs={name}={value}"})
        (root,) = page_of(answer).all("html")
        assert root == (
            {"lang": value} if name == "lang" else {"lang": "en", f"data-{name}": value}
        )


def test_without_a_choice_the_browser_decides(client: FlaskClient) -> None:
    assert page_of(client.get("/")).all("html") == [{"lang": "en"}]
    answer = client.get("/", headers={"Accept-Language": "fr-CH, it;q=0.5"})
    assert page_of(answer).all("html") == [{"lang": "fr"}]


@pytest.mark.parametrize("theme", ["light", "dark", "black"])
def test_browser_gets_the_choices_before_the_first_paint(client: FlaskClient, theme: str) -> None:
    page = page_of(client.get("/", headers={"Cookie": f"prefs=theme={theme}"}))
    metas = {meta["name"]: meta["content"] for meta in page.all("meta") if "name" in meta}
    assert metas["color-scheme"] == ("light" if theme == "light" else "dark")


@pytest.mark.parametrize(
    "cookie",
    ["", "x", "theme=purple", "theme=%22%3E%3Cscript%3E", "theme", "=&=&", "lang=de", "%ff"],
)
def test_malformed_cookie_is_ignored(client: FlaskClient, cookie: str) -> None:
    answer = client.get("/", headers={"Cookie": f"prefs={cookie}"})
    assert page_of(answer).all("html") == [{"lang": "en"}]


def test_only_choices_are_kept(client: FlaskClient) -> None:
    answer = choose(client, theme="purple", lang="de", hand="left", more="<script>")
    assert parse_cookie(answer.headers["Set-Cookie"].partition(";")[0])["prefs"] == "hand=left"


def test_choices_are_written_and_read_back() -> None:
    for name, values in CHOICES.items():
        for value in values:
            assert str(Prefs.of({name: value})) == f"{name}={value}"
    assert str(Prefs()) == ""


@pytest.mark.parametrize(
    ("back", "kept"),
    [("/t/abc/settings", True), ("//evil.example", False), ("https://evil.example", False),
     ("/\\evil.example", False), ("javascript:alert(1)", False), ("/\tx", False),
     ("/" + "x" * 300, False), ("", False)],
)  # fmt: skip
def test_return_path_is_local(client: FlaskClient, back: str, kept: bool) -> None:
    answer = client.get("/prefs", query_string={"back": back, "saved": "1"})
    links = {a["href"] for a in page_of(answer).all("a")}
    assert (back in links) == kept
    assert not any("evil" in link for link in links)


def test_another_sites_page_chooses_nothing(client: FlaskClient) -> None:
    answer = client.post("/prefs", data=ALL, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_preferences_name_the_version(client: FlaskClient) -> None:
    assert f"This is Scorekeeper {__version__}." in page_of(client.get("/prefs")).words

"""``/demo``: a table and a club without any setup, apart from all real data.

Tests of ``http.extensions`` and ``web.opening.demo``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.store import KeyRequest
from scorekeeper.store.keyring import LETTERS
from scorekeeper.web.opening import demo
from tests.api.asking import Table, bearer, cookie_of, created
from tests.web.pages import page_of

OWN = {"Sec-Fetch-Site": "same-origin"}
GUESSED = f"demo{LETTERS[:12]}"


@pytest.fixture
def app() -> Iterator[Flask]:
    app = created()
    yield app
    app.extensions["demos"].stop()


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def start(phone: FlaskClient, what: str = "table", **more: Any) -> TestResponse:
    """Send the form of the first page that opens a demo."""
    actions = [form["action"] for form in page_of(phone.get("/")).all("form")]
    assert f"/demo/{what}" in actions
    return phone.post(f"/demo/{what}", headers={**OWN, **more})


def opened(phone: FlaskClient, what: str = "table") -> str:
    """Open a demo from the first page, and return the path of its page."""
    answer = start(phone, what)
    assert answer.status_code == 303, answer.text
    return answer.location


def demo_secret(app: Flask, path: str) -> str:
    """Return the secret of a new host's key to a demo table."""
    store = app.extensions["demos"].store
    return str(store.add_key(path.split("/")[2], KeyRequest("host")).secret)


@contextmanager
def unchanged_database(app: Flask) -> Iterator[None]:
    """Assert that nothing in the database of real data changes within the block."""
    with app.extensions["service"].store.reading() as work:
        before = list(work.connection.iterdump())
    yield
    with app.extensions["service"].store.reading() as work:
        assert list(work.connection.iterdump()) == before


def test_one_tap_leads_to_a_table_in_the_middle_of_a_hand(phone: FlaskClient) -> None:
    path = opened(phone)
    page = page_of(phone.get(path))
    assert path.startswith("/t/demo")
    assert page.wrong == []
    assert "Hand 3 of 4" in page.words
    assert "Who took the trick?" in page.words
    assert "A demo: you are Mara, the others play by themselves." in page.words
    assert "Nothing is kept after 4 hours. Start a real table" in page.words
    assert "My tables" not in page_of(phone.get("/")).words


def test_season_of_the_demo_club_can_be_looked_at_and_not_changed(phone: FlaskClient) -> None:
    path = opened(phone, "club")
    page = page_of(phone.get(path))
    assert page.wrong == []
    assert "Circolo del venerdì" in page.words
    assert "A demo: nothing of it is kept after 4 hours." in page.words
    evening = next(a["href"] for a in page.all("a") if a["href"].startswith("/t/"))
    assert page_of(phone.get(evening)).wrong == []
    assert phone.get(f"{path}/enter").status_code == 403
    assert phone.post(f"{path}/money", headers=OWN, data={"amount": "5"}).status_code == 403


def test_visitor_records_from_their_seat(phone: FlaskClient) -> None:
    path = opened(phone)
    api = f"/api/sessions/{path.split('/')[2]}"
    version = phone.get(f"{api}/events").get_json()["version"]
    trick = {"type": "trick_taken", "data": {"player": "mara"}}
    answer = phone.post(
        f"{api}/events", json={"events": [trick]}, headers={"If-Match": f'"{version}"', **OWN}
    )
    assert answer.status_code == 201, answer.text


def test_demos_leave_the_real_data_as_they_were(app: Flask, phone: FlaskClient) -> None:
    Table.open(app.test_client(use_cookies=False))
    with unchanged_database(app):
        ready = phone.get("/readyz").json
        for what in ("table", "club"):
            for path in (opened(phone, what), f"/t/{GUESSED}", f"/api/clubs/{GUESSED}"):
                phone.get(path)
                phone.post(f"{path}/record", headers=OWN)
                phone.get(path, headers=bearer("wrong"))
        assert phone.get("/readyz").json == ready


def test_others_go_on_at_a_table_that_is_looked_at_again(
    app: Flask, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, path = list[str](), opened(phone)
    monkeypatch.setattr(app.extensions["demos"].players, "expect", expected.append)
    phone.get(path)
    phone.get(f"/t/{GUESSED}")
    assert expected == [path.split("/")[2]]


# ------------------------------------------------------------------------------- attacks


def test_keys_of_demos_and_of_tables_open_nothing_of_each_other(app: Flask) -> None:
    anybody = app.test_client(use_cookies=False)
    phone = app.test_client()
    table, path = Table.open(anybody), opened(phone)
    demo_id = path.split("/")[2]
    secret = demo_secret(app, path)
    for stream_id, key in ((table.id, secret), (demo_id, table.keys["host"])):
        for asked in (f"/t/{stream_id}", f"/api/sessions/{stream_id}/events"):
            assert anybody.get(asked, headers=bearer(key)).status_code in (401, 410)
    assert anybody.get(f"/join/{secret}").status_code == 401
    assert anybody.get(f"/api/sessions/{demo_id}", headers=bearer(secret)).status_code == 200
    jar = {cookie.key: cookie.value for cookie in (phone._cookies or {}).values()}
    as_real = {"Cookie": f"phone={jar['demo-phone']}"}
    held = cookie_of(anybody, table.keys["host"])["Cookie"]
    as_demo = {"Cookie": held.replace("phone", "demo-phone")}
    for headers in (as_real, as_demo):
        assert anybody.get(f"/t/{table.id}", headers=headers).status_code == 401
        assert anybody.get(path, headers=headers).status_code == 410


def test_real_club_does_not_count_an_evening_of_a_demo(app: Flask, phone: FlaskClient) -> None:
    demo_id = opened(phone).split("/")[2]
    club = phone.post("/api/clubs", json={"name": "Circolo"}, headers=OWN).get_json()
    entered = {"session": demo_id, "players": {}}
    answer = phone.post(
        f"/api/clubs/{club['id']}/events",
        json={"events": [{"type": "evening_entered", "data": entered}]},
        headers={**bearer(club["keys"]["host"]), "If-Match": '"1"'},
    )
    assert answer.status_code == 422


def test_guessed_demo_is_kindly_refused_like_one_that_vanished(
    app: Flask, phone: FlaskClient
) -> None:
    path = opened(phone)
    stranger = app.test_client(use_cookies=False)
    others = stranger.get(path)
    guessed = stranger.get(f"/t/{GUESSED}")
    app.extensions["demos"].store.delete_stream(path.split("/")[2], remembered=False)
    vanished = phone.get(path)
    for answer in (others, guessed, vanished, stranger.get("/club/demoo23456789abc")):
        assert answer.status_code == 410
        assert "This demo is over" in page_of(answer).words
    assert stranger.get(f"/api/sessions/{GUESSED}").status_code == 404


def test_address_that_opens_demos_in_a_loop_is_stopped(
    app: Flask, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "DEMOS_AN_HOUR", 3)
    with unchanged_database(app):
        statuses = [start(phone, what).status_code for what in ("table", "club") * 2]
    assert statuses == [303, 303, 303, 429]
    assert len(app.extensions["demos"].store.clubs()) == 1


def test_only_a_form_of_our_pages_opens_a_demo(app: Flask, phone: FlaskClient) -> None:
    for path in ("/demo/table", "/demo/club"):
        assert phone.get(path).status_code == 405
        assert phone.post(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert not app.extensions["demos"].store.sessions()


def test_service_without_demos_offers_none() -> None:
    phone = created(demo_tables=0).test_client()
    assert "/demo" not in phone.get("/").text
    assert phone.post("/demo/table", headers=OWN).status_code == 404
    assert phone.get(f"/t/{GUESSED}").status_code == 410

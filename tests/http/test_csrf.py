"""Requests that other sites cause are refused, and no GET changes anything."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.live import event_streams
from tests.api.asking import Table, client_of, cookie_of, problem_of
from tests.api.routes import REQUESTS, Request, all_routes

UNSAFE = [request for request in REQUESTS if request.method not in ("GET", "HEAD", "OPTIONS")]
# Headers of a browser about the origin of a request; it sends the cookie with all of them.
FORGED: dict[str, dict[str, str]] = {
    "cross-site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    "same-site": {"Sec-Fetch-Site": "same-site", "Origin": "http://evil.localhost"},
    "cross-site, without an origin": {"Sec-Fetch-Site": "cross-site"},
    "cross-site, our origin": {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    "a site that nobody knows": {"Sec-Fetch-Site": "nonsense", "Origin": "http://localhost"},
    "a foreign origin": {"Origin": "https://evil.example"},
    "an origin that begins as ours": {"Origin": "http://localhost.evil.example"},
    "our host by another scheme": {"Origin": "https://localhost"},
    "our host at another port": {"Origin": "http://localhost:8080"},
    "origin null": {"Origin": "null"},
    "an empty origin": {"Origin": ""},
    "neither": {},
    "a name and password": {"Authorization": "Basic eDp5", "Origin": "https://evil.example"},
    "JSON as a text": {"Origin": "https://evil.example", "Content-Type": "text/plain"},
}
OWN: dict[str, dict[str, str]] = {
    "same-origin": {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
    "by the user": {"Sec-Fetch-Site": "none"},
    "an old browser": {"Origin": "http://localhost"},
}


@pytest.fixture(scope="module")
def on_memory() -> FlaskClient:
    """Return a client of an application whose sessions are few, because all are listed often."""
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture(autouse=True)
def streams_end_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)


def ask(table: Table, request: Request, forged: dict[str, str]) -> Any:
    path = request.path(table)
    more = dict(request.more(table))
    there = request.about(table)
    cookie = cookie_of(there.client, there.keys[request.sender])
    headers = {**more.pop("headers", {}), **cookie, **forged}
    if "Content-Type" in headers and "json" in more:
        more["data"] = b'{"events":[]}'
        del more["json"]
    headers = {name: value for name, value in headers.items() if "content_type" not in more
               or name != "Content-Type"}  # fmt: skip
    return table.client.open(path, method=request.method, headers=headers, buffered=True, **more)


def state(table: Table) -> Any:
    """Return the stored state of a session, without times of use and other sessions."""
    store = table.client.application.extensions["service"].store
    keys = [(key.id, key.revoked) for key in store.keys(table.id)]
    return store.position(table.id), keys, [session.id for session in store.sessions()]


def test_every_unsafe_route_is_tested(on_memory: FlaskClient) -> None:
    routes = {name for name in all_routes(on_memory.application) if not name.startswith("GET ")}
    assert {unsafe.name for unsafe in UNSAFE} == routes


# API routes are tested with all of them, page routes, which share the guard, with one of each kind.
SOME: Final = ("cross-site", "a foreign origin", "origin null", "neither")


@pytest.mark.parametrize("request_", UNSAFE, ids=lambda unsafe: unsafe.name)
def test_forged_request_is_refused(on_memory: FlaskClient, request_: Request) -> None:
    table = Table.open(on_memory)
    request_.path(table)
    request_.more(table)
    before = state(table)
    for forged in FORGED if request_.rule.startswith("/api/sessions") else SOME:
        answer = ask(table, request_, FORGED[forged])
        assert answer.status_code == 403, forged
        assert state(table) == before, forged
        assert "Set-Cookie" not in answer.headers, forged
        if request_.rule.startswith("/api/"):
            assert problem_of(answer) == (403, "cross_site"), forged


def own_requests() -> Iterator[Any]:
    """Yield API requests in all ways, and each page request in one; in the soak in all ways."""
    for place, request in enumerate(UNSAFE):
        for number, own in enumerate(OWN):
            in_suite = request.rule.startswith("/api/sessions") or number == place % len(OWN)
            marks = [] if in_suite else [pytest.mark.soak]
            yield pytest.param(request, own, marks=marks, id=f"{request.name}-{own}")


@pytest.mark.parametrize(("request_", "own"), list(own_requests()))
def test_request_of_an_own_page_is_accepted(
    on_memory: FlaskClient, request_: Request, own: str
) -> None:
    status = ask(Table.open(on_memory), request_, OWN[own]).status_code
    assert status < 400 or status == request_.refused


@pytest.mark.parametrize("forged", FORGED)
def test_program_with_a_key_needs_no_origin(table: Table, forged: str) -> None:
    headers = {**FORGED[forged], "Authorization": f"Bearer {table.keys['host']}"}
    if "Content-Type" not in headers:
        answer = table.ask("POST", "/keys", headers=headers, json={"role": "view"})
        assert answer.status_code == 201


@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://scores.example.org", 303), ("http://192.168.1.7:8000", 303),
     ("http://scores.example.org", 403), ("https://evil.example", 403)],
)  # fmt: skip
def test_request_from_the_address_of_the_page_is_accepted(origin: str, status: int) -> None:
    """By its public address, behind a proxy that forwards no host, or in the same network."""
    table = Table.open(client_of(public_url="https://scores.example.org"))
    headers = {"Origin": origin, "Host": "192.168.1.7:8000"}
    answer = table.client.post("/join", data={"key": table.keys["leo"]}, headers=headers)
    assert answer.status_code == status


def test_no_get_changes_anything() -> None:
    """Neither for a browser with the cookie nor for a program that shows previews."""
    table = Table.open(client_of())
    paths = [request.path(table) for request in REQUESTS]
    joined = table.client.post("/join", data={"key": table.keys["host"]})
    cookie = {"Cookie": joined.headers["Set-Cookie"].partition(";")[0]}
    before = state(table)
    for path in paths:
        for method, headers in (
            ("GET", cookie),
            ("HEAD", cookie),
            ("OPTIONS", cookie),
            ("GET", {"User-Agent": "WhatsApp/2.23"}),
            ("GET", cookie | FORGED["cross-site"]),
        ):
            answer = table.client.open(path, method=method, headers=headers, buffered=True)
            assert answer.status_code < 500
            cookies = answer.headers.getlist("Set-Cookie")
            # The displayed head, and the phone's name, which opens the same streams as before.
            assert all(cookie.startswith(("seen-", "phone=")) for cookie in cookies)
    assert state(table) == before
    assert table.client.post("/join", data={"key": table.keys["leo"]}).status_code == 303

"""Strangers at a public address, many or slow, do not delay the tables or one another.

Tests of ``http.public_pages`` and ``http.public_seasons``.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from tests.conftest import SOAK, Figure
from tests.evenings import event
from tests.faults.test_slow import HEAD, Sent, has_come, recorded, slow, table_at
from tests.operation.serving import Answer, Server, serving, until
from tests.web.club.visiting import riparto

MEMBERS: Final = 300
EVENINGS: Final = 200 if SOAK else 30
READERS: Final = 20  # at the same time
REQUESTS: Final = 1_000
SLOW_CLIENTS: Final = 40
LONGEST_SECONDS: Final = 1.0
JSON: Final = "application/json"


class Club:
    """A club with a public address, over HTTP."""

    def __init__(self, server: Server) -> None:
        self.server = server
        members = [{"id": f"m{n}", "name": f"Member{n:03} Surname{n:03}"} for n in range(MEMBERS)]
        opened = self.post("/api/clubs", json.dumps({"name": "Circolo", "members": members}), JSON)
        self.id, self.key = opened.json["id"], opened.json["keys"]["host"]
        self.version: int = opened.json["version"]
        for n in range(EVENINGS):
            self.enter([f"m{(3 * n + seat) % MEMBERS}" for seat in range(3)])
        self.address = self.publish(0)

    def post(self, path: str, body: Any, kind: str, **headers: str) -> Answer:
        answer = self.server.get(path, "POST", body, Content_Type=kind, **headers)
        assert answer.status in (200, 201, 303), answer
        return answer

    def enter(self, players: list[str]) -> None:
        """Import an evening of three members, and enter it."""
        log = riparto(seats=" ".join(players), winner=players[0])
        session = self.post("/api/sessions/import", log, "application/x-ndjson").json
        entered = event("evening_entered", session=session["id"],
                        players={player: player for player in players})  # fmt: skip
        body = json.dumps({"events": [entered], "keys": [session["keys"]["host"]]})
        answer = self.post(f"/api/clubs/{self.id}/events", body, JSON,
                           If_Match=f'"{self.version}"', **self.authorized)  # fmt: skip
        self.version = answer.json["version"]

    @property
    def authorized(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def publish(self, after: int) -> str:
        form = urlencode({"names": "full", "sites": "", "after": after})
        path = f"/club/{self.id}/settings/public"
        self.post(path, form, "application/x-www-form-urlencoded", **self.authorized)
        page = self.server.get(path, **self.authorized).body.decode()
        return page.partition("/published/")[2][:26]

    def end(self) -> None:
        form = urlencode({"address": self.address})
        self.post(f"/club/{self.id}/settings/public/end", form,
                  "application/x-www-form-urlencoded", **self.authorized)  # fmt: skip


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with serving(tmp_path_factory.mktemp("public")) as server:
        yield Club(server)


def timed(club: Club, path: str) -> tuple[int, float]:
    """Return the status of a stranger's request, and its seconds."""
    began = monotonic()
    return club.server.get(path).status, monotonic() - began


@pytest.mark.parametrize("form", ["/published/{}", "/api/published/{}"])
def test_a_thousand_readers_of_the_largest_season_do_not_delay_recording(
    club: Club, form: str, figure: Figure
) -> None:
    path = form.format(club.address)
    assert len(club.server.get(path).body) > 10_000
    with table_at(club.server) as writer, ThreadPoolExecutor(READERS) as pool:
        reading = [pool.submit(timed, club, path) for _ in range(REQUESTS)]
        began = monotonic()
        times = recorded(writer, 0.5)
        answers = [future.result() for future in reading]
        seconds = monotonic() - began
    figure(f"{form}: {REQUESTS / seconds:.0f} readers/s, slowest append {times[-1] * 1000:.0f} ms")
    assert {status for status, _ in answers} == {200}
    assert times[-1] < LONGEST_SECONDS


def a_reader(club: Club) -> Sent:
    """Return a request for a public table, whose answer is never read."""
    return f"{HEAD.format(f'GET /published/{club.address}/standings.html')}\r\n".encode(), b""


def a_head(club: Club) -> Sent:
    """Return a request for a public table whose headers never end."""
    return HEAD.format(f"GET /published/{club.address}").encode() + b"X-Slow: ", b"x"


@pytest.mark.parametrize("kind", [a_reader, a_head])
def test_forty_slow_clients_delay_neither_readers_nor_tables(
    club: Club, kind: Any, figure: Figure
) -> None:
    with table_at(club.server) as writer, slow(club.server, kind(club), SLOW_CLIENTS) as clients:
        if kind is a_reader:
            until(lambda: all(has_come(client) for client in clients), 30)
        times = recorded(writer, 0.5)
        answers = [timed(club, f"/published/{club.address}") for _ in range(20)]
        health = [timed(club, "/healthz") for _ in range(5)]
    figure(f"{kind.__name__}: slowest append {times[-1] * 1000:.0f} ms, "
           f"reader {max(seconds for _, seconds in answers) * 1000:.0f} ms")  # fmt: skip
    assert {status for status, _ in (*answers, *health)} == {200}
    assert times[-1] < LONGEST_SECONDS
    assert max(seconds for _, seconds in (*answers, *health)) < LONGEST_SECONDS


def test_guesses_of_addresses_and_seasons_cost_little(club: Club) -> None:
    paths = [f"/published/{'z' * 25}{letter}" for letter in "abcdefghjk"]
    paths += [f"/published/{club.address}?season=s{n}" for n in range(10)]
    answers = [timed(club, path) for path in paths]
    assert {status for status, _ in answers} == {404}
    assert max(seconds for _, seconds in answers) < LONGEST_SECONDS


def test_an_address_ends_for_all_readers_at_once(tmp_path: Path, club: Club) -> None:
    path = f"/published/{club.address}"
    assert timed(club, path)[0] == 200
    club.end()
    with ThreadPoolExecutor(READERS) as pool:
        answers = list(pool.map(lambda _: timed(club, path), range(READERS)))
    assert {status for status, _ in answers} == {404}
    club.address = club.publish(1)
    assert timed(club, f"/published/{club.address}")[0] == 200

"""Forms of a club that six clients send at the same time, over HTTP and two processes.

Tests of ``web.club.visitor`` and ``web.opening.for_club``.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest

from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.faults.running import ServerPair
from tests.operation.serving import Answer, Server

pytestmark = [pytest.mark.soak] if SOAK else []

CLIENTS: Final = 6
SEASON: Final = {"from": "2020-01-01", "game": "riparto", "by": "wins"}
PEOPLE: Final = ("mara", "leo", "nina")
MORE: Final = tuple(f"{who}{n}" for who in ("ada", "ugo") for n in range(CLIENTS))

Fields = Mapping[str, str]


class Club:
    """A club on a server, used by its host."""

    def __init__(self, server: Server) -> None:
        self.server = server
        people = [{"id": person, "name": person.capitalize()} for person in (*PEOPLE, *MORE)]
        opened = self._made("/api/clubs", name="Circolo", currency="EUR", members=people)
        self.path, self.id = f"/club/{opened['id']}", opened["id"]
        self.key = opened["keys"]["host"]
        self.record(*(
            event("season_opened", id=f"s{n}", name=f"S{n}", games=["riparto"], ranking="wins",
                  **{"from": "2020-01-01"})
            for n in range(CLIENTS)
        ))  # fmt: skip

    @cached_property
    def tables(self) -> list[tuple[str, str]]:
        """Return the ids of new sessions, each with the key of its host."""
        people = [{"id": person, "name": person.capitalize()} for person in PEOPLE]
        created = [self._made("/api/sessions", title=f"Evening {n}", players=people)
                for n in range(CLIENTS)]  # fmt: skip
        return [(session["id"], session["keys"]["host"]) for session in created]

    def _made(self, path: str, **body: Any) -> Any:
        answer = self.server.get(path, "POST", json.dumps(body), Content_Type="application/json")
        assert answer.status == 201, answer.body
        return answer.json

    def ask(self, path: str, method: str = "GET", body: str | None = None, **more: str) -> Answer:
        """Send a request as the host, and return the answer."""
        headers = {"Authorization": f"Bearer {self.key}", "Origin": self.server.origin, **more}
        return self.server.get(path, method, body, **headers)

    def record(self, *events: Raw, keys: Sequence[str] = ()) -> None:
        """Record these events over the API."""
        body = json.dumps({"events": events, "keys": keys})
        answer = self.ask(
            f"/api/clubs/{self.id}/events",
            "POST",
            body,
            If_Match=f'"{self.version}"',
            Content_Type="application/json",
        )
        assert answer.status == 201, answer.body

    def enter(self) -> None:
        """Enter all sessions in the club."""
        players = {person: person for person in PEOPLE}
        entered = (
            event("evening_entered", session=session_id, players=players)
            for session_id, _ in self.tables
        )
        self.record(*entered, keys=[key for _, key in self.tables])

    @property
    def version(self) -> int:
        return int(self.ask(f"/api/clubs/{self.id}").json["version"])

    def events(self, after: int) -> list[Any]:
        """Return the type and data of the events after a version."""
        events = self.ask(f"/api/clubs/{self.id}/events?after={after}").json["events"]
        return [(raw["type"], json.dumps(raw["data"], sort_keys=True)) for raw in events]

    def send_concurrently(self, forms: list[tuple[str, Fields]]) -> list[Answer]:
        """Send these forms at the same time, and return the answers."""
        start = threading.Barrier(len(forms))

        def send(form: tuple[str, Fields]) -> Answer:
            start.wait(30)
            return self.ask(self.path + form[0], "POST", urlencode(form[1]),
                            Content_Type="application/x-www-form-urlencoded")  # fmt: skip

        with ThreadPoolExecutor(len(forms)) as pool:
            return list(pool.map(send, forms))


class Form(NamedTuple):
    """A form: the event that it records, and a function for the path and fields of copy ``n``."""

    records: str
    of: Callable[[Club, int], tuple[str, Fields]]
    entered: bool = False


def taking_back(club: Club, number: int) -> tuple[str, Fields]:
    """Return a form that undoes the opening of a season."""
    first = 2 + len(PEOPLE) + len(MORE)
    return f"/settings/recorded/{first + number}", {"reason": "mistyped"}


def closing(club: Club, number: int) -> tuple[str, Fields]:
    """Return a form that closes a season as displayed."""
    path = f"/settings/season/s{number}/close"
    (tag,) = re.findall(rb'name="tag" value="([^"]+)"', club.ask(club.path + path).body)
    return path, {"tag": tag.decode()}


FORMS: Final[Mapping[str, Form]] = {
    "payment": Form("payment_made", lambda _, n: (
        "/money", {"from": "mara", "to": "leo", "amount": str(n + 1)})),
    "points": Form("points_adjusted", lambda _, n: (
        "/settings/member/leo/points", {"season": "s0", "points": str(n + 1), "reason": "late"})),
    "season": Form("season_opened", lambda _, n: (
        "/settings/season", {**SEASON, "name": f"Autumn {n}"})),
    "member": Form("member_joined", lambda _, n: ("/settings/add", {"names": f"Zoe {n}"})),
    "rename": Form("member_renamed", lambda _, n: (
        f"/settings/member/ada{n}", {"act": "rename", "name": f"Adele {n}"})),
    "leave": Form("member_left", lambda _, n: (f"/settings/member/ada{n}", {"act": "leave"})),
    "merge": Form("members_merged", lambda _, n: (
        "/settings/merge", {"member": f"ada{n}", "into": f"ugo{n}"})),
    "unite": Form("members_merged", lambda _, n: (
        "/settings/guests", {"account": f"ada{n}", "into": f"ugo{n}"})),
    "change": Form("club_changed", lambda _, n: ("/settings/club", {"name": f"Circolo {n}"})),
    "change a season": Form("season_changed", lambda _, n: (
        f"/settings/season/s{n}/change", {"name": f"Long autumn {n}"})),
    "enter": Form("evening_entered", lambda club, n: (
        "/enter", {"link": club.tables[n][1], **{f"as-{person}": person for person in PEOPLE}})),
    "withdraw": Form("evening_withdrawn", lambda club, n: (
        f"/evenings/{club.tables[n][0]}/withdraw", {"reason": "a friendly game"}), entered=True),
    "take back": Form("event_struck", taking_back),
    "close": Form("season_closed", closing),
}  # fmt: skip


DATABASES: Final = {"on_sqlite_of_two": "sqlite", "on_postgres": "postgresql"}


def kinds(names: Iterable[str], first: int = 0) -> Iterator[Any]:
    """Parametrize forms, alternating between the two databases; on both in the soak."""
    for at, name in enumerate(names, first):
        for number, (database, fields) in enumerate(DATABASES.items()):
            marks = [] if number == at % len(DATABASES) else [pytest.mark.soak]
            yield pytest.param(database, name, marks=marks, id=f"{fields}-{name}")


@pytest.fixture
def club(processes: ServerPair) -> Club:
    return Club(processes.sound.server)


@pytest.mark.parametrize(("processes", "name"), list(kinds(FORMS)), indirect=["processes"])
def test_form_sent_six_times_concurrently_is_recorded_one_time(club: Club, name: str) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    path, fields = form.of(club, 0)
    answers = club.send_concurrently([(path, {**fields, "key": "tapped"})] * CLIENTS)
    assert {answer.status for answer in answers} == {303}, [answer.body for answer in answers]
    assert len({answer.headers["Location"] for answer in answers}) == 1
    assert [kind for kind, _ in club.events(before)] == [form.records]


@pytest.mark.parametrize(
    ("processes", "name"),
    list(kinds([name for name in FORMS if name != "close"], first=1)),
    indirect=["processes"],
)
def test_six_concurrent_forms_are_all_recorded(club: Club, name: str) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    forms = [form.of(club, number) for number in range(CLIENTS)]
    answers = club.send_concurrently([(path, {**fields, "key": f"{n}"})
                                for n, (path, fields) in enumerate(forms)])  # fmt: skip
    assert {answer.status for answer in answers} == {303}, [answer.body for answer in answers]
    events = club.events(before)
    assert [kind for kind, _ in events] == [form.records] * CLIENTS
    assert len(set(events)) == CLIENTS


@pytest.mark.parametrize(
    ("processes", "name"),
    list(kinds(["leave", "merge", "enter", "withdraw", "close"])),
    indirect=["processes"],
)
def test_same_change_by_six_concurrent_forms_is_recorded_one_time(club: Club, name: str) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    path, fields = form.of(club, 0)
    answers = club.send_concurrently([(path, {**fields, "key": f"{n}"}) for n in range(CLIENTS)])
    assert {answer.status for answer in answers} <= {303, 404, 422}, [
        answer.body for answer in answers
    ]
    assert [kind for kind, _ in club.events(before)] == [form.records]

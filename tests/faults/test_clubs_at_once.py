"""Forms of a club that six send at one time, over HTTP and two processes.

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
from tests.faults.running import Two
from tests.operation.serving import Answer, Server

pytestmark = [pytest.mark.soak] if SOAK else []

AT_ONCE: Final = 6
SEASON: Final = {"from": "2020-01-01", "game": "riparto", "by": "wins"}
PEOPLE: Final = ("mara", "leo", "nina")
MORE: Final = tuple(f"{who}{n}" for who in ("ada", "ugo") for n in range(AT_ONCE))

Said = Mapping[str, str]


class Club:
    """A club on a server, which its host asks."""

    def __init__(self, server: Server) -> None:
        self.server = server
        people = [{"id": one, "name": one.capitalize()} for one in (*PEOPLE, *MORE)]
        opened = self._made("/api/clubs", name="Circolo", currency="EUR", members=people)
        self.path, self.id = f"/club/{opened['id']}", opened["id"]
        self.key = opened["keys"]["host"]
        self.record(*(
            event("season_opened", id=f"s{n}", name=f"S{n}", games=["riparto"], ranking="wins",
                  **{"from": "2020-01-01"})
            for n in range(AT_ONCE)
        ))  # fmt: skip

    @cached_property
    def tables(self) -> list[tuple[str, str]]:
        """Its evenings, each with the key of its host."""
        people = [{"id": person, "name": person.capitalize()} for person in PEOPLE]
        made = [self._made("/api/sessions", title=f"Evening {n}", players=people)
                for n in range(AT_ONCE)]  # fmt: skip
        return [(one["id"], one["keys"]["host"]) for one in made]

    def _made(self, path: str, **body: Any) -> Any:
        answer = self.server.get(path, "POST", json.dumps(body), Content_Type="application/json")
        assert answer.status == 201, answer.body
        return answer.json

    def ask(self, path: str, method: str = "GET", body: str | None = None, **more: str) -> Answer:
        """The answer to its host."""
        headers = {"Authorization": f"Bearer {self.key}", "Origin": self.server.origin, **more}
        return self.server.get(path, method, body, **headers)

    def record(self, *events: Raw, keys: Sequence[str] = ()) -> None:
        """Have these events, recorded over the API."""
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
        """Have all its evenings entered."""
        players = {person: person for person in PEOPLE}
        entered = (event("evening_entered", session=one, players=players) for one, _ in self.tables)
        self.record(*entered, keys=[key for _, key in self.tables])

    @property
    def version(self) -> int:
        return int(self.ask(f"/api/clubs/{self.id}").json["version"])

    def events(self, after: int) -> list[Any]:
        """What was recorded after a version."""
        told = self.ask(f"/api/clubs/{self.id}/events?after={after}").json["events"]
        return [(one["type"], json.dumps(one["data"], sort_keys=True)) for one in told]

    def at_once(self, forms: list[tuple[str, Said]]) -> list[Answer]:
        """The answers to who send these forms at one time."""
        start = threading.Barrier(len(forms))

        def send(form: tuple[str, Said]) -> Answer:
            start.wait(30)
            return self.ask(self.path + form[0], "POST", urlencode(form[1]),
                            Content_Type="application/x-www-form-urlencoded")  # fmt: skip

        with ThreadPoolExecutor(len(forms)) as pool:
            return list(pool.map(send, forms))


class Form(NamedTuple):
    """A form: what it records, and where the one of a number goes and what it says."""

    records: str
    of: Callable[[Club, int], tuple[str, Said]]
    entered: bool = False


def taking_back(club: Club, number: int) -> tuple[str, Said]:
    """What takes the opening of a season back."""
    first = 2 + len(PEOPLE) + len(MORE)
    return f"/settings/recorded/{first + number}", {"reason": "mistyped"}


def closing(club: Club, number: int) -> tuple[str, Said]:
    """What closes a season as it was looked at."""
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
    "enter": Form("evening_entered", lambda club, n: (
        "/enter", {"link": club.tables[n][1], **{f"as-{person}": person for person in PEOPLE}})),
    "withdraw": Form("evening_withdrawn", lambda club, n: (
        f"/evenings/{club.tables[n][0]}/withdraw", {"reason": "a friendly game"}), entered=True),
    "take back": Form("event_struck", taking_back),
    "close": Form("season_closed", closing),
}  # fmt: skip


DATABASES: Final = {"on_sqlite_of_two": "sqlite", "on_postgres": "postgresql"}


def kinds(names: Iterable[str], first: int = 0) -> Iterator[Any]:
    """Each form on one of the two databases, in turn; on both in the soak."""
    for at, name in enumerate(names, first):
        for number, (database, said) in enumerate(DATABASES.items()):
            marks = [] if number == at % len(DATABASES) else [pytest.mark.soak]
            yield pytest.param(database, name, marks=marks, id=f"{said}-{name}")


@pytest.fixture
def club(processes: Two) -> Club:
    return Club(processes.sound.server)


@pytest.mark.parametrize(("processes", "name"), list(kinds(FORMS)), indirect=["processes"])
def test_a_form_that_is_sent_six_times_at_once_is_recorded_once(club: Club, name: str) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    path, said = form.of(club, 0)
    answers = club.at_once([(path, {**said, "key": "tapped"})] * AT_ONCE)
    assert {answer.status for answer in answers} == {303}, [one.body for one in answers]
    assert len({answer.headers["Location"] for answer in answers}) == 1
    assert [kind for kind, _ in club.events(before)] == [form.records]


@pytest.mark.parametrize(
    ("processes", "name"),
    list(kinds([one for one in FORMS if one != "close"], first=1)),
    indirect=["processes"],
)
def test_six_forms_that_are_sent_at_once_are_recorded_each(club: Club, name: str) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    forms = [form.of(club, number) for number in range(AT_ONCE)]
    answers = club.at_once([(path, {**said, "key": f"{n}"})
                                for n, (path, said) in enumerate(forms)])  # fmt: skip
    assert {answer.status for answer in answers} == {303}, [one.body for one in answers]
    events = club.events(before)
    assert [kind for kind, _ in events] == [form.records] * AT_ONCE
    assert len(set(events)) == AT_ONCE


@pytest.mark.parametrize(
    ("processes", "name"),
    list(kinds(["leave", "merge", "enter", "withdraw", "close"])),
    indirect=["processes"],
)
def test_what_six_ask_for_each_with_a_form_of_his_own_is_recorded_once(
    club: Club, name: str
) -> None:
    form = FORMS[name]
    if form.entered:
        club.enter()
    before = club.version
    path, said = form.of(club, 0)
    answers = club.at_once([(path, {**said, "key": f"{n}"}) for n in range(AT_ONCE)])
    assert {answer.status for answer in answers} <= {303, 404, 422}, [one.body for one in answers]
    assert [kind for kind, _ in club.events(before)] == [form.records]

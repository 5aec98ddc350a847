"""Installed games that raise any error or return any value; other tables are unaffected.

Tests of ``games.installed``, ``games.checked`` and of every entrance at which a game is called.
"""

import sys
from collections.abc import Callable, Hashable, Iterator
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.answers.helper_process import Job, run_job
from scorekeeper.base.interrupts import marked_interrupts
from scorekeeper.games import GAMES, IDS
from scorekeeper.games.installed import load_installed
from scorekeeper.store import MemoryStore
from tests.api.asking import Table, created, hand
from tests.api.clubbing import Circle, evening
from tests.conftest import SOAK
from tests.evenings import event
from tests.faulty_game import PACKAGE, install

OF_ALL_GAMES: Final = ("/", "/new", "/rules", "/api/games", "/club/new")
OURS: Final = {"Sec-Fetch-Site": "same-origin"}
MATCH: Final = event(
    "match_started", game="faulty", seats=["mara", "leo", "nina"],
    stake={"currency": "EUR", "point": 10, "match": 0},
)  # fmt: skip
UNBALANCED: Final = (
    'the game "balanced" failed '
    "(course.add: expected a hand to give what it takes, which makes 0, got 2)"
)
LIES: Final = "AS lies face down"
RAISED: Final = (
    "error", "exit", "interrupt", "odd", "generator_exit", "cancelled", "stop_iteration", "memory",
    "storage", "unknown", "unusable", "unprintable", "os_error", "recursive",
)  # fmt: skip
RETURNED: Final = ("evil", "late", "number", "nothing")
CALLED: Final = (
    "pack", "start", "fold", "refuse", "checks", "course_start", "penalize", "course_add", "facts",
    "phrases", "score", "prompts", "sides", "players", "no_penalty", "check_options",
    "describe_hand", "describe_match", "so_far", "goal", "highest_hand", "most_of_a_hand",
    "doubles", "totals",
    "counted_sides", "level", "contract", "stakes", "times", "face_down", "can_be", "points_made",
    "abandonment_kind_matters", "marks_if_abandoned",
)  # fmt: skip
# Each kind at least one time, and most functions; in the soak each function with each kind.
FAULTS: Final = [
    *(("score", kind) for kind in ("exit", "evil", "fraction", "third", "huge", "of_nobody")),
    ("fold", "interrupt"), ("course_add", "odd"), ("prompts", "generator_exit"),
    ("facts", "cancelled"), ("checks", "stop_iteration"), ("start", "memory"),
    ("refuse", "storage"), ("score", "unusable"),
    ("face_down", "unprintable"), ("goal", "os_error"), ("sides", "recursive"),
    ("prompts", "late"), ("facts", "number"), ("score", "nothing"), ("describe_hand", "clash"),
    ("score", "unsaid"), ("level", "evil"), ("level", "late"), ("check_options", "exit"),
    ("pack", "error"),
]  # fmt: skip
# Each fault requests every sixth address, beginning at the next one; in the soak all addresses.
ADDRESSES_IN_TURN: Final = 1 if SOAK else 6
EVERY: Final = [*dict.fromkeys((
    *FAULTS, ("score", "long"), ("describe_match", "clash"),
    *((where, kind) for where in CALLED for kind in (*RAISED, *RETURNED)),
))]  # fmt: skip


class AnswersInProcess:
    """Answers that are computed in this process instead of a helper."""

    seconds = 20.0

    def compute(
        self, requester: str, key: Hashable, work: Callable[..., bytes],
        make_arguments: Callable[[], tuple[Any, ...]], is_gone: Any = None,
    ) -> bytes:  # fmt: skip
        result = run_job(Job(work, make_arguments(), 60, 1 << 30))
        if isinstance(result, Exception):
            raise result
        return result


class Place:
    """An application with a table of the faulty game, one of a good game, and a club of both."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.open()
        self.good = evening(self.client)
        self.faulty = Table.open(self.client)
        self.faulty.do(MATCH, *hand(), event("hand_started", dealer="leo"), as_played=True)
        self.circle = Circle.open(self.client)
        for table in (self.good, self.faulty):
            self.circle.enter(table)
            self.post("/join", key=table.keys["host"])
        self.post("/join", key=self.circle.keys["host"])

    def open(self) -> None:
        """Open an application with empty caches."""
        self.app: Flask = created(self.store)
        self.app.extensions["answers"] = AnswersInProcess()
        self.client: FlaskClient = self.app.test_client(use_cookies=False)
        cookies = getattr(self, "phone", None)
        self.phone = self.app.test_client()
        if cookies is not None:
            self.phone._cookies = cookies._cookies

    def post(self, path: str, **form: Any) -> None:
        answer = self.phone.post(path, data=form, headers=OURS)
        assert answer.status_code == 303, answer.text

    def begin_again(self) -> None:
        """Open another application on the same store."""
        self.open()
        for opened in (self.good, self.faulty, self.circle):
            opened.client = self.client

    def paths(self) -> Iterator[str]:
        """Yield each address that answers GET, of the faulty table, its club, and no table."""
        address = self.app.url_map.bind("localhost")
        ids = {"session_id": self.faulty.id, "session": self.faulty.id, "game": "faulty",
               "club_id": self.circle.id, "club": self.circle.id}  # fmt: skip
        for rule in self.app.url_map.iter_rules():
            read = "GET" in (rule.methods or ()) and not rule.rule.endswith("/stream")
            if read and (rule.arguments & ids.keys() or rule.rule in OF_ALL_GAMES):
                if "pdf" in rule.rule and not SOAK:
                    continue  # a PDF takes as long as twenty other answers
                values = {name: ids.get(name, 1) for name in rule.arguments}
                yield address.build(rule.endpoint, values)
        yield "/new?game=faulty"
        yield "/new?game=riparto"
        yield f"/new?club={self.circle.id}"

    def attacked(self, log: bytes) -> Iterator[TestResponse]:
        """Yield the answers to requests that call the game and do not read its table."""
        strike = event("event_struck", seq=4, reason="typed wrongly")
        house = event("house_kept", id="ours", name="Ours", game="faulty", options={})
        ndjson = {"content_type": "application/x-ndjson"}
        game = {"game": "faulty", "called": "Ours", "name": ["A", "B", "C"]}
        bid = {"version": "6", "key": "abcdefghijkl", "type": "bid_made", "player": "leo"}
        yield self.faulty.append(event("penalty_given", side="mara", points=-1))
        yield self.faulty.append(*hand("leo")[1:], as_played=True)
        yield self.faulty.append(MATCH)
        yield self.faulty.ask("POST", "/what-if", json={"corrections": [strike]})
        for path in ("score", "verify", "sessions/import"):
            yield self.client.post(f"/api/{path}", data=log, **ndjson)
        yield self.circle.append(house)
        for path, form in (
            ("/new", game),
            ("/score", {"log": log.decode()}),
            (f"/club/{self.circle.id}/settings/houses", game),
            (f"/t/{self.faulty.id}/record", bid),
            (f"/t/{self.faulty.id}/settings/match", game),
        ):
            yield self.phone.post(path, data=form, headers=OURS)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Yield the package, which this process takes for an installed one."""
    folder = install(tmp_path_factory.mktemp("installed"))
    with pytest.MonkeyPatch.context() as patch, marked_interrupts():
        patch.syspath_prepend(folder)
        games = load_installed(IDS, GAMES.versions)
        assert "faulty" in games.games, games.refused
        patch.setitem(GAMES.__dict__, "_installed", games)
        patch.setitem(GAMES.__dict__, "_failures", set())
        yield import_module(PACKAGE)
    sys.modules.pop(PACKAGE)


@pytest.fixture
def fault(package: ModuleType) -> Iterator[Callable[[str, str], None]]:
    """Return a function that begins a fault of a kind in a function of the game."""

    def begin(where: str, kind: str) -> None:
        package.where, package.kind = where, kind  # type: ignore[attr-defined]

    GAMES._failures.clear()  # each failure is logged one time, so each test begins without any
    yield begin
    begin("", "")


def looked_at(answer: TestResponse, path: str) -> None:
    with answer:
        text = answer.data.decode("utf-8", "replace")
    assert answer.status_code < 500, (path, answer.status_code, text[:500])
    assert "Traceback" not in text, path
    assert LIES not in text, path


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(("where", "kind"), EVERY if SOAK else FAULTS)
def test_no_fault_of_a_game_breaks_a_page_or_another_table(
    fault: Callable[[str, str], None], where: str, kind: str
) -> None:
    place = Place()
    report, log = place.faulty.report(), place.faulty.get("/log.jsonl").data
    fault(where, kind)
    place.begin_again()
    first = EVERY.index((where, kind)) % ADDRESSES_IN_TURN
    for path in islice(place.paths(), first, None, ADDRESSES_IN_TURN):
        key = (place.faulty if path.startswith("/api/sessions") else place.circle).keys["host"]
        headers = {"Authorization": f"Bearer {key}"} if path.startswith("/api/") else {}
        looked_at(place.phone.get(path, headers=headers), path)
    assert place.phone.get("/").status_code == 200
    assert place.phone.get("/new").status_code == 200
    assert "has a fault" not in place.phone.get(f"/t/{place.good.id}").text
    place.good.do(*hand("leo"), as_played=True)
    assert place.circle.get("/standings").status_code == 200
    assert place.faulty.get("/log.jsonl").data == log
    for answer in place.attacked(log):
        looked_at(answer, answer.request.path)
    fault("", "")
    place.begin_again()
    now = place.faulty.report()["matches"]
    assert now[0]["hands"][0]["lines"] == report["matches"][0]["hands"][0]["lines"]


def test_a_table_says_that_its_game_has_a_fault(
    package: ModuleType, fault: Callable[[str, str], None], caplog: pytest.LogCaptureFixture
) -> None:
    place = Place()
    fault("score", "interrupt")
    place.begin_again()
    assert "This game has a fault" in place.phone.get(f"/t/{place.faulty.id}").text
    reason = place.faulty.report()["not_installed"]["reason"]
    assert reason.startswith('the game "faulty" failed (KeyboardInterrupt, in ')
    assert str(package.__file__).rpartition("/")[0] not in reason
    fault("score", "fraction")
    place.begin_again()
    reason = place.faulty.report()["not_installed"]["reason"]
    assert reason == 'the game "faulty" failed (score: expected whole points, got float)'
    fault("score", "error")
    place.begin_again()
    assert LIES not in place.phone.get(f"/t/{place.faulty.id}").text
    assert LIES in caplog.text


FOUR: Final = ["mara", "leo", "nina", "ugo"]
EXPORTS: Final = (
    "results.csv", "results.xlsx", "sheet.pdf", "text", "picture.png", "bundle.zip",
)  # fmt: skip


def test_a_game_that_is_not_balanced_as_it_declares_cannot_be_recorded_nor_settled(
    fault: Callable[[str, str], None],
) -> None:
    place = Place()
    table = Table.open(place.client, " ".join(FOUR))
    stake = {"currency": "EUR", "point": 10, "match": 0}
    table.do(event("match_started", game="balanced", seats=FOUR, stake=stake))
    played = event("hand_started", dealer="ugo"), event("points_counted", points={"A": 60, "B": 40})
    table.do(*played, as_played=True)
    fault("balanced", "unbalanced")
    refused = table.append(event("hand_started", dealer="mara"), played[1], as_played=True)
    assert refused.status_code == 422
    assert refused.get_json()["detail"] == UNBALANCED
    place.begin_again()
    table.client = place.client
    assert table.report()["not_installed"]["reason"] == UNBALANCED
    for path in EXPORTS:
        answer = table.get(f"/{path}")
        assert (answer.status_code, answer.get_json()["detail"]) == (422, UNBALANCED), path
    place.post("/join", key=table.keys["host"])
    assert "This game has a fault" in place.phone.get(f"/t/{table.id}/results").text


def test_reason_names_the_failing_game_of_a_package_with_two(
    package: ModuleType, fault: Callable[[str, str], None]
) -> None:
    package.where, package.kind = "balanced", "error"  # type: ignore[attr-defined]
    place = Place()
    table = Table.open(place.client, " ".join(FOUR))
    refused = table.append(
        event("match_started", game="balanced", seats=FOUR), event("hand_started", dealer="ugo"),
        event("points_counted", points={"A": 60, "B": 40}),
    )  # fmt: skip
    assert refused.get_json()["detail"].startswith('the game "balanced" failed (')
    fault("", "")

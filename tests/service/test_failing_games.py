"""An installed game that fails at a table: its evenings can be read, and all else goes on."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from flask.testing import FlaskClient

from scorekeeper.answers.helper_process import Job, run_job
from scorekeeper.base.errors import NotInstalledError
from scorekeeper.games import GAMES
from scorekeeper.games.installed import Installed
from scorekeeper.store import MemoryStore
from tests.api.asking import Table, client_of, created, hand, problem_of
from tests.api.clubbing import Circle, evening
from tests.evenings import event

PACKAGE = "game_with_a_fault"
SOURCE = """
from dataclasses import replace

from scorekeeper.games.riparto import GAME

fails = False


def score(deal):
    if fails and deal.counts:
        return 1 / 0
    return GAME.score(deal)


def fold(deal, seq, event):
    if fails:
        deal.nothing_of_the_kind.append(event)
    return GAME.fold[type(event)](deal, seq, event)


VERSIONS = (replace(GAME, id="faulty", name="Faulty", score=score),)
FOLDING = (replace(VERSIONS[0], fold=dict.fromkeys(GAME.fold, fold)),)
"""
MATCH = event("match_started", game="faulty", seats=["mara", "leo", "nina"])
WHY = {
    "VERSIONS": 'the game "faulty" failed (ZeroDivisionError, in ',
    "FOLDING": 'the game "faulty" failed (AttributeError, in ',
}
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(params=["VERSIONS", "FOLDING"])
def package(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    """The package, with a game that fails in what it scores, or as it notes an event."""
    (tmp_path / f"{PACKAGE}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    found = import_module(PACKAGE)
    games = Installed({"faulty": getattr(found, request.param)}, {}, {"faulty": PACKAGE})
    monkeypatch.setitem(GAMES.__dict__, "_installed", games)
    monkeypatch.setitem(GAMES.__dict__, "_failures", set())
    found.why = WHY[request.param]  # type: ignore[attr-defined]
    yield found
    sys.modules.pop(PACKAGE)


def again(table: Table, client: FlaskClient) -> Table:
    """The same session, asked for elsewhere."""
    other = object.__new__(Table)
    vars(other).update(vars(table), client=client)
    return other


def test_its_evening_can_be_read_and_is_whole_once_it_is_mended(package: ModuleType) -> None:
    store = MemoryStore()
    before = Table.open(client_of(store))
    before.do(MATCH, *hand(), as_played=True)
    report, log = before.report(), before.get("/log.jsonl").data

    package.fails = True  # type: ignore[attr-defined]
    now = again(before, client_of(store))
    missing = now.report()["not_installed"]
    assert missing["game"] == "faulty"
    assert missing["reason"].startswith(package.why)
    assert str(Path(str(package.__file__)).parent) not in missing["reason"]  # where it lies here
    assert now.get("/log.jsonl").data == log
    assert [one["type"] for one in now.get("/events").get_json()["events"]] == [
        "session_opened", "match_started", "hand_started", "bid_made", "points_counted",
    ]  # fmt: skip
    assert problem_of(now.append(event("hand_started", dealer="leo"))) == (422, "unusable")
    assert problem_of(now.get("/next")) == (422, "unusable")

    package.fails = False  # type: ignore[attr-defined]
    mended = again(before, client_of(store))
    assert mended.report() == report
    mended.do(*hand("leo"), as_played=True)


def test_what_it_cannot_take_is_not_recorded_and_the_table_stays(package: ModuleType) -> None:
    table = Table.open(client_of())
    table.do(MATCH, *hand()[:2])
    report = table.report()
    package.fails = True  # type: ignore[attr-defined]
    answer = table.append(hand()[2])
    assert problem_of(answer) == (422, "unusable")
    assert package.why in answer.get_json()["detail"]
    package.fails = False  # type: ignore[attr-defined]
    assert table.report() == report


def test_nothing_else_is_touched(package: ModuleType) -> None:
    store = MemoryStore()
    client = client_of(store)
    faulty, whole = Table.open(client), evening(client)
    faulty.do(MATCH, *hand(), as_played=True)
    circle = Circle.open(client)
    for one in (faulty, whole):
        circle.enter(one)
    assert unread(circle) == {faulty.id: None, whole.id: None}

    package.fails = True  # type: ignore[attr-defined]
    faulty.append(event("player_joined", id="zoe", name="Zoe"))  # so that it is counted anew
    phone = created(store).test_client()
    for one in (faulty, whole):
        joined = phone.post("/join", data={"key": one.keys["host"]}, headers=OURS)
        assert joined.status_code == 303, joined.text
    assert "This game has a fault" in phone.get(f"/t/{faulty.id}").text
    for path in ("/", f"/t/{whole.id}", f"/t/{whole.id}/results"):
        page = phone.get(path)
        assert (page.status_code, "has a fault" in page.text) == (200, False), path
    again(whole, phone).do(*hand("leo"), as_played=True)
    circle.client = phone
    assert unread(circle) == {faulty.id: "not_installed", whole.id: None}
    assert circle.get("/standings").status_code == 200


def unread(circle: Circle) -> dict[str, str | None]:
    """Why the evenings of a club cannot be read, where they cannot."""
    return {one["session"]: one["unread"] for one in circle.get().get_json()["evenings"]}


def test_what_fails_in_a_helper_is_said_in_the_same_way(package: ModuleType) -> None:
    package.fails = True  # type: ignore[attr-defined]
    made = run_job(Job(package.score, (SimpleNamespace(counts=[1]),), 60, 1 << 30))
    assert isinstance(made, NotInstalledError)
    assert made.reason.startswith(WHY["VERSIONS"])


@pytest.mark.usefixtures("package")
def test_a_fault_of_our_own_is_no_game_s() -> None:
    with pytest.raises(ZeroDivisionError), GAMES.missing_where_they_fail():
        1 / 0  # noqa: B018


def test_what_an_error_says_is_for_the_server_alone(
    package: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    """It may name a card that lies face down."""
    package.fails = True  # type: ignore[attr-defined]
    with pytest.raises(NotInstalledError) as told, GAMES.missing_where_they_fail():
        package.score(SimpleNamespace(counts=["AS"]))
    assert "by zero" not in told.value.reason
    assert "by zero" in caplog.text


def test_a_fault_that_is_met_at_every_look_is_logged_once(
    package: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    package.fails = True  # type: ignore[attr-defined]
    for _ in range(3):
        with pytest.raises(NotInstalledError), GAMES.missing_where_they_fail():
            package.score(SimpleNamespace(counts=[1]))
    (record,) = caplog.records
    assert record.exc_info

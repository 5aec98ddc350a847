"""An installed game that fails: its sessions stay readable, and other sessions are unaffected."""

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
    """Yield the package, whose game fails when it scores a hand or folds an event."""
    (tmp_path / f"{PACKAGE}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    module = import_module(PACKAGE)
    games = Installed({"faulty": getattr(module, request.param)}, {}, {"faulty": PACKAGE})
    monkeypatch.setitem(GAMES.__dict__, "_installed", games)
    monkeypatch.setitem(GAMES.__dict__, "_failures", set())
    module.why = WHY[request.param]  # type: ignore[attr-defined]
    yield module
    sys.modules.pop(PACKAGE)


def again(table: Table, client: FlaskClient) -> Table:
    """Return the same session, read by another client."""
    other = object.__new__(Table)
    vars(other).update(vars(table), client=client)
    return other


def test_session_of_a_failing_game_is_readable_and_complete_after_the_repair(
    package: ModuleType,
) -> None:
    store = MemoryStore()
    before = Table.open(client_of(store))
    before.do(MATCH, *hand(), as_played=True)
    report, log = before.report(), before.get("/log.jsonl").data

    package.fails = True  # type: ignore[attr-defined]
    now = again(before, client_of(store))
    missing = now.report()["not_installed"]
    assert missing["game"] == "faulty"
    assert missing["reason"].startswith(package.why)
    assert (
        str(Path(str(package.__file__)).parent) not in missing["reason"]
    )  # the path on this server
    assert now.get("/log.jsonl").data == log
    assert [raw["type"] for raw in now.get("/events").get_json()["events"]] == [
        "session_opened", "match_started", "hand_started", "bid_made", "points_counted",
    ]  # fmt: skip
    assert problem_of(now.append(event("hand_started", dealer="leo"))) == (422, "unusable")
    assert problem_of(now.get("/next")) == (422, "unusable")

    package.fails = False  # type: ignore[attr-defined]
    mended = again(before, client_of(store))
    assert mended.report() == report
    mended.do(*hand("leo"), as_played=True)


def test_event_on_which_the_game_fails_is_not_recorded(package: ModuleType) -> None:
    table = Table.open(client_of())
    table.do(MATCH, *hand()[:2])
    report = table.report()
    package.fails = True  # type: ignore[attr-defined]
    answer = table.append(hand()[2])
    assert problem_of(answer) == (422, "unusable")
    assert package.why in answer.get_json()["detail"]
    package.fails = False  # type: ignore[attr-defined]
    assert table.report() == report


def test_other_sessions_and_clubs_are_unaffected(package: ModuleType) -> None:
    store = MemoryStore()
    client = client_of(store)
    faulty, whole = Table.open(client), evening(client)
    faulty.do(MATCH, *hand(), as_played=True)
    circle = Circle.open(client)
    for table in (faulty, whole):
        circle.enter(table)
    assert unread(circle) == {faulty.id: None, whole.id: None}

    package.fails = True  # type: ignore[attr-defined]
    faulty.append(
        event("player_joined", id="zoe", name="Zoe")
    )  # so that its result is computed again
    phone = created(store).test_client()
    for table in (faulty, whole):
        joined = phone.post("/join", data={"key": table.keys["host"]}, headers=OURS)
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
    """Return why each evening of a club cannot be read, or None if it can."""
    return {listed["session"]: listed["unread"] for listed in circle.get().get_json()["evenings"]}


def test_failure_in_a_helper_process_is_reported_alike(package: ModuleType) -> None:
    package.fails = True  # type: ignore[attr-defined]
    result = run_job(Job(package.score, (SimpleNamespace(counts=[1]),), 60, 1 << 30))
    assert isinstance(result, NotInstalledError)
    assert result.reason.startswith(WHY["VERSIONS"])


@pytest.mark.usefixtures("package")
def test_error_outside_of_games_is_not_attributed_to_a_game() -> None:
    with pytest.raises(ZeroDivisionError), GAMES.failures_as_not_installed():
        1 / 0  # noqa: B018


def test_message_of_an_error_is_logged_and_not_sent(
    package: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    """The message may name a card that lies face down."""
    package.fails = True  # type: ignore[attr-defined]
    with pytest.raises(NotInstalledError) as refused, GAMES.failures_as_not_installed():
        package.score(SimpleNamespace(counts=["AS"]))
    assert "by zero" not in refused.value.reason
    assert "by zero" in caplog.text


def test_repeated_failure_is_logged_one_time(
    package: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    package.fails = True  # type: ignore[attr-defined]
    for _ in range(3):
        with pytest.raises(NotInstalledError), GAMES.failures_as_not_installed():
            package.score(SimpleNamespace(counts=[1]))
    (record,) = caplog.records
    assert record.exc_info

"""``service.name_twins``: what is recorded now gives nobody the name of another."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.events.names import fold_name
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.service.clubs import Clubs
from scorekeeper.service.service import Service
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced

HOST = Holder("host")
TWINS = (
    "Marco",
    "marco",
    "MARCO",
    "Marco\u200b",
    "\u2060Mar\u200dco",
    "Mar\u00adco",
    "\ufeffMarco",
    "Mar co",
    "Mar\u00a0co",
    "Mar\u202fco",
    "Mar\u3000co",
    "\uff2d\uff41\uff52\uff43\uff4f",
    "Ma\u034frco",
    "Marco\ufe0f",
    "\U0001d40c\U0001d41a\U0001d42b\U0001d41c\U0001d428",
    "Marco\u3164",
)
OTHERS = ("Marcø", "Márco", "Marco B.", "Marc", "\u041c\u0430\u0440\u043a\u043e", "Marco2")
LEO = {"id": "leo", "name": "Leo"}
MARCO = {"id": "marco", "name": "Marco"}


@pytest.fixture
def service() -> Service:
    return Service(MemoryStore())


def opened(service: Service, *players: dict[str, str]) -> str:
    return service.open({"title": "Friday", "players": list(players)}).id


def record(service: Service, session_id: str, *events: Raw) -> None:
    version = service.store.position(session_id).version
    new = tuple(NewEvent(raw["type"], raw["data"]) for raw in events)
    service.record(session_id, AppendRequest(version, new, as_played=True), HOST)


def names(service: Service, session_id: str) -> list[str]:
    return service.see(session_id, lambda session: [*session.structure.players.values()])


def refused(function: Any, *arguments: Any) -> tuple[str, str]:
    with pytest.raises(UnusableError) as error:
        function(*arguments)
    return why_of(error.value), error.value.field


@pytest.mark.parametrize("twin", TWINS)
def test_twins_have_one_key_and_other_names_another(twin: str) -> None:
    assert fold_name(twin) == fold_name("Marco")
    assert fold_name(twin) not in map(fold_name, OTHERS)


@pytest.mark.parametrize("twin", TWINS)
def test_twin_is_refused_when_it_is_opened_joins_or_is_renamed(service: Service, twin: str) -> None:
    two = {"title": "x", "players": [MARCO, {"id": "b", "name": twin}]}
    assert refused(service.open, two) == ("same_player_name", "players.1.name")
    session_id = opened(service, MARCO, LEO)
    for raw in (event("player_joined", id="b", name=twin),
                event("player_renamed", player="leo", name=twin)):  # fmt: skip
        assert refused(record, service, session_id, raw) == (
            "same_player_name", "events.0.data.name",
        )  # fmt: skip
    assert names(service, session_id) == ["Marco", "Leo"]


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_are_fine(service: Service, name: str) -> None:
    session_id = opened(service, MARCO, LEO)
    record(service, session_id, event("player_renamed", player="leo", name=name))
    assert names(service, session_id) == ["Marco", name]


def test_player_may_change_the_writing_of_their_own_name(service: Service) -> None:
    session_id = opened(service, MARCO, LEO)
    record(service, session_id, event("player_renamed", player="marco", name="marco"))
    assert names(service, session_id) == ["marco", "Leo"]


def test_names_can_be_exchanged_in_one_append_or_a_set_but_not_one_by_one(
    service: Service,
) -> None:
    session_id = opened(service, MARCO, LEO)
    first = event("player_renamed", player="leo", name="marco")
    assert refused(record, service, session_id, first)[0] == "same_player_name"
    assert refused(record, service, session_id, event("note_added", text="x"), first) == (
        "same_player_name", "events.1.data.name",
    )  # fmt: skip
    record(service, session_id, first, event("player_renamed", player="marco", name="leo"))
    assert names(service, session_id) == ["leo", "marco"]
    exchange = [event("correction_begun", count=2, reason="exchanged"),
                inserted(3, "player_renamed", player="leo", name="Leo"),
                inserted(3, "player_renamed", player="marco", name="Marco")]  # fmt: skip
    record(service, session_id, *exchange)
    assert names(service, session_id) == ["Marco", "Leo"]


def test_twin_is_refused_by_a_correction_too(service: Service) -> None:
    session_id = opened(service, MARCO, LEO)
    record(service, session_id, event("player_joined", id="ada", name="Ada"))
    for raw in (replaced(2, "player_joined", id="ada", name="marco"),
                inserted(1, "player_joined", id="zoe", name="marco"),
                inserted(1, "player_renamed", player="leo", name="marco")):  # fmt: skip
        assert refused(record, service, session_id, raw) == (
            "same_player_name", "events.0.data.data.name",
        )  # fmt: skip
    a_set = [event("correction_begun", count=2, reason="x"),
             replaced(2, "player_joined", id="ada", name="leo"),
             inserted(1, "note_added", text="x")]  # fmt: skip
    assert refused(record, service, session_id, *a_set)[0] == "same_player_name"
    assert names(service, session_id) == ["Marco", "Leo", "Ada"]


def test_strike_that_gives_a_taken_name_back_is_refused(service: Service) -> None:
    session_id = opened(service, MARCO, LEO)
    record(service, session_id, event("player_renamed", player="leo", name="Zoe"))
    record(service, session_id, event("player_joined", id="b", name="leo"))
    strike = event("event_struck", seq=2, reason="x")
    assert refused(record, service, session_id, strike)[0] == "same_player_name"


def test_old_logs_keep_their_twins_and_go_on(service: Service) -> None:
    log = by_hand([event("session_opened", title="x",
                         players=[MARCO, {"id": "b", "name": "marco"}, LEO])])  # fmt: skip
    session_id = service.import_log(log, MAX_FILE_BYTES).id
    assert names(service, session_id) == ["Marco", "marco", "Leo"]
    record(service, session_id, event("player_renamed", player="leo", name="Leonardo"))
    record(service, session_id, event("note_added", text="x"))
    assert refused(record, service, session_id, event("player_joined", id="c", name="MARCO"))
    record(service, session_id, event("player_renamed", player="b", name="Marco B."))
    assert names(service, session_id) == ["Marco", "Marco B.", "Leonardo"]


def test_session_itself_reads_twins() -> None:
    session = Session()
    assert session.structure.players == {}
    log = [opening("mara"), event("player_joined", id="b", name="MARA")]
    assert Service(MemoryStore()).import_log(by_hand(log), MAX_FILE_BYTES).id


@pytest.mark.parametrize("twin", TWINS)
def test_members_of_a_club_have_no_twins_either(service: Service, twin: str) -> None:
    clubs = Clubs(service)
    two = [MARCO, {"id": "b", "name": twin}]
    assert refused(clubs.open, {"name": "Circolo"}, two) == ("same_name", "members.1.name")
    club_id = clubs.open({"name": "Circolo"}, [MARCO, LEO]).id
    version = service.store.position(club_id).version
    for raw in (event("member_joined", id="b", name=twin),
                event("member_renamed", member="leo", name=twin)):  # fmt: skip
        asked = AppendRequest(version, (NewEvent(raw["type"], raw["data"]),))
        assert refused(clubs.record, club_id, asked, HOST, lambda _: None) == (
            "same_name", "events.0.data.name",
        )  # fmt: skip

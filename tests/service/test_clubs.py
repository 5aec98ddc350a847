"""Keys of members, and facts of an evening. Tests of ``service.clubs``."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.report.span import DayOfPlay
from scorekeeper.service import Clubs, Service
from scorekeeper.store import KeyRequest, MemoryStore
from tests.evenings import a_log, by_hand, opening
from tests.service.evenings import minute


def test_only_members_get_a_seat_key() -> None:
    clubs = Clubs(Service(MemoryStore()))
    club = clubs.open({"name": "Circolo"}, [{"id": "mara", "name": "Mara"}])
    assert clubs.add_key(club.id, KeyRequest("seat", "mara")).key.player == "mara"
    with pytest.raises(UnusableError) as refused:
        clubs.add_key(club.id, KeyRequest("seat", "ada"))
    assert refused.value.field == "member"
    assert getattr(refused.value.reason, "why", None) == "no_such_member"


def test_beginning_of_an_evening_is_known_unless_its_log_has_no_times() -> None:
    service = Service(MemoryStore(clock=lambda: minute(5)))
    clubs = Clubs(service)
    opened = service.open({**opening("mara", "leo", "nina")["data"], "title": "Friday"})
    evening = clubs.evening(opened.id)
    assert (evening.title, evening.day) == ("Friday", DayOfPlay(at=minute(5)))
    brought_in = service.import_log(by_hand(a_log()), MAX_FILE_BYTES)
    assert clubs.evening(brought_in.id).day == DayOfPlay()

"""Clubs, beside what is recorded in them: who gets a key, and what is told of an evening.

Tests of ``service.clubs``.
"""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import Clubs, Service
from scorekeeper.store import KeyRequest, MemoryStore
from tests.evenings import a_log, by_hand, opening
from tests.service.evenings import minute


def test_a_key_is_made_for_a_member_who_is_there() -> None:
    clubs = Clubs(Service(MemoryStore()))
    club = clubs.open({"name": "Circolo"}, [{"id": "mara", "name": "Mara"}])
    assert clubs.add_key(club.id, KeyRequest("seat", "mara")).key.player == "mara"
    with pytest.raises(UnusableError) as told:
        clubs.add_key(club.id, KeyRequest("seat", "ada"))
    assert told.value.field == "member"
    assert getattr(told.value.reason, "why", None) == "no_such_member"


def test_an_evening_tells_when_it_began_where_that_is_known() -> None:
    service = Service(MemoryStore(clock=lambda: minute(5)))
    clubs = Clubs(service)
    opened = service.open({**opening("mara", "leo", "nina")["data"], "title": "Friday"})
    evening = clubs.evening(opened.id)
    assert (evening.title, evening.began) == ("Friday", minute(5))
    brought_in = service.import_log(by_hand(a_log()), MAX_FILE_BYTES)
    assert clubs.evening(brought_in.id).began == ""

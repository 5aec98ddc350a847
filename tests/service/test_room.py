"""How large a session may become."""

import pytest

from scorekeeper.base.errors import SessionFullError
from scorekeeper.events.common import NoteAdded, SessionClosed
from scorekeeper.events.corrections import EventStruck
from scorekeeper.service.room import STILL, UNBOUNDED, Room, counted_size

ROOM = Room(events=100, bytes=1000)
PLAY, STRIKE = [NoteAdded.TYPE], [EventStruck.TYPE]


@pytest.mark.parametrize(
    ("events", "size", "new", "full"),
    [
        (100, 1000, PLAY, ""),
        (101, 1000, PLAY, "at most 100 events"),
        (100, 1001, PLAY, "at most 1000 bytes"),
        (105, 1050, STRIKE, ""),
        (106, 1050, STRIKE, "at most 100 events"),
        (105, 1051, STRIKE, "at most 1000 bytes"),
        (101, 1000, [*STRIKE, *PLAY], "at most 100 events"),
    ],
)
def test_a_full_session_takes_what_sets_it_right_and_no_more(
    events: int, size: int, new: list[str], full: str
) -> None:
    if not full:
        ROOM.refuse(events, size, new)
        return
    with pytest.raises(SessionFullError, match=full):
        ROOM.refuse(events, size, new)


def test_a_full_session_can_be_closed_and_nothing_is_played_in_it() -> None:
    assert SessionClosed.TYPE in STILL
    assert STILL.isdisjoint({"card_played", "hand_started", "match_started", "note_added"})
    UNBOUNDED.refuse(10**9, 10**12, PLAY)


def test_what_seats_say_beside_the_play_has_half_the_capacity() -> None:
    ROOM.refuse(50, 500, PLAY, by_seat=True)
    ROOM.refuse(100, 1000, ["card_played"], by_seat=True)
    ROOM.refuse(51, 501, PLAY)
    for events, size in ((51, 500), (50, 501)):
        for kind in ("note_added", "hand_disputed", "correction_proposed"):
            with pytest.raises(SessionFullError):
                ROOM.refuse(events, size, [kind], by_seat=True)


def test_the_size_of_what_lies_face_down_does_not_show_in_what_it_counts_for() -> None:
    short, long = (b'{"data":{"player":"%b","salt":"x"}}' % who for who in (b"zo", b"ugoberto"))
    assert counted_size(short) == counted_size(long) > len(long)
    assert counted_size(b'{"data":{"text":"x"}}') == 22

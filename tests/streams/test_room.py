"""The capacity of a session. Tests of ``service.room``."""

from pathlib import Path

import pytest

from benchmarks.material import Raw, log_of, session
from scorekeeper.base.errors import SessionFullError
from scorekeeper.config import Settings
from scorekeeper.events.common import NoteAdded, SessionClosed
from scorekeeper.events.corrections import EventStruck
from scorekeeper.report.incoming import seal_incoming
from scorekeeper.streams.room import (
    ALLOWED_WHEN_FULL,
    UNBOUNDED,
    Amount,
    LogCapacity,
    SeatShare,
    Usage,
    counted_size,
)
from tests.refusals import refusal_of

DEFAULTS = {name: field.default for name, field in Settings.model_fields.items()}
GOLDEN = Path(__file__).parents[1] / "golden"

ROOM = LogCapacity(events=100, bytes=1000)
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
def test_full_session_accepts_only_corrections(
    events: int, size: int, new: list[str], full: str
) -> None:
    if not full:
        ROOM.refuse(events, size, new)
        return
    with pytest.raises(SessionFullError, match=full):
        ROOM.refuse(events, size, new)


def test_full_session_can_be_closed_and_accepts_no_play() -> None:
    assert SessionClosed.TYPE in ALLOWED_WHEN_FULL
    assert ALLOWED_WHEN_FULL.isdisjoint(
        {"card_played", "hand_started", "match_started", "note_added"}
    )
    UNBOUNDED.refuse(10**9, 10**12, PLAY)


def share(own: int, others: int = 0) -> SeatShare:
    """Return the share of a seat that added ``own`` events, each of ten bytes."""
    return SeatShare(Amount(own, 10 * own), Amount(own + others, 10 * (own + others)))


@pytest.mark.parametrize("kind", ["note_added", "card_played", "hand_started"])
def test_seat_leaves_a_fifth_of_what_others_leave(kind: str) -> None:
    ROOM.refuse(80, 800, [kind], share(80))
    ROOM.refuse(90, 900, [kind], share(40))
    ROOM.refuse(90, 900, [kind])
    for events, size, own in ((81, 800, 80), (80, 801, 80), (90, 900, 41)):
        with pytest.raises(SessionFullError, match="four fifths of what others leave"):
            ROOM.refuse(events, size, [kind], share(own))


def test_seats_leave_an_eighth_to_the_host_of_what_is_spare_too() -> None:
    ROOM.refuse(87, 870, PLAY, share(10, 77))
    with pytest.raises(SessionFullError, match="only the host can add more"):
        ROOM.refuse(88, 880, PLAY, share(10, 78))
    wide = LogCapacity(events=1000, bytes=10_000)
    wide.refuse(1043, 10_430, STRIKE, share(1))
    with pytest.raises(SessionFullError, match="only the host can add more"):
        wide.refuse(1045, 10_450, STRIKE, share(0))
    wide.refuse(1050, 10_500, STRIKE)


def test_usage_is_counted_for_each_author() -> None:
    usage = Usage()
    for author, size in (("leo", 100), ("keeper", 1000), ("nina", 10), ("leo", 5)):
        usage.add(author, 1, size)
    usage.add("nina", -1, -10)
    assert usage.share_of("leo") == (Amount(2, 105), Amount(2, 105))
    assert usage.share_of("leo", hidden=1).own == Amount(3, 105 + 4096)
    assert usage.share_of("ugo").own == Amount()


def test_seat_that_records_all_of_two_hundred_hands_at_cards_meets_no_limit() -> None:
    """The session is one of 40 hands of the game with most events, taken five times."""
    events = evening("knock", 40)
    log = seal_incoming(log_of(events), 10**9, "2026-01-01T00:00:00Z").sealed
    size = 5 * sum(counted_size(line) for line in log.splitlines())
    all_of_it = Amount(5 * len(events), size)
    room = LogCapacity(DEFAULTS["session_events"], DEFAULTS["session_megabytes"] << 20)
    share = SeatShare(all_of_it, all_of_it)
    assert refusal_of(room.refuse, *all_of_it, ["card_played"], share) == ""


def test_no_golden_log_fills_a_tenth_of_a_session() -> None:
    most = DEFAULTS["session_megabytes"] << 20
    for path in GOLDEN.glob("*/*.jsonl"):
        log = path.read_bytes()
        assert log.count(b"\n") * 10 < DEFAULTS["session_events"]
        assert 10 * (len(log) + 200 * log.count(b"\n")) < most


def evening(game: str, hands: int) -> list[Raw]:
    """Return the events of a session with at least ``hands`` hands that record each card."""
    events = session(game, 1)
    for size in range(500, 100_000, 500):
        events = session(game, size)
        if sum(raw["type"] == "hand_started" for raw in events) >= hands:
            break
    return events


def test_counted_size_does_not_reveal_the_length_of_hidden_data() -> None:
    short, long = (
        b'{"data":{"player":"%b","salt":"x"}}' % player for player in (b"zo", b"ugoberto")
    )
    assert counted_size(short) == counted_size(long) > len(long)
    assert counted_size(b'{"data":{"text":"x"}}') == 22

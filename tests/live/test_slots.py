"""Slots of streams: no session or address holds all of them while others request one."""

import pytest

from scorekeeper.live.slots import StreamSlot, StreamSlots


def acquire(slots: StreamSlots, session_id: str, address: str) -> StreamSlot:
    slot = slots.acquire(session_id, address)
    assert slot is not None
    return slot


def release_evicted(slots: StreamSlots, held: list[StreamSlot]) -> list[StreamSlot]:
    """Release the evicted slots, and return the others."""
    for slot in held:
        if slot.evicted:
            slots.release(slot)
    return [slot for slot in held if not slot.evicted]


@pytest.mark.parametrize(
    ("addresses", "phones"), [(1, 5), (10, 3)], ids=["one address", "many addresses"]
)
def test_no_session_holds_all_slots_while_others_request_one(addresses: int, phones: int) -> None:
    slots = StreamSlots(10)
    held = [acquire(slots, "greedy", f"192.0.2.{n % addresses}") for n in range(10)]
    for arrived in range(1, phones + 1):
        phone = acquire(slots, "table", "198.51.100.7")
        held = release_evicted(slots, held)
        assert len(held) == 10 - arrived
        assert not phone.evicted
    assert slots.acquire("table", "198.51.100.7") is None


def test_no_address_holds_all_slots_while_others_request_one() -> None:
    slots = StreamSlots(10)
    held = [acquire(slots, f"session {n}", "192.0.2.1") for n in range(10)]
    for left in (9, 8, 7):
        phone = acquire(slots, "table", "198.51.100.7")
        held = release_evicted(slots, held)
        assert len(held) == left
        assert not phone.evicted


def test_behind_one_address_one_session_does_not_starve_another() -> None:
    slots = StreamSlots(6)
    held = [acquire(slots, "greedy", "192.0.2.1") for _ in range(6)]
    new = acquire(slots, "table", "192.0.2.1")
    assert [slot.evicted for slot in held] == [True, False, False, False, False, False]
    assert not new.evicted


def test_evicted_stream_cannot_evict_its_successor() -> None:
    """Otherwise two streams would evict each other for ever."""
    slots = StreamSlots(4)
    tables = [(f"table {n % 2}", f"192.0.2.{n % 2}") for n in range(4)]
    held = [acquire(slots, *table) for table in tables]
    assert slots.acquire(*tables[0]) is None
    assert slots.acquire(*tables[1]) is None
    assert slots.acquire("third", "192.0.2.9") is not None  # from a table that holds two
    assert [slot for slot in held if slot.evicted] == held[:1]
    slots.release(held[0])
    assert slots.acquire(held[0].stream_id, held[0].address) is None


def test_few_evicted_streams_may_be_ending_at_the_same_time() -> None:
    """Each of them uses resources until it has ended."""
    slots = StreamSlots(8)
    held = [acquire(slots, "greedy", "192.0.2.1") for _ in range(8)]
    results = [slots.acquire(f"table {n}", f"198.51.100.{n}") for n in range(6)]
    assert sum(slot is not None for slot in results) == 3
    release_evicted(slots, held)
    assert slots.acquire("table 9", "198.51.100.9") is not None


def test_evicted_stream_is_woken() -> None:
    slots, woken = StreamSlots(1), []
    held = acquire(slots, "greedy", "192.0.2.1")
    held.wake = lambda: woken.append(held)
    assert slots.acquire("greedy", "192.0.2.1") is None
    assert not woken
    slots.max_streams = 2
    acquire(slots, "greedy", "192.0.2.1")
    acquire(slots, "table", "198.51.100.7")
    assert woken == [held]


def test_released_slots_leave_no_data() -> None:
    slots = StreamSlots(2)
    for slot in [acquire(slots, f"table {n}", f"192.0.2.{n}") for n in range(2)]:
        slots.release(slot)
    assert [*slots._slots, *slots._by_session, *slots._by_address] == []

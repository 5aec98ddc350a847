"""The places of streams: nobody holds all of them while others ask."""

import pytest

from scorekeeper.live.places import StreamPlace, StreamPlaces


def entered(places: StreamPlaces, session_id: str, address: str) -> StreamPlace:
    """A place that there is."""
    place = places.enter(session_id, address)
    assert place is not None
    return place


def ended(places: StreamPlaces, held: list[StreamPlace]) -> list[StreamPlace]:
    """The places that are left once whoever gave way has heard of it."""
    for one in held:
        if one.given_up:
            places.leave(one)
    return [one for one in held if not one.given_up]


@pytest.mark.parametrize(
    ("addresses", "phones"), [(1, 5), (10, 3)], ids=["one address", "many addresses"]
)
def test_no_session_holds_all_places_while_others_ask(addresses: int, phones: int) -> None:
    places = StreamPlaces(10)
    held = [entered(places, "greedy", f"192.0.2.{n % addresses}") for n in range(10)]
    for came in range(1, phones + 1):
        phone = entered(places, "table", "198.51.100.7")
        held = ended(places, held)
        assert len(held) == 10 - came
        assert not phone.given_up
    assert places.enter("table", "198.51.100.7") is None


def test_no_address_holds_all_places_while_others_ask() -> None:
    places = StreamPlaces(10)
    held = [entered(places, f"of its own {n}", "192.0.2.1") for n in range(10)]
    for left in (9, 8, 7):
        phone = entered(places, "table", "198.51.100.7")
        held = ended(places, held)
        assert len(held) == left
        assert not phone.given_up


def test_behind_one_address_one_table_does_not_starve_another() -> None:
    places = StreamPlaces(6)
    held = [entered(places, "greedy", "192.0.2.1") for _ in range(6)]
    mine = entered(places, "table", "192.0.2.1")
    assert [one.given_up for one in held] == [True, False, False, False, False, False]
    assert not mine.given_up


def test_who_gave_way_is_not_let_in_for_who_came() -> None:
    """Else two would send one another away for ever."""
    places = StreamPlaces(4)
    tables = [(f"table {n % 2}", f"192.0.2.{n % 2}") for n in range(4)]
    held = [entered(places, *one) for one in tables]
    assert places.enter(*tables[0]) is None
    assert places.enter(*tables[1]) is None
    assert places.enter("third", "192.0.2.9") is not None  # one of those that hold two
    gone = [one for one in held if one.given_up]
    assert gone == held[:1]
    places.leave(held[0])
    assert places.enter(held[0].session_id, held[0].address) is None


def test_those_who_are_still_leaving_keep_threads_so_few_may_at_once() -> None:
    places = StreamPlaces(8)
    held = [entered(places, "greedy", "192.0.2.1") for _ in range(8)]
    came = [places.enter(f"table {n}", f"198.51.100.{n}") for n in range(6)]
    assert sum(one is not None for one in came) == 3
    for one in held:
        if one.given_up:
            places.leave(one)
    assert places.enter("table 9", "198.51.100.9") is not None


def test_who_gives_way_is_woken() -> None:
    places, woken = StreamPlaces(1), []
    held = entered(places, "greedy", "192.0.2.1")
    held.wake = lambda: woken.append(held)
    assert places.enter("greedy", "192.0.2.1") is None
    assert not woken
    places.most = 2
    entered(places, "greedy", "192.0.2.1")
    entered(places, "table", "198.51.100.7")
    assert woken == [held]


def test_nothing_is_kept_of_who_left() -> None:
    places = StreamPlaces(2)
    for one in [entered(places, f"table {n}", f"192.0.2.{n}") for n in range(2)]:
        places.leave(one)
    assert [*places._places, *places._by_session, *places._by_address] == []

"""Who becomes the host when the host's phone is lost: keys in use decide, in one transaction."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from scorekeeper.base.errors import InvalidKeyError
from scorekeeper.store import Attempt, Key, KeyRequest, Store
from scorekeeper.store.host_store import HOST_REQUEST_SECONDS, HostPhone, HostRequest
from scorekeeper.store.limits import time_after
from tests.store.asking import KEYS
from tests.store.homes import Home

START: Final = "2026-11-21T20:00:00.000Z"
PLAYERS: Final = ("mara", "leo", "nina")


class Seats:
    """A session whose host holds no phone, and the phones that hold its seats."""

    def __init__(self, store: Store, *players: str) -> None:
        self.store = store
        people = [{"id": player, "name": player.capitalize()} for player in PLAYERS]
        opening = ("session_opened", {"players": people, "title": "Friday"})
        self.id = store.open_session([opening], "keeper", KEYS).id
        self.keys: dict[str, Key] = {player: self.sit(player, player) for player in players}

    def sit(self, phone: str, player: str) -> Key:
        """Let a phone take a seat."""
        return self.store.take_seat(self.secret(phone), self.id, player)

    def link(self, phone: str, player: str) -> Key:
        """Make another key to a seat, and let a phone hold it."""
        key = self.store.add_key(self.id, KeyRequest("seat", player)).key
        self.store.take_key(self.secret(phone), key)
        return key

    def secret(self, phone: str) -> str:
        return f"{phone} of {self.id}"

    def ask(self, player: str, after: str = "", attempt: Attempt | None = None) -> str:
        """Let a seat ask; return the id of the latest request."""
        self.store.ask_to_host(self.secret(player), self.keys[player], after, attempt)
        return self.latest.id

    @property
    def latest(self) -> HostRequest:
        vote = self.store.find_host_vote(self.id)
        assert vote is not None
        assert vote.latest is not None
        return vote.latest

    def agree(self, *players: str) -> None:
        for player in players:
            self.store.agree_to_host(self.keys[player], self.latest.id)

    def become(self, player: str, request_id: str = "", phone: str = "new") -> bool:
        new = self.secret(f"{player} {phone}")
        secrets = HostPhone(new, f"{new} beside", self.secret(player))
        return self.store.become_host(secrets, self.keys[player], request_id or self.latest.id)

    def hosts(self) -> list[Key]:
        """Return the keys of hosts that a phone took."""
        return [key for key in self.store.keys(self.id) if key.role == "host" and key.last_used]


@pytest.fixture
def store(home: Home) -> Store:
    return home.open()


def test_the_phone_that_all_agreed_to_becomes_the_host_and_keeps_its_seat(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    assert store.find_host_vote(seats.id) is None
    seats.ask("leo")
    assert not seats.become("leo")
    seats.agree("mara")
    assert [key.player for key in store.host_vote(seats.id).missing] == ["nina"]
    assert not seats.become("leo")
    seats.agree("nina")
    assert store.host_vote(seats.id).is_decided
    assert store.find_host_vote(seats.id) == store.host_vote(seats.id)
    assert seats.become("leo")
    (host,) = seats.hosts()
    assert store.held_key(seats.secret("leo new"), seats.id) == host
    assert store.held_key(seats.secret("leo new") + " beside", seats.id) == seats.keys["leo"]
    assert seats.latest.outcome == "made"
    assert {key.player for key in store.host_vote(seats.id).voters} == {"mara", "nina"}


def test_only_the_seat_that_asked_becomes_the_host(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "nina")
    assert not seats.become("mara")
    other = Seats(store, *PLAYERS)
    other.ask("leo")
    assert not other.become("leo", seats.latest.id)
    stranger = HostPhone("a", "b", "stranger")
    assert not store.become_host(stranger, seats.keys["leo"], seats.latest.id)
    assert seats.hosts() == other.hosts() == []


def test_a_key_of_another_session_agrees_to_nothing(store: Store) -> None:
    seats, other = Seats(store, *PLAYERS), Seats(store, *PLAYERS)
    request_id = seats.ask("leo")
    seats.agree("mara")
    store.agree_to_host(other.keys["nina"], request_id)
    store.end_host_request(other.keys["nina"], request_id)
    assert not seats.become("leo")
    assert seats.latest.is_open(store.clock())


def test_one_seat_alone_is_not_enough_however_many_phones_it_has(store: Store) -> None:
    seats = Seats(store, "leo")
    seats.keys |= {phone: seats.link(phone, "leo") for phone in ("second", "third")}
    seats.ask("leo")
    seats.agree("leo", "leo", "second", "third")
    vote = store.host_vote(seats.id)
    assert (len(vote.voters), vote.missing, vote.is_possible) == (3, (), False)
    assert not seats.become("leo")


def test_a_seat_that_agrees_twice_counts_once(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "mara")
    assert seats.latest.agreed == {seats.keys["leo"].id, seats.keys["mara"].id}
    assert not seats.become("leo")


def test_each_key_of_a_seat_has_to_agree(store: Store) -> None:
    seats = Seats(store, "leo", "mara")
    seats.keys["second"] = seats.link("second", "mara")
    seats.ask("leo")
    seats.agree("mara")
    assert not seats.become("leo")
    seats.agree("second")
    assert seats.become("leo")


def test_keys_that_open_nothing_do_not_count(home: Home) -> None:
    now = [START]
    store = home.set_clock(lambda: now[0])
    seats = Seats(store, *PLAYERS)
    soon = store.add_key(seats.id, KeyRequest("seat", "mara", time_after(START, 60))).key
    store.take_key(seats.secret("short"), soon)
    store.add_key(seats.id, KeyRequest("seat", "mara"))  # never used
    seats.ask("leo")
    seats.agree("mara", "nina")
    assert not seats.become("leo")
    now[0] = time_after(START, 61)
    with pytest.raises(InvalidKeyError):
        store.agree_to_host(soon, seats.latest.id)
    assert store.host_vote(seats.id).is_decided
    store.revoke_key(seats.id, seats.keys["nina"].id)
    store.revoke_key(seats.id, seats.keys["mara"].id)
    with pytest.raises(InvalidKeyError):
        seats.agree("nina")
    assert not seats.become("leo")  # one is left


def test_seat_that_is_given_out_meanwhile_has_to_agree(store: Store) -> None:
    seats = Seats(store, "leo", "mara")
    seats.ask("leo")
    seats.agree("mara")
    assert store.host_vote(seats.id).is_decided
    seats.keys["nina"] = seats.sit("nina", "nina")
    assert not seats.become("leo")
    seats.agree("nina")
    assert seats.become("leo")


def test_the_request_ends_with_the_key_that_asked(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "nina")
    store.revoke_key(seats.id, seats.keys["leo"].id)
    assert not seats.latest.is_open(store.clock())
    with pytest.raises(InvalidKeyError):
        seats.become("leo")
    assert seats.ask("mara", seats.latest.id) == seats.latest.id
    assert seats.latest.key == seats.keys["mara"]


@pytest.mark.parametrize(
    ("seconds", "becomes"), [(HOST_REQUEST_SECONDS - 1, True), (HOST_REQUEST_SECONDS, False)]
)
def test_an_old_request_is_over(home: Home, seconds: int, becomes: bool) -> None:
    now = [START]
    store = home.set_clock(lambda: now[0])
    seats = Seats(store, *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "nina")
    now[0] = time_after(START, seconds)
    assert seats.become("leo") is becomes
    if not becomes:
        before = seats.latest.id
        assert seats.ask("nina", before) != before
        assert seats.latest.agreed == {seats.keys["nina"].id}


@pytest.mark.parametrize(
    ("who", "outcome"), [("nina", "declined"), ("leo", "withdrawn"), ("host", "refused")]
)
def test_a_no_ends_the_request(store: Store, who: str, outcome: str) -> None:
    seats = Seats(store, *PLAYERS)
    seats.keys["host"] = next(key for key in store.keys(seats.id) if key.role == "host")
    ended = seats.ask("leo")
    seats.agree("mara", "nina")
    store.end_host_request(seats.keys[who], ended)
    assert seats.latest.outcome == outcome
    assert not seats.become("leo")
    seats.ask("leo", ended)
    store.agree_to_host(seats.keys["mara"], ended)  # a form of the request before
    store.end_host_request(seats.keys["nina"], ended)
    assert seats.latest.agreed == {seats.keys["leo"].id}
    assert seats.latest.is_open(store.clock())
    seats.agree("mara", "nina")
    assert not seats.become("leo", ended)
    assert seats.become("leo")


def test_a_request_that_comes_again_asks_once(store: Store) -> None:
    seats, attempt = Seats(store, *PLAYERS), Attempt("k" * 40, b"d" * 32)
    request_id = seats.ask("leo", "", attempt)
    assert seats.ask("leo", "", attempt) == request_id
    assert seats.ask("mara") == request_id
    store.end_host_request(seats.keys["nina"], request_id)
    assert seats.ask("leo", "", attempt) == request_id
    assert seats.latest.outcome == "declined"


def test_only_a_phone_that_holds_the_seat_asks(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    store.ask_to_host(seats.secret("mara"), seats.keys["leo"], "")
    assert store.find_host_vote(seats.id) is None


def test_the_own_seat_of_a_host_does_not_count(store: Store) -> None:
    seats = Seats(store, "leo", "mara")
    own = store.take_seat(seats.secret("host beside"), seats.id, "nina", hosting=True)
    assert own.id not in {key.id for key in store.host_vote(seats.id).voters}
    seats.ask("leo")
    seats.agree("mara")
    assert seats.become("leo")


def test_a_seat_that_a_host_gave_to_a_phone_counts_again(store: Store) -> None:
    seats = Seats(store, "leo", "mara")
    key = store.add_key(seats.id, KeyRequest("seat", "nina")).key
    store.take_key(seats.secret("host beside"), key, hosting=True)
    assert key.id not in {voter.id for voter in store.host_vote(seats.id).voters}
    other = store.add_key(seats.id, KeyRequest("seat", "mara")).key
    store.take_key(seats.secret("host beside"), other, hosting=True)
    store.take_key(seats.secret("nina"), key)
    assert key.id in {voter.id for voter in store.host_vote(seats.id).voters}


def test_the_same_form_that_comes_again_finds_the_phone_a_host(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "nina")
    assert [seats.become("leo") for _ in range(3)] == [True] * 3
    assert len(seats.hosts()) == 1
    assert not seats.become("leo", phone="other")  # another form, before the answer to the first


def test_a_phone_whose_answer_was_lost_asks_again(store: Store) -> None:
    seats = Seats(store, *PLAYERS)
    request_id = seats.ask("leo")
    seats.agree("mara", "nina")
    assert seats.become("leo", phone="lost")
    seats.ask("leo", request_id)
    assert not seats.become("leo")
    seats.agree("mara", "nina")
    assert seats.become("leo")
    assert len(seats.hosts()) == 2


def at_once(home: Home, *calls: tuple[Seats, str, str]) -> list[bool]:
    """Return the results of simultaneous calls, each by a store of its own."""
    asked = {id(seats): seats.latest.id for seats, _, _ in calls}

    def become(call: tuple[Seats, str, str]) -> bool:
        seats, player, phone = call
        new = seats.secret(f"{player} {phone}")
        secrets = HostPhone(new, f"{new} beside", seats.secret(player))
        with home.open() as store:
            return store.become_host(secrets, seats.keys[player], asked[id(seats)])

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(become, calls))


def test_six_at_once_make_one_host(home: Home) -> None:
    seats = Seats(home.open(), *PLAYERS)
    seats.ask("leo")
    seats.agree("mara", "nina")
    assert all(at_once(home, *[(seats, "leo", "same")] * 6))
    assert len(seats.hosts()) == 1
    others = Seats(home.open(), *PLAYERS)
    others.ask("leo")
    others.agree("mara", "nina")
    assert sum(at_once(home, *[(others, "leo", str(place)) for place in range(6)])) == 1
    assert len(others.hosts()) == 1


def test_two_candidates_at_once_make_one_request(home: Home) -> None:
    seats = Seats(home.open(), *PLAYERS)

    def ask(player: str) -> None:
        with home.open() as store:
            store.ask_to_host(seats.secret(player), seats.keys[player], "")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, ("leo", "mara")))
    asked = seats.latest.key.player
    assert seats.latest.agreed == {seats.latest.key.id}
    seats.agree(*PLAYERS)
    assert sum(at_once(home, (seats, "leo", "a"), (seats, "mara", "b"))) == 1
    (host,) = seats.hosts()
    held = f"{asked} {'a' if asked == 'leo' else 'b'}"
    assert seats.store.held_key(seats.secret(held), seats.id) == host


def test_a_last_agreement_and_a_revocation_at_once_leave_no_host_of_one_seat(home: Home) -> None:
    for _ in range(3):
        seats = Seats(home.open(), "leo", "mara")
        seats.ask("leo")
        seats.agree("mara")

        def revoke(seats: Seats = seats) -> None:
            with home.open() as store:
                store.revoke_key(seats.id, seats.keys["mara"].id)

        with ThreadPoolExecutor(2) as pool:
            revoked = pool.submit(revoke)
            became = pool.submit(at_once, home, (seats, "leo", "x")).result()[0]
            revoked.result()
        (mara,) = [key for key in seats.store.keys(seats.id) if key.id == seats.keys["mara"].id]
        if became:
            (host,) = seats.hosts()
            assert mara.revoked is not None
            assert host.created <= mara.revoked
        else:
            assert seats.hosts() == []

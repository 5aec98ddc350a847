"""How a seat becomes the host of a session whose host's phone is lost.

A seat asks, and the others agree, each by its own key. Then the phone that asked becomes the host:
it takes a new key of a host, and keeps its seat beside it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from scorekeeper.store import keyring, limits, statements, transactions
from scorekeeper.store.contract import Attempt, Key, KeyRequest
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work, key_values

HOST_REQUEST_SECONDS: Final = 3 * 3600  # after which a request ends by itself
MIN_SEATS: Final = 2  # with a phone, that have to agree; the one that asks is one of them

# The seat became the host; a seat said no; the host said no; the seat that asked took it back.
HostOutcome = Literal["made", "declined", "refused", "withdrawn"]


class HostPhone(NamedTuple):
    """The secrets of a phone that becomes the host: for the host's key, and for its own seat.

    ``before`` is the secret by which it holds the seat until then.
    """

    secret: str
    seat_secret: str
    before: str


@dataclass(frozen=True, slots=True)
class HostRequest:
    """The latest request of a seat to become the host, as it stands.

    ``key`` is that of the seat that asks. ``agreed`` are the ids of the keys that agreed.
    """

    id: str
    key: Key
    asked: str
    agreed: frozenset[str]
    ended: str | None
    outcome: HostOutcome | None

    def is_open(self, now: str) -> bool:
        """Return whether the request can still be answered at the time ``now``."""
        over = limits.is_window_over(self.asked, now, HOST_REQUEST_SECONDS)
        return self.ended is None and not over and keyring.is_open(self.key, now)


@dataclass(frozen=True, slots=True)
class HostVote:
    """The keys to seats that decide who becomes the host, and the latest request.

    ``voters`` are the keys that are in use, except those that a phone holds beside a host's key.
    """

    voters: tuple[Key, ...]
    latest: HostRequest | None

    @property
    def is_possible(self) -> bool:
        """Whether enough seats have a phone."""
        return len({key.player for key in self.voters}) >= MIN_SEATS

    @property
    def missing(self) -> tuple[Key, ...]:
        """The voters that have not agreed to the latest request."""
        agreed = self.latest.agreed if self.latest else frozenset()
        return tuple(key for key in self.voters if key.id not in agreed)

    @property
    def is_decided(self) -> bool:
        """Whether all have agreed, so that the seat that asked may become the host."""
        return self.is_possible and not self.missing


class HostStore(Database):
    """The part of a store for requests to become the host of a session."""

    def find_host_vote(self, session_id: str) -> HostVote | None:
        """Return the vote in a session where a seat has asked; None, quickly, in all others."""
        with self._reading_row() as work:
            rows = work.rows(statements.HOST_REQUEST, session=checked_id(session_id))
        return self.host_vote(session_id) if rows else None

    def host_vote(self, session_id: str) -> HostVote:
        """Return the keys to seats that decide who becomes the host, and the latest request."""
        with self._snapshot() as work:
            return read_vote(work, checked_id(session_id), self.clock())

    def ask_to_host(self, phone: str, key: Key, after: str, attempt: Attempt | None = None) -> None:
        """Ask for a seat to become the host, which counts as its agreement.

        ``phone`` is the secret of a phone that holds the ``key``, and ``after`` the id of the
        latest request that its holder has seen; empty for none. Does nothing if there is a later
        one, as if the same attempt comes again, or if one is open.

        Raises `InvalidKeyError` if the key was revoked or has expired.
        """
        session_id = key.stream_id

        def job(work: Work) -> None:
            now = self.clock()
            transactions.refuse_closed(work, key, now)
            held = transactions.held_key(work, keyring.digest_of(phone), session_id)
            latest = read_vote(work, session_id, now).latest
            seen = latest.id if latest else ""
            if held is None or held.id != key.id or seen != after:
                return
            if latest is not None and latest.is_open(now):
                return
            # A phone whose answer was lost when it became the host holds its seat as before.
            work.change(statements.UNMARK_HOST_SEAT, session=session_id, key=key.id)
            work.change(statements.FORGET_AGREEMENTS, session=session_id)
            work.change(statements.FORGET_HOST_REQUEST, session=session_id)
            row = {"session": session_id, "id": keyring.new_id(attempt), "key": key.id,
                   "asked": now, "ended": None, "outcome": None}  # fmt: skip
            work.fill(statements.INSERT_HOST_REQUEST, [row])
            work.change(statements.AGREE, session=session_id, key=key.id)

        self._writing(session_id, job)

    def agree_to_host(self, key: Key, request_id: str) -> None:
        """Store that a key to a seat agrees to a request, if the request is open.

        Raises `InvalidKeyError` if the key was revoked or has expired.
        """

        def job(work: Work) -> None:
            if self._find_open(work, key, request_id) is not None:
                work.change(statements.AGREE, session=key.stream_id, key=key.id)

        self._writing(key.stream_id, job)

    def end_host_request(self, key: Key, request_id: str) -> None:
        """End a request, if it is open: a host refuses it, or a seat declines or withdraws it.

        Raises `InvalidKeyError` if the key was revoked or has expired.
        """

        def job(work: Work) -> None:
            request = self._find_open(work, key, request_id)
            if request is None:
                return
            outcome: HostOutcome = "refused" if key.role == "host" else "declined"
            if key.id == request.key.id:
                outcome = "withdrawn"
            end(work, key.stream_id, outcome, self.clock())

        self._writing(key.stream_id, job)

    def _find_open(self, work: Work, key: Key, request_id: str) -> HostRequest | None:
        """Return the request with this id if it is open; None otherwise.

        Raises `InvalidKeyError` if the key was revoked or has expired.
        """
        now = self.clock()
        transactions.refuse_closed(work, key, now)
        latest = read_vote(work, key.stream_id, now).latest
        if latest is None or latest.id != request_id or not latest.is_open(now):
            return None
        return latest

    def become_host(self, phone: HostPhone, key: Key, request_id: str) -> bool:
        """Let the phone that holds the ``key`` to a seat become the host, if all have agreed.

        Returns whether the phone is a host's from now on, or was made one by the same form before.
        Concurrent calls make one key. Raises `InvalidKeyError` if the key was revoked or has
        expired.
        """
        session_id = key.stream_id
        secrets = tuple(keyring.digest_of(secret) for secret in phone)

        def job(work: Work) -> bool:
            now = self.clock()
            transactions.refuse_closed(work, key, now)
            held, seat = (transactions.held_key(work, secrets[place], session_id)
                          for place in (0, 2))  # fmt: skip
            if held is not None and held.role == "host" and keyring.is_open(held, now):
                return True
            vote = read_vote(work, session_id, now)
            if seat is None or seat.id != key.id or not may_become_host(vote, key, request_id, now):
                return False
            new, digest = keyring.make_key(session_id, KeyRequest("host"), now)
            host_key = replace(new.key, last_used=now)
            work.fill(statements.INSERT_KEY, [key_values(host_key, digest)])
            transactions.store_held_key(work, secrets[0], host_key, now)
            transactions.store_held_key(work, secrets[1], key, now, hosting=True)
            end(work, session_id, "made", now)
            return True

        return self._writing(session_id, job)


def may_become_host(vote: HostVote, key: Key, request_id: str, now: str) -> bool:
    """Return whether the holder of a key has asked by this request, and all have agreed."""
    latest = vote.latest
    asked = latest is not None and (latest.id, latest.key.id) == (request_id, key.id)
    return asked and latest is not None and latest.is_open(now) and vote.is_decided


def read_vote(work: Work, session_id: str, now: str) -> HostVote:
    """Return the keys to seats that decide who becomes the host, and the latest request."""
    keys = transactions.keys_of(work, session_id)
    hosts_own = {key_id for (key_id,) in work.rows(statements.HOST_SEATS_OF, session=session_id)}
    voters = tuple(
        key for key in keys
        if key.role == "seat" and keyring.is_in_use(key, now) and key.id not in hosts_own
    )  # fmt: skip
    return HostVote(voters, read_latest(work, session_id, keys))


def read_latest(work: Work, session_id: str, keys: Iterable[Key]) -> HostRequest | None:
    """Return the latest request in a session; ``keys`` are all keys to it."""
    for request_id, key_id, asked, ended, outcome in work.rows(
        statements.HOST_REQUEST, session=session_id
    ):
        agreements = work.rows(statements.AGREEMENTS_OF, session=session_id)
        agreed = frozenset(agreed_id for (agreed_id,) in agreements)
        key = next((known for known in keys if known.id == key_id), None)
        if key is not None:
            return HostRequest(request_id, key, asked, agreed, ended, outcome)
    return None


def end(work: Work, session_id: str, outcome: HostOutcome, now: str) -> None:
    """Store that the latest request ended, and how."""
    work.change(statements.END_HOST_REQUEST, session=session_id, now=now, how=outcome)

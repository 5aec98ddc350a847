"""The keys to sessions: which there are, which a phone holds, and the codes by which one joins."""

import time
from collections.abc import Iterable
from typing import Final

from scorekeeper.base.errors import StorageUnavailableError, UnknownKeyError
from scorekeeper.store import keyring, limits, statements, transactions
from scorekeeper.store.contract import Attempt, Key, NewKey, Wish
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import known
from scorekeeper.store.work import Work, key_values

A_WHILE: Final = 10.0  # seconds in which what could not be noted is not tried again


def digests_of(phone: str, before: str | None) -> tuple[bytes, ...]:
    """Return what is stored of the secrets of one phone, the present one first."""
    secrets = [phone] if before is None or before == phone else [phone, before]
    return tuple(keyring.digest_of(secret) for secret in secrets)


class KeyStore(Database):
    """Capability keys, the phones that hold them, and codes, kept for good."""

    _touch_from = 0.0  # in seconds of the monotonic clock

    def add_key(
        self,
        session_id: str,
        wish: Wish,
        replaces: str | None = None,
        attempt: Attempt | None = None,
    ) -> NewKey:
        """Make one more key to a session, and revoke the one that it replaces, if any.

        Both or neither, and then the present code to join ends; the same attempt makes one key.
        UnknownSessionError, UnknownKeyError, KeyReusedError; LastKeyError as in ``revoke_key``.
        """

        def job(work: Work) -> NewKey:
            transactions.position(work, session_id)
            now = self.clock()
            new, digest = keyring.make_key(session_id, wish, now, attempt)
            before = transactions.made_before(work, new, digest) if attempt else None
            if before is not None:
                return before
            work.fill(statements.INSERT_KEY, [key_values(new.key, digest)])
            if replaces is not None:
                if not transactions.revoke(work, session_id, replaces, now):
                    raise UnknownKeyError(replaces)
                work.change(statements.END_CODE, session=session_id)
            return new

        return self._writing(known(session_id), job)

    def find_key(self, secret: str) -> Key | None:
        """The key with this secret, if it opens anything now."""
        found = self.known_key(secret)
        return found if found and keyring.opens(found, self.clock()) else None

    def known_key(self, secret: str) -> Key | None:
        """The key with this secret, whether or not it opens anything."""
        with self._glancing() as work:
            rows = work.rows(statements.KEY_OF_SECRET, digest=keyring.digest_of(secret))
        return Key(*rows[0]) if rows else None

    def refuse_closed(self, key: Key) -> None:
        """MissingKeyError where a key that was found before opens nothing any more."""
        with self._glancing() as work:
            transactions.refuse_closed(work, key, self.clock())

    def keys(self, session_id: str) -> tuple[Key, ...]:
        """All keys ever made to a session, the oldest first.

        Raises `UnknownSessionError`.
        """
        with self._reading() as work:
            rows = work.rows(statements.KEYS_OF, session=known(session_id))
            if not rows:
                transactions.position(work, session_id)
        return tuple(Key(*row) for row in rows)

    def revoke_key(self, session_id: str, key_id: str, *, ends_code: bool = False) -> bool:
        """Let a key open nothing any more; whether the session has a key with this id.

        With ``ends_code`` the present code to join ends, too: the phone may know it.

        Raises `LastKeyError` if no other key is left to the host for good: however many revoke at
        once, one of them stays.
        """
        if not keyring.is_stream(session_id):
            return False

        def job(work: Work) -> bool:
            found = transactions.revoke(work, session_id, key_id, self.clock())
            if found and ends_code:
                work.change(statements.END_CODE, session=session_id)
            return found

        return self._writing(session_id, job)

    def touch_key(self, key: Key) -> None:
        """Note that a key was used, to the hour. Nothing happens where that cannot be written."""
        now = self.clock()
        if keyring.lately_used(key, now) or time.monotonic() < self._touch_from:
            return
        used = {"session": key.session_id, "key": key.id, "now": now}
        try:
            self._noting(key.session_id, lambda work: work.change(statements.TOUCH_KEY, **used))
        except StorageUnavailableError:
            # When it was used last is not worth refusing what it is used for, nor to wait again.
            self._touch_from = time.monotonic() + A_WHILE

    # -------------------------------------------------------------------------------- phones

    def take_seat(self, phone: str, session_id: str, player: str, before: str | None = None) -> Key:
        """Let a phone sit down on a seat that is free: the key to it that it holds from now on.

        A phone is known by a secret of its own, and holds one key to a session. However many ask at
        once, one of them sits down, and the others are told SeatTakenError. Who sits there already
        stays. ``before`` is another secret of the same phone.

        Raises `UnknownSessionError`.
        """

        def job(work: Work) -> Key:
            transactions.position(work, session_id)
            secrets = digests_of(phone, before)
            return transactions.take_seat(work, secrets, session_id, player, self.clock())

        return self._writing(known(session_id), job)

    def take_key(self, phone: str, key: Key, before: str | None = None) -> None:
        """Let a phone hold a key that came to it.

        Raises `MissingKeyError` if that opens nothing any more.

        A seat's key is held by one phone, and the others are told SeatTakenError; so are they where
        somebody sat down there since the key was made. ``before`` is another secret of the same
        phone.
        """

        def job(work: Work) -> None:
            transactions.refuse_closed(work, key, self.clock())
            transactions.take_key(work, digests_of(phone, before), key, self.clock())

        self._writing(key.session_id, job)

    def hold(self, phone: str, keys: Iterable[Key]) -> None:
        """Let a phone hold keys that it had otherwise, to sessions to which it holds none.

        They may open nothing any more.
        """
        digest, held = keyring.digest_of(phone), list(keys)
        self._writing(
            f"phone {digest.hex()}",
            lambda work: transactions.hold(work, digest, held, self.clock()),
        )

    def rename_phone(self, before: str, phone: str) -> None:
        """Let a phone hold by a new secret what it held by the one before, and that nothing.

        A key that the new secret holds to a session already stays.
        """
        secrets = {"before": keyring.digest_of(before), "phone": keyring.digest_of(phone)}

        def job(work: Work) -> None:
            work.change(statements.HOLD_AS_BEFORE, **secrets)
            work.change(statements.FORGET_PHONE, before=secrets["before"])

        self._writing(f"phone {secrets['before'].hex()}", job)

    def held_key(self, phone: str, session_id: str) -> Key | None:
        """The key to a session that a phone holds, whether or not it opens anything."""
        if not keyring.is_stream(session_id):
            return None
        with self._glancing() as work:
            return transactions.held_key(work, keyring.digest_of(phone), session_id)

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        """A few of the keys that a phone holds, that which was used last first."""
        with self._reading() as work:
            digest = keyring.digest_of(phone)
            rows = work.rows(statements.HELD_KEYS, phone=digest, most=most)
        return tuple(Key(*row) for row in rows)

    # --------------------------------------------------------------------------------- codes

    def new_code(self, session_id: str, seconds: int, attempt: Attempt | None = None) -> str:
        """Make the code by which one joins a session for a given number of seconds.

        Raises `UnknownSessionError`.

        A session has one at a time: the one before it no longer exists. The same attempt makes
        the same code.
        """

        def job(work: Work) -> str:
            transactions.position(work, session_id)
            now = self.clock()
            work.change(statements.FORGET_CODES, session=session_id, now=now)
            code = transactions.unused_code(work, attempt)
            work.fill(statements.INSERT_CODE, [{
                "session": session_id,
                "digest": keyring.digest_of(code),
                "expires": limits.later(now, seconds),
            }])  # fmt: skip
            return code

        return self._writing("codes", job)

    def find_code(self, code: str) -> str | None:
        """The session that a code leads to now."""
        with self._reading() as work:
            rows = work.rows(statements.CODE, digest=keyring.digest_of(code))
        return rows[0][0] if rows and self.clock() < rows[0][1] else None

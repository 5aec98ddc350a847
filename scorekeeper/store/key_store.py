"""The keys of sessions, the phones that hold them, and the codes to join a session."""

import time
from collections.abc import Sequence
from typing import Final

from scorekeeper.base.errors import StorageUnavailableError, UnknownKeyError
from scorekeeper.store import keyring, limits, statements, transactions
from scorekeeper.store.contract import Attempt, Key, KeyRequest, NewKey
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work, key_values

TOUCH_RETRY_SECONDS: Final = 10.0  # after a failure to store that a key was used


def digests_of(phone: str, before: str | None) -> tuple[bytes, ...]:
    """Return the SHA-256 of a phone's secrets: of the present one, then of one ``before``."""
    secrets = [phone] if before is None or before == phone else [phone, before]
    return tuple(keyring.digest_of(secret) for secret in secrets)


class KeyStore(Database):
    """The part of a store for capability keys, the phones that hold them, and codes to join."""

    _touch_from = 0.0  # no touch is written before this time of the monotonic clock, in seconds

    def add_key(
        self,
        stream_id: str,
        requested: KeyRequest,
        replaces: str | None = None,
        attempt: Attempt | None = None,
    ) -> NewKey:
        """Make a key of a session, and revoke the key with the id ``replaces``, if any.

        Both happen, or neither. A replacement also ends the current code to join. The same attempt
        makes the same key. Raises `UnknownSessionError`; `UnknownKeyError` if the session has no
        key with the id ``replaces``, or it was revoked before; `KeyReusedError` if the attempt made
        another key before; `LastKeyError` as in ``revoke_key``.
        """

        def job(work: Work) -> NewKey:
            transactions.position(work, stream_id)
            now = self.clock()
            new, digest = keyring.make_key(stream_id, requested, now, attempt)
            before = transactions.made_before(work, new, digest) if attempt else None
            if before is not None:
                return before
            work.fill(statements.INSERT_KEY, [key_values(new.key, digest)])
            if replaces is not None:
                rows = work.rows(statements.KEY, session=stream_id, key=replaces)
                if not rows or Key(*rows[0]).revoked is not None:
                    raise UnknownKeyError(replaces)
                transactions.revoke(work, stream_id, replaces, now)
                work.change(statements.END_CODE, session=stream_id)
            return new

        return self._writing(checked_id(stream_id), job)

    def add_player_keys(
        self, stream_id: str, requested: Sequence[KeyRequest], attempt: Attempt | None = None,
        *, renew: bool = False,
    ) -> list[NewKey]:  # fmt: skip
        """Make a key for each requested player who has none that is open, all or none.

        With ``renew`` those who have one get another; their older ones are revoked, and the current
        code to join ends. The same attempt returns the keys that it made before. Raises
        `UnknownSessionError`.
        """

        def job(work: Work) -> list[NewKey]:
            transactions.position(work, stream_id)
            now = self.clock()
            open_keys = {key.id: key.player for key in transactions.keys_of(work, stream_id)
                         if keyring.is_open(key, now)}  # fmt: skip
            made, replaced = list[NewKey](), set[str]()
            for request in requested:
                own = attempt and Attempt(f"{attempt.key}\n{request.player}", attempt.digest)
                new, digest = keyring.make_key(stream_id, request, now, own)
                before = transactions.made_before(work, new, digest) if own else None
                if before is not None and before.key.id in open_keys:
                    made.append(before)
                elif before is None and (renew or request.player not in open_keys.values()):
                    work.fill(statements.INSERT_KEY, [key_values(new.key, digest)])
                    made.append(new)
                    replaced.add(str(request.player))
            older = [key_id for key_id, player in open_keys.items() if player in replaced]
            if older:
                transactions.revoke_all(work, stream_id, older, now)
                work.change(statements.END_CODE, session=stream_id)
            return made

        return self._writing(checked_id(stream_id), job, rows=len(requested))

    def find_key(self, secret: str) -> Key | None:
        """Return the key with this secret if it is open: neither revoked nor expired."""
        with self._reading_row() as work:
            rows = work.rows(statements.KEY_OF_SECRET, digest=keyring.digest_of(secret))
        key = Key(*rows[0]) if rows else None
        return key if key and keyring.is_open(key, self.clock()) else None

    def refuse_closed(self, key: Key) -> None:
        """Raise `InvalidKeyError` if a key was revoked or has expired, by the store."""
        with self._reading_row() as work:
            transactions.refuse_closed(work, key, self.clock())

    def keys(self, stream_id: str) -> tuple[Key, ...]:
        """Return all keys ever made to a session, the oldest first.

        Raises `UnknownSessionError`.
        """
        with self._reading() as work:
            rows = work.rows(statements.KEYS_OF, session=checked_id(stream_id))
            if not rows:
                transactions.position(work, stream_id)
        return tuple(Key(*row) for row in rows)

    def revoke_key(self, stream_id: str, key_id: str, *, ends_code: bool = False) -> bool:
        """Revoke a key, and return whether the session has a key with this id.

        ``ends_code`` also ends the current code to join, which the holder of the key may know.

        Raises `LastKeyError` if it is the last host key that does not expire. The check holds
        for concurrent calls: one such key always stays.
        """
        if keyring.kind_of(stream_id) is None:
            return False

        def job(work: Work) -> bool:
            exists = transactions.revoke(work, stream_id, key_id, self.clock())
            if exists and ends_code:
                work.change(statements.END_CODE, session=stream_id)
            return exists

        return self._writing(stream_id, job)

    def touch_key(self, key: Key) -> None:
        """Store that a key was used, at most once an hour. A failure to write is ignored."""
        now = self.clock()
        if keyring.used_this_hour(key, now) or time.monotonic() < self._touch_from:
            return
        used = {"session": key.stream_id, "key": key.id, "now": now}
        try:
            self._writing_disposable(
                key.stream_id, lambda work: work.change(statements.TOUCH_KEY, **used)
            )
        except StorageUnavailableError:
            # The request that uses the key must not fail for this, and the next must not wait.
            self._touch_from = time.monotonic() + TOUCH_RETRY_SECONDS

    # -------------------------------------------------------------------------------- phones

    def take_seat(
        self, phone: str, stream_id: str, player: str, before: str | None = None, *,
        hosting: bool = False,
    ) -> Key:  # fmt: skip
        """Let a phone take a free seat, and return the key that it holds from now on.

        ``phone`` is the phone's secret, ``before`` an earlier secret of the same phone. A phone
        holds one key to a session. A phone that has the seat already keeps it. With ``hosting``,
        the secrets are those by which a host's phone holds its own seat; the phone gives up any
        other seat that it has by one of them: that key is revoked.

        Raises `SeatTakenError` if another phone has the seat: of concurrent calls only one
        succeeds. Raises `UnknownSessionError`.
        """

        def job(work: Work) -> Key:
            transactions.position(work, stream_id)
            secrets = digests_of(phone, before)
            now = self.clock()
            return transactions.take_seat(work, secrets, stream_id, player, now, hosting=hosting)

        return self._writing(checked_id(stream_id), job)

    def take_key(
        self, phone: str, key: Key, before: str | None = None, *, hosting: bool = False
    ) -> None:
        """Let a phone hold a key that it received, for example by a link.

        ``phone`` is the phone's secret, ``before`` an earlier secret of the same phone. With
        ``hosting`` they are those by which a host's phone holds its own seat.

        Raises `InvalidKeyError` if the key was revoked or has expired. Raises `SeatTakenError` if
        another phone holds this key to a seat, or took the seat after the key was made.
        """

        def job(work: Work) -> None:
            transactions.refuse_closed(work, key, self.clock())
            secrets = digests_of(phone, before)
            transactions.take_key(work, secrets, key, self.clock(), hosting=hosting)

        self._writing(key.stream_id, job)

    def rename_phone(self, before: str, phone: str) -> None:
        """Move the keys of a phone from its earlier secret to a new secret.

        Where the new secret already holds a key to a session, that key stays, and the phone no
        longer holds the earlier one.
        """
        secrets = {"before": keyring.digest_of(before), "phone": keyring.digest_of(phone)}

        def job(work: Work) -> None:
            work.change(statements.HOLD_AS_BEFORE, **secrets)
            work.change(statements.FORGET_PHONE, before=secrets["before"])

        self._writing(f"phone {secrets['before'].hex()}", job)

    def held_key(self, phone: str, stream_id: str) -> Key | None:
        """Return the key to a session that a phone holds, open or not; None if it holds none."""
        if keyring.kind_of(stream_id) is None:
            return None
        with self._reading_row() as work:
            return transactions.held_key(work, keyring.digest_of(phone), stream_id)

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        """Return at most ``most`` keys that a phone holds, open or not, the last used first."""
        with self._reading() as work:
            digest = keyring.digest_of(phone)
            rows = work.rows(statements.HELD_KEYS, phone=digest, most=most)
        return tuple(Key(*row) for row in rows)

    # --------------------------------------------------------------------------------- codes

    def new_code(self, stream_id: str, seconds: int, attempt: Attempt | None = None) -> str:
        """Make a code to join a session, valid for ``seconds``, and end the code before it.

        The same attempt makes the same code until a key is revoked. Raises `UnknownSessionError`.
        """

        def job(work: Work) -> str:
            transactions.position(work, stream_id)
            now = self.clock()
            work.change(statements.FORGET_CODES, session=stream_id, now=now)
            code = transactions.unused_code(work, stream_id, attempt)
            work.fill(statements.INSERT_CODE, [{
                "session": stream_id,
                "digest": keyring.digest_of(code),
                "expires": limits.time_after(now, seconds),
            }])  # fmt: skip
            return code

        return self._writing("codes", job)

    def find_code(self, code: str) -> str | None:
        """Return the id of the session that a valid code opens; None if there is none."""
        with self._reading() as work:
            rows = work.rows(statements.CODE, digest=keyring.digest_of(code))
        return rows[0][0] if rows and self.clock() < rows[0][1] else None

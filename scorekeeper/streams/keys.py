"""A cache of keys, so that a writer does not wait for a query.

The store checks the key again in the transaction that writes. A cached key is at most an hour old,
because the store updates the time of last use once an hour.
"""

from typing import Final

from scorekeeper.store import Key, Store
from scorekeeper.store.keyring import digest_of, is_open, used_this_hour

MAX_KEYS: Final = 10_000


class Keys:
    """A cache of the keys that were used in this process, by the digest of their secret."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: dict[bytes, Key] = {}

    def find(self, secret: str) -> Key | None:
        """Return the open key with this secret from the store, or None; cache it."""
        digest, key = digest_of(secret), self._store.find_key(secret)
        if key is None:
            self._seen.pop(digest, None)
            return None
        if len(self._seen) >= MAX_KEYS:
            self._seen.clear()
        self._seen[digest] = key
        return key

    def find_recent(self, secret: str) -> Key | None:
        """Return the cached key with this secret if it was used this hour and is still open."""
        key, now = self._seen.get(digest_of(secret)), self._store.clock()
        return key if key is not None and used_this_hour(key, now) and is_open(key, now) else None

"""Keys as they were when they were seen last, so that a writer need not wait for a look.

The database is asked for a key again as something is written by it. A key that is to be noted as
used is looked up anew, so that one is never taken as it was an hour ago.
"""

from typing import Final

from scorekeeper.store import Key, Store
from scorekeeper.store.keyring import digest_of, opens, used_this_hour

MOST: Final = 10_000


class Keys:
    """The keys that came to this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: dict[bytes, Key] = {}

    def find(self, secret: str) -> Key | None:
        """The key with this secret, if it opens anything now; and it is remembered."""
        digest, key = digest_of(secret), self._store.find_key(secret)
        if key is None:
            self._seen.pop(digest, None)
            return None
        if len(self._seen) >= MOST:
            self._seen.clear()
        self._seen[digest] = key
        return key

    def seen(self, secret: str) -> Key | None:
        """The key as it was when it was seen, where that was within this hour."""
        key, now = self._seen.get(digest_of(secret)), self._store.clock()
        return key if key is not None and used_this_hour(key, now) and opens(key, now) else None

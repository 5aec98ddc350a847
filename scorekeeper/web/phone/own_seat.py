"""The seat of a host: his phone holds the key to it beside the host's.

A phone holds one key to a session. So a host's holds that of his seat as a phone of its own would,
which is known by a secret made of the phone's: nobody else sits down there, whoever hands out keys
sees that it is taken, and whoever takes the key back ends it.
"""

from scorekeeper.http.access import phone
from scorekeeper.http.extensions import service
from scorekeeper.store import Key
from scorekeeper.store.keyring import opens
from scorekeeper.web.phone.secret import BESIDE, change, next_secret


def own_seat(session_id: str) -> Key | None:
    """The key to the seat that this phone holds beside a host's, if it opens anything."""
    secret, store = phone(), service().store
    key = store.held_key(secret + BESIDE, session_id) if secret else None
    return key if key is not None and opens(key, store.clock()) else None


def sit_with(key: Key) -> None:
    """Let this phone hold the key to a seat beside a host's.

    Raises `SeatTakenError`.
    """
    secret, before = next_secret(), phone()
    held = own_seat(key.session_id)
    if held is None or held.id != key.id:
        service().store.take_key(secret + BESIDE, key, before and before + BESIDE)
        change(secret)


def sit(session_id: str, player: str) -> None:
    """Sit down beside being the host, on no other seat any more.

    Raises `SeatTakenError`.
    """
    before, secret, old = own_seat(session_id), next_secret(), phone()
    key = service().store.take_seat(secret + BESIDE, session_id, player, old and old + BESIDE)
    if before is None or before.id != key.id:
        change(secret)
    if before is not None and before.player != player:
        service().revoke_key(session_id, before.id)


def stand_up(session_id: str) -> None:
    """Leave the seat to whoever takes it, if this phone held one."""
    key = own_seat(session_id)
    if key is not None:
        service().revoke_key(session_id, key.id)

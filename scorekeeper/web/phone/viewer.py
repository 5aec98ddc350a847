"""The viewer of a page, who sees what the table knows, and a host's own seat.

A host's phone lies on the table and is often that of a player: a host who also has a seat acts for
that seat. A phone holds one key to a session. The seat's key is therefore stored for a second,
derived phone secret. So no other phone can take the seat, the list of keys shows it as taken, and
revoking the key ends it.
"""

from dataclasses import replace

from scorekeeper.http.access import holder_of, phone_secret, report_holder
from scorekeeper.http.extensions import service
from scorekeeper.service import Holder
from scorekeeper.store import Key
from scorekeeper.store.host_store import HostPhone
from scorekeeper.store.keyring import is_open
from scorekeeper.web.phone.secret import BESIDE, change_secret, next_secret


def viewer_of(session_id: str) -> Holder:
    """Return the holder of the request's key, as a person at the table.

    Raises `UnknownSessionError`, `MissingKeyError` or `RateLimitError`.
    """
    return _seated(session_id, holder_of(session_id))


def reader_of(session_id: str) -> Holder:
    """Return the viewer of a page in review, which a club's key opens, too.

    A host who also has a seat acts for that seat.
    """
    return _seated(session_id, report_holder(session_id))


def _seated(session_id: str, holder: Holder) -> Holder:
    """Return the holder as a person at the table; a host who also has a seat acts for that seat."""
    seat = own_seat(session_id) if holder.role == "host" and holder.player is None else None
    return replace(holder, player=seat.player if seat else holder.player, at_table=True)


def own_seat(session_id: str) -> Key | None:
    """Return the key to the seat that this phone holds beside a host's key, if it is valid."""
    secret, access = phone_secret(), service().access
    key = access.held_key(secret + BESIDE, session_id) if secret else None
    return key if key is not None and is_open(key, access.clock()) else None


def take_own_seat_with_key(key: Key) -> None:
    """Give this phone the key to a seat beside a host's key.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    secret, before = next_secret(), phone_secret()
    held = own_seat(key.stream_id)
    if held is None or held.id != key.id:
        service().access.take_key(secret + BESIDE, key, before and before + BESIDE, hosting=True)
        change_secret(secret)


def take_own_seat(session_id: str, player: str) -> None:
    """Take a seat in addition to hosting, and give up any other seat.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    before, secret, old = own_seat(session_id), next_secret(), phone_secret()
    key = service().access.take_seat(
        secret + BESIDE, session_id, player, old and old + BESIDE, hosting=True
    )
    if before is None or before.id != key.id:
        change_secret(secret)


def give_up_own_seat(session_id: str) -> None:
    """Revoke the key to the seat beside the host's key, if any.

    Another phone can then take the seat.
    """
    key = own_seat(session_id)
    if key is not None:
        service().revoke_key(session_id, key.id, ends_code=False)


def become_host(key: Key, request_id: str) -> bool:
    """Make this phone a host's that keeps its seat, and return whether all have agreed to that.

    ``key`` is that of the seat, whose phone made the request with this id.
    """
    before, secret = phone_secret(), next_secret()
    if before is None:
        return False
    phone = HostPhone(secret, secret + BESIDE, before)
    made = service().hosting.become_host(phone, key, request_id)
    if made:
        change_secret(secret)
    return made

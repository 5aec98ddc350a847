"""Limits of an address: new sessions, wrong keys, computed logs and imported bytes."""

from typing import Final

from flask import current_app

from scorekeeper.base.errors import RateLimitError
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import service

SECONDS_PER_HOUR: Final = 3600  # seconds


def count_per_hour(kind: str, most: int) -> None:
    """Count an act of the request's address in the store.

    Raises `RateLimitError` if there are more than ``most`` of this kind in an hour.
    """
    seconds_left = service().counters.hit(kind, client_address(), most, SECONDS_PER_HOUR)
    if seconds_left:
        raise RateLimitError(f"more than {most} in an hour from one address", seconds_left)


def refuse_wrong_key() -> None:
    """Count a wrong key.

    Raises `RateLimitError` if an address sent too many.
    """
    count_per_hour("wrong key", current_app.config["FAILED_KEYS_AN_HOUR"])


def refuse_many_sessions() -> None:
    """Count a new session.

    Raises `RateLimitError` if an address opens too many.
    """
    count_per_hour("session", current_app.config["SESSIONS_AN_HOUR"])


def refuse_many_tables(amount: int) -> None:
    """Count the tables of a round that is published, each of which may become a session.

    Raises `RateLimitError` if an address publishes too many.
    """
    _refuse_many("tables published", "SESSIONS_AN_HOUR", amount)


def refuse_many_logs() -> None:
    """Count the computation of a log, which needs no key.

    Raises `RateLimitError` if an address requests too many.
    """
    _refuse_many("logs by address", "COMPUTATIONS_AN_HOUR", 1)


def refuse_many_bytes(amount: int) -> None:
    """Count the bytes of an imported log.

    Raises `RateLimitError` if an address sends too many.
    """
    _refuse_many("bytes brought in", "IMPORTED_AN_HOUR", amount)


def _refuse_many(kind: str, setting: str, amount: int) -> None:
    """Count ``amount`` of a kind for the request's address, in the memory of this process.

    The limit for an hour is the value of ``setting``. Raises `RateLimitError` beyond it.
    """
    most = current_app.config[setting]
    current_app.extensions["rates"].refuse(kind, client_address(), most, SECONDS_PER_HOUR, amount)

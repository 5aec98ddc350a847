"""How often anybody may do something: open sessions, try keys, have logs worked out."""

from typing import Final

from flask import current_app

from scorekeeper.base.errors import RateLimitError
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import service

AN_HOUR: Final = 3600  # seconds


def refuse_often(kind: str, most: int) -> None:
    """Count one more of what an address may do so often in an hour; RateLimitError after that."""
    left = service().store.hit(kind, client_address(), most, AN_HOUR)
    if left:
        raise RateLimitError(f"more than {most} in an hour from one address", left)


def refuse_wrong_key() -> None:
    """Count a wrong key.

    Raises `RateLimitError` if too many came.
    """
    refuse_often("wrong key", current_app.config["FAILED_KEYS_AN_HOUR"])


def refuse_many_sessions() -> None:
    """Count a new session.

    Raises `RateLimitError` if an address opens too many.
    """
    refuse_often("session", current_app.config["SESSIONS_AN_HOUR"])


def refuse_many_logs() -> None:
    """Count a log that is to be worked out for whoever asks.

    Raises `RateLimitError`.
    """
    _refuse_many("logs by address", "COMPUTATIONS_AN_HOUR", 1)


def refuse_many_bytes(amount: int) -> None:
    """Count the bytes of a log that is brought in.

    Raises `RateLimitError` if an address sends too many.
    """
    _refuse_many("bytes brought in", "IMPORTED_AN_HOUR", amount)


def _refuse_many(kind: str, setting: str, amount: int) -> None:
    most = current_app.config[setting]
    current_app.extensions["rates"].refuse(kind, client_address(), most, AN_HOUR, amount)

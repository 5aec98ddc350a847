"""Limits: how many acts are allowed in a window of time, which begins with the first."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from math import ceil


def subject_of(text: str) -> bytes:
    """What is stored of a subject, which may be the address of a person."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def left(counted: tuple[str, int] | None, most: int, window: int, now: str) -> int:
    """The whole seconds until one more act is allowed, of which some were counted since a time."""
    if counted is None or counted[1] < most or over(counted[0], now, window):
        return 0
    end = _moment(counted[0]) + timedelta(seconds=window)
    return max(1, ceil((end - _moment(now)).total_seconds()))


def over(started: str, now: str, window: int) -> bool:
    """Whether a window is over; also if it began in the future, as the clock went back."""
    return started <= since(now, window) or started > now


def since(now: str, window: int) -> str:
    """The latest beginning of a window of a given number of seconds that is over now."""
    moment = _moment(now) - timedelta(seconds=window)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def later(now: str, seconds: int) -> str:
    """The time a given number of seconds after another."""
    return since(now, -seconds)


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone(UTC)

"""Rate limits: how many acts are allowed in a time window, which begins with the first act."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from math import ceil


def subject_of(text: str) -> bytes:
    """Return the SHA-256 of a subject, which may be a person's IP address."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def seconds_left(counted: tuple[str, int] | None, most: int, window: int, now: str) -> int:
    """Return the whole seconds until one more act is allowed; 0 if it is allowed now.

    ``counted`` is the beginning of the window and the number of acts since then; None for none.
    ``most`` acts are allowed in ``window`` seconds.
    """
    if counted is None or counted[1] < most or is_window_over(counted[0], now, window):
        return 0
    end = _parse_time(counted[0]) + timedelta(seconds=window)
    return max(1, ceil((end - _parse_time(now)).total_seconds()))


def is_window_over(started: str, now: str, window: int) -> bool:
    """Return whether a window of ``window`` seconds that began at ``started`` is over.

    It is also over if the clock went back before its start.
    """
    return started <= time_before(now, window) or started > now


def time_before(now: str, window: int) -> str:
    """Return the time ``window`` seconds before ``now``, in the format of a log."""
    moment = _parse_time(now) - timedelta(seconds=window)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def time_after(now: str, seconds: int) -> str:
    """Return the time ``seconds`` after ``now``, in the format of a log."""
    return time_before(now, -seconds)


def _parse_time(at: str) -> datetime:
    """Return a time of a log as a datetime in UTC."""
    return datetime.fromisoformat(at).astimezone(UTC)

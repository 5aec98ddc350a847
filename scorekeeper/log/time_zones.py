"""The time zones that a log can name."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scorekeeper.base.errors import UnusableError, expected


def refuse_unknown_zone(zone: str | None) -> None:
    """Raise `UnusableError` if a time zone is given and unknown."""
    try:
        ZoneInfo(zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        cause = expected("a time zone, such as Europe/Rome", zone, "no_time_zone")
        raise UnusableError(cause, field="data.zone") from None

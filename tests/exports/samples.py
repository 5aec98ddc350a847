"""Sessions to export: golden ones, long ones, and ones with difficult names."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from scorekeeper.exports.evening import Evening
from scorekeeper.log.chain import START, seal
from scorekeeper.session.session import Session
from tests.evenings import AT, GOLDEN, Raw, event, replaced

ID: Final = "23456789abcd"
EVENINGS: Final = sorted(GOLDEN.glob("*/evening.jsonl"))
SEATS: Final = ("mara", "leo", "nina")
# Names that some program might take for a formula, markup, a number or a link.
NAMES: Final = (
    "=1+1", '=HYPERLINK("http://x")', "@A1", "+1", "-1", "007", "1e5", "{nb}", "{0}", "%s",
    "<b>Mara</b>", "<r>a&b</r>", "**Mara**", "[x](http://x)", "http://example.org", "_x0041_",
    "a;b,c\\d:e",
    "\u202eMara", "Ma\u200fra", "\u2067\u202d", "ליאו", "ليو", "日本", "Zoë", "🂡♠☃",
    "👨‍👩‍👧‍👦🎉❤️" * 6, "W" * 60, "🎉" * 60, "'", '"', "&amp;", "A\u0301\u0301\u0301",
)  # fmt: skip


def events_of(path: Path) -> list[Raw]:
    """Return the events of a golden log."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip() and not line.startswith("#")]


def log_of(events: list[Raw], *times: str) -> bytes:
    """Return a sealed log of events recorded at these times; the last time is for all the rest."""
    lines, head = [], START
    for seq, raw in enumerate(events, start=1):
        at = times[min(seq, len(times)) - 1] if times else AT
        sealed = seal(head, seq, raw["type"], raw.get("data", {}), at, "keeper")
        lines.append(sealed.line + b"\n")
        head = sealed.hash
    return b"".join(lines)


def evening_of(events: list[Raw], *times: str) -> Evening:
    """Return these events prepared for export."""
    return Evening.of(ID, Session.read(BytesIO(log_of(events, *times)), None))


def hand(number: int, *more: Raw) -> list[Raw]:
    """Return a hand of Riparto for three players by its totals, won by the eldest."""
    dealer, bidder, third = (SEATS[(number + n) % 3] for n in range(3))
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=bidder, points=5),
        event("points_counted", points={bidder: 5, third: 9, dealer: 1}),
        *more,
    ]


def riparto(
    hands: int, *names: str, title: str = "Friday", place: str | None = None, **options: Any
) -> list[Raw]:
    """Return a session with one match of so many hands, with these names of its three players."""
    players = [
        {"id": player, "name": name}
        for player, name in zip(SEATS, names or ("Mara", "Leo", "Nina"), strict=True)
    ]
    at = {} if place is None else {"place": place}
    return [
        event("session_opened", title=title, players=players, **at),
        event("match_started", game="riparto", seats=list(SEATS), options=options),
        *(raw for number in range(hands) for raw in hand(number)),
    ]


def disputed_and_corrected() -> list[Raw]:
    """Return two hands, one disputed, one corrected and signed by Leo; and a penalty."""
    events = riparto(2)
    count = len(events)
    return [
        *events,
        event("penalty_given", side="nina", points=-3, reason="late"),
        event("hand_disputed", player="mara", reason="no", match=1, hand=1),
        replaced(count, "points_counted", points={"nina": 5, "leo": 1, "mara": 9}),
        event("hand_confirmed", player="leo"),
    ]

"""Evenings to be taken away: the golden ones, long ones, and ones with names that upset things."""

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
# Names that some reader of a file might take for something else than a name.
NAMES: Final = (
    "=1+1", '=HYPERLINK("http://x")', "@A1", "+1", "-1", "007", "1e5", "{nb}", "{0}", "%s",
    "<b>Mara</b>", "<r>a&b</r>", "**Mara**", "[x](http://x)", "http://example.org", "_x0041_",
    "a;b,c\\d:e",
    "\u202eMara", "Ma\u200fra", "\u2067\u202d", "ליאו", "ليو", "日本", "Zoë", "🂡♠☃",
    "👨‍👩‍👧‍👦🎉❤️" * 6, "W" * 60, "🎉" * 60, "'", '"', "&amp;", "A\u0301\u0301\u0301",
)  # fmt: skip


def events_of(path: Path) -> list[Raw]:
    """The events of a golden log."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip() and not line.startswith("#")]


def log_of(events: list[Raw], *times: str) -> bytes:
    """A sealed log; the events were recorded at these times, the last being that of the rest."""
    lines, head = [], START
    for seq, one in enumerate(events, start=1):
        at = times[min(seq, len(times)) - 1] if times else AT
        made = seal(head, seq, one["type"], one.get("data", {}), at, "keeper")
        lines.append(made.line + b"\n")
        head = made.hash
    return b"".join(lines)


def taken(events: list[Raw], *times: str) -> Evening:
    """The evening of these events, as a store has it."""
    return Evening.of(ID, Session.read(BytesIO(log_of(events, *times)), None))


def hand(number: int, *more: Raw) -> list[Raw]:
    """A hand of Riparto for three by its totals, made by the eldest."""
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
    """An evening of one match of so many hands; the names are those of the three players."""
    players = [
        {"id": one, "name": name}
        for one, name in zip(SEATS, names or ("Mara", "Leo", "Nina"), strict=True)
    ]
    at = {} if place is None else {"place": place}
    return [
        event("session_opened", title=title, players=players, **at),
        event("match_started", game="riparto", seats=list(SEATS), options=options),
        *(one for number in range(hands) for one in hand(number)),
    ]


def troubled() -> list[Raw]:
    """Two hands: the first disputed, the second corrected and accepted by Leo; and a penalty."""
    events = riparto(2)
    count = len(events)
    return [
        *events,
        event("penalty_given", side="nina", points=-3, reason="late"),
        event("hand_disputed", player="mara", reason="no", match=1, hand=1),
        replaced(count, "points_counted", points={"nina": 5, "leo": 1, "mara": 9}),
        event("hand_confirmed", player="leo"),
    ]

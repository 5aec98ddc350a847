"""The log with which a demo table begins: Riparto, two hands played, and a third one begun."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.play.prompts import Level

VISITOR: Final = "mara"  # the seat of the visitor; the others play by the prompts
NAMES: Final = {"mara": "Mara", "leo": "Leo", "nina": "Nina", "ugo": "Ugo"}
SEATS: Final = tuple(NAMES)
TITLE: Final = "Demo"
GAME: Final = "riparto"
OPTIONS: Final = {"match_end": {"hands": 4}}
LEVEL: Final[Level] = "tricks"

# For each hand: the dealer, the bids in turn, the hierarchy, and the winners of the tricks.
HANDS: Final = (
    (
        "ugo", (3, 8, 2, 1), "HSDC",
        ("mara", "leo", "nina", "ugo", "mara", "nina", "leo", "leo", "ugo"),
    ),
    (
        "mara", (2, 5, 3, 4), "SCHD",
        ("nina", "mara", "ugo", "nina", "mara", "leo", "mara", "ugo", "mara"),
    ),
    ("leo", (3, 4, 7, 2), "DHCS", ("mara", "ugo", "mara")),
)  # fmt: skip
TRICKS: Final = 9  # in a complete hand

RawEvents = Iterator[tuple[str, JsonObject]]


def write_opening() -> bytes:
    """Return the log of a new demo table, as if it were written by hand."""
    return write_log(opening_events())


def write_log(events: RawEvents) -> bytes:
    """Return a log that is not sealed."""
    return b"".join(
        json.dumps({"type": kind, "data": data}).encode() + b"\n" for kind, data in events
    )


def opening_events() -> RawEvents:
    """Yield the events of a new demo table."""
    players = [{"id": player, "name": name} for player, name in NAMES.items()]
    yield "session_opened", {"title": TITLE, "players": players}
    yield "match_started", {"game": GAME, "seats": [*SEATS], "options": OPTIONS}
    for dealer, bids, hierarchy, winners in HANDS:
        yield from hand_events(SEATS, dealer, bids, hierarchy, winners)
        if len(winners) == TRICKS:
            yield from (("hand_confirmed", {"player": player}) for player in SEATS)


def hand_events(
    seats: Sequence[str],
    dealer: str,
    bids: Sequence[int],
    hierarchy: str,
    winners: Sequence[str],
) -> RawEvents:
    """Yield the events of a hand of Riparto: each player bids, and the highest bidder declares."""
    yield "hand_started", {"dealer": dealer}
    eldest = seats.index(dealer) + 1
    bidders = [*seats[eldest:], *seats[:eldest]]
    for player, points in zip(bidders, bids, strict=True):
        yield "bid_made", {"player": player, "points": points}
    declarer = bidders[bids.index(max(bids))]
    yield "hierarchy_declared", {"player": declarer, "suits": [*hierarchy]}
    for player in winners:
        yield "trick_taken", {"player": player}


OPENING_EVENTS: Final = sum(1 for _ in opening_events())

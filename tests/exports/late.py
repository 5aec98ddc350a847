"""A session with corrections, disputes, a penalty and money; and its correction weeks later."""

from typing import Any, Final

from tests.evenings import Raw, event
from tests.exports.samples import SEATS, hand, log_of

PLAYED: Final = "2026-11-20T20:00:00.000Z"
OVER: Final = "2026-11-20T22:30:00.000Z"
WEEKS_LATER: Final = "2026-12-18T09:00:00.000Z"
STAKE: Final = {"currency": "EUR", "point": 10, "match": 100}


def bid_of(number: int, points: int, **counted: int) -> list[Raw]:
    """Return a hand of Riparto with a bid by Mara and the counted points."""
    return [
        event("hand_started", dealer=SEATS[(number + 2) % 3]),
        event("bid_made", player="mara", points=points),
        event("points_counted", points=counted),
    ]


def counted_again(seq: int, reason: str, **counted: int) -> Raw:
    """Return the data of a correction that replaces counted points."""
    return {"seq": seq, "type": "points_counted", "data": {"points": counted}, "reason": reason}


def agreed(at: int, match: int, number: int, replacement: Raw) -> list[Raw]:
    """Return a dispute, opened at seq ``at``, that ends with an agreed correction of a hand."""
    where: dict[str, Any] = {"match": match, "hand": number}
    change = {"type": "event_replaced", "data": replacement}
    proposal = at + 1
    return [
        event("hand_disputed", player="leo", reason="I had nine", **where),
        event("correction_proposed", corrections=[change], reason="Leo is right", **where),
        *(event("proposal_signed", proposal=proposal, player=player) for player in SEATS),
        event("dispute_settled", ruling="corrected", text="", proposal=proposal, **where),
        event("event_replaced", **replacement),
    ]


def evening() -> list[Raw]:
    """Return two matches for money, before the late correction.

    Hand 1 is signed and is corrected later, hand 2 was corrected immediately, hand 3 is disputed,
    and the dispute about hand 4 ended without agreement. Nina has a penalty; no hand of the second
    match is signed.
    """
    people = [{"id": player, "name": player.capitalize()} for player in SEATS]
    start = event("match_started", game="riparto", seats=list(SEATS), stake=STAKE)
    events = [event("session_opened", title="Friday", place="At Mara’s", players=people), start]
    events += bid_of(1, 5, mara=5, leo=10, nina=0)
    events += [event("hand_confirmed", player=player) for player in SEATS]
    events += bid_of(2, 5, mara=5, leo=1, nina=9)
    again = counted_again(len(events), "mistyped", mara=6, leo=0, nina=9)
    events.append(event("event_replaced", **again))
    events += bid_of(3, 5, mara=3, leo=10, nina=2)
    events.append(event("hand_disputed", player="nina", reason="I had four"))
    events += bid_of(4, 5, mara=7, leo=4, nina=4)
    events.append(event("hand_disputed", player="mara", reason="I had eight"))
    events.append(event("dispute_settled", ruling="unresolved", text="the cards were mixed"))
    events.append(event("penalty_given", side="nina", points=-3, reason="late"))
    return [*events, event("match_ended"), start, *hand(0), *hand(1), event("match_ended")]


def corrected() -> list[Raw]:
    """Return the same session with the correction of its first hand, agreed weeks later."""
    events = evening()
    again = counted_again(5, "counted again", mara=4, leo=9, nina=2)
    return [*events, *agreed(len(events) + 1, 1, 1, again)]


def log(events: list[Raw]) -> bytes:
    """Return the sealed log; events after those of the evening were recorded weeks later."""
    many = len(evening())
    return log_of(events, *[PLAYED] * 5, *[OVER] * (many - 5), WEEKS_LATER)

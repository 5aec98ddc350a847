"""The content of a hand's record, to compare two records of it."""

from collections import Counter
from typing import Any, NamedTuple

from benchmarks.faults.hands import hand_at, scored
from scorekeeper.log.codec import encode
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session


class Words(NamedTuple):
    """The content of a record: score, dealer, entries as text, cards of tricks."""

    scores: dict[str, int] | None
    dealer: str
    entries: Counter[str]
    tricks: dict[int, list[tuple[str, str]]]


def words(session: Session, *, any_figure: bool = False) -> Words:
    """Return the content of the hand's record; with ``any_figure`` without the figures of bids."""
    hand = hand_at(session)
    entries = Counter(
        _as_text(entry.event.TYPE, _whole(hand, encode(entry.event)), any_figure=any_figure)
        for entry in hand.entries
    )
    return Words(scored(session), hand.dealer, entries, tricks(session))


def same_words(now: Words, due: Words) -> bool:
    """Return whether two records have the same content, except what does not matter.

    Winners of tricks may be recorded besides, an entry may be there twice, and the number of a
    trick says no more than its place. The order of entries matters for the cards of tricks only.
    """
    return (
        (now.scores, now.dealer, now.tricks) == (due.scores, due.dealer, due.tricks)
        and (_says_all(now, due) or _says_all(due, now))
    )  # fmt: skip


def _says_all(now: Words, due: Words) -> bool:
    more = now.entries - due.entries
    return not due.entries - now.entries and all(
        entry.startswith("trick_taken") or entry in due.entries for entry in more
    )


def _whole(hand: HandRecord, data: dict[str, Any]) -> dict[str, Any]:
    """The data of an event; a count without one side with the rest, which that side has.

    Tricks in a count of points are left out where they are those on record: they say no more.
    """
    deal, sides = hand.deal, hand.deal.counted_sides()
    totals = {"points": deal.total(), "tricks": deal.tricks.total}
    for name, total in totals.items():
        count = data.get(name)
        missing = set(sides) - set(count) if isinstance(count, dict) else set()
        if total is not None and isinstance(count, dict) and len(missing) == 1:
            data = {**data, name: {**count, missing.pop(): total - sum(count.values())}}
    if "points" in data and data.get("tricks") == deal.tricks_made():
        data = {key: value for key, value in data.items() if key != "tricks"}
    return data


def _as_text(kind: str, data: dict[str, Any], *, any_figure: bool) -> str:
    values = {
        key: sorted(data[key].items()) if isinstance(data[key], dict) else data[key]
        for key in sorted(data)
        if (kind, key) != ("trick_taken", "trick")
    }
    if any_figure and kind == "bid_made":
        values = {
            key: value if value in ("pass", data["player"]) else "bid"
            for key, value in values.items()
        }
    return f"{kind} {values}"


def tricks(session: Session) -> dict[int, list[tuple[str, str]]]:
    """The cards of each trick in the order in which they fell."""
    numbered = hand_at(session).deal.tricks.numbered
    return {
        number: [(play.player, play.card.code) for play in trick.plays]
        for number, trick in numbered.items()
        if trick.plays
    }

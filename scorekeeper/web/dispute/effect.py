"""What corrections come to: in words, and before and after for everybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.log.corrected import event_at
from scorekeeper.report.narration import raw_words, word_of
from scorekeeper.report.report import report as report_of
from scorekeeper.report.settlement import settled
from scorekeeper.report.what_if import difference, suppose
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.paid import PaidLine, in_short
from scorekeeper.web.wording.filters import plain

STATUS_OF_HANDS = ("status", "scores", "winner")
NO_MATCH: JsonObject = {"status": "", "hands": (), "totals": {}, "winners": ()}


@dataclass(frozen=True, slots=True)
class Change:
    """One correction in words: which event, what it says, and what it should say, or what after it.

    ``trick`` is the number of the trick that it belongs to, if to one.
    """

    seq: int
    trick: int | None
    before: str
    after: str
    inserted: bool


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A side's score of the hand and its total of the match, as they are and as they would be."""

    name: str
    points: tuple[int, int]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Effect:
    """What would be otherwise."""

    changes: Sequence[Change]
    rows: Sequence[EffectRow]
    later: Sequence[str]
    flags: Sequence[str]
    solved: Sequence[str]
    found: Sequence[str]
    payments: tuple[Sequence[PaidLine], Sequence[PaidLine]]


def changes(
    session: Session, corrections: Sequence[JsonObject], until: int | None = None
) -> list[Change]:
    """Corrections in words: what was said as the session stands, or stood at an event."""
    return [_change(session, one, until) for one in corrections]


def _change(session: Session, correction: JsonObject, until: int | None) -> Change:
    data = correction["data"]
    inserted = correction["type"] == "event_inserted"
    place = data["after"] if inserted else data["seq"]
    after = raw_words(session, place, data) if "type" in data else ""
    before = _word_at(session, place, until)
    return Change(place, _trick(session, place), before, after, inserted)


def _word_at(session: Session, place: int, until: int | None) -> str:
    event = None if until is None else event_at(session.corrections, place, until)
    return word_of(session, place) if event is None else raw_words(session, place, _raw(event))


def _raw(event: Event) -> JsonObject:
    if isinstance(event, EventReplaced | EventInserted):
        return {"type": event.type, "data": event.data}
    return {"type": event.TYPE, "data": codec.encode(event)}


def _trick(session: Session, seq: int) -> int | None:
    """The trick that an event belongs to."""
    segment = session.structure.segment_of.get(seq)
    tricks = segment.hand.deal.tricks if segment and segment.hand else ()
    return next((trick.number for trick in tricks if seq in trick.events()), None)


def effect_of(session: Session, record: HandRecord, corrections: Sequence[JsonObject]) -> Effect:
    """What corrections of a hand would come to.

    Raises `UnusableError`.
    """
    supposed = suppose(session, corrections=corrections)
    return effect(session, supposed, record, changes(session, corrections))


def effect(
    session: Session, supposed: Session, record: HandRecord, done: Sequence[Change]
) -> Effect:
    """How a session that is supposed differs from the one that is, seen from one hand."""
    before, after = report_of(session), report_of(supposed)
    number, hand = record.match.number, record.number
    names = {
        side: " & ".join(record.match.names[one] for one in members)
        for side, members in record.match.sides.items()
    }
    pair = _match(before, number), _match(after, number) or NO_MATCH
    called = {**session.structure.players, **names}
    solved, found = _findings(before, after)
    return Effect(
        changes=done,
        rows=list(_rows(pair, hand, names)),
        later=[*_later(pair, hand, names), *_elsewhere(before, after, number, session)],
        flags=list(_flags(pair, hand, called)),
        solved=solved,
        found=found,
        payments=(_payments(session, pair[0]), _payments(supposed, pair[1])),
    )


def _match(told: JsonObject, number: int) -> JsonObject:
    """The match of that number, empty where there is none."""
    return next((one for one in told["matches"] if one["match"] == number), {})


def _rows(pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]) -> Iterator[EffectRow]:
    hands = [_hand(told, hand) for told in pair]
    for side, name in names.items():
        points = [one["scores"].get(side, 0) if one else 0 for one in hands]
        totals = [told["totals"].get(side, 0) for told in pair]
        yield EffectRow(name, (points[0], points[1]), (totals[0], totals[1]))


def _hand(match: JsonObject, number: int) -> JsonObject | None:
    return match["hands"][number - 1] if number <= len(match["hands"]) else None


def _later(pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]) -> Iterator[str]:
    """Other hands of the match that would score otherwise."""
    for one, other in zip(pair[0]["hands"], pair[1]["hands"], strict=False):
        if one["hand"] == hand or all(one[name] == other[name] for name in STATUS_OF_HANDS):
            continue
        sides = [side for side in names if one["scores"].get(side) != other["scores"].get(side)]
        figures = ", ".join(
            f"{names[side]} {_points(one['scores'], side)} → {_points(other['scores'], side)}"
            for side in sides
        )
        if one["status"] != other["status"]:
            yield _("Hand %(number)s would no longer stand as it did. %(figures)s",
                    number=one["hand"], figures=figures).strip()  # fmt: skip
        else:
            yield _("Hand %(number)s: %(figures)s", number=one["hand"], figures=figures)


def _elsewhere(
    before: JsonObject, after: JsonObject, number: int, session: Session
) -> Iterator[str]:
    """Other matches that would be otherwise, and matches that would come or go."""
    for one in sorted({change["match"] for change in difference(before, after)}):
        was, would = _match(before, one), _match(after, one)
        if not was:
            yield _("There would be a match %(number)s.", number=one)
        elif not would:
            yield _("There would be no match %(number)s.", number=one)
        elif one != number:
            figures = ", ".join(
                f"{_called(session, was, side)} {plain(points)} → {_points(would['totals'], side)}"
                for side, points in was["totals"].items()
                if points != would["totals"].get(side)
            )
            yield _("Match %(number)s would change. %(figures)s",
                    number=one, figures=figures).strip()  # fmt: skip


def _points(figures: JsonObject, side: str) -> str:
    """What a side has; a dash where it does not play."""
    return plain(figures[side]) if side in figures else "–"


def _called(session: Session, match: JsonObject, side: str) -> str:
    return " & ".join(session.structure.players[one] for one in match["sides"][side])


def _flags(pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]) -> Iterator[str]:
    """What somebody has to look at: a match that ends elsewhere, or is won by another."""
    one, other = pair
    after_end = [
        both[1]["hand"]
        for both in zip(one["hands"], other["hands"], strict=False)
        if both[0]["status"] == "complete" and both[1]["status"] == "incomplete"
        and both[1]["hand"] > hand
    ]  # fmt: skip
    if after_end:
        yield _("The match would end earlier: what was played after that would score nothing.")
    if one["status"] != other["status"]:
        if other["status"] == "finished":
            yield _("The match would be over.")
        elif other["status"] == "open":
            yield _("The match would be open again.")
    if one["winners"] != other["winners"] and other["winners"]:
        won = ", ".join(names[side] for side in other["winners"])
        yield _("The match would be won by %(names)s.", names=won)


def _findings(before: JsonObject, after: JsonObject) -> tuple[Sequence[str], Sequence[str]]:
    """What would no longer be found, and what would be found anew; remarks apart."""
    said = [
        {one["message"]: None for one in told["findings"] if one["severity"] != "info"}
        for told in (before, after)
    ]
    return [m for m in said[0] if m not in said[1]], [m for m in said[1] if m not in said[0]]


def _payments(session: Session, told: JsonObject) -> list[PaidLine]:
    """Who pays whom for a match; nobody where there is none."""
    if told is NO_MATCH or not told:
        return []
    record = session.structure.matches[told["match"] - 1]
    return in_short(settled(record, told), session.structure.players)

"""The effect of corrections: in words, and figures before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.log.corrected import find_event_at
from scorekeeper.report.narration import describe_event, describe_raw_event
from scorekeeper.report.report import build_report
from scorekeeper.report.settlement import settle_match
from scorekeeper.report.what_if import diff_reports, suppose
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.paid import PaidLine, payments_in_short
from scorekeeper.web.wording.filters import with_minus_sign

STATUS_OF_HANDS = ("status", "scores", "winner")
NO_MATCH: JsonObject = {"status": "", "hands": (), "totals": {}, "winners": ()}


@dataclass(frozen=True, slots=True)
class Change:
    """One correction in words: the event before and after, or the event inserted after it.

    ``trick`` is the number of the trick that the event belongs to, if any.
    """

    seq: int
    trick: int | None
    before: str
    after: str
    inserted: bool


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A side's points of the hand and total of the match, now and with the corrections."""

    name: str
    points: tuple[int, int]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Effect:
    """The differences that corrections would make.

    `later` are other hands and matches that change, `flags` warnings, `solved` and `found` the
    findings that vanish and appear, `payments` those before and after.
    """

    changes: Sequence[Change]
    rows: Sequence[EffectRow]
    later: Sequence[str]
    flags: Sequence[str]
    solved: Sequence[str]
    found: Sequence[str]
    payments: tuple[Sequence[PaidLine], Sequence[PaidLine]]


def describe_changes(
    session: Session, corrections: Sequence[JsonObject], until: int | None = None
) -> list[Change]:
    """Return each correction in words: the event before and after it.

    The event before is as it stands now, or as it stood at seq `until`.
    """
    return [_describe_change(session, correction, until) for correction in corrections]


def _describe_change(session: Session, correction: JsonObject, until: int | None) -> Change:
    """Return one correction in words: the event before and after it."""
    data = correction["data"]
    inserted = correction["type"] == "event_inserted"
    place = data["after"] if inserted else data["seq"]
    after = describe_raw_event(session, place, data) if "type" in data else ""
    before = _describe_event_before(session, place, until)
    return Change(place, _trick_number(session, place), before, after, inserted)


def _describe_event_before(session: Session, place: int, until: int | None) -> str:
    """Return the event at seq `place` as a sentence, as it stands or as it stood at seq `until`."""
    event = None if until is None else find_event_at(session.corrections, place, until)
    return (
        describe_event(session, place)
        if event is None
        else describe_raw_event(session, place, _raw_event(event))
    )


def _raw_event(event: Event) -> JsonObject:
    """Return an event as type and data; for a correction, those of its new event."""
    if isinstance(event, EventReplaced | EventInserted):
        return {"type": event.type, "data": event.data}
    return {"type": event.TYPE, "data": codec.encode(event)}


def _trick_number(session: Session, seq: int) -> int | None:
    """Return the number of the trick that an event belongs to; None if there is none."""
    segment = session.structure.segment_of.get(seq)
    tricks = segment.hand.deal.tricks if segment and segment.hand else ()
    return next((trick.number for trick in tricks if seq in trick.events()), None)


def effect_of(session: Session, record: HandRecord, corrections: Sequence[JsonObject]) -> Effect:
    """Return the effect of corrections of a hand.

    Raises `UnusableError` if they cannot be recorded.
    """
    supposed = suppose(session, corrections=corrections)
    return describe_effect(session, supposed, record, describe_changes(session, corrections))


def describe_effect(
    session: Session, supposed: Session, record: HandRecord, in_words: Sequence[Change]
) -> Effect:
    """Return what corrections change: a session and a supposed one, seen from one hand.

    `in_words` are the corrections in words.
    """
    before, after = build_report(session), build_report(supposed)
    number, hand = record.match.number, record.number
    names = {
        side: " & ".join(record.match.names[player] for player in members)
        for side, members in record.match.sides.items()
    }
    pair = _find_match(before, number), _find_match(after, number) or NO_MATCH
    labels = {**session.structure.players, **names}
    solved, added = _compare_findings(before, after)
    return Effect(
        changes=in_words,
        rows=list(_effect_rows(pair, hand, names)),
        later=[
            *_changed_hands(pair, hand, names),
            *_changed_matches(before, after, number, session),
        ],
        flags=list(_warnings(pair, hand, labels)),
        solved=solved,
        found=added,
        payments=(_payments_of_match(session, pair[0]), _payments_of_match(supposed, pair[1])),
    )


def _find_match(report: JsonObject, number: int) -> JsonObject:
    """Return the match with a number; empty if there is none."""
    return next((match for match in report["matches"] if match["match"] == number), {})


def _effect_rows(
    pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]
) -> Iterator[EffectRow]:
    """Yield for each side its points of the hand and total of the match, before and after.

    `pair` is the report of the match before and after.
    """
    hands = [_find_hand(match, hand) for match in pair]
    for side, name in names.items():
        points = [hand_report["scores"].get(side, 0) if hand_report else 0 for hand_report in hands]
        totals = [match["totals"].get(side, 0) for match in pair]
        yield EffectRow(name, (points[0], points[1]), (totals[0], totals[1]))


def _find_hand(match: JsonObject, number: int) -> JsonObject | None:
    """Return the report of the hand with a number; None if there is none."""
    return match["hands"][number - 1] if number <= len(match["hands"]) else None


def _changed_hands(
    pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield a sentence for each other hand of the match whose score would change."""
    for before, after in zip(pair[0]["hands"], pair[1]["hands"], strict=False):
        if before["hand"] == hand or all(before[name] == after[name] for name in STATUS_OF_HANDS):
            continue
        sides = [side for side in names if before["scores"].get(side) != after["scores"].get(side)]
        figures = ", ".join(
            f"{names[side]} {_format_points(before['scores'], side)}"
            f" → {_format_points(after['scores'], side)}"
            for side in sides
        )
        if before["status"] != after["status"]:
            yield _("Hand %(number)s would come out differently. %(figures)s",
                    number=before["hand"], figures=figures).strip()  # fmt: skip
        else:
            yield _("Hand %(number)s: %(figures)s", number=before["hand"], figures=figures)


def _changed_matches(
    before: JsonObject, after: JsonObject, number: int, session: Session
) -> Iterator[str]:
    """Yield a sentence for each other match that would change, appear or vanish."""
    for changed in sorted({change["match"] for change in diff_reports(before, after)}):
        match_before, match_after = _find_match(before, changed), _find_match(after, changed)
        if not match_before:
            yield _("There would be a match %(number)s.", number=changed)
        elif not match_after:
            yield _("There would be no match %(number)s.", number=changed)
        elif changed != number:
            figures = ", ".join(
                f"{_side_name(session, match_before, side)} {with_minus_sign(points)}"
                f" → {_format_points(match_after['totals'], side)}"
                for side, points in match_before["totals"].items()
                if points != match_after["totals"].get(side)
            )
            yield _("Match %(number)s would change. %(figures)s",
                    number=changed, figures=figures).strip()  # fmt: skip


def _format_points(figures: JsonObject, side: str) -> str:
    """Return the points of a side; a dash if it does not play."""
    return with_minus_sign(figures[side]) if side in figures else "–"


def _side_name(session: Session, match: JsonObject, side: str) -> str:
    """Return the names of a side's players, joined by &."""
    return " & ".join(session.structure.players[player] for player in match["sides"][side])


def _warnings(pair: Sequence[JsonObject], hand: int, names: Mapping[str, str]) -> Iterator[str]:
    """Yield warnings: a match that would end elsewhere, or be won by another side."""
    before, after = pair
    after_end = [
        both[1]["hand"]
        for both in zip(before["hands"], after["hands"], strict=False)
        if both[0]["status"] == "complete" and both[1]["status"] == "incomplete"
        and both[1]["hand"] > hand
    ]  # fmt: skip
    if after_end:
        yield _("The match would end earlier: what was played after that would score nothing.")
    if before["status"] != after["status"]:
        if after["status"] == "finished":
            yield _("The match would be over.")
        elif after["status"] == "open":
            yield _("The match would be open again.")
    if before["winners"] != after["winners"] and after["winners"]:
        won = ", ".join(names[side] for side in after["winners"])
        yield _("The match would be won by %(names)s.", names=won)


def _compare_findings(before: JsonObject, after: JsonObject) -> tuple[Sequence[str], Sequence[str]]:
    """Return the findings that would vanish, and those that would appear; without notes."""
    messages = [
        {
            finding["message"]: None
            for finding in report["findings"]
            if finding["severity"] != "info"
        }
        for report in (before, after)
    ]
    return [m for m in messages[0] if m not in messages[1]], [
        m for m in messages[1] if m not in messages[0]
    ]


def _payments_of_match(session: Session, match: JsonObject) -> list[PaidLine]:
    """Return the payments of a reported match; empty if there is no match."""
    if match is NO_MATCH or not match:
        return []
    record = session.structure.matches[match["match"] - 1]
    return payments_in_short(settle_match(record, match), session.structure.players)

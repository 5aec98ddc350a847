"""The effect of corrections: in words, and figures before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import Event
from scorekeeper.languages.money import with_minus_sign
from scorekeeper.log import codec
from scorekeeper.log.corrected import find_event_at
from scorekeeper.report.narration import describe_event, describe_raw_event
from scorekeeper.report.report import view_report
from scorekeeper.report.settlement import settle_match
from scorekeeper.report.sheet import name_sides
from scorekeeper.report.views import EventView, HandView, MatchView, ReportView
from scorekeeper.report.what_if import compare_reports, suppose
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.paid import PaidLine, payments_in_short

MatchPair = tuple[MatchView, MatchView | None]  # a match now, and with the corrections


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
    session: Session, corrections: Sequence[Correction], until: int | None = None
) -> list[Change]:
    """Return each correction in words: the event before and after it.

    The event before is as it stands now, or as it stood at seq `until`.
    """
    return [_describe_change(session, correction, until) for correction in corrections]


def _describe_change(session: Session, correction: Correction, until: int | None) -> Change:
    """Return one correction in words: the event before and after it."""
    data = correction.data
    inserted = correction.type == "event_inserted"
    place = data["after"] if inserted else data["seq"]
    new = EventView(data["type"], data["data"]) if "type" in data else None
    after = "" if new is None else describe_raw_event(session, place, new)
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


def _raw_event(event: Event) -> EventView:
    """Return an event as type and data; for a correction, those of its new event."""
    if isinstance(event, EventReplaced | EventInserted):
        return EventView(event.type, event.data)
    return EventView(event.TYPE, codec.encode(event))


def _trick_number(session: Session, seq: int) -> int | None:
    """Return the number of the trick that an event belongs to; None if there is none."""
    segment = session.structure.segment_of.get(seq)
    tricks = segment.hand.deal.tricks if segment and segment.hand else ()
    return next((trick.number for trick in tricks if seq in trick.events()), None)


def effect_of(session: Session, record: HandRecord, corrections: Sequence[Correction]) -> Effect:
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
    before, after = view_report(session), view_report(supposed)
    number, hand = record.match.number, record.number
    names = name_sides(record.match.sides, record.match.names)
    pair = before.matches[number - 1], _find_match(after, number)
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


def _find_match(report: ReportView, number: int) -> MatchView | None:
    """Return the match with a number; None if there is none."""
    return report.matches[number - 1] if number <= len(report.matches) else None


def _effect_rows(pair: MatchPair, hand: int, names: Mapping[str, str]) -> Iterator[EffectRow]:
    """Yield for each side its points of the hand and total of the match, before and after."""
    before, after = (
        (match.hands[hand - 1].scores if hand <= len(match.hands) else {}, match.totals)
        if match
        else ({}, {})
        for match in pair
    )
    for side, name in names.items():
        points = before[0].get(side, 0), after[0].get(side, 0)
        yield EffectRow(name, points, (before[1].get(side, 0), after[1].get(side, 0)))


def _changed_hands(pair: MatchPair, hand: int, names: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each other hand of the match whose score would change."""
    for before, after in _hand_pairs(pair):
        if before.hand == hand or (before.status, before.scores, before.winner) == (
            after.status, after.scores, after.winner
        ):  # fmt: skip
            continue
        sides = [side for side in names if before.scores.get(side) != after.scores.get(side)]
        figures = ", ".join(
            f"{names[side]} {_format_points(before.scores, side)}"
            f" → {_format_points(after.scores, side)}"
            for side in sides
        )
        if before.status != after.status:
            yield _("Hand %(number)s would come out differently. %(figures)s",
                    number=before.hand, figures=figures).strip()  # fmt: skip
        else:
            yield _("Hand %(number)s: %(figures)s", number=before.hand, figures=figures)


def _hand_pairs(pair: MatchPair) -> Iterator[tuple[HandView, HandView]]:
    """Yield the hands that a match has before and after."""
    before, after = pair
    return zip(before.hands, after.hands if after else (), strict=False)


def _changed_matches(
    before: ReportView, after: ReportView, number: int, session: Session
) -> Iterator[str]:
    """Yield a sentence for each other match that would change, appear or vanish."""
    for changed in compare_reports(before, after).matches:
        match_before, match_after = _find_match(before, changed), _find_match(after, changed)
        if match_before is None:
            yield _("There would be a match %(number)s.", number=changed)
        elif match_after is None:
            yield _("There would be no match %(number)s.", number=changed)
        elif changed != number:
            names = name_sides(match_before.sides, session.structure.players)
            figures = ", ".join(
                f"{names[side]} {with_minus_sign(points)}"
                f" → {_format_points(match_after.totals, side)}"
                for side, points in match_before.totals.items()
                if points != match_after.totals.get(side)
            )
            yield _("Match %(number)s would change. %(figures)s",
                    number=changed, figures=figures).strip()  # fmt: skip


def _format_points(figures: Mapping[str, int], side: str) -> str:
    """Return the points of a side; a dash if it does not play."""
    return with_minus_sign(figures[side]) if side in figures else "–"


def _warnings(pair: MatchPair, hand: int, names: Mapping[str, str]) -> Iterator[str]:
    """Yield warnings: a match that would end elsewhere, or be won by another side."""
    before, after = pair
    if any(
        now.status == "complete" and then.status == "incomplete" and then.hand > hand
        for now, then in _hand_pairs(pair)
    ):
        yield _("The match would end earlier: what was played after that would score nothing.")
    if after is None:
        return
    if before.status != after.status:
        if after.status == "finished":
            yield _("The match would be over.")
        elif after.status == "open":
            yield _("The match would be open again.")
    if before.winners != after.winners and after.winners:
        won = ", ".join(names[side] for side in after.winners)
        yield _("The match would be won by %(names)s.", names=won)


def _compare_findings(before: ReportView, after: ReportView) -> tuple[Sequence[str], Sequence[str]]:
    """Return the findings that would vanish, and those that would appear; without notes."""
    old, new = (
        dict.fromkeys(finding.message for finding in report.findings if finding.severity != "info")
        for report in (before, after)
    )
    return [message for message in old if message not in new], [
        message for message in new if message not in old
    ]


def _payments_of_match(session: Session, match: MatchView | None) -> list[PaidLine]:
    """Return the payments of a reported match; empty if there is no match."""
    if match is None:
        return []
    record = session.structure.matches[match.match - 1]
    return payments_in_short(match.settlement or settle_match(record, match), record)

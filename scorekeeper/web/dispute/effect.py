"""The effect of corrections: in words, and figures before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask_babel import gettext as _

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.common import MatchStarted
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
from scorekeeper.report.what_if import HandNumbers, diff_sessions, pair_hands, suppose
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.match_words import describe_restart
from scorekeeper.web.review.paid import PaidLine, payments_in_short
from scorekeeper.web.wording.naming import distinct_names

Figures = Mapping[str, ExactPoints]  # by the name of a side


class MatchVersion(NamedTuple):
    """A match now, or with the corrections: its record, its report, and the names of players."""

    record: MatchRecord
    view: MatchView
    names: Mapping[str, str]

    @property
    def totals(self) -> Figures:
        """The totals of the match."""
        return self.name_figures(self.view.totals)

    def get_hand(self, number: int | None) -> HandView | None:
        """Return the hand with a number; None for none."""
        return None if number is None else self.view.hands[number - 1]

    def get_scores(self, number: int | None) -> Figures:
        """Return the scores of the hand with a number; empty for none."""
        hand = self.get_hand(number)
        return self.name_figures(hand.scores) if hand else {}

    def name_figures(self, figures: Figures) -> Figures:
        """Return figures of sides by the names of the sides."""
        names = name_sides(self.record.sides, self.names)
        return {names[side]: figure for side, figure in figures.items()}


MatchVersions = tuple[MatchVersion, MatchVersion | None]  # now, and with the corrections


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
    """A side's points of the hand and total of the match, now and with the corrections.

    A figure is None where there is no such hand or side.
    """

    name: str
    points: tuple[ExactPoints | None, ExactPoints | None]
    totals: tuple[ExactPoints | None, ExactPoints | None]


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
    if new is not None and new.type == MatchStarted.TYPE and not inserted:
        before, after = describe_restart(session, place, new.data, until)
        return Change(place, None, before, after, inserted)
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
    reports = view_report(session), view_report(supposed)
    number, hand = record.match.number, record.number
    names = distinct_names({**session.structure.players, **supposed.structure.players})
    before = MatchVersion(record.match, reports[0].matches[number - 1], names)
    after = _find_match(supposed, reports[1], number, names)
    hands = pair_hands(record.match, after.record if after else None)
    solved, added = _compare_findings(*reports)
    return Effect(
        changes=in_words,
        rows=list(_effect_rows((before, after), (hand, dict(hands)[hand]))),
        later=[
            *_changed_hands((before, after), [pair for pair in hands if pair[0] != hand]),
            *_changed_matches((session, supposed), reports, number, names),
        ],
        flags=list(_warnings((before, after), hands, hand)),
        solved=solved,
        found=added,
        payments=(_payments_of_match(before), _payments_of_match(after)),
    )


def _find_match(
    session: Session, report: ReportView, number: int, names: Mapping[str, str]
) -> MatchVersion | None:
    """Return the match with a number; None if there is none."""
    matches = session.structure.matches
    if number > len(matches):
        return None
    return MatchVersion(matches[number - 1], report.matches[number - 1], names)


def _effect_rows(pair: MatchVersions, hand: HandNumbers) -> Iterator[EffectRow]:
    """Yield for each side its points of the hand and total of the match, before and after."""
    before, after = pair
    points = before.get_scores(hand[0]), after.get_scores(hand[1]) if after else {}
    totals = before.totals, after.totals if after else {}
    for name in dict.fromkeys((*totals[0], *totals[1])):
        yield EffectRow(
            name,
            (points[0].get(name), points[1].get(name)),
            (totals[0].get(name), totals[1].get(name)),
        )


def _changed_hands(pair: MatchVersions, hands: Sequence[HandNumbers]) -> Iterator[str]:
    """Yield a sentence for each of these hands that would change, appear or vanish."""
    before, after = pair
    for old_number, number in hands:
        old, new = before.get_hand(old_number), after.get_hand(number) if after else None
        scores = before.get_scores(old_number), after.get_scores(number) if after else {}
        if old is None:
            figures = ", ".join(f"{name} {with_minus_sign(n)}" for name, n in scores[1].items())
            yield _("There would be a new hand %(number)s: %(figures)s",
                    number=number, figures=figures)  # fmt: skip
        elif new is None:
            yield _("There would be no hand %(number)s as it is now.", number=old_number)
        elif (old.status, scores[0], old.winner) != (new.status, scores[1], new.winner):
            yield _describe_changed_hand(old, new, scores)


def _describe_changed_hand(old: HandView, new: HandView, scores: tuple[Figures, Figures]) -> str:
    """Return a sentence about a hand that would change, with the scores of the sides."""
    figures = _format_changed(*scores)
    if old.status != new.status:
        words = _("Hand %(number)s would come out differently. %(figures)s",
                  number=old.hand, figures=figures)  # fmt: skip
    else:
        words = _("Hand %(number)s: %(figures)s", number=old.hand, figures=figures)
    return str(words).strip()


def _format_changed(before: Figures, after: Figures) -> str:
    """Return the figures that differ, before and after."""
    names = dict.fromkeys((*before, *after))
    return ", ".join(
        f"{name} {_format_points(before, name)} → {_format_points(after, name)}"
        for name in names
        if before.get(name) != after.get(name)
    )


def _changed_matches(
    sessions: tuple[Session, Session],
    reports: tuple[ReportView, ReportView],
    number: int,
    names: Mapping[str, str],
) -> Iterator[str]:
    """Yield a sentence for each other match that would change, appear or vanish."""
    differences = diff_sessions(*sessions, reports[1])
    for changed in sorted({change.match for change in differences}):
        before = _find_match(sessions[0], reports[0], changed, names)
        after = _find_match(sessions[1], reports[1], changed, names)
        if before is None:
            yield _("There would be a match %(number)s.", number=changed)
        elif after is None:
            yield _("There would be no match %(number)s.", number=changed)
        elif changed != number:
            figures = _format_changed(before.totals, after.totals)
            yield _("Match %(number)s would change. %(figures)s",
                    number=changed, figures=figures).strip()  # fmt: skip


def _format_points(figures: Figures, side: str) -> str:
    """Return the points of a side; a dash if it does not play."""
    return with_minus_sign(figures[side]) if side in figures else "–"


def _warnings(pair: MatchVersions, hands: Sequence[HandNumbers], hand: int) -> Iterator[str]:
    """Yield warnings: a match that would end elsewhere, or be won by another side."""
    before, after = pair
    if after is None:
        return
    for old_number, number in hands:
        old, new = before.get_hand(old_number), after.get_hand(number)
        statuses = (old.status, new.status) if old and new and old.hand > hand else None
        if statuses == ("complete", "incomplete"):
            yield _("The match would end earlier: what was played after that would score nothing.")
            break
    now, then = before.view, after.view
    if now.status != then.status:
        if then.status == "finished":
            yield _("The match would be over.")
        elif then.status == "open":
            yield _("The match would be open again.")
    won = after.name_figures(dict.fromkeys(then.winners, 0))
    if won and won != before.name_figures(dict.fromkeys(now.winners, 0)):
        yield _("The match would be won by %(names)s.", names=", ".join(won))


def _compare_findings(before: ReportView, after: ReportView) -> tuple[Sequence[str], Sequence[str]]:
    """Return the findings that would vanish, and those that would appear; without notes."""
    old, new = (
        dict.fromkeys(finding.message for finding in report.findings if finding.severity != "info")
        for report in (before, after)
    )
    return [message for message in old if message not in new], [
        message for message in new if message not in old
    ]


def _payments_of_match(match: MatchVersion | None) -> list[PaidLine]:
    """Return the payments of a reported match; empty if there is no match."""
    if match is None:
        return []
    settlement = match.view.settlement or settle_match(match.record, match.view)
    return payments_in_short(settlement, match.record)

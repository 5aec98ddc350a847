"""The report: the results of a session's log as views."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from scorekeeper.base import pacing
from scorekeeper.base.parts import ExactPoints, in_points
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.sets import Corrects
from scorekeeper.play.scoring import Finding, ScoreLine, add_up
from scorekeeper.report import views
from scorekeeper.report.agreements import view_disputes, view_signatures
from scorekeeper.report.findings import has_moved_on, list_findings
from scorekeeper.report.settlement import settle_evening, settle_match
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


def view_report(session: Session) -> views.ReportView:
    """Return the report of a session."""
    record = session.structure
    matches = [_with_money(match, view_match(session, match)) for match in record.matches]
    return views.ReportView(
        session=views.SessionView(
            title=record.opened.title if record.opened else "",
            place=record.opened.place if record.opened else None,
            players=[views.PlayerView(key, name) for key, name in record.players.items()],
            closed=record.closed is not None,
            events=session.events,
            head=session.head or None,
            date=record.opened.date if record.opened else None,
        ),
        matches=matches,
        findings=[view_finding(session, finding) for finding in list_findings(session)],
        signatures=list(view_signatures(session)),
        disputes=list(view_disputes(session)),
        corrections=[_view_correction(session, key) for key in session.corrections.stands],
        money=settle_evening(matches) or None,
    )


def _with_money(record: MatchRecord, match: views.MatchView) -> views.MatchView:
    """Return a match with its stake and settlement; unchanged if it is not played for money."""
    if record.stake is None:
        return match
    stake = views.StakeView(record.stake.currency, record.stake.point, record.stake.match)
    return replace(match, stake=stake, settlement=settle_match(record, match))


def view_match(session: Session, match: MatchRecord) -> views.MatchView:
    """Return a match for the report, without its money."""
    standing = match.standing()
    return views.MatchView(
        match=match.number,
        game=match.game.id,
        rules=match.game.version,
        seats=match.seats,
        sides=match.sides,
        options=match.game.book.reported(match.options),
        status="finished" if match.over else "open",
        winners=match.list_winners(),
        totals=standing.totals,
        hands=[_view_hand(session, match, hand) for hand in match.hands],
        own=match.game.describe_match(standing),
        undecided=match.undecided or None,
    )


def _view_hand(session: Session, match: MatchRecord, hand: HandRecord) -> views.HandView:
    """Return a hand for the report."""
    pacing.step(pacing.STEPS_PER_HAND)
    complete = match.is_complete(hand)
    result = hand.deal.result
    lines: Sequence[ScoreLine] = result.lines if complete else ()
    return views.HandView(
        hand=hand.number,
        dealer=hand.dealer,
        status=get_hand_status(match, hand),
        level=hand.deal.level,
        scores=add_up(lines, match.sides),
        totals=match.standing(hand.number).totals,
        taken=_taken_points(hand) if complete else None,
        winner=result.winner if complete else None,
        lines=[_view_line(line, hand) for line in lines],
        confirmed=list_confirmed(session, hand),
        disputed=hand.started.seq in session.structure.disputed,
        awaiting=None if hand.awaited is None else "acceptance",
        own=match.game.describe_hand(hand.deal),
    )


def _taken_points(hand: HandRecord) -> Mapping[str, ExactPoints] | None:
    """Return the points or tricks that each side took, of which the game may count parts."""
    taken, parts = hand.deal.result.taken, hand.game.count_parts
    if taken is None or parts == 1:
        return taken
    return {side: in_points(number, parts) for side, number in taken.items()}


def get_hand_status(match: MatchRecord, hand: HandRecord) -> str:
    """Return ``open``, ``complete``, ``abandoned`` or ``incomplete``."""
    complete = match.is_complete(hand)
    result = hand.deal.result
    if hand.awaited is not None:
        return "open"
    if match.is_after_end(hand):
        return "incomplete"
    if complete:
        return "complete"
    if result.abandoned:
        return "abandoned"
    contradicts_itself = hand.deal.again or not all(c.sound for c in hand.deal.all_counts())
    return "incomplete" if has_moved_on(match, hand) or contradicts_itself else "open"


def list_confirmed(session: Session, hand: HandRecord) -> list[str]:
    """Return the players whose signatures under the hand hold; a correction voids them."""
    disputes = session.structure.disputes
    signatures = disputes.signatures.get(hand.started.seq, ())
    inserted = session.corrections.inserted if signatures else set()
    return list(
        dict.fromkeys(
            signature.player
            for signature in signatures
            if disputes.signature_holds(signature, hand, inserted)
        )
    )


def is_confirmed_by_all(session: Session, hand: HandRecord) -> bool:
    """Return whether every side has signed the present state of the hand."""
    if hand.started.seq not in session.structure.disputes.signatures:
        return False
    signed = set(list_confirmed(session, hand))
    return all(signed.intersection(members) for members in hand.match.sides.values())


def _view_line(line: ScoreLine, hand: HandRecord) -> views.LineView:
    """Return a score line for the report."""
    return views.LineView(
        side=line.side,
        points=line.points,
        rule=line.rule,
        text=line.text.say(hand.match.pack.show),
        events=line.events,
    )


def view_finding(session: Session, finding: Finding) -> views.FindingView:
    """Return a finding for the report."""
    show = session.structure.matches[finding.match - 1].pack.show if finding.match else str
    return views.FindingView(
        code=finding.code,
        severity=finding.severity.value,
        match=finding.match,
        hand=finding.hand,
        events=finding.events,
        rule=finding.rule,
        message=finding.text.say(show),
        sides=finding.sides,
    )


def _view_set(begun: Entry) -> views.CorrectionSetView:
    """Return a set of corrections for the report, from the entry that begins it."""
    return views.CorrectionSetView(begun.seq, cast("CorrectionBegun", begun.event).reason)


def _view_correction(session: Session, key: int) -> views.CorrectionView:
    """Return a correction for the report, with the event at its place before and after it."""
    entry = session.corrections.recorded[key]
    event = cast("Corrects", entry.event)
    begun = session.corrections.begun_set_of(key)
    before: views.EventView | None = None
    after: views.EventView | None = None
    if isinstance(event, EventInserted):
        names = event.after
    else:
        names = event.seq
        named = session.corrections.recorded[names].event
        before = views.EventView(named.TYPE, codec.encode(named))
    if isinstance(event, EventInserted | EventReplaced):
        after = views.EventView(event.type, event.data)
    return views.CorrectionView(
        seq=entry.seq,
        type=event.TYPE,
        reason=session.corrections.reason_of(key),
        stands=session.corrections.stands[key],
        set=None if begun is None else _view_set(begun),
        names=names,
        before=before,
        after=after,
    )

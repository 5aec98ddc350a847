"""The report: the results of a session's log as plain values for JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.log import codec
from scorekeeper.log.sets import Corrects
from scorekeeper.play.match import leaders
from scorekeeper.play.scoring import Finding, ScoreLine, add_up
from scorekeeper.report.agreements import report_agreements
from scorekeeper.report.findings import has_moved_on, list_findings
from scorekeeper.report.settlement import report_evening_money, report_match_money, settle_match
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


def build_report(session: Session) -> dict[str, Any]:
    """Return the report of a session, in the form that the log format describes."""
    record = session.structure
    matches = [build_match_report(session, match) for match in record.matches]
    return {
        "session": {
            "title": record.opened.title if record.opened else "",
            "place": record.opened.place if record.opened else None,
            "players": [{"id": key, "name": name} for key, name in record.players.items()],
            "closed": record.closed is not None,
            "events": session.events,
            "head": session.head or None,
        },
        "matches": matches,
        "findings": [report_finding(session, finding) for finding in list_findings(session)],
        **report_agreements(session),
        "corrections": [_correction_values(session, key) for key in session.corrections.stands],
        **_money_values(session, matches),
    }


def _money_values(session: Session, matches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the money of the session for the report; empty if no match has a stake.

    The settlement of each match is added to its values in `matches`.
    """
    if all(match.stake is None for match in session.structure.matches):
        return {}
    settlements = [
        settle_match(*pair) for pair in zip(session.structure.matches, matches, strict=True)
    ]
    for match_values, match in zip(matches, settlements, strict=True):
        match_values.update(report_match_money(match))
    return report_evening_money(settlements)


def build_match_report(session: Session, match: MatchRecord) -> dict[str, Any]:
    """Return the report of a match."""
    standing = match.standing()
    finished = match.over
    return {
        "match": match.number,
        "game": match.game.id,
        "rules": match.game.version,
        "seats": list(match.seats),
        "sides": {side: list(members) for side, members in match.sides.items()},
        "options": match.game.book.reported(match.options),
        "status": "finished" if finished else "open",
        "winners": leaders(standing.totals) if finished else [],
        "totals": dict(standing.totals),
        "hands": [_hand_values(session, match, hand) for hand in match.hands],
        **match.game.describe_match(standing),
    }


def _hand_values(session: Session, match: MatchRecord, hand: HandRecord) -> dict[str, Any]:
    """Return a hand for the report."""
    complete = match.is_complete(hand)
    result = hand.deal.result
    lines = result.lines if complete else ()
    return {
        "hand": hand.number,
        "dealer": hand.dealer,
        "status": get_hand_status(match, hand),
        "level": hand.deal.level,
        "scores": add_up(lines, match.sides),
        "totals": dict(match.standing(hand.number).totals),
        "taken": result.taken if complete else None,
        "winner": result.winner if complete else None,
        "lines": [_line_values(line, hand) for line in lines],
        "confirmed": list_confirmed(session, hand),
        "disputed": hand.started.seq in session.structure.disputed,
        **({} if hand.awaited is None else {"awaiting": "acceptance"}),
        **match.game.describe_hand(hand.deal),
    }


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


def _line_values(line: ScoreLine, hand: HandRecord) -> dict[str, Any]:
    """Return a score line for the report."""
    return {
        "side": line.side,
        "points": line.points,
        "rule": line.rule,
        "text": line.text.say(hand.match.pack.show),
        "events": list(line.events),
    }


def report_finding(session: Session, finding: Finding) -> dict[str, Any]:
    """Return a finding as the report has it."""
    show = session.structure.matches[finding.match - 1].pack.show if finding.match else str
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "match": finding.match,
        "hand": finding.hand,
        "events": list(finding.events),
        "rule": finding.rule,
        "message": finding.text.say(show),
        "sides": list(finding.sides),
    }


def _correction_values(session: Session, key: int) -> dict[str, Any]:
    """Return a correction for the report, with the event at its place before and after it."""
    entry = session.corrections.recorded[key]
    event = cast("Corrects", entry.event)
    values: dict[str, Any] = {
        "seq": entry.seq,
        "type": event.TYPE,
        "reason": session.corrections.reason_of(key),
        "stands": session.corrections.stands[key],
    }
    begun = session.corrections.begun_set_of(key)
    if begun is not None:
        values["set"] = {"seq": begun.seq, "reason": cast("CorrectionBegun", begun.event).reason}
    if isinstance(event, EventInserted):
        return {**values, "names": event.after, "before": None,
                "after": {"type": event.type, "data": event.data}}  # fmt: skip
    named = session.corrections.recorded[event.seq].event
    before = {"type": named.TYPE, "data": codec.encode(named)}
    after: Mapping[str, Any] | None = None
    if isinstance(event, EventReplaced):
        after = {"type": event.type, "data": event.data}
    return {**values, "names": event.seq, "before": before, "after": after}

"""The card between two hands: what the last one came to, side by side, and who accepts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.play.scoring import ScoreLine, Severity
from scorekeeper.report.findings import hand_findings
from scorekeeper.report.narration import NarratedPenalty, penalties
from scorekeeper.report.report import confirmed
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.hands_so_far import told_of
from scorekeeper.web.entry.labels import names_at, side_label, voice_at
from scorekeeper.web.frame.ring import turned
from scorekeeper.web.review.acceptance import Acceptance, acceptance

UNSAID: Final = Severity.INFO  # what could not be checked is told on the page of the hand


@dataclass(frozen=True, slots=True)
class Account:
    """What a hand did to a side: its points, the reasons for them, and its penalties.

    ``members`` are the names of its players, each with whether he has accepted the hand.
    """

    name: str
    members: Sequence[tuple[str, bool]]
    change: int
    won: bool
    lines: Sequence[ScoreLine]
    penalties: Sequence[NarratedPenalty]


@dataclass(frozen=True, slots=True)
class HandOver:
    """A complete hand: the account of each side, what is wrong with it, who accepts it here.

    ``told`` is what it came to: of whom something is said, and what.
    ``mine`` is the acceptance of whose phone this is, ``for_others`` those that the host can
    record; ``signed`` is whether whose phone this is has accepted.
    """

    number: int
    told: Sequence[tuple[str, str]]
    accounts: Mapping[str, Account]
    findings: Sequence[str]
    disputed: bool
    mine: Acceptance | None
    for_others: Sequence[Acceptance]
    signed: bool


@dataclass(frozen=True, slots=True)
class EndToAccept:
    """The end of a hand that nobody else has accepted: who recorded it, and who accepts it here.

    ``words`` is what was recorded. ``own`` is whether it was recorded for the player of this
    phone. ``acceptable`` is false where only what is recorded next shows the hidden cards.
    """

    number: int
    name: str
    words: str
    own: bool
    acceptable: bool
    mine: Acceptance | None
    for_others: Sequence[Acceptance]


def end_to_accept(session: Session, hand: HandRecord | None, holder: Holder) -> EndToAccept | None:
    """Return what there is to accept of a hand; None where its end awaits no acceptance."""
    if hand is None or hand.awaited is None:
        return None
    seats = turned(hand.match.seats, holder.player)
    ways = [one for seat in seats if (one := acceptance(session, hand, seat)) is not None]
    end = session.corrections.recorded[hand.awaited.seq].event
    return EndToAccept(
        hand.number,
        names_at(session)[hand.awaited.by],
        voice_at(session, hand.match).describe(end),
        hand.awaited.by == holder.player,
        bool(ways),
        next((one for one in ways if one.player == holder.player), None),
        [one for one in ways if holder.role == "host" and one.player != holder.player],
    )


def outcome(session: Session, hand: HandRecord, holder: Holder) -> HandOver:
    """What there is to see of a complete hand, for whoever looks at it."""
    match, signed = hand.match, confirmed(session, hand)
    unsigned = [one for one in turned(match.seats, holder.player) if one not in signed]
    ways = [one for seat in unsigned if (one := acceptance(session, hand, seat)) is not None]
    found = [one for one in hand_findings(match, hand) if one.severity is not UNSAID]
    return HandOver(
        hand.number,
        list(told_of(hand, voice_at(session, match))),
        _accounts(session, hand, signed),
        [one.text.say(match.pack.show) for one in found],
        hand.started.seq in session.structure.disputed,
        next((one for one in ways if one.player == holder.player), None),
        [one for one in ways if holder.role == "host" and one.player != holder.player],
        holder.player in signed,
    )


def _accounts(session: Session, hand: HandRecord, signed: Sequence[str]) -> dict[str, Account]:
    names, match, result = names_at(session), hand.match, hand.deal.result
    fines = penalties(session, match).get(hand.number, ()) if hand.penalties else ()
    found = {}
    for side, members in match.sides.items():
        lines = [one for one in result.lines if one.side == side]
        found[side] = Account(
            side_label(side, names, match),
            [(names[one], one in signed) for one in members],
            sum(one.points for one in lines),
            result.winner == side,
            lines,
            [one for one in fines if one.side == side],
        )
    return found

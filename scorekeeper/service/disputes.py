"""When players may correct a hand among themselves: enough signatures under a proposal.

Only what is recorded here is held to it; a log is replayed whatever signatures it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

from scorekeeper.errors import NoQuorum, Unusable
from scorekeeper.events import (
    CardsShown,
    CorrectionProposed,
    DisputeSettled,
    EventReplaced,
    PenaltyGiven,
    PointsCounted,
    ProposalDeclined,
    ProposalSigned,
    ScoreClaimed,
)
from scorekeeper.log import canonical, codec
from scorekeeper.replay.disputes import Proposal
from scorekeeper.replay.records import HandRecord
from scorekeeper.replay.session import Session
from scorekeeper.service.asking import NewEvent

Needed = Literal["sides", "seats"]

# What a table writes down of a hand that it has played: another figure is an error of entry or
# of arithmetic. Whatever else is corrected may be a trick or an irregularity.
FIGURES: Final = (PointsCounted.TYPE, ScoreClaimed.TYPE)
LATER: Final = (ScoreClaimed, CardsShown, PenaltyGiven)  # what may come after a hand's result


@dataclass(frozen=True, slots=True)
class Quorum:
    """How many signatures it takes: ``in_time`` for a wrong figure, else one of every seat.

    In time is until so many ``minutes`` after the hand's result, in an open session.
    """

    minutes: int = 30
    in_time: Needed = "sides"

    def needed(self, session: Session, proposal: Proposal, at: str) -> Needed:
        """Whether one signature of each side suffices at a time, or every seat has to sign."""
        figures = all(
            is_figure(session, proposal.hand, one.type, one.data)
            for one in proposal.event.corrections
        )
        return self.in_time if figures and self.is_in_time(session, proposal, at) else "seats"

    def missing(self, session: Session, proposal: Proposal, at: str) -> list[str]:
        """The seats, or sides, of which a signature is still missing at a time."""
        hand = session.record.hand_at[proposal.hand]
        return _missing(session, proposal, hand, self.needed(session, proposal, at))

    def is_in_time(self, session: Session, proposal: Proposal, at: str) -> bool:
        """Whether a hand is recent, and the session open."""
        if session.record.closed is not None:
            return False
        result = self.result_at(session, session.record.hand_at[proposal.hand])
        age = datetime.fromisoformat(at) - datetime.fromisoformat(result)
        return age <= timedelta(minutes=self.minutes)

    def result_at(self, session: Session, hand: HandRecord) -> str:
        """When the result of a hand was recorded, or what there is of one."""
        return max(
            (
                one.at
                for one in hand.entries
                if one.seq not in session.corrections.inserted and not isinstance(one.event, LATER)
            ),
            default=hand.started.at,
        )


def is_figure(session: Session, hand: int, kind: str, data: Any) -> bool:
    """Whether a correction puts another figure where one stood in a hand, and moves no trick."""
    event = codec.decode(kind, data)
    if not isinstance(event, EventReplaced) or event.type not in FIGURES:
        return False
    record = session.record.segment_of[event.seq].hand
    standing = [one for one in record.entries if one.seq == event.seq] if record else []
    if record is None or record.started.seq != hand or not standing:
        return False
    before = standing[0].event
    same_tricks = codec.encode(before).get("tricks") == event.data.get("tricks")
    return event.type == before.TYPE and same_tricks


def why_closed(session: Session, proposal: Proposal) -> str:
    """Why a proposal can be signed no more; empty where it can."""
    if proposal.settled:
        return "its dispute has been settled"
    if proposal.declined:
        return "it was declined"
    return "the hand was changed after it" if session.record.said.void(proposal) else ""


def refuse_useless(session: Session, proposal: Proposal | None) -> None:
    """Refuse a word on a proposal that can be signed no more, if there is one."""
    why = "" if proposal is None else why_closed(session, proposal)
    if proposal is not None and why:
        raise Unusable(f"proposal {proposal.entry.seq} is closed: {why}", field="data.proposal")


def refuse_proposal(session: Session, event: CorrectionProposed) -> None:
    """Refuse a proposal of nothing, or one beside another that is open."""
    if not event.corrections:
        raise Unusable("expected a correction at least", field="data.corrections")
    said = session.record.said
    before = said.open_proposal(said.named(event))
    if before is not None:
        raise Unusable(
            f"proposal {before.entry.seq} about this hand is open: it has to be declined or "
            "settled first", field="type",
        )  # fmt: skip


def refuse_word(session: Session, event: ProposalSigned | ProposalDeclined) -> None:
    """Refuse a word on a proposal that can be signed no more, and a second signature."""
    said = session.record.said
    proposal = said.proposals.get(event.proposal)
    refuse_useless(session, proposal)
    if isinstance(event, ProposalSigned) and proposal and event.player in said.signers(proposal):
        raise Unusable(
            f"{event.player} has signed proposal {event.proposal} already", field="data.player"
        )


def refuse_ruling(
    session: Session,
    event: DisputeSettled,
    following: Sequence[NewEvent],
    quorum: Quorum,
    at: str,
) -> int:
    """How many of the events that follow are the corrections agreed to by a proposal.

    NoQuorum where it is not signed by enough, or they are not all there; Unusable.
    """
    proposal = session.record.said.proposals.get(cast("int", event.proposal))
    if proposal is None:
        return 0  # the replay says what is wrong
    refuse_useless(session, proposal)
    _refuse_too_few(session, proposal, quorum, at)
    agreed = [(one.type, one.data) for one in proposal.event.corrections]
    if [_form(*one) for one in following[: len(agreed)]] != [_form(*one) for one in agreed]:
        raise NoQuorum(
            f"after the ruling the corrections of proposal {event.proposal} have to come in the "
            "same append, as they were signed"
        )
    return len(agreed)


def _form(kind: str, data: Any) -> bytes:
    return canonical.encode([kind, data])


def _refuse_too_few(session: Session, proposal: Proposal, quorum: Quorum, at: str) -> None:
    hand = session.record.hand_at[proposal.hand]
    needed = quorum.needed(session, proposal, at)
    missing = _missing(session, proposal, hand, needed)
    if missing:
        whose = "one signature of each side" if needed == "sides" else "a signature of every seat"
        raise NoQuorum(
            f"proposal {proposal.entry.seq} needs {whose}; missing: {', '.join(missing)}"
        )
    if not quorum.is_in_time(session, proposal, at) and not proposal.event.reason.strip():
        raise NoQuorum(f"so late, proposal {proposal.entry.seq} needs a reason: propose it anew")


def _missing(session: Session, proposal: Proposal, hand: HandRecord, needed: Needed) -> list[str]:
    counting = session.record.said.counting(proposal)
    signed = {cast("ProposalSigned", entry.event).player for entry in counting}
    match = hand.match
    if needed == "seats":
        return [seat for seat in match.seats if seat not in signed]
    return [side for side, members in match.sides.items() if not signed & set(members)]

"""The desk at which a hand is disputed: how the dispute stands, and what can be done about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from flask_babel import gettext as _

from scorekeeper.api.access import service
from scorekeeper.errors import Unusable
from scorekeeper.events import DisputeSettled, Entry
from scorekeeper.repair import suggestions
from scorekeeper.replay import Session
from scorekeeper.replay.disputes import Dispute, Proposal
from scorekeeper.replay.records import HandRecord
from scorekeeper.replay.said import state
from scorekeeper.service import Holder
from scorekeeper.service.disputes import why_closed
from scorekeeper.web.dispute.effect import Change, Effect, changes, effect_of
from scorekeeper.web.review.reading import face_down

Report = Mapping[str, Any]
Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Word:
    """What a player said of a proposal, or of the hand; ``by`` is who did it in his place."""

    player: str
    seq: int
    at: str
    by: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A correction that was worked out: what it changes, and what the hand would score."""

    corrections: Sequence[Report]
    changes: Sequence[Change]
    scores: Sequence[tuple[str, int, int]]
    reason: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal as it can be signed now.

    ``missing`` are the seats, or sides, whose signature is not there; ``each`` is whether every
    seat has to sign.
    """

    seq: int
    hash: str
    reason: str
    corrections: Sequence[Raw]
    effect: Effect | None
    signed: Sequence[Word]
    missing: Sequence[str]
    each: bool
    can_sign: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Closed:
    """A proposal that can be signed no more, and why."""

    seq: int
    reason: str
    changes: Sequence[Change]
    why: str
    void: Sequence[Word]
    declined: Sequence[Word]


@dataclass(frozen=True, slots=True)
class Course:
    """One dispute, from what opened it to the ruling."""

    state: str
    opened: Sequence[Word]
    closed: Sequence[Closed]
    ruling: Word | None


@dataclass(frozen=True, slots=True)
class Desk:
    """How the dispute about a hand stands for who looks.

    ``seats`` are those for whom he can speak.
    """

    now: Course | None
    offer: Offer | None
    earlier: Sequence[Course]
    seats: Sequence[tuple[str, str]]
    host: bool
    until: str
    late: bool
    minutes: int


def desk(session: Session, record: HandRecord, holder: Holder) -> Desk:
    """How the dispute about a hand stands."""
    found = session.record.said.courses.get(record.started.seq, [])
    is_open = bool(found) and found[-1].settled is None
    told = [_course(session, record, one) for one in found]
    proposal = session.record.said.open_proposal(record) if is_open else None
    seats = list(_speaks_for(record, holder))
    until, late = _window(session, record)
    return Desk(
        now=told[-1] if is_open else None,
        offer=_offer(session, record, proposal, seats) if proposal else None,
        earlier=told[:-1] if is_open else told,
        seats=seats,
        host=holder.role == "host",
        until=until,
        late=late,
        minutes=service().quorum.minutes,
    )


def _speaks_for(record: HandRecord, holder: Holder) -> Iterator[tuple[str, str]]:
    """The seats for whom somebody can speak: the host for all, a player for himself."""
    for seat, name in record.match.names.items():
        if holder.role == "host" or holder.player == seat:
            yield seat, name


def _window(session: Session, record: HandRecord) -> tuple[str, bool]:
    """Until when one signature of each side is enough for a wrong figure; whether it is past."""
    quorum, now = service().quorum, service().now()
    told = quorum.result_at(session, record)
    if not told:
        return "", False
    ended = datetime.fromisoformat(told)
    until = ended + min(timedelta(minutes=quorum.minutes), datetime.max.replace(tzinfo=UTC) - ended)
    late = session.record.closed is not None or datetime.fromisoformat(now) > until
    return until.isoformat().replace("+00:00", "Z"), late


# ----------------------------------------------------------------------------------- proposals


def _offer(
    session: Session, record: HandRecord, proposal: Proposal, seats: Sequence[tuple[str, str]]
) -> Offer:
    corrections = corrections_of(proposal)
    quorum, now = service().quorum, service().now()
    signed = [_word(session, entry) for entry in session.record.said.counting(proposal)]
    have = set(session.record.said.signers(proposal))
    names = dict(record.match.names)
    for side, members in record.match.sides.items():
        names.setdefault(side, " & ".join(record.match.names[one] for one in members))
    return Offer(
        seq=proposal.entry.seq,
        hash=session.corrections.recorded[proposal.said[1]].hash,
        reason=proposal.event.reason,
        corrections=corrections,
        effect=_effect(session, record, corrections),
        signed=signed,
        missing=[names[one] for one in quorum.missing(session, proposal, now)],
        each=quorum.needed(session, proposal, now) == "seats",
        can_sign=[(seat, name) for seat, name in seats if seat not in have],
    )


def corrections_of(proposal: Proposal) -> list[Raw]:
    """The corrections of a proposal, as they would be recorded."""
    return [{"type": one.type, "data": dict(one.data)} for one in proposal.event.corrections]


def _effect(session: Session, record: HandRecord, corrections: Sequence[Report]) -> Effect | None:
    """What a proposal comes to; None where it could not be recorded as things stand."""
    try:
        return effect_of(session, record, corrections)
    except Unusable:
        return None


def suggested(session: Session, record: HandRecord) -> list[Suggested]:
    """The corrections that would make the record of a hand agree, the likeliest first."""
    hidden = face_down(session, record)
    complete = record.match.complete(record)
    lines = record.deal.result.lines if complete else ()
    now = {
        side: sum(one.points for one in lines if one.side == side) for side in record.match.sides
    }
    return [
        Suggested(
            corrections=one["corrections"],
            changes=changes(session, one["corrections"]),
            scores=[
                (record.table.name(side), now[side], points)
                for side, points in one["scores"].items()
                if points != now[side]
            ],
            reason=one["corrections"][0]["data"]["reason"],
        )
        for one in _worked_out(Place(session.head, record.match.number, record.number, session))
        if hidden.isdisjoint(_named(one["corrections"]))
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """A hand of a session that stands as its head says."""

    head: str
    match: int
    hand: int
    session: Session = field(compare=False, repr=False)


@lru_cache(maxsize=16)  # it takes up to a second, and every phone at the table asks
def _worked_out(place: Place) -> list[Raw]:
    return suggestions(place.session, place.match, place.hand)


def _named(corrections: Sequence[Report]) -> Iterator[int]:
    """The events that corrections name."""
    for one in corrections:
        yield one["data"].get("seq", one["data"].get("after"))


# ------------------------------------------------------------------------------------ courses


def _course(session: Session, record: HandRecord, dispute: Dispute) -> Course:
    said = session.record.said
    still = None if dispute.settled else said.open_proposal(record)
    return Course(
        state=state(said, dispute),
        opened=[_word(session, entry) for entry in dispute.opened],
        closed=[_closed(session, one) for one in dispute.proposals if one is not still],
        ruling=_word(session, dispute.settled) if dispute.settled else None,
    )


def _closed(session: Session, proposal: Proposal) -> Closed:
    void = session.record.said.void(proposal)
    return Closed(
        seq=proposal.entry.seq,
        reason=proposal.event.reason,
        changes=changes(session, corrections_of(proposal), proposal.entry.seq),
        why=_carried_out(session, proposal) or _why(proposal, void=void),
        void=[_word(session, entry) for _said, entry in proposal.signed] if void else [],
        declined=[_word(session, entry) for entry in proposal.declined],
    )


def _carried_out(session: Session, proposal: Proposal) -> str:
    """Who signed the proposal that settled its dispute; empty for any other."""
    courses = session.record.said.courses[proposal.hand]
    rulings = [one.settled.event for one in courses if one.settled]
    seqs = [one.proposal for one in rulings if isinstance(one, DisputeSettled)]
    if proposal.entry.seq not in seqs:
        return ""
    names = [_word(session, entry).player for _said, entry in proposal.signed]
    return str(_("signed by %(names)s", names=", ".join(dict.fromkeys(names))))


def _why(proposal: Proposal, *, void: bool) -> str:
    if proposal.declined:
        return str(_("declined"))
    if void:
        return str(_("void: the hand was changed after it"))
    return str(_("closed with the dispute") if proposal.settled else _("passed over"))


def _word(session: Session, entry: Entry) -> Word:
    event: Any = entry.event
    player = getattr(event, "player", "")
    by = "" if entry.by == player else entry.by
    text = getattr(event, "reason", "") or getattr(event, "text", "")
    name = session.record.players.get(player, "")
    return Word(name, entry.seq, entry.at, session.record.players.get(by, by), text)


# -------------------------------------------------------------------------------- the last word


def completes(session: Session, proposal: Proposal, player: str) -> bool:
    """Whether with the signature of a player there are enough."""
    record = session.record.hand_at[proposal.hand]
    missing = service().quorum.missing(session, proposal, service().now())
    sides = {side for side, members in record.match.sides.items() if player in members}
    return set(missing) <= sides | {player}


def ruling(record: HandRecord, kind: str, text: str, proposal: int | None) -> Raw:
    """What ends a dispute."""
    data: Raw = {
        "ruling": kind, "text": text, "match": record.match.number, "hand": record.number,
    }  # fmt: skip
    if proposal is not None:
        data["proposal"] = proposal
    return {"type": "dispute_settled", "data": data}


def open_proposal(session: Session, seq: int) -> Proposal:
    """A proposal that can be signed; Unusable."""
    proposal = session.record.said.proposals.get(seq)
    if proposal is None:
        raise Unusable(_("There is no such proposal."))
    if why_closed(session, proposal):
        raise Unusable(_("This proposal can be signed no more."))
    return proposal

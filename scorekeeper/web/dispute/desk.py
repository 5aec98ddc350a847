"""The desk at which a hand is disputed: how the dispute stands, and what can be done about it."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import BusyError, OverBudgetError, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.disputes import Correction, DisputeSettled
from scorekeeper.events.event import Entry
from scorekeeper.http.answering import made_of, search_seconds
from scorekeeper.http.extensions import service
from scorekeeper.report.agreements import state
from scorekeeper.service import Holder
from scorekeeper.service.quorum import SignersNeeded
from scorekeeper.service.rulings import names_of, needs_of, signed_by, why_closed
from scorekeeper.session.disputes import Dispute, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.effect import Change, Effect, changes, effect_of
from scorekeeper.web.frame.ring import turned

Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayersWord:
    """What a player said of a proposal, or of the hand; ``by`` is who did it in his place."""

    player: str
    seq: int
    at: str
    by: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A correction that was worked out: what it changes, and what the hand would score."""

    corrections: Sequence[JsonObject]
    changes: Sequence[Change]
    scores: Sequence[tuple[str, int, int]]
    reason: str


@dataclass(frozen=True, slots=True)
class Signers:
    """Who has to sign corrections: of the match ``each`` seat, or else one of each side.

    And every seat of ``others``, the matches that change beside it. ``missing`` are the names of
    those who have not signed, ``seats`` all who can.
    """

    each: bool
    others: Sequence[int]
    missing: Sequence[str]
    seats: Collection[str]


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal as it can be signed now.

    Without an effect and signers it could not be recorded as things stand. ``seats`` are those
    for whom who looks can speak, of them some ``can_sign``.
    """

    seq: int
    hash: str
    reason: str
    corrections: Sequence[Raw]
    effect: Effect | None
    signers: Signers | None
    signed: Sequence[PlayersWord]
    seats: Sequence[tuple[str, str]]
    can_sign: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ClosedProposal:
    """A proposal that can no longer be signed, and why."""

    seq: int
    reason: str
    changes: Sequence[Change]
    why: str
    void: Sequence[PlayersWord]
    declined: Sequence[PlayersWord]


@dataclass(frozen=True, slots=True)
class DisputeCourse:
    """One dispute, from what opened it to the ruling."""

    state: str
    opened: Sequence[PlayersWord]
    closed: Sequence[ClosedProposal]
    ruling: PlayersWord | None


@dataclass(frozen=True, slots=True)
class Desk:
    """How the dispute about a hand stands for whoever looks.

    ``seats`` are those for whom he can speak, of them ``own`` is his.
    """

    now: DisputeCourse | None
    offer: Offer | None
    earlier: Sequence[DisputeCourse]
    seats: Sequence[tuple[str, str]]
    host: bool
    own: str | None
    until: str
    late: bool
    minutes: int


def desk(session: Session, record: HandRecord, holder: Holder) -> Desk:
    """How the dispute about a hand stands."""
    found = session.structure.said.courses.get(record.started.seq, [])
    is_open = bool(found) and found[-1].settled is None
    told = [_course(session, record, one) for one in found]
    proposal = session.structure.said.open_proposal(record) if is_open else None
    names, order = record.match.names, turned(record.match.seats, holder.player)
    seats = list(_speaks_for({one: names[one] for one in order}, holder))
    until, late = _window(session, record)
    return Desk(
        now=told[-1] if is_open else None,
        offer=_offer(session, record, proposal, holder) if proposal else None,
        earlier=told[:-1] if is_open else told,
        seats=seats,
        host=holder.role == "host",
        own=holder.player,
        until=until,
        late=late,
        minutes=service().quorum.minutes,
    )


def _speaks_for(names: Mapping[str, str], holder: Holder) -> Iterator[tuple[str, str]]:
    """The seats for whom somebody can speak, in their order: the host for all, a player for one."""
    for seat, name in names.items():
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
    late = session.structure.closed is not None or datetime.fromisoformat(now) > until
    return until.isoformat().replace("+00:00", "Z"), late


# ----------------------------------------------------------------------------------- proposals


def _offer(session: Session, record: HandRecord, proposal: Proposal, holder: Holder) -> Offer:
    corrections = corrections_of(proposal)
    have = set(session.structure.said.signers(proposal))
    needed = _signers(session, record, proposal)
    players = session.structure.players
    order = turned(record.match.seats, holder.player)
    named = dict.fromkeys((*order, *(needed.seats if needed else ())))
    names = {one: players[one] for one in named if one in players}
    seats = list(_speaks_for(names, holder))
    return Offer(
        seq=proposal.entry.seq,
        hash=session.corrections.recorded[proposal.said[1]].hash,
        reason=proposal.event.reason,
        corrections=corrections,
        effect=_effect(session, record, corrections) if needed else None,
        signers=needed,
        signed=[_word(session, entry) for entry in session.structure.said.counting(proposal)],
        seats=seats,
        can_sign=[(seat, name) for seat, name in seats if seat not in have],
    )


def signers(session: Session, record: HandRecord, corrections: Sequence[JsonObject]) -> Signers:
    """Who would have to sign corrections of a hand.

    Raises `UnusableError` if they cannot be recorded.
    """
    asked = [Correction(one["type"], one["data"]) for one in corrections]
    needs = service().quorum.needs(session, record, asked, service().now())
    return _by_name(session, record, needs, ())


def _signers(session: Session, record: HandRecord, proposal: Proposal) -> Signers | None:
    """Who has to sign a proposal; None where it cannot be carried out as things stand."""
    try:
        needs = needs_of(session, proposal, service().quorum, service().now())
    except UnusableError:
        return None
    return _by_name(session, record, needs, signed_by(session, proposal))


def _by_name(
    session: Session, record: HandRecord, needs: SignersNeeded, signed: Collection[str]
) -> Signers:
    names = names_of(session, record)
    return Signers(
        each=needs.needed == "seats",
        others=needs.others(record),
        missing=[names[one] for one in needs.missing(signed)],
        seats=needs.seats,
    )


def corrections_of(proposal: Proposal) -> list[Raw]:
    """The corrections of a proposal, as they would be recorded."""
    return [{"type": one.type, "data": dict(one.data)} for one in proposal.event.corrections]


def _effect(
    session: Session, record: HandRecord, corrections: Sequence[JsonObject]
) -> Effect | None:
    """What a proposal comes to; None where it could not be recorded as things stand."""
    try:
        return effect_of(session, record, corrections)
    except UnusableError:
        return None


@dataclass(frozen=True, slots=True)
class SuggestionSearch:
    """What was found, and whether the search came to its end.

    ``tried`` and ``untried`` are how many corrections were tried, and how many were not.
    """

    found: Sequence[Suggested] = ()
    whole: bool = True
    tried: int = 0
    untried: int = 0


def suggested(id_: str, session: Session, record: HandRecord, holder: Holder) -> SuggestionSearch:
    """The corrections that would make the record of a hand agree, the likeliest first.

    None, and no end, where there is no room or no time to look for them now.
    """
    try:
        made, _ = made_of(
            id_,
            holder,
            jobs.suggest_corrections,
            record.match.number,
            record.number,
            search_seconds(),
        )
    except (BusyError, OverBudgetError):
        return SuggestionSearch(whole=False)
    told = json.loads(made)
    found = list(_suggested(session, record, told["suggestions"]))
    return SuggestionSearch(found, told["whole"], told["tried"], told["untried"])


def _suggested(session: Session, record: HandRecord, told: Sequence[Raw]) -> Iterator[Suggested]:
    complete = record.match.complete(record)
    lines = record.deal.result.lines if complete else ()
    now = {
        side: sum(one.points for one in lines if one.side == side) for side in record.match.sides
    }
    for one in told:
        if session.hidden.isdisjoint(_named(one["corrections"])):
            yield Suggested(
                corrections=one["corrections"],
                changes=changes(session, one["corrections"]),
                scores=[
                    (record.table.name(side), now[side], points)
                    for side, points in one["scores"].items()
                    if points != now[side]
                ],
                reason=one["corrections"][0]["data"].get("reason", ""),
            )


def _named(corrections: Sequence[JsonObject]) -> Iterator[int]:
    """The events that corrections name."""
    for one in corrections:
        yield one["data"].get("seq", one["data"].get("after"))


# ------------------------------------------------------------------------------------ courses


def _course(session: Session, record: HandRecord, dispute: Dispute) -> DisputeCourse:
    said = session.structure.said
    still = None if dispute.settled else said.open_proposal(record)
    return DisputeCourse(
        state=state(said, dispute),
        opened=[_word(session, entry) for entry in dispute.opened],
        closed=[_closed(session, one) for one in dispute.proposals if one is not still],
        ruling=_word(session, dispute.settled) if dispute.settled else None,
    )


def _closed(session: Session, proposal: Proposal) -> ClosedProposal:
    void = session.structure.said.void(proposal)
    return ClosedProposal(
        seq=proposal.entry.seq,
        reason=proposal.event.reason,
        changes=changes(session, corrections_of(proposal), proposal.entry.seq),
        why=_carried_out(session, proposal) or _why(proposal, void=void),
        void=[_word(session, entry) for _said, entry in proposal.signed] if void else [],
        declined=[_word(session, entry) for entry in proposal.declined],
    )


def _carried_out(session: Session, proposal: Proposal) -> str:
    """Who signed the proposal that settled its dispute; empty for any other."""
    courses = session.structure.said.courses[proposal.hand]
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


def _word(session: Session, entry: Entry) -> PlayersWord:
    event: Any = entry.event
    player = getattr(event, "player", "")
    by = "" if entry.by == player else entry.by
    text = getattr(event, "reason", "") or getattr(event, "text", "")
    name = session.structure.players.get(player, "")
    return PlayersWord(name, entry.seq, entry.at, session.structure.players.get(by, by), text)


# -------------------------------------------------------------------------------- the last word


def completes(session: Session, proposal: Proposal, player: str) -> bool:
    """Whether with the signature of a player there are enough.

    Raises `UnusableError`.
    """
    needs = needs_of(session, proposal, service().quorum, service().now())
    return not needs.missing(signed_by(session, proposal) | {player})


def ruling(record: HandRecord, kind: str, text: str, proposal: int | None) -> Raw:
    """What ends a dispute."""
    data: Raw = {
        "ruling": kind, "text": text, "match": record.match.number, "hand": record.number,
    }  # fmt: skip
    if proposal is not None:
        data["proposal"] = proposal
    return {"type": "dispute_settled", "data": data}


def open_proposal(session: Session, seq: int) -> Proposal:
    """A proposal that can be signed.

    Raises `UnusableError`.
    """
    proposal = session.structure.said.proposals.get(seq)
    if proposal is None:
        raise UnusableError(_("There is no such proposal."))
    if why_closed(session, proposal):
        raise UnusableError(_("This proposal can no longer be signed."))
    return proposal

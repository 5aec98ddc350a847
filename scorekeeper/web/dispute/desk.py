"""The dispute desk of a hand: the state of the dispute, and the possible actions."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import BusyError, OverBudgetError, UnusableError
from scorekeeper.base.views import from_json_values, to_json_values
from scorekeeper.events.disputes import Correction, DisputeSettled
from scorekeeper.events.event import Entry
from scorekeeper.http.answering import compute_from_session, search_seconds
from scorekeeper.http.extensions import service
from scorekeeper.repair.suggestion_views import HandSearchView, SuggestionView
from scorekeeper.report.agreements import get_dispute_state
from scorekeeper.service import Holder
from scorekeeper.service.quorum import SignersNeeded
from scorekeeper.service.rulings import names_of, needed_signers, signed_by, why_closed
from scorekeeper.session.disputes import Dispute, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.desk_parts import (
    ClosedProposal,
    Desk,
    DisputeCourse,
    Offer,
    PlayerAct,
    Raw,
    Signers,
    Suggested,
    SuggestionSearch,
    to_raw,
)
from scorekeeper.web.dispute.effect import describe_changes, effect_of
from scorekeeper.web.dispute.forms import reason_of
from scorekeeper.web.frame.ring import starting_with


def build_desk(session: Session, record: HandRecord, holder: Holder) -> Desk:
    """Return the state of the dispute about a hand, and the actions that the viewer has."""
    disputes = session.structure.disputes.disputes_by_hand.get(record.started.seq, [])
    is_open = bool(disputes) and disputes[-1].settled is None
    courses = [_build_course(session, record, dispute) for dispute in disputes]
    proposal = session.structure.disputes.find_open_proposal(record) if is_open else None
    names, order = record.match.names, starting_with(record.match.seats, holder.player)
    seats = list(_seats_acted_for({player: names[player] for player in order}, holder))
    until, late = _signature_window(session, record)
    return Desk(
        now=courses[-1] if is_open else None,
        offer=_build_offer(session, record, proposal, holder) if proposal else None,
        earlier=courses[:-1] if is_open else courses,
        seats=seats,
        host=holder.role == "host",
        own=holder.player,
        until=until,
        late=late,
        minutes=service().quorum.minutes,
    )


def _seats_acted_for(names: Mapping[str, str], holder: Holder) -> Iterator[tuple[str, str]]:
    """Yield the seats that a viewer acts for: the host for all, a player for their own."""
    for seat, name in names.items():
        if holder.role == "host" or holder.player == seat:
            yield seat, name


def _signature_window(session: Session, record: HandRecord) -> tuple[str, bool]:
    """Return until when one signature of each side is enough, and whether that time is over.

    The time is empty if the hand has no result.
    """
    quorum, now = service().quorum, service().now()
    result_time = quorum.result_at(session, record)
    if not result_time:
        return "", False
    ended = datetime.fromisoformat(result_time)
    until = ended + min(timedelta(minutes=quorum.minutes), datetime.max.replace(tzinfo=UTC) - ended)
    late = session.structure.closed is not None or datetime.fromisoformat(now) > until
    return until.isoformat().replace("+00:00", "Z"), late


# ----------------------------------------------------------------------------------- proposals


def _build_offer(session: Session, record: HandRecord, proposal: Proposal, holder: Holder) -> Offer:
    """Return an open proposal with its effect, its signers, and the viewer's seats."""
    corrections = proposal.event.corrections
    signers_so_far = set(session.structure.disputes.find_signers(proposal))
    needed, wrong = _signers_of_proposal(session, record, proposal)
    players = session.structure.players
    order = starting_with(record.match.seats, holder.player)
    ids = dict.fromkeys((*order, *(needed.seats if needed else ())))
    names = {player: players[player] for player in ids if player in players}
    seats = list(_seats_acted_for(names, holder))
    return Offer(
        seq=proposal.entry.seq,
        hash=session.corrections.recorded[proposal.wording[1]].hash,
        reason=proposal.event.reason,
        effect=effect_of(session, record, corrections) if needed else None,
        signers=needed,
        signed=[
            _player_act(session, entry)
            for entry in session.structure.disputes.list_valid_signatures(proposal)
        ],
        seats=seats,
        can_sign=[(seat, name) for seat, name in seats if seat not in signers_so_far],
        wrong=wrong,
    )


def signers_needed(
    session: Session, record: HandRecord, corrections: Sequence[Correction]
) -> Signers:
    """Return the players who would have to sign corrections of a hand.

    Raises `UnusableError` if the corrections cannot be recorded.
    """
    needs = service().quorum.needs(session, record, corrections, service().now())
    return _name_signers(session, record, needs, ())


def _signers_of_proposal(
    session: Session, record: HandRecord, proposal: Proposal
) -> tuple[Signers | None, str]:
    """Return the players who have to sign a proposal; None if it cannot be carried out, and why."""
    corrections = proposal.event.corrections
    try:
        needs = needed_signers(session, proposal, service().quorum, service().now())
        if not session.hidden:
            session.try_corrections(corrections, lambda: None)
    except UnusableError as error:
        return None, reason_of(error)
    return _name_signers(session, record, needs, signed_by(session, proposal)), ""


def _name_signers(
    session: Session, record: HandRecord, needs: SignersNeeded, signed: Collection[str]
) -> Signers:
    """Return the players who have to sign, with the names of those who have not `signed` yet."""
    names = names_of(session, record)
    return Signers(
        each=needs.needed == "seats",
        others=needs.others(record),
        missing=[names[player] for player in needs.missing(signed)],
        seats=needs.seats,
    )


def corrections_of(proposal: Proposal) -> list[Raw]:
    """Return the corrections of a proposal, as they would be recorded."""
    return list(map(to_raw, proposal.event.corrections))


def search_suggestions(
    id_: str, session: Session, record: HandRecord, holder: Holder
) -> SuggestionSearch:
    """Search for corrections that make the record of a hand consistent, the likeliest first.

    The result is empty and not ``whole`` if the server has no capacity or time for it now.
    """
    try:
        effect, _ = compute_from_session(
            id_,
            holder,
            jobs.suggest_corrections,
            record.match.number,
            record.number,
            search_seconds(),
        )
    except (BusyError, OverBudgetError):
        return SuggestionSearch(whole=False)
    search = from_json_values(HandSearchView, json.loads(effect))
    suggestions = list(_read_suggestions(session, record, search.suggestions))
    return SuggestionSearch(suggestions, search.whole, search.tried, search.untried)


def _read_suggestions(
    session: Session, record: HandRecord, suggestions: Sequence[SuggestionView]
) -> Iterator[Suggested]:
    """Yield the suggestions of the search; those that concern hidden events are left out."""
    complete = record.match.is_complete(record)
    lines = record.deal.result.lines if complete else ()
    now = {
        side: sum(line.points for line in lines if line.side == side) for side in record.match.sides
    }
    for suggestion in suggestions:
        corrections = [Correction(event.type, event.data) for event in suggestion.corrections]
        if session.hidden.isdisjoint(_seqs_named(corrections)):
            yield Suggested(
                corrections=list(map(to_json_values, suggestion.corrections)),
                changes=describe_changes(session, corrections),
                scores=[
                    (record.table.name(side), now[side], points)
                    for side, points in suggestion.scores.items()
                    if points != now[side]
                ],
                reason=corrections[0].data.get("reason", ""),
            )


def _seqs_named(corrections: Sequence[Correction]) -> Iterator[int]:
    """Yield the seqs of the events that corrections name."""
    for correction in corrections:
        yield correction.data.get("seq", correction.data.get("after"))


# ------------------------------------------------------------------------------------ courses


def _build_course(session: Session, record: HandRecord, dispute: Dispute) -> DisputeCourse:
    """Return the course of one dispute: who opened it, its closed proposals and its ruling."""
    disputes = session.structure.disputes
    open_one = None if dispute.settled else disputes.find_open_proposal(record)
    return DisputeCourse(
        state=get_dispute_state(disputes, dispute),
        opened=[_player_act(session, entry) for entry in dispute.opened],
        closed=[
            _describe_closed(session, proposal)
            for proposal in dispute.proposals
            if proposal is not open_one
        ],
        ruling=_player_act(session, dispute.settled) if dispute.settled else None,
    )


def _describe_closed(session: Session, proposal: Proposal) -> ClosedProposal:
    """Return a closed proposal in words, with the reason why it is closed."""
    void = session.structure.disputes.is_void(proposal)
    return ClosedProposal(
        seq=proposal.entry.seq,
        reason=proposal.event.reason,
        changes=describe_changes(session, proposal.event.corrections, proposal.entry.seq),
        why=_signed_by_if_carried_out(session, proposal) or _why_closed(proposal, void=void),
        void=[_player_act(session, entry) for _said, entry in proposal.signed] if void else [],
        declined=[_player_act(session, entry) for entry in proposal.declined],
    )


def _signed_by_if_carried_out(session: Session, proposal: Proposal) -> str:
    """Return a text with the names of the signers if the proposal settled a dispute; else empty."""
    courses = session.structure.disputes.disputes_by_hand[proposal.hand]
    rulings = [dispute.settled.event for dispute in courses if dispute.settled]
    seqs = [event.proposal for event in rulings if isinstance(event, DisputeSettled)]
    if proposal.entry.seq not in seqs:
        return ""
    names = [_player_act(session, entry).player for _said, entry in proposal.signed]
    return str(_("signed by %(names)s", names=", ".join(dict.fromkeys(names))))


def _why_closed(proposal: Proposal, *, void: bool) -> str:
    """Return why a proposal is closed, in words."""
    if proposal.declined:
        return str(_("declined"))
    if void:
        return str(_("void: the hand was changed after it"))
    return str(_("closed with the dispute") if proposal.settled else _("passed over"))


def _player_act(session: Session, entry: Entry) -> PlayerAct:
    """Return an entry of the dispute as an act of its player."""
    event: Any = entry.event
    player = getattr(event, "player", "")
    by = "" if entry.by == player else entry.by
    text = getattr(event, "reason", "") or getattr(event, "text", "")
    name = session.structure.players.get(player, "")
    return PlayerAct(name, entry.seq, entry.at, session.structure.players.get(by, by), text)


# -------------------------------------------------------------------------------- the last word


def completes_proposal(session: Session, proposal: Proposal, player: str) -> bool:
    """Return whether the signature of a player completes a proposal.

    Raises `UnusableError` if the proposal cannot be carried out.
    """
    needs = needed_signers(session, proposal, service().quorum, service().now())
    return not needs.missing(signed_by(session, proposal) | {player})


def ruling_event(record: HandRecord, kind: str, text: str, proposal: int | None) -> Raw:
    """Return the event that ends the dispute about a hand.

    `kind` is `corrected`, `upheld` or `unresolved`; `proposal` is the seq of the proposal that is
    carried out.
    """
    data: Raw = {
        "ruling": kind, "text": text, "match": record.match.number, "hand": record.number,
    }  # fmt: skip
    if proposal is not None:
        data["proposal"] = proposal
    return {"type": "dispute_settled", "data": data}


def find_signable_proposal(session: Session, seq: int) -> Proposal:
    """Return the open proposal with this seq.

    Raises `UnusableError` if there is none, or it can no longer be signed.
    """
    proposal = session.structure.disputes.proposals.get(seq)
    if proposal is None:
        raise UnusableError(_("There is no such proposal."))
    if why_closed(session, proposal):
        raise UnusableError(_("This proposal can no longer be signed."))
    return proposal

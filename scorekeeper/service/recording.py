"""Recording: validate and seal new events in order, and answer repeated requests."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from scorekeeper.base.errors import (
    Cause,
    ForbiddenError,
    IrregularError,
    NoQuorumError,
    UnusableError,
)
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import CorrectionBegun, EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Entry, Event
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER, add_salt, find_hidden_parts
from scorekeeper.log.sets import refuse_unfinished
from scorekeeper.play.scoring import Finding
from scorekeeper.report.masking import face_down_seqs
from scorekeeper.report.report import view_finding
from scorekeeper.service.confirmed import ConfirmedHand, confirmed_hands_at_risk, refuse_changed
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.judge import Judge, is_irregular
from scorekeeper.service.name_twins import NamingCheck, refuse_proposed_twins
from scorekeeper.service.option_conflicts import refuse_conflicts
from scorekeeper.service.permissions import (
    TURNED_UP,
    determine_author,
    recorded_by,
    refuse_event,
    refuse_role,
    refuse_set,
)
from scorekeeper.service.put_in import refuse_proposed_match, refuse_put_in
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.requests import AppendRequest
from scorekeeper.service.rulings import refuse_proposal, refuse_reply, refuse_ruling
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.session.ordering import find_proposal
from scorekeeper.session.session import Session
from scorekeeper.store import StoredLine, sealed
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import NewEvent

CORRECTED: Final = "corrected"


class Unit(NamedTuple):
    """An event or a set that is validated as a whole, with the hands that it must not change.

    ``lay`` are the seqs that lay face down before it, if a seat takes something back; ``place`` is
    the place of its first event in the request.
    """

    by: str = KEEPER
    bound: Sequence[ConfirmedHand] = ()
    lay: frozenset[int] | None = None
    place: int = 0
    members: Sequence[Event] = ()


class SessionViews(NamedTuple):
    """A session as recorded, and as the holder of a key knows it.

    A refusal reveals the facts that it depends on. So proposals, and what players say of them, are
    checked against ``known`` first.
    """

    session: Session
    known: Session


def validate_and_seal(
    folded: FoldedSession,
    asked: AppendRequest,
    holder: Holder,
    judge: Judge,
    at: str,
    quorum: Quorum,
) -> tuple[list[StoredLine], list[Finding]]:
    """Add the events of a request to the cached session; return their lines and new findings.

    ``judge`` compares the findings, ``at`` is the time of recording. Raises the errors of
    `Service.record` that depend on the events, with the place of the event in the field.
    """
    if not asked.events:
        raise UnusableError(Cause("no event to record", "nothing"), field="events")
    lines: list[StoredLine] = []
    first = folded.position.version + 1
    agreed = 0  # how many of the next events are corrections that enough have signed
    unit, naming = Unit(), NamingCheck(folded.session)
    for place, new in enumerate(asked.events):
        try:
            event = decode_new_event(folded.session, new)
            if agreed:
                agreed -= 1
                unit = Unit(determine_author(holder, folded.session, event))
            elif not folded.session.inside_a_set:
                known = folded.view(sees_all=holder.sees_all).session
                views = SessionViews(folded.session, known)
                agreed = _check_permitted(views, event, asked, place, holder, at, quorum)
                members = _decode_set_members(folded.session, event, asked.events[place + 1 :])
                takes_back = holder.role == "seat" and isinstance(
                    event, EventStruck | CorrectionBegun
                )
                unit = Unit(
                    determine_author(holder, folded.session, event, members),
                    confirmed_hands_at_risk(folded.session, event, holder, members),
                    face_down_seqs(folded.session) if takes_back else None,
                    place,
                    members,
                )
            hides = isinstance(event, CorrectionBegun) and any(
                any(find_hidden_parts(member)) for member in unit.members
            )
            lines.append(seal_and_add(folded, new, event, unit.by, at, hides=hides))
            refuse_invisible(event)
            if place == len(asked.events) - 1:
                refuse_unfinished(folded.session.corrections.open_set)
            if not folded.session.inside_a_set:
                naming.observe(event, place)
                refuse_changed(folded.session, unit.bound)
                if unit.lay is not None:
                    own = {line.seq for line in lines[unit.place :]}
                    _refuse_newly_hidden(folded.session, unit.lay | own, holder)
                judge.observe()
        except UnusableError as error:
            at_fault = place if error.culprit is None else error.culprit - first
            error.field = ".".join(filter(None, ("events", str(at_fault), error.field)))
            raise
    naming.refuse_twins()
    irregular = [finding for finding in judge.new_to_ask() if is_irregular(finding)]
    if irregular and not asked.as_played:
        raise IrregularError([view_finding(folded.session, finding) for finding in irregular])
    return lines, judge.new()


def _refuse_newly_hidden(session: Session, lay: frozenset[int], holder: Holder) -> None:
    """Raise `ForbiddenError` if entries of other players lie face down again.

    ``lay`` are the seqs that may lie face down. All players have seen the others.
    """
    if not all(recorded_by(session, seq, holder) for seq in face_down_seqs(session) - lay):
        raise ForbiddenError(TURNED_UP)


def _check_permitted(
    views: SessionViews,
    event: Event,
    asked: AppendRequest,
    place: int,
    holder: Holder,
    at: str,
    quorum: Quorum,
) -> int:
    """Return how many of the events after this one are corrections that were signed before.

    Raises `ForbiddenError`, `NoQuorumError` or `UnusableError` if the event may not be recorded.
    """
    session, known = views
    if isinstance(event, DisputeSettled) and event.ruling == CORRECTED:
        refuse_role(holder, "host", "seat")
        if event.proposal is not None:
            following = asked.events[place + 1 :]
            refuse_ruling(known, event, following, quorum, at)
            return refuse_ruling(session, event, following, quorum, at)
        refuse_event(holder, session, event)
        if not asked.as_played:
            raise NoQuorumError("no signed proposal is named; is it the host's ruling, as_played?")
        return 0
    if isinstance(event, CorrectionBegun):
        members = _decode_set_members(session, event, asked.events[place + 1 :])
        refuse_set(holder, session, event, members)
        for member in members:
            refuse_put_in(session, member, as_played=asked.as_played)
        return 0
    refuse_event(holder, session, event)
    if isinstance(event, CorrectionProposed):
        refuse_proposal(known, event)
        refuse_proposed_match(known, event)
    elif isinstance(event, MatchStarted):
        refuse_conflicts(event)
    elif isinstance(event, ProposalSigned | ProposalDeclined):
        refuse_reply(known, event)
    refuse_put_in(session, event, as_played=asked.as_played)
    proposed = find_proposal(event)
    if proposed is not None:
        players = known.try_corrections(proposed.corrections, lambda: dict(known.structure.players))
        refuse_proposed_twins(known.structure.players, players)
    return 0


def _decode_set_members(
    session: Session, event: Event, following: Sequence[NewEvent]
) -> tuple[Event, ...]:
    """Return the corrections of the set that an event begins, up to the first invalid one."""
    if not isinstance(event, CorrectionBegun):
        return ()
    members = []
    for new in following[: event.count]:
        try:
            members.append(decode_new_event(session, new))
        except UnusableError:
            break  # it is refused in its turn
    return tuple(members)


def decode_new_event(session: Session, new: NewEvent) -> Event:
    """Decode a new event by the types of the session's game. Raises `UnusableError`."""
    types = session.game.by_type if session.game else codec.COMMON_TYPES
    return codec.decode(new.type, new.data, types)


def seal_and_add(
    folded: FoldedSession, new: NewEvent, event: Event, by: str, at: str, *, hides: bool = False
) -> StoredLine:
    """Seal a new event, add it to the cached session, and return its line.

    Hidden parts get a salt, and a match the version of its rules. ``hides`` is true if the event
    begins a set that inserts an event that can lie face down.
    """
    data = new.data
    if isinstance(event, MatchStarted) and event.rules is None and event.game in GAMES:
        data = {**data, "rules": GAMES[event.game].version}
    if hides or not isinstance(event, CorrectionBegun):
        data = add_salt(new.type, data)
    if data is not new.data:
        event = decode_new_event(folded.session, NewEvent(new.type, data))
    (line,) = sealed(folded.position, [(new.type, data)], at, by)
    folded.add(Entry(line.seq, event, at, by, line.hash), line.line)
    return line

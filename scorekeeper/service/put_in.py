"""Checks of the events that corrections insert: the same as for events themselves."""

from contextlib import suppress

from scorekeeper.base.errors import NoQuorumError, UnusableError
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.log.corrected import Undecoded
from scorekeeper.service.option_conflicts import refuse_conflicts
from scorekeeper.service.proposed_places import refuse_outside_hand
from scorekeeper.service.rulings import refuse_proposal, refuse_reply
from scorekeeper.session.session import Session


def refuse_put_in(session: Session, event: Event, *, as_played: bool) -> None:
    """Raise an error if a correction inserts an event that would be refused by itself.

    These are a proposal, a signature or refusal of one, a ruling, and a match with conflicting
    options. A correction that only rewords such an event is allowed, and any other event is, too.
    Raises `UnusableError` with the field, or `NoQuorumError` for a ruling that too few players
    signed.
    """
    if not isinstance(event, EventInserted | EventReplaced):
        return
    try:
        put = codec.decode(event.type, event.data)
    except UnusableError:
        return  # an event of a game, or one that the replay refuses
    try:
        _refuse_inserted(session, put, _find_replaced(session, event), as_played=as_played)
    except UnusableError as error:
        error.field = f"data.{error.field}"
        raise


def refuse_proposed_match(session: Session, event: CorrectionProposed) -> None:
    """Raise `UnusableError` if a proposal inserts a match with conflicting options.

    The field of the error names the correction.
    """
    for place, proposed in enumerate(event.corrections):
        if proposed.data.get("type") != MatchStarted.TYPE:
            continue
        try:
            correction = codec.decode(proposed.type, proposed.data)
        except UnusableError:
            continue  # the replay reports the error
        try:
            refuse_put_in(session, correction, as_played=False)
        except UnusableError as error:
            error.field = f"data.corrections.{place}.{error.field}"
            raise


def _find_replaced(session: Session, event: EventInserted | EventReplaced) -> Event | None:
    """Return the event that a correction replaces; None if it is no common event, or inserts."""
    if isinstance(event, EventInserted) or event.seq not in session.corrections.recorded:
        return None
    entry = session.corrections.reading(event.seq)
    standing = None if entry is None else entry.event
    if isinstance(standing, Undecoded):
        with suppress(UnusableError):
            return codec.decode(standing.type, standing.data)
        return None
    return standing


def _refuse_inserted(
    session: Session, put: Event, before: Event | None, *, as_played: bool
) -> None:
    """Raise the errors of `refuse_put_in` for the inserted event ``put``.

    ``before`` is the event that it replaces, if any.
    """
    match put:
        case MatchStarted():
            refuse_conflicts(put, before)
        case CorrectionProposed() if isinstance(before, CorrectionProposed):
            refuse_outside_hand(
                session, session.structure.disputes.find_named_hand(put), put.corrections
            )
        case CorrectionProposed():
            refuse_proposal(session, put)
        case ProposalSigned() | ProposalDeclined() if put != before:
            refuse_reply(session, put)
        case DisputeSettled(ruling="corrected"):
            was = (before.ruling, before.proposal) if isinstance(before, DisputeSettled) else None
            if was == (put.ruling, put.proposal):
                return
            if put.proposal is not None:
                raise NoQuorumError(
                    "a ruling by a proposal is recorded itself, with its corrections"
                )
            if not as_played:
                raise NoQuorumError(
                    "no signed proposal is named; is it the host's ruling, as_played?"
                )

"""``/t/<session_id>/d/<match>-<hand>``: the dispute desk, from the opening to the ruling."""

from collections.abc import Callable, Sequence
from functools import partial, wraps

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _

from scorekeeper.base.errors import IrregularError, NoQuorumError, StaleVersionError, UnusableError
from scorekeeper.events.disputes import Correction
from scorekeeper.http.extensions import service
from scorekeeper.log import codec
from scorekeeper.log.writing import encode_text
from scorekeeper.service import AppendRequest, NewEvent
from scorekeeper.service.amending import (
    is_disputable,
    may_amend,
    may_correct_alone,
)
from scorekeeper.service.meanwhile import Harmless, all_harmless, leaves_signature
from scorekeeper.service.permissions import refuse_role
from scorekeeper.service.proposed_places import refuse_outside_hand
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.amend import (
    addable_kinds,
    as_a_set,
    correctable_event_at,
    data_of_kind,
    form_fields,
    type_of_kind,
)
from scorekeeper.web.dispute.desk import (
    build_desk,
    completes_proposal,
    corrections_of,
    find_signable_proposal,
    ruling_event,
    signers_needed,
)
from scorekeeper.web.dispute.desk_parts import Raw
from scorekeeper.web.dispute.drawing import (
    ACCEPTED_BY_ALL,
    PageAnswer,
    has_form,
    render_desk,
    render_whole_form,
    requested_corrections,
    trick_numbers,
)
from scorekeeper.web.dispute.effect import effect_of
from scorekeeper.web.dispute.forms import (
    MAX_REASON_CHARACTERS,
    acting_player,
    acting_viewer,
    clean_text,
    desk_url,
    hand_reference,
    parse_whole_number,
    read_corrections,
    reason_of,
    typed_text,
)
from scorekeeper.web.frame.form_keys import form_digest
from scorekeeper.web.phone.viewer import viewer_of
from scorekeeper.web.phone.witness import remember_head
from scorekeeper.web.review.hand_story import review_hand
from scorekeeper.web.review.review import copy_session, find_hand
from scorekeeper.web.wording import dispute_reasons
from scorekeeper.web.wording.whole_kinds import WHOLE_WORDS

blueprint = Blueprint("dispute", __name__, url_prefix="/t/<session_id>/d/<int:match>-<int:hand>")
blueprint.after_request(remember_head)


# -------------------------------------------------------------------------------------- pages


@blueprint.get("")
def page(session_id: str, match: int, hand: int) -> str:
    """Show the state of the dispute about a hand, or offer to open one."""
    return render_desk(session_id, match, hand)


@blueprint.get("/e/<int:seq>")
def entry(session_id: str, match: int, hand: int, seq: int) -> PageAnswer:
    """Ask for the correct content of an entry, or for the entry that was left out after it."""
    session, holder = copy_session(session_id)
    record = find_hand(session, match, hand)
    event = correctable_event_at(session, record, seq)
    if event is None or not may_amend(record, holder) or seq in session.hidden:
        return redirect(desk_url(session_id, match, hand), 303)  # type: ignore[return-value]
    added = request.args.get("insert", "")
    data = data_of_kind(added) if added else codec.encode(event)
    kind = type_of_kind(record, added) if added else type(event)
    if kind is None:
        return redirect(desk_url(session_id, match, hand), 303)  # type: ignore[return-value]
    past = review_hand(session, record, holder.player)
    return render_template(
        "dispute/entry.html",
        id=session_id, seen=past, seq=seq, added=added,
        words=next((event_line.words for event_line in past.events if event_line.seq == seq), ""),
        trick=trick_numbers(record).get(seq),
        fields=form_fields(record, kind, data, holder.player), kinds=addable_kinds(record),
        offered=dispute_reasons.LEFT_OUT if added else dispute_reasons.MISTAKEN,
        untrue=dispute_reasons.UNTRUE, begins=seq == record.started.seq,
    )  # fmt: skip


@blueprint.get("/whole/<kind>")
def whole(session_id: str, match: int, hand: int, kind: str) -> PageAnswer:
    """Ask what was so in truth of a whole thing: a hand, a player, the rules, the seats."""
    return render_whole_form(session_id, match, hand, kind)


@blueprint.route("/preview", methods=["GET", "POST"])
def preview(session_id: str, match: int, hand: int) -> PageAnswer:
    """Show the effect of corrections before they are proposed.

    Corrections of many entries come in a form, since an address is too short.
    """
    session, holder = copy_session(session_id)
    record = find_hand(session, match, hand)
    try:
        wanted = requested_corrections(session, record, holder)
        corrections = [Correction(**correction) for correction in wanted]
        refuse_outside_hand(session, record, corrections)
        effect = effect_of(session, record, corrections)
        who = signers_needed(session, record, corrections) if is_disputable(record) else None
    except UnusableError as error:
        kind = request.values.get("whole", "")
        if has_form(record, kind) and may_amend(record, holder):
            return render_whole_form(session_id, match, hand, kind, reason_of(error)), 422  # type: ignore[return-value]
        return render_desk(session_id, match, hand, reason_of(error)), 422
    kind = request.values.get("whole", "")
    alone = bool(kind) and may_correct_alone(session, corrections, holder)
    if kind and who is None and not alone:
        return render_desk(session_id, match, hand, str(ACCEPTED_BY_ALL)), 422
    return render_template(
        "dispute/preview.html",
        id=session_id,
        seen=review_hand(session, record, holder.player),
        desk=build_desk(session, record, holder),
        effect=effect,
        whole=WHOLE_WORDS.get(kind),
        signers=who,
        alone=alone,
        corrections=encode_text(wanted),
        reason=dispute_reasons.reason_of_form(request.values)[:MAX_REASON_CHARACTERS],
        version=session.events,
    )


# --------------------------------------------------------------------------------------- acts


def records_events(
    view: Callable[..., Sequence[Raw]],
    back: str = "dispute.page",
    harmless: Callable[[Session, HandRecord], Harmless] | None = None,
) -> Callable[..., PageAnswer]:
    """Decorate a function that returns the events of a form, and return a view that records them.

    A form is recorded once, then the view redirects to the endpoint `back`. Errors show the desk
    with a message. If others recorded entries since the form was drawn, it is still recorded if all
    of them are `harmless`.
    """

    @wraps(view)
    def wrapped(session_id: str, match: int, hand: int) -> PageAnswer:
        holder = viewer_of(session_id)
        refuse_role(holder, "host", "seat")
        address = desk_url(session_id, match, hand)

        def events_to_record(session: Session) -> tuple[NewEvent, ...]:
            events = view(session, find_hand(session, match, hand))
            return tuple(NewEvent(event["type"], event["data"]) for event in events)

        def follows(session: Session) -> bool:
            if harmless is None or not has_hand(match, hand, session):
                return False
            return all_harmless(
                session, version, harmless(session, find_hand(session, match, hand))
            )

        try:
            version, digest = parse_whole_number(request.form.get("version", "")), form_digest()
            append = AppendRequest(
                version, as_played=True, key=digest.hex() or None, digest=digest,
                build_events=events_to_record, follows=follows,
            )  # fmt: skip
            service().record(session_id, append, holder)
        except StaleVersionError:
            return redirect(f"{address}?stale=1", 303)  # type: ignore[return-value]
        except (UnusableError, NoQuorumError, IrregularError) as error:
            return render_desk(session_id, match, hand, reason_of(error)), 422
        if back == "table.page" or not service().see(session_id, partial(has_hand, match, hand)):
            address = url_for("table.page", session_id=session_id)
        return redirect(address, 303)  # type: ignore[return-value]

    return wrapped


def has_hand(match: int, hand: int, session: Session) -> bool:
    """Return whether a session has a hand of these numbers; a correction may have removed it."""
    matches = session.structure.matches
    return match <= len(matches) and hand <= len(matches[match - 1].hands)


@blueprint.post("/open")
@records_events
def open_dispute(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the event that disputes a hand, from the form.

    Raises `UnusableError` if the hand is still being played, or no reason was chosen.
    """
    if not is_disputable(record):
        raise UnusableError(_("This hand is still being played."))
    wrong = dispute_reasons.WRONG.get(request.form.get("reason", ""))
    if wrong is None:
        raise UnusableError(_("Choose what is wrong."))
    reason = dispute_reasons.with_note(wrong, typed_text("note"))
    return [
        {
            "type": "hand_disputed",
            "data": {"player": acting_player(), "reason": reason, **hand_reference(record)},
        }
    ]


@blueprint.post("/propose")
@records_events
def propose(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the event that proposes the form's corrections.

    They have no effect before they are signed. If the hand is not disputed yet, an event that opens
    the dispute comes first.
    """
    reason = clean_text(dispute_reasons.reason_of_form(request.form))
    if not reason:
        raise UnusableError(_("Say why: a proposal needs a reason."))
    wanted = read_corrections(request.form.get("corrections", ""))
    corrections = [Correction(**correction) for correction in wanted]
    after = session.try_corrections(
        corrections,
        lambda: [match.seats for match in session.structure.matches],
        after_end=bool(session.hidden),  # whether a match has ended may depend on these
    )
    data = {"corrections": wanted, "reason": reason}
    proposed = {"type": "correction_proposed", "data": {**data, **hand_reference(record)}}
    number, player = record.match.number, acting_player()
    leaves = player in set(record.match.seats).difference(*after[number - 1 : number])
    if record.started.seq in session.structure.disputed or leaves:
        return [proposed]
    opening = {"player": player, "reason": reason, **hand_reference(record)}
    return [{"type": "hand_disputed", "data": opening}, proposed]


@blueprint.post("/correct")
@partial(records_events, back="table.page")
def correct(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the form's corrections that need no signature.

    They are of a hand that is still being played, or of a whole thing that the host may correct
    alone. Raises `UnusableError` if they need signatures, or go too far.
    """
    wanted = read_corrections(request.form.get("corrections", ""))
    corrections = [Correction(**correction) for correction in wanted]
    alone = "whole" in request.form and may_correct_alone(session, corrections, acting_viewer())
    if "whole" in request.form and not alone and not is_disputable(record):
        raise UnusableError(ACCEPTED_BY_ALL)
    if is_disputable(record) and not alone:
        raise UnusableError(
            _("This hand is over by now: propose the correction, so that it can be signed.")
        )
    refuse_outside_hand(session, record, corrections)
    return as_a_set(wanted, clean_text(dispute_reasons.reason_of_form(request.form)))


def harmless_for_signature(session: Session, record: HandRecord) -> Harmless:
    """Return a predicate for entries since the form that do not affect a signature.

    These are others' signatures and the play of other hands.
    """
    proposal = parse_whole_number(request.form.get("proposal", ""))
    return leaves_signature(session, acting_player(), proposal, record)


@blueprint.post("/sign")
@partial(records_events, harmless=harmless_for_signature)
def sign(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the event that signs a proposal.

    If it is the last signature needed, the ruling and the corrections follow.
    """
    proposal = find_signable_proposal(session, parse_whole_number(request.form.get("proposal", "")))
    player = acting_player()
    signed = {"type": "proposal_signed",
              "data": {"proposal": proposal.entry.seq, "player": player}}  # fmt: skip
    if not completes_proposal(session, proposal, player):
        return [signed]
    end = ruling_event(record, "corrected", proposal.event.reason, proposal.entry.seq)
    return [signed, end, *corrections_of(proposal)]


@blueprint.post("/apply")
@records_events
def carry_out(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the ruling and the corrections of a proposal that has enough signatures."""
    proposal = find_signable_proposal(session, parse_whole_number(request.form.get("proposal", "")))
    end = ruling_event(record, "corrected", proposal.event.reason, proposal.entry.seq)
    return [end, *corrections_of(proposal)]


@blueprint.post("/decline")
@records_events
def decline(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the event that declines a proposal, which closes it."""
    proposal = find_signable_proposal(session, parse_whole_number(request.form.get("proposal", "")))
    data = {"proposal": proposal.entry.seq, "player": acting_player()}
    return [{"type": "proposal_declined", "data": data}]


@blueprint.post("/settle")
@records_events
def settle(session: Session, record: HandRecord) -> Sequence[Raw]:
    """Return the event that ends a dispute with the score as it stands.

    Raises `UnusableError` if none is open, or the ruling is unknown.
    """
    kind = request.form.get("ruling", "")
    if kind not in ("upheld", "unresolved"):
        raise UnusableError(_("Choose how the dispute ends."))
    if record.started.seq not in session.structure.disputed:
        raise UnusableError(_("No dispute about this hand is open."))
    return [ruling_event(record, kind, typed_text("text"), None)]

"""The pages of the dispute desk as HTML, and the corrections that their requests name."""

from typing import Final

from flask import Response, redirect, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.writing import encode_text
from scorekeeper.service import Holder
from scorekeeper.service.amending import editable_types, is_disputable, may_amend
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.amend import build_corrections
from scorekeeper.web.dispute.desk import build_desk, search_suggestions
from scorekeeper.web.dispute.desk_parts import Raw, SuggestionSearch, to_raw
from scorekeeper.web.dispute.forms import desk_url, read_corrections
from scorekeeper.web.dispute.whole import (
    build_whole_corrections,
    build_whole_form,
    find_kind,
    list_whole_links,
)
from scorekeeper.web.review.hand_story import review_hand
from scorekeeper.web.review.review import copy_session, find_hand
from scorekeeper.web.wording import dispute_reasons

PageAnswer = str | Response | tuple[str, int]
ACCEPTED_BY_ALL: Final = _l(
    "This would change a hand that every side has accepted: open a dispute about that hand."
)
MAX_LISTED_HANDS: Final = 100  # more than an evening has; the results list all of them
REMOVE_HAND: Final = "remove_hand"  # the kind of whole correction without anything to fill in


def render_desk(session_id: str, match: int, hand: int, wrong: str = "") -> str:
    """Return the HTML page of the dispute desk, with an error message, if any."""
    session, holder = copy_session(session_id)
    record = find_hand(session, match, hand)
    on_desk = build_desk(session, record, holder)
    amending = may_amend(record, holder) and on_desk.offer is None
    proposing = on_desk.now is not None and amending
    return render_template(
        "dispute/page.html",
        id=session_id,
        seen=review_hand(session, record, holder.player),
        desk=on_desk,
        search=search_suggestions(session_id, session, record, holder)
        if proposing
        else SuggestionSearch(),
        chips=dispute_reasons.WRONG,
        version=session.events,
        wrong=wrong,
        stale="stale" in request.args,
        as_json=encode_text,
        whole=list_whole_links(record) if amending else (),
        editable={declared_type.TYPE for declared_type in editable_types(record.game)}
        if amending
        else (),
        trick_of=trick_numbers(record),
        hands=_list_hands(session),
    )


def _list_hands(session: Session) -> dict[int, range]:
    """Return the numbers of the latest hands by the number of their match, the last one first."""
    listed, left = dict[int, range](), MAX_LISTED_HANDS
    for match in reversed(session.structure.matches):
        numbers = range(len(match.hands), 0, -1)[:left]
        if numbers:
            listed[match.number] = numbers
            left -= len(numbers)
    return listed


def trick_numbers(record: HandRecord) -> dict[int, int]:
    """Return the number of the trick by the seq of each event that belongs to one."""
    return {seq: trick.number for trick in record.deal.tricks for seq in trick.events()}


def render_whole_form(
    session_id: str, match: int, hand: int, kind: str, wrong: str = ""
) -> PageAnswer:
    """Return the HTML form of a kind of whole correction, with an error message, if any."""
    session, holder = copy_session(session_id)
    record = find_hand(session, match, hand)
    if kind not in dict(list_whole_links(record)) or not may_amend(record, holder):
        return redirect(desk_url(session_id, match, hand), 303)  # type: ignore[return-value]
    asked = find_kind(record, kind)
    return render_template(
        "dispute/whole.html",
        id=session_id,
        seen=review_hand(session, record, holder.player),
        asked=build_whole_form(session, record, asked, request.values, holder.player),
        wrong=wrong,
    )


def has_form(record: HandRecord, kind: str) -> bool:
    """Return whether a hand can have a kind of whole correction that has something to fill in."""
    return kind != REMOVE_HAND and kind in dict(list_whole_links(record))


def requested_corrections(session: Session, record: HandRecord, holder: Holder) -> list[Raw]:
    """Return the corrections that an address or a form names.

    Raises `UnusableError` if they are malformed, or the hand is still being played.
    """
    if not (is_disputable(record) or may_amend(record, holder)):
        raise UnusableError(_("This hand is still being played."))
    if "pick" in request.values:
        return read_corrections(request.values["pick"])
    reason, kind = dispute_reasons.reason_of_form(request.values), request.values.get("whole", "")
    seq = request.args.get("seq", "")
    if seq == str(record.started.seq) and "strike" in request.args and record.number > 1:
        kind = REMOVE_HAND  # without its start, the hand would fall into the one before
    if kind:
        built = build_whole_corrections(
            session, record, find_kind(record, kind), request.values, reason
        )
        return [to_raw(correction) for correction in built]
    if not seq.isdecimal() or len(seq) > 15:
        raise UnusableError(_("Choose what should be corrected."))
    return build_corrections(session, record, request.args, int(seq), reason)

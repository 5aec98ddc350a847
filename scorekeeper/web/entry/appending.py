"""Turn a submitted form into an append request for the hand that the form was made for.

If others recorded something since the form was drawn, it is still recorded as long as its meaning
is unchanged; else the viewer is asked.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from flask_babel import gettext as _

from scorekeeper.base.errors import (
    Cause,
    ForbiddenError,
    IrregularError,
    UnusableError,
    why_of,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import HandStarted, MatchEnded, MatchStarted, NoteAdded
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.events.event import IN_A_HAND, Event, Place
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.game import Classes
from scorekeeper.log import codec
from scorekeeper.report.next_events import NextEvents
from scorekeeper.service import AppendRequest, Holder, NewEvent, meanwhile
from scorekeeper.service.permissions import SIGNING_EVENTS, SIGNS_ONLY, SITS_ELSEWHERE
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.steps import without_hidden_fields
from scorekeeper.web.forms.sent import SentForm, complete_order
from scorekeeper.web.forms.stopping import find_unfinished
from scorekeeper.web.review.acceptance import find_acceptance, has_signed

# Stands for the player whose turn it is, when the earlier entries of this phone are recorded.
DUE: Final = "*"
ACCEPTED_ALREADY: Final = "accepted_already"
ANOTHER_HAND: Final = "for_another_hand"
SIGNING_TYPES: Final = {event.TYPE for event in SIGNING_EVENTS}
LEAVES_A_HAND: Final = (HandStarted.TYPE, MatchStarted.TYPE, MatchEnded.TYPE)


def refuse_late(sent: SentForm, holder: Holder) -> None:
    """Raise `ForbiddenError` if the form comes too late from a player of a tournament.

    Their round is over and the form does not only sign, or their seat was exchanged. This comes
    before the question of what others recorded meanwhile: no answer to that would help.
    """
    signs = bool(sent.events) and all(new.type in SIGNING_TYPES for new in sent.events)
    if holder.only_signs and not signs:
        raise ForbiddenError(SIGNS_ONLY)
    if sits_elsewhere(holder):
        raise ForbiddenError(SITS_ELSEWHERE)


def sits_elsewhere(holder: Holder) -> bool:
    """Return whether the holder plays in the tournament of the table, and at another table."""
    return holder.role == "view" and holder.key is not None and holder.key.role == "seat"


def append_sent(sent: SentForm, holder: Holder) -> AppendRequest:
    """Return the request to append the events of a form.

    Raises `UnusableError` if nothing was chosen in a form that needs a choice.
    """
    if sent.bare:
        raise UnusableError(str(_("Choose the cards first")))
    return AppendRequest(
        sent.version,
        as_played=sent.as_played or sent.leaves is not None,
        key=sent.key,
        digest=sent.digest,
        build_events=lambda session: _events_to_record(session, sent, holder),
        follows=lambda session: keeps_meaning(session, sent, holder),
    )


def _events_to_record(session: Session, sent: SentForm, holder: Holder) -> tuple[NewEvent, ...]:
    """Return the events of a form as they are recorded, with the start of their hand if needed.

    Raises `UnusableError` with the cause `ACCEPTED_ALREADY` if the hand is accepted already, and
    `IrregularError` if a hand without a result would be left behind that the form does not name.
    """
    if accepted_already(session, sent, holder):
        raise UnusableError(Cause("the player has accepted this hand already", ACCEPTED_ALREADY))
    events = events_with_hand_start(session, sent, holder)
    leaves = any(new.type in LEAVES_A_HAND for new in events) and not sent.as_played
    unfinished = find_unfinished(session) if leaves else None
    if unfinished is not None and unfinished.key != sent.leaves:
        raise IrregularError([])  # the page says what is missing
    return events


def accepted_already(session: Session, sent: SentForm, holder: Holder) -> bool:
    """Return whether a form only accepts a hand that its player has accepted as it now stands.

    A seat accepts for nobody else, so what a seat sends for another player is judged as always.
    """
    if len(sent.events) != 1:
        return False
    new = sent.events[0]
    inserts = new.type == EventInserted.TYPE and new.data.get("type") == HandConfirmed.TYPE
    if not inserts and new.type != HandConfirmed.TYPE:
        return False
    data = new.data.get("data") if inserts else new.data
    player = data.get("player") if isinstance(data, Mapping) else None
    if not isinstance(player, str) or (holder.role == "seat" and player != holder.player):
        return False
    hand = _hand_of_form(session, sent)
    return hand is not None and has_signed(session, hand, player)


def events_with_hand_start(
    session: Session, sent: SentForm, holder: Holder
) -> tuple[NewEvent, ...]:
    """Return the events of a form, preceded by the start of their hand if it has not begun.

    If the hand is already open, the second phone that began it continues it. Raises `UnusableError`
    if the events are for another hand than the one in which they would stand.
    """
    coming = NextEvents(session)
    types = types_at(session)
    ordered = _hidden_events_last(sent.events, types)
    by_player = [_correct_card_player(session, new, sent, holder) for new in ordered]
    due = (
        _fill_in_due_player(_accept_earlier_hand(session, new, sent), coming) for new in by_player
    )
    events = tuple(complete_order(new, types) for new in due)
    dealer = None if sent.dealer == DUE or coming.state == "open" else sent.dealer
    # An event for the player who is due, sent after a complete hand, belongs in the next hand.
    ready = ("first", "again", "next") if sent.dealer == DUE else ("first", "again")
    if dealer is None and coming.state in ready and _first_is_in_hand(events, types):
        dealer = coming.dealer_due
        if dealer is None:
            raise UnusableError(Cause("say first who deals", "no_hand"))
    if sent.hand is not None:
        refuse_another_hand(coming, events, sent.hand, begins=dealer is not None)
    if dealer is None:
        return events
    return (NewEvent(HandStarted.TYPE, {"dealer": dealer}), *events)


def _hidden_events_last(events: Sequence[NewEvent], types: Mapping[str, Classes]) -> list[NewEvent]:
    """Return the events of a form, with those last that can lie face down.

    A hand in which nothing lies face down is over with the count in the same form.
    """
    return sorted(events, key=lambda new: bool(getattr(types.get(new.type), "HIDDEN", ())))


def types_at(session: Session) -> Mapping[str, Classes]:
    """Return the event types that a session can take now, by name."""
    return session.game.by_type if session.game else codec.COMMON_TYPES


def _fill_in_due_player(new: NewEvent, coming: NextEvents) -> NewEvent:
    """Replace the placeholder for the player whose turn it is; drop it if no player is due."""
    if new.data.get("player") != DUE:
        return new
    player = _due_player(coming, new.type)
    data = {name: value for name, value in new.data.items() if name != "player"}
    return NewEvent(new.type, {**data, "player": player} if player else data)


def _due_player(coming: NextEvents, kind: str) -> str | None:
    """Return the one player who is due for an event type, else None."""
    due = {prompt.player for prompt in coming.prompt_level("cards") if prompt.type == kind}
    return due.pop() if len(due) == 1 else None


def _correct_card_player(
    session: Session, new: NewEvent, sent: SentForm, holder: Holder
) -> NewEvent:
    """Correct the player of a card that was sent just after the player before had played.

    The page still showed the earlier player's turn. The form names the player whose turn it showed,
    unless another player was chosen, so the card belongs to the viewer whose turn followed.
    """
    if new.type != CardPlayed.TYPE or holder.player in (None, new.data.get("player")):
        return new
    since = meanwhile.recorded_since(session, sent.version)
    played = [entry.event for entry in since if isinstance(entry.event, CardPlayed)]
    shown = bool(played) and new.data.get("player") in (played[0].player, DUE)
    free = all(entry.card.code != new.data.get("card") for entry in played)
    if shown and free and _due_player(NextEvents(session), new.type) == holder.player:
        return NewEvent(new.type, {**new.data, "player": holder.player})
    return new


def _accept_earlier_hand(session: Session, new: NewEvent, sent: SentForm) -> NewEvent:
    """Return the acceptance of an earlier hand as a correction in that hand.

    Another hand may be complete by now. If the hand cannot be accepted so, the event stays as it
    was sent.
    """
    if new.type != HandConfirmed.TYPE or sent.hand is None:
        return new
    hand = _hand_of_form(session, sent)
    offer = find_acceptance(session, hand, str(new.data.get("player"))) if hand else None
    return new if offer is None else NewEvent(offer.type, json.loads(offer.fixed))


def _hand_of_form(session: Session, sent: SentForm) -> HandRecord | None:
    """Return the hand that a form names; None if there is no such hand."""
    return next(
        (
            hand
            for match in session.structure.matches
            for hand in match.hands
            if hand_key(match.number, hand.number) == sent.hand
        ),
        None,
    )


def _first_is_in_hand(events: Sequence[NewEvent], types: Mapping[str, Classes]) -> bool:
    """Return whether the first of these events belongs in a hand."""
    return bool(events) and IN_A_HAND in _places(events[0], types)


def _places(new: NewEvent, types: Mapping[str, Classes]) -> set[Place]:
    """Return the places in which an event of this type can stand; empty for an unknown type."""
    declared = types.get(new.type)
    classes = declared.values() if isinstance(declared, Mapping) else (declared,)
    return {cls.PLACE for cls in classes if cls is not None}


# ------------------------------------------------------------------------------------- the hand


def hand_key(match: int, hand: int) -> str:
    """Return the name of a hand in forms: match number, dash, number of the hand in the match."""
    return f"{match}-{hand}"


def refuse_another_hand(
    coming: NextEvents, events: Sequence[NewEvent], hand_id: str, *, begins: bool
) -> None:
    """Raise `UnusableError` if events would stand in another hand than ``hand_id``.

    ``begins`` says whether a hand begins with them.
    """
    match, _, hand = hand_id.partition("-")
    for new in events:
        place = _hand_of_event(coming, new, begins=begins)
        if place in (None, hand_id, f"{match}-"):
            continue
        if _order_of_hand(place) < _order_of_hand(hand_id):
            words = f"it was entered for hand {hand} of match {match}, which has not begun"
            raise UnusableError(Cause(words, "for_later_hand", match=match, hand=hand))
        words = f"it was entered for hand {hand} of match {match}, which is over"
        raise UnusableError(Cause(words, "for_another_hand", match=match, hand=hand))


def _order_of_hand(hand_id: str) -> tuple[int, str, int, str]:
    """Return a sort key for the name of a hand.

    A longer number is larger. A form can send any text, so nothing is converted to a number.
    """
    match, _, hand = hand_id.partition("-")
    return len(match), match, len(hand), hand


def _hand_of_event(coming: NextEvents, new: NewEvent, *, begins: bool) -> str | None:
    """Return the key of the hand in which an event would stand.

    Returns the match with a dash if it stands in no hand, and None if its place does not matter, as
    for a correction. `begins` says whether a hand begins with it.
    """
    match, places = coming.match, _places(new, types_at(coming.session))
    if match is None:
        return None
    if new.type == HandConfirmed.TYPE:
        last = match.last_to_confirm()
        return hand_key(match.number, last.number if last else 0)
    if new.type == HandStarted.TYPE:
        return hand_key(match.number, len(match.hands) + 1)
    if IN_A_HAND in places:
        return hand_key(match.number, len(match.hands) + begins)
    return f"{match.number}-" if Place.MATCH in places else None


def is_over(session: Session, sent: SentForm, holder: Holder) -> bool:
    """Return whether a form could only be recorded in another hand than it is for."""
    try:
        events_with_hand_start(session, sent, holder)
    except UnusableError as error:
        return why_of(error) == ANOTHER_HAND
    return False


# ------------------------------------------------------------------------- what came meanwhile


def keeps_meaning(session: Session, sent: SentForm, holder: Holder) -> bool:
    """Return whether a form keeps its meaning after the entries since it was drawn.

    It does if others only accepted or noted something, or declared something of their own.
    """
    if accepted_already(session, sent, holder):
        return True  # nothing is recorded
    if sent.as_played or recorded_by_others_since(session, sent):
        return False
    try:
        new = events_with_hand_start(session, sent, holder)
        types = types_at(session)
        events = [codec.decode(new_event.type, new_event.data, types) for new_event in new]
    except UnusableError:
        return False
    harmless = _harmless_entries(session, events, holder)
    return harmless is not None and meanwhile.all_harmless(session, sent.version, harmless)


def _harmless_entries(
    session: Session, events: Sequence[Event], holder: Holder
) -> meanwhile.Harmless | None:
    """Return a predicate for entries by others that leave these events unchanged.

    Returns None if any entry changes them.
    """
    if not events or session.structure.closed is not None:
        return None
    if all(isinstance(event, NoteAdded) for event in events):
        return lambda entry: entry.event.PLACE is IN_A_HAND or _is_confirmation(entry.event)
    if all(_is_acceptance(event) for event in events):
        hand = _accepted_hand(session, events[0])
        players = [_accepting_player(event) for event in events]
        return meanwhile.leaves_confirmation(session, players, hand) if hand else None
    begins = isinstance(events[0], HandStarted)
    if begins or NextEvents(session).state == "open":
        # The events are for a later hand than others accepted.
        leaves = meanwhile.leaves_own(holder.player, events)
        return lambda entry: _is_confirmation(entry.event) or leaves(entry)
    return None


def _is_acceptance(event: Event) -> bool:
    """Return whether an event accepts a hand, directly or by inserting a confirmation."""
    inserts = isinstance(event, EventInserted) and event.type == HandConfirmed.TYPE
    return inserts or _is_confirmation(event)


def _accepting_player(event: Event) -> str:
    """Return the player who accepts a hand with this event."""
    data = event.data if isinstance(event, EventInserted) else codec.encode(event)
    return str(data["player"])


def _accepted_hand(session: Session, event: Event) -> HandRecord | None:
    """Return the hand that an event accepts: the last one, or the one in which it is inserted."""
    if isinstance(event, EventInserted):
        return meanwhile.hand_at(session, event.after)
    match = NextEvents(session).match
    return match.last_to_confirm() if match else None


def _is_confirmation(event: Event) -> bool:
    """Return whether an event is the confirmation of a hand."""
    return isinstance(event, HandConfirmed)


def recorded_by_others_since(session: Session, sent: SentForm) -> bool:
    """Return whether the content of the form was recorded since the form was drawn."""
    since = meanwhile.recorded_since(session, sent.version)
    standing = [entry for entry in since if session.corrections.reading(entry.seq) is not None]
    events = [without_hidden_fields(entry.event) for entry in standing]
    recorded = [(event.TYPE, codec.encode(event)) for event in events]
    types = types_at(session)
    sent_events = [complete_order(new, types) for new in sent.events]
    return bool(sent_events) and all(
        any(new.type == kind and _agree(new.data, data) for kind, data in recorded)
        for new in sent_events
    )


def _agree(data: JsonObject, recorded: JsonObject) -> bool:
    """Return whether two events agree, though each may leave out the counts of some sides.

    >>> _agree({"points": {"A": 62}}, {"points": {"A": 62, "B": 58}})
    True
    >>> _agree({"points": {"A": 62}}, {"points": {"B": 58}})
    False
    """
    if data.keys() != recorded.keys():
        return False
    return all(
        _agree_in_part(value, recorded[name])
        if isinstance(value, Mapping)
        else value == recorded[name]
        for name, value in data.items()
    )


def _agree_in_part(counts: JsonObject, other: object) -> bool:
    """Return whether two counts have equal values for all names of the smaller one."""
    if not isinstance(other, Mapping):
        return False
    both = counts.keys() & other.keys()
    agree = all(counts[name] == other[name] for name in both)
    return agree and len(both) == min(len(counts), len(other))

"""What a form of the table asks for: to put on record what it says, in the hand that it is for.

Where others recorded something since the form was drawn, it is recorded all the same if that leaves
it as it was meant; else somebody is asked.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.base.errors import Cause, ScorekeeperError, UnusableError
from scorekeeper.events.common import HandStarted, NoteAdded
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.events.event import IN_A_HAND, Event, Place
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.game import Classes
from scorekeeper.log import codec
from scorekeeper.report.next_events import NextEvents
from scorekeeper.service import AppendRequest, Holder, NewEvent, meanwhile
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.forms import Sent, completed
from scorekeeper.web.entry.steps import masked
from scorekeeper.web.review.acceptance import acceptance

# For the player who deals, or plays: who is due, once all that was entered before is on record.
DUE: Final = "*"


def append_sent(sent: Sent, holder: Holder) -> AppendRequest:
    """To put on record what a form says.

    Raises `UnusableError` if something has to be chosen first.
    """
    if sent.bare:
        raise UnusableError(str(_("Choose the cards first")))
    return AppendRequest(
        sent.version,
        as_played=sent.as_played,
        key=sent.key,
        digest=sent.digest,
        meant=lambda session: whole(session, sent, holder),
        follows=lambda session: still_meant(session, sent, holder),
    )


def whole(session: Session, sent: Sent, holder: Holder) -> tuple[NewEvent, ...]:
    """The events that were sent, with the beginning of their hand where it has not begun.

    Where a hand is open, whoever was slower to begin it goes on with it. Unusable where they are
    for another hand than the one in which they would stand.
    """
    coming = NextEvents(session)
    types = types_at(session)
    said = [_own_card(session, one, sent, holder) for one in _in_order(sent.events, types)]
    due = (_by_whoever_is_due(_at_its_hand(session, one, sent), coming) for one in said)
    events = tuple(completed(one, types) for one in due)
    dealer = None if sent.dealer == DUE or coming.state == "open" else sent.dealer
    # What was sent for whoever is due, after a hand that is complete, belongs in the next.
    ready = ("first", "again", "next") if sent.dealer == DUE else ("first", "again")
    if dealer is None and coming.state in ready and _in_a_hand(events, types):
        dealer = coming.dealer_due
        if dealer is None:
            raise UnusableError(Cause("say first who deals", "no_hand"))
    if sent.hand is not None:
        refuse_another_hand(coming, events, sent.hand, begins=dealer is not None)
    if dealer is None:
        return events
    return (NewEvent(HandStarted.TYPE, {"dealer": dealer}), *events)


def _in_order(events: Sequence[NewEvent], types: Mapping[str, Classes]) -> list[NewEvent]:
    """Return the events of a form, with those last that can lie face down.

    A hand in which nothing lies face down is over with the count in the same form.
    """
    return sorted(events, key=lambda one: bool(getattr(types.get(one.type), "HIDDEN", ())))


def types_at(session: Session) -> Mapping[str, Classes]:
    """The types of event that can stand in a session now, by name."""
    return session.game.by_type if session.game else codec.COMMON_TYPES


def _by_whoever_is_due(new: NewEvent, coming: NextEvents) -> NewEvent:
    """An event by whose turn it is, if it says no more than that; by nobody where none is due."""
    if new.data.get("player") != DUE:
        return new
    player = _due(coming, new.type)
    said = {name: one for name, one in new.data.items() if name != "player"}
    return NewEvent(new.type, {**said, "player": player} if player else said)


def _due(coming: NextEvents, kind: str) -> str | None:
    """Whose turn it is to do something; None where it is nobody's, or that of several."""
    due = {one.player for one in coming.goes_on("cards") if one.type == kind}
    return due.pop() if len(due) == 1 else None


def _own_card(session: Session, new: NewEvent, sent: Sent, holder: Holder) -> NewEvent:
    """A card that a phone sent for the player before its own, who played meanwhile.

    The page still showed that player's turn: who tapped was quicker than the news, and meant the
    turn that came after it. Whose turn a form shows is what it says unless somebody else is chosen.
    """
    if new.type != CardPlayed.TYPE or holder.player in (None, new.data.get("player")):
        return new
    since = meanwhile.recorded_since(session, sent.version)
    played = [one.event for one in since if isinstance(one.event, CardPlayed)]
    shown = bool(played) and new.data.get("player") in (played[0].player, DUE)
    free = all(one.card.code != new.data.get("card") for one in played)
    if shown and free and _due(NextEvents(session), new.type) == holder.player:
        return NewEvent(new.type, {**new.data, "player": holder.player})
    return new


def _at_its_hand(session: Session, new: NewEvent, sent: Sent) -> NewEvent:
    """An acceptance of a hand after which another one is complete by now, at the place of its own.

    Where the hand cannot be accepted so, it stays as it was sent.
    """
    if new.type != HandConfirmed.TYPE or sent.hand is None:
        return new
    place = sent.hand
    found = next(
        (
            hand
            for match in session.structure.matches
            for hand in match.hands
            if hand_key(match.number, hand.number) == place
        ),
        None,
    )
    way = acceptance(session, found, str(new.data.get("player"))) if found else None
    return new if way is None else NewEvent(way.type, json.loads(way.fixed))


def _in_a_hand(events: Sequence[NewEvent], types: Mapping[str, Classes]) -> bool:
    """Whether the first of these events belongs in a hand."""
    return bool(events) and IN_A_HAND in _places(events[0], types)


def _places(new: NewEvent, types: Mapping[str, Classes]) -> set[Place]:
    """Where an event of this type can stand; nowhere where there is no such type."""
    declared = types.get(new.type)
    several = declared.values() if isinstance(declared, Mapping) else (declared,)
    return {one.PLACE for one in several if one is not None}


# ------------------------------------------------------------------------------------- the hand


def hand_key(match: int, hand: int) -> str:
    """A hand as a form names it: its match, and its number in that."""
    return f"{match}-{hand}"


def refuse_another_hand(
    coming: NextEvents, events: Sequence[NewEvent], meant: str, *, begins: bool
) -> None:
    """Unusable where these events would stand in another hand than the one they are meant for.

    ``begins`` says whether a hand begins with them.
    """
    for new in events:
        there = _stands_in(coming, new, begins=begins)
        if there is not None and there != meant[: len(there)]:
            match, _, hand = meant.partition("-")
            words = f"it was entered for hand {hand} of match {match}, which is over"
            raise UnusableError(Cause(words, "for_another_hand", match=match, hand=hand))


def _stands_in(coming: NextEvents, new: NewEvent, *, begins: bool) -> str | None:
    """The hand in which an event would stand, or the match with a dash; None for no matter which.

    A correction names what it corrects.
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


def is_over(session: Session, sent: Sent, holder: Holder) -> bool:
    """Return whether what a form says could only be recorded in another hand than it is for."""
    try:
        whole(session, sent, holder)
    except UnusableError as error:
        return is_for_another_hand(error)
    return False


def is_for_another_hand(error: ScorekeeperError) -> bool:
    """Return whether that is why something was refused."""
    reason = error.args[0] if error.args else ""
    return isinstance(reason, Cause) and reason.why == "for_another_hand"


# ------------------------------------------------------------------------- what came meanwhile


def still_meant(session: Session, sent: Sent, holder: Holder) -> bool:
    """Return whether a form can be recorded as it was meant, after what came since it was drawn.

    So it is where that was accepted or noted by others, or was another player's own declaration.
    """
    if sent.as_played or same_since(session, sent):
        return False
    try:
        new = whole(session, sent, holder)
        types = types_at(session)
        events = [codec.decode(one.type, one.data, types) for one in new]
    except UnusableError:
        return False
    harmless = _harmless(session, events, holder)
    return harmless is not None and meanwhile.all_harmless(session, sent.version, harmless)


def _harmless(
    session: Session, events: Sequence[Event], holder: Holder
) -> meanwhile.Harmless | None:
    """What leaves these events as they were meant, beside notes; None where nothing does."""
    if not events or session.structure.closed is not None:
        return None
    if all(isinstance(one, NoteAdded) for one in events):
        return lambda entry: entry.event.PLACE is IN_A_HAND or _confirms(entry.event)
    if all(_accepts(one) for one in events):
        hand = _accepted(session, events[0])
        players = [_player_of(one) for one in events]
        return meanwhile.leaves_confirmation(session, players, hand) if hand else None
    begins = isinstance(events[0], HandStarted)
    if begins or NextEvents(session).state == "open":
        # It stands in a later hand than the one that others accepted.
        leaves = meanwhile.leaves_own(holder.player, events)
        return lambda entry: _confirms(entry.event) or leaves(entry)
    return None


def _accepts(event: Event) -> bool:
    inserts = isinstance(event, EventInserted) and event.type == HandConfirmed.TYPE
    return inserts or _confirms(event)


def _player_of(event: Event) -> str:
    data = event.data if isinstance(event, EventInserted) else codec.encode(event)
    return str(data["player"])


def _accepted(session: Session, event: Event) -> HandRecord | None:
    """The hand that an event accepts: the last one, or the one in which it is put in."""
    if isinstance(event, EventInserted):
        return meanwhile.hand_at(session, event.after)
    match = NextEvents(session).match
    return match.last_to_confirm() if match else None


def _confirms(event: Event) -> bool:
    return isinstance(event, HandConfirmed)


def same_since(session: Session, sent: Sent) -> bool:
    """Return whether others recorded, after the form was drawn, just what it says."""
    since = meanwhile.recorded_since(session, sent.version)
    standing = [one for one in since if session.corrections.reading(one.seq) is not None]
    told = [masked(one.event) for one in standing]
    known = [(one.TYPE, codec.encode(one)) for one in told]
    types = types_at(session)
    said = [completed(one, types) for one in sent.events]
    return bool(said) and all(
        any(new.type == kind and _agree(new.data, data) for kind, data in known) for new in said
    )


def _agree(said: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Return whether two say the same, though one may leave out the counts of some sides.

    >>> _agree({"points": {"A": 62}}, {"points": {"A": 62, "B": 58}})
    True
    >>> _agree({"points": {"A": 62}}, {"points": {"B": 58}})
    False
    """
    if said.keys() != known.keys():
        return False
    return all(
        _agree_in_part(value, known[name]) if isinstance(value, Mapping) else value == known[name]
        for name, value in said.items()
    )


def _agree_in_part(one: Mapping[str, Any], other: Any) -> bool:
    if not isinstance(other, Mapping):
        return False
    both = one.keys() & other.keys()
    return len(both) == min(len(one), len(other)) and all(one[name] == other[name] for name in both)

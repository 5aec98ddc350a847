"""The open tasks of a viewer: signatures, disputes, and hands that are not accepted yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.common import MatchStarted
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.scoring import add_up
from scorekeeper.session.disputes import Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.forms.scene import names_at, side_label
from scorekeeper.web.frame.ring import sides_starting_with
from scorekeeper.web.review.acceptance import Acceptance, find_acceptance, has_signed

MOST_LISTED: Final = 8  # hands to accept; the others follow as these are accepted


@dataclass(frozen=True, slots=True)
class Disputed:
    """A hand with an open dispute, in words; ``wanted`` if the viewer's signature is needed."""

    match: int
    hand: int
    words: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Unaccepted:
    """A hand that the viewer's side has not accepted yet, with its scores."""

    match: int
    hand: int
    words: str
    scores: Sequence[tuple[str, ExactPoints]]
    acceptance: Acceptance


@dataclass(frozen=True, slots=True)
class ToDo:
    """The open tasks, the most urgent first; of ``many`` hands to accept, the last are listed."""

    disputed: Sequence[Disputed] = ()
    unaccepted: Sequence[Unaccepted] = ()
    many: int = 0


def list_tasks(session: Session, player: str | None, shown: HandRecord | None) -> ToDo:
    """Return the open tasks of a player, or of a viewer without a seat.

    The hand `shown` on the page is left out.
    """
    left = [] if player is None else list(_hands_to_accept(session, player, shown))
    listed = [
        _describe_unaccepted(session, hand, player or "") for hand in reversed(left[-MOST_LISTED:])
    ]
    return ToDo(
        list_open_disputes(session, player),
        [item for item in listed if item is not None],
        len(left),
    )


def list_open_disputes(session: Session, player: str | None) -> list[Disputed]:
    """Return the hands with an open dispute, first those that need the player's signature."""
    return sorted(_describe_disputes(session, player), key=lambda dispute: not dispute.wanted)


def _describe_disputes(session: Session, player: str | None) -> Iterator[Disputed]:
    """Yield the hands with an open dispute, with whether the player still has to sign."""
    record = session.structure
    for seq in record.disputed:
        hand = record.hand_by_seq[seq]
        proposal = record.disputes.find_open_proposal(hand)
        wanted = (
            proposal is not None
            and (player in hand.match.seats or player in _list_new_seats(proposal))
            and player not in record.disputes.find_signers(proposal)
        )
        number = _hand_label(session, hand)
        if wanted:
            words = _("Please sign hand %(number)s", number=number)
        else:
            words = _("Hand %(number)s is disputed", number=number)
        yield Disputed(hand.match.number, hand.number, str(words), wanted)


def _list_new_seats(proposal: Proposal) -> Sequence[str]:
    """Return the players who would have a seat in a match by a proposal; they sign it, too."""
    starts = [
        correction.data.get("data")
        for correction in proposal.event.corrections
        if correction.data.get("type") == MatchStarted.TYPE
    ]
    return [seat for start in starts if isinstance(start, dict) for seat in start.get("seats", ())]


def _hand_label(session: Session, hand: HandRecord) -> str:
    """Return the number of a hand; for an earlier match with the number of that match."""
    if hand.match is session.structure.match:
        return str(hand.number)
    return str(_("%(hand)s of match %(match)s", hand=hand.number, match=hand.match.number))


def _hands_to_accept(
    session: Session, player: str, shown: HandRecord | None
) -> Iterator[HandRecord]:
    """Yield the complete hands that no player of this player's side has confirmed as they stand."""
    for match in session.structure.matches:
        side = next((members for members in match.sides.values() if player in members), ())
        for hand in match.hands if side and session.structure.closed is None else ():
            scored = match.is_complete(hand) and not match.is_after_end(hand)
            if scored and hand is not shown and not any(has_signed(session, hand, s) for s in side):
                yield hand


def _describe_unaccepted(session: Session, hand: HandRecord, player: str) -> Unaccepted | None:
    """Return a hand to accept with its scores; None if it cannot be accepted at present."""
    way, names = find_acceptance(session, hand, player), names_at(session)
    if way is None:
        return None
    points = add_up(hand.deal.result.lines, hand.match.sides)
    order = sides_starting_with(hand.match.sides, player)
    return Unaccepted(
        hand.match.number,
        hand.number,
        str(_("Hand %(number)s", number=_hand_label(session, hand))),
        [(side_label(side, names, hand.match), points[side]) for side in order],
        way,
    )

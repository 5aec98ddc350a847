"""What waits for whoever looks at the table: signatures, disputes, hands not yet accepted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.scoring import add_up
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.labels import names_at, side_label
from scorekeeper.web.frame.ring import turned_sides
from scorekeeper.web.review.acceptance import Acceptance, acceptance, has_signed

MOST_LISTED: Final = 8  # hands to accept: the others come up as these are accepted


@dataclass(frozen=True, slots=True)
class Disputed:
    """A hand with an open dispute, in words, and whether a signature is wanted from here."""

    match: int
    hand: int
    words: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Unaccepted:
    """A hand that the side of whose phone this is has not accepted yet, and what it came to."""

    match: int
    hand: int
    words: str
    scores: Sequence[tuple[str, int]]
    way: Acceptance


@dataclass(frozen=True, slots=True)
class ToDo:
    """What waits, the most urgent first; of ``many`` hands to accept the last ones are listed."""

    disputed: Sequence[Disputed] = ()
    unaccepted: Sequence[Unaccepted] = ()
    many: int = 0


def to_do(session: Session, player: str | None, shown: HandRecord | None) -> ToDo:
    """What waits for a player, or for nobody in particular; the hand ``shown`` says it itself."""
    left = [] if player is None else list(_left(session, player, shown))
    listed = [_unaccepted(session, hand, player or "") for hand in reversed(left[-MOST_LISTED:])]
    return ToDo(disputes(session, player), [one for one in listed if one is not None], len(left))


def disputes(session: Session, player: str | None) -> list[Disputed]:
    """The hands with an open dispute; those that want a signature from a player come first."""
    return sorted(_disputed(session, player), key=lambda one: not one.wanted)


def _disputed(session: Session, player: str | None) -> Iterator[Disputed]:
    record = session.structure
    for seq in record.disputed:
        hand = record.hand_at[seq]
        proposal = record.said.open_proposal(hand)
        wanted = (
            proposal is not None
            and player in hand.match.seats
            and player not in record.said.signers(proposal)
        )
        number = _number(session, hand)
        if wanted:
            words = _("Please sign hand %(number)s", number=number)
        else:
            words = _("Hand %(number)s is disputed", number=number)
        yield Disputed(hand.match.number, hand.number, str(words), wanted)


def _number(session: Session, hand: HandRecord) -> str:
    """The number of a hand; of an earlier match with the number of that."""
    if hand.match is session.structure.match:
        return str(hand.number)
    return str(_("%(hand)s of match %(match)s", hand=hand.number, match=hand.match.number))


def _left(session: Session, player: str, shown: HandRecord | None) -> Iterator[HandRecord]:
    """The complete hands that nobody of a player's side has signed as they now stand."""
    for match in session.structure.matches:
        side = next((members for members in match.sides.values() if player in members), ())
        for hand in match.hands if side and session.structure.closed is None else ():
            scored = match.complete(hand) and not match.after_end(hand)
            if scored and hand is not shown and not any(has_signed(session, hand, s) for s in side):
                yield hand


def _unaccepted(session: Session, hand: HandRecord, player: str) -> Unaccepted | None:
    way, names = acceptance(session, hand, player), names_at(session)
    if way is None:
        return None
    made = add_up(hand.deal.result.lines, hand.match.sides)
    order = turned_sides(hand.match.sides, player)
    return Unaccepted(
        hand.match.number,
        hand.number,
        str(_("Hand %(number)s", number=_number(session, hand))),
        [(side_label(side, names, hand.match), made[side]) for side in order],
        way,
    )

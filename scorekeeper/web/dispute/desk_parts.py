"""The content of the dispute desk: proposals, signers, suggestions and the course of disputes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.disputes import Correction
from scorekeeper.web.dispute.effect import Change, Effect

Raw = dict[str, Any]


def to_raw(correction: Correction) -> Raw:
    """Return a correction as an event that could be recorded."""
    return {"type": correction.type, "data": dict(correction.data)}


@dataclass(frozen=True, slots=True)
class PlayerAct:
    """An act of a player in a dispute, such as a signature.

    `by` is the recorder, if that was not the player.
    """

    player: str
    seq: int
    at: str
    by: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A suggested correction.

    `scores` has each side whose score of the hand changes: its name, and its points before and
    after.
    """

    corrections: Sequence[JsonObject]
    changes: Sequence[Change]
    scores: Sequence[tuple[str, ExactPoints, ExactPoints]]
    reason: str


@dataclass(frozen=True, slots=True)
class Signers:
    """The players who have to sign corrections: ``each`` seat of the match, or one of each side.

    In ``others``, the further matches that change, every seat has to sign. ``missing`` are the
    names of those who have not signed, ``seats`` all who can.
    """

    each: bool
    others: Sequence[int]
    missing: Sequence[str]
    seats: Collection[str]


@dataclass(frozen=True, slots=True)
class Offer:
    """An open proposal, as it can be signed now.

    Without an effect and signers, it could not be recorded as things stand; ``wrong`` says why. The
    viewer acts for ``seats``; those who ``can_sign`` have not signed yet.
    """

    seq: int
    hash: str
    reason: str
    effect: Effect | None
    signers: Signers | None
    signed: Sequence[PlayerAct]
    seats: Sequence[tuple[str, str]]
    can_sign: Sequence[tuple[str, str]]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class ClosedProposal:
    """A proposal that can no longer be signed, and why.

    `void` are its signatures if a change of the hand voided them.
    """

    seq: int
    reason: str
    changes: Sequence[Change]
    why: str
    void: Sequence[PlayerAct]
    declined: Sequence[PlayerAct]


@dataclass(frozen=True, slots=True)
class DisputeCourse:
    """One dispute, from its opening to the ruling."""

    state: str
    opened: Sequence[PlayerAct]
    closed: Sequence[ClosedProposal]
    ruling: PlayerAct | None


@dataclass(frozen=True, slots=True)
class Desk:
    """The state of the dispute about a hand, for a viewer.

    The viewer acts for ``seats``, of which ``own`` is their own.
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


@dataclass(frozen=True, slots=True)
class SuggestionSearch:
    """The corrections that a search found, and whether the search was ``whole``.

    ``tried`` and ``untried`` are the numbers of corrections that were tried and not tried.
    """

    found: Sequence[Suggested] = ()
    whole: bool = True
    tried: int = 0
    untried: int = 0

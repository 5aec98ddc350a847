"""The panel between two hands: the result of the last one, and who accepts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.play.scoring import ScoreLine, Severity
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.report.narration import NarratedPenalty, narrate_penalties
from scorekeeper.report.report import list_confirmed
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.hands_so_far import summary_lines
from scorekeeper.web.forms.scene import names_at, side_label, voice_at
from scorekeeper.web.frame.ring import starting_with
from scorekeeper.web.review.acceptance import Acceptance, find_acceptance

NOT_LISTED: Final = Severity.INFO  # checks that were not possible are listed on the hand's page


@dataclass(frozen=True, slots=True)
class Account:
    """The result of a hand for a side: its points, the reasons for them, and its penalties.

    ``members`` are the names of its players.
    """

    name: str
    members: Sequence[str]
    change: ExactPoints
    won: bool
    lines: Sequence[ScoreLine]
    penalties: Sequence[NarratedPenalty]


class Signer(NamedTuple):
    """A player at the end of a hand: whether they have accepted it, else how the host can do so."""

    player: str
    accepted: bool
    on_behalf: Acceptance | None


@dataclass(frozen=True, slots=True)
class HandOver:
    """A complete hand: the account of each side, its findings, and the acceptances on this phone.

    ``summary_lines`` are the names concerned, and the text about them. ``mine`` is the acceptance
    by this phone's player; ``signed`` is whether this phone's player has accepted. ``signers`` are
    all players, this phone's first.
    """

    number: int
    summary_lines: Sequence[tuple[str, str]]
    accounts: Mapping[str, Account]
    findings: Sequence[str]
    disputed: bool
    mine: Acceptance | None
    signers: Sequence[Signer]
    signed: bool


@dataclass(frozen=True, slots=True)
class EndToAccept:
    """The end of a hand that no other player has accepted yet, and the acceptances on this phone.

    ``words`` describes what was recorded. ``own`` is whether it was recorded for this phone's
    player. ``acceptable`` is false if only the next event shows the hidden cards.
    """

    number: int
    name: str
    words: str
    own: bool
    acceptable: bool
    mine: Acceptance | None
    for_others: Sequence[Acceptance]


def end_to_accept(session: Session, hand: HandRecord | None, holder: Holder) -> EndToAccept | None:
    """Return the end of a hand that one player recorded and another must accept, else None.

    It has the acceptances that this phone can record.
    """
    if hand is None or hand.awaited is None:
        return None
    seats = starting_with(hand.match.seats, holder.player)
    acceptances = [
        offer for seat in seats if (offer := find_acceptance(session, hand, seat)) is not None
    ]
    end = session.corrections.recorded[hand.awaited.seq].event
    return EndToAccept(
        hand.number,
        names_at(session)[hand.awaited.by],
        voice_at(session, hand.match).describe(end),
        hand.awaited.by == holder.player,
        bool(acceptances),
        next((offer for offer in acceptances if offer.player == holder.player), None),
        [offer for offer in acceptances if holder.role == "host" and offer.player != holder.player],
    )


def build_outcome(session: Session, hand: HandRecord, holder: Holder) -> HandOver:
    """Return the result of a complete hand, with the acceptances that the viewer can record."""
    match, signed = hand.match, list_confirmed(session, hand)
    offers = {
        seat: None if seat in signed else find_acceptance(session, hand, seat)
        for seat in starting_with(match.seats, holder.player)
    }
    mine = offers.get(holder.player or "")
    findings = [
        finding for finding in list_hand_findings(match, hand) if finding.severity is not NOT_LISTED
    ]
    return HandOver(
        hand.number,
        list(summary_lines(hand, voice_at(session, match), holder.player)),
        _accounts_by_side(session, hand),
        [finding.text.say(match.pack.show) for finding in findings],
        hand.started.seq in session.structure.disputed,
        mine,
        [
            Signer(seat, seat in signed, offer if holder.role == "host" and offer != mine else None)
            for seat, offer in offers.items()
        ],
        holder.player in signed,
    )


def _accounts_by_side(session: Session, hand: HandRecord) -> dict[str, Account]:
    """Return the result of a hand for each side."""
    names, match, result = names_at(session), hand.match, hand.deal.result
    fines = narrate_penalties(session, match).get(hand.number, ()) if hand.penalties else ()
    accounts = {}
    for side, members in match.sides.items():
        lines = [line for line in result.lines if line.side == side]
        accounts[side] = Account(
            side_label(side, names, match),
            [names[player] for player in members],
            sum(line.points for line in lines),
            result.winner == side,
            lines,
            [penalty for penalty in fines if penalty.side == side],
        )
    return accounts

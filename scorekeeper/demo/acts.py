"""The choice of what the players of a demo table who are not the visitor record next.

They record by the prompts, each from their own seat.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from scorekeeper.demo.opening import LEVEL, VISITOR
from scorekeeper.events.common import HandStarted
from scorekeeper.events.disputes import HandConfirmed, ProposalSigned
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardPlayed, TrickTaken
from scorekeeper.games.riparto.events import BidMade, HierarchyDeclared
from scorekeeper.play.prompts import Prompt
from scorekeeper.report.next_events import NextEvents
from scorekeeper.session.session import Session

BIDS_CONSIDERED: Final = 6  # of those prompted, which begin with the likeliest
IN_A_HAND: Final = (BidMade, HierarchyDeclared, TrickTaken, CardPlayed)


class SeatAct(NamedTuple):
    """An event, and the player from whose seat it is recorded."""

    player: str
    event: Event


def choose_act(session: Session) -> SeatAct | None:
    """Return what a player other than the visitor records next; None if it is the visitor's turn.

    The choice is random, and always the same for the same log.
    """
    if session.structure.disputed:
        return _sign(session)
    coming = NextEvents(session)
    chance = random.Random(session.head)  # noqa: S311  # no secret
    if coming.state == "open":
        return _act_in_hand(session, coming.prompt_level(LEVEL), chance)
    if coming.hand_state == "complete":
        return _accept(coming.prompt_signatures()) or _deal(coming)
    return _deal(coming)


def _act_in_hand(
    session: Session, prompts: Sequence[Prompt], chance: random.Random
) -> SeatAct | None:
    """Return the next act of an open hand, unless the visitor should record it."""
    kind = type(prompts[0].choices[0]) if prompts else None
    if kind not in IN_A_HAND or (kind is TrickTaken and _is_visitors_trick(session)):
        return None
    choices = [
        SeatAct(player, event)
        for event in prompts[0].choices
        if (player := getattr(event, "player", VISITOR)) != VISITOR
    ]
    if kind is BidMade:
        choices = choices[:BIDS_CONSIDERED]
    return chance.choice(choices) if choices else None


def _is_visitors_trick(session: Session) -> bool:
    """Return whether the visitor should record who takes the next trick.

    The visitor and the others record tricks by turns.
    """
    entries = reversed(session.corrections.recorded.values())
    last = next((entry for entry in entries if isinstance(entry.event, TrickTaken)), None)
    return last is None or last.by != VISITOR


def _sign(session: Session) -> SeatAct | None:
    """Return the signature of the first other player who has not signed a proposed correction."""
    record = session.structure
    for seq in record.disputed:
        hand = record.hand_by_seq[seq]
        proposal = record.disputes.find_open_proposal(hand)
        if proposal is not None:
            signed = {VISITOR, *record.disputes.find_signers(proposal)}
            unsigned = (seat for seat in hand.match.seats if seat not in signed)
            for player in unsigned:
                return SeatAct(player, ProposalSigned(proposal.entry.seq, player))
    return None


def _accept(prompts: Iterable[Prompt]) -> SeatAct | None:
    """Return the acceptance of a complete hand by the first other player who has not accepted."""
    players = (
        event.player
        for prompt in prompts
        for event in prompt.choices
        if isinstance(event, HandConfirmed) and event.player != VISITOR
    )
    return next((SeatAct(player, HandConfirmed(player)) for player in players), None)


def _deal(coming: NextEvents) -> SeatAct | None:
    """Return the next deal, if another player than the visitor deals and all have accepted."""
    dealers = coming.dealers
    if coming.match is None or coming.match.over or not dealers or dealers[-1] == VISITOR:
        return None
    if coming.hand_state == "complete" and any(coming.prompt_signatures()):
        return None
    if coming.state not in ("first", "next", "again"):
        return None
    return SeatAct(dealers[-1], HandStarted(dealers[-1]))

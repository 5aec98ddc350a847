"""What a complete hand comes to for a club: what it paid, who had which part, what its game tells.

All of it follows from the facts that the game declares, so that a new game has it by declaring
them: a fact ``bidder`` makes parts, a fact ``partner`` makes two parties of all the others.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.events.fields import Flag, Whole
from scorekeeper.games.game import Game
from scorekeeper.play.facts import HandFact, players_in
from scorekeeper.play.scoring import add_up
from scorekeeper.report.hand_facts import facts_of
from scorekeeper.session.matches import HandRecord

PARTS: Final = ("bidder", "partner", "defender")
# Facts that say who had which part and how it went, and are told by part and by bid.
OF_THE_CONTRACT: Final = frozenset({"bidder", "partner", "alone", "bid", "made"})


class PlayedHand(NamedTuple):
    """A complete hand: who took part, and what it paid to each of them.

    ``open`` is whether a dispute about it is. It paid ``times`` as much as what was played in it,
    where it was doubled. ``seq`` is the event with which it began. ``parts`` are those of PARTS,
    by player, and ``parties`` the players who won or lost together; both are empty where that is
    not known. ``facts`` are what can be counted of it, by the ids of its game's facts.
    """

    number: int
    scores: Mapping[str, int]
    open: bool
    times: int = 1
    seq: int = 0
    parts: Mapping[str, str] = {}
    parties: tuple[tuple[str, ...], ...] = ()
    facts: Mapping[str, Any] = {}

    @classmethod
    def of(cls, hand: HandRecord, *, disputed: bool) -> "PlayedHand":
        """What a hand that is complete comes to."""
        scores, known = scores_of(hand), facts_of(hand)
        told = {
            fact.id: _plain(known[fact.id])
            for fact in hand.game.facts.facts
            if fact.id in known and (countable(fact) or fact.id in OF_THE_CONTRACT)
        }
        return cls(
            number=hand.number,
            scores=scores,
            open=disputed,
            times=hand.deal.times,
            seq=hand.started.seq,
            parts=_parts(told, scores, hand.game),
            parties=_parties(hand, told, scores),
            facts=told,
        )

    @classmethod
    def kept(cls, told: list[Any]) -> "PlayedHand":
        """A hand as it was kept."""
        hand = cls(*told)
        return hand._replace(parties=tuple(tuple(party) for party in hand.parties))

    def earned(self, player: str) -> int:
        """What it brought a player without the doublings that had come from outside it."""
        return self.scores[player] // self.times


def scores_of(hand: HandRecord) -> dict[str, int]:
    """What a complete hand paid to each player who took part: to partners, what their side got."""
    made = add_up(hand.deal.result.lines, hand.match.sides)
    there = set(hand.table.players)
    return {
        player: made[side]
        for side, members in hand.match.sides.items()
        for player in members
        if player in there
    }


def countable(fact: HandFact) -> bool:
    """Whether a fact is a number, something that is so or not, or names players."""
    kind = fact.kind_of_one
    return isinstance(kind, Whole | Flag) or players_in((), fact.kind) is not None


def partnered(game: Game) -> bool:
    """Whether the bidder of a game can have a partner, who is one by the hand alone."""
    return any(fact.id == "partner" for fact in game.facts.facts)


def _parts(told: Mapping[str, Any], players: Mapping[str, int], game: Game) -> dict[str, str]:
    bidder, partner = told.get("bidder"), told.get("partner")
    if bidder is None or (partnered(game) and partner is None and not told.get("alone")):
        return {}
    found = dict.fromkeys(players, "defender")
    return found | {bidder: "bidder"} | ({partner: "partner"} if partner else {})


def _parties(
    hand: HandRecord, told: Mapping[str, Any], players: Mapping[str, int]
) -> tuple[tuple[str, ...], ...]:
    """Who plays with whom in a hand: the sides of the match, or the bidder's party and the rest."""
    if not partnered(hand.game):
        sides = (tuple(one for one in side if one in players) for side in hand.match.sides.values())
        return tuple(side for side in sides if side)
    parts = _parts(told, players, hand.game)
    found = (
        tuple(one for one, part in parts.items() if (part == "defender") == defending)
        for defending in (False, True)
    )
    return tuple(party for party in found if party)


def _plain(value: Any) -> Any:
    """A value as JSON has it: cards and ranks by their codes."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value if isinstance(value, bool | int) else str(value)

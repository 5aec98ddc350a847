"""The result of a complete hand for a club: its points, the players' parts, and its facts.

All of it follows from the facts that the game declares, so that a new game gets it by declaring
them: a fact ``bidder`` defines parts, and a fact ``partner`` two parties.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints, decode_exact, simplify
from scorekeeper.events.fields import Flag, Whole
from scorekeeper.games.game import Game
from scorekeeper.play.facts import HandFact, players_in
from scorekeeper.play.scoring import add_up
from scorekeeper.report.hand_facts import get_facts
from scorekeeper.session.matches import HandRecord

PARTS: Final = ("bidder", "partner", "defender")
# Facts about the contract, which statistics show by part and by bid.
CONTRACT_FACTS: Final = frozenset({"bidder", "partner", "alone", "bid", "made"})


class PlayedHand(NamedTuple):
    """A complete hand: the players who took part, and the points of each.

    ``open`` is whether the hand is disputed. ``times`` is the factor by which it was doubled.
    ``seq`` is the event with which it began. ``parts`` has one of PARTS for each player, and
    ``parties`` the players who won or lost together; both are empty if that is not known. ``facts``
    are those that can be counted, by the ids of the game's facts.
    """

    number: int
    scores: Mapping[str, ExactPoints]
    open: bool
    times: int = 1
    seq: int = 0
    parts: Mapping[str, str] = {}
    parties: tuple[tuple[str, ...], ...] = ()
    facts: Mapping[str, object] = {}

    @classmethod
    def of(cls, hand: HandRecord, *, disputed: bool) -> "PlayedHand":
        """Return the result of a complete hand; `disputed` is whether it has an open dispute."""
        scores, known = compute_scores(hand), get_facts(hand)
        facts = {
            fact.id: _to_json(known[fact.id])
            for fact in hand.game.facts.facts
            if fact.id in known and (is_countable(fact) or fact.id in CONTRACT_FACTS)
        }
        return cls(
            number=hand.number,
            scores=scores,
            open=disputed,
            times=hand.deal.times,
            seq=hand.started.seq,
            parts=_assign_parts(facts, scores, hand.game),
            parties=_group_parties(hand, facts, scores),
            facts=facts,
        )

    @classmethod
    def from_json(cls, values: list[Any]) -> "PlayedHand":
        """Return a hand from the list of its stored values."""
        hand = cls(*values)
        return hand._replace(
            scores=decode_points(values[1]),
            parties=tuple(tuple(party) for party in hand.parties),
        )

    def undoubled_score(self, player: str) -> ExactPoints:
        """Return a player's points without the doublings that come from outside the hand."""
        score = self.scores[player]
        return score if self.times == 1 else simplify(Fraction(score, self.times))


def decode_points(points: Mapping[str, int | str]) -> dict[str, ExactPoints]:
    """Return the exact points whose JSON values these are."""
    return {key: decode_exact(value) for key, value in points.items()}


def compute_scores(hand: HandRecord) -> dict[str, ExactPoints]:
    """Return the points of each player who took part; partners have the points of their side."""
    score_by_side = add_up(hand.deal.result.lines, hand.match.sides)
    participants = set(hand.table.players)
    return {
        player: score_by_side[side]
        for side, members in hand.match.sides.items()
        for player in members
        if player in participants
    }


def is_countable(fact: HandFact) -> bool:
    """Return whether a fact is a number, a yes or no, or names players."""
    kind = fact.kind_of_one
    return isinstance(kind, Whole | Flag) or players_in((), fact.kind) is not None


def has_partners(game: Game) -> bool:
    """Return whether the bidder of a game can have a partner who is chosen in the hand."""
    return any(fact.id == "partner" for fact in game.facts.facts)


def _assign_parts(
    facts: JsonObject, players: Mapping[str, ExactPoints], game: Game
) -> dict[str, str]:
    """Return the part of each player: bidder, partner or defender.

    Empty if the bidder or the partner is not known.
    """
    bidder, partner = facts.get("bidder"), facts.get("partner")
    if bidder is None or (has_partners(game) and partner is None and not facts.get("alone")):
        return {}
    parts = dict.fromkeys(players, "defender")
    return parts | {bidder: "bidder"} | ({partner: "partner"} if partner else {})


def _group_parties(
    hand: HandRecord, facts: JsonObject, players: Mapping[str, ExactPoints]
) -> tuple[tuple[str, ...], ...]:
    """Return the players who play together: the match's sides, or bidder's party and defenders."""
    if not has_partners(hand.game):
        sides = (
            tuple(player for player in side if player in players)
            for side in hand.match.sides.values()
        )
        return tuple(side for side in sides if side)
    parts = _assign_parts(facts, players, hand.game)
    parties = (
        tuple(player for player, part in parts.items() if (part == "defender") == defending)
        for defending in (False, True)
    )
    return tuple(party for party in parties if party)


def _to_json(value: object) -> Any:
    """Return a value for JSON; cards and ranks become their codes."""
    if isinstance(value, Mapping):
        return {str(key): _to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_to_json(item) for item in value]
    return value if isinstance(value, bool | int) else str(value)

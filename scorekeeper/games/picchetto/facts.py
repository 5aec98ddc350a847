"""The facts of a hand of Picchetto, for its summary and the exported tables."""

from collections.abc import Callable
from typing import Final

from scorekeeper.events.fields import COUNT, PLAYER, Each, Flag
from scorekeeper.games.picchetto.marks import PIQUE, REPIQUE, WHITE
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.facts import EACH_SIDE, SIDE, HandFact, HandFacts, Phrase, Sentence, has
from scorekeeper.play.scoring import Basis

BY_SIDE: Final = Each(SIDE, COUNT)
WHETHER: Final = Each(SIDE, Flag())
CAPOT: Final = "P11"


def _points_marked_under(rule: str) -> Callable[[PicchettoDeal], dict[str, int] | None]:
    """Return a function that returns the points of each player under a clause in a hand.

    It returns None if only the points were counted.
    """

    def marked(deal: PicchettoDeal) -> dict[str, int] | None:
        """Return the points of each player under the clause; None if only points were counted."""
        if deal.result.basis is Basis.COUNT and deal.trick_count() is None:
            return None
        lines = [line for line in deal.result.lines if line.rule == rule]
        return {player: sum(int(line.points) for line in lines if line.side == player)
                for player in deal.table.players}  # fmt: skip

    return marked


def _whether_marked_under(rule: str) -> Callable[[PicchettoDeal], dict[str, bool] | None]:
    """Return a function that returns whether each player marked points under a clause."""
    marked = _points_marked_under(rule)

    def whether(deal: PicchettoDeal) -> dict[str, bool] | None:
        """Return whether each player marked points; None if only the points were counted."""
        points = marked(deal)
        return points if points is None else {player: n > 0 for player, n in points.items()}

    return whether


def _last_trick_taker(deal: PicchettoDeal) -> str | None:
    """Return the player of the last trick; None if it is not on record."""
    if deal.all_tricks:
        return deal.won[-1].player
    count = deal.trick_count()
    return count and count.last


FACTS: Final = HandFacts(
    (
        HandFact("white", "Carte blanche", WHETHER, _whether_marked_under(WHITE)),
        HandFact("point", "Point", BY_SIDE, _points_marked_under("P4")),
        HandFact("sequence", "Sequence", BY_SIDE, _points_marked_under("P5")),
        HandFact("set", "Set", BY_SIDE, _points_marked_under("P6")),
        HandFact("repique", "Repique", WHETHER, _whether_marked_under(REPIQUE)),
        HandFact("pique", "Pique", WHETHER, _whether_marked_under(PIQUE)),
        HandFact("taken", "Tricks", BY_SIDE, lambda deal: deal.result.taken),
        HandFact("last", "Last trick", PLAYER, _last_trick_taker),
        HandFact("capot", "Capot", WHETHER, _whether_marked_under(CAPOT)),
    ),
    (
        Sentence(EACH_SIDE, (
            (Phrase("carte blanche", has("white")),),
            (Phrase("point {point}", has("point")),),
            (Phrase("sequence {sequence}", has("sequence")),),
            (Phrase("set {set}", has("set")),),
            (Phrase("repique", has("repique")),),
            (Phrase("pique", has("pique")),),
            (Phrase("capot", has("capot")), Phrase("tricks {taken}")),
        )),
    ),
)  # fmt: skip

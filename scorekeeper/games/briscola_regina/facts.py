"""The facts and the summary of a hand of Briscola Regina."""

from typing import Final

from scorekeeper.events.fields import COUNT, Each, Flag, Many
from scorekeeper.families.briscola import SUIT
from scorekeeper.games.briscola_regina.state import ReginaDeal, suit_of_bris
from scorekeeper.play.facts import EACH_SIDE, SIDE, HandFact, HandFacts, Phrase, Sentence, has


def _bris_suits(deal: ReginaDeal) -> dict[str, tuple[str, ...]]:
    """Return the suits in which each side called Bris, in the order of the calls (B5)."""
    calls = [(deal.table.side_of[call.player], suit_of_bris(call)) for call in deal.first_calls()]
    return {
        side: tuple(suit for caller, suit in calls if caller == side) for side in deal.table.sides
    }


def _bris_points(deal: ReginaDeal) -> dict[str, int]:
    """Return the points of each side for its Bris (B7)."""
    bris = [(call.seq,) for call in deal.first_calls()]
    lines = [line for line in deal.result.lines if line.events in bris]
    return {side: sum(int(line.points) for line in lines if line.side == side)
            for side in deal.table.sides}  # fmt: skip


def _took_all_tricks(deal: ReginaDeal) -> dict[str, bool] | None:
    """Return for each side whether it took all the tricks; None if not all are on record."""
    if not deal.all_tricks:
        return None
    winners = {deal.table.side_of[won.player] for won in deal.won}
    return {side: winners == {side} for side in deal.table.sides}


FACTS: Final = HandFacts(
    (
        HandFact("taken", "Card points", Each(SIDE, COUNT), lambda deal: deal.result.taken),
        HandFact("bris", "Bris", Each(SIDE, Many(SUIT)), _bris_suits),
        HandFact("bris_points", "Points for Bris", Each(SIDE, COUNT), _bris_points),
        HandFact("trump", "Trump", SUIT, lambda deal: deal.trump),
        HandFact("sweep", "All the tricks", Each(SIDE, Flag()), _took_all_tricks),
    ),
    (
        Sentence(EACH_SIDE, (
            (Phrase("took {taken}"),),
            (Phrase("Bris in {bris}", has("bris")),),
            (Phrase("all the tricks", has("sweep")),),
        )),
    ),
)  # fmt: skip

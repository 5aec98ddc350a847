"""The score of a hand of Riparto."""

from collections.abc import Iterator

from scorekeeper.games.riparto.rules import TRICKS
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.play.deal import PointsTaken, RecordedEvent
from scorekeeper.play.match import leaders
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text


def score(deal: RipartoDeal) -> Result:
    """Return the result of a hand: lines under R12 or R13 for the ripartitore, R14 for others.

    It is not complete without a bid, or without the points or a made outcome.
    """
    declaration = deal.declaration
    if declaration is None:
        return Result()
    taken = _points_taken(deal)
    if taken is not None:
        lines = tuple(_lines_by_points(deal, declaration, taken))
        return Result(complete=True, basis=taken.basis, lines=lines, taken=taken.points)
    if _made_by_outcome(deal):
        return Result(
            complete=True, basis=Basis.OUTCOME, lines=(_line_of_made_outcome(deal, declaration),)
        )
    return Result()


def _points_taken(deal: RipartoDeal) -> PointsTaken | None:
    """Return the points by the finest record, None without any.

    The hierarchy is added to the proof if cards decided tricks.
    """
    taken = deal.taken()
    if taken and deal.ranking and taken.basis is not Basis.COUNT and any(w.full for w in deal.won):
        return taken._replace(proof=(deal.ranking.seq, *taken.proof))
    return taken


def _made_by_outcome(deal: RipartoDeal) -> bool:
    """Return whether a recorded outcome “made” scores the hand.

    Beside a count it is only a claim.
    """
    return bool(deal.outcomes) and not deal.counts and bool(deal.outcomes[-1].event.made)


def _lines_by_points(
    deal: RipartoDeal, declaration: RecordedEvent, taken: PointsTaken
) -> Iterator[ScoreLine]:
    """Yield the lines of a hand whose points are on record (R12 to R14).

    If the ripartitore missed the declaration, the best of the others get a line, too.
    """
    player, declared = declaration.player, declaration.event.points
    took = taken.points[player]
    events = _events_with_contract(deal, *taken.proof)
    text = Text("Declared {declared} and took {took}", declared=declared, took=took)
    if took == declared:
        yield ScoreLine(player, declared, "R12", text, events)
        return
    yield ScoreLine(player, -declared, "R13", text, events)
    for other in _players_awarded(deal, player, taken):
        text = Text("Most points of the others: {took}", took=taken.points[other])
        yield ScoreLine(other, taken.points[other], "R14", text, taken.proof)


def _players_awarded(deal: RipartoDeal, ripartitore: str, taken: PointsTaken) -> list[str]:
    """Return the players who add their points after a missed declaration (R14).

    They are the others with the most points; the option award_tie decides a tie. It is empty if
    they have no points.
    """
    others = {player: n for player, n in taken.points.items() if player != ripartitore}
    tied = leaders(others)
    if others[tied[0]] == 0:
        return []
    if len(tied) == 1 or deal.table.options["award_tie"] == "all":
        return tied
    if deal.table.options["award_tie"] == "none":
        return []
    latest = _latest_to_win(deal, tied)
    return tied if latest is None else [latest]


def _latest_to_win(deal: RipartoDeal, tied: list[str]) -> str | None:
    """Return which of the ``tied`` players took the latest trick.

    None if the record does not show it.
    """
    winners = deal.winners()
    backwards = [winners.get(number) for number in range(TRICKS, 0, -1)]
    return next((player for player in backwards if player in (None, *tied)), None)


def _line_of_made_outcome(deal: RipartoDeal, declaration: RecordedEvent) -> ScoreLine:
    """Return the line of a declaration that was made, by the outcome alone (R12)."""
    declared = declaration.event.points
    text = Text("Declared {declared} and made it", declared=declared)
    events = _events_with_contract(deal, deal.outcomes[-1].seq)
    return ScoreLine(declaration.player, declared, "R12", text, events)


def _events_with_contract(deal: RipartoDeal, *proof: int) -> tuple[int, ...]:
    """Return the seqs of the bid and the raise, followed by the seqs ``proof``."""
    contract = [recorded.seq for recorded in (deal.bid, deal.raised) if recorded is not None]
    return (*contract, *proof)

"""The points of a round: from the scores of its tables, exactly."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.tournaments.played_tables import PlayedTable, TableHand
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import KNOCKOUT
from scorekeeper.tournaments.stages import MATCH, PLACES, PointRule
from scorekeeper.tournaments.time_limits import list_counting
from scorekeeper.tournaments.values import TournamentRound

# Points of a match, unless the stage has others.
WON, DRAWN, LOST = Fraction(2), Fraction(1), Fraction(0)


class EntrantScore(NamedTuple):
    """The score of an entrant at a table, and the figures of its hands for tie-breaks."""

    score: ExactPoints
    hands: int
    won: int
    made: int
    best: ExactPoints | None


class TablePoints(NamedTuple):
    """The points of a table: by entrant the score, the place and the points.

    ``provisional`` is whether they may still change without a correction.
    """

    number: int
    scores: Mapping[str, EntrantScore]
    places: Mapping[str, int]
    points: Mapping[str, Fraction]
    provisional: bool
    paper: bool = False


def score_places(scores: Mapping[str, ExactPoints]) -> dict[str, int]:
    """Return the place of each entrant; equals share the best of their places.

    >>> score_places({"a": 5, "b": 3, "c": 3, "d": 1})
    {'a': 1, 'b': 2, 'c': 2, 'd': 4}
    """
    return {
        entrant: 1 + sum(other > score for other in scores.values())
        for entrant, score in scores.items()
    }


def list_place_points(rule: PointRule, entrants: int) -> list[Fraction]:
    """Return the points of the first place, the second and so on at a table of so many.

    Without a table of the stage they are the players behind minus the players before.

    >>> [int(points) for points in list_place_points(PointRule("places"), 5)]
    [4, 2, 0, -2, -4]
    """
    named = (rule.tables or {}).get(str(entrants))
    if named is not None:
        return list(named)
    return [Fraction(entrants - 1 - 2 * place) for place in range(entrants)]


def compute_table_points(
    rule: PointRule, scores: Mapping[str, EntrantScore]
) -> dict[str, Fraction]:
    """Return the points of the entrants of a table."""
    totals = {entrant: score.score for entrant, score in scores.items()}
    if rule.by == PLACES:
        return _share_places(totals, list_place_points(rule, len(totals)))
    if rule.by == MATCH:
        return {entrant: _match_points(rule, entrant, totals) for entrant in totals}
    return {
        entrant: Fraction(score.score, max(1, score.hands) if rule.per_hand else 1)
        for entrant, score in scores.items()
    }


def _share_places(
    totals: Mapping[str, ExactPoints], of_places: Sequence[Fraction]
) -> dict[str, Fraction]:
    """Return the points of each place; equals share those of their places."""
    places = score_places(totals)
    points = {}
    for entrant, place in places.items():
        equal = sum(other == place for other in places.values())
        shared = of_places[place - 1 : place - 1 + equal]
        points[entrant] = sum(shared, Fraction(0)) / equal
    return points


def _match_points(rule: PointRule, entrant: str, totals: Mapping[str, ExactPoints]) -> Fraction:
    """Return the points of an entrant for a match won, drawn or lost, or by a scale."""
    own, best, worst = totals[entrant], max(totals.values()), min(totals.values())
    steps = [step for step in rule.scale or () if step.difference <= best - worst]
    if steps:
        return steps[-1].points if own == best else steps[-1].other
    if best == worst:
        return DRAWN if rule.drawn is None else rule.drawn
    if own == best:
        return WON if rule.won is None else rule.won
    return LOST if rule.lost is None else rule.lost


# ------------------------------------------------------------------------------- one table


def score_table(
    record: TournamentRecord, drawn: TournamentRound, number: int, played: PlayedTable | None
) -> TablePoints | None:
    """Return the points of a table; None if nothing of it is on record.

    ``played`` is the result of its session.
    """
    rule = record.stages[drawn.stage - 1].rule
    paper = drawn.paper.get(number)
    if paper is not None:
        hands = paper.hands or 0
        scores = {
            entrant: EntrantScore(score, hands, 0, 0, None)
            for entrant, score in paper.scores.items()
        }
        return _make_points(number, rule, scores, provisional=False, paper=True)
    if played is None or not played.hands:
        return None
    stage = record.stages[drawn.stage - 1]
    counting = list(list_counting(played, stage, drawn, number))
    players_of = _group_players(map_players(record, drawn, number), played)
    scores = _score_entrants(players_of, played, counting)
    if stage.draw == KNOCKOUT:
        for hand in _list_after(played, counting, drawn, number):
            if len({score.score for score in scores.values()}) != 1:
                break
            counting.append(hand)  # a drawn match is played on until it is decided
            scores = _score_entrants(players_of, played, counting)
    if not scores:
        return None
    return _make_points(number, rule, scores, provisional=_is_provisional(drawn, played, counting))


def _score_entrants(
    players_of: Mapping[str, Sequence[str]], played: PlayedTable, counting: Sequence[TableHand]
) -> dict[str, EntrantScore]:
    """Return the scores of the entrants of a table by the hands that count."""
    return {
        entrant: _score_entrant(players, played, counting)
        for entrant, players in players_of.items()
    }


def _list_after(
    played: PlayedTable, counting: Sequence[TableHand], drawn: TournamentRound, table: int
) -> list[TableHand]:
    """Return the hands of a table that do not count, but for those that were ruled out."""
    counted = {hand.number for hand in counting}
    return [
        hand for hand in played.hands
        if hand.number not in counted and (table, hand.number) not in drawn.rulings
    ]  # fmt: skip


def _make_points(
    number: int, rule: PointRule, scores: Mapping[str, EntrantScore], *, provisional: bool,
    paper: bool = False,
) -> TablePoints:  # fmt: skip
    """Return the points of a table with these scores."""
    places = score_places({entrant: score.score for entrant, score in scores.items()})
    points = compute_table_points(rule, scores)
    return TablePoints(number, scores, places, points, provisional, paper)


def map_players(record: TournamentRecord, drawn: TournamentRound, number: int) -> dict[str, str]:
    """Return the entrant of each player of a table: as drawn, with substitutes, as corrected."""
    as_drawn = {
        player: entrant
        for entrant in drawn.tables[number - 1]
        for player in record.entrants[entrant].list_players(drawn.number)
    }
    return {**as_drawn, **drawn.seating.get(number, {})}


def _group_players(entrant_of: Mapping[str, str], played: PlayedTable) -> dict[str, list[str]]:
    """Return the players of each entrant who have a total in the session."""
    players: dict[str, list[str]] = {}
    for player in played.totals:
        if player in entrant_of:
            players.setdefault(entrant_of[player], []).append(player)
    return players


def _score_entrant(
    players: Sequence[str], played: PlayedTable, counting: Sequence[TableHand]
) -> EntrantScore:
    """Return the score of an entrant; both players of a pair have that of their side."""
    player = players[0]
    complete = [hand for hand in counting if hand.complete]
    own = [hand.scores[player] for hand in complete if player in hand.scores]
    if len(counting) == len(played.hands):
        score = played.totals[player]
    else:
        score = sum(own) + played.penalties.get(player, 0)
    won = sum(
        hand.scores[player] == max(hand.scores.values()) > min(hand.scores.values())
        for hand in complete
        if player in hand.scores
    )
    made = sum(hand.made_by in players for hand in complete)
    return EntrantScore(score, len(own), won, made, max(own, default=None))


def _is_provisional(
    drawn: TournamentRound, played: PlayedTable, counting: Sequence[TableHand]
) -> bool:
    """Return whether the points of a table may still change without a correction.

    A hand is in dispute or not complete, or the round goes on and the match is not over, or a
    hand is not confirmed. Who closes a round accepts its hands.
    """
    if any(hand.disputed or not hand.complete for hand in counting):
        return True
    unconfirmed = any(not hand.confirmed for hand in counting)
    return not drawn.closed and (played.unended or unconfirmed)


# ------------------------------------------------------------------------------- a round


class RoundPoints(NamedTuple):
    """The points of an entrant in a round.

    ``kind`` is ``table``, ``bye``, ``missed`` or ``assigned``; a bye of an average is filled in
    later and has no points. ``note`` is the reason of an assigned result.
    """

    round: int
    kind: str
    points: Fraction | None
    table: int | None = None
    score: EntrantScore | None = None
    place: int | None = None
    provisional: bool = False
    paper: bool = False
    note: str = ""


def list_table_rows(
    drawn: TournamentRound, tables: Sequence[TablePoints]
) -> Iterator[tuple[str, RoundPoints]]:
    """Yield the entrants who have points from a table of a round."""
    for table in tables:
        for entrant, points in table.points.items():
            yield entrant, RoundPoints(
                drawn.number, "table", points, table.number, table.scores[entrant],
                table.places[entrant], table.provisional, table.paper,
            )  # fmt: skip


def find_last_place_points(
    rule: PointRule, drawn: TournamentRound, tables: Sequence[TablePoints]
) -> Fraction:
    """Return the points of the last place of a round, which a missed round gets by default.

    By place they are those of the smallest table; else the fewest that somebody got.
    """
    if rule.by == PLACES:
        smallest = min((len(table) for table in drawn.tables), default=0)
        return list_place_points(rule, smallest)[-1] if smallest else Fraction(0)
    got = [points for table in tables for points in table.points.values()]
    return min(got, default=Fraction(0))

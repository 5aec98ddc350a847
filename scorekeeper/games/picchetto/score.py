"""The score of a hand of Picchetto: its marks in order, up to the one that wins the game."""

from collections.abc import Iterator, Sequence

from scorekeeper.games.picchetto.declarations import declaration_lines
from scorekeeper.games.picchetto.events import PiqueCalled
from scorekeeper.games.picchetto.marking import (
    DOUBLED,
    TEXTS,
    Marking,
    sheet_lines,
    trick_marks,
    tricks_text,
)
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    TRICK,
    OrderOutcomes,
    Tally,
    add_to_pair,
    leads_lost,
    majority_mark,
    possible_endings,
)
from scorekeeper.games.picchetto.rules import (
    BONUS_POINTS,
    LEAD_POINTS,
    TRICK_POINTS,
    TRICKS,
)
from scorekeeper.games.picchetto.state import PicchettoDeal, TrickCount
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import RecordedEvent, events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up


def score(deal: PicchettoDeal) -> Result:
    """Return the result of a hand by its finest sufficient record, and its effect on the game."""
    result = _score_with_penalties(deal, _penalties_in_play(deal))
    if result.complete and deal.doubled:
        result.lines = (*result.lines, *_doubling_lines(deal, result.lines))
    return result


def _doubling_lines(deal: PicchettoDeal, lines: Sequence[ScoreLine]) -> Iterator[ScoreLine]:
    """Yield a line that adds the points of each player once more, in a hand that counts double.

    A player without points has none (P16).
    """
    for player, points in add_up(lines, deal.table.players).items():
        if points:
            proof = {seq for line in lines if line.side == player for seq in line.events}
            events = tuple(sorted(proof, key=deal.places.__getitem__))
            yield ScoreLine(player, points, DOUBLED, TEXTS[DOUBLED], events)


def marked_by(deal: PicchettoDeal) -> dict[str, int]:
    """Return the points that each player marked in a complete hand, before it is doubled."""
    lines = (line for line in deal.result.lines if line.rule != DOUBLED)
    return {side: int(points) for side, points in add_up(lines, deal.table.sides).items()}


def _penalties_in_play(deal: PicchettoDeal) -> list[RecordedEvent]:
    """Return the penalties that were recorded before the hand was complete.

    Whether a penalty was is cached on the deal for the current standing.
    """
    if deal.in_play_standing is not deal.standing:
        deal.in_play_standing = deal.standing
        deal.in_play.clear()
    in_play: list[RecordedEvent] = []
    for penalty in deal.penalties:
        if penalty.seq not in deal.in_play:
            earlier = deal.record_before(penalty.seq)
            complete = _score_with_penalties(earlier, in_play).complete and not earlier.again
            deal.in_play[penalty.seq] = not complete
        if not deal.in_play[penalty.seq]:
            break
        in_play.append(penalty)
    return in_play


def _score_with_penalties(deal: PicchettoDeal, penalties: Sequence[RecordedEvent]) -> Result:
    """Return the result of a hand; ``penalties`` are those given before it was complete."""
    consecutive_tricks = deal.consecutive_tricks
    marking = Marking(deal, list(penalties))
    marking.mark(declaration_lines(deal))
    marking.mark(trick_marks(deal))
    if len(consecutive_tricks) == TRICKS:
        marking.mark(_majority_line(deal, deal.tricks_at_least(), events_of(consecutive_tricks)))
    if marking.tally.winner is not None or len(consecutive_tricks) == TRICKS:
        return _result_by_marks(deal, marking)
    marking = Marking(deal, list(penalties))
    tricks, count = deal.trick_count(), deal.count()
    if tricks is not None:
        return _result_by_counted_tricks(deal, marking, tricks)
    if count is not None:
        return _result_by_count(deal, marking, count)
    return Result()


# ---------------------------------------------------------------------------- by the marks


def _majority_line(
    deal: PicchettoDeal, tricks: dict[str, int], events: tuple[int, ...]
) -> Iterator[ScoreLine]:
    """Yield the mark for the cards or for the capot (P10, P11), if a player has it."""
    majority = majority_mark([tricks[player] for player in deal.table.players], deal.terms)
    if majority is not None:
        index, rule, points = majority
        yield ScoreLine(deal.table.players[index], points, rule, TEXTS[rule], events)


def _result_by_marks(deal: PicchettoDeal, marking: Marking) -> Result:
    """Return the result of a hand whose marks are on record, up to the one that won."""
    full = all(won.full for won in deal.consecutive_tricks)
    return Result(
        complete=True,
        basis=Basis.CARDS if deal.consecutive_tricks and full else Basis.TRICKS,
        lines=tuple(sheet_lines(deal, marking)),
        taken=_tricks_taken(deal),
        marks=marking.ending(marking.tally.winner),
    )


def _tricks_taken(deal: PicchettoDeal) -> dict[str, int] | None:
    """Return the tricks by player; None unless all twelve are on record or counted."""
    if deal.all_tricks:
        return deal.tricks_at_least()
    counts = [count.tricks for count in deal.counts_of_tricks() if count.sound]
    counts = counts or [count.tricks for count in deal.sound_counts() if count.tricks]
    return dict(counts[-1]) if counts else None


# ---------------------------------------------------------------------------- by the counts


def _result_by_counted_tricks(deal: PicchettoDeal, marking: Marking, count: TrickCount) -> Result:
    """Return the result of a hand whose tricks were only counted: all of its marks count."""
    marking.mark(declaration_lines(deal))
    marking.penalize()
    orders = _order_outcomes(deal, marking, count)
    bonus = _index_with_pique(deal, marking, orders)
    tally = marking.tally
    lost = leads_lost(count.changes or 0) if marking.terms.leads else (0, 0)
    extra = marking.terms.last_trick - TRICK_POINTS
    for index, player in deal.reckoning_players:
        tricks, last = count.tricks[player], player == count.last
        points = tricks * TRICK_POINTS + extra * last + lost[index] * LEAD_POINTS
        if points:
            text = tricks_text(tricks, lost[index], last=last)
            marking.lines.append(ScoreLine(player, points, TRICK, text, (count.seq,)))
            tally = _add_to_tally(tally, index, points)
    if bonus is not None:
        marking.lines.append(marking.bonus_line(deal.table.players[bonus], PIQUE))
        tally = _add_to_tally(tally, bonus, BONUS_POINTS[PIQUE])
    majority = _majority_line(deal, dict(count.tricks), (count.seq,))
    for line in (line for line in majority if deal.reckons(line.side)):
        marking.lines.append(line)
        tally = _add_to_tally(tally, deal.index_of(line.side), int(line.points))
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(marking.lines),
        taken=_tricks_taken(deal),
        marks=marking.ending(_winner_by_total(tally, marking.terms.target), orders),
    )


def _order_outcomes(deal: PicchettoDeal, marking: Marking, count: TrickCount) -> OrderOutcomes:
    """Return the possible ends of the hand, for all orders of the tricks that fit the record."""
    tricks = [count.tricks[player] for player in deal.table.players]
    both, last = (tricks[0], tricks[1]), deal.index_of(str(count.last))
    known = deal.known_winners()
    everything = marking.terms._replace(target=None)
    changes = count.changes if marking.terms.leads else None
    whole = possible_endings(marking.tally, both, last, known, everything, changes)
    if not whole:  # the count and the tricks on record contradict each other
        known = [None] * TRICKS
        whole = possible_endings(marking.tally, both, last, known, everything, changes)
    if all(_winner_by_total(tally, marking.terms.target) is None for tally in whole):
        return OrderOutcomes(whole, whole)
    ended = possible_endings(marking.tally, both, last, known, marking.terms, changes)
    return OrderOutcomes(whole, ended)


def _index_with_pique(deal: PicchettoDeal, marking: Marking, orders: OrderOutcomes) -> int | None:
    """Return the index of the player with a pique; None without one (P14).

    Every order of the tricks gives it, or some do and it was called.
    """
    for index, player in enumerate(deal.table.players):
        if orders.some_give((PIQUE, index)) and (
            orders.all_give((PIQUE, index)) or deal.called(PiqueCalled, player)
        ):
            return index
    return None


def _result_by_count(deal: PicchettoDeal, marking: Marking, count: Count) -> Result:
    """Return the result of a hand of which only the points were counted."""
    marking.penalize()
    tally = marking.tally
    lines = [
        ScoreLine(
            player, count.points[player], "P12", Text("points marked, as counted"), (count.seq,)
        )
        for _, player in deal.reckoning_players
        if count.points[player]
    ]
    for line in lines:
        tally = _add_to_tally(tally, deal.index_of(line.side), int(line.points))
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(lines),
        taken=_tricks_taken(deal),
        marks=marking.ending(_winner_by_total(tally, marking.terms.target) if lines else None),
    )


def _add_to_tally(tally: Tally, index: int, points: int) -> Tally:
    """Return the tally with points added to a player's score and marks, without a bonus."""
    scores = add_to_pair(tally.scores, index, points)
    return tally._replace(scores=scores, marked=add_to_pair(tally.marked, index, points))


def _winner_by_total(tally: Tally, target: int | None) -> int | None:
    """Return the index of the winner of a game in which all marks count (P15).

    It is the player with the higher total, else elder; None if nobody has reached the target.
    """
    if target is None or max(tally.scores) < target:
        return None
    return 0 if tally.scores[0] >= tally.scores[1] else 1

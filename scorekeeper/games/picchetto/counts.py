"""Checks of the calls and counts of a hand of Picchetto."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.games.picchetto.course import Ending
from scorekeeper.games.picchetto.events import PiqueCalled, RepiqueCalled
from scorekeeper.games.picchetto.marking import marks_on_record
from scorekeeper.games.picchetto.marks import PIQUE, REPIQUE, TRICK, OrderOutcomes
from scorekeeper.games.picchetto.rules import BONUS_FROM, BONUS_POINTS, TRICKS
from scorekeeper.games.picchetto.score import marked_by
from scorekeeper.games.picchetto.state import PicchettoDeal, TrickCount
from scorekeeper.play import checks
from scorekeeper.play.checks import fault
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Observation, Text, add_up


def _order_outcomes(deal: PicchettoDeal) -> OrderOutcomes | None:
    """Return the possible ends of a hand whose tricks were only counted; None for other hands."""
    ending: Ending | None = deal.result.marks
    return ending.orders if ending else None


def _is_scored_by_points(deal: PicchettoDeal) -> bool:
    """Return whether the hand is scored by a count of points alone, without tricks."""
    return deal.result.basis is Basis.COUNT and _order_outcomes(deal) is None


# ----------------------------------------------------------------------------------- calls


FALSE_CALLS: Final = {
    PIQUE: "{player} called a pique, but made none according to the record",
    REPIQUE: "{player} called a repique, but made none according to the record",
}


def false_call(deal: PicchettoDeal, rule: str) -> Iterator[Observation]:
    """Find calls of a pique or repique that the record does not allow; ``rule`` is its clause.

    The clauses are P13 for a repique and P14 for a pique. An incomplete hand is not checked.
    """
    call_type = PiqueCalled if rule == PIQUE else RepiqueCalled
    calls = [call for call in deal.calls if isinstance(call.event, call_type)]
    if not calls or not deal.result.complete:
        return
    false = [player for player in deal.table.players if not _can_have_bonus(deal, rule, player)]
    for call in calls:
        if call.player in false:
            yield fault(FALSE_CALLS[rule], deal, call)


def _can_have_bonus(deal: PicchettoDeal, rule: str, player: str) -> bool:
    """Return whether a player can have made a repique or pique, as far as the record shows.

    A player who reckons nothing in this hand may have called it before that was decided (P12).
    """
    if not deal.reckons(player):
        return True
    bonus = (rule, deal.index_of(player))
    ending: Ending = deal.result.marks
    if ending.orders is not None:
        return ending.orders.some_give(bonus)
    if _is_scored_by_points(deal):
        if rule == PIQUE and not deal.can_pique(player):
            return False
        points = marked_by(deal)[player]
        return ending.winner == player or points >= BONUS_FROM + BONUS_POINTS[rule]
    tally = marks_on_record(deal).tally
    if rule == PIQUE and tally.bonus is None and not deal.all_tricks:
        return deal.can_pique(player) and not tally.marked[1 - bonus[1]]
    return tally.bonus == bonus


def _players_with_uncertain_pique(deal: PicchettoDeal) -> Iterator[str]:
    """Yield the players who have a pique in some orders of the counted tricks, but not in all."""
    orders = _order_outcomes(deal)
    for player in deal.table.players if orders else ():
        bonus = (PIQUE, deal.index_of(player))
        if orders and orders.some_give(bonus) and not orders.all_give(bonus):
            yield player


def pique_unclear(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find piques that some orders of the counted tricks give, and that were not called (P14)."""
    count = deal.trick_count()
    for player in _players_with_uncertain_pique(deal) if count else ():
        if count and not deal.called(PiqueCalled, player):
            name = deal.name(player)
            text = Text(
                "Whether {player} made a pique depends on the order of the tricks, and it was "
                "not called", player=name,
            )  # fmt: skip
            yield Observation((count.seq,), text, (player,))


def piques_known(deal: PicchettoDeal) -> bool:
    """Return whether no pique depends on a call alone, because of the order of counted tricks."""
    return not any(
        deal.called(PiqueCalled, player) for player in _players_with_uncertain_pique(deal)
    )


def game_unclear(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find a game that another player would have won with the marks in another order (P15)."""
    count = deal.trick_count() if _order_outcomes(deal) else deal.count()
    if count is None or not _another_may_have_won(deal):
        return
    winner = deal.result.marks.winner
    if winner is None:
        text = Text("Whether the game was won depends on the order of the tricks")
    else:
        text = Text("Whether {player} won the game depends on the order of the marks",
                    player=deal.name(winner))  # fmt: skip
    yield Observation((count.seq,), text)


def _another_may_have_won(deal: PicchettoDeal) -> bool:
    """Return whether another order of the marks gives another winner, or one instead of none.

    Only hands whose tricks or points were counted have several possible orders.
    """
    ending: Ending | None = deal.result.marks
    if ending is None:
        return False
    if ending.orders is not None:
        pique = next((line for line in deal.result.lines if line.rule == PIQUE), None)
        bonus = (PIQUE, deal.index_of(pique.side)) if pique else None
        winner = None if ending.winner is None else deal.index_of(ending.winner)
        return bool(ending.orders.winners(bonus) - {winner})
    target = deal.game.target
    return (
        target is not None
        and _is_scored_by_points(deal)
        and min(_final_scores(deal).values()) >= target
    )


def _final_scores(deal: PicchettoDeal) -> Mapping[str, int]:
    """Return the score of the game after the hand by player, with penalties that count in it."""
    penalties = {penalty.seq: penalty.event for penalty in deal.penalties}
    game = deal.game.with_points(add_up(deal.result.lines, deal.table.sides))
    for seq in deal.result.marks.penalties:
        fine = penalties[seq]
        shared = dict.fromkeys(deal.table.players, -fine.points) if fine.spread else {}
        game = game.with_points({**shared, fine.side: fine.points})
    return game.scores


# ---------------------------------------------------------------------------------- counts


def counts_known(deal: PicchettoDeal) -> bool:
    """Return whether the record decides if the counts are right."""
    return deal.all_tricks or not (deal.trick_counts or deal.counts)


def total_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find counts of tricks that make neither twelve nor the tricks until the game was won."""
    ended = _tricks_that_count(deal)
    tricks = {count.seq: count.tricks for count in deal.all_counts()}
    for observation in checks.total_mismatch(deal):
        if ended is None or tricks[observation.events[0]] != ended:
            yield observation


def _counts_with_wrong_total(deal: PicchettoDeal) -> set[int]:
    """Return the seqs of counts that are wrong in themselves; other checks leave them out."""
    return {observation.events[0] for observation in total_mismatch(deal)}


def _tricks_that_count(deal: PicchettoDeal) -> dict[str, int] | None:
    """Return the tricks by player up to the mark that won the game; None if all of them count."""
    ending: Ending | None = deal.result.marks
    if ending is None or ending.winner is None or deal.result.basis is Basis.COUNT:
        return None
    lines = [line for line in deal.result.lines if line.rule == TRICK]
    tricks = {side: int(n) for side, n in add_up(lines, deal.table.sides).items()}
    return tricks if sum(tricks.values()) < TRICKS else None


def tricks_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find counts of tricks that contradict the tricks on record, or the last count (P9).

    The named last trick and the number of lead changes are compared as well.
    """
    sound = [count for count in deal.counts_of_tricks() if count.sound]
    stands = deal.trick_count()
    for count in sound:
        if _contradicts_tricks(deal, count.tricks):
            text = Text("The count differs from the tricks on record")
            yield Observation((count.seq, *events_of(deal.won)), text)
        yield from _wrong_last(deal, count)
        yield from _wrong_changes(deal, count)
        changes = count.changes if deal.terms.leads and stands else None
        differs = stands and (
            (count.tricks, count.last or stands.last) != stands[1:3]
            or changes not in (None, stands.changes)
        )
        if stands and differs:
            text = Text("The tricks were counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


def _contradicts_tricks(deal: PicchettoDeal, counted: Mapping[str, int]) -> bool:
    """Return whether a count of tricks and the tricks on record contradict each other.

    If not all tricks are on record, only counts below them do.
    """
    tricks = deal.tricks_made()
    if tricks is not None:
        return any(n != tricks[player] for player, n in counted.items())
    at_least = deal.tricks_at_least()
    return any(n < at_least[player] for player, n in counted.items())


def _wrong_last(deal: PicchettoDeal, count: TrickCount) -> Iterator[Observation]:
    """Yield a fault if the last trick is counted for a player who did not take it.

    The tricks on record, or the count itself, show that.
    """
    won = next((won for won in deal.won if won.number == TRICKS), None)
    if count.named_last is None:
        return
    name = deal.name(count.named_last)
    if won is not None and won.player != count.named_last:
        text = Text("{said} was said to have taken the last trick, but {winner} did",
                    said=name, winner=deal.name(won.player))  # fmt: skip
        yield Observation((count.seq, *won.events), text, (count.named_last, won.player))
    elif count.tricks[count.named_last] == 0:
        text = Text(
            "{said} was said to have taken the last trick, but took no trick at all", said=name
        )
        yield Observation((count.seq,), text, (count.named_last,))


def _wrong_changes(deal: PicchettoDeal, count: TrickCount) -> Iterator[Observation]:
    """Find a number of lead changes that differs from the record, or that is impossible (P9)."""
    if not deal.terms.leads or count.changes is None or not count.last:
        return
    if len(deal.consecutive_tricks) == TRICKS:
        leaders = [deal.leader_of(won.number) for won in deal.consecutive_tricks]
        changes = sum(
            leader != won.player
            for leader, won in zip(leaders, deal.consecutive_tricks, strict=True)
        )
        if changes != count.changes:
            text = Text("The lead changed hands {made} times, but {said} were counted",
                        made=changes, said=count.changes)  # fmt: skip
            yield Observation((count.seq, *events_of(deal.consecutive_tricks)), text)
    elif not deal.can_have_changed(count):
        text = Text("With these tricks the lead cannot have changed hands {said} times",
                    said=count.changes)  # fmt: skip
        yield Observation((count.seq,), text)


def points_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find counts of points that differ from the marks on record, or from the last count (P12).

    Tricks that were counted with the points are compared as well.
    """
    wrong = _counts_with_wrong_total(deal)
    counts = [count for count in deal.all_counts() if count.points and count.seq not in wrong]
    if not counts:
        return
    yield from _points_against_count(deal, counts)
    if deal.result.complete:
        against = _points_against_tricks if _is_scored_by_points(deal) else _points_against_marks
        yield from against(deal, counts)
    for count in counts:
        if count.tricks and count.sound and _tricks_differ(deal, count.tricks):
            text = Text("The tricks counted with the points are not those on record")
            yield Observation((count.seq, *_proof_of_tricks(deal)), text)


def _points_against_marks(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    """Find counts of points that no order of the marks on record can make."""
    possible = _possible_points(deal)
    proof = {seq for line in deal.result.lines for seq in line.events}
    for count in counts:
        if dict(count.points) not in possible:
            text = Text("The points counted differ from the marks on record")
            yield Observation((count.seq, *sorted(proof)), text)


def _points_against_count(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    """Find counts that differ from the last one, in a hand that only counts score."""
    stands = deal.count()
    for count in (
        counts if stands and (not deal.result.complete or _is_scored_by_points(deal)) else ()
    ):
        if stands and count.points != stands.points:
            text = Text("The points were counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


def _points_against_tricks(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    """Find counts with fewer points than tricks on record, unless a won game ended before these."""
    tricks = deal.tricks_at_least() if deal.counts_every_card else {}
    for count in counts if deal.result.marks.winner is None and tricks else ():
        if any(count.points[player] < tricks[player] for _, player in deal.reckoning_players):
            text = Text("The points counted are fewer than the tricks on record")
            yield Observation((count.seq, *events_of(deal.won)), text)


def _possible_points(deal: PicchettoDeal) -> list[dict[str, int]]:
    """Return the points by player as recorded and, of counted tricks, for every possible order."""
    possible = [marked_by(deal)]
    orders = _order_outcomes(deal)
    tallies = orders.whole | orders.ended if orders else ()
    return possible + [
        dict(zip(deal.table.players, tally.marked, strict=True)) for tally in tallies
    ]


def _tricks_differ(deal: PicchettoDeal, counted: Mapping[str, int]) -> bool:
    """Return whether tricks counted with points differ from the count of tricks or the record."""
    stands = deal.trick_count()
    if stands and deal.tricks_made() is None and counted != stands.tricks:
        return True
    return _contradicts_tricks(deal, counted)


def _proof_of_tricks(deal: PicchettoDeal) -> tuple[int, ...]:
    """Return the seqs of the tricks on record; without all tricks, of the count that scores."""
    stands = deal.trick_count()
    if stands and deal.tricks_made() is None:
        return (stands.seq,)
    return events_of(deal.won)

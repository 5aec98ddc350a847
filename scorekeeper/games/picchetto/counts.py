"""Checks of what was called and counted in a hand of Picchetto."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.games.picchetto.course import Ending
from scorekeeper.games.picchetto.events import PiqueCalled, RepiqueCalled
from scorekeeper.games.picchetto.marks import PIQUE, REPIQUE, TRICK, Orders
from scorekeeper.games.picchetto.rules import BONUS_FROM, BONUS_POINTS, TRICKS
from scorekeeper.games.picchetto.score import marked_by, marks_made
from scorekeeper.games.picchetto.state import PicchettoDeal, TrickCount
from scorekeeper.play import checks
from scorekeeper.play.checks import fault
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Observation, Text, add_up


def _orders(deal: PicchettoDeal) -> Orders | None:
    """What the tricks can have come to, where they were only counted."""
    ending: Ending | None = deal.result.marks
    return ending.orders if ending else None


def _only_points(deal: PicchettoDeal) -> bool:
    """Whether nothing but the points counted scores the hand."""
    return deal.result.basis is Basis.COUNT and _orders(deal) is None


# ----------------------------------------------------------------------------------- calls


FALSE_CALLS: Final = {
    PIQUE: "{player} called a pique, but made none according to the record",
    REPIQUE: "{player} called a repique, but made none according to the record",
}


def false_call(deal: PicchettoDeal, rule: str) -> Iterator[Observation]:
    """A pique or repique was called that nothing on record can give (P13, P14)."""
    call = PiqueCalled if rule == PIQUE else RepiqueCalled
    calls = [one for one in deal.calls if isinstance(one.event, call)]
    if not calls or not deal.result.complete:
        return
    false = [player for player in deal.table.players if not _can_be(deal, rule, player)]
    for one in calls:
        if one.player in false:
            yield fault(FALSE_CALLS[rule], deal, one)


def _can_be(deal: PicchettoDeal, rule: str, player: str) -> bool:
    """Whether a repique or pique can have fallen due, as far as the record says.

    Who reckons nothing in this hand called it before that was so (P12).
    """
    if not deal.reckons(player):
        return True
    bonus = (rule, deal.place_of(player))
    ending: Ending = deal.result.marks
    if ending.orders is not None:
        return ending.orders.give(bonus)
    if _only_points(deal):
        if rule == PIQUE and not deal.can_pique(player):
            return False
        made = marked_by(deal)[player]
        return ending.winner == player or made >= BONUS_FROM + BONUS_POINTS[rule]
    tally = marks_made(deal).tally
    if rule == PIQUE and tally.bonus is None and not deal.all_tricks:
        return deal.can_pique(player) and not tally.marked[1 - bonus[1]]
    return tally.bonus == bonus


def _unsettled(deal: PicchettoDeal) -> Iterator[str]:
    """The players who have a pique in some orders of the counted tricks, and not in others."""
    orders = _orders(deal)
    for player in deal.table.players if orders else ():
        bonus = (PIQUE, deal.place_of(player))
        if orders and orders.give(bonus) and not orders.always_give(bonus):
            yield player


def pique_unclear(deal: PicchettoDeal) -> Iterator[Observation]:
    """Some orders of the counted tricks give a pique, and it was not called (P14)."""
    count = deal.trick_count()
    for player in _unsettled(deal) if count else ():
        if count and not deal.called(PiqueCalled, player):
            name = deal.name(player)
            text = Text(
                "Whether {player} made a pique depends on the order of the tricks, and it was "
                "not called", player=name,
            )  # fmt: skip
            yield Observation((count.seq,), text, (player,))


def piques_known(deal: PicchettoDeal) -> bool:
    """Whether no pique rests on a call alone."""
    return not any(deal.called(PiqueCalled, player) for player in _unsettled(deal))


def game_unclear(deal: PicchettoDeal) -> Iterator[Observation]:
    """The marks in another order give the game to another (P15)."""
    count = deal.trick_count() if _orders(deal) else deal.count()
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
    ending: Ending | None = deal.result.marks
    if ending is None:
        return False
    if ending.orders is not None:
        pique = next((line for line in deal.result.lines if line.rule == PIQUE), None)
        bonus = (PIQUE, deal.place_of(pique.side)) if pique else None
        winner = None if ending.winner is None else deal.place_of(ending.winner)
        return bool(ending.orders.winners(bonus) - {winner})
    target = deal.game.target
    return target is not None and _only_points(deal) and min(_final(deal).values()) >= target


def _final(deal: PicchettoDeal) -> Mapping[str, int]:
    """The score of the game after the hand."""
    penalties = {one.seq: one.event for one in deal.penalties}
    game = deal.game.plus(add_up(deal.result.lines, deal.table.sides))
    for seq in deal.result.marks.penalties:
        fine = penalties[seq]
        shared = dict.fromkeys(deal.table.players, -fine.points) if fine.spread else {}
        game = game.plus({**shared, fine.side: fine.points})
    return game.scores


# ---------------------------------------------------------------------------------- counts


def known(deal: PicchettoDeal) -> bool:
    """Whether the record can say if the counts are right."""
    return deal.all_tricks or not (deal.trick_counts or deal.counts)


def total_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """Tricks counted that do not make twelve, nor what was played until the game was won."""
    ended = _tricks_that_count(deal)
    tricks = {count.seq: count.tricks for count in deal.all_counts()}
    for observation in checks.total_mismatch(deal):
        if ended is None or tricks[observation.events[0]] != ended:
            yield observation


def _mismatched(deal: PicchettoDeal) -> set[int]:
    """The counts that are wrong in themselves: nothing more is said of them."""
    return {observation.events[0] for observation in total_mismatch(deal)}


def _tricks_that_count(deal: PicchettoDeal) -> dict[str, int] | None:
    """The tricks by player up to the mark that won the game; None where all of them count."""
    ending: Ending | None = deal.result.marks
    if ending is None or ending.winner is None or deal.result.basis is Basis.COUNT:
        return None
    lines = [line for line in deal.result.lines if line.rule == TRICK]
    tricks = add_up(lines, deal.table.sides)
    return tricks if sum(tricks.values()) < TRICKS else None


def tricks_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """A count of tricks that differs from those on record, or from the count that stands (P9)."""
    sound = [count for count in deal.counts_of_tricks() if count.sound]
    stands = deal.trick_count()
    for count in sound:
        if _against_tricks(deal, count.tricks):
            text = Text("The count differs from the tricks on record")
            yield Observation((count.seq, *events_of(deal.won)), text)
        yield from _wrong_last(deal, count)
        yield from _wrong_changes(deal, count)
        changes = count.changes if deal.terms.leads and stands else None
        again = stands and (
            (count.tricks, count.last or stands.last) != stands[1:3]
            or changes not in (None, stands.changes)
        )
        if stands and again:
            text = Text("The tricks were counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


def _against_tricks(deal: PicchettoDeal, counted: Mapping[str, int]) -> bool:
    """Whether a count of tricks and the tricks on record cannot both be right."""
    made = deal.tricks_made()
    if made is not None:
        return any(n != made[player] for player, n in counted.items())
    at_least = deal.tricks_at_least()
    return any(n < at_least[player] for player, n in counted.items())


def _wrong_last(deal: PicchettoDeal, count: TrickCount) -> Iterator[Observation]:
    """The last trick was said to be another's than it was, or than it can have been."""
    won = next((won for won in deal.won if won.number == TRICKS), None)
    if count.said is None:
        return
    said = deal.name(count.said)
    if won is not None and won.player != count.said:
        text = Text("{said} was said to have taken the last trick, and {winner} did",
                    said=said, winner=deal.name(won.player))  # fmt: skip
        yield Observation((count.seq, *won.events), text, (count.said, won.player))
    elif count.tricks[count.said] == 0:
        text = Text("{said} was said to have taken the last trick, and no trick at all", said=said)
        yield Observation((count.seq,), text, (count.said,))


def _wrong_changes(deal: PicchettoDeal, count: TrickCount) -> Iterator[Observation]:
    """The lead was said to have changed hands otherwise than it did, or than it can have (P9)."""
    if not deal.terms.leads or count.changes is None or not count.last:
        return
    if len(deal.leading) == TRICKS:
        leaders = [deal.leader_of(won.number) for won in deal.leading]
        made = sum(one != won.player for one, won in zip(leaders, deal.leading, strict=True))
        if made != count.changes:
            text = Text("The lead changed hands {made} times, and {said} were counted",
                        made=made, said=count.changes)  # fmt: skip
            yield Observation((count.seq, *events_of(deal.leading)), text)
    elif not deal.can_have_changed(count):
        text = Text("With these tricks the lead cannot have changed hands {said} times",
                    said=count.changes)  # fmt: skip
        yield Observation((count.seq,), text)


def points_mismatch(deal: PicchettoDeal) -> Iterator[Observation]:
    """Points counted that differ from the marks on record, or from the count that stands (P12)."""
    wrong = _mismatched(deal)
    counts = [one for one in deal.all_counts() if one.points and one.seq not in wrong]
    if not counts:
        return
    yield from _points_against_count(deal, counts)
    if deal.result.complete:
        against = _points_against_tricks if _only_points(deal) else _points_against_marks
        yield from against(deal, counts)
    for count in counts:
        if count.tricks and count.sound and _tricks_differ(deal, count.tricks):
            text = Text("The tricks counted with the points differ from those on record")
            yield Observation((count.seq, *_proof_of_tricks(deal)), text)


def _points_against_marks(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    possible = _possible_points(deal)
    proof = {seq for line in deal.result.lines for seq in line.events}
    for count in counts:
        if dict(count.points) not in possible:
            text = Text("The points counted differ from the marks on record")
            yield Observation((count.seq, *sorted(proof)), text)


def _points_against_count(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    """Counted again later with a different result, where the count is all there is."""
    stands = deal.count()
    for count in counts if stands and (not deal.result.complete or _only_points(deal)) else ():
        if stands and count.points != stands.points:
            text = Text("The points were counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


def _points_against_tricks(deal: PicchettoDeal, counts: list[Count]) -> Iterator[Observation]:
    """Fewer points than tricks on record; a game that was won may have ended before them."""
    tricks = deal.tricks_at_least() if deal.counts_every_card else {}
    for count in counts if deal.result.marks.winner is None and tricks else ():
        if any(count.points[player] < tricks[player] for _, player in deal.reckoning):
            text = Text("The points counted are fewer than the tricks on record")
            yield Observation((count.seq, *events_of(deal.won)), text)


def _possible_points(deal: PicchettoDeal) -> list[dict[str, int]]:
    """What each player marked as recorded; where tricks were only counted, in any order."""
    possible = [marked_by(deal)]
    orders = _orders(deal)
    tallies = orders.whole | orders.ended if orders else ()
    return possible + [dict(zip(deal.table.players, one.marked, strict=True)) for one in tallies]


def _tricks_differ(deal: PicchettoDeal, counted: Mapping[str, int]) -> bool:
    stands = deal.trick_count()
    if stands and deal.tricks_made() is None and counted != stands.tricks:
        return True
    return _against_tricks(deal, counted)


def _proof_of_tricks(deal: PicchettoDeal) -> tuple[int, ...]:
    stands = deal.trick_count()
    if stands and deal.tricks_made() is None:
        return (stands.seq,)
    return events_of(deal.won)

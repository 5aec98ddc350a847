"""Checks of winners, counts, outcomes and claims against the rest of the record."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from scorekeeper.base.parts import format_signed, in_points
from scorekeeper.cards.tricks import Trick
from scorekeeper.play.checks.faults import fault
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import Deal, events_of
from scorekeeper.play.scoring import Observation, Text, add_up


def wrong_winner(deal: Deal) -> Iterator[Observation]:
    """Find tricks recorded for a player who did not take them, and wrong claims of the rest.

    The cards of a trick decide; without them a second named winner contradicts the first.
    """
    for trick in deal.tricks:
        if trick.number in deal.winning:
            yield from _winner_against_cards(deal, trick)
        else:
            yield from _second_winners(deal, trick)
    yield from _rest_taken_by_another(deal)


def _winner_against_cards(deal: Deal, trick: Trick) -> Iterator[Observation]:
    """Yield a fault for each named winner of a trick whose cards are known and decide otherwise."""
    best = deal.winning[trick.number]
    for named in trick.named_winners:
        if named.player != best.player:
            others = [play.seq for play in trick.plays if play is not best]
            yield fault(
                "Trick {number}: {said} was said to have taken it, but {winner} did, with {card}",
                deal, named, best.seq, *others, also=best.player, number=trick.number,
                said=deal.name(named.player), winner=deal.name(best.player), card=best.card,
            )  # fmt: skip


def _second_winners(deal: Deal, trick: Trick) -> Iterator[Observation]:
    """Yield a fault for each further named winner of a trick who is not the first one."""
    for named in trick.named_winners[1:]:
        first = trick.named_winners[0]
        if named.player != first.player:
            yield fault(
                "Trick {number}: recorded for {winner}, and again for {said}",
                deal, named, first.seq, also=first.player, number=trick.number,
                said=deal.name(named.player), winner=deal.name(first.player),
            )  # fmt: skip


def _rest_taken_by_another(deal: Deal) -> Iterator[Observation]:
    """Yield a fault for each claim of the rest after which another player won a trick."""
    for rest in deal.rests:
        to_come = (won for won in deal.won if won.number not in rest.before)
        other = next((won for won in to_come if won.player != rest.player), None)
        if other:
            yield fault(
                "{said} was said to take the rest, but trick {number} was recorded for {winner}",
                deal, rest, *other.events, also=other.player, number=other.number,
                said=deal.name(rest.player), winner=deal.name(other.player),
            )  # fmt: skip


def beaten_winner(deal: Deal) -> Iterator[Observation]:
    """Find tricks recorded for a player whose card was beaten; other cards are not on record.

    For games whose deal knows the strength of cards in an incomplete trick.
    """
    for trick in deal.tricks:
        if not trick.plays or deal.tricks.is_full(trick):
            continue
        best = deal.winner(trick)
        for named in trick.named_winners:
            own = trick.card_of(named.player)
            if own is not None and own is not best:
                yield fault(
                    "Trick {number}: {said} was said to have taken it, but {card} was beaten by "
                    "{better}",
                    deal, named, own.seq, best.seq, also=best.player, number=trick.number,
                    said=deal.name(named.player), card=own.card, better=best.card,
                )  # fmt: skip


def duplicate_card(deal: Deal) -> Iterator[Observation]:
    """Find cards that were played twice; a hand with such a card has no score."""
    for play in deal.again:
        first = deal.first[play.card]
        yield fault(
            "{card} was played by {first} and again by {second}: the hand has no score until "
            "one of them is corrected",
            deal, play, first.seq, also=first.player, card=play.card,
            first=deal.name(first.player), second=deal.name(play.player),
        )  # fmt: skip


def too_many(deal: Deal) -> Iterator[Observation]:
    """Find tricks beyond the number of the hand; they are not scored."""
    for trick in deal.tricks.beyond():
        text = Text(
            "Trick {number} in a hand of {total}: it is not scored",
            number=trick.number, total=deal.tricks.total,
        )  # fmt: skip
        yield Observation(trick.events(), text)


def total_mismatch(deal: Deal) -> Iterator[Observation]:
    """Find counts whose points or tricks do not add up to the fixed total of the hand."""
    for count in deal.all_counts():
        if count.sound:
            continue
        totals = deal.totals()
        if totals and sum(count.points.values()) not in totals:
            text = Text(
                "The points counted make {came}, but a hand has {total}",
                came=deal.counted_points(sum(count.points.values())),
                total=" / ".join(str(deal.counted_points(total)) for total in totals),
            )  # fmt: skip
        else:
            text = Text(
                "The tricks counted make {came}, but a hand has {total}",
                came=sum((count.tricks or {}).values()), total=deal.tricks.total,
            )  # fmt: skip
        yield Observation((count.seq,), text)


def count_mismatch(deal: Deal) -> Iterator[Observation]:
    """Find counts that differ from the tricks on record, or from the last sound count.

    Also found are counts whose points are impossible with their own tricks.
    """
    counts = deal.sound_counts()
    stands = deal.count() if counts else None
    for count in counts:
        text = _contradiction_of_tricks(deal, count)
        if text is not None:
            yield Observation((count.seq, *events_of(deal.won)), text)
        elif figures := _contradictions_within(deal, count):
            yield Observation((count.seq,), Text(AGAINST_ITSELF, said=figures))
        elif stands and count is not stands and _differ(count, stands):
            text = Text("Counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


AGAINST_ITSELF: Final = (
    "The points do not fit the tricks of the same count (points counted / tricks counted): {said}"
)


def _contradictions_within(deal: Deal, count: Count) -> tuple[Text, ...]:
    """Return a text for each side whose points are impossible with the tricks of the same count.

    A text has the side and both figures. It is empty if the count agrees with itself.
    """
    possible = {side: deal.points_of_tricks(n) for side, n in (count.tricks or {}).items()}
    return tuple(
        _figures_text(
            deal, side, deal.counted_points(count.points[side]), (count.tricks or {})[side]
        )
        for side, points in possible.items()
        if points is not None and count.points[side] not in points
    )


def _differ(count: Count, other: Count) -> bool:
    """Return whether two counts differ in points, or in tricks where both have tricks."""
    tricks = count.tricks and other.tricks and dict(count.tricks) != dict(other.tricks)
    return bool(tricks) or dict(count.points) != dict(other.points)


# The key: whether points or tricks were counted, and whether the record has them all.
DIFFERS: Final = {
    ("points", True): "The count differs from the tricks on record (points counted / on record): "
                      "{said}",
    ("points", False): "The count differs from the tricks on record (points counted / at least): "
                       "{said}",
    ("tricks", True): "The count differs from the tricks on record (tricks counted / on record): "
                      "{said}",
    ("tricks", False): "The count differs from the tricks on record (tricks counted / at least): "
                       "{said}",
}  # fmt: skip


def _contradiction_of_tricks(deal: Deal, count: Count) -> Text | None:
    """Return how a count contradicts the tricks on record; None if it does not.

    Only the points are reported if both the points and the tricks differ.
    """
    for what, counted, from_tricks, at_least in (
        ("points", count.points, deal.points_made(), deal.points_at_least()),
        ("tricks", count.tricks or {}, deal.tricks_made(), deal.tricks_at_least()),
    ):
        show = deal.counted_points if what == "points" else int
        figures = _differences(deal, counted, from_tricks, at_least, show)
        if figures:
            return Text(DIFFERS[what, from_tricks is not None], said=figures)
    return None


def _differences(
    deal: Deal,
    counted: Mapping[str, int],
    from_tricks: Mapping[str, int] | None,
    at_least: Mapping[str, int],
    show: Callable[[int], int | str],
) -> tuple[Text, ...]:
    """Return a text for each side whose counted figure contradicts the tricks on record.

    ``show`` returns a figure as it stands in a sentence.

    ``made`` are the exact figures of the tricks, or None if they are incomplete; then a count is
    wrong only if it is below ``at_least``.
    """
    if from_tricks is not None:
        return tuple(
            _figures_text(deal, side, show(n), show(from_tricks[side]))
            for side, n in counted.items()
            if n != from_tricks[side]
        )
    return tuple(
        _figures_text(deal, side, show(n), show(at_least[side]))
        for side, n in counted.items()
        if n < at_least.get(side, 0)
    )


def _figures_text(deal: Deal, side: str, counted: int | str, due: int | str) -> Text:
    """Return “side counted / due” as a text; ``due`` is the figure that the record has."""
    name, party = deal.name(side), deal.table.parties.get(side)
    subject = Text(party.phrase) if party and name == side else name
    return Text("{side} {counted} / {due}", side=subject, counted=counted, due=due)


# The key: whether the recorded outcome is that the contract was made.
OUTCOME_DIFFERS: Final = {
    True: "The contract was said to be made, but according to the record it was lost",
    False: "The contract was said to be lost, but according to the record it was made",
}


def outcome_mismatch(deal: Deal) -> Iterator[Observation]:
    """Find recorded outcomes of a contract that the count or the tricks contradict.

    If neither decides the contract, find outcomes that contradict the last one.
    """
    is_made = deal.contract_made() if deal.outcomes else None
    if is_made is None:
        yield from _contradictory_outcomes(deal)
        return
    for outcome in deal.outcomes:
        if outcome.event.made is not is_made:
            text = Text(OUTCOME_DIFFERS[outcome.event.made])
            proof = events_of(deal.won)
            count = deal.count()
            if deal.points_made() is None and count is not None:
                proof = (count.seq,)
            yield Observation((outcome.seq, *proof), text)


def _contradictory_outcomes(deal: Deal) -> Iterator[Observation]:
    """Yield each recorded outcome that is the opposite of the last one."""
    for outcome in deal.outcomes[:-1]:
        last = deal.outcomes[-1]
        if outcome.event.made is not last.event.made:
            text = Text("The contract was said to be made, and also to be lost")
            yield Observation((outcome.seq, last.seq), text)


def claim_mismatch(deal: Deal) -> Iterator[Observation]:
    """Find scores that the players wrote on paper and that differ from the computed scores.

    A hand that is neither complete nor abandoned is not compared.
    """
    if not (deal.result.complete or deal.result.abandoned):
        return
    scores = add_up(deal.result.lines, deal.table.sides)
    parts = deal.table.parts
    for claim in deal.claims:
        written = {side: in_points(n, parts) for side, n in claim.event.scores.items()}
        wrong = {s: written[s] for s, n in scores.items() if written.get(s, n) != n}
        if wrong:
            figures = ", ".join(
                f"{deal.name(side)} {format_signed(points)} / {format_signed(scores[side])}"
                for side, points in wrong.items()
            )
            proof = {seq for line in deal.result.lines if line.side in wrong for seq in line.events}
            text = Text("The score on paper differs (on paper / scored): {said}", said=figures)
            yield Observation((claim.seq, *sorted(proof - {claim.seq})), text, tuple(wrong))

"""What several games check of what was said: of tricks, counts, outcomes and claims."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.cards.tricks import Trick
from scorekeeper.play.checks.faults import fault
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import Deal, events_of
from scorekeeper.play.scoring import Observation, Text, add_up


def wrong_winner(deal: Deal) -> Iterator[Observation]:
    """Somebody was said to have taken a trick that another took."""
    for trick in deal.tricks:
        if trick.number in deal.winning:
            yield from _said_against_cards(deal, trick)
        else:
            yield from _said_twice(deal, trick)
    yield from _rest_taken_by_another(deal)


def _said_against_cards(deal: Deal, trick: Trick) -> Iterator[Observation]:
    best = deal.winning[trick.number]
    for said in trick.named_winners:
        if said.player != best.player:
            others = [play.seq for play in trick.plays if play is not best]
            yield fault(
                "Trick {number}: {said} was said to have taken it, but {winner} did, with {card}",
                deal, said, best.seq, *others, also=best.player, number=trick.number,
                said=deal.name(said.player), winner=deal.name(best.player), card=best.card,
            )  # fmt: skip


def _said_twice(deal: Deal, trick: Trick) -> Iterator[Observation]:
    for said in trick.named_winners[1:]:
        first = trick.named_winners[0]
        if said.player != first.player:
            yield fault(
                "Trick {number}: recorded for {winner}, and again for {said}",
                deal, said, first.seq, also=first.player, number=trick.number,
                said=deal.name(said.player), winner=deal.name(first.player),
            )  # fmt: skip


def _rest_taken_by_another(deal: Deal) -> Iterator[Observation]:
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
    """Somebody was said to have taken a trick in which his card was beaten, others unknown.

    For games whose deal knows the strength of cards in a trick that is not all on record.
    """
    for trick in deal.tricks:
        if not trick.plays or deal.tricks.is_full(trick):
            continue
        best = deal.winner(trick)
        for said in trick.named_winners:
            own = trick.card_of(said.player)
            if own is not None and own is not best:
                yield fault(
                    "Trick {number}: {said} was said to have taken it, but {card} was beaten by "
                    "{better}",
                    deal, said, own.seq, best.seq, also=best.player, number=trick.number,
                    said=deal.name(said.player), card=own.card, better=best.card,
                )  # fmt: skip


def duplicate_card(deal: Deal) -> Iterator[Observation]:
    """A card was played twice; no score comes from such a record."""
    for play in deal.again:
        first = deal.first[play.card]
        yield fault(
            "{card} was played by {first} and again by {second}: the hand has no score until "
            "one of them is corrected",
            deal, play, first.seq, also=first.player, card=play.card,
            first=deal.name(first.player), second=deal.name(play.player),
        )  # fmt: skip


def too_many(deal: Deal) -> Iterator[Observation]:
    """More tricks than the hand has; they are not scored."""
    for trick in deal.tricks.beyond():
        text = Text(
            "Trick {number} in a hand of {total}: it is not scored",
            number=trick.number, total=deal.tricks.total,
        )  # fmt: skip
        yield Observation(trick.events(), text)


def total_mismatch(deal: Deal) -> Iterator[Observation]:
    """A count that does not make the hand's fixed total."""
    for count in deal.all_counts():
        if count.sound:
            continue
        totals = deal.totals()
        if totals and sum(count.points.values()) not in totals:
            text = Text(
                "The points counted make {came}, and a hand holds {total}",
                came=sum(count.points.values()), total=" / ".join(map(str, totals)),
            )  # fmt: skip
        else:
            text = Text(
                "The tricks counted make {came}, and a hand has {total}",
                came=sum((count.tricks or {}).values()), total=deal.tricks.total,
            )  # fmt: skip
        yield Observation((count.seq,), text)


def count_mismatch(deal: Deal) -> Iterator[Observation]:
    """A count that differs from what the tricks on record make, or from the count that stands."""
    counts = deal.sound_counts()
    stands = deal.count() if counts else None
    for count in counts:
        text = _against_tricks(deal, count)
        if text is not None:
            yield Observation((count.seq, *events_of(deal.won)), text)
        elif said := _against_itself(deal, count):
            yield Observation((count.seq,), Text(AGAINST_ITSELF, said=said))
        elif stands and count is not stands and _differ(count, stands):
            text = Text("Counted again with a different result")
            yield Observation((count.seq, stands.seq), text)


AGAINST_ITSELF: Final = (
    "The points do not go with the tricks of the same count (points counted / tricks counted): "
    "{said}"
)


def _against_itself(deal: Deal, count: Count) -> tuple[Text, ...]:
    """The sides whose points the tricks of the same count cannot make."""
    possible = {side: deal.points_of_tricks(n) for side, n in (count.tricks or {}).items()}
    return tuple(
        _figures(deal, side, count.points[side], (count.tricks or {})[side])
        for side, points in possible.items()
        if points is not None and count.points[side] not in points
    )


def _differ(count: Count, other: Count) -> bool:
    """Whether two counts have other points, or other tricks where both have tricks."""
    tricks = count.tricks and other.tricks and dict(count.tricks) != dict(other.tricks)
    return bool(tricks) or dict(count.points) != dict(other.points)


# By whether points or tricks were counted, and whether the record has them all.
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


def _against_tricks(deal: Deal, count: Count) -> Text | None:
    for what, counted, made, at_least in (
        ("points", count.points, deal.points_made(), deal.points_at_least()),
        ("tricks", count.tricks or {}, deal.tricks_made(), deal.tricks_at_least()),
    ):
        said = _differences(deal, counted, made, at_least)
        if said:
            return Text(DIFFERS[what, made is not None], said=said)
    return None


def _differences(
    deal: Deal,
    counted: Mapping[str, int],
    made: Mapping[str, int] | None,
    at_least: Mapping[str, int],
) -> tuple[Text, ...]:
    """Where a count and the record of the tricks cannot both be right: who, and both figures."""
    if made is not None:
        return tuple(
            _figures(deal, side, n, made[side]) for side, n in counted.items() if n != made[side]
        )
    return tuple(
        _figures(deal, side, n, at_least[side])
        for side, n in counted.items()
        if n < at_least.get(side, 0)
    )


# The sides of a count that are not sides of the match.
PARTIES: Final = {"bidder": "the bidder's party", "defenders": "the defenders"}


def _figures(deal: Deal, side: str, counted: int, due: int) -> Text:
    """What was counted for a side, and what the record has."""
    name = deal.name(side)
    who = Text(PARTIES[side]) if side in PARTIES and name == side else name
    return Text("{side} {counted} / {due}", side=who, counted=counted, due=due)


# By what was said of the contract.
OUTCOME_DIFFERS: Final = {
    True: "The contract was said to be made, but according to the record it was lost",
    False: "The contract was said to be lost, but according to the record it was made",
}


def outcome_mismatch(deal: Deal) -> Iterator[Observation]:
    """It was said that the contract was made, or lost, and the count or the tricks say other."""
    made = deal.contract_made() if deal.outcomes else None
    if made is None:
        yield from _outcome_said_twice(deal)
        return
    for noted in deal.outcomes:
        if noted.event.made is not made:
            text = Text(OUTCOME_DIFFERS[noted.event.made])
            proof = events_of(deal.won)
            count = deal.count()
            if deal.points_made() is None and count is not None:
                proof = (count.seq,)
            yield Observation((noted.seq, *proof), text)


def _outcome_said_twice(deal: Deal) -> Iterator[Observation]:
    for noted in deal.outcomes[:-1]:
        last = deal.outcomes[-1]
        if noted.event.made is not last.event.made:
            text = Text("The contract was said to be made, and said to be lost")
            yield Observation((noted.seq, last.seq), text)


def claim_mismatch(deal: Deal) -> Iterator[Observation]:
    """The table wrote down another score than the record gives."""
    if not (deal.result.complete or deal.result.abandoned):
        return
    scores = add_up(deal.result.lines, deal.table.sides)
    for noted in deal.claims:
        written = noted.event.scores
        wrong = {s: written[s] for s, n in scores.items() if written.get(s, n) != n}
        if wrong:
            said = ", ".join(
                f"{deal.name(side)} {points:+d} / {scores[side]:+d}"
                for side, points in wrong.items()
            )
            proof = {seq for line in deal.result.lines if line.side in wrong for seq in line.events}
            text = Text("The score on paper differs (on paper / scored): {said}", said=said)
            yield Observation((noted.seq, *sorted(proof - {noted.seq})), text, tuple(wrong))

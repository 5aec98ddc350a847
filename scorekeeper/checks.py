"""Checks that several games share: what is said of tricks, counts and claims.

Each looks at one deal and yields what it sees; a game lists them in its table of checks, with
its own clauses.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.cards import Card
from scorekeeper.hands import Count, Deal, events_of
from scorekeeper.scoring import Sight, Text, add_up
from scorekeeper.tricks import Play, Trick


def wrong_winner(deal: Deal) -> Iterator[Sight]:
    """Somebody was said to have taken a trick that another took."""
    for trick in deal.tricks:
        if deal.decided(trick):
            yield from _said_against_cards(deal, trick)
        else:
            yield from _said_twice(deal, trick)
    yield from _rest_taken_by_another(deal)


def _said_against_cards(deal: Deal, trick: Trick) -> Iterator[Sight]:
    best = deal.winner(trick)
    others = tuple(play.seq for play in trick.plays if play is not best)
    for said in trick.said:
        if said.player != best.player:
            text = Text(
                "Trick {number}: {said} was said to have taken it, but {winner} did, with {card}",
                number=trick.number, said=deal.table.name(said.player),
                winner=deal.table.name(best.player), card=best.card,
            )  # fmt: skip
            yield Sight((said.seq, best.seq, *others), text, _sides(deal, said.player, best.player))


def _said_twice(deal: Deal, trick: Trick) -> Iterator[Sight]:
    for said in trick.said[1:]:
        first = trick.said[0]
        if said.player != first.player:
            text = Text(
                "Trick {number}: recorded for {winner}, and again for {said}",
                number=trick.number, said=deal.table.name(said.player),
                winner=deal.table.name(first.player),
            )  # fmt: skip
            yield Sight((said.seq, first.seq), text, _sides(deal, said.player, first.player))


def _rest_taken_by_another(deal: Deal) -> Iterator[Sight]:
    for rest in deal.rests:
        to_come = (won for won in deal.won if won.number not in rest.before)
        other = next((won for won in to_come if won.player != rest.player), None)
        if other:
            text = Text(
                "{said} was said to take the rest, but trick {number} was recorded for {winner}",
                said=deal.table.name(rest.player), number=other.number,
                winner=deal.table.name(other.player),
            )  # fmt: skip
            yield Sight((rest.seq, *other.events), text, _sides(deal, rest.player, other.player))


def beaten_winner(deal: Deal) -> Iterator[Sight]:
    """Somebody was said to have taken a trick in which his card was beaten, others unknown.

    For games whose deal knows the strength of cards in a trick that is not all on record.
    """
    for trick in deal.tricks:
        if not trick.plays or deal.tricks.full(trick):
            continue
        best = deal.winner(trick)
        for said in trick.said:
            own = trick.card_of(said.player)
            if own is not None and own is not best:
                text = Text(
                    "Trick {number}: {said} was said to have taken it, but {card} was beaten by "
                    "{better}",
                    number=trick.number, said=deal.table.name(said.player), card=own.card,
                    better=best.card,
                )  # fmt: skip
                sides = _sides(deal, said.player, best.player)
                yield Sight((said.seq, own.seq, best.seq), text, sides)


def _sides(deal: Deal, *players: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(deal.table.side_of[player] for player in players))


def duplicate_card(deal: Deal) -> Iterator[Sight]:
    """A card was played twice; no score comes from such a record."""
    for play in deal.again:
        first = deal.first[play.card]
        text = Text(
            "{card} was played by {first} and again by {second}: the hand has no score until "
            "one of them is corrected",
            card=play.card, first=deal.table.name(first.player),
            second=deal.table.name(play.player),
        )  # fmt: skip
        yield Sight((play.seq, first.seq), text, _sides(deal, play.player, first.player))


def too_many(deal: Deal) -> Iterator[Sight]:
    """More tricks than the hand has; they are not scored."""
    for trick in deal.tricks.beyond():
        text = Text(
            "Trick {number} in a hand of {total}: it is not scored",
            number=trick.number, total=deal.tricks.total,
        )  # fmt: skip
        yield Sight(trick.events(), text)


def total_mismatch(deal: Deal) -> Iterator[Sight]:
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
        yield Sight((count.seq,), text)


def count_mismatch(deal: Deal) -> Iterator[Sight]:
    """A count that differs from what the tricks on record make, or from the count that stands."""
    stands = deal.count()
    for count in deal.sound_counts():
        text = _against_tricks(deal, count)
        if text is not None:
            yield Sight((count.seq, *events_of(deal.won)), text)
        elif stands and count is not stands and dict(count.points) != dict(stands.points):
            text = Text("Counted again later, with other points")
            yield Sight((count.seq, stands.seq), text)


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
            return Text(DIFFERS[what, made is not None], said=", ".join(said))
    return None


def _differences(
    deal: Deal,
    counted: Mapping[str, int],
    made: Mapping[str, int] | None,
    at_least: Mapping[str, int],
) -> list[str]:
    """Where a count and the record of the tricks cannot both be right: who, and both figures."""
    if made is not None:
        return [
            f"{deal.table.name(side)} {n} / {made[side]}"
            for side, n in counted.items()
            if n != made[side]
        ]
    return [
        f"{deal.table.name(side)} {n} / {at_least[side]}"
        for side, n in counted.items()
        if n < at_least.get(side, 0)
    ]


# By what was said of the contract.
OUTCOME_DIFFERS: Final = {
    True: "The contract was said to be made, but by the record it was lost",
    False: "The contract was said to be lost, but by the record it was made",
}


def outcome_mismatch(deal: Deal) -> Iterator[Sight]:
    """It was said that the contract was made, or lost, and the count or the tricks say other."""
    made = deal.contract_made()
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
            yield Sight((noted.seq, *proof), text)


def _outcome_said_twice(deal: Deal) -> Iterator[Sight]:
    for noted in deal.outcomes[:-1]:
        last = deal.outcomes[-1]
        if noted.event.made is not last.event.made:
            text = Text("The contract was said to be made, and said to be lost")
            yield Sight((noted.seq, last.seq), text)


def claim_mismatch(deal: Deal) -> Iterator[Sight]:
    """The table wrote down another score than the record gives."""
    if not (deal.result.complete or deal.result.abandoned):
        return
    scores = add_up(deal.result.lines, deal.table.sides)
    for noted in deal.claims:
        written = noted.event.scores
        wrong = {s: written[s] for s, n in scores.items() if written.get(s, n) != n}
        if wrong:
            said = ", ".join(
                f"{deal.table.name(side)} {points:+d} / {scores[side]:+d}"
                for side, points in wrong.items()
            )
            proof = {seq for line in deal.result.lines if line.side in wrong for seq in line.events}
            text = Text("What the table wrote down differs (written / scored): {said}", said=said)
            yield Sight((noted.seq, *sorted(proof - {noted.seq})), text, tuple(wrong))


def out_of_turn(
    deal: Deal, first_leader: str | None, proof: tuple[int, ...] = ()
) -> Iterator[Sight]:
    """Cards played by another than the player whose turn it was.

    ``proof`` is what shows who leads first. After a trick, both its winner by the rules and
    the one said to have won it may lead.
    """
    may_lead: set[str] = {first_leader} if first_leader else set()
    for number in range(1, deal.tricks.total + 1):
        trick = deal.tricks.numbered.get(number)
        if trick is not None and trick.plays:
            yield from _lead_out_of_turn(deal, trick.plays[0], number, may_lead, proof)
            yield from _following_out_of_turn(deal, trick)
        may_lead, proof = _next_leaders(deal, trick)


def _next_leaders(deal: Deal, trick: Trick | None) -> tuple[set[str], tuple[int, ...]]:
    if trick is None:
        return set(), ()
    leaders = {said.player for said in trick.said}
    if deal.decided(trick):
        leaders.add(deal.winner(trick).player)
    return leaders, trick.events()


def _lead_out_of_turn(
    deal: Deal, lead: Play, number: int, may_lead: set[str], proof: tuple[int, ...]
) -> Iterator[Sight]:
    if may_lead and lead.player not in may_lead:
        text = Text(
            "Trick {number}: {player} led {card}, and it was for {due} to lead",
            number=number, player=deal.table.name(lead.player), card=lead.card,
            due=" / ".join(sorted(map(deal.table.name, may_lead))),
        )  # fmt: skip
        yield Sight((lead.seq, *proof), text, _sides(deal, lead.player))


def _following_out_of_turn(deal: Deal, trick: Trick) -> Iterator[Sight]:
    leader = trick.plays[0].player
    due = [deal.table.after(leader, step) for step in range(1, deal.tricks.players)]
    for play in trick.plays[1:]:
        overtaken = [
            other for other in trick.plays if other.player in due[: due.index(play.player)]
        ]
        late = [other for other in overtaken if trick.plays.index(other) > trick.plays.index(play)]
        if late:
            text = Text(
                "Trick {number}: {player} played {card} before {due}, whose turn it was",
                number=trick.number, player=deal.table.name(play.player), card=play.card,
                due=deal.table.name(late[0].player),
            )  # fmt: skip
            yield Sight((play.seq, late[0].seq), text, _sides(deal, play.player))


def held_later(deal: Deal, play: Play) -> Iterator[tuple[int, Card]]:
    """Cards that the record proves to have been in a player's holding when he made a play.

    They are the cards that he played later, and those that he showed, before or after, and had
    not yet played; with the event that proves each. A card shown before proves nothing where a
    card that he played since is not on record: it may have been that one. Nor does a card of
    which the record is in doubt itself: one that another played too, or that was played beyond
    the hand's number of tricks, or shown by a player all of whose cards are others. The holding
    must not have changed since the play began.
    """
    place = deal.plays.index(play)
    not_his = {other.card for other in deal.plays if other.player != play.player}
    not_his |= {extra.card for trick in deal.tricks.beyond() for extra in trick.plays}
    for later in deal.plays[place + 1 :]:
        if later.player == play.player and later.card not in not_his:
            yield later.seq, later.card
    gone = {earlier.card for earlier in deal.plays[:place] if earlier.player == play.player}
    gap = _last_gap(deal, play)
    his = played_by(deal, play.player)
    all_his = len(his) == deal.tricks.total
    for shown in deal.held():
        if shown.player == play.player and (shown.after > place or shown.trick > gap):
            for card in shown.cards:
                if card not in gone | not_his and (card in his or not all_his):
                    yield shown.seq, card


def played_by(deal: Deal, player: str) -> dict[Card, Play]:
    """The cards that a player played to the tricks of the hand, with the plays."""
    plays = (trick.card_of(player) for trick in deal.tricks)
    return {play.card: play for play in plays if play}


def _last_gap(deal: Deal, play: Play) -> int:
    """The last trick before a play whose card of the same player is not on record, or 0."""
    number = next(n for n, trick in deal.tricks.numbered.items() if play in trick.plays)
    while number := number - 1:
        trick = deal.tricks.numbered.get(number)
        if trick is None or trick.card_of(play.player) is None:
            return number
    return 0


def did_not_follow(deal: Deal, trick: Trick) -> Iterator[tuple[Play, int, Card]]:
    """Plays to a trick that did not follow the suit led, with proof that they could have.

    A card on record twice was played once at most: it accuses nobody.
    """
    twice = {play.card for play in deal.again}
    led = trick.plays[0].card.suit
    if trick.plays[0].card in twice:
        return
    for play in trick.plays[1:]:
        if play.card.suit is not led and play.card not in twice:
            held = next(((s, c) for s, c in held_later(deal, play) if c.suit is led), None)
            if held:
                yield play, *held


def revoke(deal: Deal) -> Iterator[Sight]:
    """Did not follow suit, and the record shows that he could have."""
    for trick in deal.tricks:
        for play, seq, card in did_not_follow(deal, trick) if trick.plays else ():
            text = Text(
                "Trick {number}: {player} played {card} on {led}, and still held {held}",
                number=trick.number, player=deal.table.name(play.player), card=play.card,
                led=trick.plays[0].card, held=card,
            )  # fmt: skip
            yield Sight((play.seq, seq), text, _sides(deal, play.player))


def shown_mismatch(deal: Deal) -> Iterator[Sight]:
    """A card that a player showed, and that he had played before or another plays."""
    for shown in deal.shown:
        for card in shown.cards:
            for place, play in enumerate(deal.plays):
                early = play.player == shown.player and place < shown.after
                if play.card is card and (early or play.player != shown.player):
                    text = Text(
                        "{player} showed {card}, and had played it before"
                        if early
                        else "{player} showed {card}, which {other} played",
                        player=deal.table.name(shown.player), card=card,
                        other=deal.table.name(play.player),
                    )  # fmt: skip
                    yield Sight((shown.seq, play.seq), text, _sides(deal, shown.player))

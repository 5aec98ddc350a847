"""What the record says of how the cards lie, and what can be said of them beside it."""

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import or_

from scorekeeper.cards.tricks import Play
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto import declarations
from scorekeeper.games.picchetto.claims import most_to_exchange
from scorekeeper.games.picchetto.declarations import bad, cards_of_sum
from scorekeeper.games.picchetto.events import (
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.holdings import HELD
from scorekeeper.games.picchetto.state import RANK, PicchettoDeal
from scorekeeper.games.picchetto.witness.bits import (
    ALL,
    COURTS,
    RUNS,
    SETS,
    BitWays,
    better,
    bits,
    higher,
    points,
    suit_of,
    sums_from,
)
from scorekeeper.games.picchetto.witness.lie import Lie, Need, White
from scorekeeper.games.picchetto.witness.search import STEPS_FOR_A_CHOICE, found
from scorekeeper.play.prompts.following import unrecorded_plays


class Possible:
    """How the cards can lie according to the record of a hand.

    Holdings once found are tried again before others are searched. Where none fit, because the
    record contradicts itself, only the cards played count, and then nothing does.
    """

    def __init__(self, deal: PicchettoDeal) -> None:
        self.deal = deal
        lies = (lie_of(deal), played(deal, Lie()), Lie())
        lie, hands = next((lie, hands) for lie in lies if (hands := found(lie)) is not None)
        self.lie = lie.met_by(hands)
        self.found = [hands]

    def can_hold(self, who: int, ways: BitWays) -> bool:
        """Whether a player can hold the cards of one of these ways."""
        for hands in self.found:
            missing = ~hands[who]
            for way in ways:  # no generator: it is asked very often
                if not way & missing:
                    return True
        other = found(self.lie.needing(who, ways), steps=STEPS_FOR_A_CHOICE)
        self.found += [other] if other is not None else []
        return other is not None

    def can_answer(self, said: Event, answer: str) -> bool:
        """Whether younger can answer so to what elder declared."""
        return found(answered(self.lie, said, answer)) is not None

    def can_be(self, lie: Lie) -> bool:
        """Whether the cards can lie so."""
        return found(lie, steps=STEPS_FOR_A_CHOICE) is not None


# -------------------------------------------------------------------------- what is on record


def lie_of(deal: PicchettoDeal) -> Lie:
    """All that the record says."""
    lie = Lie()
    for who, player in enumerate(deal.table.players):
        lie = _exchanged(deal, who, player, lie)
    lie = seen(deal, played(deal, lie))
    for who, player in enumerate(deal.table.players):
        lie = _said(deal, who, player, lie)
    return lie


def played(deal: PicchettoDeal, lie: Lie) -> Lie:
    """Return what the cards played show: that they were held, and what beside them was not.

    A card that did not follow says nothing of the cards that its player had before, if some of
    these went to tricks that are recorded by their winner alone.
    """
    gone, hidden = [0, 0], unrecorded_plays(deal)
    for trick in deal.tricks:
        for play in trick.plays:
            who = deal.place_of(play.player)
            gone[who] |= bits([play.card])
            lie = lie.having(who, bits([play.card]))
            unknown = any(number < trick.number for number in hidden[play.player])
            if play is not trick.plays[0] and not unknown:
                lie = lie.lacking(who, lacking(deal, trick.plays[0], play) & ~gone[who])
    return lie


def spent(deal: PicchettoDeal, player: str) -> int:
    """Return the cards of which a player showed, by not following, to have none left."""
    found = 0
    for trick in deal.tricks:
        for play in trick.plays[1:]:
            if play.player == player:
                found |= lacking(deal, trick.plays[0], play)
    return found


def lacking(deal: PicchettoDeal, lead: Play, play: Play) -> int:
    """The cards that a player of the second card has not beside it (P8)."""
    if play.card.suit is not lead.card.suit:
        return suit_of(lead.card)
    if not deal.table.options["must_beat"] or RANK[play.card.rank] > RANK[lead.card.rank]:
        return 0
    return higher(lead.card)


def seen(deal: PicchettoDeal, lie: Lie) -> Lie:
    """The cards that were shown, for a declaration or not."""
    for one in deal.shown:
        who, mask = deal.place_of(one.player), bits(one.cards)
        held = not deal.before_exchange(one.player, one.seq)
        lie = (lie.having(who, mask) if held else lie).lacking(1 - who, mask)
    nothing = bad(deal)
    for seq, event in deal.showings:
        if event.cards and seq not in nothing:
            lie = lie.having(deal.place_of(event.player), bits(event.cards))
    return lie


def _exchanged(deal: PicchettoDeal, who: int, player: str, lie: Lie) -> Lie:
    exchange, white = deal.exchange(player), deal.white(player)
    gone = bits((exchange.event.discarded if exchange else None) or ())
    drawn = bits((exchange.event.drawn if exchange else None) or ())
    lie = lie.having(who, drawn).out(gone)
    if white is None:
        return lie
    cards = bits(white.event.cards or ())
    strange = ALL & ~cards if cards.bit_count() == HELD else COURTS
    if drawn:
        lie = lie.lacking(who, strange & ~drawn)
    elders = deal.exchange(deal.elder) if who else None
    return lie.lacking(1 - who, cards)._replace(
        white=White(
            who,
            strange,
            exchange.event.count if exchange else most_to_exchange(deal, player),
            exchange.event.count if exchange else None,
            gone,
            bits((elders.event.discarded if elders else None) or ()),
        )
    )


# ------------------------------------------------------------------------------ what was said


def _said(deal: PicchettoDeal, who: int, player: str, lie: Lie) -> Lie:
    nothing = bad(deal)
    needs = [Need(who, ways) for ways in _ways_said(deal, player)]
    lie = lie._replace(needs=(*lie.needs, *needs))
    for category in ("point", "sequence", "set") if who else ():
        said, answer = deal.declared(deal.elder, category), deal.answer(category)
        sound = said and answer and not {said.seq, answer.seq} & nothing.keys()
        if said and answer and sound and answer.event.player == player:
            lie = answered(lie, said.event, answer.event.answer)
    return lie


def _ways_said(deal: PicchettoDeal, player: str) -> Iterator[BitWays]:
    """What a player declared and showed, each as the ways in which it is true."""
    nothing = bad(deal)
    for seq, event in deal.declarations:
        told = event.category == "point" and deal.shown_by(player, "point")
        if event.player == player and seq not in nothing and not told:
            yield ways_of(event)
    for seq, event in deal.showings:
        if event.player == player and seq not in nothing and not event.cards:
            yield ways_of(event, floor_of_point(deal, player))
    shown = [event for _, event in deal.shown_by(player, "sequence")]
    if len(shown) > 1:
        yield together(shown)


def ways_of(event: Event, least: int = 0) -> BitWays:
    """The ways in which what was declared or shown is true; a point shown makes ``least``."""
    match event:
        case PointDeclared():
            return points(cards_of_sum(event.value) or 0, event.value)
        case PointShown():
            return points(event.count, least)
        case SequenceDeclared() | SequenceShown():
            return RUNS.get((event.length, event.high), ())
        case SetDeclared() | SetShown():
            return SETS.get((event.count, event.rank), ())
    raise TypeError(event)


def floor_of_point(deal: PicchettoDeal, player: str) -> int:
    """The sum that the point which a player shows makes at least, as was said."""
    declared, answer = deal.declared(player, "point"), deal.answer("point")
    said = deal.declared(deal.elder, "point")
    if declared is not None:
        return int(declared.event.value)
    if answer is None or said is None or answer.event.answer == "good":
        return 0
    return int(said.event.value + (answer.event.answer == "not_good"))


def together(shown: list[SequenceShown]) -> BitWays:
    """The cards of several sequences, none of them in two."""
    ways = [(bits(one.cards),) if one.cards else ways_of(one) for one in shown]
    return tuple(
        reduce(or_, chosen)
        for chosen in product(*ways)
        if reduce(or_, chosen).bit_count() == sum(way.bit_count() for way in chosen)
    )


def answered(lie: Lie, said: Event, answer: str) -> Lie:
    """The same with an answer of younger's to what elder declared."""
    match said:
        case PointDeclared():
            field, value = "point", said.value
            over = sums_from(value + 1)
        case SequenceDeclared() | SetDeclared():
            field, value = said.category, value_of(said)
            over = better(field, value)
        case _:
            raise TypeError(said)
    if answer == "not_good":
        return lie.needing(1, over)
    limit = {field: value if answer == "equal" else value - 1}
    lie = lie._replace(most=lie.most._replace(**limit))
    return lie if answer == "good" else lie.needing(1, ways_of(said))


def value_of(event: Event) -> int:
    """How good a sequence or a set is, as bits have it."""
    number, rank = declarations.worth(event)
    return number * 16 + rank

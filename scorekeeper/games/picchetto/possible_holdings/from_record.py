"""The constraints that the record of a hand puts on both holdings, and what they still allow."""

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import or_

from scorekeeper.cards.tricks import Play
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.claims import most_to_exchange
from scorekeeper.games.picchetto.declarations import cards_of_sum, invalid_statements, worth_of
from scorekeeper.games.picchetto.events import (
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.holdings import HELD
from scorekeeper.games.picchetto.possible_holdings.bits import (
    ALL_CARDS,
    COURTS,
    RUNS,
    SETS,
    Alternatives,
    better_alternatives,
    bits,
    higher_cards,
    minimal_points,
    point_alternatives,
    suit_bits,
)
from scorekeeper.games.picchetto.possible_holdings.constraints import (
    HoldingConstraints,
    Requirement,
    WhiteConstraint,
)
from scorekeeper.games.picchetto.possible_holdings.search import (
    MAX_STEPS_FOR_A_CHOICE,
    find_holdings,
)
from scorekeeper.games.picchetto.state import RANK, PicchettoDeal
from scorekeeper.play.prompts.following import unrecorded_plays


class PossibleHoldings:
    """The holdings that agree with the record of a hand.

    ``known`` are holdings found so far; they are tried again before others are searched. If none
    fit, because the record contradicts itself, the constraints are reduced to those of the cards
    played. If these contradict each other, too, there are no constraints.
    """

    def __init__(self, deal: PicchettoDeal) -> None:
        """Derive the constraints from the record, and find first holdings that satisfy them."""
        self.deal = deal
        none = HoldingConstraints()
        candidates = (derive_constraints(deal), add_plays(deal, none), none)
        constraints, holdings = next(
            (constraints, holdings)
            for constraints in candidates
            if (holdings := find_holdings(constraints)) is not None
        )
        self.constraints = constraints.met_by(holdings)
        self.known = [holdings]

    def can_hold(self, index: int, alternatives: Alternatives) -> bool:
        """Return whether a player can hold all cards of one of these alternatives.

        ``index`` is 0 for elder and 1 for younger. False if the search takes too many steps.
        """
        for holdings in self.known:
            missing = ~holdings[index]
            for alternative in alternatives:  # not any(): this is called very often
                if not alternative & missing:
                    return True
        required = self.constraints.require_one_of(index, alternatives)
        other = find_holdings(required, steps=MAX_STEPS_FOR_A_CHOICE)
        self.known += [other] if other is not None else []
        return other is not None

    def can_answer(self, declared: Event, answer: str) -> bool:
        """Return whether younger can give this answer to elder's declaration."""
        return find_holdings(add_answer(self.constraints, declared, answer)) is not None

    def can_satisfy(self, constraints: HoldingConstraints) -> bool:
        """Return whether any holdings satisfy these constraints.

        False if the search takes too many steps.
        """
        return find_holdings(constraints, steps=MAX_STEPS_FOR_A_CHOICE) is not None


# -------------------------------------------------------------------------- what is on record


def derive_constraints(deal: PicchettoDeal) -> HoldingConstraints:
    """Return the constraints of the exchanges, plays, shown cards and statements on record."""
    constraints = HoldingConstraints()
    for index, player in enumerate(deal.table.players):
        constraints = _add_exchange(deal, index, player, constraints)
    constraints = add_shown_cards(deal, add_plays(deal, constraints))
    for index, player in enumerate(deal.table.players):
        constraints = _add_statements(deal, index, player, constraints)
    return constraints


def add_plays(deal: PicchettoDeal, constraints: HoldingConstraints) -> HoldingConstraints:
    """Return the constraints with the cards played, and without cards that had to be played.

    The second follows only if no earlier trick is recorded by its winner alone: the missing cards
    may have been played to it.
    """
    played, hidden = [0, 0], unrecorded_plays(deal)
    for trick in deal.tricks:
        for play in trick.plays:
            index = deal.index_of(play.player)
            played[index] |= bits([play.card])
            constraints = constraints.require(index, bits([play.card]))
            unknown = any(number < trick.number for number in hidden[play.player])
            if play is not trick.plays[0] and not unknown:
                lacking = cards_not_held(deal, trick.plays[0], play)
                constraints = constraints.exclude(index, lacking & ~played[index])
    return constraints


def void_cards(deal: PicchettoDeal, player: str) -> int:
    """Return the cards that a player no longer has, as bits.

    They are those with which the player would have had to follow (P8).
    """
    void = 0
    for trick in deal.tricks:
        for play in trick.plays[1:]:
            if play.player == player:
                void |= cards_not_held(deal, trick.plays[0], play)
    return void


def cards_not_held(deal: PicchettoDeal, lead: Play, play: Play) -> int:
    """Return the cards that the second player would have had to play instead, as bits (P8).

    They are the suit led, or the higher cards of it that must beat the lead.
    """
    if play.card.suit is not lead.card.suit:
        return suit_bits(lead.card)
    if not deal.table.options["must_beat"] or RANK[play.card.rank] > RANK[lead.card.rank]:
        return 0
    return higher_cards(lead.card)


def add_shown_cards(deal: PicchettoDeal, constraints: HoldingConstraints) -> HoldingConstraints:
    """Return the constraints with the cards that were shown, for a declaration or otherwise.

    The player held them, and the opponent did not. Cards shown before the exchange may be gone.
    """
    for shown in deal.shown:
        index, mask = deal.index_of(shown.player), bits(shown.cards)
        if not deal.before_exchange(shown.player, shown.seq):
            constraints = constraints.require(index, mask)
        constraints = constraints.exclude(1 - index, mask)
    invalid = invalid_statements(deal)
    for seq, event in deal.showings:
        if event.cards and seq not in invalid:
            constraints = constraints.require(deal.index_of(event.player), bits(event.cards))
    return constraints


def _add_exchange(
    deal: PicchettoDeal, index: int, player: str, constraints: HoldingConstraints
) -> HoldingConstraints:
    """Return the constraints with the cards that a player threw away and drew, and their White."""
    exchange, white = deal.exchange(player), deal.white(player)
    discarded = bits((exchange.event.discarded if exchange else None) or ())
    drawn = bits((exchange.event.drawn if exchange else None) or ())
    constraints = constraints.require(index, drawn).exclude_for_both(discarded)
    if white is None:
        return constraints
    cards = bits(white.event.cards or ())
    not_dealt = ALL_CARDS & ~cards if cards.bit_count() == HELD else COURTS
    if drawn:
        constraints = constraints.exclude(index, not_dealt & ~drawn)
    elders = deal.exchange(deal.elder) if index else None
    return constraints.exclude(1 - index, cards)._replace(
        white=WhiteConstraint(
            index,
            not_dealt,
            exchange.event.count if exchange else most_to_exchange(deal, player),
            exchange.event.count if exchange else None,
            discarded,
            bits((elders.event.discarded if elders else None) or ()),
        )
    )


# ------------------------------------------------------- declarations, answers and showings


def _add_statements(
    deal: PicchettoDeal, index: int, player: str, constraints: HoldingConstraints
) -> HoldingConstraints:
    """Return the constraints with what a player declared, showed and, if younger, answered."""
    invalid = invalid_statements(deal)
    requirements = [
        Requirement(index, alternatives) for alternatives in _stated_alternatives(deal, player)
    ]
    constraints = constraints._replace(requirements=(*constraints.requirements, *requirements))
    for category in ("point", "sequence", "set") if index else ():
        declared, answer = deal.declared(deal.elder, category), deal.answer(category)
        sound = declared and answer and not {declared.seq, answer.seq} & invalid.keys()
        if declared and answer and sound and answer.event.player == player:
            constraints = add_answer(constraints, declared.event, answer.event.answer)
    return constraints


def _stated_alternatives(deal: PicchettoDeal, player: str) -> Iterator[Alternatives]:
    """Yield the alternatives of each declaration and showing of a player."""
    invalid = invalid_statements(deal)
    for seq, event in deal.declarations:
        covered = event.category == "point" and deal.shown_by(player, "point")
        if event.player == player and seq not in invalid and not covered:
            yield alternatives_of(event)
    for seq, event in deal.showings:
        if event.player == player and seq not in invalid and not event.cards:
            yield alternatives_of(event, least_sum_of_point(deal, player))
    shown = [event for _, event in deal.shown_by(player, "sequence")]
    if len(shown) > 1:
        yield combine_runs(shown)


def alternatives_of(event: Event, least: int = 0) -> Alternatives:
    """Return the groups of cards, as bits, that make a declaration or showing true.

    A shown point has a sum of at least ``least``. Raises `TypeError` for any other event.
    """
    match event:
        case PointDeclared():
            return point_alternatives(cards_of_sum(event.value) or 0, event.value)
        case PointShown():
            return point_alternatives(event.count, least)
        case SequenceDeclared() | SequenceShown():
            return RUNS.get((event.length, event.high), ())
        case SetDeclared() | SetShown():
            return SETS.get((event.count, event.rank), ())
    raise TypeError(event)


def least_sum_of_point(deal: PicchettoDeal, player: str) -> int:
    """Return the least sum of the point that a player shows, by their declaration or answer."""
    declared, answer = deal.declared(player, "point"), deal.answer("point")
    elders = deal.declared(deal.elder, "point")
    if declared is not None:
        return int(declared.event.value)
    if answer is None or elders is None or answer.event.answer == "good":
        return 0
    return int(elders.event.value + (answer.event.answer == "not_good"))


def combine_runs(shown: list[SequenceShown]) -> Alternatives:
    """Return the alternatives of several sequences together, no card being in two of them."""
    of_each = [(bits(event.cards),) if event.cards else alternatives_of(event) for event in shown]
    return tuple(
        reduce(or_, chosen)
        for chosen in product(*of_each)
        if reduce(or_, chosen).bit_count() == sum(mask.bit_count() for mask in chosen)
    )


def add_answer(constraints: HoldingConstraints, declared: Event, answer: str) -> HoldingConstraints:
    """Return the constraints with younger's answer to elder's declaration.

    The answer limits what younger can hold, or requires an equal or better holding. Raises
    `TypeError` if ``declared`` is no declaration.
    """
    match declared:
        case PointDeclared():
            field, value = "point", declared.value
            better = minimal_points(value + 1)
        case SequenceDeclared() | SetDeclared():
            field, value = declared.category, encoded_worth(declared)
            better = better_alternatives(field, value)
        case _:
            raise TypeError(declared)
    if answer == "not_good":
        return constraints.require_one_of(1, better)
    limit = {field: value if answer == "equal" else value - 1}
    constraints = constraints._replace(limits=constraints.limits._replace(**limit))
    if answer == "good":
        return constraints
    return constraints.require_one_of(1, alternatives_of(declared))


def encoded_worth(event: Event) -> int:
    """Return the worth of a sequence or set as one number, like :func:`~.bits.encode_worth`."""
    number, rank = worth_of(event)
    return number * 16 + rank

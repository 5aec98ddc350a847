"""Checks of what was said in a hand of Picchetto: White, declarations, answers, showings."""

from collections.abc import Iterator
from itertools import accumulate, combinations
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import (
    bad,
    cards_of_sum,
    marked,
    marked_with,
    size_of,
    worth,
)
from scorekeeper.games.picchetto.events import (
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.holdings import (
    HELD,
    allows_together,
    best,
    examined,
    holding,
    is_itself,
    seen_cards,
)
from scorekeeper.games.picchetto.rules import (
    CARD_VALUE,
    COURT,
    MOST_FOR_ELDER,
    PACK,
    TALON,
    TRICKS,
)
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.checks import fault, late_acts, play_begun, played_by
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Observation, Text, Word


def bad_declaration(deal: PicchettoDeal, category: str | None) -> Iterator[Observation]:
    """What can mark nothing, whatever the cards; White has no category (P2, P4 to P6)."""
    found = bad(deal)
    said = (*deal.whites, *deal.declarations, *deal.answers, *deal.showings)
    for seq, event in sorted(said, key=lambda one: deal.places[one.seq]):
        if seq in found and getattr(event, "category", None) == category:
            text, before = found[seq]
            yield Observation((seq, *before), text, (event.player,))


def out_of_turn(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Younger declared before elder did, or elder answered (P4 to P6)."""
    first, second = (deal.declared(player, category) for player in deal.table.players)
    if first and second and deal.places[second.seq] < deal.places[first.seq]:
        yield fault(
            "{younger} declared before {elder}, who declares first",
            deal, second, first.seq, younger=deal.name(deal.younger), elder=deal.name(deal.elder),
        )  # fmt: skip
    for one in deal.answers:
        if one.event.category == category and one.player == deal.elder:
            yield fault("{elder} answered, and it is for younger to answer",
                        deal, one, elder=deal.name(deal.elder))  # fmt: skip


def declared_late(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """A declaration that can mark something, after the first card or trick (P4 to P6)."""
    declared = (deal.declared(player, category) for player in deal.table.players)
    return late_acts("{player} declared after the play had begun", deal,
                     [one for one in declared if one and one.seq not in bad(deal)],
                     play_begun(deal))  # fmt: skip


# --------------------------------------------------------------- what the cards say to it


def false_declaration(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """More was declared or shown than the cards on record allow (P4 to P6)."""
    nothing = bad(deal)
    refuted = examined(deal).refuted
    for seq, event in (*deal.declarations, *deal.showings):
        if event.category == category and seq in refuted and seq not in nothing:
            yield Observation((seq, *refuted[seq]), _not_so(deal, event), (event.player,))


def _credible(deal: PicchettoDeal, category: str) -> list[RecordedEvent]:
    """What was declared and shown in a category, and may be so, in the order of the record."""
    wrong = bad(deal).keys() | examined(deal).refuted.keys()
    said = [
        one
        for one in (*deal.declarations, *deal.showings)
        if one.event.category == category and one.seq not in wrong
    ]
    return sorted(said, key=lambda one: deal.places[one.seq])


def _not_so(deal: PicchettoDeal, event: Event) -> Text:
    """That a player cannot have held what he said."""
    name = deal.name(getattr(event, "player", ""))
    if not is_itself(event):
        return Text("The cards that {player} showed are not what was said of them", player=name)
    match event:
        case PointDeclared(value=value):
            return Text("{player} held no suit that makes {value}", player=name, value=value)
        case PointShown(count=count):
            return Text("{player} held no {count} such cards of a suit", player=name, count=count)
        case SequenceDeclared(length=length, high=high) | SequenceShown(length=length, high=high):
            text = "{player} held no such sequence of {length} to the {high}"
            return Text(text, player=name, length=length, high=Word("high", high))
        case SetDeclared(count=count, rank=rank) | SetShown(count=count, rank=rank):
            text = "{player} did not hold {count} {rank}s"
            return Text(text, player=name, count=count, rank=Word("ranks", rank))
    raise TypeError(event)


def point_not_made(deal: PicchettoDeal) -> Iterator[Observation]:
    """A point was shown whose cards make less than the sum declared (P4)."""
    for declared, (shown, *_) in _declared_and_shown(deal, "point"):
        value, event = declared.event.value, shown.event
        made = sum(CARD_VALUE[card.rank] for card in event.cards or ())
        as_many = event.count == cards_of_sum(value)
        if as_many and event.cards and is_itself(event) and made < value:
            yield fault("{player} declared {value}, and the suit shown makes {made}",
                        deal, declared, shown.seq, value=value, made=made)  # fmt: skip


def shown_otherwise(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find what was shown in place of what was declared, or above it, or beyond a holding (P4-P6).

    What is less than what was declared may be shown beside it.
    """
    for declared, shown in _declared_and_shown(deal, category):
        if any(_is_as_declared(declared.event, one.event) for one in shown):
            otherwise = [one for one in shown if worth(one.event) > worth(declared.event)]
        else:
            otherwise = shown
        for first in otherwise[:1]:
            yield _differs(deal, declared, first)
    for player in deal.table.players:
        yield from _more_than_a_holding(deal, player, category)


def _differs(deal: PicchettoDeal, declared: RecordedEvent, shown: RecordedEvent) -> Observation:
    """Return that something was shown which is not what was declared."""
    event = declared.event
    if isinstance(event, PointDeclared):
        return fault(
            "{player} declared {value}, which is {cards} cards, and showed {count}",
            deal, shown, declared.seq, value=event.value, cards=cards_of_sum(event.value) or 0,
            count=shown.event.count,
        )  # fmt: skip
    return fault("{player} declared “{declared}”, and showed “{shown}”", deal, shown, declared.seq,
                 declared=marked(event)[1], shown=marked(shown.event)[1])  # fmt: skip


def _declared_and_shown(
    deal: PicchettoDeal, category: str
) -> Iterator[tuple[RecordedEvent, list[RecordedEvent]]]:
    """Yield what each player declared and showed in a category, where both can mark something."""
    nothing = bad(deal)
    for player in deal.table.players:
        declared = deal.declared(player, category)
        shown = [one for one in deal.shown_by(player, category) if one.seq not in nothing]
        if declared and shown and declared.seq not in nothing:
            yield declared, shown


def _is_as_declared(declared: Event, shown: Event) -> bool:
    """Return whether a showing is of what was declared: as many cards, and equally high."""
    if isinstance(declared, PointDeclared):
        return size_of(declared) == size_of(shown)
    return worth(declared) == worth(shown)


def _more_than_a_holding(deal: PicchettoDeal, player: str, category: str) -> Iterator[Observation]:
    """Yield the showing with which a player has shown more cards in a category than are held."""
    shown = deal.shown_by(player, category)
    sizes = list(accumulate(size_of(one.event) for one in shown))
    place = next((place for place, size in enumerate(sizes) if size > HELD), None)
    if place is not None:
        yield fault("{player} showed {count} cards, and holds {most}", deal, shown[place],
                    *(one.seq for one in shown[:place]), count=sizes[place],
                    most=HELD)  # fmt: skip


def sequences_overlap(deal: PicchettoDeal) -> Iterator[Observation]:
    """More sequences were shown than there were cards for, such as one inside another (P5)."""
    said = _credible(deal, "sequence")
    for player in deal.table.players:
        held = holding(deal, player)
        his = (one for one in said if one.player == player)
        shown = [one for one in his if isinstance(one.event, SequenceShown)]
        for number in range(2, len(shown) + 1):
            together = [one.event for one in shown[:number]]
            if sum(map(size_of, together)) > HELD:
                break  # whatever the cards are: `shown_otherwise`
            if not allows_together(held, together):
                *before, last = shown[:number]
                yield fault("{player} cannot have held all the sequences shown",
                            deal, last, *(one.seq for one in before))  # fmt: skip
                break


def sets_exceed_the_rank(deal: PicchettoDeal) -> Iterator[Observation]:
    """The two players said to have more than the four cards of a rank between them (P6)."""
    for first, second in combinations(_credible(deal, "set"), 2):
        one, other = first.event, second.event
        too_many = one.count + other.count > len(PACK.suits)
        if one.player != other.player and one.rank == other.rank and too_many:
            yield fault(
                "There are only four {rank}s", deal, second, first.seq, rank=Word("ranks", one.rank)
            )


def rouge_not_so(deal: PicchettoDeal) -> Iterator[Observation]:
    """Carte rouge, and a card was in nothing declared, or too few were declared at all (P12)."""
    for one in deal.rouges:
        declared_ = marked_with(deal, one.player)
        if sum(map(size_of, declared_)) < TRICKS:
            yield fault("{player} declared carte rouge, and had not declared that many cards",
                        deal, one)  # fmt: skip
            continue
        played = played_by(deal, one.player)
        loose = [] if len(played) < TRICKS else [
            card for card in played
            if not any(_within(card, event, list(played)) for event in declared_)
        ]  # fmt: skip
        if loose:
            yield fault("{player} declared carte rouge, and {card} was in nothing declared",
                        deal, one, played[loose[0]].seq, card=loose[0])  # fmt: skip


def _within(card: Card, event: Event, held: list[Card]) -> bool:
    """Whether a card can be in something that was declared or shown, of a hand of twelve."""
    cards = getattr(event, "cards", None)
    if cards:
        return card in cards
    suit = [one for one in held if one.suit is card.suit]
    match event:
        case PointDeclared() | PointShown():
            return len(suit) == size_of(event)
        case SequenceDeclared(length=length, high=high) | SequenceShown(length=length, high=high):
            top = PACK.ranks.index(high)
            run = PACK.ranks[top : top + length]
            return card.rank in run and {one.rank for one in suit} >= set(run)
        case SetDeclared(rank=rank) | SetShown(rank=rank):
            return card.rank == rank
    return False


def rouge_known(deal: PicchettoDeal) -> bool:
    """Whether all cards of who declared carte rouge are on record."""
    return all(len(played_by(deal, one.player)) == TRICKS for one in deal.rouges)


WRONG_ANSWERS: Final = {
    "good": "{player} answered good, and held as much or more",
    "equal": "{player} answered equal, and held more or less",
    "not_good": "{player} answered not good, and held no more",
}


def wrong_answer(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Younger answered otherwise than his cards have it, beside what elder declared (P4 to P6)."""
    answer, declared = deal.answer(category), deal.declared(deal.elder, category)
    if not answer or not declared or answer.event.player != deal.younger:
        return
    if {answer.seq, declared.seq} & bad(deal).keys():
        return
    held, said = examined(deal).holdings[deal.younger], worth(declared.event)
    least, most = (best(category, held, at_most=at_most) for at_most in (False, True))
    better = {"good": least >= said, "equal": least > said, "not_good": False}
    worse = {"good": False, "equal": most < said, "not_good": most <= said}
    if better[answer.event.answer] or worse[answer.event.answer]:
        proof = held.whole if better[answer.event.answer] else held.proof(PACK.cards)
        yield fault(WRONG_ANSWERS[answer.event.answer], deal, answer, declared.seq, *proof)


# ----------------------------------------------------------------------------------- White


def white_out_of_turn(deal: PicchettoDeal) -> Iterator[Observation]:
    """White was declared after one's own exchange (P2)."""
    for white in deal.whites:
        exchange = deal.exchange(white.player)
        if exchange and deal.places[exchange.seq] < deal.places[white.seq]:
            yield fault("{player} declared White after exchanging", deal, white, exchange.seq)


def false_white(deal: PicchettoDeal) -> Iterator[Observation]:
    """White was declared with a king, queen or jack in the twelve cards dealt (P2)."""
    whites = [white for player in deal.table.players if (white := deal.white(player))]
    proofs = [_white_refuted(deal, white) for white in whites]
    for white, proof in zip(whites, proofs, strict=True):
        if proof is not None:
            yield fault("{player} cannot have been dealt a White", deal, white, *proof)
    if proofs == [None, None]:
        first, second = sorted(whites, key=lambda one: deal.places[one.seq])
        yield fault("There are not cards enough for two hands without king, queen and jack",
                    deal, second, first.seq)  # fmt: skip


def _white_refuted(deal: PicchettoDeal, white: RecordedEvent) -> tuple[int, ...] | None:
    """What proves that a White is none; None where nothing does."""
    player, cards = white.event.player, set(white.event.cards or ())
    exchange = deal.exchange(player)
    if len(cards) > HELD or any(card.rank in COURT for card in cards):
        return ()
    if exchange and cards.intersection(exchange.event.drawn or ()):
        return (exchange.seq,)
    for one in seen_cards(deal):
        with_the_other = one.player != player and one.card in cards
        before = one.player == player and not one.held and exchange is not None
        if with_the_other or (before and one.card.rank in COURT):
            return (one.seq,)
    return _too_many_courts(deal, player, exchange) or _dealt_others(deal, player, cards, exchange)


def _too_many_courts(
    deal: PicchettoDeal, player: str, exchange: RecordedEvent | None
) -> tuple[int, ...] | None:
    """Kings, queens and jacks held after the exchange, more than can have been drawn."""
    drawn = (exchange.event.drawn or ()) if exchange else ()
    sure = examined(deal).holdings[player].sure
    seqs = {seq for card, seq in sure.items() if card.rank in COURT and card not in drawn}
    courts = sum(card.rank in COURT and card not in drawn for card in sure)
    most = exchange.event.count if exchange else most_to_exchange(deal, player)
    if courts <= most - len(drawn):
        return None
    return tuple(sorted(seqs | ({exchange.seq} if exchange else set())))


def most_to_exchange(deal: PicchettoDeal, player: str) -> int:
    """How many cards a player can exchange at most, as far as that is on record (P3)."""
    if player == deal.elder:
        return MOST_FOR_ELDER
    elders = deal.exchange(deal.elder)
    return TALON - (elders.event.count if elders else 1)


def fewest_to_exchange(deal: PicchettoDeal, player: str) -> int:
    """How many cards a player has to exchange at least (P3)."""
    fewest: int = 1 if player == deal.elder else deal.table.options["younger_min"]
    return fewest


def _dealt_others(
    deal: PicchettoDeal, player: str, cards: set[Card], exchange: RecordedEvent | None
) -> tuple[int, ...] | None:
    """Cards shown that cannot all have been dealt, beside those thrown away and those held on.

    Of the twelve dealt as many are thrown away as are exchanged, and the others are held on.
    """
    held = holding(deal, player)
    if exchange is None:
        most = HELD + most_to_exchange(deal, player)
        return held.whole if len({*held.sure, *cards}) > most else None
    gone, count = set(exchange.event.discarded or ()), exchange.event.count
    if gone and len(gone) != count:
        return None  # the exchange contradicts itself, and proves nothing
    if len(cards | gone) > HELD:
        return (exchange.seq,)
    unknown = 0 if gone else count  # cards thrown away that are not on record
    too_many_held_on = len(cards.intersection(held.sure)) > HELD - count
    if too_many_held_on or len({*held.sure, *(cards - gone)}) > HELD + unknown:
        return (exchange.seq, *held.whole)
    return None

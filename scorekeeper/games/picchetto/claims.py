"""Checks of the statements in a hand of Picchetto: White, declarations, answers, showings."""

from collections.abc import Iterator
from itertools import accumulate, combinations
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import (
    cards_of_sum,
    count_cards,
    events_marked,
    invalid_statements,
    points_and_text,
    worth_of,
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
    best_worth,
    cards_match,
    examine_statements,
    holding,
    located_cards,
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
from scorekeeper.play.checks import fault, first_event_of_play, late_acts, played_by
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Observation, Text, Word


def bad_declaration(deal: PicchettoDeal, category: str | None) -> Iterator[Observation]:
    """Find statements that mark nothing whatever the cards are (P2, P4 to P6).

    Without a ``category`` these are declarations of White.
    """
    invalid = invalid_statements(deal)
    statements = (*deal.whites, *deal.declarations, *deal.answers, *deal.showings)
    for seq, event in sorted(statements, key=lambda recorded: deal.places[recorded.seq]):
        if seq in invalid and getattr(event, "category", None) == category:
            text, before = invalid[seq]
            yield Observation((seq, *before), text, (event.player,))


def out_of_turn(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find a declaration of younger before elder's, and answers of elder (P4 to P6)."""
    first, second = (deal.declared(player, category) for player in deal.table.players)
    if first and second and deal.places[second.seq] < deal.places[first.seq]:
        yield fault(
            "{younger} declared before {elder}, who declares first",
            deal, second, first.seq, younger=deal.name(deal.younger), elder=deal.name(deal.elder),
        )  # fmt: skip
    for answer in deal.answers:
        if answer.event.category == category and answer.player == deal.elder:
            yield fault("{elder} answered, but it was for younger to answer",
                        deal, answer, elder=deal.name(deal.elder))  # fmt: skip


def declared_late(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find valid declarations after the first card or trick (P4 to P6)."""
    declared = (deal.declared(player, category) for player in deal.table.players)
    return late_acts("{player} declared after play had begun", deal,
                     [declaration for declaration in declared
                      if declaration and declaration.seq not in invalid_statements(deal)],
                     first_event_of_play(deal))  # fmt: skip


# --------------------------------------------------------- declarations against the cards


def false_declaration(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find declarations and showings that the cards on record refute (P4 to P6)."""
    invalid = invalid_statements(deal)
    refuted = examine_statements(deal).refuted
    for seq, event in (*deal.declarations, *deal.showings):
        if event.category == category and seq in refuted and seq not in invalid:
            yield Observation((seq, *refuted[seq]), _describe_refuted(deal, event), (event.player,))


def _credible(deal: PicchettoDeal, category: str) -> list[RecordedEvent]:
    """Return the valid, unrefuted declarations and showings of a category, in recorded order."""
    wrong = invalid_statements(deal).keys() | examine_statements(deal).refuted.keys()
    credible = [
        recorded
        for recorded in (*deal.declarations, *deal.showings)
        if recorded.event.category == category and recorded.seq not in wrong
    ]
    return sorted(credible, key=lambda recorded: deal.places[recorded.seq])


def _describe_refuted(deal: PicchettoDeal, event: Event) -> Text:
    """Return the text of a declaration or showing that the cards refute."""
    name = deal.name(getattr(event, "player", ""))
    if not cards_match(event):
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
    """Find declared points for which the player then showed cards with a smaller sum (P4)."""
    for declared, (shown, *_) in _declared_and_shown(deal, "point"):
        value, event = declared.event.value, shown.event
        total = sum(CARD_VALUE[card.rank] for card in event.cards or ())
        as_many = event.count == cards_of_sum(value)
        if as_many and event.cards and cards_match(event) and total < value:
            yield fault("{player} declared {value}, but the suit shown makes {made}",
                        deal, declared, shown.seq, value=value, made=total)  # fmt: skip


def shown_otherwise(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find showings that differ from the declaration, and more cards shown than a holding (P4-P6).

    A player may also show something lower, but only beside what they declared.
    """
    for declared, shown in _declared_and_shown(deal, category):
        if any(_is_as_declared(declared.event, showing.event) for showing in shown):
            worth = worth_of(declared.event)
            different = [showing for showing in shown if worth_of(showing.event) > worth]
        else:
            different = shown
        for first in different[:1]:
            yield _describe_difference(deal, declared, first)
    for player in deal.table.players:
        yield from _more_than_a_holding(deal, player, category)


def _describe_difference(
    deal: PicchettoDeal, declared: RecordedEvent, shown: RecordedEvent
) -> Observation:
    """Return the observation that a showing differs from the declaration."""
    event = declared.event
    if isinstance(event, PointDeclared):
        return fault(
            "{player} declared {value}, which is {cards} cards, but showed {count}",
            deal, shown, declared.seq, value=event.value, cards=cards_of_sum(event.value) or 0,
            count=shown.event.count,
        )  # fmt: skip
    declared_text, shown_text = points_and_text(event)[1], points_and_text(shown.event)[1]
    return fault("{player} declared “{declared}”, but showed “{shown}”", deal, shown, declared.seq,
                 declared=declared_text, shown=shown_text)  # fmt: skip


def _declared_and_shown(
    deal: PicchettoDeal, category: str
) -> Iterator[tuple[RecordedEvent, list[RecordedEvent]]]:
    """Yield the declaration and the showings of each player in a category.

    Only valid ones are yielded, and only if a player has both.
    """
    invalid = invalid_statements(deal)
    for player in deal.table.players:
        declared = deal.declared(player, category)
        shown = [
            showing for showing in deal.shown_by(player, category) if showing.seq not in invalid
        ]
        if declared and shown and declared.seq not in invalid:
            yield declared, shown


def _is_as_declared(declared: Event, shown: Event) -> bool:
    """Return whether a showing has as many cards as the declaration, and is equally high."""
    if isinstance(declared, PointDeclared):
        return count_cards(declared) == count_cards(shown)
    return worth_of(declared) == worth_of(shown)


def _more_than_a_holding(deal: PicchettoDeal, player: str, category: str) -> Iterator[Observation]:
    """Find the showing with which a player has shown more than twelve cards in a category."""
    shown = deal.shown_by(player, category)
    sizes = list(accumulate(count_cards(showing.event) for showing in shown))
    place = next((place for place, size in enumerate(sizes) if size > HELD), None)
    if place is not None:
        yield fault("{player} showed {count} cards, but holds {most}", deal, shown[place],
                    *(showing.seq for showing in shown[:place]), count=sizes[place],
                    most=HELD)  # fmt: skip


def sequences_overlap(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find sequences that a player cannot all have held, such as one inside another (P5)."""
    credible = _credible(deal, "sequence")
    for player in deal.table.players:
        held = holding(deal, player)
        own = (recorded for recorded in credible if recorded.player == player)
        shown = [recorded for recorded in own if isinstance(recorded.event, SequenceShown)]
        for number in range(2, len(shown) + 1):
            together = [showing.event for showing in shown[:number]]
            if sum(map(count_cards, together)) > HELD:
                break  # `shown_otherwise` finds this whatever the cards are
            if not allows_together(held, together):
                *before, last = shown[:number]
                yield fault("{player} cannot have held all the sequences shown",
                            deal, last, *(showing.seq for showing in before))  # fmt: skip
                break


def sets_exceed_the_rank(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find sets of one rank for which both players together need more than its four cards (P6)."""
    for first, second in combinations(_credible(deal, "set"), 2):
        earlier, later = first.event, second.event
        too_many = earlier.count + later.count > len(PACK.suits)
        if earlier.player != later.player and earlier.rank == later.rank and too_many:
            rank = Word("ranks", earlier.rank)
            yield fault("There are only four {rank}s", deal, second, first.seq, rank=rank)


def rouge_not_so(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find cartes rouges of players who declared fewer cards, or held a card in nothing (P12)."""
    for rouge in deal.cartes_rouges:
        marked = events_marked(deal, rouge.player)
        if sum(map(count_cards, marked)) < TRICKS:
            yield fault("{player} declared carte rouge, but had not declared that many cards",
                        deal, rouge)  # fmt: skip
            continue
        played = played_by(deal, rouge.player)
        undeclared = [] if len(played) < TRICKS else [
            card for card in played
            if not any(_is_within(card, event, list(played)) for event in marked)
        ]  # fmt: skip
        if undeclared:
            card = undeclared[0]
            yield fault("{player} declared carte rouge, but {card} was in nothing declared",
                        deal, rouge, played[card].seq, card=card)  # fmt: skip


def _is_within(card: Card, event: Event, held: list[Card]) -> bool:
    """Return whether a declaration or showing can contain a card; ``held`` are all twelve cards."""
    cards = getattr(event, "cards", None)
    if cards:
        return card in cards
    suit = [other for other in held if other.suit is card.suit]
    match event:
        case PointDeclared() | PointShown():
            return len(suit) == count_cards(event)
        case SequenceDeclared(length=length, high=high) | SequenceShown(length=length, high=high):
            top = PACK.ranks.index(high)
            run = PACK.ranks[top : top + length]
            return card.rank in run and {other.rank for other in suit} >= set(run)
        case SetDeclared(rank=rank) | SetShown(rank=rank):
            return card.rank == rank
    return False


def rouge_known(deal: PicchettoDeal) -> bool:
    """Return whether all cards of every player with a carte rouge are on record."""
    return all(len(played_by(deal, rouge.player)) == TRICKS for rouge in deal.cartes_rouges)


WRONG_ANSWERS: Final = {
    "good": "{player} answered “good”, but held as much or more",
    "equal": "{player} answered “equal”, but held more or less",
    "not_good": "{player} answered “not good”, but held no more",
}


def wrong_answer(deal: PicchettoDeal, category: str) -> Iterator[Observation]:
    """Find an answer of younger that is wrong by their cards and elder's declaration (P4 to P6).

    It is wrong only if every holding that agrees with the record makes it so.
    """
    answer, declared = deal.answer(category), deal.declared(deal.elder, category)
    if not answer or not declared or answer.event.player != deal.younger:
        return
    if {answer.seq, declared.seq} & invalid_statements(deal).keys():
        return
    held, worth = examine_statements(deal).holdings[deal.younger], worth_of(declared.event)
    least, most = (best_worth(category, held, at_most=at_most) for at_most in (False, True))
    better = {"good": least >= worth, "equal": least > worth, "not_good": False}
    worse = {"good": False, "equal": most < worth, "not_good": most <= worth}
    if better[answer.event.answer] or worse[answer.event.answer]:
        proof = held.proof_of_held if better[answer.event.answer] else held.proof(PACK.cards)
        yield fault(WRONG_ANSWERS[answer.event.answer], deal, answer, declared.seq, *proof)


# ----------------------------------------------------------------------------------- White


def white_out_of_turn(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find Whites that a player declared after their own exchange (P2)."""
    for white in deal.whites:
        exchange = deal.exchange(white.player)
        if exchange and deal.places[exchange.seq] < deal.places[white.seq]:
            yield fault("{player} declared White after exchanging", deal, white, exchange.seq)


def false_white(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find Whites of players who provably were dealt a king, queen or jack (P2).

    If both players declared one and nothing else refutes it, the second is false.
    """
    whites = [white for player in deal.table.players if (white := deal.white(player))]
    proofs = [_refute_white(deal, white) for white in whites]
    for white, proof in zip(whites, proofs, strict=True):
        if proof is not None:
            yield fault("{player} cannot have been dealt a White", deal, white, *proof)
    if proofs == [None, None]:
        first, second = sorted(whites, key=lambda white: deal.places[white.seq])
        yield fault("There are not enough cards for two hands without king, queen and jack",
                    deal, second, first.seq)  # fmt: skip


def _refute_white(deal: PicchettoDeal, white: RecordedEvent) -> tuple[int, ...] | None:
    """Return the seqs that refute a White; () if its own cards do, None if nothing does."""
    player, cards = white.event.player, set(white.event.cards or ())
    exchange = deal.exchange(player)
    if len(cards) > HELD or any(card.rank in COURT for card in cards):
        return ()
    if exchange and cards.intersection(exchange.event.drawn or ()):
        return (exchange.seq,)
    for located in located_cards(deal):
        with_opponent = located.player != player and located.card in cards
        before = located.player == player and not located.held and exchange is not None
        if with_opponent or (before and located.card.rank in COURT):
            return (located.seq,)
    return _too_many_courts(deal, player, exchange) or _not_all_dealt(deal, player, cards, exchange)


def _too_many_courts(
    deal: PicchettoDeal, player: str, exchange: RecordedEvent | None
) -> tuple[int, ...] | None:
    """Return the seqs that prove more court cards than can have been drawn; None without proof."""
    drawn = (exchange.event.drawn or ()) if exchange else ()
    sure = examine_statements(deal).holdings[player].sure
    seqs = {seq for card, seq in sure.items() if card.rank in COURT and card not in drawn}
    courts = sum(card.rank in COURT and card not in drawn for card in sure)
    most = exchange.event.count if exchange else most_to_exchange(deal, player)
    if courts <= most - len(drawn):
        return None
    return tuple(sorted(seqs | ({exchange.seq} if exchange else set())))


def most_to_exchange(deal: PicchettoDeal, player: str) -> int:
    """Return how many cards a player can exchange at most (P3).

    Elder's limit is fixed. Younger can take what elder left of the talon: all but one card, if
    elder's exchange is not on record.
    """
    if player == deal.elder:
        return MOST_FOR_ELDER
    elders = deal.exchange(deal.elder)
    return TALON - (elders.event.count if elders else 1)


def fewest_to_exchange(deal: PicchettoDeal, player: str) -> int:
    """Return how many cards a player has to exchange at least (P3)."""
    fewest: int = 1 if player == deal.elder else deal.table.options["younger_min"]
    return fewest


def _not_all_dealt(
    deal: PicchettoDeal, player: str, cards: set[Card], exchange: RecordedEvent | None
) -> tuple[int, ...] | None:
    """Return the seqs that prove that not all cards shown for a White were dealt.

    Of the twelve cards dealt, as many are thrown away as are exchanged; the others are kept.
    ``cards`` are those shown. None if nothing is proved.
    """
    held = holding(deal, player)
    if exchange is None:
        most = HELD + most_to_exchange(deal, player)
        return held.proof_of_held if len({*held.sure, *cards}) > most else None
    discarded, count = set(exchange.event.discarded or ()), exchange.event.count
    if discarded and len(discarded) != count:
        return None  # the exchange contradicts itself, and proves nothing
    if len(cards | discarded) > HELD:
        return (exchange.seq,)
    unknown = 0 if discarded else count  # cards thrown away that are not on record
    too_many_kept = len(cards.intersection(held.sure)) > HELD - count
    if too_many_kept or len({*held.sure, *(cards - discarded)}) > HELD + unknown:
        return (exchange.seq, *held.proof_of_held)
    return None

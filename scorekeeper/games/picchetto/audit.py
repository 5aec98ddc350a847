"""The checks of a hand of Picchetto."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.games.picchetto import claims, counts
from scorekeeper.games.picchetto.claims import fewest_to_exchange, most_to_exchange
from scorekeeper.games.picchetto.declarations import CLAUSE, winning_cards_known
from scorekeeper.games.picchetto.holdings import located_cards
from scorekeeper.games.picchetto.rules import TRICKS
from scorekeeper.games.picchetto.state import RANK, PicchettoDeal
from scorekeeper.play import checks
from scorekeeper.play.checks import CARDS, fault, first_event_of_play, late_acts, withheld_card
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Check, Observation

# -------------------------------------------------------------------------------- exchange


def exchanged_out_of_turn(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find an exchange of younger before elder's (P3)."""
    elders, youngers = (deal.exchange(player) for player in deal.table.players)
    if elders and youngers and deal.places[youngers.seq] < deal.places[elders.seq]:
        yield fault(
            "{younger} exchanged before {elder}, who exchanges first",
            deal, youngers, elders.seq, younger=deal.name(deal.younger),
            elder=deal.name(deal.elder),
        )  # fmt: skip


def bad_exchange(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find exchanges of too few, too many or impossible cards, and repeated exchanges (P3)."""
    for exchange in deal.exchanges:
        yield from _bad_exchange(deal, exchange)
    yield from _same_cards(deal)


def _bad_exchange(deal: PicchettoDeal, exchange: RecordedEvent) -> Iterator[Observation]:
    """Yield each fault of one exchange: repeated, too small, too large, or inconsistent."""
    event, first = exchange.event, deal.exchange(exchange.player)
    if first and first is not exchange:
        yield fault("{player} exchanged again", deal, exchange, first.seq)
    if event.count < fewest_to_exchange(deal, exchange.player):
        yield fault(
            "{player} exchanged nothing, but must exchange at least one card", deal, exchange
        )
    elders = deal.exchange(deal.elder)
    proof = (elders.seq,) if elders and exchange.player == deal.younger else ()
    most = most_to_exchange(deal, exchange.player)
    if event.count > most:
        yield fault("{player} exchanged {count}, but may exchange {most} at most",
                    deal, exchange, *proof, count=event.count, most=most)  # fmt: skip
    for cards in (event.discarded, event.drawn):
        if cards is not None and len(cards) != event.count:
            yield fault("{player} exchanged {count}, but the cards are {n}",
                        deal, exchange, count=event.count, n=len(cards))  # fmt: skip
    if both := set(event.discarded or ()) & set(event.drawn or ()):
        yield fault("{card} was discarded, but drawn too", deal, exchange, card=min(both, key=str))


def _same_cards(deal: PicchettoDeal) -> Iterator[Observation]:
    """Yield a fault if a card is in the exchanges of both players."""
    elders, youngers = (deal.exchange(player) for player in deal.table.players)
    if not elders or not youngers:
        return
    elders_cards = {*(elders.event.discarded or ()), *(elders.event.drawn or ())}
    youngers_cards = {*(youngers.event.discarded or ()), *(youngers.event.drawn or ())}
    if both := elders_cards & youngers_cards:
        card = min(both, key=lambda card: (-RANK[card.rank], str(card)))
        yield fault("{card} was in both exchanges", deal, youngers, elders.seq, card=card)


def exchange_contradicted(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find cards of an exchange that were played or shown by a player who did not hold them.

    A discarded card cannot be played, and a drawn one not by the opponent.
    """
    twice = {play.card for play in deal.again}
    for exchange in filter(None, map(deal.exchange, deal.table.players)):
        discarded, drawn = exchange.event.discarded or (), exchange.event.drawn or ()
        for play in deal.plays:
            with_another = play.card in drawn and play.player != exchange.player
            if (play.card in discarded or with_another) and play.card not in twice:
                yield fault(
                    "{player} exchanged {card}, but {other} played it",
                    deal, exchange, play.seq, card=play.card, other=deal.name(play.player),
                )  # fmt: skip
        yield from _shown_against_exchange(deal, exchange)


def _shown_against_exchange(deal: PicchettoDeal, exchange: RecordedEvent) -> Iterator[Observation]:
    """Yield a fault for each card shown that an exchange gives to another place at that time."""
    seq, event = exchange
    discarded, drawn = set(event.discarded or ()), set(event.drawn or ())
    for shown in deal.shown:
        if shown.player != event.player:
            against = discarded | drawn
        else:
            against = drawn if deal.places[shown.seq] < deal.places[seq] else discarded
        for card in sorted(against.intersection(shown.cards), key=str):
            yield fault("{player} showed {card}, but the exchange has it elsewhere",
                        deal, shown, seq, card=card)  # fmt: skip


def never_played(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find cards held after the exchange by players who then played twelve other cards."""
    for player in deal.table.players if not deal.again else ():
        played = checks.played_by(deal, player)
        for located in located_cards(deal) if len(played) == TRICKS else ():
            if located.player == player and located.held and located.card not in played:
                proof = [play.seq for play in played.values()]
                yield fault("{player} held {card}, but played twelve other cards",
                            deal, located, *proof, card=located.card)  # fmt: skip


def exchanged_late(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find exchanges after the first card or trick, if nothing else is wrong with them (P3)."""
    wrong = {observation.events[0] for observation in bad_exchange(deal)}
    exchanges = map(deal.exchange, deal.table.players)
    return late_acts("{player} exchanged after play had begun", deal,
                     [exchange for exchange in exchanges if exchange and exchange.seq not in wrong],
                     first_event_of_play(deal))  # fmt: skip


# ------------------------------------------------------------------------------------ play


def underplay(deal: PicchettoDeal) -> Iterator[Observation]:
    """Find players who followed suit with a lower card although they had to beat the lead (P8).

    Nothing is found if the option ``must_beat`` is off.
    """
    if not deal.table.options["must_beat"]:
        return
    for trick in deal.tricks:
        yield from withheld_card(
            deal,
            trick,
            wrong=lambda card, led: card.suit is led.suit and not beats(card, led),
            due=beats,
        )


def beats(card: Card, led: Card) -> bool:
    """Return whether a card is higher than the one led, and of its suit."""
    return card.suit is led.suit and RANK[card.rank] > RANK[led.rank]


# ---------------------------------------------------------------- what the record can decide


def beating_known(deal: PicchettoDeal) -> bool:
    """Return whether the record shows who could have beaten the card led, or beating is no duty."""
    return deal.all_cards or not deal.table.options["must_beat"]


def exchanges_known(deal: PicchettoDeal) -> bool:
    """Return whether both exchanges are on record."""
    return all(deal.exchange(player) for player in deal.table.players)


def whites_known(deal: PicchettoDeal) -> bool:
    """Return whether the record decides every White that was declared.

    It does with all cards played, and those discarded by each player with a White.
    """
    exchanges = [deal.exchange(white.event.player) for white in deal.whites]
    return not exchanges or (
        deal.all_cards
        and all(exchange and exchange.event.discarded is not None for exchange in exchanges)
    )


def declarations_known(deal: PicchettoDeal) -> bool:
    """Return whether the record decides every declaration, answer and showing."""
    return deal.all_cards or not (deal.declarations or deal.answers or deal.showings)


CHECKS: Final = (
    Check("out_of_turn", "P2", claims.white_out_of_turn),
    Check("bad_declaration", "P2", partial(claims.bad_declaration, category=None)),
    Check("false_declaration", "P2", claims.false_white, "White", whites_known,
          "the cards thrown away, and those of every trick"),
    Check("out_of_turn", "P3", exchanged_out_of_turn),
    Check("bad_exchange", "P3", bad_exchange, "the exchange", exchanges_known, "both exchanges"),
    Check("out_of_time", "P3", exchanged_late),
    Check("shown_mismatch", "P3", exchange_contradicted),
    Check("shown_mismatch", "P3", never_played),
    *(Check("out_of_turn", clause, partial(claims.out_of_turn, category=category))
      for category, clause in CLAUSE.items()),
    *(Check("bad_declaration", clause, partial(claims.bad_declaration, category=category),
            "what it was won with", partial(winning_cards_known, category=category),
            "what the winner showed")
      for category, clause in CLAUSE.items()),
    *(Check("out_of_time", clause, partial(claims.declared_late, category=category))
      for category, clause in CLAUSE.items()),
    *(Check("false_declaration", clause, partial(claims.false_declaration, category=category),
            "the declarations", declarations_known, CARDS)
      for category, clause in CLAUSE.items()),
    *(Check("shown_mismatch", clause, partial(claims.shown_otherwise, category=category))
      for category, clause in CLAUSE.items()),
    Check("false_declaration", "P4", claims.point_not_made),
    Check("false_declaration", "P5", claims.sequences_overlap),
    Check("false_declaration", "P6", claims.sets_exceed_the_rank),
    *(Check("false_declaration", clause, partial(claims.wrong_answer, category=category))
      for category, clause in CLAUSE.items()),
    Check("false_declaration", "P12", claims.rouge_not_so, "carte rouge", claims.rouge_known,
          CARDS),
    checks.SHOWN.under("P8"),
    checks.TWICE.under("P1"),
    checks.TOO_MANY.under("P9"),
    checks.TURN.under("P8"),
    checks.REVOKE.under("P8"),
    Check("underplay", "P8", underplay, "beating the card led", beating_known, CARDS),
    checks.WINNERS.under("P8"),
    Check("total_mismatch", "P9", counts.total_mismatch),
    Check("count_mismatch", "P9", counts.tricks_mismatch, "the count", counts.counts_known,
          "who took each trick"),
    Check("count_mismatch", "P12", counts.points_mismatch),
    Check("false_call", "P13", partial(counts.false_call, rule="P13")),
    Check("false_call", "P14", partial(counts.false_call, rule="P14"), "the pique called",
          counts.piques_known, "who took each trick"),
    Check("pique_unclear", "P14", counts.pique_unclear),
    Check("game_unclear", "P15", counts.game_unclear),
    checks.CLAIM.under("P12"),
)  # fmt: skip

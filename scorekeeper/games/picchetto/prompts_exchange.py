"""Prompts of White and of the exchange, elder first."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from scorekeeper.games.picchetto.claims import fewest_to_exchange, most_to_exchange
from scorekeeper.games.picchetto.events import CardsExchanged, WhiteDeclared
from scorekeeper.games.picchetto.rules import TALON
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.games.picchetto.witness.bits import COURTS, WEAKEST_FIRST, bits, cards_of
from scorekeeper.games.picchetto.witness.known import Possible
from scorekeeper.games.picchetto.witness.lie import Lie, White
from scorekeeper.play.prompts import Prompt, offer

# How many choices of the cards thrown away are listed, of each number of cards.
LISTED: Final = 16


def exchanges(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """The exchange that is due."""
    for player in _to_exchange(deal)[:1]:
        yield from _exchange(deal, possible, player)


def whites(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """A White, by who has not exchanged yet; only one of the two ever has one."""
    players = [] if deal.whites else _to_exchange(deal)
    yield from offer(
        WhiteDeclared(player) for player in players if _can_be_white(deal, possible, player)
    )


def _to_exchange(deal: PicchettoDeal) -> list[str]:
    """Who has not exchanged yet; nobody has to once anything was said or played."""
    said = deal.declarations or deal.answers or deal.showings
    if said or deal.tricks.numbered or deal.rest:
        return []
    return [player for player in deal.table.players if deal.exchange(player) is None]


def _can_be_white(deal: PicchettoDeal, possible: Possible, player: str) -> bool:
    who = deal.place_of(player)
    elders = deal.exchange(deal.elder) if who else None
    gone = bits((elders.event.discarded if elders else None) or ())
    white = White(who, COURTS, most_to_exchange(deal, player), None, 0, gone)
    return possible.can_be(possible.lie._replace(white=white))


# -------------------------------------------------------------------------------- exchange


def _exchange(deal: PicchettoDeal, possible: Possible, player: str) -> Iterator[Prompt]:
    """How many cards, and then some of the choices of the cards thrown away and drawn."""
    who, most = deal.place_of(player), most_to_exchange(deal, player)
    fewest = fewest_to_exchange(deal, player)
    counts = [count for count in range(most, fewest - 1, -1) if _can_exchange(possible, who, count)]
    yield from offer((CardsExchanged(player, count) for count in counts), ("cards",))
    choices = (
        CardsExchanged(player, count, cards_of(gone), cards_of(drawn) if drawn else None)
        for count in counts
        if count
        for gone, drawn in islice(_cards(deal, possible, who, count), LISTED)
    )
    yield from offer(choices, ("cards",))


def _can_exchange(possible: Possible, who: int, count: int) -> bool:
    return possible.lie.white is None or possible.can_be(_after(possible.lie, who, count, 0, 0))


def _after(lie: Lie, who: int, count: int, gone: int, drawn: int) -> Lie:
    """What is known after an exchange."""
    white = lie.white
    if white is not None and white.who == who:
        lie = lie._replace(white=white._replace(exchanged=count, most=count, thrown=gone))
        lie = lie.lacking(who, white.strange & ~drawn) if drawn else lie
    elif white is not None and who == 0:
        lie = lie._replace(white=white._replace(gone=gone, most=TALON - count))
    return lie.having(who, drawn).out(gone)


def _cards(
    deal: PicchettoDeal, possible: Possible, who: int, count: int
) -> Iterator[tuple[int, int]]:
    """Cards thrown away, weak ones first, alone and with strong ones drawn."""
    lie, before = possible.lie, 0
    for exchange in deal.exchanges:
        before |= bits(exchange.event.discarded or ()) | bits(exchange.event.drawn or ())
    kept = before | lie.must[0] | lie.must[1]
    if lie.white is not None and lie.white.who == who:
        kept |= lie.white.strange
    away = [bit for bit in WEAKEST_FIRST if not bit & kept]
    for chosen in islice(combinations(away, count), LISTED):
        gone = sum(chosen)
        drawn = _strongest(lie.may[who] & ~gone & ~before & ~lie.must[1 - who], count)
        for draws in (0, drawn):
            if possible.can_be(_after(lie, who, count, gone, draws)):
                yield gone, draws


def _strongest(pool: int, count: int) -> int:
    return sum(islice((bit for bit in reversed(WEAKEST_FIRST) if bit & pool), count))

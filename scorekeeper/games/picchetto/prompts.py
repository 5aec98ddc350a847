"""The prompts of a hand of Picchetto.

After each choice offered there is still a deal of the cards with which the whole record is true
(:class:`~scorekeeper.games.picchetto.possible_holdings.from_record.PossibleHoldings`).
"""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.picchetto.marking import MarksOnRecord, marks_on_record
from scorekeeper.games.picchetto.possible_holdings.from_record import PossibleHoldings
from scorekeeper.games.picchetto.prompts_counts import (
    offer_calls,
    offer_cartes_rouges,
    offer_counts,
    offer_forfeits,
    offer_settling_call,
    offer_trick_counts,
    without_false_calls,
)
from scorekeeper.games.picchetto.prompts_exchange import offer_exchanges, offer_whites
from scorekeeper.games.picchetto.prompts_play import offer_cards
from scorekeeper.games.picchetto.prompts_statements import (
    offer_answers,
    offer_passed_over,
    offer_statements,
    unanswered_declaration,
)
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.prompts import Ask, Prompt
from scorekeeper.play.prompts.play import offer_rest, offer_winner

TOTALS: Final = (Ask((PointsCounted,)),)


def prompts(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Yield the prompts of a hand, the likeliest first."""
    declared = unanswered_declaration(deal)
    if deal.result.complete:
        yield from _offer_remaining(deal)
        return
    marks = marks_on_record(deal)
    offered = (
        offer_answers(deal, declared.event, PossibleHoldings(deal))
        if declared is not None
        else _offer_open(deal, marks, PossibleHoldings(deal))
    )
    yield from without_false_calls(deal, marks, offered)


def _offer_open(
    deal: PicchettoDeal, marks: MarksOnRecord, possible: PossibleHoldings
) -> Iterator[Prompt]:
    """Offer all that can come next while no declaration waits for an answer."""
    yield from offer_calls(deal, marks, immediately=True)
    yield from offer_exchanges(deal, possible)
    yield from () if deal.entries else offer_counts(deal, marks)
    yield from offer_statements(deal, possible)
    yield from offer_whites(deal, possible)
    yield from offer_cards(deal, possible)
    yield from offer_winner(deal)
    yield from offer_rest(deal)
    yield from offer_calls(deal, marks, immediately=False)
    yield from offer_trick_counts(deal)
    yield from offer_counts(deal, marks) if deal.entries else ()
    yield from offer_passed_over(deal, possible)
    yield from offer_cartes_rouges(deal)
    yield from offer_forfeits(deal)


def _offer_remaining(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Offer what a hand still lacks that already has a score, until the score is written down.

    That is the answer to a declaration that would win the game on its own, and the call that
    decides whether counted tricks made a pique.
    """
    declared = unanswered_declaration(deal)
    if deal.claims:
        return
    if declared is not None and not deal.all_counts():
        yield from offer_answers(deal, declared.event, PossibleHoldings(deal))
    yield from offer_settling_call(deal)

"""What can be recorded next of a hand of Picchetto.

Whatever is offered, some deal of the cards is left with which everything on record is true
(:class:`~scorekeeper.games.picchetto.witness.known.Possible`).
"""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.picchetto.prompts_counts import (
    call_to_settle,
    calls,
    forfeits,
    leaving_the_call,
    offer_counts,
    rouges,
    tricks_to_count,
)
from scorekeeper.games.picchetto.prompts_exchange import exchanges, whites
from scorekeeper.games.picchetto.prompts_play import offer_cards
from scorekeeper.games.picchetto.prompts_sayings import answers, passed_over, pending, sayings
from scorekeeper.games.picchetto.score import Made, marks_made
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.games.picchetto.witness.known import Possible
from scorekeeper.play.prompts import Ask, Prompt
from scorekeeper.play.prompts.play import offer_rest, offer_winner

TOTALS: Final = (Ask((PointsCounted,)),)


def prompts(deal: PicchettoDeal) -> Iterator[Prompt]:
    """What can be recorded next, the likeliest first."""
    declared = pending(deal)
    if deal.result.complete:
        yield from _still_due(deal)
        return
    now = marks_made(deal)
    found = (
        answers(deal, declared.event, Possible(deal))
        if declared is not None
        else _open(deal, now, Possible(deal))
    )
    yield from leaving_the_call(deal, now, found)


def _open(deal: PicchettoDeal, now: Made, possible: Possible) -> Iterator[Prompt]:
    yield from calls(deal, now, at_once=True)
    yield from exchanges(deal, possible)
    yield from () if deal.entries else offer_counts(deal, now)
    yield from sayings(deal, possible)
    yield from whites(deal, possible)
    yield from offer_cards(deal, possible)
    yield from offer_winner(deal)
    yield from offer_rest(deal)
    yield from calls(deal, now, at_once=False)
    yield from tricks_to_count(deal)
    yield from offer_counts(deal, now) if deal.entries else ()
    yield from passed_over(deal, possible)
    yield from rouges(deal)
    yield from forfeits(deal)


def _still_due(deal: PicchettoDeal) -> Iterator[Prompt]:
    """What a hand that has its score still lacks, before the table has written it down.

    That is the answer to a declaration that alone would win the game, and the call that says
    whether counted tricks made a pique.
    """
    declared = pending(deal)
    if deal.claims:
        return
    if declared is not None and not deal.all_counts():
        yield from answers(deal, declared.event, Possible(deal))
    yield from call_to_settle(deal)

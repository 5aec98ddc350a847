"""What a hand is played for, in few words: the bid that stands, and what was said to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.events.common import (
    CardPlayed,
    CardsShown,
    Event,
    HandConfirmed,
    HandStarted,
    NoteAdded,
    PointsCounted,
    ScoreClaimed,
    TrickTaken,
)
from scorekeeper.events.sentences import Voice, title_of
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Prompt
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.wording.words import letter
from scorekeeper.web.wording.writing import labelled

# What stands elsewhere on the page, or in the log alone.
UNTOLD: Final = (
    CardPlayed, TrickTaken, CardsShown, PointsCounted, HandStarted, HandConfirmed, NoteAdded,
    ScoreClaimed,
)  # fmt: skip
IN_THE_LOG: Final = (
    "bid_made", "bid_raised", "set_distributed", "cards_exchanged", "monte_taken",
    "cards_laid_away", "signal_made",
)  # fmt: skip
DIALOGUE: Final = ("declared", "answered", "shown")
LATEST: Final = 2  # of a dialogue only its end is of use
LOUD: Final = ("repique_called", "pique_called")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is to be known of a hand; ``suits`` are drawn, strongest first."""

    words: str
    label: str = ""
    suits: tuple[str, ...] = ()


def facts(hand: HandRecord, told: Iterable[Event], voice: Voice) -> Iterator[Fact]:
    """The contract, and of what was said to it what is needed in the play."""
    contract = standing(hand.deal, voice)
    if contract is not None:
        yield contract
    events = [one for one in told if _is_told(one)]
    spoken = [one for one in events if one.TYPE in DIALOGUE]
    for event in events:
        if event.TYPE not in DIALOGUE or event in spoken[-LATEST:]:
            yield _fact(event, voice)


def _is_told(event: Event) -> bool:
    return not isinstance(event, UNTOLD) and event.TYPE not in (*IN_THE_LOG, *LOUD)


def _fact(event: Event, voice: Voice) -> Fact:
    suits = getattr(event, "suits", ())
    if suits:
        return Fact(voice.tell(event), str(_("Hierarchy")), tuple(suits))
    return Fact(voice.tell(event))


def standing(deal: Deal, voice: Voice) -> Fact | None:
    """The highest bid so far, in the games with one: what it is, and whose."""
    noted: Any = getattr(deal, "declaration", None) or getattr(deal, "bid", None)
    if noted is None:
        return None
    bid = noted.event
    figure = letter(str(getattr(bid, "bid", None) or getattr(bid, "points", 0)))
    words = f"{figure}, {voice.names.get(bid.player, bid.player)}"
    return Fact(words, str(_("Standing") if _is_open(deal) else _("Contract")))


def _is_open(deal: Deal) -> bool:
    """Whether somebody may still bid."""
    auction_over = getattr(getattr(deal, "auction", None), "over", False)
    bidding = getattr(deal, "bidding", False) and not auction_over
    return bool(bidding) and not deal.tricks.numbered


def loud(told: Iterable[Event], prompts: Iterable[Prompt], voice: Voice) -> Iterator[str]:
    """What is to be heard at the whole table: that it was called, or that it is there."""
    called = [one for one in told if one.TYPE in LOUD]
    due = [one.choices[0] for one in prompts if one.type in LOUD and len(one.choices) == 1]
    for event in dict.fromkeys([*called, *due]):
        name = voice.names.get(getattr(event, "player", ""), "")
        yield f"{labelled(title_of(type(event)))} {name}"

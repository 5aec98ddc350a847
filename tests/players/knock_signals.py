"""The signals of Knock! that are true at a moment, by its page (K11)."""

from collections.abc import Sequence
from dataclasses import dataclass

SUIT_RANKS = ("K", "Q", "N", "J", "10", "9", "8", "7")
SIGNALS = (
    "long_suit",
    "all_but_one",
    "trump_low",
    "avoid_high",
    "not_highest",
    "one_more",
    "do_not_return",
    "last_trump",
    "magician_at_risk",
    "highest_trump",
    "two_highest_trumps",
    "have_world",
    "have_sun",
    "have_moon",
    "say_15_16_17",
    "last_of_suit",
    "highest_of_suit",
    "have_queen",
    "do_not_lead",
    "bijou",
    "grand",
)


@dataclass(frozen=True)
class TrickView:
    """A card just played, what its player still holds and what is not yet played."""

    card: str
    held: Sequence[str]
    unplayed: Sequence[str]
    away: Sequence[str]
    lead: bool


def is_trump(card: str) -> bool:
    return card[0] == "T"


def trumps(cards: Sequence[str]) -> list[int]:
    """The trumps by number, highest first; the Quartet equal."""
    numbers = [int(card[1:]) for card in cards if is_trump(card)]
    return sorted((2 if 2 <= n <= 5 else n for n in numbers), reverse=True)


def signals(view: TrickView, *, follows: bool) -> list[str]:
    """Return all signals that are true immediately after that card."""
    signals_ = ["do_not_return"]
    if view.lead:
        signals_ += ["long_suit"]
    if view.lead and not is_trump(view.card):
        signals_ += ["trump_low", "avoid_high", "not_highest"]
    if follows:
        signals_ += ["do_not_lead"]
    if is_trump(view.card):
        signals_ += of_trump(view) + after(view)
    else:
        signals_ += of_suit(view)
    return signals_


def of_trump(view: TrickView) -> list[str]:
    signals_ = ["last_trump"] if not trumps(view.held) else []
    return [*signals_, "magician_at_risk"] if "T1" in view.held else signals_


def of_suit(view: TrickView) -> list[str]:
    letter = view.card[-1]
    mine = [c for c in view.held if not is_trump(c) and c[-1] == letter and c != "FOOL"]
    left = [c for c in view.unplayed if not is_trump(c) and c[-1] == letter and c != "FOOL"]
    away = any(not is_trump(c) and c[-1] == letter for c in view.away)
    signals_ = ["last_of_suit", *after(view)] if not mine else []
    if len(mine) == 1:
        signals_.append("one_more")
    if "Q" + letter in mine:
        signals_.append("have_queen")
    if mine and max(left, key=strength) in mine and not away:
        signals_.append("highest_of_suit")
    if view.lead and mine and len(left) - len(mine) == 1 and not away:
        signals_.append("all_but_one")
    return signals_


def strength(card: str) -> int:
    return -SUIT_RANKS.index(card[:-1])


def after(view: TrickView) -> list[str]:
    """Return the true signals about trumps after a trump or the last card of a suit."""
    mine, left = trumps(view.held), trumps(view.unplayed)
    signals_ = []
    if mine and mine[0] == left[0]:
        signals_.append("highest_trump")
    if len(mine) > 1 and mine[:2] == left[:2]:
        signals_.append("two_highest_trumps")
    for number, name in ((21, "have_world"), (19, "have_sun"), (18, "have_moon")):
        if number in mine:
            signals_.append(name)
    if {15, 16, 17} & set(mine):
        signals_.append("say_15_16_17")
    return signals_

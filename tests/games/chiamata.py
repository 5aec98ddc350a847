"""Hands of Briscola Chiamata in one line, and one with all its cards."""

from typing import Any

from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.games.briscola_chiamata import GAME
from tests.games import calling


def hand(script: str, seats: int = 5, **options: Any) -> CallingDeal:
    """Return an evaluated hand with these words on record."""
    return calling.play(GAME, script, seats, **options)


def findings_of(script: str, seats: int = 5, **options: Any) -> list[str]:
    """Return the findings of such a hand."""
    return calling.findings_of(GAME, hand(script, seats, **options))


# Bruno bids J and calls the jack of cups, which Dino plays in trick 7. Trump is cups.
AUCTION = "a#A b#3 c#K d#- e#- a#- b#J c#-"
T1 = "a:4S b:5S c:6S d:7S e:JS"  # e, 2 points
T2 = "e:2S a:KS b:AS c:NS d:3S"  # b, 28
T3 = "b:AD c:2D d:4D e:5D a:6D"  # b, 11
T4 = "b:7D c:KD d:3D e:ND a:JD"  # d, 19
T5 = "d:2B e:3B a:4B b:5B c:AB"  # c, 21
T6 = "c:KB d:6B e:7B a:NB b:2C"  # b, 7
T7 = "b:4C c:AC d:JC e:JB a:5C"  # c, 15
T8 = "c:3C d:6C e:7C a:KC b:NC"  # c, 17
LED = "a:2S b:AS c:NS d:3S e:KS"  # a first trick, for b, 28
CARDS = f"{T1} {T2} {T3} {T4} {T5} {T6} {T7} {T8}"
FULL = f"{AUCTION} b+JC {CARDS}"
TAKEN = {"bidder": 65, "defenders": 55}  # b 28 + 11 + 7 and d 19
WINNERS = "e! b! b! d! c! b! c! c!"
WON = "b2 d1 a-1 c-1 e-1"
LOST = "b-2 d-1 a1 c1 e1"

BIDDERS_TRICKS = "b! d! b! b! d! d! b! b!"
DEFENDERS_TRICKS = "a! c! e! e! a! a! c! a!"

"""Hands of Briscola col Monte in one line, and some with all their cards."""

from typing import Any

from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.games.briscola_col_monte import GAME
from tests.games import calling


def hand(script: str, seats: int = 5, **options: Any) -> CallingDeal:
    """Return an evaluated hand with these words on record."""
    return calling.play(GAME, script, seats, **options)


def findings_of(script: str, seats: int = 5, **options: Any) -> list[str]:
    """Return the findings of such a hand."""
    return calling.findings_of(GAME, hand(script, seats, **options))


# Bruno bids 70 and names the ace of cups, which Cleo plays in trick 5. Trump is cups.
AUCTION = "a#61 b#65 c#- d#68 e#- a#- b#70 d#-"
T1 = "b:AS c:5S d:6S e:7S a:JS"  # b, 13 points
T2 = "b:KS c:3S d:NS e:5D a:6D"  # c, 17
T3 = "c:AD d:7D e:JD a:ND b:2C"  # b, 16
T4 = "b:3D c:4C d:KD e:2B a:4B"  # c, 14
T5 = "c:AC d:5C e:6C a:7C b:JC"  # c, 13
T6 = "c:AB d:3B e:5B a:KB b:3C"  # b, 35
T7 = "b:6B c:7B d:NB e:NC a:KC"  # a, 10, and the lay-away
CARDS = f"{T1} {T2} {T3} {T4} {T5} {T6} {T7}"
LAID = "2S,4S,2D,4D,JB"  # 2 points
TAKEN = {"bidder": 108, "defenders": 12}  # b 13 + 16 + 35, c 17 + 14 + 13; a 10 + 2
WON = "b2 c1 a-1 d-1 e-1"
ALONE_WON = "b4 a-1 c-1 d-1 e-1"

# Six players: Bruno names the 3 of batons in hand and plays alone; no points are laid away.
SIX_TRICKS = (
    "b:AB c:2B d:4B e:5B f:6B a:7B",  # b, 11
    "b:3B c:JB d:KB e:5S f:6S a:7S",  # b, 16
    "b:AS c:3S d:KS e:NS f:JS a:4D",  # b, 30
    "b:AD c:3D d:KD e:ND f:JD a:5D",  # b, 30
    "b:6D c:7D d:4C e:5C f:AC a:3C",  # c, 21
    "c:KC d:NC e:JC f:6C a:7C b:NB",  # b, 12
)
SIX = " ".join(SIX_TRICKS)

# Bruno, the bidder, plays the named card in trick 5, and leads to trick 6.
HIS_OWN = f"{T1} {T2} {T3} {T4} c:JC d:5C e:6C a:7C b:AC b:3C c:AB d:3B e:5B a:KB {T7}"
# Nobody plays it: it was laid away in place of the 2 of coins. Bruno has 13 + 16 + 35 = 64.
NEVER = f"{T1} {T2} {T3} {T4} c:KC d:5C e:6C a:7C b:JC {T6} b:6B c:7B d:NB e:NC a:2D"

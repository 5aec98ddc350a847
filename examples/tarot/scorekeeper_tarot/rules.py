"""The rule book of French Tarot, version 1, and its figures."""

from typing import Final

from scorekeeper.authoring import (
    ALL_CARDS,
    FOOL,
    Clause,
    ContractShares,
    Number,
    Option,
    RuleBook,
    french_tarot,
)

PACK: Final = french_tarot("K Q N J 10 9 8 7 6 5 4 3 2 A")
PETIT: Final = ALL_CARDS["T1"]
BOUTS: Final = (PETIT, ALL_CARDS["T21"], FOOL)
TRICKS: Final = {3: 24, 4: 18, 5: 15}  # by the number of players (F1)
PLAYERS_WITH_CALL: Final = 5

# F2, in half points; a bout 9, any other card 1.
HALVES_OF_RANK: Final = {"K": 9, "Q": 7, "N": 5, "J": 3}
HALVES: Final = {c: 9 if c in BOUTS else HALVES_OF_RANK.get(c.rank, 1) for c in PACK.cards}
ALL_HALVES: Final = 182
NEEDED: Final = {0: 112, 1: 102, 2: 82, 3: 72}  # by the bouts

CONTRACTS: Final = {"prise": 1, "garde": 2, "garde sans": 4, "garde contre": 6}  # F5
BASE: Final = 25  # F5
SHARES: Final = {  # by the number of players (F5)
    3: ContractShares(alone=2),
    4: ContractShares(alone=3),
    5: ContractShares(alone=4, bidder=2, partner=1),
}
PETIT_LAST: Final = 10  # F6
HANDFULS: Final = (20, 30, 40)  # F7
TRUMPS_SHOWN: Final = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}  # by players (F7)
SLAM: Final = 200  # F8; twice as much if announced

CLAUSES: Final = (
    Clause("F1", "Three players have 24 of the 78 cards each, four 18, five 15; the rest is the "
           "dog.", "source"),
    Clause("F2", "Bouts are the 21, the petit (trump 1) and the excuse. Bouts and kings are worth "
           "4 1/2 points, queens 3 1/2, knights 2 1/2, jacks 1 1/2, others 1/2. The taker needs "
           "56, 51, 41 or 36 of 91, by the bouts.", "source"),
    Clause("F3", "Prise and garde are played with the dog, garde sans and garde contre without. "
           "What lies aside is the taker’s, at garde contre the defence’s. At five, the player of "
           "the called king is the partner.", "source"),
    Clause("F4", "A void player trumps, and higher than before if possible. The excuse wins only "
           "the last trick of a slam; its side keeps it for a low card, except in the last trick "
           "or without a trick.", "source"),
    Clause("F5", "Each defender pays or gets 25 and the difference in points, rounded up, times 1, "
           "2, 4 or 6 by the contract. The partner has one share, the taker the rest.", "source"),
    Clause("F6", "The petit in the last trick, or before the excuse of a slam, is worth 10 times "
           "the contract to the side that takes it.", "source"),
    Clause("F7", "A handful gives the winning side 20, 30 or 40: 13, 15 or 18 trumps at three, 10, "
           "13 or 15 at four, 8, 10 or 13 at five.", "source"),
    Clause("F8", "A slam is worth 200, or 400 if announced; one that is lost costs 200. A count of "
           "all points shows a slam.", "source"),
    Clause("F9", "A match ends when the players say so, or after some hands.", "ruling"),
)  # fmt: skip

OPTIONS: Final = (
    Option("match", "F9", "When does a match end?", {
        "open": "when the players say so",
        Number("hands"): "after this many complete hands; the highest total wins, and equal ones "
                         "share",
    }),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)

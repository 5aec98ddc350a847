"""Hands of Knock! in a few words, for tests.

Players are ``a`` to ``d`` in order of play: ``a`` and ``c`` are side A, ``b`` and ``d`` side B;
``a`` is eldest, and ``d`` deals. A hand is a row of words, each an event whose seq is its place
from 1; but a trick in one word is four events.

===================  ==================================================================
``a:KS``             a plays the king of swords
``a>KS.7S.8S.9S``    a leads it, and b, c and d play the others
``a!`` ``a!3``       a is named as winner of the trick that is due, or of trick 3
``a*``               the rest is claimed for a
``a?KD,ND``          a shows two cards
``d-8B,7B``          d lays two cards away; after ``/`` the trumps shown
``a~have_world``     a makes that gesture
``A$9B`` ``A$``      side A pays that card for the Fool; it gives the Fool up
``=A60,B40``         the count; after ``/`` the count of tricks
``#A5``              what the table wrote down
``x``                the hand is abandoned
===================  ==================================================================
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from scorekeeper.games.knock import GAME
from scorekeeper.games.knock.state import KnockDeal
from scorekeeper.play.scoring import add_up
from scorekeeper.play.table import Table
from tests.games.scripts import findings, played, table_of

NAMES: Final = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino"}

# A whole hand. Cards: A 8 + 10 + 8 (tricks 1 to 3), 7 (8), 5 (9), 5 (12) = 43; B 10 + 8 + 10
# (tricks 4 to 6), 9 (7, without the Fool) = 37. Tricks: A 1 2 3 8 9 10 12, B 4 5 6 7 11 13.
# The Fool was played by A to a trick of B. The two cards missing are 8B and 7B.
PLAY: Final = (
    "a>KS.7S.8S.9S a>QS.10S.JS.NS a>KC.7C.8C.9C a>10C.QC.JC.NC b>KD.7D.8D.9D b>QD.10D.JD.ND "
    "b>KB.10B.NB.FOOL b>QB.9B.JB.T10 a>T21.T3.T4.T5 a>T20.T6.T7.T8 a>T9.T11.T12.T13 "
    "d>T14.T1.T15.T16 c>T17.T18.T2.T19"
)
AWAY: Final = "d-8B,7B"

# A takes one trick, of king, queen, knight and jack, and plays the Fool to trick 6; the two
# cards missing are 7S and 7C.
ONE_TRICK: Final = (
    "a>NS.KS.JS.QS b>10S.9S.8S.T10 a>T21.T2.T1.T7 a>T20.T3.T5.T8 a>T19.T4.T6.T9 "
    "a>T18.FOOL.KD.KB a>T17.KC.QD.QB a>T16.QC.ND.NB a>T15.NC.JD.JB a>T14.JC.10D.10B "
    "a>T13.10C.9D.9B a>T12.9C.8D.8B a>T11.8C.7D.7B"
)  # eldest is of the side that takes the twelve others
# The same, but that king and knight of swords have changed places: eldest takes all.
NO_TRICK: Final = (
    "a>KS.NS.JS.QS a>T10.T2.T1.T7 a>T21.T3.T5.T8 a>T20.T4.T6.T9 a>T19.10S.9S.8S "
    "a>T18.FOOL.KD.KB a>T17.KC.QD.QB a>T16.QC.ND.NB a>T15.NC.JD.JB a>T14.JC.10D.10B "
    "a>T13.10C.9D.9B a>T12.9C.8D.8B a>T11.8C.7D.7B"
)


def swapped(script: str, *cards: str) -> str:
    """Return the words with the first two cards exchanged, then the next two, and so on."""
    for first, second in zip(cards[::2], cards[1::2], strict=True):
        change = {first: second, second: first}
        script = re.sub(r"\w+", lambda card, c=change: c.get(card[0], card[0]), script)  # type: ignore[misc]
    return script


def table(**options: Any) -> Table:
    """Return a table of four players; the last deals."""
    return table_of(GAME, "abcd", NAMES, **options)


def hand(script: str, **options: Any) -> KnockDeal:
    """Return an evaluated hand with these words on record."""
    return cast("KnockDeal", played(GAME, table(**options), words(script), event_of))


def words(script: str) -> Iterator[str]:
    """Yield the words of a script, with tricks card by card."""
    for word in script.split():
        leader, sign, cards = word.partition(">")
        if not sign:
            yield word
            continue
        turn = "abcd"["abcd".index(leader) :] + "abcd"
        yield from (
            f"{player}:{card}" for player, card in zip(turn, cards.split("."), strict=False)
        )


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the event that a word stands for."""
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        counted = {"points": _counts(points)} | ({"tricks": _counts(tricks)} if tricks else {})
        return "points_counted", counted
    if word[0] == "#":
        return "score_claimed", {"scores": _counts(word[1:])}
    player, sign, what = word[0], word[1], word[2:]
    if sign == "-":
        cards, slash, shown = what.partition("/")
        data = {"player": player} | ({"cards": cards.split(",")} if cards else {})
        return "cards_laid_away", data | ({"trumps_shown": shown.split(",")} if slash else {})
    if sign == "$":
        return ("fool_paid", {"side": player, "card": what}) if what else (
            "fool_surrendered", {"side": player})  # fmt: skip
    kind, name = FIELDS[sign]
    return kind, {"player": player} | ({name: READ.get(name, str)(what)} if what else {})


# By the sign after a player: the type of the event, and the field that follows.
FIELDS: Final = {
    ":": ("card_played", "card"), "?": ("cards_shown", "cards"), "!": ("trick_taken", "trick"),
    "*": ("rest_claimed", ""), "~": ("signal_made", "signal"),
}  # fmt: skip
READ: Final[dict[str, Callable[[str], Any]]] = {"cards": lambda text: text.split(","), "trick": int}


def _counts(text: str) -> dict[str, int]:
    return {side: int(n) for side, n in re.findall(r"([AB])(-?\d+)", text)}


def taken(script: str, **options: Any) -> tuple[int, int] | None:
    """Return the points of A and B in such a hand; None if it is incomplete."""
    result = hand(script, **options).result
    if not result.complete:
        return None
    assert result.taken is not None
    scores = add_up(result.lines, "AB")
    assert scores == {side: points - 50 for side, points in result.taken.items()}
    return result.taken["A"], result.taken["B"]


def findings_of(script: str, **options: Any) -> list[str]:
    """Return the findings of such a hand, one for each code and event at fault."""
    return findings(GAME, hand(script, **options))

"""Hands of Briscola Regina in one line, for tests.

Players are ``a`` to ``e`` in order of play, and ``a`` is eldest. A hand is a row of words, each
one event, whose seq is its place from 1:

=============  =======================================================================
``a:AS``       a plays the ace of swords
``a+D``        a calls Bris on coins
``a?KD,ND``    a shows two cards
``a!`` ``a!3`` a is named as winner of the trick that is due, or of trick 3
``a4kings``    a shows four kings and a knight; or ``a4knights``
``a*``         the rest is claimed for a
``A~``         the partners of side A exchange hands
``=a60,b60``   the count; after ``/`` the count of tricks
``$a60``       what the table wrote down
``x``          the hand is abandoned
=============  =======================================================================
"""

import re
from collections.abc import Callable
from typing import Any, cast

from scorekeeper.games.briscola_regina import GAME
from scorekeeper.games.briscola_regina.state import ReginaDeal
from scorekeeper.play.scoring import Result, add_up
from scorekeeper.play.table import Table
from tests.games.scripts import findings, played, table_of

NAMES = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino", "e": "Emma"}


def table(players: int = 4, **options: Any) -> Table:
    """Return a table with this number of players; the last one deals."""
    return table_of(GAME, "abcde"[:players], NAMES, **options)


def hand(script: str, players: int = 4, **options: Any) -> ReginaDeal:
    """Return an evaluated hand with these words on record."""
    return cast("ReginaDeal", played(GAME, table(players, **options), script.split(), event_of))


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the event that a word stands for."""
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        counted = {"points": _counts(points)} | ({"tricks": _counts(tricks)} if tricks else {})
        return "points_counted", counted
    if word[0] == "$":
        return "score_claimed", {"scores": _counts(word[1:])}
    player, sign, what = word[0], word[1], word[2:]
    kind, name = FIELDS[sign]
    data: dict[str, Any] = {"side" if sign == "~" else "player": player}
    if what:
        data[name] = READ.get(name, str)(what)
    return kind, data


# By the sign after a player: the type of the event, and the field that follows.
FIELDS = {
    ":": ("card_played", "card"), "+": ("bris_called", "suit"), "?": ("cards_shown", "cards"),
    "!": ("trick_taken", "trick"), "*": ("rest_claimed", ""), "~": ("hands_exchanged", ""),
    "4": ("figures_shown", "figures"),
}  # fmt: skip
READ: dict[str, Callable[[str], Any]] = {"cards": lambda text: text.split(","), "trick": int}


def _counts(text: str) -> dict[str, int]:
    return {side: int(n) for side, n in re.findall(r"([a-eAB])(-?\d+)", text)}


def result(script: str, players: int = 4, **options: Any) -> Result:
    """Return the result of such a hand."""
    return hand(script, players, **options).result


def scores(script: str, players: int = 4, **options: Any) -> dict[str, int]:
    """Return the score of each side in such a hand, which must be complete."""
    deal = hand(script, players, **options)
    assert deal.result.complete
    return {side: int(n) for side, n in add_up(deal.result.lines, deal.table.sides).items()}


def findings_of(script: str, players: int = 4, **options: Any) -> list[str]:
    """Return the findings of such a hand, one for each code and event at fault."""
    return findings(GAME, hand(script, players, **options))

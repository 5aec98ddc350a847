"""Hands of Briscola Regina in one line, for tests.

Players are ``a`` to ``e`` in order of play, and ``a`` is eldest. A hand is a row of words, each
one event, whose seq is its place from 1:

=============  =======================================================================
``a:AS``       a plays the ace of swords
``a+D``        a calls Bris on coins
``a?KD,ND``    a shows two cards
``a!`` ``a!3`` a is said to have taken the trick that is due, or trick 3
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
from scorekeeper.log.codec import decode
from scorekeeper.play.scoring import Result, add_up, look
from scorekeeper.play.table import Table

NAMES = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino", "e": "Emma"}


def table(players: int = 4, **options: Any) -> Table:
    """A table for so many; the last of them deals."""
    seats = tuple("abcde"[:players])
    settled = GAME.options(options, players)
    return Table(
        pack=GAME.pack(settled, players), seats=seats, players=GAME.players(seats, seats[-1]),
        dealer=seats[-1], options=settled, sides=GAME.sides(seats),
        names={seat: NAMES[seat] for seat in seats},
    )  # fmt: skip


def hand(script: str, players: int = 4, **options: Any) -> ReginaDeal:
    """A hand with these words on record, worked out."""
    deal = cast("ReginaDeal", GAME.start(table(players, **options)))
    for seq, word in enumerate(script.split(), 1):
        event = decode(*event_of(word), GAME.by_type)
        GAME.refuse_event(deal, event)
        GAME.fold[type(event)](deal, seq, event)
    GAME.evaluate(deal)
    return deal


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """The type and the data of the event that a word stands for."""
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        counted = {"points": _counts(points)} | ({"tricks": _counts(tricks)} if tricks else {})
        return "points_counted", counted
    if word[0] == "$":
        return "score_claimed", {"scores": _counts(word[1:])}
    who, sign, what = word[0], word[1], word[2:]
    kind, name = FIELDS[sign]
    data: dict[str, Any] = {"side" if sign == "~" else "player": who}
    if what:
        data[name] = READ.get(name, str)(what)
    return kind, data


# What the sign after a player says, and what comes after it.
FIELDS = {
    ":": ("card_played", "card"), "+": ("bris_called", "suit"), "?": ("cards_shown", "cards"),
    "!": ("trick_taken", "trick"), "*": ("rest_claimed", ""), "~": ("hands_exchanged", ""),
}  # fmt: skip
READ: dict[str, Callable[[str], Any]] = {"cards": lambda text: text.split(","), "trick": int}


def _counts(text: str) -> dict[str, int]:
    return {side: int(n) for side, n in re.findall(r"([a-eAB])(-?\d+)", text)}


def result(script: str, players: int = 4, **options: Any) -> Result:
    """What such a hand amounts to."""
    return hand(script, players, **options).result


def scores(script: str, players: int = 4, **options: Any) -> dict[str, int]:
    """What each side scores in such a hand, which must be complete."""
    deal = hand(script, players, **options)
    assert deal.result.complete
    return add_up(deal.result.lines, deal.table.sides)


def seen(script: str, players: int = 4, **options: Any) -> list[str]:
    """The findings of such a hand: code, clause, events; one for each code and event at fault."""
    deal = hand(script, players, **options)
    found: dict[tuple[str, int], str] = {}
    for check, sight in look(GAME.checks, deal):
        events = " ".join(map(str, sight.events))
        assert "{" not in str(sight.text)
        found.setdefault((check.code, sight.events[0]), f"{check.code} {check.rule} [{events}]")
    return list(found.values())

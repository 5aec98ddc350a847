"""Hands of Riparto in one line, for tests.

Players are ``a`` to ``d`` in order of play, and ``a`` is eldest. A hand is a row of words, each
one event, whose seq is its place from 1:

====================  ================================================================
``a=7`` ``a^9``       a bids 7; a raises to 9
``a>SDHC`` ``a>-``    a declares that hierarchy; a declares none
``a#1``               a distributes the first insieme
``a#1:AS/b7C,c8D``    a keeps the first card, and gives one to b and one to c;
                      ``a#1:AS`` and ``a#1:/b7C,c8D`` have a part of it
``a:AS``              a plays the ace of spades
``a?KD,QD``           a shows two cards
``a!`` ``a!3``        a is named as winner of the trick that is due, or of trick 3
``a*``                the rest is claimed for a
``=a8,b7``            the count; after ``/`` the count of tricks
``made`` ``lost``     the outcome
``$a7``               what the table wrote down
``x``                 the hand is abandoned
====================  ================================================================
"""

import re
from collections.abc import Callable
from typing import Any, cast

from scorekeeper.games.riparto import GAME
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.play.prompts import Level, Prompt
from scorekeeper.play.scoring import Result, add_up
from scorekeeper.play.table import Table
from tests.games.scripts import findings, played, table_of

NAMES = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino"}

# A hand of three without a hierarchy: a takes the last five tricks, b the first four.
THREE = (
    "a:6D b:AD c:9D b:KD c:10D a:7D b:AC c:KC a:6C b:QD c:JD a:8D b:JH c:9H a:KH "
    "a:AH b:QH c:10H a:AS b:9S c:6S a:KS b:10S c:7S a:QS b:JS c:8S"
)
# A hand of four that b leads, hierarchy SDHC; two suits trump the seventh trick. The first
# six tricks go to c, d, a, d, a and b.
SIX_OF_FOUR = (
    "b:QC c:AC d:10C a:8C c:9C d:6D a:KC b:JC d:JH a:AH b:KH c:QH a:7H b:8H c:6H d:10H "
    "d:10D a:AD b:KD c:JD a:9H b:10S c:8D d:6S"
)
FOUR = f"{SIX_OF_FOUR} b:6C c:7C d:7S a:QD d:8S a:KS b:QS c:9S a:AS b:9D c:JS d:7D"
FOUR_BY_RANK = f"{SIX_OF_FOUR} b:6C c:7C d:7S a:QD a:KS b:QS c:9S d:8S a:AS b:9D c:JS d:7D"


def table(players: int = 3, **options: Any) -> Table:
    """Return a table with this number of players; the last one deals."""
    return table_of(GAME, "abcd"[:players], NAMES, **options)


def hand(script: str, players: int = 3, **options: Any) -> RipartoDeal:
    """Return an evaluated hand with these words on record."""
    return cast("RipartoDeal", played(GAME, table(players, **options), script.split(), event_of))


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the event that a word stands for."""
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if word in ("made", "lost"):
        return "outcome_recorded", {"made": word == "made"}
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        counted = {"points": _counts(points)} | ({"tricks": _counts(tricks)} if tricks else {})
        return "points_counted", counted
    if word[0] == "$":
        return "score_claimed", {"scores": _counts(word[1:])}
    player, sign, what = word[0], word[1], word[2:]
    kind, read = FIELDS[sign]
    return kind, {"player": player} | read(what)


def _insieme(text: str) -> dict[str, Any]:
    number, _, cards = text.partition(":")
    kept, _, given_away = cards.partition("/")
    data: dict[str, Any] = {"set": int(number)}
    if kept:
        data["kept"] = kept
    if given_away:
        data["given"] = {gift[0]: gift[1:] for gift in given_away.split(",")}
    return data


# By the sign after a player: the type of the event, and how the text after it is read.
FIELDS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "=": ("bid_made", lambda text: {"points": int(text)}),
    "^": ("bid_raised", lambda text: {"points": int(text)}),
    ">": ("hierarchy_declared", lambda text: {"suits": [suit for suit in text if suit != "-"]}),
    "#": ("set_distributed", _insieme),
    ":": ("card_played", lambda text: {"card": text}),
    "?": ("cards_shown", lambda text: {"cards": text.split(",")}),
    "!": ("trick_taken", lambda text: {"trick": int(text)} if text else {}),
    "*": ("rest_claimed", lambda text: {}),
}


def _counts(text: str) -> dict[str, int]:
    return {side: int(n) for side, n in re.findall(r"([a-d])(-?\d+)", text)}


def taken(script: str) -> str:
    """Return the winners of tricks as words: ``aab`` is ``a! a! b!``."""
    return " ".join(f"{player}!" for player in script)


def result(script: str, players: int = 3, **options: Any) -> Result:
    """Return the result of such a hand."""
    return hand(script, players, **options).result


def lines(script: str, players: int = 3, **options: Any) -> list[str]:
    """Return the lines of such a hand, which must be complete: side, points, clause."""
    deal = hand(script, players, **options)
    assert deal.result.complete
    assert add_up(deal.result.lines, deal.table.sides).keys() == set("abcd"[:players])
    return [f"{line.side} {line.points:+d} {line.rule}" for line in deal.result.lines]


def findings_of(script: str, players: int = 3, **options: Any) -> list[str]:
    """Return the findings of such a hand, one for each code and event at fault."""
    return findings(GAME, hand(script, players, **options))


def prompted(
    script: str, level: Level | None = None, players: int = 3, **more: Any
) -> list[Prompt]:
    """Return the prompts after these words."""
    prompts = GAME.prompts(hand(script, players, **more))
    return [prompt for prompt in prompts if level is None or level in prompt.levels]


def choices(script: str, kind: str, level: Level | None = None, **more: Any) -> list[Any]:
    """Return the choices of the first prompt for a type of event; empty without a prompt."""
    prompts = [prompt for prompt in prompted(script, level, **more) if prompt.type == kind]
    return list(prompts[0].choices) if prompts else []

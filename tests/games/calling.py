"""Hands of the games with a called card in one line, for tests.

Players are ``a`` to ``g`` in order of play; ``a`` is eldest and the last of them deals. A hand is
a row of words, each one event, whose seq is its place from 1:

==============  ======================================================================
``a#70`` ``a#-``  a bids 70, or passes
``a+AS``        a calls the ace of swords
``a:AS``        a plays it
``a?AS,KD``     a shows two cards
``a!`` ``a!3``  a is named as winner of the trick that is due, or of trick 3
``a*``          a claims the rest
``@a``          a is revealed as partner
``=61``         the count: the bidder's points; ``=61,59`` both; after ``/`` the tricks
``made lost``   the outcome
``$a2,b1``      the score on paper
``x``           the hand is abandoned
``a^`` ``a^2S,4S``  a takes the monte; its cards
``a_`` ``a_2S,4S``  a lays cards away
``a%``          a shows the called card
==============  ======================================================================
"""

import re
from typing import Any, cast

from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.games.game import Game
from scorekeeper.play.scoring import add_up, run_checks
from scorekeeper.play.table import Table
from tests.games.scripts import played, table_of

NAMES = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino", "e": "Emma", "f": "Furio", "g": "Gea"}


def table(game: Game, seats: int, **options: Any) -> Table:
    """Return a table with this number of seats; the last player deals."""
    return table_of(game, "abcdefg"[:seats], NAMES, **options)


def play(game: Game, script: str, seats: int = 5, **options: Any) -> CallingDeal:
    """Return an evaluated hand with these words on record."""
    return cast(
        "CallingDeal", played(game, table(game, seats, **options), script.split(), event_of)
    )


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the event that a word stands for."""
    if word in ("made", "lost"):
        return "outcome_recorded", {"made": word == "made"}
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if word[0] == "@":
        return "partner_revealed", {"player": word[1:]}
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        return "points_counted", {
            "points": _parties(points), **({"tricks": _parties(tricks)} if tricks else {})
        }  # fmt: skip
    if word[0] == "$":
        scores = re.findall(r"([a-g])(-?\d+)", word)
        return "score_claimed", {"scores": {side: int(n) for side, n in scores}}
    player, sign, what = word[0], word[1], word[2:]
    kind, name = FIELDS[sign]
    return kind, {"player": player} | ({name: _read(name, what)} if what else {})


# By the sign after a player: the type of the event, and the field that follows.
FIELDS = {
    "#": ("bid_made", "bid"), "+": ("card_called", "card"), ":": ("card_played", "card"),
    "?": ("cards_shown", "cards"), "!": ("trick_taken", "trick"), "*": ("rest_claimed", ""),
    "^": ("monte_taken", "cards"), "_": ("cards_laid_away", "cards"),
    "%": ("called_card_shown", ""),
}  # fmt: skip
RANKS = {"A", "3", "K", "N", "Q", "J", "7", "6", "5", "4", "2"}


def _read(name: str, text: str) -> Any:
    if name == "cards":
        return text.split(",")
    if name == "bid":
        return "pass" if text == "-" else text if text in RANKS else int(text)
    return int(text) if name == "trick" else text


def _parties(text: str) -> dict[str, int]:
    return dict(zip(("bidder", "defenders"), map(int, text.split(",")), strict=False))


def scores(deal: CallingDeal) -> dict[str, int] | None:
    """Return the scores of a complete hand, without zeros; None if the hand is incomplete."""
    if not deal.result.complete:
        return None
    sums = add_up(deal.result.lines, deal.table.sides)
    return {side: int(points) for side, points in sums.items() if points}


def paid(text: str) -> dict[str, int]:
    """Return scores written as ``a2 b1 c-1``."""
    return {word[0]: int(word[1:]) for word in text.split()}


def findings_of(game: Game, deal: CallingDeal) -> list[str]:
    """Return the findings, one for each code and event at fault: ``bad_bid C2 3 1``."""
    findings: dict[tuple[str, int], str] = {}
    for check, sight in run_checks(game.checks, deal):
        assert str(sight.text)
        events = " ".join(map(str, sight.events))
        findings.setdefault((check.code, sight.events[0]), f"{check.code} {check.rule} {events}")
    return list(findings.values())


def open_checks(game: Game, deal: CallingDeal) -> set[str]:
    """Return the subjects of the checks that the record does not decide."""
    return {check.about for check in game.checks if check.decided and not check.decided(deal)}

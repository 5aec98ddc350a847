"""Hands of Picchetto in a few words, for tests.

``e`` is elder and ``y`` younger, who deals. A hand is a row of words, each an event whose seq is
its place from 1; but a trick in one word is two events, and a row of winners one each.

====================  =================================================================
``eW`` ``eW/7S,8S``   e declares White; the cards shown
``ex3`` ``ex1-7S+KS`` e exchanges three; one, and which
``eP51`` ``eS4K``     e declares a point of 51, a sequence of four to the king,
``eT3K``              a set of three kings
``yP+`` ``yP=``       y answers good, or equal,
``yP-``               or not good, in the point (``S``, ``T``: sequence, set)
``e^P5`` ``e^S4K``    e shows a point of five cards, a sequence, a set;
``e^P3/AS,KS,QS``     the cards
``e:AS`` ``e>AS.7S``  e plays a card; e leads it, and y plays the other
``e!`` ``e!3``        e is named as winner of the trick that is due, or of trick 3
``.eey``              e is named as winner of two tricks, and y of one
``e*``                the rest is claimed for e
``e?AS,KS``           e shows two cards
``e~pique``           e calls it (or ``repique``), or declares carte ``rouge``
``=e7,y5;e``          seven tricks counted and five, the last one to e
``=e7,y5;e;2``        and the lead changed hands twice
``$e30,y4`` ``/e7``   the points counted; after ``/`` the tricks
``#e30``              what the table wrote down
``%e-10``             a penalty
``x``                 the hand is abandoned
====================  =================================================================
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from scorekeeper.events.common import PenaltyGiven
from scorekeeper.events.event import Entry
from scorekeeper.games.picchetto import GAME
from scorekeeper.games.picchetto.course import Games, PlayedGame
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.log.codec import decode
from scorekeeper.play.folding import record_entry
from scorekeeper.play.match import Standing
from scorekeeper.play.scoring import add_up, run_checks
from scorekeeper.play.table import Table

NAMES: Final = {"e": "Eva", "y": "Yuri"}
CATEGORIES: Final = {"P": "point", "S": "sequence", "T": "set"}
ANSWERS: Final = {"+": "good", "=": "equal", "-": "not_good"}

# A whole hand. Elder: AS KS QS JS 10S, AH KH QH, AD KD, 9C 8C. Younger: 9S 8S 7S, JH 10H 9H 8H,
# QD JD, AC KC QC. Younger's best are 37 (hearts), four to the jack, and no set.
EXCHANGE: Final = "ex3-7D,8D,9D+KH,QH,9C yx5-7H,10D,JC,10C,7C+JD,AC,8S,9H,8H"
DECLARED: Final = "eP51 yP+ e^P5 eS5A yS+ e^S5A e^S3A eT3A yT+ e^T3A e^T3K"
PLAY: Final = (
    "e>AS.7S e>KS.8S e>QS.9S e>JS.8H e>10S.9H e>AH.10H e>KH.JH e>QH.JD e>AD.QD e>KD.QC "
    "e>9C.KC y>AC.8C"
)


def table(**options: Any) -> Table:
    """Return a table of two players; younger deals."""
    seats = ("y", "e")
    settled = GAME.options(options, 2)
    return Table(
        pack=GAME.pack(settled, 2), seats=seats, players=GAME.players(seats, "y"), dealer="y",
        options=settled, sides=GAME.sides(seats), names=NAMES,
    )  # fmt: skip


def hand(
    script: str, at: tuple[int, int] = (0, 0), target: int = 150, **options: Any
) -> PicchettoDeal:
    """Return an evaluated hand with these words on record, at a score of its game."""
    deal = cast("PicchettoDeal", GAME.start(table(**options)))
    game = PlayedGame("game", target, {"e": at[0], "y": at[1]})
    deal.standing = Standing({"y": 0, "e": 0}, extra=Games((), game))
    for seq, word in enumerate(words(script), 1):
        event = decode(*event_of(word), GAME.by_type)
        if not isinstance(event, PenaltyGiven):
            GAME.refuse_event(deal, event)
        record_entry(deal, Entry(seq, event), GAME.fold)
    GAME.evaluate(deal)
    return deal


def words(script: str) -> Iterator[str]:
    """Yield the words of a script, with tricks card by card and winners one by one."""
    for word in script.split():
        leader, sign, cards = word.partition(">")
        if sign:
            first, second = cards.split(".")
            yield from (f"{leader}:{first}", f"{'y' if leader == 'e' else 'e'}:{second}")
        elif word[0] == ".":
            yield from (f"{player}!" for player in word[1:])
        else:
            yield word


def event_of(word: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the event that a word stands for."""
    sign, text = word[0], word[1:]
    if word == "x":
        return "hand_abandoned", {"reason": "misdeal"}
    if sign == "=":
        tricks, last, changes = f"{text};;".split(";")[:3]
        more: dict[str, Any] = {"last": last} if last else {}
        more |= {"lead_changes": int(changes)} if changes else {}
        return "tricks_counted", {"tricks": _counts(tricks)} | more
    if sign == "$":
        points, _, tricks = text.partition("/")
        more = {"tricks": _counts(tricks)} if tricks else {}
        return "points_counted", {"points": _counts(points)} | more
    if sign == "#":
        return "score_claimed", {"scores": _counts(text)}
    if sign == "%":
        return "penalty_given", {"side": text[0], "points": int(text[1:]), "reason": "slow"}
    kind, data = _statement(text[0], text[1:])
    return kind, {"player": sign} | data


def _statement(sign: str, what: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of a player's event, by the sign after the player's letter."""
    if sign in CATEGORIES and what in ANSWERS:
        return "answered", {"category": CATEGORIES[sign], "answer": ANSWERS[what]}
    if sign in CATEGORIES:
        return "declared", _holding(sign, what, "value")
    if sign == "~":
        return "carte_rouge_declared" if what == "rouge" else f"{what}_called", {}
    kind, read = FIELDS[sign]
    return kind, read(what)


def _exchange(what: str) -> dict[str, Any]:
    count, discarded, drawn = cast(
        "re.Match[str]", re.fullmatch(r"(\d)(-[^+]*)?(\+.*)?", what)
    ).groups()
    data: dict[str, Any] = {"count": int(count)}
    for name, cards in (("discarded", discarded), ("drawn", drawn)):
        if cards:
            data[name] = cards[1:].split(",")
    return data


def _holding(sign: str, what: str, point: str) -> dict[str, Any]:
    category = {"category": CATEGORIES[sign]}
    if sign == "P":
        return category | {point: int(what)}
    first, second = ("length", "high") if sign == "S" else ("count", "rank")
    return category | {first: int(what[0]), second: what[1:]}


def _cards(what: str) -> dict[str, Any]:
    return {"cards": what.split(",")} if what else {}


def _counts(text: str) -> dict[str, int]:
    return {player: int(n) for player, n in re.findall(r"([ey])(-?\d+)", text)}


def _shown(what: str) -> dict[str, Any]:
    stated, _, cards = what.partition("/")
    return _holding(stated[0], stated[1:], "count") | _cards(cards)


# By the sign after a player: the type of the event, and how the text after it is read.
FIELDS: Final[dict[str, tuple[str, Callable[[str], dict[str, Any]]]]] = {
    "x": ("cards_exchanged", _exchange),
    "W": ("white_declared", lambda what: _cards(what[1:])),
    "^": ("shown", _shown),
    ":": ("card_played", lambda what: {"card": what}),
    "!": ("trick_taken", lambda what: {"trick": int(what)} if what else {}),
    "*": ("rest_claimed", lambda _: {}),
    "?": ("cards_shown", _cards),
}


def lines(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> str:
    """Return the score lines of a hand: ``e5 P4, e30 P14``; ``-`` if it is incomplete."""
    result = hand(script, at, **options).result
    if not result.complete:
        return "-"
    return ", ".join(f"{line.side}{line.points} {line.rule}" for line in result.lines)


def scores(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> tuple[int, int] | None:
    """Return the points of elder and younger in a hand; None if it is incomplete."""
    result = hand(script, at, **options).result
    if not result.complete:
        return None
    sums = add_up(result.lines, "ey")
    return int(sums["e"]), int(sums["y"])


def winner(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> str | None:
    """Return the player who wins the game with a hand."""
    result = hand(script, at, **options).result
    assert result.complete
    return cast("str | None", result.marks.winner)


def findings_of(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> list[str]:
    """Return the findings of a hand, one for each code and event at fault."""
    findings: dict[tuple[str, int], str] = {}
    for check, sight in run_checks(GAME.checks, hand(script, at, **options)):
        text = f"{check.code} {check.rule} {list(sight.events)}"
        findings.setdefault((check.code, sight.events[0]), text)
        assert "{" not in str(sight.text)
    return list(findings.values())


def codes(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> list[str]:
    """Return the codes of the findings."""
    return sorted({text.split()[0] for text in findings_of(script, at, **options)})


def undecided(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> set[str]:
    """Return the subjects of the checks that the record does not decide."""
    deal = hand(script, at, **options)
    return {
        f"{check.about} ({check.rule})"
        for check in GAME.checks
        if check.decided is not None and not check.decided(deal)
    }

"""What can be recorded next in a session: the game's own prompts, and what leads from hand to hand.

Notes, penalties, corrections and disputes can be recorded too; what they say nobody can prompt.
"""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from scorekeeper.events.common import (
    Event,
    HandAbandoned,
    HandConfirmed,
    HandStarted,
    MatchEnded,
    MatchStarted,
    ScoreClaimed,
    SessionClosed,
)
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.play.prompts import Level, Prompt
from scorekeeper.play.scoring import add_up
from scorekeeper.report.report import confirmed, confirmed_by_all, status
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

MOST_SEATINGS: Final = 10  # of a game, where more are there than can play
MISDEAL: Final = "misdeal"


def next_prompts(session: Session, level: Level | None = None) -> list[Prompt]:
    """What can be recorded next, the likeliest first.

    With ``level`` only what belongs to that level of detail; else everything, what belongs to
    the level of the hand at hand, or of the last one, before the rest.
    """
    record = session.structure
    if record.closed is not None or record.opened is None:
        return []
    prompts = list(_of_session(session))
    if level is not None:
        return [prompt for prompt in prompts if level in prompt.levels]
    usual = _usual_level(session)
    return sorted(prompts, key=lambda prompt: usual is not None and usual not in prompt.levels)


def _usual_level(session: Session) -> str | None:
    match = session.structure.matches[-1] if session.structure.matches else None
    levels = [
        hand.deal.level
        for hand in (match.hands[-2:] if match else ())
        if hand.deal.result.complete or len(hand.deal.tricks.numbered) > 0
    ]
    return levels[-1] if levels and levels[-1] != "mixed" else None


def _of_session(session: Session) -> Iterator[Prompt]:
    match = session.structure.matches[-1] if session.structure.matches else None
    if match is None or match.over:
        yield from _matches(session, match)
    if match is not None and match.ended is None:
        hand = match.hands[-1] if match.hands else None
        where = status(match, hand) if hand else ""
        if hand is not None and where == "open":
            yield from match.game.prompts(hand.deal)
            yield Prompt((HandAbandoned(MISDEAL),))
            return
        if hand is not None and where == "incomplete":
            return  # it contradicts itself: only a correction can help
        yield from _after_a_hand(session, match, hand, where)
    yield Prompt((SessionClosed(),))


def _after_a_hand(
    session: Session, match: MatchRecord, hand: HandRecord | None, where: str
) -> Iterator[Prompt]:
    if hand is not None and where == "complete" and not confirmed_by_all(session, hand):
        yield from match.game.prompts(hand.deal)
    if not match.over:
        yield Prompt(tuple(HandStarted(dealer) for dealer in _dealers(match, hand, where)))
    if hand is not None and where == "complete":
        signed = confirmed(session, hand)
        unsigned = [seat for seat in match.seats if seat not in signed]
        if unsigned:
            yield Prompt(tuple(HandConfirmed(seat) for seat in unsigned))
        if not hand.deal.claims:
            yield Prompt((ScoreClaimed(add_up(hand.deal.result.lines, match.sides)),))
    if not match.over:
        yield Prompt((MatchEnded(),))


def _dealers(match: MatchRecord, last: HandRecord | None, where: str) -> tuple[str, ...]:
    """Who may deal now: anybody the first hand, then the next in turn (G3)."""
    if last is None:
        return match.seats
    due = match.seats[(match.seats.index(last.dealer) + 1) % len(match.seats)]
    return (last.dealer, due) if where == "abandoned" else (due,)


# ------------------------------------------------------------------------------------ matches


def _matches(session: Session, last: MatchRecord | None) -> Iterator[Prompt]:
    """A match of any game that those who are there can play, the last one again first."""
    choices: list[Event] = []
    if last is not None:
        choices.append(
            MatchStarted(last.game.id, last.seats, dict(last.options), last.game.version)
        )
    for game in GAMES.values():
        choices += _matches_of(game, tuple(session.structure.players))
    if choices:
        yield Prompt(tuple(choices))


def _matches_of(game: Game, players: tuple[str, ...]) -> Iterator[MatchStarted]:
    for seats in sorted(game.seats, reverse=True):
        for seated in islice(combinations(players, seats), MOST_SEATINGS):
            yield MatchStarted(game.id, seated, None, game.version)

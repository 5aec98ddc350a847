"""Why everything is as it is: a tree from the totals down to events and clauses."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.language import language
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import COMMON
from scorekeeper.play.scoring import ScoreLine, add_up
from scorekeeper.report.narration import (
    NarratedEvent,
    NarratedPenalty,
    Story,
    narrate_hands,
    narrate_penalties,
)
from scorekeeper.report.reasons import DecidedTrick, explain_tricks
from scorekeeper.report.report import get_hand_status
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

PENALTIES: Final = "G7"  # the clause by which they count


def explain(session: Session, match: int | None = None, hand: int | None = None) -> dict[str, Any]:
    """The tree of all matches, of one, or of one hand; without ``match``, of the last match.

    The totals of a match are the sum of what its hands add and of its penalties; the scores of a
    hand are the sum of its lines; a line is proved by its events and tricks.

    Raises `UnusableError` if there is no such match or hand.
    """
    told = narrate_hands(session)
    matches = _matches(session, match, hand)
    return {"matches": [_match(session, one, told, hand) for one in matches]}


def _matches(session: Session, match: int | None, hand: int | None) -> list[MatchRecord]:
    matches = session.structure.matches
    if match is None and hand is None:
        return matches
    number = len(matches) if match is None else match
    if not 1 <= number <= len(matches):
        raise UnusableError(
            expected("the number of a match that was started", match), field="match"
        )
    found = matches[number - 1]
    if hand is not None and not 1 <= hand <= len(found.hands):
        raise UnusableError(expected("the number of a hand that was started", hand), field="hand")
    return [found]


def _match(
    session: Session, match: MatchRecord, told: Mapping[int, Story], only: int | None
) -> dict[str, Any]:
    standing = match.standing()
    fines = narrate_penalties(session, match)
    about = {
        "match": match.number,
        "game": match.game.id,
        "sides": {side: list(members) for side, members in match.sides.items()},
        "status": "finished" if match.over else "open",
        "totals": dict(standing.totals),
        "penalties": [_penalty(match, fine) for fine in fines.get(0, ())],
        "hands": [
            _hand(match, hand, told[hand.started.seq], fines.get(hand.number, ()))
            for hand in match.hands
            if only in (None, hand.number)
        ],
    }
    own = match.game.describe_match(standing)
    games = [_game(match, *one) for one in enumerate(own.get("games", ()), 1)]
    return {**about, **own, "games": games}


def _game(match: MatchRecord, number: int, game: Mapping[str, Any]) -> dict[str, Any]:
    """One of the games of a match: its hands, and what penalties are in its score."""
    hands = [one for one in match.hands if match.game.describe_hand(one.deal).get("game") == number]
    made = add_up((line for one in hands for line in _lines(match, one)), match.sides)
    fines = {side: points - made[side] for side, points in game["scores"].items()}
    return {**game, "hands": [one.number for one in hands], "penalties": fines}


def _penalty(match: MatchRecord, fine: NarratedPenalty) -> dict[str, Any]:
    return {
        "side": fine.side,
        "points": fine.points,
        "reason": fine.reason,
        "seq": fine.seq,
        "in_totals": match.counts_penalties,
        **_clause(match.game, PENALTIES),
    }


# ------------------------------------------------------------------------------------- hands


def _hand(
    match: MatchRecord, hand: HandRecord, story: Story, fines: Iterable[NarratedPenalty]
) -> dict[str, Any]:
    told = [_penalty(match, fine) for fine in fines]
    events = {one.seq: one for one in story.events}
    lines = _lines(match, hand)
    return {
        "hand": hand.number,
        "dealer": hand.dealer,
        "status": get_hand_status(match, hand),
        "scores": add_up(lines, match.sides),
        "adds": _adds(match, hand, told),
        "penalties": told,
        "lines": [_line(match, line, story) for line in lines],
        "tricks": [_trick(match, one, events.get) for one in explain_tricks(hand)],
    }


def _lines(match: MatchRecord, hand: HandRecord) -> tuple[ScoreLine, ...]:
    return hand.deal.result.lines if match.is_complete(hand) else ()


def _adds(
    match: MatchRecord, hand: HandRecord, fines: Iterable[Mapping[str, Any]]
) -> dict[str, int]:
    """What a hand adds to the totals of its match, beside the penalties given in it."""
    after, before = match.standing(hand.number).totals, match.standing(hand.number - 1).totals
    adds = {side: after[side] - before[side] for side in match.sides}
    for fine in fines:
        adds[fine["side"]] -= fine["points"] if fine["in_totals"] else 0
    return adds


def _line(match: MatchRecord, line: ScoreLine, story: Story) -> dict[str, Any]:
    beside, tricks = story.proof(line.events)
    return {
        "side": line.side,
        "points": line.points,
        "text": line.text.say(match.pack.show),
        **_clause(match.game, line.rule),
        "events": [report_event(one) for one in beside],
        "tricks": tricks,
    }


def _trick(
    match: MatchRecord, trick: DecidedTrick, event: Callable[[int], NarratedEvent | None]
) -> dict[str, Any]:
    return {
        "trick": trick.number,
        "winner": trick.winner,
        "by": trick.by,
        "why": trick.why,
        **_clause(match.game, trick.rule),
        "led": trick.laid[0].player if trick.laid else None,
        "suit": trick.suit,
        "trumps": list(trick.trumps),
        "cards": [
            {
                "seq": laid.seq,
                "player": laid.player,
                "card": laid.card.code,
                "did": laid.did,
                "beaten_by": laid.beaten_by and laid.beaten_by.code,
            }
            for laid in trick.laid
        ],
        "events": list(_events(map(event, trick.events))),
    }


def _events(events: Iterable[NarratedEvent | None]) -> Iterator[dict[str, Any]]:
    return (report_event(one) for one in events if one is not None)


def report_event(told: NarratedEvent) -> dict[str, Any]:
    """An event as it stands corrected: in words, by whom, and what a correction did to it."""
    return {
        "seq": told.seq,
        "type": told.type,
        "text": told.words,
        "by": told.by,
        "corrected": told.how or None,
    }


# ----------------------------------------------------------------------------------- clauses


def _clause(game: Game, clause: str | None) -> dict[str, str | None]:
    return {"rule": clause, "clause": find_clause_text(game, clause) if clause else None}


def find_clause_text(game: Game, clause_id: str) -> str:
    """The text of a clause of a game, or of those common to all; empty where there is none."""
    clauses = (*game.book.clauses, *COMMON)
    found = next((clause.text for clause in clauses if clause.id == clause_id), "")
    return language().say(found) if found else ""

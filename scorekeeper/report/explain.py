"""The explanation of every score: a tree from the totals down to events and clauses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.base.parts import ExactPoints
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import COMMON
from scorekeeper.play.scoring import ScoreLine, add_up
from scorekeeper.report import explain_views as views
from scorekeeper.report.narration import (
    NarratedEvent,
    NarratedPenalty,
    Story,
    narrate_hands,
    narrate_penalties,
)
from scorekeeper.report.reasons import DecidedTrick, LaidCard, explain_tricks
from scorekeeper.report.report import get_hand_status
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

PENALTIES: Final = "G7"  # the clause by which they count


def explain(
    session: Session, match: int | None = None, hand: int | None = None
) -> views.ExplanationView:
    """Return the scores of all matches, of one match, or of one hand as a tree with reasons.

    A hand without `match` is one of the last match. The totals of a match are the sum of what its
    hands add and of its penalties; the scores of a hand are the sum of its lines; a line is proved
    by its events and tricks. Raises `UnusableError` if there is no such match or hand.
    """
    story_by_hand = narrate_hands(session)
    matches = _select_matches(session, match, hand)
    return views.ExplanationView(
        [_explain_match(session, match_record, story_by_hand, hand) for match_record in matches]
    )


def _select_matches(session: Session, match: int | None, hand: int | None) -> list[MatchRecord]:
    """Return all matches, or the one to explain.

    Raises `UnusableError` if the match or hand does not exist.
    """
    matches = session.structure.matches
    if match is None and hand is None:
        return matches
    number = len(matches) if match is None else match
    if not 1 <= number <= len(matches):
        raise UnusableError(
            expected("the number of a match that was started", match), field="match"
        )
    match_record = matches[number - 1]
    if hand is not None and not 1 <= hand <= len(match_record.hands):
        raise UnusableError(expected("the number of a hand that was started", hand), field="hand")
    return [match_record]


def _explain_match(
    session: Session, match: MatchRecord, stories: Mapping[int, Story], only: int | None
) -> views.ExplainedMatchView:
    """Return the totals of a match with their hands, penalties and games.

    `only` is the number of the only hand to include.
    """
    standing = match.standing()
    fines = narrate_penalties(session, match)
    own = match.game.describe_match(standing)
    return views.ExplainedMatchView(
        match=match.number,
        game=match.game.id,
        sides=match.sides,
        status="finished" if match.over else "open",
        totals=standing.totals,
        penalties=[_explain_penalty(match, fine) for fine in fines.get(0, ())],
        hands=[
            _explain_hand(match, hand, stories[hand.started.seq], fines.get(hand.number, ()))
            for hand in match.hands
            if only in (None, hand.number)
        ],
        own=own,
        games=[_explain_game(match, *game) for game in enumerate(own.get("games", ()), 1)],
    )


def _explain_game(match: MatchRecord, number: int, game: JsonObject) -> views.ExplainedGameView:
    """Return one of the games of a match, with its hands and the penalties in its score."""
    hands = [
        hand for hand in match.hands if match.game.describe_hand(hand.deal).get("game") == number
    ]
    points_of_hands = add_up(
        (line for hand in hands for line in _score_lines(match, hand)), match.sides
    )
    fines = {side: points - points_of_hands[side] for side, points in game["scores"].items()}
    return views.ExplainedGameView(own=game, hands=[hand.number for hand in hands], penalties=fines)


def _explain_penalty(match: MatchRecord, fine: NarratedPenalty) -> views.PenaltyView:
    """Return a penalty for the tree, with its clause."""
    return views.PenaltyView(
        side=fine.side,
        points=fine.points,
        reason=fine.reason,
        seq=fine.seq,
        in_totals=match.counts_penalties,
        rule=PENALTIES,
        clause=find_clause_text(match.game, PENALTIES),
    )


# ------------------------------------------------------------------------------------- hands


def _explain_hand(
    match: MatchRecord, hand: HandRecord, story: Story, fines: Iterable[NarratedPenalty]
) -> views.ExplainedHandView:
    """Return a hand for the tree: its scores, penalties, lines and tricks."""
    penalties = [_explain_penalty(match, fine) for fine in fines]
    events = {event.seq: event for event in story.events}
    lines = _score_lines(match, hand)
    return views.ExplainedHandView(
        hand=hand.number,
        dealer=hand.dealer,
        status=get_hand_status(match, hand),
        scores=add_up(lines, match.sides),
        adds=_added_to_totals(match, hand, penalties),
        penalties=penalties,
        lines=[_explain_line(match, line, story) for line in lines],
        tricks=[_explain_trick(match, trick, events.get) for trick in explain_tricks(hand)],
    )


def _score_lines(match: MatchRecord, hand: HandRecord) -> tuple[ScoreLine, ...]:
    """Return the score lines of a hand; empty if it is not complete."""
    return hand.deal.result.lines if match.is_complete(hand) else ()


def _added_to_totals(
    match: MatchRecord, hand: HandRecord, fines: Iterable[views.PenaltyView]
) -> dict[str, ExactPoints]:
    """Return what a hand adds to the totals of its match, without the penalties given in it."""
    after, before = match.standing(hand.number).totals, match.standing(hand.number - 1).totals
    adds = {side: after[side] - before[side] for side in match.sides}
    for fine in fines:
        adds[fine.side] -= fine.points if fine.in_totals else 0
    return adds


def _explain_line(match: MatchRecord, line: ScoreLine, story: Story) -> views.ExplainedLineView:
    """Return a score line for the tree, with its clause and the events and tricks that prove it."""
    beside, tricks = story.proof(line.events)
    return views.ExplainedLineView(
        side=line.side,
        points=line.points,
        text=line.text.say(match.pack.show),
        rule=line.rule,
        clause=find_clause_text(match.game, line.rule),
        events=[explain_event(event) for event in beside],
        tricks=tricks,
    )


def _explain_trick(
    match: MatchRecord, trick: DecidedTrick, event: Callable[[int], NarratedEvent | None]
) -> views.TrickView:
    """Return a trick for the tree, with its cards and why its winner won it.

    `event` returns the narrated event of a seq.
    """
    return views.TrickView(
        trick=trick.number,
        winner=trick.winner,
        by=trick.by,
        why=trick.why,
        rule=trick.rule,
        clause=find_clause_text(match.game, trick.rule) if trick.rule else None,
        led=trick.laid[0].player if trick.laid else None,
        suit=trick.suit,
        trumps=trick.trumps,
        cards=[_explain_card(laid) for laid in trick.laid],
        events=[explain_event(known) for known in map(event, trick.events) if known is not None],
    )


def _explain_card(laid: LaidCard) -> views.TrickCardView:
    """Return a card of a trick for the tree."""
    beaten_by = None if laid.beaten_by is None else laid.beaten_by.code
    return views.TrickCardView(laid.seq, laid.player, laid.card.code, laid.did, beaten_by)


def explain_event(event: NarratedEvent) -> views.ExplainedEventView:
    """Return an event as corrected: its words, its author, and how a correction changed it."""
    return views.ExplainedEventView(event.seq, event.type, event.words, event.by, event.how or None)


# ----------------------------------------------------------------------------------- clauses


def find_clause_text(game: Game, clause_id: str) -> str:
    """Return the text of a clause of a game or of the common ones; empty if there is none."""
    clauses = (*game.book.clauses, *COMMON)
    text = next((clause.text for clause in clauses if clause.id == clause_id), "")
    return language().say(text) if text else ""

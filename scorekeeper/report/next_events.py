"""The events that can be recorded next: the game's own prompts, and those between hands.

Notes, penalties, corrections and disputes can also be recorded, but their contents cannot be
prompted.
"""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from scorekeeper.base.cached import cached_property
from scorekeeper.events.common import (
    HandAbandoned,
    HandStarted,
    MatchEnded,
    MatchStarted,
    SessionClosed,
    claim_scores,
)
from scorekeeper.events.corrections import EventStruck
from scorekeeper.events.disputes import HandConfirmed, HandDisputed
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardsShown, RestClaimed
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.play.scoring import add_up
from scorekeeper.report.report import get_hand_status, is_confirmed_by_all, list_confirmed
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

MAX_SEATINGS: Final = 10  # of a game, if more players are present than can play
MISDEAL: Final = "misdeal"
SIDE_EVENTS: Final = (RestClaimed, CardsShown)  # belong to a level, but do not continue a hand
AWAITING: Final = "awaiting"  # a hand whose end nobody else has accepted
TAKEN_BACK: Final = "taken back"
WRONG_END: Final = "the hand did not end so"
STATE_AFTER_HAND: Final = {
    "": "first", "open": "open", "complete": "next", "abandoned": "again", "incomplete": "wrong",
    AWAITING: AWAITING,
}  # fmt: skip


class NextEvents:
    """The events that can be recorded next in a session, by the hand or match that they belong to.

    ``state`` is that of the table: none, first, open, next, again, wrong, awaiting, over or closed.
    Prompts are computed when asked for, for one ``level`` or for all.
    """

    def __init__(self, session: Session) -> None:
        record = session.structure
        self.session = session
        self.match = record.matches[-1] if record.matches else None
        self.hand = self.match.hands[-1] if self.match and self.match.hands else None
        self.awaited = self.hand.awaited if self.hand else None
        self.hand_state = self._get_hand_state()
        self.state = self._get_state()

    def _get_hand_state(self) -> str:
        """Return the state of the last hand; an abandoned one is that even before it is accepted.

        Whether the hand will be complete when accepted may depend on face-down cards.
        """
        if self.hand is None:
            return ""
        state = get_hand_status(self.hand.match, self.hand)
        if self.awaited is None:
            return state
        return "abandoned" if self.hand.deal.result.abandoned else AWAITING

    def _get_state(self) -> str:
        """Return the state of the table; its values are listed in the class."""
        if self.session.structure.closed is not None:
            return "closed"
        if self.match is None or self.match.over:
            return "none" if self.match is None else "over"
        return STATE_AFTER_HAND[self.hand_state]

    @property
    def dealer_due(self) -> str | None:
        """The player whose turn it is to deal the next hand; None if anybody may."""
        return self.dealers[-1] if self.hand else None

    @property
    def dealers(self) -> tuple[str, ...]:
        """The players who may deal the next hand of the match."""
        return self.match.list_allowed_dealers(self.hand) if self.match else ()

    @cached_property
    def next_deal(self) -> Deal | None:
        """The deal of the hand after a complete one, without any entries."""
        if self.match is None or self.dealer_due is None or self.state != "next":
            return None
        table = self.match.seating_of(self.dealer_due).table
        deal = self.match.game.start(table)
        deal.standing = self.match.standing()
        self.match.game.evaluate(deal)
        return deal

    def prompt_hand(self, level: Level | None = None) -> tuple[Prompt, ...]:
        """Return the game's prompts for the current hand, until that is complete."""
        hand = self.hand
        if hand is None or self.hand_state in ("complete", AWAITING):
            return ()
        return hand.game.prompted(hand.deal, level)

    def prompt_level(self, level: Level) -> tuple[Prompt, ...]:
        """Return the game's prompts for the current hand, or after a complete one for the next.

        They are those of a level, or of all levels if the hand goes on at another one. At the level
        of totals it goes on with any question of the totals form.
        """
        deal = self.next_deal or (self.hand.deal if self.hand else None)
        if deal is None or self.match is None:
            return ()
        game = self.match.game
        prompts = game.prompted(deal, level)
        in_form = {declared for ask in game.questions(deal) for declared in ask.events}
        if any(
            (level == "totals" and type(prompt.choices[0]) in in_form)
            or (type(prompt.choices[0]) not in SIDE_EVENTS and prompt.levels != LEVELS)
            for prompt in prompts
        ):
            return prompts
        return self.match.game.prompted(deal)

    def prompt_late(self, level: Level | None = None) -> tuple[Prompt, ...]:
        """Return the game's prompts for a complete hand, until every side has confirmed it."""
        hand = self.hand
        if hand is None or self.hand_state != "complete" or is_confirmed_by_all(self.session, hand):
            return ()
        return hand.game.prompted(hand.deal, level)

    def prompt_claim(self) -> Iterator[Prompt]:
        """Yield a prompt for the score of a complete hand on paper, if nobody recorded it yet."""
        hand = self.hand
        if hand is not None and self.hand_state == "complete" and not hand.deal.claims:
            scores = add_up(hand.deal.result.lines, hand.match.sides)
            yield Prompt((claim_scores(scores, hand.game.parts),))

    def prompt_signatures(self) -> Iterator[Prompt]:
        """Yield a prompt for the seats that can still confirm a complete hand."""
        hand = self.hand
        if hand is not None and self.hand_state == "complete":
            signed = list_confirmed(self.session, hand)
            unsigned = [seat for seat in hand.match.seats if seat not in signed]
            if unsigned:
                yield Prompt(tuple(HandConfirmed(seat) for seat in unsigned))

    def prompt_answers(self) -> Iterator[Prompt]:
        """Yield the prompts for an end that awaits acceptance: accept, take back, or dispute it."""
        hand = self.hand
        if hand is None or self.awaited is None:
            return
        seats, place = hand.match.seats, (hand.match.number, hand.number)
        if self.hand_state == AWAITING:
            yield Prompt(tuple(HandConfirmed(seat) for seat in seats))
        yield Prompt((EventStruck(self.awaited.seq, TAKEN_BACK),))
        yield Prompt(tuple(HandDisputed(seat, WRONG_END, *place) for seat in seats))

    def prompt_end(self) -> Iterator[Prompt]:
        """Yield a prompt for the end of a match that is not over."""
        if self.match is not None and not self.match.over:
            yield Prompt((MatchEnded(),))

    def prompt_matches(self) -> Iterator[Prompt]:
        """Yield a prompt for a match of any game for the present players; a rematch comes first."""
        choices: list[Event] = []
        if self.match is not None:
            last = self.match
            choices.append(
                MatchStarted(
                    last.game.id,
                    last.seats,
                    last.game.book.reported(last.options),
                    last.game.version,
                    last.stake,
                )
            )
        for game in GAMES.values():
            choices += _propose_matches(game, tuple(self.session.structure.players))
        if choices:
            yield Prompt(tuple(choices))


def list_prompts(session: Session, level: Level | None = None) -> list[Prompt]:
    """Return prompts for everything that can be recorded next, the likeliest first.

    With ``level`` only what belongs to that level of detail; without it the prompts of the level of
    the current hand, or of the last one, come before the others.
    """
    record = session.structure
    if record.closed is not None or record.opened is None:
        return []
    prompts = list(_prompt_session(NextEvents(session), level))
    if level is not None:
        return prompts
    usual = _usual_level(session)
    return sorted(prompts, key=lambda prompt: usual is not None and usual not in prompt.levels)


def prompt_misdeal(deal: Deal | None) -> Prompt:
    """Return the prompt for a misdeal, with its kind if that matters at the table."""
    tells = deal is not None and deal.abandonment_kind_matters
    return Prompt((HandAbandoned(MISDEAL, kind="misdeal" if tells else None),))


def _usual_level(session: Session) -> str | None:
    """Return the level of detail of the last recorded hand; None if mixed or without hands."""
    match = session.structure.matches[-1] if session.structure.matches else None
    levels = [
        hand.deal.level
        for hand in (match.hands[-2:] if match else ())
        if hand.deal.result.complete or len(hand.deal.tricks.numbered) > 0
    ]
    return levels[-1] if levels and levels[-1] != "mixed" else None


def _prompt_session(coming: NextEvents, level: Level | None) -> Iterator[Prompt]:
    """Yield the prompts of a session that is open, in the order in which a table needs them."""
    match = coming.match
    if match is None or match.over:
        yield from coming.prompt_matches()
    if match is not None and match.ended is None:
        yield from _prompt_match(coming, match, level)
        yield from coming.prompt_answers()
        if coming.hand_state in ("open", "incomplete", AWAITING):
            return
    yield Prompt((SessionClosed(),))


def _prompt_match(coming: NextEvents, match: MatchRecord, level: Level | None) -> Iterator[Prompt]:
    """Yield the prompts of an open match; none if only a correction can help."""
    if coming.hand_state == "open":
        yield from coming.prompt_hand(level)
        yield prompt_misdeal(coming.hand.deal if coming.hand else None)
    elif coming.hand_state not in ("incomplete", AWAITING):
        yield from coming.prompt_late(level)
        if not match.over:
            yield Prompt(tuple(HandStarted(dealer) for dealer in coming.dealers))
        yield from coming.prompt_signatures()
        yield from coming.prompt_claim()
        yield from coming.prompt_end()


def _propose_matches(game: Game, players: tuple[str, ...]) -> Iterator[MatchStarted]:
    """Yield the matches of a game that the present players can start, the largest ones first."""
    for seats in sorted(game.seats, reverse=True):
        for seated in islice(combinations(players, seats), MAX_SEATINGS):
            yield MatchStarted(game.id, seated, None, game.version)

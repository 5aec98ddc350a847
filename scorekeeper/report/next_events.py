"""What can be recorded next in a session: the game's own prompts, and what leads from hand to hand.

Notes, penalties, corrections and disputes can be recorded too; what they say nobody can prompt.
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
    ScoreClaimed,
    SessionClosed,
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

MAX_SEATINGS: Final = 10  # of a game, where more are there than can play
MISDEAL: Final = "misdeal"
SIDE_EVENTS: Final = (RestClaimed, CardsShown)  # said at a level, and not how a hand goes on
AWAITING: Final = "awaiting"  # a hand whose end nobody else has accepted
TAKEN_BACK: Final = "taken back"
WRONG_END: Final = "the hand did not end so"
STATE_AFTER_HAND: Final = {
    "": "first", "open": "open", "complete": "next", "abandoned": "again", "incomplete": "wrong",
    AWAITING: AWAITING,
}  # fmt: skip


class NextEvents:
    """What can be recorded next, by what it belongs to: the hand at hand, or the next, or a match.

    ``state`` is how the table stands: none, first, open, next, again, wrong, awaiting, over or
    closed.
    Whatever is asked for is worked out once; of a hand, for one ``level`` or for all.
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
        """How the hand at hand stands; an abandoned one as such, also where that awaits acceptance.

        Whether it will be complete once it is accepted may depend on what lies face down.
        """
        if self.hand is None:
            return ""
        stands = get_hand_status(self.hand.match, self.hand)
        if self.awaited is None:
            return stands
        return "abandoned" if self.hand.deal.result.abandoned else AWAITING

    def _get_state(self) -> str:
        if self.session.structure.closed is not None:
            return "closed"
        if self.match is None or self.match.over:
            return "none" if self.match is None else "over"
        return STATE_AFTER_HAND[self.hand_state]

    @property
    def dealer_due(self) -> str | None:
        """Who deals the next hand; None where anybody may."""
        return self.dealers[-1] if self.hand else None

    @property
    def dealers(self) -> tuple[str, ...]:
        """Who may deal the next hand of the match."""
        return self.match.list_allowed_dealers(self.hand) if self.match else ()

    @cached_property
    def next_deal(self) -> Deal | None:
        """The deal of the hand after a complete one, with nothing on record."""
        if self.match is None or self.dealer_due is None or self.state != "next":
            return None
        table = self.match.seating_of(self.dealer_due).table
        deal = self.match.game.start(table)
        deal.standing = self.match.standing()
        self.match.game.evaluate(deal)
        return deal

    def prompt_hand(self, level: Level | None = None) -> tuple[Prompt, ...]:
        """What the game says of the hand at hand, until that is complete."""
        hand = self.hand
        if hand is None or self.hand_state in ("complete", AWAITING):
            return ()
        return hand.game.prompted(hand.deal, level)

    def prompt_level(self, level: Level) -> tuple[Prompt, ...]:
        """What the game says of the hand at hand, or after a complete one of the next.

        That is what is recorded at a level; at all of them, where the hand goes on at another.
        """
        deal = self.next_deal or (self.hand.deal if self.hand else None)
        if deal is None or self.match is None:
            return ()
        found = self.match.game.prompted(deal, level)
        if any(type(one.choices[0]) not in SIDE_EVENTS and one.levels != LEVELS for one in found):
            return found
        return self.match.game.prompted(deal)

    def prompt_late(self, level: Level | None = None) -> tuple[Prompt, ...]:
        """What the game says of a complete hand, until every side has confirmed it."""
        hand = self.hand
        if hand is None or self.hand_state != "complete" or is_confirmed_by_all(self.session, hand):
            return ()
        return hand.game.prompted(hand.deal, level)

    def prompt_claim(self) -> Iterator[Prompt]:
        """What was said to be the score of a complete hand, where nobody said so yet."""
        hand = self.hand
        if hand is not None and self.hand_state == "complete" and not hand.deal.claims:
            yield Prompt((ScoreClaimed(add_up(hand.deal.result.lines, hand.match.sides)),))

    def prompt_signatures(self) -> Iterator[Prompt]:
        """Who can still sign a complete hand."""
        hand = self.hand
        if hand is not None and self.hand_state == "complete":
            signed = list_confirmed(self.session, hand)
            unsigned = [seat for seat in hand.match.seats if seat not in signed]
            if unsigned:
                yield Prompt(tuple(HandConfirmed(seat) for seat in unsigned))

    def prompt_answers(self) -> Iterator[Prompt]:
        """What can be said to the end of a hand that awaits acceptance."""
        hand = self.hand
        if hand is None or self.awaited is None:
            return
        seats, place = hand.match.seats, (hand.match.number, hand.number)
        if self.hand_state == AWAITING:
            yield Prompt(tuple(HandConfirmed(seat) for seat in seats))
        yield Prompt((EventStruck(self.awaited.seq, TAKEN_BACK),))
        yield Prompt(tuple(HandDisputed(seat, WRONG_END, *place) for seat in seats))

    def prompt_end(self) -> Iterator[Prompt]:
        """The end of a match that is not over."""
        if self.match is not None and not self.match.over:
            yield Prompt((MatchEnded(),))

    def prompt_matches(self) -> Iterator[Prompt]:
        """A match of any game that those who are there can play, the last one again first."""
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
            choices += _matches_of(game, tuple(self.session.structure.players))
        if choices:
            yield Prompt(tuple(choices))


def list_prompts(session: Session, level: Level | None = None) -> list[Prompt]:
    """What can be recorded next, the likeliest first.

    With ``level`` only what belongs to that level of detail; else everything, what belongs to
    the level of the hand at hand, or of the last one, before the rest.
    """
    record = session.structure
    if record.closed is not None or record.opened is None:
        return []
    prompts = list(_of_session(NextEvents(session), level))
    if level is not None:
        return prompts
    usual = _usual_level(session)
    return sorted(prompts, key=lambda prompt: usual is not None and usual not in prompt.levels)


def prompt_misdeal(deal: Deal | None) -> Prompt:
    """A misdeal, and that it is one, where that matters at the table."""
    tells = deal is not None and deal.abandonment_kind_matters
    return Prompt((HandAbandoned(MISDEAL, kind="misdeal" if tells else None),))


def _usual_level(session: Session) -> str | None:
    match = session.structure.matches[-1] if session.structure.matches else None
    levels = [
        hand.deal.level
        for hand in (match.hands[-2:] if match else ())
        if hand.deal.result.complete or len(hand.deal.tricks.numbered) > 0
    ]
    return levels[-1] if levels and levels[-1] != "mixed" else None


def _of_session(coming: NextEvents, level: Level | None) -> Iterator[Prompt]:
    match = coming.match
    if match is None or match.over:
        yield from coming.prompt_matches()
    if match is not None and match.ended is None:
        yield from _of_match(coming, match, level)
        yield from coming.prompt_answers()
        if coming.hand_state in ("open", "incomplete", AWAITING):
            return
    yield Prompt((SessionClosed(),))


def _of_match(coming: NextEvents, match: MatchRecord, level: Level | None) -> Iterator[Prompt]:
    """What an open match goes on with; nothing where only a correction can help."""
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


def _matches_of(game: Game, players: tuple[str, ...]) -> Iterator[MatchStarted]:
    for seats in sorted(game.seats, reverse=True):
        for seated in islice(combinations(players, seats), MAX_SEATINGS):
            yield MatchStarted(game.id, seated, None, game.version)

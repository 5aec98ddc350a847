"""What the simulated games share: a hand and its records, tricks, a match, an evening."""

import importlib
import io
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.base.errors import UnusableError
from scorekeeper.report.report import build_report
from scorekeeper.session.session import Session
from tests.samples import SAMPLES

Event = dict[str, Any]
Scores = dict[str, int]

GAMES = tuple(SAMPLES)
NAMES = {
    "mara": "Mara",
    "leo": "Leo",
    "nina": "Nina",
    "ugo-2": "Ugo di là",
    "b_4": "Beppe",
    "0zoe": "Zoë",
    "ada": "Ada",
    "9": "Nove",
}
MISDEALS = 0.04


def event(kind: str, /, **data: Any) -> Event:
    """One event as a person would write it by hand."""
    return {"type": kind, "data": data}


def seeded(seed: int) -> random.Random:
    """The dice of one example."""
    return random.Random(seed)  # noqa: S311


def chance(rng: random.Random, probability: float) -> bool:
    """True that often."""
    return rng.random() < probability


def some(rng: random.Random, options: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """A value for most of the options, the others left to their defaults."""
    return {name: rng.choice(values) for name, values in options.items() if chance(rng, 0.7)}


def turn(players: Sequence[str], first: str) -> list[str]:
    """The players in order of play, beginning with ``first``."""
    at = players.index(first)
    return [*players[at:], *players[:at]]


def fewer(rng: random.Random, parts: Scores) -> Scores:
    """The same count, now and then without one side, which has the rest."""
    left_out = rng.choice([*parts, *[None] * 3])
    return {side: n for side, n in parts.items() if side != left_out}


@dataclass
class PlayedHand:
    """One hand as it truly went, with honest records of it.

    ``expected`` has for each record what the report must say of the hand; what the rules
    leave open at that level of detail is not in it.
    """

    dealer: str
    scores: Scores
    taken: Scores | None = None
    winner: str | None = None
    abandoned: bool = False
    records: dict[str, list[Event]] = field(default_factory=dict)
    expected: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(
        self, name: str, events: Iterable[Event], unsaid: Iterable[str] = (), **said: Any
    ) -> None:
        """Add a record, of which the report must say the truth except as ``said``."""
        truth = {
            "dealer": self.dealer,
            "status": "abandoned" if self.abandoned else "complete",
            "scores": self.scores,
            "taken": self.taken,
            "winner": self.winner,
        } | said
        self.expected[name] = {key: truth[key] for key in truth if key not in unsaid}
        self.records[name] = [event("hand_started", dealer=self.dealer), *events]

    @property
    def exact(self) -> dict[str, bool]:
        """Of each record, whether it decides as much as the cards."""
        truth = {"scores": self.scores, "winner": self.winner}
        return {name: truth.items() <= said.items() for name, said in self.expected.items()}

    def claims(self, rng: random.Random) -> list[Event]:
        """What the table wrote down for the hand, whole or in part, or nothing."""
        if not chance(rng, 0.3):
            return []
        sides = rng.sample(list(self.scores), rng.randint(1, len(self.scores)))
        return [event("score_claimed", scores={side: self.scores[side] for side in sides})]


class Match(ABC):
    """A match as it truly goes; with the end of most games, by target or number of hands."""

    defaults: Mapping[str, Any] = {}
    penalties: Sequence[int] = (-10, -5, -1, 1, 3, 20)

    def __init__(
        self, rng: random.Random, seats: tuple[str, ...], options: Mapping[str, Any]
    ) -> None:
        self.rng = rng
        self.seats = seats
        self.options = {**self.defaults, **options}
        self.totals: Scores = dict.fromkeys(self.sides().values(), 0)
        self.over = False
        self.winners: list[str] = []
        self.hands = 0
        self._dealer = rng.randrange(len(seats))

    def sides(self) -> dict[str, str]:
        """The side of each player."""
        return {player: player for player in self.seats}

    @abstractmethod
    def hand(self, dealer: str) -> PlayedHand:
        """Deal and play one hand."""

    @property
    def takes_penalties(self) -> bool:
        return not self.over

    def penalise(self, side: str, points: int) -> None:
        self.totals[side] += points

    def play_hand(self) -> PlayedHand:
        assert not self.over
        dealer = self.seats[self._dealer]
        hand = self.misdeal(dealer) if chance(self.rng, MISDEALS) else self.hand(dealer)
        step = self.rng.randrange(2) if hand.abandoned else 1
        self._dealer = (self._dealer + step) % len(self.seats)
        if not hand.abandoned:
            self.hands += 1
            self.settle(hand)
        return hand

    def nothing(self, dealer: str) -> PlayedHand:
        """A hand that comes to nothing."""
        return PlayedHand(dealer, dict.fromkeys(self.totals, 0), abandoned=True)

    def misdeal(self, dealer: str) -> PlayedHand:
        hand = self.nothing(dealer)
        for level in ("totals", "tricks", "cards"):
            hand.add(level, [event("hand_abandoned", reason="a card was turned up")])
        return hand

    def leaders(self) -> list[str]:
        best = max(self.totals.values())
        return [side for side, total in self.totals.items() if total == best]

    def settle(self, hand: PlayedHand) -> None:
        for side, points in hand.scores.items():
            self.totals[side] += points
        end = self.options["match_end"]
        if end != "open":
            self.finish(target=end.get("target"), hands=end.get("hands"))

    def finish(self, target: int | None = None, hands: int | None = None) -> None:
        """End the match if it has come to its end."""
        leaders = self.leaders()
        if target is not None:
            self.over = self.totals[leaders[0]] >= target and len(leaders) == 1
        if hands is not None:
            self.over = self.hands >= hands
        self.winners = leaders if self.over else []


@dataclass
class Evening:
    """A session of one match: its log, and what is true of it."""

    events: list[Event]
    match: Match
    hands: list[tuple[str, PlayedHand]] = field(default_factory=list)  # level and hand
    ends: list[tuple[int, Scores]] = field(default_factory=list)  # events, and totals by then
    totals: Scores = field(default_factory=dict)
    over: bool = False
    winners: list[str] = field(default_factory=list)


def new_match(rng: random.Random, game: str) -> tuple[list[Event], Match]:
    """A match of that game with random seats and options, and the events that open it."""
    module = importlib.import_module(f"tests.players.{game}")
    seats = tuple(rng.sample(list(NAMES), rng.choice(module.SEATS)))
    options = module.random_options(rng, len(seats))
    there = [name for name in NAMES if name in seats or chance(rng, 0.2)]
    players = [{"id": one, "name": NAMES[one]} for one in there]
    opening = [
        event("session_opened", title="Friday", players=players),
        event("match_started", game=game, seats=list(seats), options=options),
    ]
    return opening, module.Match(rng, seats, options)


def evening(rng: random.Random, game: str, level: str | None, hands: int) -> Evening:
    """An evening of at most that many hands, at one level of detail or at changing ones.

    Where a hand at that level does not decide what the cards do, it is recorded by the cards; in a
    game that is not recorded by its cards, by what is.
    """
    events, match = new_match(rng, game)
    told = Evening(events, match)
    while not match.over and len(told.hands) < hands:
        fine = penalty(rng, match) if chance(rng, 0.1) else []
        hand = match.play_hand()
        names = [name for name, exact in hand.exact.items() if exact]
        finest = "cards" if "cards" in names else names[0]
        name = level if level in names else finest if level else rng.choice(names)
        record = hand.records[name]
        at = rng.randrange(2) if told.hands else 1
        events += [*record[:at], *fine, *record[at:]]
        told.hands.append((name, hand))
        told.ends.append((len(events), dict(match.totals)))
        events += small_talk(rng, match, hand)
    told.totals, told.over, told.winners = match.totals, match.over, match.winners
    if chance(rng, 0.4):
        events.append(
            event(
                rng.choice(
                    ["session_closed", "match_ended"] if not match.over else ["session_closed"]
                )
            )
        )
        told.over, told.winners = True, match.winners or match.leaders()
    return told


def penalty(rng: random.Random, match: Match) -> list[Event]:
    """A penalty, or a present, if the game knows them."""
    if not match.takes_penalties:
        return []
    side, points = rng.choice(list(match.totals)), rng.choice(match.penalties)
    match.penalise(side, points)
    return [event("penalty_given", side=side, points=points, reason="played with open cards")]


def small_talk(rng: random.Random, match: Match, hand: PlayedHand) -> list[Event]:
    """What is recorded between two hands and changes nothing."""
    talk = [event("note_added", text="Coffee.")] if chance(rng, 0.2) else []
    if not hand.abandoned and chance(rng, 0.3):
        player = rng.choice(match.seats)
        talk.append(event("hand_confirmed", player=player))
    if not hand.abandoned and chance(rng, 0.1):
        player = rng.choice(match.seats)
        talk.append(event("hand_disputed", player=player, reason="I had one more"))
        talk.append(event("dispute_settled", ruling="upheld", text="Counted again"))
    return talk


def log_of(events: Iterable[Event]) -> str:
    """The log as a person would write it."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in events)


def report_of(events: Iterable[Event]) -> dict[str, Any]:
    """The report of a log by the code under test: the one place that knows it."""
    return build_report(Session.read(io.BytesIO(log_of(events).encode())))


def refused(events: Iterable[Event]) -> bool:
    """Whether the code under test cannot use that log."""
    try:
        report_of(events)
    except UnusableError:
        return True
    return False

"""Shared parts of the simulated games: hands and their records, matches, evenings."""

import importlib
import io
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.base.errors import UnusableError
from scorekeeper.session.session import Session
from tests.evenings import build_report
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
    """Return an event in the form that a person writes."""
    return {"type": kind, "data": data}


def seeded(seed: int) -> random.Random:
    """Return the random generator of one example."""
    return random.Random(seed)  # noqa: S311


def chance(rng: random.Random, probability: float) -> bool:
    """Return True with this probability."""
    return rng.random() < probability


def some(rng: random.Random, options: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return values for most options; the others keep their defaults."""
    return {name: rng.choice(values) for name, values in options.items() if chance(rng, 0.7)}


def turn(players: Sequence[str], first: str) -> list[str]:
    """Return the players in order of play, beginning with ``first``."""
    at = players.index(first)
    return [*players[at:], *players[:at]]


def fewer(rng: random.Random, parts: Scores) -> Scores:
    """Return the count, sometimes without one side, which has the remaining points."""
    left_out = rng.choice([*parts, *[None] * 3])
    return {side: n for side, n in parts.items() if side != left_out}


@dataclass
class PlayedHand:
    """One hand as played, with honest records of it.

    ``expected`` has the report of the hand for each record, without values that the rules leave
    open at that level of detail.
    """

    dealer: str
    scores: Scores
    taken: Scores | None = None
    winner: str | None = None
    abandoned: bool = False
    records: dict[str, list[Event]] = field(default_factory=dict)
    expected: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(
        self, name: str, events: Iterable[Event], undecided: Iterable[str] = (), **changed: Any
    ) -> None:
        """Add a record; its report is true except for ``changed`` and ``undecided`` values."""
        truth = {
            "dealer": self.dealer,
            "status": "abandoned" if self.abandoned else "complete",
            "scores": self.scores,
            "taken": self.taken,
            "winner": self.winner,
        } | changed
        self.expected[name] = {key: truth[key] for key in truth if key not in undecided}
        self.records[name] = [event("hand_started", dealer=self.dealer), *events]

    @property
    def exact(self) -> dict[str, bool]:
        """For each record, whether it decides as much as a record of the cards."""
        truth = {"scores": self.scores, "winner": self.winner}
        return {name: truth.items() <= report.items() for name, report in self.expected.items()}

    def claims(self, rng: random.Random) -> list[Event]:
        """Return all, some or none of the claims that a table writes down for the hand."""
        if not chance(rng, 0.3):
            return []
        sides = rng.sample(list(self.scores), rng.randint(1, len(self.scores)))
        return [event("score_claimed", scores={side: self.scores[side] for side in sides})]


class Match(ABC):
    """A match as played, which ends by a target or a number of hands in most games."""

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
        """Return the side of each player."""
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
        """Return a hand that is abandoned."""
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
        """End the match if the target or the number of hands is reached."""
        leaders = self.leaders()
        if target is not None:
            self.over = self.totals[leaders[0]] >= target and len(leaders) == 1
        if hands is not None:
            self.over = self.hands >= hands
        self.winners = leaders if self.over else []


@dataclass
class Evening:
    """A session of one match: its log and its true results."""

    events: list[Event]
    match: Match
    hands: list[tuple[str, PlayedHand]] = field(default_factory=list)  # level and hand
    ends: list[tuple[int, Scores]] = field(
        default_factory=list
    )  # number of events, totals at that point
    totals: Scores = field(default_factory=dict)
    over: bool = False
    winners: list[str] = field(default_factory=list)


def new_match(rng: random.Random, game: str) -> tuple[list[Event], Match]:
    """Return the opening events and a match of the game with random seats and options."""
    module = importlib.import_module(f"tests.players.{game}")
    seats = tuple(rng.sample(list(NAMES), rng.choice(module.SEATS)))
    options = module.random_options(rng, len(seats))
    ids = [name for name in NAMES if name in seats or chance(rng, 0.2)]
    players = [{"id": player, "name": NAMES[player]} for player in ids]
    opening = [
        event("session_opened", title="Friday", players=players),
        event("match_started", game=game, seats=list(seats), options=options),
    ]
    return opening, module.Match(rng, seats, options)


def evening(rng: random.Random, game: str, level: str | None, hands: int) -> Evening:
    """Return an evening of at most ``hands`` hands, at one level of detail or at changing ones.

    A hand whose record at that level decides less than the cards is recorded by its cards, or by
    the finest level that the game has.
    """
    events, match = new_match(rng, game)
    played = Evening(events, match)
    while not match.over and len(played.hands) < hands:
        fine = penalty(rng, match) if chance(rng, 0.1) else []
        hand = match.play_hand()
        names = [name for name, exact in hand.exact.items() if exact]
        finest = "cards" if "cards" in names else names[0]
        name = level if level in names else finest if level else rng.choice(names)
        record = hand.records[name]
        at = rng.randrange(2) if played.hands else 1
        events += [*record[:at], *fine, *record[at:]]
        played.hands.append((name, hand))
        played.ends.append((len(events), dict(match.totals)))
        events += small_talk(rng, match, hand)
    played.totals, played.over, played.winners = match.totals, match.over, match.winners
    if chance(rng, 0.4):
        events.append(
            event(
                rng.choice(
                    ["session_closed", "match_ended"] if not match.over else ["session_closed"]
                )
            )
        )
        played.over, played.winners = True, match.winners or match.leaders()
    return played


def penalty(rng: random.Random, match: Match) -> list[Event]:
    """Return a penalty, or a bonus, if the game has them."""
    if not match.takes_penalties:
        return []
    side, points = rng.choice(list(match.totals)), rng.choice(match.penalties)
    match.penalise(side, points)
    return [event("penalty_given", side=side, points=points, reason="played with open cards")]


def small_talk(rng: random.Random, match: Match, hand: PlayedHand) -> list[Event]:
    """Return events between two hands that change no score."""
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
    """Return the log in the form that a person writes."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in events)


def report_of(events: Iterable[Event]) -> dict[str, Any]:
    """Return the report of a log by the code under test, which no other function calls."""
    return build_report(Session.read(io.BytesIO(log_of(events).encode())))


def refused(events: Iterable[Event]) -> bool:
    """Return whether the code under test refuses the log."""
    try:
        report_of(events)
    except UnusableError:
        return True
    return False

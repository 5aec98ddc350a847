"""What the simulated games share: a hand and its records, tricks, a match, an evening."""

import importlib
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]
Scores = dict[str, int]
Moment = tuple[int, int]  # trick, and how many of its cards lie on the table

GAMES = (
    "riparto",
    "briscola_regina",
    "picchetto",
    "knock",
    "briscola_chiamata",
    "briscola_col_monte",
)
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
# What happens in passing, and scores nothing: it may be left out of any record.
IN_PASSING = {"cards_shown", "signal_made", "pique_called", "partner_revealed"}


def event(kind: str, **data: Any) -> Event:
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


@dataclass
class Trick:
    """The cards of one trick in the order in which they fell, and who took it."""

    plays: list[tuple[str, str]]
    winner: str


class Play:
    """The tricks of a hand, played at random but by the rules.

    ``eager`` players try to win tricks (True) or to lose them (False); others do as they like.
    """

    def __init__(
        self,
        rng: random.Random,
        players: Sequence[str],
        holdings: dict[str, list[str]],
        eager: Mapping[str, bool] | None = None,
    ) -> None:
        self.rng = rng
        self.players = players
        self.holdings = holdings
        self.eager = eager or {}
        self.tricks: list[Trick] = []
        self.plays: list[tuple[str, str]] = []
        self.acts: dict[Moment, list[Event]] = {}
        self.shows = rng.choice([0, 0, 0, 0.05])

    def winner(self, plays: list[tuple[str, str]]) -> str:
        raise NotImplementedError

    def legal(self, player: str) -> list[str]:
        return self.holdings[player]

    def pause(self, moment: Moment) -> None:
        """Let things happen between two cards."""
        if chance(self.rng, self.shows):
            player = self.rng.choice(list(self.players))
            if held := self.holdings[player]:
                cards = self.rng.sample(held, self.rng.randint(1, len(held)))
                self.act(moment, event("cards_shown", player=player, cards=cards))

    def between(self, winner: str) -> None:
        """Do what is due after a trick."""

    def act(self, moment: Moment, happened: Event) -> None:
        self.acts.setdefault(moment, []).append(happened)

    def choose(self, player: str) -> str:
        legal = self.legal(player)
        eager = self.eager.get(player)
        if eager is not None:
            legal = [
                card
                for card in legal
                if (self.winner([*self.plays, (player, card)]) == player) == eager
            ] or legal
        return self.rng.choice(legal)

    def run(self, leader: str, tricks: int) -> None:
        for number in range(tricks):
            self.plays = []
            for player in turn(self.players, leader):
                self.pause((number, len(self.plays)))
                card = self.choose(player)
                self.holdings[player].remove(card)
                self.plays.append((player, card))
            leader = self.winner(self.plays)
            self.tricks.append(Trick(self.plays, leader))
            self.pause((number, len(self.plays)))
            self.between(leader)

    def moment_of(self, card: str) -> Moment | None:
        """The moment right after that card fell."""
        for number, trick in enumerate(self.tricks):
            for place, (_, played) in enumerate(trick.plays, 1):
                if played == card:
                    return number, place
        return None

    def won(self, sides: Mapping[str, str]) -> Scores:
        """The number of tricks by side."""
        count = dict.fromkeys(sides.values(), 0)
        for trick in self.tricks:
            count[sides[trick.winner]] += 1
        return count

    def styles(self, *choice: str) -> list[str]:
        return [self.rng.choice(choice) for _ in self.tricks]

    def mixed(self) -> list[str]:
        """A way of recording for each trick, both of cards and of winners among them."""
        styles = self.styles("cards", "claimed", "taken", "partial")
        one, other = self.rng.sample(range(len(styles)), 2)
        styles[one], styles[other] = self.rng.choice(["cards", "claimed"]), "taken"
        return styles

    def rest_spot(self) -> Moment | None:
        """A moment after which one player takes all there is, and nothing else happens."""
        last = self.tricks[-1].winner
        bound = max((at for at in self.acts if not self._in_passing(at)), default=(0, 0))
        spots = []
        for number in reversed(range(len(self.tricks))):
            if self.tricks[number].winner != last:
                break
            spots += [(number, place) for place in range(len(self.players))]
        spots = [spot for spot in spots if spot > bound]
        return self.rng.choice(spots) if spots else None

    def _in_passing(self, moment: Moment) -> bool:
        return all(act["type"] in IN_PASSING for act in self.acts[moment])

    def record(self, styles: Sequence[str], rest: Moment | None = None) -> list[Event]:
        """The events of the play, each trick in its style, up to ``rest`` if it is claimed."""
        events: list[Event] = []
        unclaimed = False
        for number, (trick, style) in enumerate(zip(self.tricks, styles, strict=True)):
            size = len(trick.plays)
            cards = {"taken": 0, "partial": self.rng.randint(1, size - 1)}.get(style, size)
            if rest and rest[0] == number:
                return [
                    *events,
                    *self._moments(number, rest[1] if cards else 0, rest[1]),
                    event("rest_claimed", player=trick.winner),
                ]
            events += self._moments(number, cards, size)
            if style != "cards":
                # Right after the cards of a trick, a bare ``trick_taken`` is the claim for it.
                numbered = (unclaimed and not cards) or chance(self.rng, 0.15)
                data = {"trick": number + 1} if numbered else {}
                events.append(event("trick_taken", player=trick.winner, **data))
            unclaimed = style == "cards"
        return events

    def _moments(self, number: int, cards: int, until: int) -> list[Event]:
        """What happened in a trick up to a moment, with its first cards."""
        plays = self.tricks[number].plays
        events: list[Event] = []
        for place in range(until + 1):
            for act in self.acts.get((number, place), ()):
                if act["type"] != "signal_made" or cards == len(plays):
                    events.append(act)
            if place < min(cards, until):
                player, card = plays[place]
                events.append(event("card_played", player=player, card=card))
        return events

    def late_claims(self) -> list[Event]:
        """Winners said only after the last card, each with the number of its trick."""
        return [
            event("trick_taken", player=trick.winner, trick=number)
            for number, trick in enumerate(self.tricks, 1)
            if chance(self.rng, 0.5)
        ]


class Match(ABC):
    """A match as it truly goes; with the end of most games, by target or number of hands."""

    defaults: Mapping[str, Any] = {}

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
    module = importlib.import_module(f"tests.play.{game}")
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

    Where a hand at that level does not decide what the cards do, it is recorded by the cards.
    """
    events, match = new_match(rng, game)
    told = Evening(events, match)
    while not match.over and len(told.hands) < hands:
        fine = penalty(rng, match) if chance(rng, 0.1) else []
        hand = match.play_hand()
        names = [name for name, exact in hand.exact.items() if exact]
        name = level if level in names else "cards" if level else rng.choice(names)
        record = hand.records[name]
        at = rng.randrange(2) if told.hands else 1
        events += [*record[:at], *fine, *record[at:]]
        told.hands.append((name, hand))
        told.ends.append((len(events), dict(match.totals)))
        events += small_talk(rng, match, hand)
    told.totals, told.over, told.winners = match.totals, match.over, match.winners
    if chance(rng, 0.4):
        events.append(event(rng.choice(["session_closed", "match_ended"] if not match.over else ["session_closed"])))
        told.over, told.winners = True, match.winners or match.leaders()
    return told


def penalty(rng: random.Random, match: Match) -> list[Event]:
    """A penalty, or a present, if the game knows them."""
    if not match.takes_penalties:
        return []
    side, points = rng.choice(list(match.totals)), rng.choice([-10, -5, -1, 1, 3, 20])
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

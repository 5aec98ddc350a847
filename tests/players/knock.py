"""Random hands of Knock!, with a second implementation of every clause."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn
from tests.players.knock_signals import SIGNALS, TrickView, signals
from tests.players.tricks import Moment, Play

SEATS = (4,)
SUITS = "SCDB"
RANKS = ("K", "Q", "N", "J", "10", "9", "8", "7")  # strongest first
TRUMPS = tuple(f"T{number}" for number in range(1, 22))
QUARTET = (2, 3, 4, 5)
FOOL = "FOOL"
HONOURS = {"T1", "T21", FOOL}
POINTS = {"K": 5, "Q": 4, "N": 3, "J": 2, "10": 1, "9": 1, "8": 1, "7": 1}
TRICKS = 13


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    some = rng.sample(SIGNALS, rng.randint(1, len(SIGNALS)))
    own = [{"id": "pull_ear", "text": "Ho un’idea <b>"}, {"id": "x1", "text": "="}]
    return common.some(
        rng,
        {
            "hands": [4, 4, 8],
            "signals": ["seed", "none", some],
            "own_signals": [[], own, own[:1]],
        },
    )


def suit(card: str) -> str:
    """Return the suit of a card, ``T`` for trumps."""
    return "T" if card in TRUMPS else card[-1]


def value(card: str) -> int:
    """Return the card points (K1)."""
    if card in HONOURS:
        return 5
    return 0 if card in TRUMPS else POINTS[card[:-1]]


def rank(card: str) -> int:
    """Return the strength of a trump, equal within the Quartet (K5)."""
    number = int(card[1:])
    return QUARTET[0] if number in QUARTET else number


class KnockPlay(Play):
    """Thirteen tricks with trumps and the Fool."""

    allowed: Sequence[str] = ()
    own: Sequence[str] = ()
    talkative = 0.0
    away: Sequence[str] = ()

    def led(self, plays: list[tuple[str, str]]) -> str | None:
        return next((suit(card) for _, card in plays if card != FOOL), None)

    def legal(self, player: str) -> list[str]:
        held, led = self.holdings[player], self.led(self.plays)
        if led is None:
            return held
        for due in (led, "T"):
            cards = [card for card in held if card != FOOL and suit(card) == due]
            if cards:
                return [*cards, *(card for card in held if card == FOOL)]
        return held

    def winner(self, plays: list[tuple[str, str]]) -> str:
        led, winner, best = self.led(plays), plays[0][0], (0, 0)
        for player, card in plays:
            if card == FOOL or suit(card) not in ("T", led):
                continue
            mine = (2, rank(card)) if suit(card) == "T" else (1, -RANKS.index(card[:-1]))
            # Only cards of the Quartet can be equal, and then the last one played wins.
            if best == (0, 0) or mine >= best:
                winner, best = player, mine
        return winner

    def pause(self, moment: Moment) -> None:
        super().pause(moment)
        if not chance(self.rng, self.talkative):
            return
        number, place = moment
        if place == 0:
            leader = self.tricks[-1].winner if number else self.players[0]
            partner = turn(self.players, leader)[2]
            true = [partner, ["bijou", "grand"]]
        else:
            player, card = self.plays[-1]
            unplayed = [c for held in self.holdings.values() for c in held]
            view = TrickView(card, self.holdings[player], unplayed, self.away, lead=place == 1)
            follows = place > 1 and suit(card) == self.led(self.plays)
            truthful = [*signals(view, follows=follows), *self.own] if card != FOOL else []
            true = [player, truthful]
        signals_ = [signal for signal in true[1] if signal in self.allowed]
        if signals_:
            self.act(moment, event("signal_made", player=true[0], signal=self.rng.choice(signals_)))

    def won_cards(self, side_of: Mapping[str, str], side: str) -> list[str]:
        """Return the cards of a side's tricks, without the Fool."""
        tricks = [trick for trick in self.tricks if side_of[trick.winner] == side]
        return [card for trick in tricks for _, card in trick.plays if card != FOOL]


class Match(common.Match):
    """A game of Knock!, of four hands or a multiple."""

    defaults: Mapping[str, Any] = {"hands": 4, "signals": "seed", "own_signals": ()}

    def sides(self) -> dict[str, str]:
        return {player: "AB"[seat % 2] for seat, player in enumerate(self.seats)}

    def settle(self, hand: PlayedHand) -> None:
        for side, points in hand.scores.items():
            self.totals[side] += points
        self.finish(hands=self.options["hands"])

    def hand(self, dealer: str) -> PlayedHand:
        rng = self.rng
        order = [*turn(self.seats, dealer)[1:], dealer]
        holdings = self.deal(order)
        away = self.lay_away(holdings[dealer])
        keen = rng.choice("AB")
        eager = {p: self.sides()[p] == keen for p in order} if chance(rng, 0.2) else {}
        play = KnockPlay(rng, order, holdings, eager)
        play.away = away
        agreed = self.options["signals"]
        play.own = [signal["id"] for signal in self.options["own_signals"]]
        play.allowed = [*{"seed": SIGNALS, "none": ()}.get(str(agreed), agreed), *play.own]
        play.talkative = rng.choice([0, 0, 0.1, 0.6])
        play.run(order[0], TRICKS)
        fool = Fool(rng, play, self.sides())
        taken = self.points(play, dealer, away, fool)
        hand = PlayedHand(dealer, less_fifty(taken), taken)
        self.record(hand, play, away, fool)
        return hand

    def deal(self, order: list[str]) -> dict[str, list[str]]:
        """Deal thirteen cards each, and the last two to the dealer (K2)."""
        rng = self.rng
        pack = [*(r + s for s in SUITS for r in RANKS), *TRUMPS, FOOL]
        rng.shuffle(pack)
        if chance(rng, 0.06):
            pack.sort(key=lambda card: value(card) in (0, 5) and chance(rng, 0.97))
        if chance(rng, 0.1):
            noise = rng.choice([0, 0, 20])
            pack.sort(key=lambda c: int(c[1:]) + noise * rng.random() if c in TRUMPS else 0)
        dealer = [pack.pop() for _ in range(15)]
        hands = {player: [pack.pop() for _ in range(13)] for player in order[:3]}
        return {**hands, order[3]: dealer}

    def lay_away(self, held: list[str]) -> list[str]:
        """Return two cards for the dealer's side; trumps only without other cards (K3)."""
        free = [card for card in held if card not in HONOURS and card[0] != "K"]
        plain = [card for card in free if card not in TRUMPS]
        trumps = [card for card in free if card in TRUMPS]
        away = self.rng.sample(plain, min(2, len(plain)))
        away += self.rng.sample(trumps, 2 - len(away))
        for card in away:
            held.remove(card)
        return away

    def points(self, play: KnockPlay, dealer: str, away: list[str], fool: "Fool") -> Scores:
        """Return the points of each side (K7 to K9)."""
        sides = self.sides()
        points = play.won(sides)
        for side in points:
            points[side] += sum(value(card) for card in play.won_cards(sides, side))
        points[sides[dealer]] += sum(value(card) for card in away)
        points[fool.keeper] += value(FOOL)
        if fool.paid:
            points[fool.side] -= value(fool.paid)
            points[fool.other] += value(fool.paid)
        return points

    def record(self, hand: PlayedHand, play: KnockPlay, away: list[str], fool: "Fool") -> None:
        rng = self.rng
        assert hand.taken is not None
        trumps = [card for card in away if card in TRUMPS]
        shown = {"trumps_shown": trumps} if trumps else {}
        whole = event("cards_laid_away", player=hand.dealer, cards=away, **shown)
        bare = event("cards_laid_away", player=hand.dealer, **shown)

        def laid() -> list[Event]:
            return rng.choice([[whole], [bare], [bare] if trumps else []])

        def count(*, tricks: bool = False) -> Event:
            assert hand.taken is not None
            more = {"tricks": common.fewer(rng, play.won(self.sides()))} if tricks else {}
            return event("points_counted", points=common.fewer(rng, hand.taken), **more)

        def claims() -> list[Event]:
            return [*([count()] if chance(rng, 0.4) else []), *hand.claims(rng)]

        styled = play.record(play.styles("cards", "claimed"))
        late = rng.choice([[*styled, whole], [*laid(), *styled]])
        hand.add("cards", [*late, *fool.events(), *claims()], level="cards")
        plain = play.record(["cards"] * TRICKS)
        hand.add("cards counted", [*laid(), *plain, count()], level="cards")
        less = value(fool.lowest) - value(fool.paid) if fool.paid else 0
        unpaid = {
            fool.side: hand.taken[fool.side] - less,
            fool.other: hand.taken[fool.other] + less,
        }
        hand.add(
            "cards unpaid",
            [*laid(), *plain, *play.late_claims()],
            level="cards",
            taken=unpaid,
            scores=less_fifty(unpaid),
        )
        coarse = fool.events() if chance(rng, 0.4) else []
        hand.add("mixed", [*laid(), *play.record(play.mixed()), *coarse, count()], level="mixed")
        taken = play.record(["taken"] * TRICKS)
        both = [count(tricks=chance(rng, 0.4))]
        hand.add("tricks", [*laid(), *taken, *coarse, *both], level="tricks")
        totals = [*laid(), count(tricks=chance(rng, 0.4)), *hand.claims(rng)]
        hand.add("totals", totals, level="totals")
        if rest := play.rest_spot():
            taken = play.record(["taken"] * TRICKS, rest)
            hand.add("tricks rest", [*laid(), *taken, *coarse, count()])
            if fool.known_before(rest):
                styled = play.record(play.styles("cards", "claimed"), rest)
                hand.add("cards rest", [whole, *styled, *fool.events(), *claims()])


def less_fifty(points: Scores) -> Scores:
    return {side: n - 50 for side, n in points.items()}


class Fool:
    """The play and the owner of the Fool (K7, K8)."""

    def __init__(self, rng: random.Random, play: KnockPlay, side_of: Mapping[str, str]) -> None:
        moment = play.moment_of(FOOL)
        assert moment is not None
        self.trick = moment[0]
        self.play = play
        player, _ = play.tricks[self.trick].plays[moment[1] - 1]
        self.side = side_of[player]
        self.other = "B" if self.side == "A" else "A"
        self.winner = side_of[play.tricks[self.trick].winner]
        won = play.won_cards(side_of, self.side)
        self.due = self.winner != self.side
        self.keeper = self.other if self.due and not won else self.side
        self.paid, self.lowest = "", ""
        if self.due and won:
            self.lowest = min(won, key=value)
            empty = [card for card in won if value(card) <= 1]
            self.paid = rng.choice(empty or won)

    def events(self) -> list[Event]:
        if self.paid:
            return [event("fool_paid", side=self.side, card=self.paid)]
        return [event("fool_surrendered", side=self.side)] if self.due else []

    def known_before(self, rest: Moment) -> bool:
        """Return whether the cards that decide its owner were played before that moment."""
        paid = self.play.moment_of(self.paid) if self.paid else (0, 0)
        assert paid is not None
        return self.trick < rest[0] and paid[0] < rest[0]

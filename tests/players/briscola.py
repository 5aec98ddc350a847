"""Shared parts of the three Briscola games: the pack, the winning of tricks, called partners."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event
from tests.players.tricks import Moment, Play

# Strongest first, with card points.
ITALIAN = {"A": 11, "3": 10, "K": 4, "N": 3, "J": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}
FRENCH = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}
ALL_POINTS = 120


# Options on the payment of bids and sweeps in both games with a called card.
HOUSE: Mapping[str, Sequence[Any]] = {
    "bands": [[71, 81, 91, 101], [91], [70, 80], [81, 91, 101, 111, 120], [], [62, 119]],
    "sweep_test": ["tricks", "points"],
    "sweep_pay": ["double", "none", {"add": 2}, {"set": 8}],
    "redeal_max_points": ["none", 0, 4],
    "four_twos": [False, True],
    "next_double": [[], ["weak_hand"], ["all_passed"], ["all_passed", "weak_hand"]],
}


def with_redeals(options: dict[str, Any], default: Any) -> dict[str, Any]:
    """Return the options, with redeals if weak hands double and there are none by ``default``."""
    none = options.get("redeal_max_points", default) == "none" and not options.get("four_twos")
    if none and "weak_hand" in options.get("next_double", ()):
        options["redeal_max_points"] = 4
    return options


class DoublingMatch(common.Match):
    """A match in which an abandoned hand can double the next one."""

    waiting = 0  # doublings of the next scored hand

    def doubling(self, kind: str) -> None:
        """Count a hand that was abandoned or drawn."""
        self.waiting += kind in self.options["next_double"]

    def factor(self, *, draw: bool = False) -> int:
        """Return the multiplier of a hand that is scored now."""
        if draw:
            self.doubling("draw")
            return 0
        waiting, self.waiting = self.waiting, 0
        return int(2**waiting)

    def kind_field(self, kind: str) -> dict[str, str]:
        """Return the field with the kind of an abandoned hand, if the kind can matter."""
        return {"kind": kind} if self.options["next_double"] or chance(self.rng, 0.5) else {}

    def weak(self, held: Sequence[str], pack: "Pack") -> bool:
        """Return whether a player with these cards may request a new deal (C3, M1)."""
        most = self.options["redeal_max_points"]
        if self.options["four_twos"] and len([card for card in held if card[0] == "2"]) == 4:
            return True
        if most == "none":
            return False
        return pack.worth(held) <= int(most)

    def thrown_in(self, dealer: str, player: str, held: Sequence[str], bids: "Bids") -> PlayedHand:
        """Return a hand that a player had abandoned before their first bid."""
        hand = self.nothing(dealer)
        until = [player for player, _ in bids].index(player) if player in dict(bids) else 0
        before = [event("bid_made", player=player, bid=bid) for player, bid in bids[:until]]
        over = event("hand_abandoned", reason="weak", player=player, **self.kind_field("weak_hand"))
        shown = [event("cards_shown", player=player, cards=list(held))]
        for level in ("totals", "tricks", "cards"):
            some = [*(before if chance(self.rng, 0.5) else []), *shown[: self.rng.randrange(2)]]
            hand.add(level, [*some, over])
        self.doubling("weak_hand")
        return hand

    def passed(self, dealer: str, players: Sequence[str]) -> PlayedHand:
        """Return a hand in which all players passed (C3, M2)."""
        hand = self.nothing(dealer)
        passes = [event("bid_made", player=player, bid="pass") for player in players]
        over = event("hand_abandoned", reason="all passed", **self.kind_field("all_passed"))
        hand.add("cards", passes)
        hand.add("tricks", [*passes[: self.rng.randrange(4)], over])
        hand.add("totals", [over])
        self.doubling("all_passed")
        return hand


def units(bid: Any, bands: Sequence[int]) -> int:
    """Return the units of a hand by its bid (C8, M8)."""
    if isinstance(bid, dict):
        bid = bid["carichi"]
    return 1 if isinstance(bid, str) else 1 + len([band for band in bands if band <= bid])


def alone_bids(options: Mapping[str, Any], lowest: int) -> list[Any]:
    """Return the bids to play alone without trumps, which rank above all others."""
    if options["carichi"] == "points":
        return [{"carichi": n} for n in range(lowest, options.get("max_bid", ALL_POINTS) + 1)]
    return ["carichi"] if options["carichi"] == "flat" else []


def is_alone(bid: Any) -> bool:
    """Return whether a bid is to play alone without trumps."""
    return bid == "carichi" or isinstance(bid, dict)


def needed(bid: Any) -> int:
    """Return the card points that a bid needs."""
    if isinstance(bid, dict):
        return int(bid["carichi"])
    return 61 if isinstance(bid, str) else int(bid)


def sweeps(options: Mapping[str, Any], points: Scores, tricks: Scores | None) -> bool:
    """Return whether a party takes all points or tricks, whichever is a sweep here (C9, M8)."""
    of_tricks = options["sweep_test"] == "tricks"
    taken = points if not of_tricks else tricks or {}
    whose = [side for side, n in taken.items() if n and n == sum(taken.values())]
    return bool(whose) and (options["sweep"] == "either" or whose == ["bidder"])


def swept_scores(plain: Scores, unit: int, pay: Any) -> Scores:
    """Return the payment of a hand with a sweep."""
    if pay == "double":
        units = 2 * unit
    elif pay == "none":
        units = unit
    else:
        units = unit + pay["add"] if "add" in pay else pay["set"]
    return {player: n // unit * units for player, n in plain.items()}


@dataclass(frozen=True)
class Pack:
    """The forty cards in use."""

    suits: str
    points: Mapping[str, int]

    @classmethod
    def named(cls, name: str) -> "Pack":
        return cls("SHDC", FRENCH) if name == "french" else cls("SCDB", ITALIAN)

    @property
    def ranks(self) -> list[str]:
        return list(self.points)

    @property
    def knight(self) -> str:
        return self.ranks[3]

    def cards(self) -> list[str]:
        return [rank + suit for suit in self.suits for rank in self.points]

    def value(self, card: str) -> int:
        return self.points[card[:-1]]

    def worth(self, cards: Sequence[str]) -> int:
        return sum(self.value(card) for card in cards)

    def winner(self, plays: list[tuple[str, str]], trump: str | None) -> str:
        led = plays[0][1][-1]

        def strength(play: tuple[str, str]) -> tuple[int, int]:
            suit = play[1][-1]
            return [trump, led].index(suit) if suit in (trump, led) else 2, self.ranks.index(
                play[1][:-1]
            )

        return min(plays, key=strength)[0]


class BriscolaPlay(Play):
    """Tricks to which any card may be played."""

    pack: Pack
    trump: str | None = None

    def winner(self, plays: list[tuple[str, str]]) -> str:
        return self.pack.winner(plays, self.trump)

    def card_points(self, sides: Mapping[str, str]) -> Scores:
        points = dict.fromkeys(sides.values(), 0)
        for trick in self.tricks:
            points[sides[trick.winner]] += self.pack.worth([card for _, card in trick.plays])
        return points


Bids = list[tuple[str, Any]]


def auction(
    rng: random.Random,
    order: Sequence[str],
    ladder: Sequence[Any],
    *,
    may_return: bool = False,
    least: int | None = None,
    through: str | None = None,
) -> Bids:
    """Return all bids and passes of an auction (C1).

    With ``may_return``, players who passed may bid again; with ``least``, the last player must bid.
    Bids above ``through``, if any, come only after it.
    """
    step = -1 if through is None else ladder.index(through)
    log: Bids = []
    keen = {player: rng.choice([0.1, 0.4, 0.8]) for player in order}
    alive, high, bidder = list(order), -1, None
    while alive and not (alive == [bidder] or high == len(ladder) - 1):
        player = alive[0]
        forced = least is not None and len(alive) == 1
        if forced or chance(rng, keen[player]):
            low = ladder.index(least) if forced else high + 1
            top = len(ladder) - 1 if chance(rng, 0.15) else min(low + 2, len(ladder) - 1)
            if high < step:
                top = min(top, step)
            high, bidder = rng.randint(low, top), player
            log.append((player, ladder[high]))
            alive = [*alive[1:], player]
            if may_return:
                alive = [*common.turn(order, player)[1:], player]
        else:
            log.append((player, "pass"))
            alive = alive[1:]
    return log


@dataclass
class Called:
    """A hand with a called partner, and its records.

    ``contract`` contains the events after the auction and before the first lead; of these the
    ``optional`` types may be missing where no cards are recorded.
    """

    rng: random.Random
    hand: PlayedHand
    bids: Bids
    bidder: str
    partner: str | None
    bid: Any
    card: str
    contract: list[Event]
    after: list[Event]
    play: BriscolaPlay
    active: list[str]
    blind: bool = False

    def opened(self, played: list[Event]) -> list[Event]:
        """Return auction, contract and play; a blind first trick comes first."""
        first = self.play.tricks[0].plays if self.blind else []
        cards = [event("card_played", player=player, card=card) for player, card in first]
        begun = max([at for at, card in enumerate(played, 1) if card in cards], default=0)
        return [*self.auction(), *played[:begun], *self.contract, *played[begun:]]

    def parties(self) -> dict[str, str]:
        mates = (self.bidder, self.partner)
        return {p: "bidder" if p in mates else "defenders" for p in self.active}

    def auction(self) -> list[Event]:
        """Return the whole auction or a part of it.

        Without eldest's first bid the order proves nothing, so a part has none of eldest's bids.
        """
        log = self.bids
        final = (self.bidder, self.bid)
        if chance(self.rng, 0.4):
            log = [final]
            eldest = self.active[0]
            if eldest != self.bidder and chance(self.rng, 0.5):
                log = [
                    b for b in self.bids if b[0] != eldest and (b == final or chance(self.rng, 0.6))
                ]
        return [event("bid_made", player=player, bid=bid) for player, bid in log]

    def revealed(self) -> list[Event]:
        return [event("partner_revealed", player=self.partner or self.bidder)]

    def stated_contract(self) -> list[Event]:
        """Return the contract for a record without cards, with more or less detail."""
        some = self.contract if chance(self.rng, 0.5) else self.contract[:1]
        bare = [event(stated["type"], **without_cards(stated)) for stated in some]
        return [*self.auction(), *self.rng.choice([some, bare, []])]

    def count(self, *, tricks: bool) -> Event:
        assert self.hand.taken is not None
        points = common.fewer(self.rng, self.hand.taken)
        if not tricks:
            return event("points_counted", points=points)
        won = common.fewer(self.rng, self.play.won(self.parties()))
        return event("points_counted", points=points, tricks=won)

    def claims(self, *, draw: bool, was_made: bool) -> list[Event]:
        outcome = [event("outcome_recorded", made=was_made)]
        count = [self.count(tricks=chance(self.rng, 0.5))]
        return [
            *(count if chance(self.rng, 0.4) else []),
            *(outcome if chance(self.rng, 0.2) and not draw else []),
            *self.hand.claims(self.rng),
        ]

    def record(self, counted: Scores, bare: Scores, *, was_made: bool, draw: bool) -> None:
        """Add the records.

        ``counted`` is the score by only a count of points, ``bare`` by only the outcome.
        """
        rng, play, hand = self.rng, self.play, self.hand
        n = len(play.tricks)

        def claims() -> list[Event]:
            return self.claims(draw=draw, was_made=was_made)

        known = self.revealed() if chance(rng, 0.5) else []
        cards = play.record(play.styles("cards", "claimed"))
        opened = self.opened
        hand.add("cards", [*opened(cards), *self.after, *known, *claims()], level="cards")
        plain = play.record(["cards"] * n)
        late = [*opened(plain), *play.late_claims(), *self.after]
        hand.add("cards late", late, level="cards")
        mixed = [*opened(play.record(play.mixed())), *self.after, *self.revealed()]
        hand.add("mixed", [*mixed, self.count(tricks=chance(rng, 0.5))], level="mixed")
        if rest := play.rest_spot():
            # The called card may be among the cards that were not recorded.
            claimed = play.record(play.styles("cards", "claimed"), rest)
            hand.add("cards rest", [*opened(claimed), *self.revealed(), *claims()])
            taken = play.record(["taken"] * n, rest)
            count = self.count(tricks=chance(rng, 0.5))
            hand.add("tricks rest", [*self.stated_contract(), *self.revealed(), *taken, count])
        taken = play.record(["taken"] * n)
        both = [[*self.revealed(), *taken], [*taken, *self.revealed()]]
        count = self.count(tricks=chance(rng, 0.5))
        hand.add("tricks", [*self.stated_contract(), *rng.choice(both), count], level="tricks")
        totals = [*self.stated_contract(), *self.revealed()]
        late = [*self.stated_contract(), self.count(tricks=True), *self.revealed()]
        full = [*totals, self.count(tricks=True)]
        hand.add("totals full", rng.choice([full, full, late]), level="totals")
        claimed = hand.claims(rng) if counted == hand.scores else []
        hand.add(
            "totals", [*totals, self.count(tricks=False), *claimed], level="totals", scores=counted
        )
        if not draw:
            outcome = event("outcome_recorded", made=was_made)
            hand.add("totals outcome", [*totals, outcome], level="totals", scores=bare, taken=None)


def without_cards(raw: Event) -> dict[str, Any]:
    return {key: value for key, value in raw["data"].items() if key != "cards"}


def reveal(rng: random.Random, play: Play, card: str, partner: str | None) -> None:
    """Sometimes record the partner when the called card is played."""
    moment: Moment | None = play.moment_of(card)
    if moment and partner and chance(rng, 0.3):
        play.act(moment, event("partner_revealed", player=partner))

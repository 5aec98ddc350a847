"""The tricks of a hand, played at random, and the ways to record them."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.players.common import Event, Scores, chance, event, turn

Moment = tuple[int, int]  # trick, number of its cards on the table
# Events without effect on the score, which may be missing in any record.
IN_PASSING = {"cards_shown", "signal_made", "pique_called", "partner_revealed"}


@dataclass
class Trick:
    """The cards of one trick in the order of play, and its winner."""

    plays: list[tuple[str, str]]
    winner: str


class Play:
    """The tricks of a hand, played at random by the rules.

    ``eager`` players try to win tricks (True) or to lose them (False); others play any legal card.
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
        """Add events between two cards; games override this."""
        if chance(self.rng, self.shows):
            player = self.rng.choice(list(self.players))
            if held := self.holdings[player]:
                cards = self.rng.sample(held, self.rng.randint(1, len(held)))
                self.act(moment, event("cards_shown", player=player, cards=cards))

    def between(self, winner: str) -> None:
        """Act after a trick; games override this."""

    def act(self, moment: Moment, happened: Event) -> None:
        """Record an event at a moment between two cards."""
        self.acts.setdefault(moment, []).append(happened)

    def choose(self, player: str) -> str:
        """Return a legal card of the player, who may be eager to win or to lose."""
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
        """Return the moment immediately after a card was played."""
        for number, trick in enumerate(self.tricks):
            for place, (_, played) in enumerate(trick.plays, 1):
                if played == card:
                    return number, place
        return None

    def won(self, sides: Mapping[str, str]) -> Scores:
        """Return the number of tricks by side."""
        count = dict.fromkeys(sides.values(), 0)
        for trick in self.tricks:
            count[sides[trick.winner]] += 1
        return count

    def styles(self, *choice: str) -> list[str]:
        return [self.rng.choice(choice) for _ in self.tricks]

    def mixed(self) -> list[str]:
        """Return a style of record for each trick, with cards and with only winners mixed."""
        styles = self.styles("cards", "claimed", "taken", "partial")
        one, other = self.rng.sample(range(len(styles)), 2)
        styles[one], styles[other] = self.rng.choice(["cards", "claimed"]), "taken"
        return styles

    def rest_spot(self) -> Moment | None:
        """Return a moment after which one player takes all tricks without other events."""
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
        """Return the events of the play, each trick in its style, up to a claim of the rest."""
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
                # After the cards of a trick, a bare ``trick_taken`` may be the claim for it.
                numbered = (unclaimed and not cards) or chance(self.rng, 0.15)
                data = {"trick": number + 1} if numbered else {}
                events.append(event("trick_taken", player=trick.winner, **data))
            unclaimed = style == "cards" or (unclaimed and not cards)
        return events

    def _moments(self, number: int, cards: int, until: int) -> list[Event]:
        """Return the events of a trick up to a moment, with its first cards."""
        plays = self.tricks[number].plays
        events: list[Event] = []
        for place in range(until + 1):
            acts = self.acts.get((number, place), [])
            whole = cards == len(plays)  # a signal has no meaning without its card
            events += [act for act in acts if whole or act["type"] != "signal_made"]
            if place < min(cards, until):
                player, card = plays[place]
                events.append(event("card_played", player=player, card=card))
        return events

    def late_claims(self) -> list[Event]:
        """Return events after the last card that name the winner of each trick by its number."""
        return [
            event("trick_taken", player=trick.winner, trick=number)
            for number, trick in enumerate(self.tricks, 1)
            if chance(self.rng, 0.5)
        ]

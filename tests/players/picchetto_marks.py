"""The score of the marks of a hand of Picchetto (P9 to P15)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tests.players.common import Scores

TRICKS = 12
ENDLESS = 1_000_000  # a target that nobody reaches


@dataclass(frozen=True)
class Mark:
    """Points marked, and for what: ``white``, ``declared``, ``lead``, ``trick`` or ``cards``."""

    player: str
    points: int
    kind: str
    trick: int = 0


@dataclass
class Outcome:
    """The score of the marks of a hand, with the mark that won the game, if any (P15)."""

    scores: Scores
    winner: str | None = None
    won_at: Mark | None = None
    repique: str | None = None
    pique: str | None = None
    pique_at: int = 0

    @property
    def won_in_declarations(self) -> bool:
        return self.won_at is not None and self.won_at.kind in ("white", "declared")


@dataclass(frozen=True)
class Figures:
    """The values of leads, the last trick and capot at a table (P9, P11)."""

    leads: bool = False
    last: int = 2
    capot: int = 40
    low_cards: bool = True


def trick_marks(
    elder: str, winners: Sequence[str], figures: Figures, cards: Sequence[dict[str, str]] = ()
) -> list[Mark]:
    """Return the marks of leads, tricks and cards (P9 to P11).

    ``cards`` has the card of each player by trick.
    """
    marks, leader = [], elder
    for number, player in enumerate(winners, 1):
        low = {
            side: not figures.low_cards and cards[number - 1][side][:-1] in ("9", "8", "7")
            for side in {leader, player}
        }
        if figures.leads and leader != player and not low[leader]:
            marks.append(Mark(leader, 1, "lead", number))
        points = (figures.last if number == TRICKS else 1) - low[player]
        if points:
            marks.append(Mark(player, points, "trick", number))
        leader = player
    for player in sorted(set(winners)):
        if winners.count(player) > TRICKS // 2:
            points = figures.capot if winners.count(player) == TRICKS else 10
            marks.append(Mark(player, points, "cards"))
    return marks


def changes_of(elder: str, winners: Sequence[str]) -> int:
    """How often the lead went to the other."""
    return sum(led != won for led, won in zip([elder, *winners], winners, strict=False))


@dataclass(frozen=True)
class Reckoning:
    """The terms on which a hand is marked: the players, elder first, and the game's score."""

    order: tuple[str, str]
    at: Scores
    target: int
    white_in_repique: bool
    figures: Figures = Figures()
    nothing: str | None = None  # who reckons nothing in this hand

    @property
    def lifted(self) -> bool:
        """Whether a penalty has lifted somebody to the target before the hand."""
        return max(self.at.values()) >= self.target

    def other(self, player: str) -> str:
        return self.order[1 - self.order.index(player)]

    def reckoned(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks without those of who reckons nothing."""
        return [mark for mark in marks if mark.player != self.nothing]

    def count(self, marks: Sequence[Mark]) -> Outcome:
        """Mark one after the other, up to the mark that wins the game (P12 to P15)."""
        outcome = Outcome(dict.fromkeys(self.order, 0))
        repique = dict.fromkeys(self.order, 0)  # what counts for and against it
        pique = dict.fromkeys(self.order, 0)
        for mark in self.reckoned(marks):
            player, other = mark.player, self.other(mark.player)
            if self.wins(outcome, mark, mark.points) or mark.kind == "cards":
                continue
            pique[player] += mark.points
            if mark.kind == "declared" or (mark.kind == "white" and self.white_in_repique):
                repique[player] += mark.points
            first = not (outcome.repique or outcome.pique) and mark.kind != "rouge"
            in_play = mark.kind in ("lead", "trick")
            if first and not in_play and repique[player] >= 30 and not repique[other]:
                outcome.repique = player
                self.wins(outcome, mark, 60)
            if first and in_play and pique[player] >= 30 and not pique[other]:
                outcome.pique, outcome.pique_at = player, mark.trick
                self.wins(outcome, mark, 30)
        return outcome

    def wins(self, outcome: Outcome, mark: Mark, points: int) -> bool:
        """Mark the points unless the game is won; True if it is won now."""
        if outcome.winner:
            return True
        outcome.scores[mark.player] += points
        now = {player: self.at[player] + outcome.scores[player] for player in self.order}
        reached = [player for player in self.order if now[player] >= self.target]
        if not reached:
            return False
        outcome.winner = max(reached, key=lambda player: (now[player], player == mark.player))
        outcome.won_at = mark
        return True

    def orders(
        self, fixed: Sequence[Mark], tricks: Scores, last: str, changes: int
    ) -> Iterator[Outcome]:
        """Yield the outcome of each order of the counted tricks."""
        elder, younger = self.order
        for places in combinations(range(TRICKS), tricks[younger]):
            winners = [younger if place in places else elder for place in range(TRICKS)]
            fits = not self.figures.leads or changes_of(elder, winners) == changes
            if winners[-1] == last and fits:
                yield self.count([*fixed, *trick_marks(elder, winners, self.figures)])

    def all_marks(self, outcome: Outcome, marks: Sequence[Mark], pique: str | None) -> Scores:
        """Return the score if all marks count, as in a count of tricks with the game won."""
        scores = dict.fromkeys(self.order, 0)
        for mark in self.reckoned(marks):
            scores[mark.player] += mark.points
        for bonus, player in ((60, outcome.repique), (30, pique)):
            if player:
                scores[player] += bonus
        return scores

    def surely_pique(
        self, marks: Sequence[Mark], tricks: Scores, last: str, changes: int
    ) -> str | None:
        """Who has a pique in every order of the tricks."""
        fixed = [mark for mark in marks if mark.kind in ("white", "declared")]
        endless = replace(self, target=ENDLESS)
        piques = {outcome.pique for outcome in endless.orders(fixed, tricks, last, changes)}
        return next(iter(piques)) if len(piques) == 1 else None

"""What the marks of a hand at Picchetto come to (P9 to P15)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.players.common import Scores

TRICKS = 12


@dataclass(frozen=True)
class Mark:
    """Points marked, and for what: ``white``, ``declared``, ``trick`` or ``cards``."""

    player: str
    points: int
    kind: str
    trick: int = 0


@dataclass
class Outcome:
    """What the marks of a hand came to, with the mark that won the game if one did (P15)."""

    scores: Scores
    winner: str | None = None
    won_at: Mark | None = None
    repique: str | None = None
    pique: str | None = None
    pique_at: int = 0

    @property
    def won_in_declarations(self) -> bool:
        return self.won_at is not None and self.won_at.kind in ("white", "declared")


def trick_marks(winners: Sequence[str]) -> list[Mark]:
    """The tricks and the cards (P9 to P11)."""
    marks = [
        Mark(player, 2 if number == TRICKS else 1, "trick", number)
        for number, player in enumerate(winners, 1)
    ]
    for player in sorted(set(winners)):
        if winners.count(player) > TRICKS // 2:
            points = 40 if winners.count(player) == TRICKS else 10
            marks.append(Mark(player, points, "cards"))
    return marks


@dataclass(frozen=True)
class Reckoning:
    """The terms on which a hand is marked: the players, elder first, and the game's score."""

    order: tuple[str, str]
    at: Scores
    target: int
    white_in_repique: bool

    @property
    def lifted(self) -> bool:
        """Whether a penalty has lifted somebody to the target before the hand."""
        return max(self.at.values()) >= self.target

    def other(self, player: str) -> str:
        return self.order[1 - self.order.index(player)]

    def count(self, marks: Sequence[Mark]) -> Outcome:
        """Mark one after the other, up to the mark that wins the game (P12 to P15)."""
        told = Outcome(dict.fromkeys(self.order, 0))
        repique = dict.fromkeys(self.order, 0)  # what counts for and against it
        pique = dict.fromkeys(self.order, 0)
        for mark in marks:
            player, other = mark.player, self.other(mark.player)
            if self.wins(told, mark, mark.points) or mark.kind == "cards":
                continue
            pique[player] += mark.points
            if mark.kind == "declared" or (mark.kind == "white" and self.white_in_repique):
                repique[player] += mark.points
            first = not (told.repique or told.pique)
            if first and mark.kind != "trick" and repique[player] >= 30 and not repique[other]:
                told.repique = player
                self.wins(told, mark, 60)
            if first and mark.kind == "trick" and pique[player] >= 30 and not pique[other]:
                told.pique, told.pique_at = player, mark.trick
                self.wins(told, mark, 30)
        return told

    def wins(self, told: Outcome, mark: Mark, points: int) -> bool:
        """Mark the points unless the game is won; True if it is won now."""
        if told.winner:
            return True
        told.scores[mark.player] += points
        now = {player: self.at[player] + told.scores[player] for player in self.order}
        there = [player for player in self.order if now[player] >= self.target]
        if not there:
            return False
        told.winner = max(there, key=lambda player: (now[player], player == mark.player))
        told.won_at = mark
        return True

    def orders(self, said: Sequence[Mark], tricks: Scores, last: str) -> Iterator[Outcome]:
        """What each order of the counted tricks comes to."""
        elder, younger = self.order
        for places in combinations(range(TRICKS), tricks[younger]):
            winners = [younger if place in places else elder for place in range(TRICKS)]
            if winners[-1] == last:
                yield self.count([*said, *trick_marks(winners)])

    def all_marks(self, told: Outcome, marks: Sequence[Mark], pique: str | None) -> Scores:
        """What the marks come to where all of them count: tricks counted, and the game won."""
        scores = dict.fromkeys(self.order, 0)
        for mark in marks:
            scores[mark.player] += mark.points
        for bonus, player in ((60, told.repique), (30, pique)):
            if player:
                scores[player] += bonus
        return scores

    def surely_pique(self, told: Outcome, marks: Sequence[Mark], last: str) -> str | None:
        """Who has a pique in every order of the tricks."""
        tricks = [mark.player for mark in marks if mark.kind == "trick"]
        for player in self.order:
            other = self.other(player)
            against = tricks.count(other)
            said = [mark for mark in marks if mark.kind in ("white", "declared")]
            mine = sum(mark.points for mark in said if mark.player == player)
            alone = not against or (against == 1 and last == other)
            silent = all(mark.player == player for mark in said)
            if alone and silent and mine + (11 if against else 13) >= 30 and not told.repique:
                return player
        return None

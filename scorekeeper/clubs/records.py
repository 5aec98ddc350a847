"""What nobody in the club has surpassed: in each game on each set of terms, and in all of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.rankings import Figure, part_of_a_win, sides_of
from scorekeeper.clubs.statistics import FigureSource

# Of a game: the highest hand without doublings, the highest score of a match that is over, the
# match of most hands, most matches won one after the other. Of the club: most evenings, most
# matches won, most hands played.
OF_A_GAME: Final = ("highest_hand", "highest_match", "longest_match", "longest_run")
OF_THE_CLUB: Final = ("most_evenings", "most_won", "most_hands")


class Record(NamedTuple):
    """A figure that nobody has surpassed, and who had it first.

    ``members`` are all who had it together, and in a match all who sat in it. ``place`` is where
    it was reached, None of what grew over many evenings.
    """

    what: str
    figure: Figure
    members: tuple[str, ...]
    place: FigureSource | None = None


@dataclass(slots=True)
class GameRecords:
    """The records of one game on one set of terms."""

    game: str
    terms: str
    records: dict[str, Record] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)

    def offer(self, what: str, figure: int, members: Sequence[str], place: FigureSource) -> None:
        """Take a figure in where it surpasses what there was."""
        known = self.records.get(what)
        if members and (known is None or figure > known.figure):
            self.records[what] = Record(what, figure, tuple(members), place)

    def add(self, one: Attended, match: PlayedMatch) -> None:
        """Take in a match in which hands were played; a guest sets no record."""
        sides = sides_of(match)
        there = {
            player: member
            for player, member in one.whose.items()
            if member is not None and player in sides
        }
        for hand in match.hands:
            place = FigureSource(one.evening.session_id, match.number, hand.number, hand.seq)
            earned = {there[p]: hand.earned(p) for p in hand.scores if p in there}
            self._offer_best("highest_hand", earned, place)
        if match.winners:
            place = FigureSource(one.evening.session_id, match.number)
            totals = {member: match.totals[sides[p]] for p, member in there.items()}
            self._offer_best("highest_match", totals, place)
            self.offer("longest_match", len(match.hands), list(there.values()), place)
            for player, member in there.items():
                self._go_on(member, place, won=sides[player] in match.winners)

    def _offer_best(self, what: str, figures: Mapping[str, int], place: FigureSource) -> None:
        best = max(figures.values(), default=0)
        self.offer(what, best, [one for one in figures if figures[one] == best], place)

    def _go_on(self, member: str, place: FigureSource, *, won: bool) -> None:
        self.runs[member] = self.runs.get(member, 0) + 1 if won else 0
        if self.runs[member] > 1:
            self.offer("longest_run", self.runs[member], [member], place)


def records(attended: Iterable[Attended]) -> list[GameRecords]:
    """The records of each game on each set of terms; the evenings in the order of their playing."""
    found: dict[tuple[str, str], GameRecords] = {}
    for one in attended:
        for match in one.evening.matches:
            if match.hands:
                key = match.game, match.terms
                found.setdefault(key, GameRecords(*key)).add(one, match)
    return list(found.values())


def of_the_club(attended: Iterable[Attended]) -> Iterator[Record]:
    """What members have most of over all games: evenings, matches won, hands."""
    many: dict[str, dict[str, Figure]] = {what: {} for what in OF_THE_CLUB}
    for one in attended:
        played = [(match, sides_of(match)) for match in one.evening.matches if match.hands]
        for player, member in one.whose.items():
            there = [(match, sides[player]) for match, sides in played if player in sides]
            if member is not None and there:
                hands = sum([player in hand.scores for match, _ in there for hand in match.hands])
                won: Figure = sum(
                    [part_of_a_win(match) for match, side in there if side in match.winners]
                )
                for what, figure in zip(OF_THE_CLUB, (1, won, hands), strict=True):
                    many[what][member] = many[what].get(member, 0) + figure
    for what, by_member in many.items():
        most = max(by_member.values(), default=0)
        if most:
            yield Record(what, most, tuple(m for m, n in by_member.items() if n == most))

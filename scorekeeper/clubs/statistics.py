"""What a member did: by game, and for each set of terms by itself, as unlike scores never mix.

Points are those of the hands without the doublings that came from outside them, so that a hand
weighs what was played in it. What a game declares of its hands is counted as it declares it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.hand import OF_THE_CONTRACT, PlayedHand, countable
from scorekeeper.clubs.rankings import Figure, part_of_a_win, whole
from scorekeeper.events.fields import Whole
from scorekeeper.games import GAMES
from scorekeeper.play.facts import HandFact, players_in

FORM: Final = 10  # evenings of which the form is told


class FigureSource(NamedTuple):
    """Where a figure opens: an evening, a match, a hand, and the event with which it began.

    Hand and event are 0 where a whole match is meant.
    """

    session_id: str
    match: int
    hand: int = 0
    seq: int = 0


class HandFigure(NamedTuple):
    """What one hand brought."""

    points: int
    place: FigureSource


class WinningRun(NamedTuple):
    """Matches won one after the other, alone or shared, with the first and the last."""

    matches: int
    first: FigureSource
    last: FigureSource


class EveningForm(NamedTuple):
    """What an evening came to: the points of its hands, and how many they were."""

    session_id: str
    began: str
    points: int
    hands: int

    @property
    def average(self) -> Figure:
        """Points a hand."""
        return whole(Fraction(self.points, self.hands))


@dataclass(slots=True)
class HandTally:
    """Of a given number of hands: how many were won, and in how many nobody was in front."""

    hands: int = 0
    won: int = 0
    level: int = 0

    def add(self, ahead: int) -> None:
        """Take a hand in: above 0 it was won, below 0 lost."""
        self.hands += 1
        self.won += ahead > 0
        self.level += ahead == 0

    @property
    def share(self) -> Fraction:
        """The share that was won, where nobody won half of it; Fraction(0) without hands."""
        return Fraction(2 * self.won + self.level, 2 * self.hands or 1)


@dataclass(slots=True)
class FactFigure:
    """What came of one fact that a game declares, in the hands of which it is known.

    ``sum`` adds a number up, or counts how often it was so; ``most`` is the highest, of a number.
    """

    fact: HandFact
    hands: int = 0
    sum: int = 0
    most: HandFigure | None = None

    @property
    def counted(self) -> bool:
        """Whether it is something that was so or not, and not a number."""
        return not isinstance(self.fact.kind_of_one, Whole)

    def add(self, value: int, place: FigureSource) -> None:
        """Take a hand in."""
        self.hands += 1
        self.sum += value
        if not self.counted and (self.most is None or value > self.most.points):
            self.most = HandFigure(value, place)


@dataclass(slots=True)
class Statistics:
    """A member's figures in one game on one set of terms, over some evenings.

    ``evenings`` are their sessions. ``drawn`` are the matches won together with others. ``parts``
    are how hands went by the part that he had in them, ``bids`` by his bid as the bidder.
    """

    game: str
    terms: str
    evenings: list[str] = field(default_factory=list)
    matches: int = 0
    finished: int = 0
    hands: int = 0
    won: Figure = 0
    drawn: int = 0
    points: int = 0
    best: HandFigure | None = None
    worst: HandFigure | None = None
    run: WinningRun | None = None
    form: list[EveningForm] = field(default_factory=list)
    parts: dict[str, HandTally] = field(default_factory=dict)
    bids: dict[str, HandTally] = field(default_factory=dict)
    facts: dict[str, FactFigure] = field(default_factory=dict)
    open: bool = False
    _run: WinningRun | None = None
    _counted: tuple[HandFact, ...] = ()

    def __post_init__(self) -> None:
        """Look up what the game declares; nothing of one that is not installed."""
        declared = GAMES[self.game].facts.facts if self.game in GAMES else ()
        self._counted = tuple(
            one for one in declared if countable(one) and one.id not in OF_THE_CONTRACT
        )

    @property
    def average(self) -> Figure:
        """Points a hand."""
        return whole(Fraction(self.points, self.hands or 1))

    # ------------------------------------------------------------------------- taking in

    def add(self, one: Attended, player: str, matches: Sequence[PlayedMatch]) -> None:
        """Take in what a player did at an evening."""
        points, hands = self.points, self.hands
        for match in matches:
            self._add_match(one.evening.session_id, match, player)
        self.evenings.append(one.evening.session_id)
        if self.hands > hands:
            form = EveningForm(
                one.evening.session_id, one.evening.began, self.points - points, self.hands - hands
            )
            self.form = [*self.form, form][-FORM:]

    def _add_match(self, session_id: str, match: PlayedMatch, player: str) -> None:
        self.matches += 1
        self.open |= match.open
        side = side_of(match, player)
        if match.winners:
            self.finished += 1
            won = side in match.winners
            self.won += part_of_a_win(match) if won else 0
            self.drawn += won and len(match.winners) > 1
            self._run = self._longer(FigureSource(session_id, match.number)) if won else None
        for hand in match.hands:
            if player in hand.scores:
                place = FigureSource(session_id, match.number, hand.number, hand.seq)
                self._add_hand(match, hand, player, side, place)

    def _longer(self, place: FigureSource) -> WinningRun:
        before = self._run or WinningRun(0, place, place)
        run = WinningRun(before.matches + 1, before.first, place)
        if self.run is None or run.matches > self.run.matches:
            self.run = run
        return run

    def _add_hand(
        self, match: PlayedMatch, hand: PlayedHand, player: str, side: str, place: FigureSource
    ) -> None:
        earned = hand.earned(player)
        self.hands += 1
        self.points += earned
        if self.best is None or earned > self.best.points:
            self.best = HandFigure(earned, place)
        if self.worst is None or earned < self.worst.points:
            self.worst = HandFigure(earned, place)
        part = hand.parts.get(player)
        if part is not None:
            self._add_contract(hand, part)
        for fact in self._counted:
            value = hand.facts.get(fact.id)
            if value is not None:
                self._add_fact(fact, value, player, side, part, place)

    def _add_contract(self, hand: PlayedHand, part: str) -> None:
        made = hand.facts.get("made")
        ahead = 0 if made is None else 1 if made == (part != "defender") else -1
        self.parts.setdefault(part, HandTally()).add(ahead)
        if part == "bidder" and "bid" in hand.facts:
            self.bids.setdefault(str(hand.facts["bid"]), HandTally()).add(ahead)

    def _add_fact(
        self,
        fact: HandFact,
        value: Any,
        player: str,
        side: str,
        part: str | None,
        place: FigureSource,
    ) -> None:
        whom = players_in(value, fact.kind)
        if whom is not None:
            value = player in whom or side in whom
        elif fact.of_sides:
            value = value.get(side)
        elif part != "bidder":
            return
        if value is not None:
            known = self.facts.setdefault(fact.id, FactFigure(fact))
            known.add(int(value), place)


def statistics(member: str, attended: Iterable[Attended]) -> list[Statistics]:
    """What a member did at these evenings, each game and set of terms by itself; most hands first.

    The evenings are in the order in which they were played.
    """
    found: dict[tuple[str, str], Statistics] = {}
    for one, player in played_by(member, attended):
        there: dict[tuple[str, str], list[PlayedMatch]] = {}
        for match in one.evening.matches:
            if match.hands and side_of(match, player):
                there.setdefault((match.game, match.terms), []).append(match)
        for key, matches in there.items():
            if key not in found:
                found[key] = Statistics(*key)
            found[key].add(one, player, matches)
    return sorted(found.values(), key=lambda one: -one.hands)


def played_by(member: str, attended: Iterable[Attended]) -> Iterator[tuple[Attended, str]]:
    """The evenings at which a member was, each with the id that he had there."""
    for one in attended:
        for player, whose in one.whose.items():
            if whose == member:
                yield one, player


def side_of(match: PlayedMatch, player: str) -> str:
    """The side of a player in a match; empty where he did not sit in it."""
    return next((side for side, members in match.sides.items() if player in members), "")

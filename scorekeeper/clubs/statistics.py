"""A member's statistics by game and terms, since unlike scores are never added.

Points are those of the hands without doublings from outside them, so that each hand weighs what was
played in it. The facts of hands are counted as their game declares them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from scorekeeper.base.parts import in_points, simplify
from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import CONTRACT_FACTS, PlayedHand, is_countable
from scorekeeper.clubs.rankings import Figure, compute_win_share, to_number
from scorekeeper.clubs.views import EveningForm, FigureSource, HandFigure, WinningRun
from scorekeeper.events.fields import Whole
from scorekeeper.games import GAMES
from scorekeeper.play.facts import HandFact, players_in

FORM_EVENINGS: Final = 10  # the last evenings, which the form shows


@dataclass(slots=True)
class HandTally:
    """How many of a number of hands were won, and in how many neither side was ahead."""

    hands: int = 0
    won: int = 0
    level: int = 0

    def add(self, ahead: Figure) -> None:
        """Add a hand: it was won if ``ahead`` is positive, and lost if negative."""
        self.hands += 1
        self.won += ahead > 0
        self.level += ahead == 0

    @property
    def share(self) -> Fraction:
        """The share of won hands, where a level hand counts half; Fraction(0) without hands."""
        return Fraction(2 * self.won + self.level, 2 * self.hands or 1)


@dataclass(slots=True)
class FactFigure:
    """The sum of one fact that a game declares, over the hands in which it is known.

    ``sum`` adds up a number, or counts how often the fact was true; ``most`` is the highest number.
    """

    fact: HandFact
    hands: int = 0
    sum: Figure = 0
    most: HandFigure | None = None

    @property
    def counted(self) -> bool:
        """Whether the fact is true or false, and not a number."""
        return not isinstance(self.fact.kind_of_one, Whole)

    def add(self, value: Figure, place: FigureSource) -> None:
        """Add the value of the fact in one hand; `place` is that hand."""
        self.hands += 1
        self.sum += value
        if not self.counted and (self.most is None or value > self.most.points):
            self.most = HandFigure.at(place, value)


@dataclass(slots=True)
class Statistics:
    """A member's figures in one game with the same terms, over some evenings.

    ``evenings`` are ids of sessions and tournaments. ``drawn`` are the matches won together with
    others. ``parts`` are the results by the member's part in a hand, ``bids`` those as bidder by
    bid.
    """

    game: str
    terms: str
    evenings: list[str] = field(default_factory=list)
    matches: int = 0
    finished: int = 0
    hands: int = 0
    won: Figure = 0
    drawn: int = 0
    points: Figure = 0
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
        """Look up the facts that the game declares; none if the game is not installed."""
        declared = GAMES[self.game].facts.facts if self.game in GAMES else ()
        self._counted = tuple(
            fact for fact in declared if is_countable(fact) and fact.id not in CONTRACT_FACTS
        )

    @property
    def average(self) -> Figure:
        """The points per hand; 0 without hands."""
        return simplify(Fraction(self.points, self.hands or 1))

    # ------------------------------------------------------------------------- taking in

    def add(self, attended: AttendedEvening, player: str, matches: Sequence[PlayedMatch]) -> None:
        """Add the matches that a player played at an evening to all figures."""
        points, hands = self.points, self.hands
        for match in matches:
            self._add_match(attended.evening.session_id, match, player)
        if self.evenings[-1:] != [attended.id]:  # tables of a tournament follow one another
            self.evenings.append(attended.id)
        if self.hands > hands:
            form = EveningForm(
                attended.id,
                attended.evening.began or None,
                self.points - points,
                self.hands - hands,
                to_number(Fraction(self.points - points, self.hands - hands)),
            )
            if self.form and self.form[-1].session_id == attended.id:
                form = _join_forms(self.form.pop(), form)
            self.form = [*self.form, form][-FORM_EVENINGS:]

    def _add_match(self, session_id: str, match: PlayedMatch, player: str) -> None:
        """Add a match to the counts of matches, wins and runs, and its hands to theirs."""
        self.matches += 1
        self.open |= match.open
        side = find_side(match, player)
        if match.winners:
            self.finished += 1
            won = side in match.winners
            self.won += compute_win_share(match.winners) if won else 0
            self.drawn += won and len(match.winners) > 1
            self._run = self._extend_run(FigureSource(session_id, match.number)) if won else None
        for hand in match.hands:
            if player in hand.scores:
                place = FigureSource(session_id, match.number, hand.number, hand.seq)
                self._add_hand(match, hand, player, side, place)

    def _extend_run(self, place: FigureSource) -> WinningRun:
        """Return the present run of wins with one more match; it may become the longest."""
        before = self._run or WinningRun(0, place, place)
        run = WinningRun(before.matches + 1, before.first, place)
        if self.run is None or run.matches > self.run.matches:
            self.run = run
        return run

    def _add_hand(
        self, match: PlayedMatch, hand: PlayedHand, player: str, side: str, place: FigureSource
    ) -> None:
        """Add a hand: points, best and worst, the player's part, and its facts."""
        undoubled_score = hand.undoubled_score(player)
        self.hands += 1
        self.points += undoubled_score
        if self.best is None or undoubled_score > self.best.points:
            self.best = HandFigure.at(place, undoubled_score)
        if self.worst is None or undoubled_score < self.worst.points:
            self.worst = HandFigure.at(place, undoubled_score)
        part = hand.parts.get(player)
        if part is not None:
            self._add_contract(hand, part)
        for fact in self._counted:
            value = hand.facts.get(fact.id)
            if value is not None:
                self._add_fact(fact, value, player, side, part, place)

    def _add_contract(self, hand: PlayedHand, part: str) -> None:
        """Add a hand to the results of a part, and for the bidder to those of the bid."""
        is_made = hand.facts.get("made")
        ahead = 0 if is_made is None else 1 if is_made == (part != "defender") else -1
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
        """Add the value of a fact in a hand to its sum, if it concerns the player."""
        players = players_in(value, fact.kind)
        if players is not None:
            value = player in players or side in players
        elif fact.of_sides:
            value = value.get(side)
        elif part != "bidder":
            return
        if value is not None:
            figure = self.facts.setdefault(fact.id, FactFigure(fact))
            kind = fact.kind_of_one
            parts = kind.parts if isinstance(kind, Whole) else 1
            figure.add(in_points(int(value), parts), place)


def _join_forms(form: EveningForm, more: EveningForm) -> EveningForm:
    """Return the result of a tournament with that of one more table."""
    points, hands = form.points + more.points, form.hands + more.hands
    average = to_number(Fraction(points, hands))
    return EveningForm(form.session_id, form.began, points, hands, average)


def compute_statistics(member: str, attended: Iterable[AttendedEvening]) -> list[Statistics]:
    """Return a member's figures at these evenings for each game and terms; most hands first.

    The evenings are given in the order of play.
    """
    by_terms: dict[tuple[str, str], Statistics] = {}
    for attended_evening, player in find_attendances(member, attended):
        matches_by_terms: dict[tuple[str, str], list[PlayedMatch]] = {}
        for match in attended_evening.evening.matches:
            if match.hands and find_side(match, player):
                matches_by_terms.setdefault((match.game, match.terms), []).append(match)
        for key, matches in matches_by_terms.items():
            if key not in by_terms:
                by_terms[key] = Statistics(*key)
            by_terms[key].add(attended_evening, player, matches)
    return sorted(by_terms.values(), key=lambda statistics: -statistics.hands)


def find_attendances(
    member: str, attended: Iterable[AttendedEvening]
) -> Iterator[tuple[AttendedEvening, str]]:
    """Yield the evenings that a member attended, each with their player id of that evening."""
    for attended_evening in attended:
        for player, member_of in attended_evening.member_of.items():
            if member_of == member:
                yield attended_evening, player


def find_side(match: PlayedMatch, player: str) -> str:
    """Return the side of a player in a match; empty if they did not sit in it."""
    return next((side for side, members in match.sides.items() if player in members), "")

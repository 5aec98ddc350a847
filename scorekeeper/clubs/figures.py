"""What an evening brings its members in a season, match by match.

It is counted again only where something that it follows from has changed: when one evening is new,
or an old one is corrected, all others bring what they brought before. A rating follows from all
matches before it: from the first evening that changed on, every match is rated anew.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.rankings import (
    COUNTS,
    Figure,
    GameRatings,
    Rated,
    Ratings,
    Whose,
    part_of_a_win,
)

MOST_COUNTED: Final = 8  # seasons of one club of which it is remembered what evenings brought


class Attended(NamedTuple):
    """An evening with who was there: from each of its players to a member, or to None."""

    evening: PlayedEvening
    whose: Whose


Changes = Mapping[str, tuple[Rated, Rated]]  # from each member in a match to his, before and after


class MatchFigure(NamedTuple):
    """What one match brought a member. ``rated`` is his rating in that game before and after."""

    session_id: str
    match: int
    game: str
    figure: Figure
    total: int
    hands: int
    won: Figure
    open: bool
    rated: tuple[Rated, Rated] | None = None


@dataclass
class EveningFigure:
    """What an evening brought a member, and whether it counts: ``best`` leaves some out.

    It never changes.
    """

    session_id: str
    figure: Figure
    matches: tuple[MatchFigure, ...]
    counted: bool = True

    @cached_property
    def hands(self) -> int:
        """In how many complete hands he took part."""
        return sum([one.hands for one in self.matches])

    @cached_property
    def won(self) -> Figure:
        """How many matches he won, shared ones in parts."""
        return sum([one.won for one in self.matches])

    @cached_property
    def open(self) -> bool:
        """Whether a match of it can still change by itself."""
        return any(one.open for one in self.matches)

    @cached_property
    def left_out(self) -> "EveningFigure":
        """The same, where it does not count."""
        return replace(self, counted=False)

    def rated(self, changes: Mapping[int, Changes], member: str) -> "EveningFigure":
        """The same with other ratings, by match: this is the evening of that member."""
        matches = [MatchFigure(*one[:-1], changes[one.match].get(member)) for one in self.matches]
        return EveningFigure(self.session_id, self.figure, tuple(matches))


Brought = Mapping[str, EveningFigure]  # by member
PlayedEvenings = Sequence[tuple[Attended, Sequence[PlayedMatch]]]


class Counted(NamedTuple):
    """What an evening brought, and what that follows from: its matches, who was who, ratings.

    ``before`` and ``after`` are the ratings of those whom it rated.
    """

    matches: Sequence[PlayedMatch]
    whose: Whose
    before: GameRatings
    after: GameRatings
    brought: Brought


class Counting:
    """What the evenings of one season brought, as they were counted last.

    It may be lost at any time: what it remembers is taken only where counting gives the same.
    """

    def __init__(self) -> None:
        self.ratings = Ratings()  # after all that was counted
        self._ranking: Ranking | None = None
        self._known: dict[str, Counted] = {}

    @property
    def weight(self) -> int:
        """Of how many evenings it remembers what they brought."""
        return len(self._known)

    def count(self, ranking: Ranking, played: PlayedEvenings) -> Iterator[Brought]:
        """What these evenings brought, which are in the order in which they were played."""
        known = self._known if ranking == self._ranking else {}
        self._ranking, self._known, self.ratings = ranking, {}, Ratings()
        for one, matches in played:
            found = known.get(one.evening.session_id)
            if found and not (found.matches == matches and found.whose == one.whose):
                found = None
            if found and self.ratings.are(found.before):
                self.ratings.of.update(found.after)
                found = found._replace(matches=matches, whose=one.whose)
            else:
                found = self._counted(ranking, one, matches, found)
            self._known[one.evening.session_id] = found
            yield found.brought

    def _counted(
        self, ranking: Ranking, one: Attended, matches: Sequence[PlayedMatch], was: Counted | None
    ) -> Counted:
        """What an evening brought; with what it ``was``, where but the ratings are others."""
        before: dict[tuple[str, str], Rated] = {}
        after: dict[tuple[str, str], Rated] = {}
        changes: dict[int, Changes] = {}
        for match in matches if ranking.by == "rating" else ():
            if match.hands:
                changes[match.number] = rated = self.ratings.rate(match, one.whose)
                for member, (then, now) in rated.items():
                    key = match.game, member
                    before.setdefault(key, then)
                    after[key] = now
        brought = (
            _brought(ranking, one, matches, changes) if was is None
            else {who: evening.rated(changes, who) for who, evening in was.brought.items()}
        )  # fmt: skip
        return Counted(matches, one.whose, before, after, brought)


def _brought(
    ranking: Ranking, one: Attended, matches: Sequence[PlayedMatch], changes: Mapping[int, Changes]
) -> Brought:
    """What an evening brought to each member who sat in it."""
    brought: dict[str, list[MatchFigure]] = {}
    for match in matches:
        if match.hands:
            _bring(brought, ranking, one, match, changes.get(match.number, {}))
    session_id = one.evening.session_id
    return {
        member: EveningFigure(session_id, sum([each.figure for each in found]), tuple(found))
        for member, found in brought.items()
    }


def _bring(
    brought: dict[str, list[MatchFigure]], ranking: Ranking, one: Attended, match: PlayedMatch,
    rated: Changes,
) -> None:  # fmt: skip
    """Add what a match brought to each member who sat in it."""
    count = COUNTS.get(ranking.by, COUNTS["wins"])
    figures = count(match, ranking.places or {})
    part = part_of_a_win(match)
    hands = Counter(chain.from_iterable([hand.scores for hand in match.hands]))
    for side, members in match.sides.items():
        total, won = match.totals[side], part if side in match.winners else 0
        for player in members:
            member = one.whose.get(player)
            if member is not None:
                figure = MatchFigure(
                    one.evening.session_id, match.number, match.game, figures[player], total,
                    hands[player], won, match.open, rated.get(member),
                )  # fmt: skip
                brought.setdefault(member, []).append(figure)


class Countings:
    """What the evenings of a club brought in the seasons that were looked at lately."""

    def __init__(self) -> None:
        self._of: OrderedDict[tuple[str, str], Counting] = OrderedDict()

    @property
    def weight(self) -> int:
        """Of how many evenings they remember what they brought."""
        return sum(one.weight for one in self._of.values())

    def of(self, season_id: str, which: str) -> Counting:
        """What is remembered for one of the tables of a season."""
        table = season_id, which
        found = self._of.setdefault(table, Counting())
        self._of.move_to_end(table)
        if len(self._of) > MOST_COUNTED:
            self._of.popitem(last=False)
        return found

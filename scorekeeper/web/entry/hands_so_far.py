"""The sheet of a match as the page of the table shows it: its hands so far, the last one first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.play.match import leaders
from scorekeeper.report.report import match_report
from scorekeeper.report.sheet import Row, Sheet, sheet
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.labels import names_at, side_label
from scorekeeper.web.frame.ring import turned_sides


@dataclass(frozen=True, slots=True)
class Needs:
    """A side in front, of a given number of players, and what it needs to win."""

    name: str
    players: int
    points: int


@dataclass(frozen=True, slots=True)
class HandsSoFar:
    """The sheet of a match, its hands from the last to the first, and what the leaders need.

    ``reasons`` are those of each hand by its number: for whom points are, and why, in words.
    """

    sheet: Sheet
    rows: Sequence[Row]
    reasons: Mapping[int, Sequence[tuple[str, str]]]
    needs: Sequence[Needs]


def hands_so_far(session: Session, match: MatchRecord, me: str | None) -> HandsSoFar:
    """The hands of a match for whoever looks, whose side comes first."""
    found = sheet(match_report(session, match), match, names_at(session))
    found = replace(
        found, columns={one: found.columns[one] for one in turned_sides(match.sides, me)}
    )
    rows = [row for row in found.rows if row.status != "open"]
    reasons = {
        row.hand: list(_reasons(session, hand)) if row.status == "complete" else []
        for row, hand in zip(found.rows, match.hands, strict=True)
    }
    return HandsSoFar(found, rows[::-1], reasons, list(_needs(session, match)))


def _reasons(session: Session, hand: HandRecord) -> Iterator[tuple[str, str]]:
    """The reasons of a hand with whom they are of; what is said of several is said once."""
    names, said = names_at(session), dict[str, list[str]]()
    for line in hand.deal.result.lines:
        text = line.text.say(hand.match.pack.show)
        said.setdefault(text, []).append(side_label(line.side, names, hand.match))
    yield from ((", ".join(sides), text) for text, sides in said.items())


def _needs(session: Session, match: MatchRecord) -> Iterator[Needs]:
    """What those in front need; nothing where nobody plays to a total, or the match is over."""
    goal = match.game.goal(match.options)
    if goal is None or goal.counts == "hands" or match.over:
        return
    names, totals = names_at(session), match.standing().totals
    ahead = leaders(totals)
    for side in ahead:
        if 0 < totals[side] < goal.figure and len(ahead) < len(totals):
            players = len(match.sides[side])
            yield Needs(side_label(side, names, match), players, goal.figure - totals[side])

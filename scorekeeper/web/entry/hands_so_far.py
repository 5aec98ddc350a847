"""The sheet of a match as the page of the table shows it: its hands so far, the last one first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.events.sentences import Voice
from scorekeeper.play.match import leaders
from scorekeeper.report.hand_facts import summary
from scorekeeper.report.report import match_report
from scorekeeper.report.sheet import HandRow, Sheet, sheet
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.labels import names_at, side_label, voice_at
from scorekeeper.web.frame.ring import turned_sides


@dataclass(frozen=True, slots=True)
class SideNeeds:
    """A side in front, of a given number of players, and what it needs to win."""

    name: str
    players: int
    points: int


@dataclass(frozen=True, slots=True)
class HandsSoFar:
    """The sheet of a match, its hands from the last to the first, and what the leaders need.

    ``told`` is what each hand came to by its number: of whom something is said, and what.
    """

    sheet: Sheet
    rows: Sequence[HandRow]
    told: Mapping[int, Sequence[tuple[str, str]]]
    needs: Sequence[SideNeeds]


def hands_so_far(session: Session, match: MatchRecord, me: str | None) -> HandsSoFar:
    """The hands of a match for whoever looks, whose side comes first."""
    found = sheet(match_report(session, match), match, names_at(session))
    found = replace(
        found, columns={one: found.columns[one] for one in turned_sides(match.sides, me)}
    )
    rows = [row for row in found.rows if row.status != "open"]
    voice = voice_at(session, match)
    told = {hand.number: list(told_of(hand, voice)) for hand in match.hands}
    return HandsSoFar(found, rows[::-1], told, list(_needs(session, match)))


def told_of(hand: HandRecord, voice: Voice) -> Iterator[tuple[str, str]]:
    """What a complete hand came to: of whom, and what; what is said of several is said once."""
    said: dict[str, list[str]] = {}
    for one in summary(hand, voice):
        said.setdefault(one.text, []).extend(voice.names.get(whom, whom) for whom in one.about)
    yield from ((", ".join(names), text) for text, names in said.items())


def _needs(session: Session, match: MatchRecord) -> Iterator[SideNeeds]:
    """What those in front need; nothing where nobody plays to a total, or the match is over."""
    goal = match.game.goal(match.options)
    if goal is None or goal.counts == "hands" or match.over:
        return
    names, totals = names_at(session), match.standing().totals
    ahead = leaders(totals)
    for side in ahead:
        if 0 < totals[side] < goal.figure and len(ahead) < len(totals):
            players = len(match.sides[side])
            yield SideNeeds(side_label(side, names, match), players, goal.figure - totals[side])

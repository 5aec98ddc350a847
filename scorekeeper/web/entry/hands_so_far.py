"""The score sheet of a match on the page of the table: its hands so far, the last one first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.sentences import Voice
from scorekeeper.play.match import leaders
from scorekeeper.report.hand_facts import summarize_hand
from scorekeeper.report.report import view_match
from scorekeeper.report.sheet import HandRow, Sheet, make_sheet
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.forms.scene import names_at, side_label, voice_at
from scorekeeper.web.frame.ring import sides_starting_with


@dataclass(frozen=True, slots=True)
class SideNeeds:
    """A leading side, the number of its players, and the points that it needs to win."""

    name: str
    players: int
    points: ExactPoints


@dataclass(frozen=True, slots=True)
class HandsSoFar:
    """The sheet of a match, its hands from the last to the first, and what the leaders need.

    ``summaries`` has the summary lines of each hand by its number: the names concerned, and the
    text.
    """

    sheet: Sheet
    rows: Sequence[HandRow]
    summaries: Mapping[int, Sequence[tuple[str, str]]]
    needs: Sequence[SideNeeds]


def hands_so_far(session: Session, match: MatchRecord, me: str | None) -> HandsSoFar:
    """Return the hands of a match for the player ``me``, whose side comes first."""
    table = make_sheet(view_match(session, match), match, names_at(session))
    table = replace(
        table, columns={side: table.columns[side] for side in sides_starting_with(match.sides, me)}
    )
    rows = [row for row in table.rows if row.status != "open"]
    voice = voice_at(session, match)
    summaries = {hand.number: list(summary_lines(hand, voice, me)) for hand in match.hands}
    return HandsSoFar(table, rows[::-1], summaries, list(_points_needed(session, match)))


def summary_lines(hand: HandRecord, voice: Voice, me: str | None) -> Iterator[tuple[str, str]]:
    """Yield the summary lines of a complete hand: names and text; equal texts are joined.

    Joined names stand in the order of the seats, from the player ``me``.
    """
    sides = hand.match.sides
    order = [one for side in sides_starting_with(sides, me) for one in (side, *sides[side])]
    ids_by_text: dict[str, list[str]] = {}
    for line in summarize_hand(hand, voice):
        ids_by_text.setdefault(line.text, []).extend(line.about)
    for text, ids in ids_by_text.items():
        seated = sorted(ids, key=lambda one: order.index(one) if one in order else -1)
        yield ", ".join(voice.names.get(one, one) for one in seated), text


def _points_needed(session: Session, match: MatchRecord) -> Iterator[SideNeeds]:
    """Yield for each leading side how many points it needs to win.

    Yields nothing if the match is over, has no total to reach, or all sides are equal.
    """
    goal = match.game.goal(match.options)
    if goal is None or goal.counts == "hands" or match.over:
        return
    names, totals = names_at(session), match.standing().totals
    ahead = leaders(totals)
    for side in ahead:
        if 0 < totals[side] < goal.figure and len(ahead) < len(totals):
            players = len(match.sides[side])
            yield SideNeeds(side_label(side, names, match), players, goal.figure - totals[side])

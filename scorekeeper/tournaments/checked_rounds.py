"""A round that could be drawn, checked against its tournament: what is wrong, and who meets again.

It changes nothing: the director looks at it before the round is drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare, to_json_values
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.replayed import copy_state
from scorekeeper.log.writing import as_json
from scorekeeper.tournaments.draws.draw import PARTNER_PLACES, PARTNERS
from scorekeeper.tournaments.events import RoundDrawn
from scorekeeper.tournaments.parts import DrawGenerator
from scorekeeper.tournaments.proposals import FIRST_ROUND, VERSION, find_stage
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.state import TournamentState

SEATS_WITH_PARTNERS: Final = 4
BY_HAND: Final = "by_hand"

EntrantIds = tuple[str, str]


class RoundProblem(NamedTuple):
    """A problem of a round; ``wrong`` is whether it cannot be drawn so."""

    text: str
    wrong: bool


class RepeatedMeeting(NamedTuple):
    """Two entrants who would meet again, and the rounds of the stage in which they met."""

    entrants: EntrantIds
    rounds: tuple[int, ...]


def list_problems(state: TournamentState, drawn: RoundDrawn) -> list[RoundProblem]:
    """Return what is wrong or unfair with a round, if it were drawn next."""
    problems = list[RoundProblem]()
    try:
        copy_state(state).apply(Entry(0, drawn, by="keeper"))
    except UnusableError as error:
        problems.append(RoundProblem(error.reason, wrong=True))
    placed = {entrant for table in drawn.tables for entrant in table} | set(drawn.byes)
    problems += [
        RoundProblem(
            Cause(
                f"{entrant.name} is at no table and does not sit out", "nowhere", name=entrant.name
            ),
            wrong=False,
        )
        for entrant in state.list_drawable(drawn.round)
        if entrant.id not in placed and _is_expected(state, drawn, entrant.id)
    ]
    problems += _list_group_meetings(state, drawn)
    return [*problems, *_list_unfair_byes(state, drawn, placed)]


def _list_group_meetings(record: TournamentRecord, drawn: RoundDrawn) -> Iterator[RoundProblem]:
    """Yield the problem that entrants of one group meet, where they should not."""
    apart = record.opening.apart
    if apart is None or (apart == FIRST_ROUND and drawn.round > 1):
        return
    known = record.entrants
    pairs = [
        (known[one], known[other])
        for table in drawn.tables
        for one, other in combinations([each for each in table if each in known], 2)
        if known[one].group is not None and known[one].group == known[other].group
    ]
    if pairs:
        one, other = pairs[0]
        words = f"{len(pairs)} pairs of one group meet, such as {one.name} and {other.name}"
        facts = {"pairs": len(pairs), "one": one.name, "other": other.name}
        yield RoundProblem(Cause(words, "group_meets", **facts), wrong=False)


def _is_expected(record: TournamentRecord, drawn: RoundDrawn, entrant: str) -> bool:
    """Return whether an entrant belongs to a round; after the first stage, as in its rounds."""
    before = [other for other in record.rounds.values()
              if other.stage == drawn.stage and other.number < drawn.round]  # fmt: skip
    there = any(entrant in (*other.list_seated(), *other.byes) for other in before)
    return there or drawn.stage == 1


def _list_unfair_byes(
    record: TournamentRecord, drawn: RoundDrawn, placed: set[str]
) -> Iterator[RoundProblem]:
    """Yield each bye for an entrant who has had more than another who plays."""
    had = dict.fromkeys(sorted(placed & record.entrants.keys()), 0)
    for other in record.rounds.values():
        if other.published and other.number != drawn.round:
            for entrant in other.byes:
                had[entrant] = had.get(entrant, 0) + 1
    fewest = min((had[entrant] for table in drawn.tables for entrant in table if entrant in had),
                 default=0)  # fmt: skip
    for entrant in drawn.byes:
        if entrant in record.entrants and had.get(entrant, 0) > fewest:
            name = record.entrants[entrant].name
            words = f"{name} sits out again before all others have sat out"
            yield RoundProblem(Cause(words, "sits_out_again", name=name), wrong=False)


def list_meetings(record: TournamentRecord, drawn: RoundDrawn) -> list[RepeatedMeeting]:
    """Return who would meet again in the stage; in a draw of partners, who would play together."""
    draws = [stage.draw for stage in record.stages[drawn.stage - 1 : drawn.stage]]
    partners = PARTNERS in draws
    rounds_of: dict[EntrantIds, list[int]] = {}
    for other in record.rounds.values():
        if other.published and other.stage == drawn.stage and other.number != drawn.round:
            for pair in _list_pairs(other.tables, partners=partners):
                rounds_of.setdefault(pair, []).append(other.number)
    pairs = _list_pairs(drawn.tables, partners=partners)
    return [RepeatedMeeting(pair, tuple(rounds_of[pair])) for pair in pairs if pair in rounds_of]


def _list_pairs(tables: Sequence[Sequence[str]], *, partners: bool) -> Iterator[EntrantIds]:
    """Yield the pairs who meet at tables, or with ``partners`` those who play together."""
    for table in tables:
        if partners and len(table) == SEATS_WITH_PARTNERS:
            pairs = [(table[one], table[other]) for one, other in PARTNER_PLACES]
        else:
            pairs = list(combinations(table, 2))
        yield from ((min(pair), max(pair)) for pair in pairs)


# ------------------------------------------------------------------------------------- as JSON


@dataclass(frozen=True, slots=True)
class RoundProblemView(DeclaredView):
    """A problem of a round that could be drawn."""

    text: str = declare("the problem, in words")
    wrong: bool = declare("true if the round cannot be drawn so")


@dataclass(frozen=True, slots=True)
class RepeatedMeetingView(DeclaredView):
    """Two entrants who would meet again."""

    entrants: Sequence[str] = declare("their ids")
    rounds: Sequence[int] = declare("the rounds of the stage in which they met")


@dataclass(frozen=True, slots=True)
class ProposedRoundView(DeclaredView):
    """A round that could be drawn; nothing is recorded by it."""

    draw: JsonObject = declare("the data of the `round_drawn` that records it")
    meetings: Sequence[RepeatedMeetingView] = declare(
        "who would meet again; in a draw of partners, who would play together again"
    )
    problems: Sequence[RoundProblemView] = declare("what is wrong or unfair")


def encode_checked_round(state: TournamentState, drawn: RoundDrawn) -> bytes:
    """Return a round with who meets again and its problems, as JSON."""
    view = ProposedRoundView(
        codec.encode(drawn),
        [RepeatedMeetingView(*meeting) for meeting in list_meetings(state, drawn)],
        [RoundProblemView(*problem) for problem in list_problems(state, drawn)],
    )
    return as_json(to_json_values(view))


def make_round_by_hand(
    record: TournamentRecord, number: int, tables: Sequence[Sequence[str]], byes: Sequence[str]
) -> RoundDrawn:
    """Return the event of a round that was drawn by hand. Raises `UnusableError` if it is over."""
    before = record.rounds.get(number)
    stage = before.stage if before is not None else find_stage(record, number)
    generator = DrawGenerator(BY_HAND, VERSION, 0)
    return RoundDrawn(stage, number, tuple(map(tuple, tables)), tuple(byes), generator, {})

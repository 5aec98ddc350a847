"""A member's figures by game and terms, and with and against each other member."""

from collections.abc import Iterable, Sequence

from scorekeeper.clubs.evening import read_terms
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.meetings import (
    MIN_HANDS,
    Meeting,
    count_meetings,
    find_best_partners,
    find_nemeses,
)
from scorekeeper.clubs.rankings import DECIMALS, to_number
from scorekeeper.clubs.statistics import FactFigure, HandTally, Statistics, compute_statistics
from scorekeeper.clubs.views import (
    FactView,
    GameFiguresView,
    MeetingView,
    MemberFiguresView,
    Names,
    TallyView,
    describe_member,
    has_left,
    is_guest,
)


def view_member(
    member_id: str, attended: Sequence[AttendedEvening], names: Names
) -> MemberFiguresView:
    """Return the figures of a member at these evenings, given in the order of play."""
    games = compute_statistics(member_id, attended)
    met = count_meetings(member_id, attended)
    return MemberFiguresView(
        member=member_id,
        name=names.get(member_id, member_id),
        left=has_left(names, member_id),
        guest=is_guest(names, member_id),
        evenings=len({session_id for game in games for session_id in game.evenings}),
        matches=sum(game.matches for game in games),
        hands=sum(game.hands for game in games),
        won=to_number(sum((game.won for game in games), 0)),
        games=[_view_game(game) for game in games],
        met=_view_meetings(met.values(), names),
        best_partners=_view_meetings(find_best_partners(met.values()), names),
        nemeses=_view_meetings(find_nemeses(met.values()), names),
        enough_hands=MIN_HANDS,
    )


def _view_game(statistics: Statistics) -> GameFiguresView:
    """Return a member's statistics in one game, with its terms."""
    rules, options = read_terms(statistics.terms)
    parts = {part: statistics.parts[part] for part in PARTS if part in statistics.parts}
    return GameFiguresView(
        game=statistics.game,
        rules=rules,
        options=options,
        evenings=len(statistics.evenings),
        matches=statistics.matches,
        finished=statistics.finished,
        hands=statistics.hands,
        won=to_number(statistics.won),
        drawn=statistics.drawn,
        points=statistics.points,
        points_a_hand=to_number(statistics.average),
        best=statistics.best,
        worst=statistics.worst,
        longest_run=statistics.run,
        form=statistics.form,
        parts={part: _view_tally(tally) for part, tally in parts.items()},
        bids={bid: _view_tally(tally) for bid, tally in statistics.bids.items()},
        facts=[_view_fact(fact) for fact in statistics.facts.values()],
        provisional=statistics.open,
    )


def _view_tally(tally: HandTally) -> TallyView:
    """Return the numbers of hands, won and level ones, and the share of won ones."""
    share = round(float(tally.share), DECIMALS)
    return TallyView(tally.hands, tally.won, tally.level, share)


def _view_fact(summed: FactFigure) -> FactView:
    """Return the sum of a fact: how often it was true, or its average and maximum."""
    fact = summed.fact
    if summed.counted:
        return FactView(fact.id, fact.label, summed.hands, times=int(summed.sum))
    average = round(float(summed.sum / summed.hands), DECIMALS)
    return FactView(fact.id, fact.label, summed.hands, average=average, most=summed.most)


def _view_meetings(meetings: Iterable[Meeting], names: Names) -> list[MeetingView]:
    """Return a member's results with and against other members, with their names."""
    return [
        MeetingView(
            *describe_member(meeting.other, names),
            meeting.hands,
            _view_tally(meeting.together),
            _view_tally(meeting.against),
        )
        for meeting in meetings
    ]

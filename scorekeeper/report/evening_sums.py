"""The sums of an evening: matches of one game with the same scoring options, added up by player.

The players may change from match to match. Points of other games or options are never added (G10).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.report.payments import add_balances, compute_payments
from scorekeeper.report.settlement import get_counted_unit, settle_matches
from scorekeeper.report.sheet import is_played
from scorekeeper.report.views import MatchView, PaymentView, ReportView, SettlementView
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session


class SummedPlayer(NamedTuple):
    """A player in the sum of several matches: rank, matches played and won, and the total score."""

    rank: int
    player: str
    matches: int
    won: int
    total: ExactPoints


@dataclass(frozen=True, slots=True)
class EveningSum:
    """Several matches of one game with the same scoring options, added up.

    ``counts`` is the unit of the totals: ``points``, ``hands`` won or ``games`` won. ``payments``
    settle the matches that are ``paid`` in this unit: those that are not played for money.
    ``provisional`` is whether any of it may still change.
    """

    game: str
    name: str
    counts: str
    matches: Sequence[int]
    players: Sequence[SummedPlayer]
    paid: Sequence[int]
    payments: Sequence[PaymentView]
    provisional: bool


class _SettledMatch(NamedTuple):
    """A match with a result: its report, its record, and its settlement."""

    view: MatchView
    record: MatchRecord
    settlement: SettlementView


def describe_terms(match: MatchRecord) -> str:
    """Return a text that is equal for two matches exactly if their scores can be added up."""
    options: JsonObject = match.game.book.scoring(match.options)
    terms = [match.game.id, match.game.version, options]
    return json.dumps(terms, sort_keys=True, separators=(",", ":"))


def sum_evening(session: Session, report: ReportView) -> list[EveningSum]:
    """Return the sums of all matches that can be added up with another one, in order of play.

    A match without a complete hand has no result, and is left out.
    """
    groups: dict[tuple[str, str], list[_SettledMatch]] = {}
    settled = settle_matches(session, report)
    for match in map(_SettledMatch, report.matches, session.structure.matches, settled):
        if is_played(match.view):
            key = describe_terms(match.record), get_counted_unit(match.record)
            groups.setdefault(key, []).append(match)
    return [_add_up(matches) for matches in groups.values() if len(matches) > 1]


def list_summed_matches(sums: Sequence[EveningSum]) -> set[int]:
    """Return the numbers of the matches that are settled in points by the sum of several."""
    return {number for each in sums for number in each.paid}


def _add_up(matches: Sequence[_SettledMatch]) -> EveningSum:
    """Return the sum of matches with the same terms."""
    record = matches[0].record
    paid = [match for match in matches if match.record.stake is None]
    balances = add_balances(match.settlement.balances for match in paid)
    return EveningSum(
        record.game.id,
        record.game.name,
        get_counted_unit(record),
        [match.record.number for match in matches],
        _rank_players(matches),
        [match.record.number for match in paid],
        compute_payments(balances),
        any(match.settlement.doubts for match in matches),
    )


def _rank_players(matches: Sequence[_SettledMatch]) -> list[SummedPlayer]:
    """Return the players of the matches, the highest total first; equal totals share a rank."""
    totals: dict[str, ExactPoints] = {}
    played: dict[str, int] = {}
    won: dict[str, int] = {}
    for match in matches:
        for side, members in match.view.sides.items():
            for player in members:
                totals[player] = totals.get(player, 0) + match.view.totals[side]
                played[player] = played.get(player, 0) + 1
                won[player] = won.get(player, 0) + (side in match.view.winners)
    return [
        SummedPlayer(_rank(totals, player), player, played[player], won[player], totals[player])
        for player in sorted(totals, key=lambda player: -totals[player])
    ]


def _rank(totals: Mapping[str, ExactPoints], player: str) -> int:
    """Return the rank of a player by total."""
    return 1 + sum(total > totals[player] for total in totals.values())

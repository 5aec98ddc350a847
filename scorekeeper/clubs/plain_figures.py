"""The figures of a club as plain values for JSON: a member, the records, the money, a season.

Every figure has its place: the session, and for a hand also the match, number and first event.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.views import to_json_values
from scorekeeper.clubs import records as club_records
from scorekeeper.clubs.closed import ClosedSeason, MovedMember
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.ledger import EveningMoney, Ledger, MatchMoney
from scorekeeper.clubs.meetings import (
    MIN_HANDS,
    Meeting,
    count_meetings,
    find_best_partners,
    find_nemeses,
)
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import PLACES, build_table, encode_table, to_number
from scorekeeper.clubs.state import Season
from scorekeeper.clubs.statistics import (
    FactFigure,
    FigureSource,
    HandFigure,
    HandTally,
    Statistics,
    WinningRun,
    compute_statistics,
)

Names = Mapping[str, str]
Plain = dict[str, Any]


def _place_values(source: FigureSource) -> Plain:
    """Return the session, match, and for a hand the hand and event, that a figure comes from."""
    if not source.hand:
        return {"session": source.session_id, "match": source.match}
    return {
        "session": source.session_id,
        "match": source.match,
        "hand": source.hand,
        "event": source.seq,
    }


def _named_member(member: str, names: Names) -> Plain:
    """Return the id and the name of a member."""
    return {"member": member, "name": names.get(member, member)}


def _terms_values(game: str, terms: str) -> Plain:
    """Return a game, its version and its scoring options, from the terms of a match."""
    _game, version, options = json.loads(terms)
    return {"game": game, "rules": version, "options": options}


# ------------------------------------------------------------------------------------- a member


def describe_member(member_id: str, attended: Sequence[AttendedEvening], names: Names) -> Plain:
    """Return the figures of a member at these evenings, given in the order of play."""
    games = compute_statistics(member_id, attended)
    met = count_meetings(member_id, attended)
    sessions = {session_id for game in games for session_id in game.evenings}
    return {
        **_named_member(member_id, names),
        "evenings": len(sessions),
        "matches": sum(game.matches for game in games),
        "hands": sum(game.hands for game in games),
        "won": to_number(sum((game.won for game in games), 0)),
        "games": [_game_values(game) for game in games],
        "met": [_meeting_values(game, names) for game in met.values()],
        "best_partners": _list_meetings(find_best_partners(met.values()), names),
        "nemeses": _list_meetings(find_nemeses(met.values()), names),
        "enough_hands": MIN_HANDS,
    }


def _game_values(statistics: Statistics) -> Plain:
    """Return a member's statistics in one game, with its terms."""
    return {
        **_terms_values(statistics.game, statistics.terms),
        "evenings": len(statistics.evenings),
        "matches": statistics.matches,
        "finished": statistics.finished,
        "hands": statistics.hands,
        "won": to_number(statistics.won),
        "drawn": statistics.drawn,
        "points": statistics.points,
        "points_a_hand": to_number(statistics.average),
        "best": _hand_values(statistics.best),
        "worst": _hand_values(statistics.worst),
        "longest_run": _run_values(statistics.run),
        "form": [
            {"session": form.session_id, "began": form.began or None, "points": form.points,
             "hands": form.hands, "points_a_hand": to_number(form.average)}
            for form in statistics.form
        ],
        "parts": {
            part: _tally_values(statistics.parts[part])
            for part in PARTS
            if part in statistics.parts
        },
        "bids": {bid: _tally_values(tally) for bid, tally in statistics.bids.items()},
        "facts": [_fact_values(fact) for fact in statistics.facts.values()],
        "provisional": statistics.open,
    }  # fmt: skip


def _hand_values(hand_figure: HandFigure | None) -> Plain | None:
    """Return the points and the place of a hand; None without a hand."""
    return hand_figure and {"points": hand_figure.points, **_place_values(hand_figure.place)}


def _run_values(run: WinningRun | None) -> Plain | None:
    """Return a series of won matches with the first and last; None without one."""
    return run and {
        "matches": run.matches, "from": _place_values(run.first), "to": _place_values(run.last),
    }  # fmt: skip


def _tally_values(tally: HandTally) -> Plain:
    """Return the numbers of hands, won and level ones, and the share of won ones."""
    share = round(float(tally.share), PLACES)
    return {"hands": tally.hands, "won": tally.won, "level": tally.level, "share": share}


def _fact_values(fact_figure: FactFigure) -> Plain:
    """Return the sum of a fact: how often it was true, or its average and maximum."""
    values: Plain = {
        "fact": fact_figure.fact.id,
        "label": fact_figure.fact.label,
        "hands": fact_figure.hands,
    }
    if fact_figure.counted:
        return {**values, "times": fact_figure.sum}
    return {
        **values,
        "average": round(fact_figure.sum / fact_figure.hands, PLACES),
        "most": _hand_values(fact_figure.most),
    }


def _meeting_values(meeting: Meeting, names: Names) -> Plain:
    """Return a member's results with and against another member."""
    values = {
        "together": _tally_values(meeting.together),
        "against": _tally_values(meeting.against),
    }
    return {**_named_member(meeting.other, names), "hands": meeting.hands, **values}


def _list_meetings(meetings: Iterable[Meeting], names: Names) -> list[Plain]:
    """Return these results with and against other members."""
    return [_meeting_values(meeting, names) for meeting in meetings]


# ----------------------------------------------------------------------------------- the records


def describe_records(attended: Sequence[AttendedEvening], names: Names) -> Plain:
    """Return the records of these evenings, given in the order of play."""
    return {
        "games": [
            {**_terms_values(record.game, record.terms),
             "records": [_record_values(record.records[what], names)
                         for what in club_records.GAME_RECORDS if what in record.records]}
            for record in club_records.find_game_records(attended)
        ],
        "club": [
            _record_values(record, names) for record in club_records.find_club_records(attended)
        ],
    }  # fmt: skip


def _record_values(record: club_records.Record, names: Names) -> Plain:
    """Return a record: what it is, its figure, its members, and its place."""
    return {
        "what": record.what,
        "figure": to_number(record.figure),
        "members": [_named_member(member, names) for member in record.members],
        "place": record.place and _place_values(record.place),
    }


# ------------------------------------------------------------------------------------- the money


def describe_money(ledgers: Iterable[Ledger], names: Names) -> list[Plain]:
    """Return the money of a club, each currency apart; amounts are in minor units."""
    return [_ledger_values(ledger, names) for ledger in ledgers]


def _ledger_values(ledger: Ledger, names: Names) -> Plain:
    """Return the money of a club in one currency: balances, payments and evenings."""
    all_names = {**names, **ledger.guests}
    return {
        "currency": ledger.currency,
        "digits": MINOR_DIGITS[ledger.currency],
        "balances": [
            {"account": account, "name": all_names.get(account, account), "amount": amount,
             "guest": account in ledger.guests}
            for account, amount in sorted(ledger.balances.items(), key=lambda item: -item[1])
        ],
        "payments": [
            {**values, "from_name": all_names.get(values["from"], values["from"]),
             "to_name": all_names.get(values["to"], values["to"])}
            for values in map(to_json_values, ledger.payments)
        ],
        "fewest": ledger.fewest,
        "provisional": ledger.open,
        "evenings": [_evening_values(evening) for evening in ledger.evenings],
        "paid": [
            {"from": paid.payer, "from_name": all_names.get(paid.payer, paid.payer),
             "to": paid.payee, "to_name": all_names.get(paid.payee, paid.payee),
             "amount": paid.amount, "note": paid.note, "at": paid.at or None, "event": paid.seq}
            for paid in ledger.paid
        ],
    }  # fmt: skip


def _evening_values(evening: EveningMoney) -> Plain:
    """Return the money of an evening: balances by account, and the matches."""
    return {
        "session": evening.session_id,
        "began": evening.began or None,
        "balances": dict(evening.balances),
        "matches": [_match_values(match) for match in evening.matches],
        "provisional": evening.open,
    }


def _match_values(match_money: MatchMoney) -> Plain:
    """Return the money of a match: sides, balances, and its sources."""
    return {
        "match": match_money.match,
        "sides": {side: list(members) for side, members in match_money.sides.items()},
        "balances": dict(match_money.money.balances),
        "made_of": [item._asdict() for item in match_money.money.made_of],
        "odd": list(match_money.money.odd),
        "provisional": match_money.money.open,
    }


# ---------------------------------------------------------------------------------- a season


def describe_season(snapshot: ClubSnapshot, season: Season) -> Plain:
    """Return the table of a season; for a closed season with the corrections after the close."""
    if season.heads is None:
        return build_table(snapshot.compute_standings(season), snapshot.names)
    return describe_closed_season(snapshot.compare_closed(season), snapshot.names)


def describe_closed_season(closed_season: ClosedSeason, names: Names) -> Plain:
    """Return the final table of a closed season, with the corrections after the close beside it."""
    return {**build_table(closed_season.final, names), **_after_the_close(closed_season, names)}


def encode_season(snapshot: ClubSnapshot, season: Season) -> bytes:
    """Return the values of :func:`describe_season` as JSON."""
    if season.heads is None:
        return encode_table(snapshot.compute_standings(season), snapshot.names)
    closed_season = snapshot.compare_closed(season)
    return encode_table(
        closed_season.final, snapshot.names, _after_the_close(closed_season, snapshot.names)
    )


def _after_the_close(closed_season: ClosedSeason, names: Names) -> Plain:
    """Return the changes of a season after its close, under `after_the_close`."""
    return {
        "after_the_close": {
            "changed": list(closed_season.changed),
            "withdrawn": list(closed_season.withdrawn),
            "entered": list(closed_season.entered),
            "lost": list(closed_season.lost),
            "moved": [_moved_values(move, names) for move in closed_season.moved],
        },
    }


def _moved_values(moved_member: MovedMember, names: Names) -> Plain:
    """Return the figure and place of a member at the close of a season and now."""
    return {
        **_named_member(moved_member.member, names),
        "figure": moved_member.figure
        if moved_member.figure is None
        else to_number(moved_member.figure),
        "place": moved_member.place,
        "figure_now": moved_member.figure_now
        if moved_member.figure_now is None
        else to_number(moved_member.figure_now),
        "place_now": moved_member.place_now,
    }

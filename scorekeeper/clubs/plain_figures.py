"""The figures of a club as plain values, ready for JSON: a member, the records, the money.

Every figure names where it opens: the evening, and of a hand its match, number and first event.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.clubs import records as kept
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.closed import Closed, MovedMember
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.ledger import EveningMoney, Ledger, MatchMoney
from scorekeeper.clubs.meetings import ENOUGH, Meeting, best_partners, meetings, nemeses
from scorekeeper.clubs.roll import Season
from scorekeeper.clubs.standings import PLACES, number, table, table_json
from scorekeeper.clubs.statistics import (
    FactFigure,
    FigureSource,
    HandFigure,
    HandTally,
    Statistics,
    WinningRun,
    statistics,
)
from scorekeeper.report.settlement import tell_payments

Names = Mapping[str, str]
Plain = dict[str, Any]


def _place(one: FigureSource) -> Plain:
    if not one.hand:
        return {"session": one.session_id, "match": one.match}
    return {"session": one.session_id, "match": one.match, "hand": one.hand, "event": one.seq}


def _who(member: str, names: Names) -> Plain:
    return {"member": member, "name": names.get(member, member)}


def _terms(game: str, terms: str) -> Plain:
    """A game and what its scores depend on, as the terms of a match say it."""
    _game, version, options = json.loads(terms)
    return {"game": game, "rules": version, "options": options}


# ------------------------------------------------------------------------------------- a member


def member(of: str, attended: Sequence[Attended], names: Names) -> Plain:
    """What a member did at these evenings, which are in the order in which they were played."""
    games = statistics(of, attended)
    met = meetings(of, attended)
    there = {session_id for game in games for session_id in game.evenings}
    return {
        **_who(of, names),
        "evenings": len(there),
        "matches": sum(one.matches for one in games),
        "hands": sum(one.hands for one in games),
        "won": number(sum((one.won for one in games), 0)),
        "games": [_game(one) for one in games],
        "met": [_meeting(one, names) for one in met.values()],
        "best_partners": _named(best_partners(met.values()), names),
        "nemeses": _named(nemeses(met.values()), names),
        "enough_hands": ENOUGH,
    }


def _game(one: Statistics) -> Plain:
    return {
        **_terms(one.game, one.terms),
        "evenings": len(one.evenings),
        "matches": one.matches,
        "finished": one.finished,
        "hands": one.hands,
        "won": number(one.won),
        "drawn": one.drawn,
        "points": one.points,
        "points_a_hand": number(one.average),
        "best": _hand(one.best),
        "worst": _hand(one.worst),
        "longest_run": _run(one.run),
        "form": [
            {"session": form.session_id, "began": form.began or None, "points": form.points,
             "hands": form.hands, "points_a_hand": number(form.average)}
            for form in one.form
        ],
        "parts": {part: _tally(one.parts[part]) for part in PARTS if part in one.parts},
        "bids": {bid: _tally(tally) for bid, tally in one.bids.items()},
        "facts": [_fact(fact) for fact in one.facts.values()],
        "provisional": one.open,
    }  # fmt: skip


def _hand(one: HandFigure | None) -> Plain | None:
    return one and {"points": one.points, **_place(one.place)}


def _run(one: WinningRun | None) -> Plain | None:
    return one and {
        "matches": one.matches, "from": _place(one.first), "to": _place(one.last),
    }  # fmt: skip


def _tally(one: HandTally) -> Plain:
    share = round(float(one.share), PLACES)
    return {"hands": one.hands, "won": one.won, "level": one.level, "share": share}


def _fact(one: FactFigure) -> Plain:
    told: Plain = {"fact": one.fact.id, "label": one.fact.label, "hands": one.hands}
    if one.counted:
        return {**told, "times": one.sum}
    return {**told, "average": round(one.sum / one.hands, PLACES), "most": _hand(one.most)}


def _meeting(one: Meeting, names: Names) -> Plain:
    told = {"together": _tally(one.together), "against": _tally(one.against)}
    return {**_who(one.other, names), "hands": one.hands, **told}


def _named(some: Iterable[Meeting], names: Names) -> list[Plain]:
    return [_meeting(one, names) for one in some]


# ----------------------------------------------------------------------------------- the records


def records(attended: Sequence[Attended], names: Names) -> Plain:
    """What nobody has surpassed at these evenings, in the order in which they were played."""
    return {
        "games": [
            {**_terms(one.game, one.terms),
             "records": [_surpassed(one.records[what], names)
                         for what in kept.OF_A_GAME if what in one.records]}
            for one in kept.records(attended)
        ],
        "club": [_surpassed(one, names) for one in kept.of_the_club(attended)],
    }  # fmt: skip


def _surpassed(one: kept.Record, names: Names) -> Plain:
    return {
        "what": one.what,
        "figure": number(one.figure),
        "members": [_who(member, names) for member in one.members],
        "place": one.place and _place(one.place),
    }


# ------------------------------------------------------------------------------------- the money


def money(ledgers: Iterable[Ledger], names: Names) -> list[Plain]:
    """The money of a club, each currency by itself; amounts in minor units."""
    return [_ledger(one, names) for one in ledgers]


def _ledger(one: Ledger, names: Names) -> Plain:
    called = {**names, **one.guests}
    return {
        "currency": one.currency,
        "digits": MINOR_DIGITS[one.currency],
        "balances": [
            {"account": account, "name": called.get(account, account), "amount": amount,
             "guest": account in one.guests}
            for account, amount in sorted(one.balances.items(), key=lambda item: -item[1])
        ],
        "payments": [
            {**told, "from_name": called.get(told["from"], told["from"]),
             "to_name": called.get(told["to"], told["to"])}
            for told in tell_payments(one.payments)
        ],
        "fewest": one.fewest,
        "provisional": one.open,
        "evenings": [_evening(evening) for evening in one.evenings],
        "paid": [
            {"from": paid.payer, "from_name": called.get(paid.payer, paid.payer),
             "to": paid.payee, "to_name": called.get(paid.payee, paid.payee),
             "amount": paid.amount, "note": paid.note, "at": paid.at or None, "event": paid.seq}
            for paid in one.paid
        ],
    }  # fmt: skip


def _evening(one: EveningMoney) -> Plain:
    return {
        "session": one.session_id,
        "began": one.began or None,
        "balances": dict(one.balances),
        "matches": [_match(match) for match in one.matches],
        "provisional": one.open,
    }


def _match(one: MatchMoney) -> Plain:
    return {
        "match": one.match,
        "sides": {side: list(members) for side, members in one.sides.items()},
        "balances": dict(one.money.balances),
        "made_of": [due._asdict() for due in one.money.made_of],
        "odd": list(one.money.odd),
        "provisional": one.money.open,
    }


# ---------------------------------------------------------------------------------- a season


def season(books: Books, of: Season) -> Plain:
    """The table of a season of a club; of a closed one with what was corrected after the close."""
    if of.heads is None:
        return table(books.standings(of), books.names)
    return closed(books.closed(of), books.names)


def closed(made: Closed, names: Names) -> Plain:
    """The final table of a closed season, with what was corrected after the close beside it."""
    return {**table(made.final, names), **_after(made, names)}


def season_json(books: Books, of: Season) -> bytes:
    """:func:`season` as JSON."""
    if of.heads is None:
        return table_json(books.standings(of), books.names)
    made = books.closed(of)
    return table_json(made.final, books.names, _after(made, books.names))


def _after(made: Closed, names: Names) -> Plain:
    return {
        "after_the_close": {
            "changed": list(made.changed),
            "withdrawn": list(made.withdrawn),
            "entered": list(made.entered),
            "lost": list(made.lost),
            "moved": [_moved(one, names) for one in made.moved],
        },
    }


def _moved(one: MovedMember, names: Names) -> Plain:
    return {
        **_who(one.member, names),
        "figure": one.figure if one.figure is None else number(one.figure),
        "place": one.place,
        "figure_now": one.figure_now if one.figure_now is None else number(one.figure_now),
        "place_now": one.place_now,
    }

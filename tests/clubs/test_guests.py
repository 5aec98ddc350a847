"""Guests of a club: never ranked, with one account each; merged, promoted, and put together.

Tests of ``clubs.guests`` and ``clubs.state``.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.evening import PlayedEvening, PlayedMoney
from scorekeeper.clubs.guests import GuestUnion, list_unnamed
from scorekeeper.clubs.ledger import compute_ledgers, view_ledgers
from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.season import Standings
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from tests.clubs.founding import Said, club, entered, entry, evening, joined, match, season

THREE = joined("ada", "bea", "ciro")
GUEST: Said = ("member_joined", {"id": "gino", "name": "Gino", "guest": True})
PROMOTED: Said = ("member_joined", {"id": "gino", "name": "Gino"})
WITH_GINO = ("ada", "bea", "gino")
TERMS = '["riparto",1,{}]'
PLAYED = {
    "e06": evening("06", match(1, 5, 3, 9, players="ada bea gino", terms=TERMS), session_id="e06"),
    "e13": evening("13", match(1, 2, 8, 4, players="ada bea gino", terms=TERMS), session_id="e13"),
    "e20": evening("20", match(1, 7, 1, players="ada bea", terms=TERMS), session_id="e20"),
}
EVENINGS = [entered("e06", *WITH_GINO), entered("e13", *WITH_GINO), entered("e20", "ada", "bea")]
RANKINGS = ("points", "wins", "places", "rating", "average")


def unnamed(session_id: str, *members: str) -> Said:
    """Return the event for an evening at which Gino has no account."""
    players = {member: member for member in members}
    return "evening_entered", {"session": session_id, "players": {**players, "gino": None}}


def snapshot(at: Club, played: dict[str, PlayedEvening] | None = None) -> ClubSnapshot:
    there = played or PLAYED
    evenings = {id_: there[id_] for id_ in at.state.evenings}
    closed = {
        (id_, head): there[id_]
        for season_ in at.state.seasons.values()
        for id_, head in (season_.heads or {}).items()
    }
    return ClubSnapshot(at.state, at.events, at.head, evenings, closed)


def table(at: Club) -> Standings:
    return snapshot(at).compute_standings(at.state.seasons["autumn"])


def lines(standings: Standings) -> list[tuple[Any, ...]]:
    return [(row.member, row.figure, row.place, row.ratings) for row in standings.rows]


def add(at: Club, *events: Said) -> Club:
    for event in events:
        at.add(entry(at.events + 1, event))
    return at


@pytest.mark.parametrize("by", RANKINGS)
def test_guest_stands_apart_and_takes_part_in_the_figures_of_the_others(by: str) -> None:
    guest = table(club(*THREE, GUEST, season(ranking=by), *EVENINGS))
    member = table(club(*THREE, PROMOTED, season(ranking=by), *EVENINGS))
    others = [(row.member, row.figure, row.ratings) for row in member.rows if row.member != "gino"]
    assert [(row.member, row.figure, row.ratings) for row in guest.rows] == others
    assert [row.place for row in guest.rows] == list(range(1, len(guest.rows) + 1))
    (own,) = guest.guests
    assert (own.member, own.place, len(own.evenings)) == ("gino", 0, 2)
    assert own.figure == next(row.figure for row in member.rows if row.member == "gino")


@pytest.mark.parametrize("by", RANKINGS)
def test_promoted_guest_is_a_member_from_the_first_evening_on(by: str) -> None:
    promoted = club(*THREE, GUEST, season(ranking=by), *EVENINGS, PROMOTED)
    always = club(*THREE, PROMOTED, season(ranking=by), *EVENINGS)
    assert lines(table(promoted)) == lines(table(always))
    assert table(promoted).guests == ()


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([GUEST, GUEST], "id_taken"),
        ([*THREE, ("member_joined", {"id": "ada", "name": "Ada", "guest": True})],
         "member_no_guest"),
        ([*THREE, ("member_left", {"member": "ada"}),
          ("member_joined", {"id": "ada", "name": "Ada", "guest": True})], "member_no_guest"),
        ([*THREE, ("member_joined", {"id": "a2", "name": "ADA", "guest": True})], "same_name"),
        ([GUEST, ("member_joined", {"id": "g2", "name": "gino"})], "name_of_guest"),
        ([*THREE, GUEST, ("members_merged", {"member": "ada", "into": "gino"})],
         "member_into_guest"),
        ([*THREE, GUEST, *EVENINGS, ("members_merged", {"member": "gino", "into": "ada"})],
         "both_were_there"),
    ],
)  # fmt: skip
def test_impossible_guest_is_refused(events: list[Said], why: str) -> None:
    at = club(*events[:-1])
    before = repr(at.state)
    with pytest.raises(UnusableError) as refused:
        add(at, events[-1])
    assert why_of(refused.value) == why
    assert repr(at.state) == before


def test_guest_who_left_comes_back_as_a_guest_or_as_a_member() -> None:
    left: Said = ("member_left", {"member": "gino"})
    at = club(GUEST, left, GUEST)
    assert (at.state.members["gino"].guest, at.state.members["gino"].left) == (True, False)
    add(at, left, PROMOTED)
    assert (at.state.members["gino"].guest, at.state.members["gino"].left) == (False, False)


@pytest.mark.parametrize("into", ["gina", "ciro"])
def test_guest_is_merged_into_a_guest_or_a_member(into: str) -> None:
    gina: Said = ("member_joined", {"id": "gina", "name": "Gina", "guest": True})
    merged: Said = ("members_merged", {"member": "gino", "into": into})
    at = club(*THREE, GUEST, gina, season(), *EVENINGS, merged)
    written = club(*THREE, gina, season(), *[
        (kind, {**data, "players": {**data["players"], **{
            player: into for player, who in data["players"].items() if who == "gino"}}})
        for kind, data in EVENINGS
    ])  # fmt: skip
    assert lines(table(at)) == lines(table(written))
    assert [row.member for row in table(at).guests] == ["gina"] * (into == "gina")


def test_guest_sets_no_record() -> None:
    shot = snapshot(club(*THREE, GUEST, *EVENINGS))
    records = view_records(shot.list_played(), shot.names)
    holders = {
        member.member
        for record in (*records.club, *(one for game in records.games for one in game.records))
        for member in record.members
    }
    assert holders == {"ada", "bea"}


# ------------------------------------------------------------------------------ closed seasons

HEADS = dict.fromkeys(PLAYED, "0" * 64)
CLOSED: Said = ("season_closed", {"season": "autumn", "heads": HEADS})


@pytest.mark.parametrize("by", ["points", "rating"])
@pytest.mark.parametrize(
    "later",
    [
        [PROMOTED],
        [("event_replaced", {"seq": 7, "reason": "", "type": "evening_entered",
                             "data": {"session": "e06", "players": {"ada": "bea", "bea": "ada",
                                                                    "gino": None}}})],
        [("event_struck", {"seq": 10, "reason": ""})],
        [("event_inserted", {"after": 9, "reason": "", "type": "member_joined",
                             "data": PROMOTED[1]})],
        [("member_renamed", {"member": "gino", "name": "G"}), PROMOTED],
        [("evening_withdrawn", {"session": "e13", "reason": ""})],
    ],
)  # fmt: skip
def test_final_table_of_a_closed_season_stays(by: str, later: list[Said]) -> None:
    noted: Said = ("note_added", {"text": "a cake"})
    adjusted: Said = (
        "points_adjusted", {"season": "autumn", "member": "ada", "points": 3, "reason": "x"},
    )  # fmt: skip
    tenth = noted if by == "rating" else adjusted
    at = club(*THREE, GUEST, season(ranking=by), *EVENINGS, tenth, CLOSED)
    before, final = table(at), repr(at.state.seasons["autumn"])
    add(at, *later)
    after = table(at)
    assert repr(at.state.seasons["autumn"]) == final
    assert lines(after) == lines(before)
    assert [row.member for row in after.guests] == ["gino"]


def test_promotion_after_the_close_is_shown_beside_the_final_table() -> None:
    at = add(club(*THREE, GUEST, season(), *EVENINGS, CLOSED), PROMOTED)
    later = view_season(snapshot(at), at.state.seasons["autumn"]).after_the_close
    assert later
    assert {move.member: (move.place, move.place_now) for move in later.moved}["gino"] == (None, 2)


# ------------------------------------------------------------------------------ one account


def with_money(day: str, gino: int) -> PlayedEvening:
    money = PlayedMoney("EUR", {"ada": -gino, "gino": gino}, (), (), open=False)
    played = match(1, 1, 2, players="ada gino")._replace(money=money)
    return evening(day, played, session_id=f"e{day}")


NINE = {f"e{day:02}": with_money(f"{day:02}", 100 * day) for day in range(1, 10)}


def choose(shot: ClubSnapshot) -> Sequence[Any]:
    return list_unnamed(shot).get("gino", [])


def test_nine_evenings_of_one_guest_become_one_account() -> None:
    at = club(*THREE, season(), *(unnamed(id_, "ada") for id_ in NINE))
    shot = snapshot(at, NINE)
    union = GuestUnion(choose(shot), (), "", "Gino")
    tried = union.try_on(shot)
    add(at, *union.build_events(shot))
    after = snapshot(at, NINE)
    for one in (tried, after):
        (euros,) = one.compute_ledgers()
        assert euros.balances == {"ada": -4500, "guest-1": 4500}
        assert one.names["guest-1"] == "Gino"
        assert list_unnamed(one) == {}
    assert [row.member for row in after.compute_standings(
        at.state.seasons["autumn"]).guests] == ["guest-1"]  # fmt: skip


@pytest.mark.parametrize("into", ["gino", "bea"])
def test_evenings_join_an_account_that_is_younger_than_they_are(into: str) -> None:
    at = club(joined("ada")[0], *(unnamed(id_, "ada") for id_ in NINE), *joined("bea"), GUEST)
    shot = snapshot(at, NINE)
    union = GuestUnion(choose(shot), ("gino",) if into == "bea" else (), into)
    add(at, *union.build_events(shot))
    (euros,) = snapshot(at, NINE).compute_ledgers()
    assert euros.balances == {"ada": -4500, into: 4500}
    assert sum(euros.balances.values()) == 0


def test_accounts_alone_become_one() -> None:
    gina: Said = ("member_joined", {"id": "gina", "name": "Gina", "guest": True})
    at = club(*THREE, GUEST, gina, *EVENINGS)
    add(at, *GuestUnion((), ("gina", "gino"), "", "Gigi").build_events(snapshot(at)))
    assert at.state.guests == {"gina"}
    assert at.state.members["gina"].name == "Gigi"


def test_two_players_of_one_evening_are_two_people() -> None:
    at = club(*THREE, ("evening_entered", {"session": "e06", "players": {
        "ada": None, "bea": "bea", "gino": None}}))  # fmt: skip
    shot = snapshot(at)
    players = [unnamed for group in list_unnamed(shot).values() for unnamed in group]
    for act in (GuestUnion.build_events, GuestUnion.try_on):
        with pytest.raises(UnusableError) as refused:
            act(GuestUnion(players, (), "bea"), shot)
        assert why_of(refused.value) == "both_were_there"


def test_settle_up_never_pays_a_name_from_itself() -> None:
    same_day = {"x": with_money("06", 500)._replace(session_id="x"), **NINE}
    at = club(*joined("ada"), GUEST, *(unnamed(id_, "ada") for id_ in same_day))
    shot = snapshot(at, {**same_day, "e03": with_money("03", -900)})
    (euros,) = view_ledgers(shot.compute_ledgers(), shot.names)
    names = [balance.name for balance in euros.balances]
    assert len(set(names)) == len(names) == 11
    assert {"Gino (2026-11-06)", "Gino (2026-11-06, 2)", "Gino (2026-11-03)"} <= set(names)
    assert "Gino" not in names
    assert all(payment.from_name != payment.to_name for payment in euros.payments)


def test_names_that_look_alike_are_told_apart_too() -> None:
    played = evening("06", match(1, 1, 2, players="ada gino"), session_id="e06")
    money = PlayedMoney("EUR", {"ada": -5, "gino": 5}, (), (), open=False)
    matches = (played.matches[0]._replace(money=money),)
    names = {"ada": "Ada", "gino": "A\u200bda"}
    at = club(*joined("ada"), unnamed("e06", "ada"))
    shot = snapshot(at, {"e06": played._replace(names=names, matches=matches)})
    (euros,) = view_ledgers(shot.compute_ledgers(), shot.names)
    assert sorted(balance.name for balance in euros.balances) == ["Ada", "A\u200bda (2026-11-06)"]


def test_single_player_without_an_account_keeps_the_plain_name() -> None:
    at = club(*joined("ada"), unnamed("e01", "ada"))
    shot = snapshot(at, NINE)
    (euros,) = view_ledgers(compute_ledgers(shot.list_attended(), (), "EUR"), shot.names)
    assert {balance.name for balance in euros.balances} == {"Ada", "Gino"}


def test_largest_form_is_one_usable_set() -> None:
    many = {f"e{n}": with_money("01", n)._replace(session_id=f"e{n}") for n in range(200)}
    at = club(*joined("ada"), *(unnamed(id_, "ada") for id_ in many))
    shot = snapshot(at, many)
    events = GuestUnion(choose(shot), (), "", "G" * 60).build_events(shot)
    assert [kind for kind, _ in events].count("event_replaced") == 200
    add(at, *events)
    (euros,) = snapshot(at, many).compute_ledgers()
    assert euros.balances == {"ada": -19900, "guest-1": 19900}
    assert at.state.members["guest-1"].name == "G" * 60

"""Invariants of random clubs on every store.

Incremental results equal a full computation; withdrawing an evening and entering it again changes
no figure; a merger equals a record with the other member from the start; money always sums to
zero. Tests of ``service.clubs`` and ``service.folded_club``.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.figures import SeasonCaches
from scorekeeper.clubs.ledger import view_ledgers
from scorekeeper.clubs.members import view_member
from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.clubs.values import EnteredTournament
from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import as_json, encode_view
from scorekeeper.service import Clubs, Service
from scorekeeper.store import Store
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.service.circolo import EVENINGS, HAPPENINGS, Circolo

CLUBS: Final = settings(max_examples=60 if SOAK else 4)


def figures(snapshot: ClubSnapshot) -> dict[str, Any]:
    """Return all figures of a club."""
    seasons = [*snapshot.state.seasons.values(), snapshot.make_all_time_season()]
    described = [view_season(snapshot, season) for season in seasons]
    return {
        "seasons": described,
        "written": [
            encode_view(view).encode() == as_json(to_json_values(view)) for view in described
        ],
        "members": {
            member: [view_member(member, snapshot.list_played(of), snapshot.names)
                  for of in (None, *snapshot.state.seasons.values())]
            for member in snapshot.state.members
        },
        "records": view_records(snapshot.list_played(), snapshot.names),
        "money": view_ledgers(snapshot.compute_ledgers(), snapshot.names),
        "houses": list(snapshot.state.house_rules.values()),
        "tag": snapshot.tag,
    }  # fmt: skip


def tables(snapshot: ClubSnapshot) -> list[bytes]:
    """Return the encoded standings of all seasons."""
    seasons = (*snapshot.state.seasons.values(), snapshot.make_all_time_season())
    return [encode_view(view_season(snapshot, season)).encode() for season in seasons]


def sums(snapshot: ClubSnapshot) -> Iterator[int]:
    """Yield sums that must be zero: of all balances, of each evening, and after settling."""
    for ledger in snapshot.compute_ledgers():
        yield sum(ledger.balances.values())
        left = dict(ledger.balances)
        for payment in ledger.payments:
            left[payment.payer] += payment.amount
            left[payment.to] -= payment.amount
        yield from left.values()
        for evening in ledger.evenings:
            yield sum(evening.balances.values())


def random_operations(seed: int) -> list[tuple[str, int]]:
    """Return a random sequence of operations."""
    chance = random.Random(seed)  # noqa: S311
    names = list(HAPPENINGS)
    return [(chance.choice(names), chance.randrange(1000)) for _ in range(chance.randint(6, 18))]


OPS: Final = st.integers(0, 10**9).map(random_operations)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    client: FlaskClient = request.getfixturevalue(f"on_{request.param}")
    store: Store = client.application.extensions["service"].store
    return store


def test_incremental_results_equal_a_full_computation(store: Store) -> None:
    @CLUBS
    @given(OPS)
    def check(ops: list[tuple[str, int]]) -> None:
        circolo = Circolo(store)
        for op in ops:
            circolo.happen(*op)
            assert set(circolo.see(lambda snapshot: set(sums(snapshot)))) <= {0}, op
        assert circolo.see(tables) == tables(circolo.from_nothing())
        assert circolo.see(figures) == figures(circolo.from_nothing())
        tag = circolo.see(lambda snapshot: snapshot.tag)
        circolo.clubs = Clubs(Service(store))  # computes from the cached results of evenings
        assert circolo.see(lambda snapshot: snapshot.tag) == tag
        assert circolo.clubs.state(circolo.id)[1] == tag
        assert circolo.see(figures) == figures(circolo.from_nothing())

    check()


def test_withdrawing_and_entering_again_changes_nothing(store: Store) -> None:
    @CLUBS
    @given(OPS, st.integers(0, EVENINGS))
    def check(ops: list[tuple[str, int]], number: int) -> None:
        circolo = Circolo(store)
        for op in ops:
            circolo.happen(*op)
        id_ = [*circolo.evenings, circolo.tournament][number]
        state = circolo.see(lambda snapshot: snapshot.state)
        if id_ in state.evenings:
            again = event("evening_entered", session=id_, players=state.evenings[id_].players)
        elif id_ in state.tournaments:
            entrants = state.tournaments[id_].entrants
            again = event("tournament_entered", tournament=id_, entrants=entrants)
        else:
            return
        before = circolo.see(figures)
        circolo.do(event("evening_withdrawn", session=id_, reason="a trial"))
        circolo.do(again)
        assert {**circolo.see(figures), "tag": ""} == {**before, "tag": ""}

    check()


def test_merger_equals_a_record_of_the_other_member(store: Store) -> None:
    """All entries of one member count as if they had been recorded for the other."""
    pairs = st.sampled_from([
        ("ugo", "ada"), ("mara", "ugo"), ("nina", "ugo"), ("guest0", "ugo"), ("guest1", "guest0"),
        ("guest0", "leo"),
    ])  # fmt: skip

    @CLUBS
    @given(OPS, pairs)
    def check(ops: list[tuple[str, int]], pair: tuple[str, str]) -> None:
        one, other = pair
        circolo = Circolo(store)
        for number in range(3):
            circolo.happen("guest", number)
        for op in ops:
            if op[0] not in ("strike", "merge", "leave", "rename", "unite"):
                circolo.happen(*op)
        try:
            circolo.do(event("members_merged", member=one, into=other))
        except UnusableError:  # both were at one evening, or one paid the other
            return
        merged = circolo.from_nothing()
        assert circolo.see(figures) == figures(merged)
        written = Club()
        for line in circolo.store.read(circolo.id).lines[:-1]:
            decoded = json.loads(line)
            decoded["type"], decoded["data"] = as_written(
                decoded["type"], decoded["data"], one, other
            )
            try:
                written.add_line(RawEvent(line=decoded["seq"], **decoded))
            except UnusableError:  # both were in a tournament that was withdrawn since
                assert decoded["type"] == "tournament_entered"
                return
        instead = replace(merged, state=written.state, caches=SeasonCaches())
        assert figures(instead) == figures(merged)

    check()


def as_written(kind: str, data: Raw, member: str, other: str) -> tuple[str, Raw]:
    """Return an event of a club with one member replaced by the other."""
    if kind == "member_joined" and data["id"] == member:
        return "note_added", {"text": "nobody joined"}
    if kind == "evening_entered":
        players = {p: other if who == member else who for p, who in data["players"].items()}
        return kind, {**data, "players": players}
    if kind == "tournament_entered":
        entered = EnteredTournament("", data["entrants"], 0)
        renamed = entered.rename(lambda id_: other if id_ == member else id_)
        return kind, {**data, "entrants": renamed.entrants}
    return kind, {name: other if value == member and name in ("member", "from", "to") else value
                  for name, value in data.items()}  # fmt: skip

"""What holds of a club whatever happens to it, over random clubs on every store.

What is kept up to date is what comes of nothing; to withdraw an evening and enter it again changes
no figure; a merger gives what would have been, had the other been written everywhere; money adds
up to nothing at every moment. Tests of ``service.clubs`` and ``service.club_cache``.
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
from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.figures import SeasonCaches
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import as_json
from scorekeeper.service import Clubs, Service
from scorekeeper.store import Store
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.service.circolo import EVENINGS, HAPPENINGS, Circolo

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

CLUBS: Final = settings(max_examples=60 if SOAK else 7)


def figures(snapshot: ClubSnapshot) -> dict[str, Any]:
    """All that a club comes to."""
    seasons = [*snapshot.state.seasons.values(), snapshot.make_all_time_season()]
    told = [plain_figures.describe_season(snapshot, one) for one in seasons]
    return {
        "seasons": told,
        "written": [plain_figures.encode_season(snapshot, one) == as_json(plain)
                    for one, plain in zip(seasons, told, strict=True)],
        "members": {
            one: [plain_figures.describe_member(one, snapshot.list_played(of), snapshot.names)
                  for of in (None, *snapshot.state.seasons.values())]
            for one in snapshot.state.members
        },
        "records": plain_figures.describe_records(snapshot.list_played(), snapshot.names),
        "money": plain_figures.describe_money(snapshot.compute_ledgers(), snapshot.names),
        "houses": list(snapshot.state.house_rules.values()),
        "tag": snapshot.tag,
    }  # fmt: skip


def tables(snapshot: ClubSnapshot) -> list[bytes]:
    """The tables of all seasons, written."""
    seasons = (*snapshot.state.seasons.values(), snapshot.make_all_time_season())
    return [plain_figures.encode_season(snapshot, one) for one in seasons]


def sums(snapshot: ClubSnapshot) -> Iterator[int]:
    """What must be nothing: what all are owed together, of each evening, and after settling."""
    for ledger in snapshot.compute_ledgers():
        yield sum(ledger.balances.values())
        left = dict(ledger.balances)
        for one in ledger.payments:
            left[one.payer] += one.amount
            left[one.to] -= one.amount
        yield from left.values()
        for evening in ledger.evenings:
            yield sum(evening.balances.values())


def happenings(seed: int) -> list[tuple[str, int]]:
    """Some of what can happen, one after the other."""
    chance = random.Random(seed)  # noqa: S311
    names = list(HAPPENINGS)
    return [(chance.choice(names), chance.randrange(1000)) for _ in range(chance.randint(6, 18))]


OPS: Final = st.integers(0, 10**9).map(happenings)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    client: FlaskClient = request.getfixturevalue(f"on_{request.param}")
    store: Store = client.application.extensions["service"].store
    return store


def test_what_is_kept_up_to_date_comes_of_nothing(store: Store) -> None:
    @CLUBS
    @given(OPS)
    def check(ops: list[tuple[str, int]]) -> None:
        circolo = Circolo(store)
        for op in ops:
            circolo.happen(*op)
            assert set(circolo.see(lambda snapshot: set(sums(snapshot)))) <= {0}, op
        assert circolo.see(tables) == tables(circolo.from_nothing())
        assert circolo.see(figures) == figures(circolo.from_nothing())
        circolo.clubs = Clubs(Service(store))  # from what was kept of each evening
        assert circolo.see(figures) == figures(circolo.from_nothing())

    check()


def test_to_withdraw_and_enter_again_is_nothing(store: Store) -> None:
    @CLUBS
    @given(OPS, st.integers(0, EVENINGS - 1))
    def check(ops: list[tuple[str, int]], number: int) -> None:
        circolo = Circolo(store)
        for op in ops:
            circolo.happen(*op)
        session_id = circolo.evenings[number]
        entered = circolo.see(lambda snapshot: snapshot.state.evenings.get(session_id))
        if entered is None:
            return
        before = circolo.see(figures)
        circolo.do(event("evening_withdrawn", session=session_id, reason="a trial"))
        circolo.do(event("evening_entered", session=session_id, players=dict(entered.players)))
        assert {**circolo.see(figures), "tag": ""} == {**before, "tag": ""}

    check()


def test_a_merger_gives_what_would_have_been(store: Store) -> None:
    """All that stands under one is as if the other had been written everywhere."""
    pairs = st.sampled_from([("ugo", "ada"), ("mara", "ugo"), ("nina", "ugo")])

    @CLUBS
    @given(OPS, pairs)
    def check(ops: list[tuple[str, int]], pair: tuple[str, str]) -> None:
        one, other = pair
        circolo = Circolo(store)
        for op in ops:
            if op[0] not in ("strike", "merge", "leave", "rename"):
                circolo.happen(*op)
        try:
            circolo.do(event("members_merged", member=one, into=other))
        except UnusableError:  # both were at one evening, or one paid the other
            return
        merged = circolo.from_nothing()
        assert circolo.see(figures) == figures(merged)
        written = Club()
        for line in circolo.store.read(circolo.id).lines[:-1]:
            told = json.loads(line)
            told["type"], told["data"] = as_written(told["type"], told["data"], one, other)
            written.add_line(RawEvent(line=told["seq"], **told))
        instead = replace(merged, state=written.state, caches=SeasonCaches())
        assert figures(instead) == figures(merged)

    check()


def as_written(kind: str, data: Raw, one: str, other: str) -> tuple[str, Raw]:
    """An event of a club as it is where one member had been written as the other."""
    if kind == "member_joined" and data["id"] == one:
        return "note_added", {"text": "nobody joined"}
    if kind == "evening_entered":
        players = {p: other if who == one else who for p, who in data["players"].items()}
        return kind, {**data, "players": players}
    return kind, {name: other if said == one and name in ("member", "from", "to") else said
                  for name, said in data.items()}  # fmt: skip

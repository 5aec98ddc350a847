"""Matches that nobody ended, undecided ones, and those without a hand, in every ranking.

Tests of ``clubs.evening``, ``clubs.rankings`` and ``clubs.season``.
"""

from io import BytesIO
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.records import find_club_records
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.statistics import compute_statistics
from scorekeeper.session.session import Session
from tests.clubs.founding import of_november
from tests.evenings import GOLDEN, Raw, event
from tests.exports.samples import events_of, log_of
from tests.samples import SAMPLES

UTC: Final = ZoneInfo("UTC")
SEATS: Final = ["mara", "leo", "nina"]
RESULTS: Final = ("wins", "places", "rating")  # rankings that need a result
DAY: Final = "2026-11-21T20:00:00.000Z"
UNDECIDED: Final = event("match_ended", undecided=True)
ENDED: Final = event("match_ended")


def started(game: str = "riparto", **options: Any) -> Raw:
    return event("match_started", game=game, seats=SEATS, options=options)


def hand(winner: str = "mara") -> list[Raw]:
    other = next(player for player in SEATS if player != winner)
    return [
        event("hand_started", dealer="nina"),
        event("bid_made", player=winner, points=5),
        event("points_counted", points={winner: 5, other: 10}),
    ]


def evening_of(*events: Raw, players: list[str] | None = None) -> AttendedEvening:
    """Return an evening at which all players are members."""
    seats = players or SEATS
    players_there = [{"id": player, "name": player.capitalize()} for player in seats]
    opened = event("session_opened", title="Friday", players=players_there)
    session = Session.read(BytesIO(log_of([opened, *events], DAY)), None)
    played = PlayedEvening.of("evening", session)
    assert PlayedEvening.from_json(played.to_json()) == played
    return AttendedEvening(played, {player: player for player in seats})


def table(by: str, *attended: AttendedEvening) -> Standings:
    return compute_standings(of_november(by), attended, UTC)


def figures(by: str, *attended: AttendedEvening) -> dict[str, Any]:
    return {row.member: row.figure for row in table(by, *attended).rows}


def match_of(*events: Raw) -> PlayedMatch:
    return evening_of(*events).evening.matches[0]


# --------------------------------------------------------------------------------- undecided


@pytest.mark.parametrize("by", RESULTS)
def test_undecided_match_counts_nothing_where_a_result_is_needed(by: str) -> None:
    stopped = evening_of(started(), *hand(), UNDECIDED)
    assert set(figures(by, stopped).values()) <= {0, 1500}
    decided = evening_of(started(), *hand("leo"), ENDED)
    both = evening_of(started(), *hand("leo"), ENDED, started(), *hand(), UNDECIDED)
    assert figures(by, both) == figures(by, decided)


@pytest.mark.parametrize("by", ["points", "average"])
def test_undecided_match_counts_in_points_and_average(by: str) -> None:
    stopped = evening_of(started(), *hand(), UNDECIDED)
    ended = evening_of(started(), *hand(), ENDED)
    assert figures(by, stopped) == figures(by, ended)
    assert figures(by, stopped)["mara"] == 5
    assert not any(row.open for row in table(by, stopped).rows)


def test_undecided_match_is_neither_won_nor_lost() -> None:
    stopped = evening_of(started(), *hand(), UNDECIDED, started(), *hand("mara"), ENDED)
    rows = {row.member: row for row in table("wins", stopped).rows}
    assert [rows["mara"].won, rows["leo"].won] == [1, 0]
    [mara] = compute_statistics("mara", [stopped])
    assert (mara.finished, mara.won, mara.hands) == (1, 1, 2)
    shared = table("points", stopped)
    assert [row.won for row in shared.rows if row.member == "mara"] == [1]


def test_share_of_wins_leaves_undecided_matches_out() -> None:
    """Leo won one of one, Mara one of two; an undecided match changes neither."""
    evening = evening_of(
        started(), *hand("leo"), ENDED, started(), *hand("mara"), ENDED,
        event("match_started", game="riparto", seats=["mara", "nina", "ugo"]),
        event("hand_started", dealer="ugo"), event("bid_made", player="nina", points=5),
        event("points_counted", points={"nina": 5, "mara": 10}), ENDED,
        event("match_started", game="riparto", seats=["leo", "nina", "ugo"]),
        event("hand_started", dealer="ugo"), event("bid_made", player="nina", points=5),
        event("points_counted", points={"nina": 5, "leo": 10}), UNDECIDED,
        players=[*SEATS, "ugo"],
    )  # fmt: skip
    rows = table("wins", evening).rows
    assert [(row.member, row.figure, row.tie_broken_by) for row in rows][:2] == [
        ("leo", 1, "share"), ("mara", 1, "share"),
    ]  # fmt: skip


# -------------------------------------------------------------------------- no complete hand


@pytest.mark.parametrize("by", [*RESULTS, "points", "average"])
@pytest.mark.parametrize("end", [ENDED, UNDECIDED, event("session_closed")])
def test_match_without_a_complete_hand_counts_nowhere(by: str, end: Raw) -> None:
    ghost = started(), event("hand_started", dealer="leo"), end
    for empty in (evening_of(*ghost), evening_of(started("riparto", last_three="sweep"), *ghost)):
        standings = table(by, empty)
        assert (standings.rows, standings.evenings, standings.left_out, standings.unended) == (
            (), (), (), (),
        )  # fmt: skip
        assert list(find_club_records([empty])) == []
    played = evening_of(started(), *hand(), ENDED)
    assert figures(by, evening_of(started(), *hand(), ENDED, *ghost)) == figures(by, played)


# ---------------------------------------------------------------------------- nobody ended it


@pytest.mark.parametrize("by", [*RESULTS, "points", "average"])
def test_totals_of_an_open_ended_match_are_its_provisional_result(by: str) -> None:
    going_on = evening_of(started(match_end="open"), *hand(), event("hand_started", dealer="leo"))
    ended = evening_of(started(match_end="open"), *hand(), ENDED)
    assert figures(by, going_on) == figures(by, ended)
    standings = table(by, going_on)
    assert all(row.open for row in standings.rows)
    assert [(match.match, match.game) for match in standings.unended] == [(1, "riparto")]
    assert table(by, ended).unended == ()


@pytest.mark.parametrize("by", RESULTS)
def test_match_with_an_end_of_its_own_counts_nothing_until_it_ends(by: str) -> None:
    options: dict[str, Any] = {"match_end": {"hands": 2}}
    going_on = evening_of(started(**options), *hand())
    assert set(figures(by, going_on).values()) <= {0, 1500}
    assert len(table(by, going_on).unended) == 1
    over = evening_of(started(**options), *hand(), *hand()[:1], *hand()[1:])
    assert figures(by, over)["mara"] not in (0, 1500)
    assert table(by, over).unended == ()


@pytest.mark.parametrize("by", ["points", "average"])
def test_match_with_an_end_of_its_own_counts_its_points_before(by: str) -> None:
    going_on = evening_of(started(match_end={"hands": 2}), *hand())
    assert figures(by, going_on)["mara"] == 5
    assert all(row.open for row in table(by, going_on).rows)


@pytest.mark.parametrize("game", SAMPLES)
def test_every_game_says_whether_its_match_has_an_end_of_its_own(game: str) -> None:
    """A golden evening is cut after its first complete hand."""
    kept: list[Raw] = []
    for raw in events_of(GOLDEN / game / "evening.jsonl"):
        if raw["type"] == "hand_started" and any(one["type"] == "hand_started" for one in kept):
            break
        kept.append(raw)
    session = Session.read(BytesIO(log_of(kept, DAY)), None)
    record = session.structure.matches[0]
    [match] = PlayedEvening.of("evening", session).matches
    open_ended = "open" in (record.options.get("match_end"), record.options.get("match"))
    assert bool(match.leading) is open_ended
    assert bool(match.ahead) is open_ended
    assert match.winners == ()


def test_shared_lead_of_an_open_ended_match_is_shared() -> None:
    match = match_of(started(match_end="open"), *hand("mara"), *hand("leo")[:1],
                     event("bid_made", player="leo", points=5),
                     event("points_counted", points={"leo": 5, "nina": 10}))  # fmt: skip
    assert match.ahead == ("mara", "leo")
    assert match.winners == ()

"""A closed season: its final table is fixed, and later changes are beside it."""

from dataclasses import replace
from zoneinfo import ZoneInfo

from scorekeeper.clubs.closed import MovedMember, compare_closed_season, list_closed_evenings
from tests.clubs.founding import (
    attended,
    club,
    entered,
    evening,
    joined,
    match,
    of_november,
    season,
)

UTC = ZoneInfo("UTC")
WHO = ("ada", "bea", "ciro", "dora")
FIRST = evening("06", match(1, 5, 3, 0, -8))
SECOND = evening("13", match(1, 1, 0, 0, -1))


def test_corrections_after_the_close_are_beside_the_final_table() -> None:
    mended = evening("06", match(1, 2, 6, 0, -8))._replace(head="later")
    late = evening("27", match(1, 0, 1, 0, 0))
    comparison = compare_closed_season(
        of_november(), attended([FIRST, SECOND]), attended([mended, late]), UTC
    )
    assert [(row.member, row.figure) for row in comparison.final.rows] == [
        ("ada", 6), ("bea", 3), ("ciro", 0), ("dora", -9)
    ]  # fmt: skip
    assert (comparison.changed, comparison.withdrawn, comparison.entered) == (
        ("evening06",), ("evening13",), ("evening27",)
    )  # fmt: skip
    assert comparison.moved == [  # ciro has 0 and the third place in both
        MovedMember("ada", 6, 1, 2, 2), MovedMember("bea", 3, 2, 7, 1),
        MovedMember("dora", -9, 4, -8, 4),
    ]  # fmt: skip


def test_unchanged_season_moves_no_member() -> None:
    there = attended([FIRST, SECOND])
    comparison = compare_closed_season(of_november(), there, there, UTC)
    assert comparison.moved == []
    assert comparison.final == comparison.now
    assert (comparison.changed, comparison.withdrawn, comparison.entered) == ((), (), ())


def test_a_season_without_a_last_day_ends_with_its_close() -> None:
    """Or with its last evening, where no day of the close is known or one was dated later."""
    played, late = attended([FIRST, SECOND]), evening("27", match(1, 0, 1, 0, 0))
    for at in ("2026-11-14T09:00:00.000Z", "2026-11-10T09:00:00.000Z", ""):
        endless = replace(of_november(), to=None, closed_at=at)
        comparison = compare_closed_season(endless, played, attended([FIRST, SECOND, late]), UTC)
        assert (comparison.entered, comparison.moved) == ((), []), at
    endless = replace(of_november(), to=None, closed_at="2026-11-28T09:00:00.000Z")
    assert compare_closed_season(endless, played, attended([late]), UTC).entered == ("evening27",)


def test_unreadable_evening_is_listed_as_lost_and_not_as_new() -> None:
    heads = {"evening06": "0" * 64, "evening13": "0" * 64}
    circolo = club(
        *joined(*WHO), entered("evening06", *WHO), entered("evening13", *WHO),
        season(), ("season_closed", {"season": "autumn", "heads": heads}),
    ).state  # fmt: skip
    there = attended([FIRST])
    comparison = compare_closed_season(circolo.seasons["autumn"], there, there, UTC)
    assert comparison.lost == ("evening13",)
    assert comparison.final.evenings == ("evening06",)
    back = compare_closed_season(circolo.seasons["autumn"], there, attended([FIRST, SECOND]), UTC)
    assert (back.lost, back.entered) == (("evening13",), ())


def test_members_are_those_of_the_close_and_follow_a_merger() -> None:
    heads = {"evening06": "0" * 64}
    circolo = club(
        *joined("ada", "bea", "ciro", "dora", "gina"),
        entered("evening06", "ada", "bea", "ciro", "dora"), season(),
        ("season_closed", {"season": "autumn", "heads": heads}),
        ("evening_withdrawn", {"session": "evening06", "reason": "not ours"}),
        ("members_merged", {"member": "dora", "into": "gina"}),
    )  # fmt: skip
    [evening_] = list_closed_evenings(
        circolo.state, circolo.state.seasons["autumn"], {"evening06": FIRST}
    )
    assert dict(evening_.member_of) == {"ada": "ada", "bea": "bea", "ciro": "ciro", "dora": "gina"}
    assert list_closed_evenings(circolo.state, circolo.state.seasons["autumn"], {}) == []

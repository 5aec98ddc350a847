"""A club's log: possible and impossible events, and the effect of corrections.

Tests of ``clubs.events``, ``clubs.state`` and ``clubs.values``.
"""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.club import Club
from tests.clubs.founding import FOUNDED, Said, club, entered, entry, joined, season

THREE = joined("ada", "bea", "ciro")
EVENING = entered("e1", "ada", "bea")
ADJUSTED: Said = (
    "points_adjusted", {"season": "autumn", "member": "ada", "points": 1, "reason": ""},
)  # fmt: skip


def refused(*events: Said) -> UnusableError:
    """Return the error for the last of these events, after which the club is unchanged."""
    circolo = club(*events[:-1])
    before = repr(circolo.state), circolo.events, dict(circolo.corrections.recorded)
    with pytest.raises(UnusableError) as caught:
        circolo.add(entry(circolo.events + 1, events[-1]))
    assert (repr(circolo.state), circolo.events, dict(circolo.corrections.recorded)) == before
    return caught.value


@pytest.mark.parametrize(
    ("events", "field", "words"),
    [
        ([FOUNDED], "type", "may be only the first event"),
        ([*THREE, ("member_joined", {"id": "ada", "name": "Ada B."})], "data.id", "belongs to Ada"),
        ([*THREE, ("member_joined", {"id": "a2", "name": "\uff21DA"})], "data.name", "called Ada"),
        ([*THREE, ("member_renamed", {"member": "bea", "name": "ada"})], "data.name", "Ada"),
        ([*THREE, ("member_renamed", {"member": "leo", "name": "L"})], "data.member", "leo"),
        ([*THREE, *[("member_left", {"member": "ada"})] * 2], "data.member", "left already"),
        ([*THREE, EVENING, entered("e1", "ciro")], "data.session", "entered already"),
        ([*THREE, entered("e1", "leo")], "data.players.leo", "a member of this club"),
        ([*THREE, ("evening_entered", {"session": "e1", "players": {"x": "ada", "y": "ada"}})],
         "data.players.y", "two people"),
        ([*THREE, ("evening_withdrawn", {"session": "e1", "reason": "?"})], "data.session", "e1"),
        ([*THREE, ("members_merged", {"member": "ada", "into": "ada"})], "data.into", "already"),
        ([*THREE, ("members_merged", {"member": "ada", "into": "bea"}),
          ("members_merged", {"member": "bea", "into": "ada"})], "data.into", "already"),
        ([*THREE, EVENING, ("members_merged", {"member": "ada", "into": "bea"})],
         "data.into", "two people"),
        ([*THREE, ("payment_made", {"from": "ada", "to": "bea", "amount": 5}),
          ("members_merged", {"member": "ada", "into": "bea"})], "data.into", "paid Bea"),
        ([season(), season()], "data.id", "belongs to the season Autumn"),
        ([season(to="2026-08-31")], "data.to", "cannot end"),
        ([season(games=["riparto", "knock"])], "data.ranking", "never added"),
        ([season(ranking={"by": "wins", "ties": ["points"]}, games=["a", "b"])],
         "data.ranking", "never added"),
        ([season(ranking={"by": "rating", "best": 3})], "data.ranking.best", "all evenings"),
        ([season(ranking={"by": "places", "places": {"3": [1, 2, 3]}})],
         "data.ranking.places.3", "lower place"),
        ([season(ranking={"by": "places", "places": {"3": [2, 1]}})],
         "data.ranking.places.3", "3 figures"),
        ([season(), ("season_closed", {"season": "autumn", "heads": {"e1": "0" * 64}})],
         "data.heads.e1", "entered"),
        ([*THREE, EVENING, season(),
          ("season_closed", {"season": "autumn", "heads": {"e1": "Z" * 64}})],
         "data.heads.e1", "hash"),
        ([*THREE, season(), ("season_closed", {"season": "autumn", "heads": {}}),
          ADJUSTED], "data.season", "is closed"),
        ([*THREE, season(ranking="rating"),
          ADJUSTED], "data.season", "no points"),
        ([*THREE, ("payment_made", {"from": "ada", "to": "ada", "amount": 5})],
         "data.to", "himself"),
    ],
)  # fmt: skip
def test_impossible_event_is_refused(events: list[Said], field: str, words: str) -> None:
    error = refused(*events)
    assert error.field == field
    assert words in error.reason


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (("season_opened", {**season()[1], "from": "2026-02-30"}), "data.from"),
        (("season_opened", {**season()[1], "games": []}), "data.games"),
        (("season_opened", {**season()[1], "ranking": {"by": "points", "best": 0}}),
         "data.ranking.best"),
        (("payment_made", {"from": "ada", "to": "bea", "amount": 0}), "data.amount"),
        (("payment_made", {"payer": "ada", "to": "bea", "amount": 1}), "data.from"),
        (("evening_entered", {"session": "e", "players": {"ada": 3}}), "data.players.ada"),
        (("hand_started", {"dealer": "ada"}), "type"),
    ],
)  # fmt: skip
def test_malformed_event_names_its_field(event: Said, field: str) -> None:
    with pytest.raises(UnusableError) as caught:
        entry(2, event)
    assert caught.value.field == field


def test_only_members_can_be_authors() -> None:
    circolo = club(*THREE)
    with pytest.raises(UnusableError) as caught:
        circolo.add(entry(5, EVENING, by="leo"))
    assert caught.value.field == "by"
    circolo.add(entry(5, EVENING, by="ada"))
    circolo.add(entry(6, ("members_merged", {"member": "ciro", "into": "ada"})))
    circolo.add(entry(7, season(), by="ciro"))  # Ciro was merged into Ada


def test_a_log_begins_with_its_opening() -> None:
    with pytest.raises(UnusableError, match="begins with club_opened"):
        Club().add(entry(1, joined("ada")[0]))


def test_unknown_time_zone_is_refused() -> None:
    opening = ("club_opened", {**FOUNDED[1], "zone": "../etc/passwd"})
    with pytest.raises(UnusableError) as caught:
        Club().add(entry(1, opening))
    assert caught.value.field == "data.zone"


def test_member_who_left_stays_in_evenings_and_may_come_back() -> None:
    circolo = club(*THREE, EVENING, ("member_left", {"member": "ada"}))
    assert circolo.state.members["ada"].left
    assert circolo.state.map_players(circolo.state.evenings["e1"])["ada"] == "ada"
    circolo.add(entry(7, joined("ada")[0]))
    assert not circolo.state.members["ada"].left


def test_merger_moves_evenings_and_name_to_the_other_member() -> None:
    circolo = club(*THREE, EVENING, ("members_merged", {"member": "ada", "into": "ciro"}))
    assert circolo.state.map_players(circolo.state.evenings["e1"]) == {"ada": "ciro", "bea": "bea"}
    assert set(circolo.state.members) == {"bea", "ciro"}
    circolo.add(entry(7, ("member_renamed", {"member": "ada", "name": "Ciro R."})))
    assert circolo.state.members["ciro"].name == "Ciro R."


def test_a_merger_moves_points_and_money() -> None:
    circolo = club(
        *THREE, season(),
        ("points_adjusted", {"season": "autumn", "member": "ada", "points": 2, "reason": ""}),
        ("payment_made", {"from": "ada", "to": "bea", "amount": 5}),
        ("payment_made", {"from": "bea", "to": "ada", "amount": 3}),
        ("members_merged", {"member": "ada", "into": "ciro"}),
    )  # fmt: skip
    assert [adjustment.member for adjustment in circolo.state.adjustments] == ["ciro"]
    assert [(payment.payer, payment.payee) for payment in circolo.state.payments] == [
        ("ciro", "bea"), ("bea", "ciro"),
    ]  # fmt: skip


def test_members_who_played_together_in_a_closed_season_cannot_merge() -> None:
    """Also where the evening was withdrawn since: the final table has both."""
    error = refused(
        *THREE, EVENING, season(),
        ("season_closed", {"season": "autumn", "heads": {"e1": "0" * 64}}),
        ("evening_withdrawn", {"session": "e1", "reason": ""}),
        ("members_merged", {"member": "ada", "into": "bea"}),
    )  # fmt: skip
    assert "two people" in error.reason


def struck(seq: int) -> Said:
    return "event_struck", {"seq": seq, "reason": "a slip"}


def test_correction_replays_the_log_as_corrected() -> None:
    circolo = club(*THREE, EVENING)
    circolo.add(entry(6, ("event_replaced", {"seq": 2, "type": "member_joined", "reason": "a slip",
                                          "data": {"id": "ada", "name": "Adele"}})))  # fmt: skip
    assert circolo.state.members["ada"].name == "Adele"
    circolo.add(entry(7, struck(6)))
    assert circolo.state.members["ada"].name == "Ada"
    circolo.add(entry(8, ("event_inserted", {"after": 4, "type": "member_joined", "reason": "late",
                                          "data": {"id": "dora", "name": "Dora"}})))  # fmt: skip
    assert list(circolo.state.members) == ["ada", "bea", "ciro", "dora"]


def test_correction_after_which_an_event_could_not_stand_is_refused() -> None:
    error = refused(*THREE, EVENING, struck(2))
    assert "event 5 is no longer valid" in error.reason
    assert isinstance(error.reason, Cause)
    assert error.reason.facts == {"seq": 5}
    assert "cannot be struck" in refused(*THREE, struck(1)).reason


def a_set(*corrections: Said) -> list[Said]:
    bare = [(kind, {n: v for n, v in data.items() if n != "reason"}) for kind, data in corrections]
    return [("correction_begun", {"count": len(corrections), "reason": "they are one"}), *bare]


def test_corrections_of_a_set_take_effect_together() -> None:
    """Bea was entered for Ciro in two evenings, and joined only by mistake."""
    evenings = [entered("e1", "ada", "bea"), entered("e2", "bea")]
    events = [*THREE, *evenings]
    strike = struck(3)
    assert "event 5 is no longer valid" in refused(*events, strike).reason
    played = {5: entered("e1", "ada", "ciro"), 6: entered("e2", "ciro")}
    anew = [("event_replaced", {"seq": seq, "type": kind, "data": data})
            for seq, (kind, data) in played.items()]  # fmt: skip
    whole = a_set(strike, *anew)
    assert "event 5 is no longer valid" in refused(*events, *a_set(strike, anew[1])).reason
    circolo = club(*events, *whole[:-1])
    assert "bea" in circolo.state.members
    circolo.add(entry(circolo.events + 1, whole[-1]))
    assert set(circolo.state.members) == {"ada", "ciro"}
    assert set(circolo.state.evenings["e2"].players.values()) == {"ciro"}
    circolo.add(entry(circolo.events + 1, struck(7)))
    assert "bea" in circolo.state.members
    assert "belongs to the set" in refused(*events, *whole, struck(8)).reason


def test_a_club_log_that_ends_inside_a_set_is_refused() -> None:
    events = [*THREE, *a_set(struck(3), struck(4))]
    for cut in (1, 2):
        values = [FOUNDED, *events[:-cut]]
        lines = "".join(json.dumps({"type": kind, "data": data}) + "\n" for kind, data in values)
        count = len(values)
        with pytest.raises(UnusableError, match=f"line {count}: ends inside the set") as raised:
            Club.read(io.BytesIO(lines.encode()))
        assert raised.value.line == count
    for other in (EVENING, ("correction_begun", {"count": 2, "reason": ""})):
        assert "more belong to the set" in refused(*events[:-1], other).reason
    with pytest.raises(UnusableError, match="begins with club_opened"):
        Club().add(entry(1, events[3]))


def test_too_many_corrections_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.log.replayed.MAX_STEPS", 0)
    circolo = club(*THREE)

    def strike_for_ever() -> None:
        while circolo.events < 1000:  # each strikes the one before it
            circolo.add(entry(circolo.events + 1, struck(circolo.events)))

    with pytest.raises(UnusableError, match="too much work"):
        strike_for_ever()


def test_a_log_by_hand_is_read_and_its_fault_named() -> None:
    events: list[Any] = [FOUNDED, *THREE, entered("e1", "leo")]
    lines = [json.dumps({"type": kind, "data": data}).encode() for kind, data in events]
    with pytest.raises(UnusableError) as caught:
        Club.read(io.BytesIO(b"\n".join(lines)))
    assert caught.value.line == 5
    assert Club.read(io.BytesIO(b"\n".join(lines[:-1]))).events == 4


# ---------------------------------------------------------------------- over random clubs

MEMBERS = [f"m{n}" for n in range(6)]
EVENINGS = [f"e{n}" for n in range(4)]
SOME = st.one_of(
    st.builds(lambda m: joined(m)[0], st.sampled_from(MEMBERS)),
    st.builds(lambda e, m: entered(e, *m), st.sampled_from(EVENINGS),
              st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=4, unique=True)),
    st.builds(lambda e: ("evening_withdrawn", {"session": e, "reason": ""}),
              st.sampled_from(EVENINGS)),
    st.builds(lambda a, b: ("members_merged", {"member": a, "into": b}),
              st.sampled_from(MEMBERS), st.sampled_from(MEMBERS)),
    st.builds(lambda m: ("member_left", {"member": m}), st.sampled_from(MEMBERS)),
    st.builds(lambda n: ("house_kept", {"name": n, "game": "knock", "options": {}}),
              st.sampled_from(["Fridays", "fridays", "Sundays"])),
    st.builds(lambda n: ("house_dropped", {"name": n, "game": "knock"}),
              st.sampled_from(["Fridays", "FRIDAYS", "Sundays"])),
    st.builds(struck, st.integers(2, 25)),
)  # fmt: skip


def recorded(events: list[Said]) -> tuple[Club, list[Said]]:
    """Return a club with all of these events that it accepts, and those events."""
    circolo, taken = club(), [FOUNDED]
    for event in events:
        try:
            circolo.add(entry(circolo.events + 1, event))
        except UnusableError:
            continue
        taken.append(event)
    return circolo, taken


@given(st.lists(SOME, max_size=30))
def test_updated_state_equals_a_replay_of_the_log(events: list[Said]) -> None:
    circolo, taken = recorded(events)
    assert repr(Club.of(entry(n, event) for n, event in enumerate(taken, 1)).state) == repr(
        circolo.state
    )
    assert repr(circolo._replay()) == repr(circolo.state)


@given(st.lists(SOME, max_size=25), st.sampled_from(EVENINGS))
def test_striking_a_withdrawal_restores_the_state(events: list[Said], session_id: str) -> None:
    circolo, _ = recorded([*joined(*MEMBERS), entered(session_id, "m0", "m1"), *events])
    before = repr(circolo.state)
    if session_id in circolo.state.evenings:
        circolo.add(
            entry(circolo.events + 1, ("evening_withdrawn", {"session": session_id, "reason": ""}))
        )
        assert session_id not in circolo.state.evenings
        circolo.add(entry(circolo.events + 1, struck(circolo.events)))
    assert repr(circolo.state) == before


@given(st.lists(SOME, max_size=25))
def test_merger_equals_a_log_with_one_member(events: list[Said]) -> None:
    circolo, taken = recorded([*joined(*MEMBERS), *events])
    try:
        circolo.add(entry(circolo.events + 1, ("members_merged", {"member": "m0", "into": "m1"})))
    except UnusableError:
        return
    for evening in circolo.state.evenings.values():
        as_written = ["m1" if player == "m0" else player for player in evening.players.values()]
        there = [circolo.state.get_current_id(member) for member in as_written if member]
        assert there == [player for player in circolo.state.map_players(evening).values() if player]
        assert "m0" not in there
    assert len(taken) == circolo.events - 1

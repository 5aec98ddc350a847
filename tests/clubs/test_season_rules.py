"""Changes of a club and its seasons after their opening: name, place, currency, zone, last day.

Tests of ``clubs.season_rules`` and ``clubs.state``.
"""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.clubs.club import TYPES, Club
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Season
from scorekeeper.log import codec
from tests.clubs.founding import FOUNDED, Said, club, entered, entry, evening, joined, match, season

TWO = joined("ada", "bea")
PAID: Said = ("payment_made", {"from": "ada", "to": "bea", "amount": 500})
NO_MONEY: Said = ("club_opened", {"name": "Circolo", "format": 1})


def changed(**values: Any) -> Said:
    return "club_changed", values


def season_changed(**values: Any) -> Said:
    return "season_changed", {"season": "autumn", **values}


def club_of(*events: Said) -> Club:
    return Club.of(entry(seq, event) for seq, event in enumerate(events, start=1))


def named(opened: Club) -> Season:
    return opened.state.seasons["autumn"]


def test_the_latest_value_of_each_field_counts() -> None:
    opened = club(changed(name="New", place="Bar"), changed(place="Home", zone="Asia/Tokyo"))
    values = opened.state.opened
    assert values
    assert (values.name, values.place, values.currency, values.zone) == (
        "New", "Home", "EUR", "Asia/Tokyo",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("events", "field", "why"),
    [
        ([changed(zone="Europe/Atlantis")], "data.zone", "no_time_zone"),
        ([*TWO, PAID, changed(currency="CHF")], "data.currency", "currency_in_use"),
        ([season_changed(name="x")], "data.season", "no_such_season"),
        ([season(), season_changed(to="2026-08-31")], "data.to", "ends_before_it_begins"),
        ([season(), ("season_closed", {"season": "autumn", "heads": {}}),
          season_changed(name="x")], "data.season", "season_closed"),
        ([season(), ("season_closed", {"season": "autumn", "heads": {}}),
          season_changed(to=None)], "data.season", "season_closed"),
    ],
)  # fmt: skip
def test_impossible_change_is_refused(events: list[Said], field: str, why: str) -> None:
    changing = club(*events[:-1])
    before = repr(changing.state)
    with pytest.raises(UnusableError) as refused:
        changing.add(entry(changing.events + 1, events[-1]))
    assert (refused.value.field, why_of(refused.value)) == (field, why)
    assert repr(changing.state) == before


def test_change_of_nothing_is_refused() -> None:
    for kind, data in (changed(), season_changed()):
        with pytest.raises(UnusableError) as refused:
            codec.decode(kind, data, TYPES)
        assert why_of(refused.value) == "nothing_changes"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"currency": "XYZ"}, "data.currency"),
        ({"name": None}, "data.name"),
        ({"place": ""}, "data.place"),
        ({"colour": "red"}, "data.colour"),
    ],
)
def test_malformed_change_names_its_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(UnusableError) as refused:
        codec.decode("club_changed", data, TYPES)
    assert refused.value.field == field


@pytest.mark.parametrize("to", ["2026-12-31", None])
def test_last_day_survives_the_codec_also_as_null(to: str | None) -> None:
    data = {"season": "autumn", "to": to}
    assert codec.encode(codec.decode("season_changed", data, TYPES)) == data


def test_currency_can_be_set_later_and_changed_until_a_payment_is_recorded() -> None:
    opened = club_of(NO_MONEY, *TWO)
    with pytest.raises(UnusableError, match="has no currency"):
        opened.add(entry(4, PAID))
    for said in (changed(currency="CHF"), changed(currency="EUR"), PAID):
        opened.add(entry(opened.events + 1, said))
    assert opened.state.payments[0].amount == 500
    opened.add(entry(opened.events + 1, changed(currency="EUR", name="Same")))
    assert opened.state.opened
    assert opened.state.opened.name == "Same"


@pytest.mark.parametrize(
    "correction",
    [
        ("event_struck", {"seq": 4, "reason": ""}),
        ("event_replaced", {"seq": 4, "reason": "", "type": "club_changed",
                            "data": {"currency": "CHF"}}),
        ("event_inserted", {"after": 4, "reason": "", "type": "club_changed",
                            "data": {"currency": "CHF"}}),
    ],
)  # fmt: skip
def test_correction_gives_recorded_payments_no_other_currency(correction: Said) -> None:
    paid = club_of(FOUNDED, *TWO, changed(currency="USD"), PAID)
    before = repr(paid.state)
    with pytest.raises(UnusableError, match="payments in USD are recorded"):
        paid.add(entry(6, correction))
    assert repr(paid.state) == before
    paid.add(entry(6, ("event_struck", {"seq": 5, "reason": ""})))
    paid.add(entry(7, correction))
    assert paid.state.opened
    assert paid.state.opened.currency != "USD"


def test_season_can_end_earlier_later_and_never() -> None:
    opened = club(season(to="2026-12-31"), season_changed(to="2026-11-30"))
    assert named(opened).to == "2026-11-30"
    opened.add(entry(4, season_changed(name="Long")))
    assert (named(opened).name, named(opened).to) == ("Long", "2026-11-30")
    opened.add(entry(5, season_changed(to=None)))
    assert (named(opened).name, named(opened).to) == ("Long", None)


def evenings_of(opened: Club) -> tuple[str, ...]:
    evenings = {"e30": evening("30", match(1, 3, 2, players="ada bea"), session_id="e30")}
    shot = ClubSnapshot(opened.state, opened.events, opened.head, evenings)
    return shot.compute_standings(opened.state.seasons["autumn"]).evenings


def test_last_day_and_time_zone_move_evenings_by_themselves() -> None:
    opened = club(*TWO, entered("e30", "ada", "bea"), season(to="2026-11-30"))
    assert evenings_of(opened) == ("e30",)  # at eight in the evening of 30 November, UTC
    opened.add(entry(6, changed(zone="Asia/Tokyo")))
    assert evenings_of(opened) == ()
    opened.add(entry(7, season_changed(to=None)))
    assert evenings_of(opened) == ("e30",)
    opened.add(entry(8, season_changed(to="2026-11-30")))
    opened.add(entry(9, ("event_struck", {"seq": 6, "reason": ""})))
    assert evenings_of(opened) == ("e30",)

"""``/club/<club_id>/evenings``: all evenings by month, and one that should not count."""

import pytest

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import Page, inputs_of


def sessions(found: Page) -> list[str]:
    """The evenings that a page lists, in its order."""
    links = [a.get("href", "") for a in found.all("a")]
    return [link.split("/")[2] for link in links if link.endswith("/results")]


def test_they_stand_by_month_the_last_first() -> None:
    visit = Visit.found()
    visit.enter(*(riparto(day) for day in ("2026-09-30", "2026-11-06", "2026-10-02")))
    found = visit.page("/evenings")
    assert "3 evenings" in found.words
    places = [found.words.index(month) for month in ("November 2026", "October 2026",
                                                     "September 2026")]  # fmt: skip
    assert places == sorted(places)


def test_where_there_is_none_it_says_what_to_do() -> None:
    visit = Visit.found()
    words = visit.page("/evenings").words
    assert "No evening counts here yet. Add your evenings, or open a table." in words
    assert "Add your evenings" not in visit.other("view").page("/evenings").words


def test_one_that_is_withdrawn_counts_no_more_and_can_come_again() -> None:
    visit = Visit.found()
    log = riparto()
    visit.enter(log, riparto("2026-10-09", "leo"))
    before = visit.page().words.partition("Version")[0]
    last, first = sessions(visit.page("/evenings"))
    assert "Withdraw this evening?" in visit.page(f"/evenings/{first}/withdraw").words
    assert "Say why" in visit.refused(f"/evenings/{first}/withdraw", reason=" ").words
    long = visit.refused(f"/evenings/{first}/withdraw", reason="x" * 401)
    assert "This is longer than 400 letters." in long.words
    assert inputs_of(long)["reason"] == ["x" * 401]
    visit.done(f"/evenings/{first}/withdraw", reason="a friendly game")
    assert sessions(visit.page("/evenings?done=withdrawn")) == [last]
    assert "1 evening" in visit.page().words
    assert visit.look(f"/evenings/{first}/withdraw").status_code == 404
    visit.done("/enter", session=first, **{f"as-{one}": one for one in ("mara", "leo", "nina")})
    assert visit.page().words.partition("Version")[0] == before


def test_one_whose_log_is_gone_is_told_and_can_be_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visit = Visit.found()
    visit.enter(riparto())
    (gone,) = sessions(visit.page("/evenings"))
    monkeypatch.setattr(visit.app.extensions["service"].store, "ends", lambda some: {})
    found = visit.page("/evenings")
    assert f"{gone} its log is not here" in found.words
    assert f"/club/{visit.club_id}/evenings/{gone}/withdraw" in [a["href"] for a in found.all("a")]
    assert "1 evening cannot be read here" in visit.page().words


def test_a_member_withdraws_none() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    assert "Withdraw" not in visit.other("seat", "leo").page("/evenings").words

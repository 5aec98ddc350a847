"""``/club/<club_id>/evenings``: all evenings by month, and the withdrawal of one."""

import pytest

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import Page, inputs_of


def sessions(page: Page) -> list[str]:
    """Return the evenings that a page lists, in its order."""
    links = [a.get("href", "") for a in page.all("a")]
    return [link.split("/")[2] for link in links if link.endswith("/results")]


def test_evenings_are_grouped_by_month_the_last_first() -> None:
    visit = Visit.found()
    visit.enter(*(riparto(day) for day in ("2026-09-30", "2026-11-06", "2026-10-02")))
    page = visit.page("/evenings")
    assert "3 evenings" in page.words
    places = [page.words.index(month) for month in ("November 2026", "October 2026",
                                                     "September 2026")]  # fmt: skip
    assert places == sorted(places)


def test_winner_of_an_evening_is_named_in_words() -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-11-06"))
    assert "★ Winner: " in visit.page("/evenings").words


def test_without_evenings_the_page_gives_advice() -> None:
    visit = Visit.found()
    words = visit.page("/evenings").words
    assert "No evening counts here yet. Add your evenings, or open a table." in words
    assert "Add your evenings" not in visit.other("view").page("/evenings").words


def test_withdrawn_evening_does_not_count_and_can_be_entered_again() -> None:
    visit = Visit.found()
    log = riparto()
    visit.enter(log, riparto("2026-10-09", "leo"))
    before = visit.page().words
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
    visit.done(
        "/enter", session=first, **{f"as-{player}": player for player in ("mara", "leo", "nina")}
    )
    assert visit.page().words == before


def test_evening_with_a_missing_log_is_listed_and_can_be_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visit = Visit.found()
    visit.enter(riparto())
    (gone,) = sessions(visit.page("/evenings"))
    monkeypatch.setattr(visit.app.extensions["service"].store, "ends", lambda some: {})
    page = visit.page("/evenings")
    assert f"{gone} its log is not here" in page.words
    assert f"/club/{visit.club_id}/evenings/{gone}/withdraw" in [a["href"] for a in page.all("a")]
    assert "1 evening cannot be read here" in visit.page().words


def test_member_cannot_withdraw_an_evening() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    assert "Withdraw" not in visit.other("seat", "leo").page("/evenings").words

"""The picture of a published table: its first places, however long the names are."""

from io import BytesIO

import pytest
from PIL import Image

from scorekeeper.clubs.published import PublishedRowView, PublishedStandingsView
from scorekeeper.clubs.season_views import ClubSeasonView
from scorekeeper.exports.season_picture import MAX_ROWS, draw_season


def table_of(
    *names: str, ranking: str = "points", season: str = "Autumn"
) -> PublishedStandingsView:
    """Return a table with these names; the last one is below the line."""
    rows = [
        PublishedRowView(None if place == len(names) else place, False, None, name, place,
                         f"-{place}.5", 1, 1, 1, 0, place == 1)
        for place, name in enumerate(names, start=1)
    ]  # fmt: skip
    about = ClubSeasonView("autumn", season, None, None, ["riparto"], {"by": ranking}, [],
                           closed=False)  # fmt: skip
    return PublishedStandingsView("Circolo", None, about, [], 3, rows, [], 0, 0, 0)


def height_of(table: PublishedStandingsView, language: str = "en") -> int:
    """Return the height of the picture, which must be readable and of the usual width."""
    with Image.open(BytesIO(draw_season(table, language))) as image:
        image.load()
        assert (image.format, image.width) == ("PNG", 1080)
        return image.height


def test_picture_grows_with_the_places_and_ends_after_some() -> None:
    heights = [height_of(table_of(*"abcdefghijklmnopqrstuvwxyz"[:many])) for many in range(1, 25)]
    assert heights[:MAX_ROWS] == sorted(set(heights[:MAX_ROWS]))
    assert len(set(heights[MAX_ROWS + 1 :])) == 1


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("name", ["x" * 400, "Ōnishi", "أحمد", "🂡", "a\nb", " "])
def test_every_name_is_drawn(name: str, language: str) -> None:
    assert height_of(table_of(name, "b", season=name), language) > 400


def test_figures_follow_the_language() -> None:
    english, italian = (draw_season(table_of("a", "b"), language) for language in ("en", "it"))
    assert english != italian
    assert draw_season(table_of("a", "b"), "en") == english


def test_season_without_a_place_has_a_picture() -> None:
    assert height_of(table_of(season="")) > 200

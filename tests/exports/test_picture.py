"""``exports.picture``: the picture of a session, and ``exports.shapes``: its suit symbols."""

import io
from typing import Any

import pytest
from PIL import Image

from scorekeeper.exports import picture
from scorekeeper.exports.paper import BOX, font_characters
from scorekeeper.exports.shapes import SIZE, shape_outlines
from tests.evenings import event
from tests.exports.samples import EVENINGS, NAMES, evening_of, events_of, riparto
from tests.thinned import thinned


def draw(events: list[Any]) -> Image.Image:
    """Return the picture of these events, read back."""
    return Image.open(io.BytesIO(picture.draw_picture(evening_of(events))))


def colours(image: Image.Image) -> set[Any]:
    """Return the colours in a picture."""
    return {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


@pytest.mark.parametrize("path", thinned(EVENINGS, 3), ids=lambda path: path.parent.name)
def test_picture_has_the_width_and_colours(path: Any) -> None:
    image = draw(events_of(path))
    assert (image.format, image.width) == ("PNG", picture.WIDTH)
    assert {rgb(picture.PAGE), rgb(picture.INK), rgb(picture.TINT)} <= colours(image)


def test_picture_is_reproducible() -> None:
    evening = evening_of(riparto(2))
    assert picture.draw_picture(evening) == picture.draw_picture(evening)


def test_height_follows_the_content() -> None:
    assert draw(riparto(0)[:1]).height < draw(riparto(1)).height
    assert draw(riparto(10)).height == draw(riparto(1)).height  # standings, not hands


def test_a_dispute_is_marked() -> None:
    dispute = event("hand_disputed", player="leo", reason="no")
    regina = next(path for path in EVENINGS if path.parent.name == "briscola_regina")
    clean = events_of(regina)[:1]
    assert rgb(picture.RED) not in colours(draw(clean))  # French suits are red, too
    hands = [*riparto(1), dispute]
    assert draw(hands).height > draw(riparto(1)).height


@pytest.fixture(scope="module")
def plain() -> Image.Image:
    """Return a picture with ordinary names."""
    return draw(riparto(1))


@pytest.mark.parametrize("start", range(0, len(NAMES), 2))
def test_any_name_can_be_drawn(start: int, plain: Image.Image) -> None:
    image = draw(riparto(1, *NAMES[start : start + 2], "Nina"))
    assert image.size == plain.size


@pytest.mark.parametrize("name", [*NAMES, "日本 ערב 🎉 Zoë", "नमस्ते 日本"])
def test_every_piece_is_in_a_font_that_has_it(name: str) -> None:
    """Also a blank between letters of another font, which would otherwise be a box."""
    text = picture.drawable_text(name)
    for piece, letters in picture.split_by_font(text, picture.TEXT, "B"):
        file = str(letters.path).rpartition("/")[2]
        assert {ord(char) for char in piece} <= font_characters(file), (piece, file)


def test_box_for_a_missing_letter_is_explained() -> None:
    heights = [draw(riparto(1, "김", "Leo", "Nina", title=title)).height for title in ("日", "김")]
    assert heights[1] == heights[0] + picture.GAP + picture.SMALL + 18


def test_a_long_title_has_two_lines() -> None:
    usual, long = (draw(riparto(1, title=title)) for title in ("Friday", "At Maria Rosaria’s " * 3))
    assert long.height == usual.height + picture.TITLE + 18


@pytest.mark.parametrize(
    ("text", "drawable"),
    [("Zoë", "Zoë"), ("a\tb  c", "a b c"), ("\u202eMara", "Mara"), ("❤\ufe0f", "❤"),
     ("日本", "日本"), ("\U0010fffd", BOX), ("\u200b", "")],
)  # fmt: skip
def test_text_is_reduced_to_drawable_characters(text: str, drawable: str) -> None:
    assert picture.drawable_text(text) == drawable


def test_letters_are_never_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "can_shape", lambda: False)
    assert picture.drawable_text("ליאו") == ""
    with_id = draw(riparto(1, "mara", "leo", "nina"))
    assert draw(riparto(1, "mara", "ליאו", "nina")).tobytes() == with_id.tobytes()


def test_long_names_are_truncated() -> None:
    long = draw(riparto(1, "W" * 60, "Leo", "Nina"))
    right = long.crop((picture.WIDTH - picture.SIDE // 2, 0, picture.WIDTH, long.height))
    assert colours(right) == {rgb(picture.PAGE)}


@pytest.mark.parametrize(
    "shape", [f"french-{s}" for s in "SHDC"] + [f"italian-{s}" for s in "SCDB"]
)
def test_every_suit_is_a_shape(shape: str) -> None:
    shapes = shape_outlines(shape)
    assert shapes
    assert all(0 <= x <= SIZE and 0 <= y <= SIZE for outline in shapes for x, y in outline)
    mask = picture.suit_mask(shape).histogram()
    assert sum(mask[128:]) > sum(mask) / 6


def test_unknown_shape_has_no_outlines() -> None:
    assert shape_outlines("french-X") == ()

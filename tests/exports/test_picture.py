"""``exports.picture``: the picture of an evening, and ``exports.shapes``: the suits in it."""

import io
from typing import Any

import pytest
from PIL import Image

from scorekeeper.exports import picture
from scorekeeper.exports.paper import BOX, glyphs_of
from scorekeeper.exports.shapes import SIZE, outlines
from tests.evenings import event
from tests.exports.taken import EVENINGS, NAMES, events_of, riparto, taken


def drawn(events: list[Any]) -> Image.Image:
    """The picture of these events, as a viewer reads it."""
    return Image.open(io.BytesIO(picture.picture(taken(events))))


def colours(image: Image.Image) -> set[Any]:
    """The colours that are in a picture."""
    return {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_it_is_as_wide_as_a_phone_shows_it(path: Any) -> None:
    image = drawn(events_of(path))
    assert (image.format, image.width) == ("PNG", picture.WIDTH)
    assert {rgb(picture.PAGE), rgb(picture.INK), rgb(picture.TINT)} <= colours(image)


def test_it_is_the_same_each_time() -> None:
    evening = taken(riparto(2))
    assert picture.picture(evening) == picture.picture(evening)


def test_it_is_as_high_as_it_needs_to_be() -> None:
    assert drawn(riparto(0)[:1]).height < drawn(riparto(1)).height
    assert drawn(riparto(10)).height == drawn(riparto(1)).height  # standings, not hands


def test_a_dispute_is_marked() -> None:
    dispute = event("hand_disputed", player="leo", reason="no")
    regina = next(path for path in EVENINGS if path.parent.name == "briscola_regina")
    clean = events_of(regina)[:1]
    assert rgb(picture.RED) not in colours(drawn(clean))  # French suits are red, too
    hands = [*riparto(1), dispute]
    assert drawn(hands).height > drawn(riparto(1)).height


@pytest.fixture(scope="module")
def plain() -> Image.Image:
    """A picture with names that are nothing special."""
    return drawn(riparto(1))


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_drawn(name: str, plain: Image.Image) -> None:
    image = drawn(riparto(1, name, "Leo", "Nina"))
    assert image.size == plain.size


@pytest.mark.parametrize("name", [*NAMES, "日本 ערב 🎉 Zoë", "नमस्ते 日本"])
def test_every_piece_is_in_a_font_that_has_it(name: str) -> None:
    """A blank between letters of another font, too: else it would be a box."""
    text = picture.drawable(name)
    for piece, letters in picture.pieces(text, picture.TEXT, "B"):
        file = str(letters.path).rpartition("/")[2]
        assert {ord(char) for char in piece} <= glyphs_of(file), (piece, file)


def test_a_letter_that_cannot_be_drawn_is_told() -> None:
    heights = [drawn(riparto(1, "김", "Leo", "Nina", title=title)).height for title in ("日", "김")]
    assert heights[1] == heights[0] + picture.GAP + picture.SMALL + 18


def test_a_long_title_has_two_lines() -> None:
    usual, long = (
        drawn(riparto(1, title=title)) for title in ("Friday", "At Maria Rosaria’s " * 3)
    )
    assert long.height == usual.height + picture.TITLE + 18


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [("Zoë", "Zoë"), ("a\tb  c", "a b c"), ("\u202eMara", "Mara"), ("❤\ufe0f", "❤"),
     ("日本", "日本"), ("\U0010fffd", BOX), ("\u200b", "")],
)  # fmt: skip
def test_what_can_be_drawn_of_a_text(text: str, is_shown: str) -> None:
    assert picture.drawable(text) == is_shown


def test_letters_are_never_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "can_shape", lambda: False)
    assert picture.drawable("ליאו") == ""
    with_id = drawn(riparto(1, "mara", "leo", "nina"))
    assert drawn(riparto(1, "mara", "ליאו", "nina")).tobytes() == with_id.tobytes()


def test_what_is_too_long_is_cut() -> None:
    long = drawn(riparto(1, "W" * 60, "Leo", "Nina"))
    right = long.crop((picture.WIDTH - picture.SIDE // 2, 0, picture.WIDTH, long.height))
    assert colours(right) == {rgb(picture.PAGE)}


@pytest.mark.parametrize(
    "shape", [f"french-{s}" for s in "SHDC"] + [f"italian-{s}" for s in "SCDB"]
)
def test_every_suit_is_a_shape(shape: str) -> None:
    found = outlines(shape)
    assert found
    assert all(0 <= x <= SIZE and 0 <= y <= SIZE for outline in found for x, y in outline)
    mask = picture.stencil(shape).histogram()
    assert sum(mask[128:]) > sum(mask) / 6


def test_a_suit_that_is_not_drawn_has_no_shape() -> None:
    assert outlines("french-X") == ()

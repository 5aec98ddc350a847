"""The evening as a picture, to be sent to a chat: who won, how it stands, who pays whom.

It is as wide as phones show pictures, and as high as it needs to be. A name that cannot be drawn as
it is meant is the player's id.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFont, features

from scorekeeper.base.language import speaking
from scorekeeper.exports.chat import FLAG, MatchInWords, Message, Pays, Placing, message
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.paper import (
    BOX,
    BOXES,
    FALLBACKS,
    FILES,
    FONTS,
    LEFTWARDS,
    SHAPELESS,
    VARIANTS,
    Style,
    broken,
    cut,
    glyphs_of,
)
from scorekeeper.exports.shapes import SIZE, outlines
from scorekeeper.languages.catalogues import gettext as _

# Pixels.
WIDTH: Final = 1080
SIDE: Final = 64
ROW: Final = 66
GAP: Final = 40
SUIT: Final = 44
RANK: Final = 70
KEPT: Final = 4096  # characters and texts that were measured
FINE: Final = 4  # a shape is drawn that many times as large, and then made smaller

TITLE: Final = 64
HEAD: Final = 46
TEXT: Final = 40
SMALL: Final = 32

FAST: Final = 4  # of nine: more takes longer, and saves little

PAGE: Final = "#fffdf8"
INK: Final = "#1b1d1a"
SOFT: Final = "#4a4d45"
LINE: Final = "#ddd7c8"
GREEN: Final = "#125441"
TINT: Final = "#e6efe6"
RED: Final = "#b3211b"
RED_SUITS: Final = {"french-H", "french-D"}


def picture(evening: Evening) -> bytes:
    """The picture of an evening, as PNG."""
    with speaking(evening.reader.translated_language):
        told = message(evening, shown)
        sheet = Canvas(0)
        sheet.message(told)  # to see how high it is
        sheet = Canvas(sheet.y + SIDE)
        sheet.message(told)
    made = BytesIO()
    sheet.image.save(made, "PNG", compress_level=FAST)
    return made.getvalue()


# --------------------------------------------------------------------------------------- letters


@cache
def font(size: int, file: str, *, shaped: bool = False) -> ImageFont.FreeTypeFont:
    """A font of the score sheet, so large; to shape letters takes long."""
    layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS / file, size, layout_engine=layout)


@cache
def turns() -> bool:
    """Whether letters that are written from right to left are set so, which needs a library."""
    return bool(features.check("raqm"))


def shown(text: str) -> str:
    """A text as it can be drawn; empty where nothing of it can be read as it is meant."""
    letters = [
        char
        for char in unicodedata.normalize("NFC", " ".join(text.split()))
        if unicodedata.category(char) not in SHAPELESS and ord(char) not in VARIANTS
    ]
    if runs_leftwards(letters) and not turns():
        return ""
    return "".join(char if file_of(char, "") else BOX for char in letters).strip()


def runs_leftwards(letters: Iterable[str]) -> bool:
    """Whether some letters are written from right to left."""
    return any(unicodedata.bidirectional(char) in LEFTWARDS for char in letters)


@lru_cache(KEPT)
def file_of(char: str, style: Style) -> str:
    """The font that has a character: that of the style, or else another; empty where none has."""
    files = (FILES[style], FILES[""], *FALLBACKS.values())
    return next((file for file in files if ord(char) in glyphs_of(file)), "")


def pieces(text: str, size: int, style: Style) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """A text in pieces, each with the font that it is drawn in; marks stay with their letters."""
    found: list[tuple[str, str]] = []
    for char in text:
        file = file_of(char, style)
        if found and (file == found[-1][1] or _goes_with(char, found[-1][1])):
            found[-1] = found[-1][0] + char, found[-1][1]
        else:
            found.append((char, file))
    return [
        (piece, font(size, file or FILES[style], shaped=runs_leftwards(piece)))
        for piece, file in found
    ]


def _goes_with(char: str, file: str) -> bool:
    """Whether a character stays in the font of what is before it: blanks and marks that it has."""
    return (char == " " or bool(unicodedata.combining(char))) and ord(char) in glyphs_of(file)


@lru_cache(KEPT)
def width_of(text: str, size: int, style: Style) -> float:
    """How wide a text is drawn, in pixels."""
    return sum(
        letters.getlength(piece, direction=direction(letters))
        for piece, letters in pieces(text, size, style)
    )


def direction(letters: ImageFont.FreeTypeFont) -> str | None:
    """How a line runs: from left to right, where the letters are shaped that know others."""
    return "ltr" if letters.layout_engine is ImageFont.Layout.RAQM else None


# ----------------------------------------------------------------------------------- the drawing


@dataclass
class Canvas:
    """A picture that is drawn from the top downwards; of no height it is only measured."""

    height: int
    y: int = SIDE

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH, max(1, self.height)), PAGE)
        self.draw = ImageDraw.Draw(self.image)

    def message(self, told: Message) -> None:
        """Draw all of it."""
        room = WIDTH - 2 * SIDE
        for line in broken(told.title, room, 2, lambda part: width_of(part, TITLE, "B")):
            self.line(line, TITLE, "B")
        self.line(", ".join(filter(None, (told.when, told.place))), SMALL, colour=SOFT)
        if not told.matches:
            self.space(GAP)
            self.line(_("No match was played."), TEXT)
        for match in told.matches:
            self.match(match)
        for purse in told.money:
            self.heading(_("For money, in %(currency)s", currency=purse.currency))
            self.payments(purse.pays)
            if purse.provisional:
                self.mark(_("It may still change."))
        if told.more:
            self.space(GAP)
            self.line(_("More is in the score sheet."), SMALL, colour=SOFT)
        if BOX in told.title + told.place:
            self.space(GAP)
            self.line(_(BOXES), SMALL, colour=SOFT)

    def match(self, told: MatchInWords) -> None:
        """Draw a match: its game and suits, the outcome, the standing, its marks and payments."""
        shapes = [f"{told.pack}-{suit}" for suit in told.suits]
        self.heading(told.game, shapes)
        wide = self.words(told.counts, SMALL, right=WIDTH - SIDE, colour=SOFT)
        self.words(told.outcome, SMALL, x=SIDE, right=WIDTH - SIDE - wide - 24, colour=GREEN)
        self.space(SMALL + 18)
        for place in told.places:
            self.place(place)
        for mark in told.marks:
            self.mark(mark)
        self.payments(told.pays, told.settled_in)

    def heading(self, words: str, shapes: list[str] | None = None) -> None:
        """Begin a part with a line above it."""
        self.space(GAP)
        self.draw.line((SIDE, self.y, WIDTH - SIDE, self.y), LINE, 3)
        self.space(GAP // 2)
        x = WIDTH - SIDE - (SUIT + 12) * len(shapes or ())
        for place, shape in enumerate(shapes or ()):
            self.shape(shape, x + 12 + place * (SUIT + 12), self.y + 6)
        self.words(words, HEAD, "B", x=SIDE, right=x)
        self.space(HEAD + 20)

    def place(self, place: Placing) -> None:
        """Draw a side in a standing."""
        style: Style = "B" if place.won else ""
        if place.won:
            self.draw.rounded_rectangle(
                (SIDE - 20, self.y, WIDTH - SIDE + 20, self.y + ROW - 4), 16, TINT
            )
        y = self.y + 8
        self.words(f"{place.rank}.", TEXT, x=SIDE, y=y, colour=SOFT)
        wide = self.words(place.figure, TEXT, style, right=WIDTH - SIDE, y=y)
        self.words(place.name, TEXT, style, x=SIDE + RANK, y=y,
                   right=WIDTH - SIDE - wide - 24)  # fmt: skip
        self.space(ROW)

    def payments(self, pays: Sequence[Pays], settled_in: str = "") -> None:
        """Draw the payments under a heading of their own; nothing where there are none."""
        if pays:
            self.space(12)
            said = " · ".join(filter(None, (_("Who pays whom"), settled_in)))
            self.line(said, SMALL, colour=SOFT)
        for one in pays:
            self.payment(one)

    def payment(self, one: Pays) -> None:
        """Draw who pays whom: three columns, so that each name keeps its own direction."""
        y = self.y + 8
        wide = self.words(one.amount, TEXT, "B", right=WIDTH - SIDE, y=y)
        left, right = SIDE + RANK, WIDTH - SIDE - max(wide, 160) - 24
        middle = (left + right) // 2
        self.words(one.payer, TEXT, x=left, y=y, right=middle - 40)
        self.words("→", TEXT, x=middle - 24, y=y, colour=SOFT)
        self.words(one.to, TEXT, x=middle + 36, y=y, right=right)
        self.space(ROW)

    def mark(self, words: str) -> None:
        """Draw what is to be known before the result is relied on."""
        self.words(FLAG, SMALL, "B", x=SIDE, y=self.y + 8, colour=RED)
        self.words(words, SMALL, x=SIDE + RANK, y=self.y + 8, colour=RED)
        self.space(ROW - 8)

    # ---------------------------------------------------------------------------------- the parts

    def space(self, pixels: int) -> None:
        """Leave room."""
        self.y += pixels

    def line(self, text: str, size: int, style: Style = "", colour: str = INK) -> None:
        """Draw a line of its own."""
        self.words(text, size, style, x=SIDE, colour=colour)
        self.space(size + 18)

    def words(
        self, text: str, size: int, style: Style = "", *, x: int | None = None,
        y: int | None = None, right: int = WIDTH - SIDE, colour: str = INK,
    ) -> int:  # fmt: skip
        """Draw words from ``x``, cut before ``right``, or without ``x`` ending there; how wide."""
        room = right - (SIDE if x is None else x)
        text = cut(text, room, lambda part: width_of(part, size, style))
        wide = int(width_of(text, size, style)) + 1
        at: float = right - wide if x is None else x
        # All pieces stand on one line, whatever font they are in.
        base = (self.y if y is None else y) + font(size, FILES[style]).getmetrics()[0]
        for piece, letters in pieces(text, size, style) if self.height else ():
            way = direction(letters)
            self.draw.text((at, base), piece, colour, letters, anchor="ls", direction=way)
            at += letters.getlength(piece, direction=way)
        return wide

    def shape(self, shape: str, x: int, y: int) -> None:
        """Draw a suit."""
        if self.height:
            colour = RED if shape in RED_SUITS else INK
            self.image.paste(colour, (x, y), stencil(shape))


@cache
def stencil(shape: str) -> Image.Image:
    """A suit as a mask."""
    large = Image.new("1", (SUIT * FINE, SUIT * FINE))
    scale = SUIT * FINE / SIZE
    for outline in outlines(shape):
        layer = Image.new("1", large.size)
        ImageDraw.Draw(layer).polygon([(a * scale, b * scale) for a, b in outline], 1)
        large = ImageChops.logical_xor(large, layer)
    return large.convert("L").resize((SUIT, SUIT), Image.Resampling.BOX)

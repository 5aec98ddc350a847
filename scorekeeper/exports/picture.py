"""A picture of a session for a chat: winners, standings and payments.

Its width suits phones, its height the content. A name that cannot be drawn correctly is replaced by
the player's id.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFont, features

from scorekeeper.base.language import speaking
from scorekeeper.exports.chat import (
    FLAG,
    MatchInWords,
    Message,
    PaymentInWords,
    Placing,
    SumInWords,
    summarize_evening,
)
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.paper import (
    BOX,
    BOXES,
    FALLBACKS,
    FILES,
    FONTS,
    RIGHT_TO_LEFT,
    SHAPELESS,
    VARIANTS,
    Style,
    font_characters,
    truncate,
    wrap_text,
)
from scorekeeper.exports.shapes import SIZE, shape_outlines
from scorekeeper.languages.catalogues import gettext as _

# Pixels.
WIDTH: Final = 1080
SIDE: Final = 64
ROW: Final = 66
GAP: Final = 40
SUIT: Final = 44
RANK: Final = 70
CACHED_TEXTS: Final = 4096  # characters and texts with their fonts and widths
OVERSAMPLING: Final = 4  # factor by which shapes are drawn larger, before they are reduced

TITLE: Final = 64
HEAD: Final = 46
TEXT: Final = 40
SMALL: Final = 32

PNG_COMPRESSION: Final = 4  # of 9: higher levels take longer and save little

PAGE: Final = "#fffdf8"
INK: Final = "#1b1d1a"
SOFT: Final = "#4a4d45"
LINE: Final = "#ddd7c8"
GREEN: Final = "#125441"
TINT: Final = "#e6efe6"
RED: Final = "#b3211b"
RED_SUITS: Final = {"french-H", "french-D"}


def draw_picture(evening: Evening) -> bytes:
    """Return the picture of a session as PNG."""
    with speaking(evening.reader.translated_language):
        content = summarize_evening(evening, drawable_text)
        sheet = Canvas(0)
        sheet.message(content)  # measures the height
        sheet = Canvas(sheet.y + SIDE)
        sheet.message(content)
    file = BytesIO()
    sheet.image.save(file, "PNG", compress_level=PNG_COMPRESSION)
    return file.getvalue()


# --------------------------------------------------------------------------------------- letters


@cache
def load_font(size: int, file: str, *, shaped: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font of the score sheet in a size; ``shaped`` is slow, for scripts that need it."""
    layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS / file, size, layout_engine=layout)


@cache
def can_shape() -> bool:
    """Return whether right-to-left scripts can be drawn, which needs a library (raqm)."""
    return bool(features.check("raqm"))


def drawable_text(text: str) -> str:
    """Return a text with boxes for missing characters; empty if it cannot be drawn correctly."""
    letters = [
        char
        for char in unicodedata.normalize("NFC", " ".join(text.split()))
        if unicodedata.category(char) not in SHAPELESS and ord(char) not in VARIANTS
    ]
    if runs_leftwards(letters) and not can_shape():
        return ""
    return "".join(char if font_file(char, "") else BOX for char in letters).strip()


def runs_leftwards(letters: Iterable[str]) -> bool:
    """Return whether some letters are of right-to-left scripts."""
    return any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in letters)


@lru_cache(CACHED_TEXTS)
def font_file(char: str, style: Style) -> str:
    """Return the file of the first font with a character, empty if there is none."""
    files = (FILES[style], FILES[""], *FALLBACKS.values())
    return next((file for file in files if ord(char) in font_characters(file)), "")


def split_by_font(text: str, size: int, style: Style) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """Split a text into pieces, each with its font; combining marks stay with their letters."""
    parts: list[tuple[str, str]] = []
    for char in text:
        file = font_file(char, style)
        if parts and (file == parts[-1][1] or _continues(char, parts[-1][1])):
            parts[-1] = parts[-1][0] + char, parts[-1][1]
        else:
            parts.append((char, file))
    return [
        (piece, load_font(size, file or FILES[style], shaped=runs_leftwards(piece)))
        for piece, file in parts
    ]


def _continues(char: str, file: str) -> bool:
    """Return whether a character is a blank or a combining mark in the font of the text before."""
    return (char == " " or bool(unicodedata.combining(char))) and ord(char) in font_characters(file)


@lru_cache(CACHED_TEXTS)
def drawn_width(text: str, size: int, style: Style) -> float:
    """Return the width of a drawn text in pixels."""
    return sum(
        letters.getlength(piece, direction=line_direction(letters))
        for piece, letters in split_by_font(text, size, style)
    )


def line_direction(letters: ImageFont.FreeTypeFont) -> str | None:
    """Return the direction of lines: left to right if the font supports others, else None."""
    return "ltr" if letters.layout_engine is ImageFont.Layout.RAQM else None


# ----------------------------------------------------------------------------------- the drawing


@dataclass
class Canvas:
    """A picture that is drawn from top to bottom; with height 0, it is only measured."""

    height: int
    y: int = SIDE

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH, max(1, self.height)), PAGE)
        self.draw = ImageDraw.Draw(self.image)

    def message(self, content: Message) -> None:
        """Draw the whole picture of a session, from top to bottom."""
        width = WIDTH - 2 * SIDE
        for line in wrap_text(content.title, width, 2, lambda part: drawn_width(part, TITLE, "B")):
            self.line(line, TITLE, "B")
        self.line(", ".join(filter(None, (content.when, content.place))), SMALL, colour=SOFT)
        if not content.matches:
            self.space(GAP)
            self.line(_("No match was played."), TEXT)
        for match in content.matches:
            self.match(match)
        for added in content.sums:
            self.sum(added)
        for purse in content.money:
            self.heading(_("For money, in %(currency)s", currency=purse.currency))
            self.payments(purse.payments)
            if purse.provisional:
                self.mark(_("It may still change."))
        if content.more:
            self.space(GAP)
            self.line(_("More is in the score sheet."), SMALL, colour=SOFT)
        if BOX in content.title + content.place:
            self.space(GAP)
            self.line(_(BOXES), SMALL, colour=SOFT)

    def match(self, match: MatchInWords) -> None:
        """Draw a match: its game and suits, the outcome, the standing, its marks and payments."""
        shapes = [f"{match.pack}-{suit}" for suit in match.suits]
        self.heading(match.game, shapes)
        width = self.words(match.counts, SMALL, right=WIDTH - SIDE, colour=SOFT)
        self.words(match.outcome, SMALL, x=SIDE, right=WIDTH - SIDE - width - 24, colour=GREEN)
        self.space(SMALL + 18)
        for place in match.places:
            self.place(place)
        for mark in match.marks:
            self.mark(mark)
        self.payments(match.payments, match.settled_in)

    def sum(self, added: SumInWords) -> None:
        """Draw matches that are added up: their heading, the standing of players, the payments."""
        self.heading(added.title)
        self.words(added.counts, SMALL, right=WIDTH - SIDE, colour=SOFT)
        self.space(SMALL + 18)
        for place in added.places:
            self.place(place)
        self.payments(added.payments, added.settled_in)
        if added.provisional:
            self.mark(_("It may still change."))

    def heading(self, words: str, shapes: list[str] | None = None) -> None:
        """Draw the heading of a section, with a line above it."""
        self.space(GAP)
        self.draw.line((SIDE, self.y, WIDTH - SIDE, self.y), LINE, 3)
        self.space(GAP // 2)
        x = WIDTH - SIDE - (SUIT + 12) * len(shapes or ())
        for place, shape in enumerate(shapes or ()):
            self.shape(shape, x + 12 + place * (SUIT + 12), self.y + 6)
        self.words(words, HEAD, "B", x=SIDE, right=x)
        self.space(HEAD + 20)

    def place(self, place: Placing) -> None:
        """Draw the row of a side in a standing: rank, name and figure."""
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

    def payments(self, payments: Sequence[PaymentInWords], settled_in: str = "") -> None:
        """Draw the payments, if any, under their own heading."""
        if payments:
            self.space(12)
            heading = " · ".join(filter(None, (_("Who pays whom"), settled_in)))
            self.line(heading, SMALL, colour=SOFT)
        for payment in payments:
            self.payment(payment)

    def payment(self, payment: PaymentInWords) -> None:
        """Draw a payment in three columns, so that each name keeps its own direction."""
        y = self.y + 8
        width = self.words(payment.amount, TEXT, "B", right=WIDTH - SIDE, y=y)
        left, right = SIDE + RANK, WIDTH - SIDE - max(width, 160) - 24
        middle = (left + right) // 2
        self.words(payment.payer, TEXT, x=left, y=y, right=middle - 40)
        self.words("→", TEXT, x=middle - 24, y=y, colour=SOFT)
        self.words(payment.to, TEXT, x=middle + 36, y=y, right=right)
        self.space(ROW)

    def mark(self, words: str) -> None:
        """Draw a warning, with a flag, that a result may still change."""
        self.words(FLAG, SMALL, "B", x=SIDE, y=self.y + 8, colour=RED)
        self.words(words, SMALL, x=SIDE + RANK, y=self.y + 8, colour=RED)
        self.space(ROW - 8)

    # ---------------------------------------------------------------------------------- the parts

    def space(self, pixels: int) -> None:
        """Move the position down by some pixels."""
        self.y += pixels

    def line(self, text: str, size: int, style: Style = "", colour: str = INK) -> None:
        """Draw a line of text and move below it."""
        self.words(text, size, style, x=SIDE, colour=colour)
        self.space(size + 18)

    def words(
        self, text: str, size: int, style: Style = "", *, x: int | None = None,
        y: int | None = None, right: int = WIDTH - SIDE, colour: str = INK,
    ) -> int:  # fmt: skip
        """Draw words from ``x``, truncated at ``right``, or without ``x`` aligned to ``right``.

        Return their width.
        """
        available = right - (SIDE if x is None else x)
        text = truncate(text, available, lambda part: drawn_width(part, size, style))
        width = int(drawn_width(text, size, style)) + 1
        at: float = right - width if x is None else x
        # All pieces have the same base line, whatever their font.
        base = (self.y if y is None else y) + load_font(size, FILES[style]).getmetrics()[0]
        for piece, letters in split_by_font(text, size, style) if self.height else ():
            text_direction = line_direction(letters)
            self.draw.text(
                (at, base), piece, colour, letters, anchor="ls", direction=text_direction
            )
            at += letters.getlength(piece, direction=text_direction)
        return width

    def shape(self, shape: str, x: int, y: int) -> None:
        """Draw a suit at a position."""
        if self.height:
            colour = RED if shape in RED_SUITS else INK
            self.image.paste(colour, (x, y), suit_mask(shape))


@cache
def suit_mask(shape: str) -> Image.Image:
    """Return the drawing of a suit as a mask, white inside; cached."""
    large = Image.new("1", (SUIT * OVERSAMPLING, SUIT * OVERSAMPLING))
    scale = SUIT * OVERSAMPLING / SIZE
    for outline in shape_outlines(shape):
        layer = Image.new("1", large.size)
        ImageDraw.Draw(layer).polygon([(a * scale, b * scale) for a, b in outline], 1)
        large = ImageChops.logical_xor(large, layer)
    return large.convert("L").resize((SUIT, SUIT), Image.Resampling.BOX)

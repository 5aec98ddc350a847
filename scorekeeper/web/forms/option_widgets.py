"""The widgets of an option's values: one fixed value, or a family of values."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.sentences import with_spaces
from scorekeeper.play.rulebook import (
    MAX_ID_CHARACTERS,
    Family,
    ListOf,
    NamedTexts,
    Number,
    Numbers,
)
from scorekeeper.report.option_words import describe_value
from scorekeeper.web.forms.scene import NOWHERE, Scene
from scorekeeper.web.forms.typed import FieldError
from scorekeeper.web.forms.widget import Field, FormData, Widget

FamilyT = TypeVar("FamilyT", bound=Family)
MAX_DIGITS: Final = 7  # of a typed number
MAX_NAME_OF_TEXT: Final = 40  # characters typed before the colon of a text


class FixedWidget(Widget[object]):
    """One value, with nothing to enter."""

    shapes = ("", "")

    def texts(self, kind: object, value: object) -> list[str]:
        return []

    def read(self, kind: object, name: str, form: FormData, scene: Scene = NOWHERE) -> object:
        return kind


class FamilyWidget(Widget[FamilyT]):
    """The base class for families of values: a value is read if its family accepts it."""

    def field(
        self, kind: FamilyT, name: str, texts: Sequence[str], scene: Scene = NOWHERE
    ) -> Field:
        if self.only_value(kind) is not None:
            return Field(name, "")
        return super().field(kind, name, texts, scene)

    def read(self, kind: FamilyT, name: str, form: FormData, scene: Scene = NOWHERE) -> object:
        value = self.only_value(kind)
        if value is None:
            value = self.parse(kind, form.get(name, "").strip())
        if not kind.accepts(value):
            raise FieldError(self.refusal(kind))
        return value

    def only_value(self, kind: FamilyT) -> object:
        """Return the value of a family that has only one; else None."""
        return None

    def refusal(self, kind: FamilyT) -> str:
        """Return the message about a value that the family does not accept."""
        return str(_("This is not possible."))


class NumberWidget(FamilyWidget[Number]):
    """A number: typed, or in a list if few are accepted."""

    label = _l("Number")

    def choices(self, kind: Number, scene: Scene) -> list[tuple[str, str]]:
        return [(str(number), str(number)) for number in kind.only]

    def attributes(self, kind: Number) -> JsonObject:
        return {"inputmode": "numeric", "pattern": "[0-9]*", "maxlength": MAX_DIGITS}

    def texts(self, kind: Number, value: Any) -> list[str]:
        return [str(value if kind.key is None else value[kind.key])]

    def parse(self, kind: Number, text: str) -> object:
        if not _is_number(text):
            raise FieldError(_("Type a number here."))
        return int(text) if kind.key is None else {kind.key: int(text)}

    def refusal(self, kind: Number) -> str:
        if kind.only:
            return str(_("One of these: %(numbers)s.", numbers=", ".join(map(str, kind.only))))
        if kind.step > 1:
            return str(_("A multiple of %(step)s.", step=kind.step))
        return super().refusal(kind)


class NumbersWidget(FamilyWidget[Numbers]):
    """Several numbers with a space between them."""

    label = _l("Which numbers")

    def attributes(self, kind: Numbers) -> JsonObject:
        return {"inputmode": "numeric", "maxlength": 60}

    def texts(self, kind: Numbers, value: Any) -> list[str]:
        return [" ".join(map(str, kind.numbers(value) or ()))]

    def only_value(self, kind: Numbers) -> object:
        return None if kind.only is None else kind.value(kind.only)

    def parse(self, kind: Numbers, text: str) -> list[int] | dict[str, int]:
        words = text.replace(",", " ").split()
        if not all(map(_is_number, words)):
            raise FieldError(_("Type numbers here, with a space between them."))
        return kind.value([int(word) for word in words])

    def refusal(self, kind: Numbers) -> str:
        if kind.rising:
            return str(_("Rising numbers from %(low)s to %(high)s, at most %(most)s of them.",
                         low=kind.low, high=kind.high, most=kind.most))  # fmt: skip
        return str(_("%(many)s numbers, each from %(low)s to %(high)s.",
                     many=kind.most, low=kind.low, high=kind.high))  # fmt: skip


class ListOfWidget(FamilyWidget[ListOf]):
    """Some of a few words, each to tick."""

    shapes = ("ticks", "")

    def choices(self, kind: ListOf, scene: Scene) -> list[tuple[str, str]]:
        return [(value, describe_value(value)) for value in kind.values]

    def texts(self, kind: ListOf, value: Any) -> list[str]:
        return list(value)

    def read(self, kind: ListOf, name: str, form: FormData, scene: Scene = NOWHERE) -> list[str]:
        values = form.getlist(name)
        if not kind.accepts(values):
            raise FieldError(self.refusal(kind))
        return values


class NamedTextsWidget(FamilyWidget[NamedTexts]):
    """Texts of the players' own, one on each line."""

    shapes = ("", "lines")
    label = _l("One on each line, as “wink: I have the World”")

    def attributes(self, kind: NamedTexts) -> JsonObject:
        return {"maxlength": kind.most * (kind.longest + MAX_NAME_OF_TEXT)}

    def texts(self, kind: NamedTexts, value: Any) -> list[str]:
        return ["\n".join(f"{with_spaces(item['id'])}: {item['text']}" for item in value)]

    def only_value(self, kind: NamedTexts) -> object:
        return None if kind.most else []

    def parse(self, kind: NamedTexts, text: str) -> list[dict[str, str]]:
        return parse_texts(text)

    def refusal(self, kind: NamedTexts) -> str:
        return str(_(
            "At most %(most)s lines of up to %(longest)s letters, each with another name before "
            "its colon, which no gesture of the list has.", most=kind.most, longest=kind.longest,
        ))  # fmt: skip


def _is_number(text: str) -> bool:
    """Return whether a text is a number of at most `MAX_DIGITS` digits."""
    return text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS


def parse_texts(typed: str) -> list[dict[str, str]]:
    r"""Parse texts typed one on each line; the part before the first colon is the text's id.

    A line without a colon is both text and id. A name without Latin letters gets a number.

    >>> parse_texts("Pull an ear: I have the World\n\nwink")
    [{'id': 'pull_an_ear', 'text': 'I have the World'}, {'id': 'wink', 'text': 'wink'}]
    """
    texts = []
    for place, line in enumerate(filter(None, map(str.strip, typed.splitlines())), 1):
        name, _colon, text = line.partition(":")
        latin = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        words = re.findall("[a-z0-9]+", latin)
        texts.append({
            "id": "_".join(words)[:MAX_ID_CHARACTERS].rstrip("_") or f"own_{place}",
            "text": unicodedata.normalize("NFC", text.strip() or name.strip()),
        })  # fmt: skip
    return texts

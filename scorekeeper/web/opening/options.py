"""The options of a game as a form asks for them, and as it was filled in."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.sentences import spaced
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import (
    LONGEST_ID,
    Choice,
    Clause,
    Family,
    ListOf,
    NamedTexts,
    Number,
    Numbers,
    Option,
    Preset,
)
from scorekeeper.report.sheet import rules_in_brief
from scorekeeper.web.wording.filters import chosen, clause_of
from scorekeeper.web.wording.rules_link import as_text, of_text

FormData = MultiDict[str, str]
T = TypeVar("T")
OPTION: Final = "o-"  # the names of fields that are options begin with it


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of an option: what it means, and whether it is chosen.

    ``number`` is what was typed for a family of values, ``ids`` those ticked in a list; of texts
    each is a line.
    """

    place: int
    choice: Choice
    meaning: str
    default: bool
    checked: bool
    number: str = ""
    ids: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Whether it is chosen as it stands, with a number, or with a list."""
        if isinstance(self.choice, Numbers):
            return "plain" if self.choice.only is not None else "numbers"
        if isinstance(self.choice, NamedTexts):
            return "texts" if self.choice.most else "plain"
        if isinstance(self.choice, ListOf) and not self.choice.values:
            return "plain"
        family = {Number: "number", ListOf: "list"}
        return family.get(type(self.choice), "plain")


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option as a form asks for it."""

    option: Option
    clause: Clause
    values: list[OptionValue]

    @property
    def changed(self) -> bool:
        """Whether it is not left as it usually is."""
        return any(one.checked and not one.default for one in self.values)


class OptionValueError(ValueError):
    """What was filled in is no value of an option."""


def field_of(option: Option) -> str:
    """The name of an option's field."""
    return f"{OPTION}{option.name}"


def asked(game: Game, said: FormData) -> list[OptionField]:
    """The options of a game, with what was said of them."""
    defaults = game.options(None, max(game.seats))
    return [
        OptionField(one, clause_of(game, one.clause), list(_values(one, defaults[one.name], said)))
        for one in game.book.options
    ]


def _values(option: Option, default: Any, said: FormData) -> Iterator[OptionValue]:
    usual = next(n for n, choice in enumerate(option.choices) if chosen(choice, default))
    picked = said.get(field_of(option)) or str(usual)
    for place, (choice, meaning) in enumerate(option.choices.items()):
        field = f"{field_of(option)}-{place}"
        yield OptionValue(
            place, choice, meaning, place == usual, str(place) == picked,
            said.get(field) or _usual_number(choice, default), tuple(said.getlist(field)),
        )  # fmt: skip


def _usual_number(choice: Choice, default: Any) -> str:
    if not isinstance(choice, Number | Numbers) or not choice.accepts(default):
        return ""
    return _typed(choice, default)


def _typed(choice: Number | Numbers, value: Any) -> str:
    """A value of a family as it is typed."""
    if isinstance(choice, Numbers):
        return " ".join(map(str, choice.numbers(value) or ()))
    return str(value if choice.key is None else value[choice.key])


class HouseField(NamedTuple):
    """A set of options that a form offers at one tap, and whether it is what is chosen."""

    place: int
    house: Preset
    chosen: bool


def houses(game: Game, said: FormData) -> list[HouseField]:
    """The houses of a game, the usual rules first."""
    picked = chosen_options(game, said, {})
    return [
        HouseField(
            place, house, picked == game.book.changed(game.options(house.options, max(game.seats)))
        )
        for place, house in enumerate(_houses(game))
    ]


def _houses(game: Game) -> Sequence[Preset]:
    usual = Preset(_("Usual rules"), _("As in this rule book."), {})
    return (usual, *game.houses)


def with_house(game: Game, said: FormData, begins_with: str = "") -> FormData:
    """What a form says, with the options of the house that was tapped, or of a link's rules.

    A form that says nothing of them yet, or of those of another game, begins with the rules of a
    text as links have it, where that is given.
    """
    others = MultiDict(
        (name, value) for name, value in said.items(multi=True) if not name.startswith(OPTION)
    )
    if said.get("game", game.id) != game.id:
        said = others
    house = _picked(_houses(game), said.get("house", ""))
    if house is not None:
        options = game.options(house.options, max(game.seats))
    else:
        begun = any(name.startswith(OPTION) for name in said)
        told = of_text(game, said.get("rules") or ("" if begun else begins_with))
        if told is None:
            return said
        options = told
    others.update(as_form(game, options))
    return others


class ChosenRules(NamedTuple):
    """The rules that a form has chosen: as a link has them, and in one line what is not usual."""

    text: str
    line: str
    refused: bool


def kept(game: Game, said: FormData) -> ChosenRules:
    """The rules of a form, to be kept on a phone and handed on as a link."""
    options = chosen_options(game, said, {})
    asked_for, settled = said.get("rules", ""), game.book.settle(options)
    refused = bool(asked_for) and of_text(game, asked_for) is None
    return ChosenRules(as_text(game, settled), rules_in_brief(game, settled), refused)


class MostOfAHand(NamedTuple):
    """What one hand can bring, whether others can double it, and whether it can end the match."""

    points: int
    doubles: bool
    ends: bool


def most_of(game: Game, options: Mapping[str, Any], seats: int) -> MostOfAHand | None:
    """What one hand can bring; ``seats`` are as many as sit down, or as the game has at most."""
    points = game.most_of_a_hand(options, seats if seats in game.seats else max(game.seats))
    if points is None:
        return None
    goal = game.goal(options)
    ends = goal is not None and goal.counts == "points" and goal.figure <= points
    return MostOfAHand(points, game.doubles(options), ends)


def asked_most(game: Game, said: FormData, seats: int) -> MostOfAHand | None:
    """What one hand can bring by the rules that a form has chosen; None where they cannot be."""
    try:
        options = game.options(chosen_options(game, said, {}), max(game.seats))
    except UnusableError:
        return None
    return most_of(game, options, seats)


def chosen_options(game: Game, said: FormData, wrong: dict[str, str]) -> dict[str, Any]:
    """The options that are not left as they usually are; ``wrong`` gets what is no value."""
    found: dict[str, Any] = {}
    settled: dict[str, Any] = {}
    for option in game.book.options:
        default = option.default_for(settled)
        try:
            value = _read(option, default, said)
        except OptionValueError as error:
            wrong[field_of(option)] = str(error)
            value = default
        settled[option.name] = value
        if value != default:
            found[option.name] = value
    return found


def _read(option: Option, default: Any, said: FormData) -> Any:
    picked = said.get(field_of(option), "")
    if not picked:
        return default
    choice, field = _picked(option.choices, picked), f"{field_of(option)}-{picked}"
    if choice is None:
        raise OptionValueError(_("Choose one of these."))
    if isinstance(choice, ListOf):
        return _accepted(choice, said.getlist(field))
    if isinstance(choice, Number):
        return _accepted(choice, _number(choice, said.get(field, "").strip()))
    if isinstance(choice, Numbers):
        return _accepted(choice, _numbers(choice, said.get(field, "")))
    if isinstance(choice, NamedTexts):
        return _accepted(choice, texts_of(said.get(field, "")) if choice.most else [])
    return choice


def _picked(several: Iterable[T], place: str) -> T | None:
    """The one at a place that a form names; None where it names none."""
    return {str(at): one for at, one in enumerate(several)}.get(place)


def _number(choice: Number, typed: str) -> Any:
    if not (typed.isascii() and typed.isdecimal()) or len(typed) > 7:
        raise OptionValueError(_("Type a number here."))
    return int(typed) if choice.key is None else {choice.key: int(typed)}


def _numbers(choice: Numbers, typed: str) -> list[int] | dict[str, int]:
    if choice.only is not None:
        return choice.value(choice.only)
    words = typed.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and len(word) <= 7 for word in words):
        raise OptionValueError(_("Type numbers here, with a space between them."))
    return choice.value([int(word) for word in words])


def texts_of(typed: str) -> list[dict[str, str]]:
    r"""The texts typed one on each line, each with what comes before its first colon as its id.

    A line without a colon is text and id in one. A name without Latin letters gets a number.

    >>> texts_of("Pull an ear: I have the World\n\nwink")
    [{'id': 'pull_an_ear', 'text': 'I have the World'}, {'id': 'wink', 'text': 'wink'}]
    """
    found = []
    for place, line in enumerate(filter(None, map(str.strip, typed.splitlines())), 1):
        name, _colon, text = line.partition(":")
        latin = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        words = re.findall("[a-z0-9]+", latin)
        found.append({
            "id": "_".join(words)[:LONGEST_ID].rstrip("_") or f"own_{place}",
            "text": unicodedata.normalize("NFC", text.strip() or name.strip()),
        })  # fmt: skip
    return found


def _accepted(choice: Family, value: Any) -> Any:
    if choice.accepts(value):
        return value
    if isinstance(choice, Number) and choice.only:
        raise OptionValueError(
            _("One of these: %(numbers)s.", numbers=", ".join(map(str, choice.only)))
        )
    if isinstance(choice, Number) and choice.step > 1:
        raise OptionValueError(_("A multiple of %(step)s.", step=choice.step))
    if isinstance(choice, Numbers) and choice.rising:
        raise OptionValueError(
            _("Rising numbers from %(low)s to %(high)s, at most %(most)s of them.",
              low=choice.low, high=choice.high, most=choice.most)
        )  # fmt: skip
    if isinstance(choice, Numbers):
        raise OptionValueError(_("%(many)s numbers, each from %(low)s to %(high)s.",
                      many=choice.most, low=choice.low, high=choice.high))  # fmt: skip
    if isinstance(choice, NamedTexts):
        raise OptionValueError(
            _("At most %(most)s lines of up to %(longest)s letters, each with another name before "
              "its colon, which no gesture of the list has.",
              most=choice.most, longest=choice.longest)
        )  # fmt: skip
    raise OptionValueError(_("This is not possible."))


def as_form(game: Game, options: Mapping[str, Any]) -> FormData:
    """The fields of a form filled in with the options of a match."""
    said: FormData = MultiDict()
    for option in game.book.options:
        value = options[option.name]
        for place, choice in enumerate(option.choices):
            if chosen(choice, value):
                said[field_of(option)] = str(place)
                field = f"{field_of(option)}-{place}"
                if isinstance(choice, ListOf):
                    said.setlist(field, list(value))
                elif isinstance(choice, Number | Numbers):
                    said[field] = _typed(choice, value)
                elif isinstance(choice, NamedTexts):
                    lines = (f"{spaced(one['id'])}: {one['text']}" for one in value)
                    said[field] = "\n".join(lines)
                break
    return said

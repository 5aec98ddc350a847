"""The options of a game as form fields, with their submitted values."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.sentences import with_spaces
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import (
    MAX_ID_CHARACTERS,
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
from scorekeeper.report.sheet import summarize_rules
from scorekeeper.web.wording.filters import clause_of, is_chosen
from scorekeeper.web.wording.rules_link import options_of_text, rules_as_text

FormData = MultiDict[str, str]
T = TypeVar("T")
OPTION: Final = "o-"  # prefix of the names of option fields


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of an option: its meaning, and whether it is chosen.

    ``number`` is the typed number of a family of values, or the lines of texts; ``ids`` are those
    ticked in a list.
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
        """The kind of input: `plain` (none), `number`, `numbers`, `texts` or `list`."""
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
    """An option as a form field."""

    option: Option
    clause: Clause
    values: list[OptionValue]

    @property
    def changed(self) -> bool:
        """Whether the form's value differs from the usual one."""
        return any(value.checked and not value.default for value in self.values)


class OptionValueError(ValueError):
    """The submitted value is not a value of the option."""


def field_of(option: Option) -> str:
    """Return the name of an option's form field."""
    return f"{OPTION}{option.name}"


def option_fields(game: Game, form: FormData) -> list[OptionField]:
    """Return the options of a game, with the submitted values."""
    defaults = game.options(None, max(game.seats))
    return [
        OptionField(
            option,
            clause_of(game, option.clause),
            list(_option_values(option, defaults[option.name], form)),
        )
        for option in game.book.options
    ]


def _option_values(option: Option, default: object, form: FormData) -> Iterator[OptionValue]:
    """Yield the values of an option with which of them is usual and which the form chose."""
    usual = next(n for n, choice in enumerate(option.choices) if is_chosen(choice, default))
    picked = form.get(field_of(option)) or str(usual)
    for place, (choice, meaning) in enumerate(option.choices.items()):
        field = f"{field_of(option)}-{place}"
        yield OptionValue(
            place, choice, meaning, place == usual, str(place) == picked,
            form.get(field) or _usual_number(choice, default), tuple(form.getlist(field)),
        )  # fmt: skip


def _usual_number(choice: Choice, default: object) -> str:
    """Return the default of a family of numbers as it is typed; empty for other choices."""
    if not isinstance(choice, Number | Numbers) or not choice.accepts(default):
        return ""
    return _value_as_typed(choice, default)


def _value_as_typed(choice: Number | Numbers, value: Any) -> str:
    """Return a value of a family of numbers as the text of its form field."""
    if isinstance(choice, Numbers):
        return " ".join(map(str, choice.numbers(value) or ()))
    return str(value if choice.key is None else value[choice.key])


class HouseField(NamedTuple):
    """A preset of options as a button of a form, and whether its options are chosen now."""

    place: int
    house: Preset
    chosen: bool


def preset_fields(game: Game, form: FormData) -> list[HouseField]:
    """Return the presets of a game as buttons, the usual rules first."""
    picked = chosen_options(game, form, {})
    return [
        HouseField(
            place, house, picked == game.book.changed(game.options(house.options, max(game.seats)))
        )
        for place, house in enumerate(_presets_with_usual(game))
    ]


def _presets_with_usual(game: Game) -> Sequence[Preset]:
    """Return the presets of a game, after one for the usual rules."""
    usual = Preset(_("Usual rules"), _("As in this rule book."), {})
    return (usual, *game.houses)


def apply_preset(game: Game, form: FormData, begins_with: str = "") -> FormData:
    """Return the form with its option fields set from the tapped preset, or from a link's rules.

    A form without options, or with those of another game, gets the rules of `begins_with`, the text
    of a link. Returns the form unchanged if there is neither.
    """
    others = MultiDict(
        (name, value) for name, value in form.items(multi=True) if not name.startswith(OPTION)
    )
    if form.get("game", game.id) != game.id:
        form = others
    house = _item_at(_presets_with_usual(game), form.get("house", ""))
    if house is not None:
        options = game.options(house.options, max(game.seats))
    else:
        has_options = any(name.startswith(OPTION) for name in form)
        options_of_link = options_of_text(
            game, form.get("rules") or ("" if has_options else begins_with)
        )
        if options_of_link is None:
            return form
        options = options_of_link
    others.update(options_as_form(game, options))
    return others


class ChosenRules(NamedTuple):
    """The rules of a form.

    `text` is their form in a link, `line` their differences from the usual in words, and `refused`
    whether the link named rules that this game does not have.
    """

    text: str
    line: str
    refused: bool


def chosen_rules(game: Game, form: FormData) -> ChosenRules:
    """Return the rules that a form chooses, to be stored on the phone and shared as a link."""
    options = chosen_options(game, form, {})
    requested, settled = form.get("rules", ""), game.book.settle(options)
    refused = bool(requested) and options_of_text(game, requested) is None
    return ChosenRules(rules_as_text(game, settled), summarize_rules(game, settled), refused)


class MostOfAHand(NamedTuple):
    """The most points of one hand, whether they can be doubled, and whether they end the match."""

    points: int
    doubles: bool
    ends: bool


def most_points_of_hand(game: Game, options: JsonObject, seats: int) -> MostOfAHand | None:
    """Return the most points of one hand with these options; None if the game has no maximum.

    A number of `seats` that the game does not have stands for the largest.
    """
    points = game.most_of_a_hand(options, seats if seats in game.seats else max(game.seats))
    if points is None:
        return None
    goal = game.goal(options)
    ends = goal is not None and goal.counts == "points" and goal.figure <= points
    return MostOfAHand(points, game.doubles(options), ends)


def most_by_form(game: Game, form: FormData, seats: int) -> MostOfAHand | None:
    """Return the most points of one hand by the rules of a form; None if they are invalid."""
    try:
        options = game.options(chosen_options(game, form, {}), max(game.seats))
    except UnusableError:
        return None
    return most_points_of_hand(game, options, seats)


def chosen_options(game: Game, form: FormData, wrong: dict[str, str]) -> JsonObject:
    """Return the options of a form that differ from the usual, by name.

    `wrong` gets the errors by field; an option with an error counts as usual.
    """
    changed: dict[str, object] = {}
    settled: dict[str, object] = {}
    for option in game.book.options:
        default = option.default_for(settled)
        try:
            value = _read_option(option, default, form)
        except OptionValueError as error:
            wrong[field_of(option)] = str(error)
            value = default
        settled[option.name] = value
        if value != default:
            changed[option.name] = value
    return changed


def _read_option(option: Option, default: object, form: FormData) -> Any:
    """Return the value of an option in a form, or its default if none is chosen.

    Raises `OptionValueError` if the value is not possible.
    """
    picked = form.get(field_of(option), "")
    if not picked:
        return default
    choice, field = _item_at(option.choices, picked), f"{field_of(option)}-{picked}"
    if choice is None:
        raise OptionValueError(_("Choose one of these."))
    if isinstance(choice, ListOf):
        return _accept_or_refuse(choice, form.getlist(field))
    if isinstance(choice, Number):
        return _accept_or_refuse(choice, _parse_number(choice, form.get(field, "").strip()))
    if isinstance(choice, Numbers):
        return _accept_or_refuse(choice, _parse_numbers(choice, form.get(field, "")))
    if isinstance(choice, NamedTexts):
        return _accept_or_refuse(choice, parse_texts(form.get(field, "")) if choice.most else [])
    return choice


def _item_at(items: Iterable[T], place: str) -> T | None:
    """Return the item at a place that a form names; None if there is none."""
    return {str(index): item for index, item in enumerate(items)}.get(place)


def _parse_number(choice: Number, typed: str) -> Any:
    """Return a typed number as the option's value.

    Raises `OptionValueError` if it is not a number of at most 7 digits.
    """
    if not (typed.isascii() and typed.isdecimal()) or len(typed) > 7:
        raise OptionValueError(_("Type a number here."))
    return int(typed) if choice.key is None else {choice.key: int(typed)}


def _parse_numbers(choice: Numbers, typed: str) -> list[int] | dict[str, int]:
    """Return typed numbers as the option's value.

    Raises `OptionValueError` if they are not numbers of at most 7 digits.
    """
    if choice.only is not None:
        return choice.value(choice.only)
    words = typed.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and len(word) <= 7 for word in words):
        raise OptionValueError(_("Type numbers here, with a space between them."))
    return choice.value([int(word) for word in words])


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


def _accept_or_refuse(choice: Family, value: object) -> Any:
    """Return a value that its family accepts.

    Raises `OptionValueError` with a message for the form otherwise.
    """
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


def options_as_form(game: Game, options: JsonObject) -> FormData:
    """Return form fields filled in with the options of a match."""
    form: FormData = MultiDict()
    for option in game.book.options:
        value = options[option.name]
        for place, choice in enumerate(option.choices):
            if is_chosen(choice, value):
                form[field_of(option)] = str(place)
                field = f"{field_of(option)}-{place}"
                if isinstance(choice, ListOf):
                    form.setlist(field, list(value))
                elif isinstance(choice, Number | Numbers):
                    form[field] = _value_as_typed(choice, value)
                elif isinstance(choice, NamedTexts):
                    lines = (f"{with_spaces(item['id'])}: {item['text']}" for item in value)
                    form[field] = "\n".join(lines)
                break
    return form

"""The options of a game as form fields, with their submitted values."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Clause, Option, Preset
from scorekeeper.report.option_words import summarize_rules
from scorekeeper.web.forms.typed import FieldError
from scorekeeper.web.forms.widget import Field, FormData
from scorekeeper.web.forms.widgets import widget_of
from scorekeeper.web.wording.filters import clause_of, is_chosen
from scorekeeper.web.wording.rules_link import options_of_text, rules_as_text

T = TypeVar("T")
OPTION: Final = "o-"  # prefix of the names of option fields


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of an option, or a family of values: its meaning, and whether it is chosen.

    ``field`` is where a value of the family is entered; it has no shape if there is only one.
    """

    place: int
    meaning: str
    default: bool
    checked: bool
    field: Field


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
        widget, name = widget_of(choice), f"{field_of(option)}-{place}"
        texts = form.getlist(name)
        if not form.get(name):
            texts = widget.texts(choice, default) if is_chosen(choice, default) else []
        field = widget.field(choice, name, texts)
        yield OptionValue(place, meaning, place == usual, str(place) == picked, field)


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
    options = options_by_form(game, form, max(game.seats))
    return None if options is None else most_points_of_hand(game, options, seats)


def options_by_form(game: Game, form: FormData, seats: int) -> JsonObject | None:
    """Return all options by the rules of a form; None if these are invalid."""
    try:
        return game.options(chosen_options(game, form, {}), seats)
    except UnusableError:
        return None


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
        except FieldError as error:
            wrong[field_of(option)] = str(error)
            value = default
        settled[option.name] = value
        if value != default:
            changed[option.name] = value
    return changed


def _read_option(option: Option, default: object, form: FormData) -> Any:
    """Return the value of an option in a form, or its default if none is chosen.

    Raises `FieldError` if the value is not possible.
    """
    picked = form.get(field_of(option), "")
    if not picked:
        return default
    choice = _item_at(option.choices, picked)
    if choice is None:
        raise FieldError(_("Choose one of these."))
    return widget_of(choice).read(choice, f"{field_of(option)}-{picked}", form)


def _item_at(items: Iterable[T], place: str) -> T | None:
    """Return the item at a place that a form names; None if there is none."""
    return {str(index): item for index, item in enumerate(items)}.get(place)


def options_as_form(game: Game, options: JsonObject) -> FormData:
    """Return form fields filled in with the options of a match."""
    form: FormData = MultiDict()
    for option in game.book.options:
        value = options[option.name]
        for place, choice in enumerate(option.choices):
            if is_chosen(choice, value):
                form[field_of(option)] = str(place)
                texts = widget_of(choice).texts(choice, value)
                form.setlist(f"{field_of(option)}-{place}", texts)
                break
    return form

"""A new table as a form describes it: parsed, validated, and turned into its opening events."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.names import player_ids
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.web.forms.typed import clean_line, line_error, name_error, parse_day
from scorekeeper.web.forms.widget import FormData
from scorekeeper.web.frame.ring import format_seat_counts
from scorekeeper.web.opening.options import apply_preset, chosen_options, field_of
from scorekeeper.web.opening.stakes import chosen_stake
from scorekeeper.web.wording.days import format_reader_day
from scorekeeper.web.wording.refused import message_beside_option

USUAL: Final[Level] = "tricks"
LONGEST_TITLE: Final = 200


@dataclass(slots=True)
class TableDraft:
    """The content of the form for a table; ``wrong`` has the errors by field.

    ``mine`` is the place of the person who fills it in, empty if they only keep the score; it may
    be beyond ``names``. ``more_names`` were typed into seats that only larger games have. ``date``
    is the day of play, if the evening is recorded later.
    """

    game: Game
    names: list[str]
    title: str
    place: str
    level: Level
    form: FormData
    mine: str = ""
    more_names: Sequence[str] = ()
    date: str = ""
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls, form: FormData, game: str = "", begins_with: Callable[[Game], str] = lambda game: ""
    ) -> "TableDraft":
        """Return the table of a form, not validated yet.

        ``begins_with`` returns the initial rules of a game's form, as the text in a link.
        """
        played = chosen_game(form, game)
        names, more = split_seats(played, [clean_line(name) for name in form.getlist("name")])
        mine = form.get("mine", "" if "name" in form else "0")
        return cls(
            played, names, clean_line(form.get("title", "")), clean_line(form.get("place", "")),
            level_or_usual(form.get("level", "")), apply_preset(played, form, begins_with(played)),
            mine if mine.isdecimal() else form.get("mine-before", mine), more,
            clean_line(form.get("date", "")),
        )  # fmt: skip

    @property
    def takes_part(self) -> bool:
        """Whether the person who fills in the form has a seat of this game."""
        return self.mine.isdecimal() and int(self.mine[:2]) < len(self.names)

    @property
    def seats(self) -> list[str]:
        """The names that are filled in, in order of play; empty seats are left out."""
        return [name for name in self.names if name]

    @property
    def own_name(self) -> str | None:
        """The name of the person who fills in the form; the first if theirs is empty, or None."""
        seated = self.seats
        return self.names[int(self.mine[:2])] or seated[0] if self.takes_part and seated else None

    @property
    def usual_title(self) -> str:
        """The default title: the day of play, or today as the phone formats it.

        It does not contain the game, since the next match may be of another.
        """
        from_phone = clean_line(self.form.get("usual", ""))[:LONGEST_TITLE]
        day = parse_day(self.date)
        if day is None and from_phone:
            return from_phone
        return default_title(format_reader_day(day or datetime.now(UTC).date()))

    def sit(self, newcomers: Iterable[str]) -> None:
        """Seat players who have no seat yet, while seats are left."""
        for name in newcomers:
            if name not in self.names and "" in self.names:
                self.names[self.names.index("")] = name

    def validate(self) -> JsonObject:
        """Validate the form and return the options of the match; ``wrong`` gets the errors."""
        errors = {
            **{f"name-{place}": name_error(name, self.names[:place])
               for place, name in enumerate(self.names)},
            "title": line_error(self.title, LONGEST_TITLE),
            "place": line_error(self.place, LONGEST_TITLE),
            "date": "" if not self.date or parse_day(self.date) else str(_("Choose a day.")),
        }  # fmt: skip
        self.wrong |= {name: error for name, error in errors.items() if error}
        if len(self.seats) not in self.game.seats:
            self.wrong["seats"] = seats_message(self.game, len(self.seats))
        chosen_stake(self.form, self.wrong)
        return validated_options(self.game, self.form, len(self.seats), self.wrong)

    def opening(self) -> JsonObject:
        """Return the data of the event that opens the session, with what was filled in."""
        ids = player_ids(self.seats)
        data: dict[str, object] = {
            "title": self.title or self.usual_title,
            "players": [{"id": ids[name], "name": name} for name in self.seats],
        }
        filled_in = {"place": self.place, "date": self.date}
        return {**data, **{name: text for name, text in filled_in.items() if text}}

    def match(self, options: JsonObject) -> JsonObject:
        """Return the data of the event that starts the match."""
        ids = player_ids(self.seats)
        stake = chosen_stake(self.form, {})
        return match_data(self.game, [ids[name] for name in self.seats], options, stake)


def chosen_game(form: FormData, usual: str = "") -> Game:
    """Return the game that a form names, else the usual one, else the first."""
    return GAMES.get(form.get("pick") or form.get("game") or usual) or next(iter(GAMES.values()))


def split_seats(game: Game, chosen: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names typed into the seats of a game, and those in seats of larger games only.

    Missing seats are empty. A name that is already seated is removed from the further seats.
    """
    seats, largest = max(game.seats), max(max(other.seats) for other in GAMES.values())
    seated = list(chosen[:seats])
    more = ["" if name in seated else name for name in chosen[seats:largest]]
    return seated + [""] * (seats - len(seated)), more


def default_title(day: str) -> str:
    """Return the title of a session on a day, such as “Evening of 1 May 2026”."""
    return str(_("Evening of %(day)s", day=day))


def match_data(
    game: Game, seats: list[str], options: JsonObject, stake: JsonObject | None
) -> JsonObject:
    """Return the data of the event that starts a match; options and stake are left out if empty."""
    data: dict[str, object] = {"game": game.id, "seats": seats}
    if options:
        data["options"] = options
    return {**data, "stake": stake} if stake else data


def validated_options(game: Game, form: FormData, seats: int, wrong: dict[str, str]) -> JsonObject:
    """Return the options of a form that differ from the usual; `wrong` gets the errors by field."""
    options = chosen_options(game, form, wrong)
    if wrong:
        return options
    try:
        game.new_options(options, seats)
    except UnusableError as error:
        name = error.field.removeprefix("data.options.")
        known = {option.name: option for option in game.book.options}
        wrong[field_of(known[name]) if name in known else "options"] = message_beside_option(error)
    return options


def seats_message(game: Game, seats: int) -> str:
    """Return the error that a game cannot be played by this number of players."""
    message = _("%(game)s is for %(numbers)s players, but %(seats)s have taken a seat.",
             game=game.local_name, numbers=format_seat_counts(game.seats), seats=seats)  # fmt: skip
    return str(message)


class Partners(NamedTuple):
    """The partners at a table with a number of players: by side, each place and its player."""

    number: int
    sides: Sequence[Sequence[tuple[str, str]]]


def partners(game: Game, seats: Sequence[str]) -> Iterator[Partners]:
    """Yield the partners for each number of players with which a game has any.

    Places stand for the names unless exactly that number of players is seated.
    """
    for number in game.seats:
        places = tuple(str(place) for place in range(1, number + 1))
        sides = game.sides(places).values()
        if len(sides) < number:
            names = dict(zip(places, seats, strict=True)) if len(seats) == number else {}
            places_by_side = [
                [(place, names.get(place, place)) for place in side] for side in sides
            ]
            yield Partners(number, places_by_side)


def level_or_usual(name: str) -> Level:
    """Return the level of detail with this name, or the usual one if there is none."""
    return next((level for level in LEVELS if level == name), USUAL)

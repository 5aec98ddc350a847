"""A table as a form describes it: read, looked over, and turned into the events that open it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from flask_babel import format_date
from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.fields import NAME_LENGTH, RESERVED_IDS, TEXT_LENGTH
from scorekeeper.events.names import visible
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log import canonical
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.web.frame.ring import spread
from scorekeeper.web.opening.options import FormData, chosen_options, field_of, with_house
from scorekeeper.web.opening.stakes import chosen_stake
from scorekeeper.web.wording.refused import of_options

USUAL: Final[Level] = "tricks"
LONGEST_TITLE: Final = 200
LONGEST_ID: Final = 32

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NOT_IN_IDS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class TableDraft:
    """What a form says of a table; ``wrong`` is what is wrong with it, by field.

    ``mine`` is the place of who fills it in, empty where they only keep the score; it may be beyond
    ``names``. ``more_names`` were typed into seats that only larger games have.
    """

    game: Game
    names: list[str]
    title: str
    place: str
    level: Level
    said: FormData
    mine: str = ""
    more_names: Sequence[str] = ()
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls, said: FormData, game: str = "", begins_with: Callable[[Game], str] = lambda game: ""
    ) -> "TableDraft":
        """The table of a form, not looked over yet.

        ``begins_with`` is the text, as links have it, of the rules with which a form of a game
        begins.
        """
        found = GAMES.get(said.get("pick") or said.get("game") or game) or next(
            iter(GAMES.values())
        )
        names, more = seats_and_more(found, [line(one) for one in said.getlist("name")])
        mine = said.get("mine", "" if "name" in said else "0")
        return cls(
            found, names, line(said.get("title", "")), line(said.get("place", "")),
            level_of(said.get("level", "")), with_house(found, said, begins_with(found)),
            mine if mine.isdecimal() else said.get("mine-before", mine), more,
        )  # fmt: skip

    @property
    def takes_part(self) -> bool:
        """Whether who fills it in has one of the seats of this game."""
        return self.mine.isdecimal() and int(self.mine[:2]) < len(self.names)

    @property
    def seats(self) -> list[str]:
        """The names of those who sit down, in order of play."""
        return [name for name in self.names if name]

    @property
    def own_name(self) -> str | None:
        """The name of who fills it in: where that seat was left empty, the first; None for none."""
        seated = self.seats
        return self.names[int(self.mine[:2])] or seated[0] if self.takes_part and seated else None

    @property
    def usual_title(self) -> str:
        """What it is called where nobody says otherwise: by the day, as the phone has it.

        Not by the game: the next match may be of another.
        """
        told = line(self.said.get("usual", ""))[:LONGEST_TITLE]
        return told or evening_of(format_date(datetime.now(UTC).date(), "long", rebase=False))

    def sit(self, newcomers: Iterable[str]) -> None:
        """Seat those who do not sit yet, where seats are left."""
        for name in newcomers:
            if name not in self.names and "" in self.names:
                self.names[self.names.index("")] = name

    def look_over(self) -> dict[str, Any]:
        """The options of the match; ``wrong`` gets what is wrong with anything."""
        self._look_at_names()
        for name, text in (("title", self.title), ("place", self.place)):
            if len(text) > LONGEST_TITLE:
                self.wrong[name] = _("This is longer than %(most)s letters.", most=LONGEST_TITLE)
        chosen_stake(self.said, self.wrong)
        return settled(self.game, self.said, len(self.seats), self.wrong)

    def _look_at_names(self) -> None:
        for place, name in enumerate(self.names):
            if len(name) > NAME_LENGTH:
                self.wrong[f"name-{place}"] = _(
                    "This is longer than %(most)s letters.", most=NAME_LENGTH
                )
            elif name and name in self.names[:place]:
                self.wrong[f"name-{place}"] = _("Somebody else has this name; add a letter.")
        if len(self.seats) not in self.game.seats:
            self.wrong["seats"] = too_few(self.game, len(self.seats))

    def opening(self) -> dict[str, Any]:
        """The data of the event that opens the session."""
        ids = ids_of(self.seats)
        data: dict[str, Any] = {
            "title": self.title or self.usual_title,
            "players": [{"id": ids[name], "name": name} for name in self.seats],
        }
        return {**data, "place": self.place} if self.place else data

    def match(self, options: dict[str, Any]) -> dict[str, Any]:
        """The data of the event that starts the match."""
        ids = ids_of(self.seats)
        stake = chosen_stake(self.said, {})
        return match_data(self.game, [ids[name] for name in self.seats], options, stake)


def seats_and_more(game: Game, chosen: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return who sits in each seat of a game, and who sits in those that only larger games have.

    Whoever has a seat of the game does not keep another one.
    """
    seats, largest = max(game.seats), max(max(one.seats) for one in GAMES.values())
    here = list(chosen[:seats])
    more = ["" if one in here else one for one in chosen[seats:largest]]
    return here + [""] * (seats - len(here)), more


def evening_of(day: str) -> str:
    """What the session of a day is called."""
    return str(_("Evening of %(day)s", day=day))


def match_data(
    game: Game, seats: list[str], options: dict[str, Any], stake: dict[str, Any] | None
) -> dict[str, Any]:
    """The data of the event that starts a match; options that are as usual are left out."""
    data: dict[str, Any] = {"game": game.id, "seats": seats}
    if options:
        data["options"] = options
    return {**data, "stake": stake} if stake else data


def settled(game: Game, said: FormData, seats: int, wrong: dict[str, str]) -> dict[str, Any]:
    """The options that were chosen otherwise than usual; ``wrong`` gets what cannot be."""
    options = chosen_options(game, said, wrong)
    if wrong:
        return options
    try:
        game.new_options(options, seats)
    except UnusableError as error:
        name = error.field.removeprefix("data.options.")
        known = {option.name: option for option in game.book.options}
        wrong[field_of(known[name]) if name in known else "options"] = of_options(error)
    return options


def too_few(game: Game, seats: int) -> str:
    """What is wrong with this number of players at a game."""
    said = _("%(game)s is for %(numbers)s players, and %(seats)s sit down.",
             game=game.name, numbers=spread(game.seats), seats=seats)  # fmt: skip
    return str(said)


class Partners(NamedTuple):
    """Who plays with whom at a table of this size: by side, each place with who has it."""

    number: int
    sides: Sequence[Sequence[tuple[str, str]]]


def partners(game: Game, seats: Sequence[str]) -> Iterator[Partners]:
    """The numbers of players with which a game has partners, and who they are in these seats."""
    for number in game.seats:
        places = tuple(str(place) for place in range(1, number + 1))
        sides = game.sides(places).values()
        if len(sides) < number:
            named = dict(zip(places, seats, strict=True)) if len(seats) == number else {}
            told = [[(place, named.get(place, place)) for place in side] for side in sides]
            yield Partners(number, told)


def line(typed: str) -> str:
    """What was typed as one line in NFC, without blanks around it; no more than can be used.

    It is empty where nothing of it can be seen.
    """
    text = canonical.nfc(_CONTROL.sub(" ", typed[:TEXT_LENGTH])).strip()
    return text if visible(text) else ""


def level_of(said: str) -> Level:
    """A level of detail as it was said, else the usual one."""
    return next((one for one in LEVELS if one == said), USUAL)


def ids_of(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """An id for each name, made of its letters where it has any that an id can have."""
    used = {*taken, *RESERVED_IDS}
    found: dict[str, str] = {}
    for name in names:
        found[name] = _new_id(name, used)
        used.add(found[name])
    return found


def _new_id(name: str, used: set[str]) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    stem = _NOT_IN_IDS.sub("-", plain).strip("-")[: LONGEST_ID - 4].strip("-") or "player"
    tries = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(used) + 2))
    return next(one for one in tries if one not in used)

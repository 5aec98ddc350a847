"""The house rules that a club keeps, as its pages list them and a new table offers them."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from flask_babel import gettext as _

from scorekeeper.base.errors import NotInstalledError, UnknownClubError, UnusableError
from scorekeeper.clubs.houses import settled
from scorekeeper.clubs.roll import KeptHouse, Roll
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.extensions import clubs, service
from scorekeeper.report.sheet import rules_in_brief
from scorekeeper.store.keyring import is_club, opens
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.refused import in_words
from scorekeeper.web.wording.rules_link import as_text

MOST_KEYS: Final = 100  # of a phone, those used last, among which a club is looked for
USUAL: Final = "{}"  # as a link has them, where all rules are as usual


class HouseLine(NamedTuple):
    """House rules in one line: what is not as usual, and their text as a link has it.

    Where they cannot be played here, ``wrong`` says why, and the text is empty.
    """

    name: str
    game_id: str
    game: str
    line: str = ""
    text: str = ""
    wrong: str = ""


class HousesOfClub(NamedTuple):
    """The house rules that a club keeps, and what it is called."""

    name: str
    houses: tuple[KeptHouse, ...]


def told(house: KeptHouse) -> HouseLine:
    """House rules in one line."""
    game = GAMES.get(house.game)
    found = HouseLine(house.name, house.game, game.name if game else house.game)
    try:
        options = settled(house.game, house.options)
    except NotInstalledError:
        return found._replace(wrong=_("This game is not installed here."))
    except UnusableError as error:
        why = _("Nobody can play by these rules here. A newer program may know them.")
        return found._replace(wrong=f"{why} {in_words(error)}")
    if game is None:
        return found
    line = rules_in_brief(game, options) or str(_("as usual"))
    return found._replace(line=line, text=as_text(game, options) or USUAL)


def of_game(houses: Iterable[KeptHouse], game: Game) -> list[HouseLine]:
    """The house rules of one game."""
    return [told(one) for one in houses if one.game == game.id]


def only(houses: Iterable[KeptHouse], game: Game) -> str:
    """The text of the house rules of a game, where there are no two of them; else nothing."""
    texts = [one.text for one in of_game(houses, game)]
    return texts[0] if len(texts) == 1 else ""


def of_evening(session_id: str) -> HousesOfClub | None:
    """The house rules of the club of this phone for which an evening counts; None for none."""
    now = service().store.clock()
    for key in my_keys(MOST_KEYS):
        if is_club(key.session_id) and opens(key, now):
            with suppress(UnknownClubError):
                found = clubs().roll(key.session_id, lambda roll: _houses(roll, session_id))
                if found is not None:
                    return found
    return None


def _houses(roll: Roll, session_id: str) -> HousesOfClub | None:
    if session_id not in roll.evenings:
        return None
    return HousesOfClub(roll.opened.name if roll.opened else "", tuple(roll.houses.values()))

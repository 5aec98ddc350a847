"""The house rules of a club, as its pages list them and a new table offers them."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from flask_babel import gettext as _

from scorekeeper.base.errors import NotInstalledError, UnknownSessionError, UnusableError
from scorekeeper.clubs.house_rules import complete_options
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.values import KeptHouseRules
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.extensions import clubs, service
from scorekeeper.report.option_words import summarize_rules
from scorekeeper.store.keyring import is_club, is_open
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.refused import message_for_players
from scorekeeper.web.wording.rules_link import rules_as_text

MOST_KEYS: Final = 100  # recently used keys of a phone that are searched for a club
USUAL: Final = "{}"  # the text in a link if all rules are as usual


class HouseLine(NamedTuple):
    """A club's house rules as one line.

    `line` has the differences from the usual rules, `text` is their form in a link, and `wrong` is
    why they cannot be played here, empty if they can.
    """

    name: str
    game_id: str
    game: str
    line: str = ""
    text: str = ""
    wrong: str = ""


class HousesOfClub(NamedTuple):
    """The house rules of a club, and the club's name."""

    name: str
    houses: tuple[KeptHouseRules, ...]


def summarize_house_rules(house: KeptHouseRules) -> HouseLine:
    """Return stored house rules as one line, with an error if they cannot be played here."""
    game = GAMES.get(house.game)
    row = HouseLine(house.name, house.game, game.local_name if game else house.game)
    try:
        options = complete_options(house.game, house.options)
    except NotInstalledError:
        return row._replace(wrong=_("This game is not installed here."))
    except UnusableError as error:
        why = _("Nobody can play by these rules here. A newer program may know them.")
        return row._replace(wrong=f"{why} {message_for_players(error)}")
    if game is None:
        return row
    line = summarize_rules(game, options) or str(_("as usual"))
    return row._replace(line=line, text=rules_as_text(game, options) or USUAL)


def lines_of_game(houses: Iterable[KeptHouseRules], game: Game) -> list[HouseLine]:
    """Return a line for each of a club's house rules for one game."""
    return [summarize_house_rules(house) for house in houses if house.game == game.id]


def only_rules_text(houses: Iterable[KeptHouseRules], game: Game) -> str:
    """Return the text of a game's house rules if the club has exactly one set; else empty."""
    texts = [row.text for row in lines_of_game(houses, game)]
    return texts[0] if len(texts) == 1 else ""


def houses_of_evening(session_id: str) -> HousesOfClub | None:
    """Return the house rules of the first club of this phone that counts the session, else None."""
    now = service().access.clock()
    for key in my_keys(MOST_KEYS):
        if is_club(key.stream_id) and is_open(key, now):
            with suppress(UnknownSessionError):
                of_club = clubs().with_state(
                    key.stream_id, lambda state: _houses_if_counted(state, session_id)
                )
                if of_club is not None:
                    return of_club
    return None


def _houses_if_counted(state: ClubState, session_id: str) -> HousesOfClub | None:
    """Return the club's house rules if the session counts for the club, else None."""
    if session_id not in state.evenings:
        return None
    return HousesOfClub(
        state.opened.name if state.opened else "", tuple(state.house_rules.values())
    )

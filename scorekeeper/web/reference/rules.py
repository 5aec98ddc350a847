"""The rule books: the clauses and options of each game."""

import inspect
import json
from typing import Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import COMMON as COMMON_EVENTS
from scorekeeper.events.event import Event
from scorekeeper.events.fields import parts_of
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log.schema import list_packs
from scorekeeper.play.rulebook import COMMON, Choice, Family, Option
from scorekeeper.report.option_words import summarize_rules
from scorekeeper.web.opening.options import most_points_of_hand
from scorekeeper.web.wording.filters import is_chosen
from scorekeeper.web.wording.rules_link import OptionInForce, options_in_force, options_of_text

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

# The meaning of a clause's status.
SOURCES: Final = {
    "source": _l("the text that the game comes from says so"),
    "found": _l("other rule books say so"),
    "ruling": _l("nobody wrote it down, so this project decides"),
}


@blueprint.get("")
def index() -> str:
    """List the games, and show the clauses that all games share."""
    return render_template(
        "rules/index.html", games=GAMES.values(), clauses=COMMON, sources=SOURCES,
        events=[_describe_event_type(declared) for declared in COMMON_EVENTS],
    )  # fmt: skip


@blueprint.get("/<game>")
def book(game: str) -> str:
    """Show the rule book of one game."""
    if game not in GAMES:
        abort(404, _("There is no game “%(name)s”.", name=game[:60]))
    chosen_game, rules = GAMES[game], request.args.get("rules", "")
    return render_template(
        "rules/book.html",
        game=chosen_game,
        pack=list_packs(chosen_game)[0],
        sources=SOURCES,
        options=_describe_options(chosen_game),
        events=[_describe_event_type(declared) for declared in chosen_game.events],
        here=_house_rules_of_link(chosen_game, rules),
        rules=rules,
        **_link_rules(chosen_game, rules),
    )


def _link_rules(game: Game, rules: str) -> JsonObject:
    """Return the rules of a link in one line, and the most points of a hand by them."""
    seats = max(game.seats)
    options = options_of_text(game, rules) or game.options(None, seats)
    return {
        "line": summarize_rules(game, options),
        "most": most_points_of_hand(game, options, seats),
    }


def _house_rules_of_link(game: Game, rules: str) -> dict[str, list[OptionInForce]]:
    """Return the house rules of a link by clause; empty if the link has none."""
    options = options_of_text(game, rules)
    return options_in_force(game, options) if options else {}


def _describe_options(game: Game) -> list[JsonObject]:
    """Return the options, with the defaults of a match with the most players."""
    defaults = game.options(None, max(game.seats))
    return [_describe_option(option, defaults[option.name]) for option in game.book.options]


def _describe_option(option: Option, default: object) -> JsonObject:
    """Return the option, its default as JSON, and its values with the default marked."""
    values = [
        {"shown": _value_in_log(choice), "meaning": meaning, "default": is_chosen(choice, default)}
        for choice, meaning in option.choices.items()
    ]
    for later in [value for value in values if value["default"]][1:]:
        later["default"] = False  # a single value takes precedence over its family
    return {"option": option, "default": json.dumps(default), "values": values}


def _value_in_log(choice: Choice) -> str:
    """Return a value as in a log, or the pattern of a family of values."""
    return str(choice) if isinstance(choice, Family) else json.dumps(choice)


def _describe_event_type(declared: type[Event]) -> JsonObject:
    """Return the name, description and fields of an event type."""
    return {
        "type": declared.TYPE,
        "says": inspect.cleandoc(declared.__doc__ or ""),
        "parts": parts_of(declared),
    }

"""The rule book: the clauses of each game, and what its house may choose."""

import inspect
import json
from typing import Any, Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.events.common import COMMON as COMMON_EVENTS
from scorekeeper.events.event import Event
from scorekeeper.events.fields import parts
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log.schema import packs_of
from scorekeeper.play.rulebook import COMMON, Choice, Family, Option
from scorekeeper.report.sheet import rules_in_brief
from scorekeeper.web.opening.options import most_of
from scorekeeper.web.wording.filters import chosen
from scorekeeper.web.wording.rules_link import InForce, in_force, of_text

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

# What the status of a clause means to a reader.
SOURCES: Final = {
    "source": _l("the text that the game comes from says so"),
    "found": _l("other rule books say so"),
    "ruling": _l("nobody wrote it down, so this project decides"),
}


@blueprint.get("")
def index() -> str:
    """List the games, and print what is common to them."""
    return render_template(
        "rules/index.html", games=GAMES.values(), clauses=COMMON, sources=SOURCES,
        events=[_event(one) for one in COMMON_EVENTS],
    )  # fmt: skip


@blueprint.get("/<game>")
def book(game: str) -> str:
    """Print the rule book of one game."""
    if game not in GAMES:
        abort(404, _("There is no game “%(name)s”.", name=game[:60]))
    found, rules = GAMES[game], request.args.get("rules", "")
    return render_template(
        "rules/book.html", game=found, pack=packs_of(found)[0], sources=SOURCES,
        options=_options(found), events=[_event(one) for one in found.events],
        here=_in_force(found, rules), rules=rules, **_told(found, rules),
    )  # fmt: skip


def _told(game: Game, rules: str) -> dict[str, Any]:
    """The rules of a link in one line, and what one hand can bring by them, else by the usual."""
    seats = max(game.seats)
    options = of_text(game, rules) or game.options(None, seats)
    return {"line": rules_in_brief(game, options), "most": most_of(game, options, seats)}


def _in_force(game: Game, rules: str) -> dict[str, list[InForce]]:
    """By clause, how the table of a link plays; nothing where the link names none."""
    options = of_text(game, rules)
    return in_force(game, options) if options else {}


def _options(game: Game) -> list[dict[str, Any]]:
    """The options, with the defaults of a match with the most players."""
    defaults = game.options(None, max(game.seats))
    return [_option(one, defaults[one.name]) for one in game.book.options]


def _option(option: Option, default: Any) -> dict[str, Any]:
    values = [
        {"shown": _value(choice), "meaning": meaning, "default": chosen(choice, default)}
        for choice, meaning in option.choices.items()
    ]
    for later in [value for value in values if value["default"]][1:]:
        later["default"] = False  # a value that stands by itself goes before its family
    return {"option": option, "default": json.dumps(default), "values": values}


def _value(choice: Choice) -> str:
    """A value as a log has it, or the form of a family of values."""
    return str(choice) if isinstance(choice, Family) else json.dumps(choice)


def _event(declared: type[Event]) -> dict[str, Any]:
    """What is written down of one event, as it is declared."""
    return {
        "type": declared.TYPE,
        "says": inspect.cleandoc(declared.__doc__ or ""),
        "parts": parts(declared),
    }

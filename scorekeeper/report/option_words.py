"""The options of a match and their values in words."""

from collections.abc import Mapping

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.events.sentences import with_spaces
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Option


def list_changed_options(game: Game, options: JsonObject) -> list[str]:
    """Return the options of a match that differ from their defaults, each with its value."""
    return [
        f"{name} {format_option_value(value)}" for name, value in game.book.changed(options).items()
    ]


def format_option_value(value: object) -> str:
    """Return the value of an option as text.

    >>> format_option_value({"target": 21}), format_option_value(True), format_option_value([])
    ('target 21', 'true', 'none')
    """
    if isinstance(value, dict):
        return " ".join(f"{key} {item}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_format_own_text(item) or str(item) for item in value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _format_own_text(value: object) -> str:
    """Return a text of the table's own with its id; empty for any other value.

    >>> _format_own_text({"id": "pull_ear", "text": "I have the World"})
    'pull ear: I have the World'
    """
    if not isinstance(value, Mapping) or set(value) != {"id", "text"}:
        return ""
    return f"{with_spaces(value['id'])}: {value['text']}"


def summarize_rules(game: Game, options: JsonObject) -> str:
    """Return the options of a match that differ from the usual ones, in one line; empty if none do.

    >>> from scorekeeper.games import GAMES
    >>> game = GAMES["briscola_chiamata"]
    >>> summarize_rules(game, game.options({"ladder": "points", "bands": [81, 91]}, 5))
    'stakes at 81, 91 · points only'
    """
    changed = game.book.changed(options)
    summaries = [
        _summarize_option(option, changed[option.name])
        for option in game.book.options
        if option.name in changed
    ]
    return " · ".join(summaries)


def _summarize_option(option: Option, value: object) -> str:
    """Return a changed option in a few words, with its question unless the value is clear alone."""
    question = "" if option.in_brief(value)[0] else f"{language().say(option.text)} "
    return question + summarize_value(option, value)


def summarize_value(option: Option, value: object) -> str:
    """Return a value of an option in two or three words.

    >>> from scorekeeper.games import GAMES
    >>> options = {option.name: option for option in GAMES["riparto"].book.options}
    >>> summarize_value(options["match_end"], {"hands": 2})
    '2 hands'
    """
    template, number = option.in_brief(value)
    if not template:
        return describe_value(value)
    return language().say(template).format(n=describe_value(number))


def describe_value(value: object) -> str:
    """Return the value of an option for players.

    >>> describe_value({"target": 21}), describe_value(True), describe_value("last_trick")
    ('target 21', 'yes', 'last trick')
    """
    if isinstance(value, bool):
        return language().word("value", "yes" if value else "no")
    if isinstance(value, Mapping):
        return ", ".join(f"{describe_value(key)} {item}" for key, item in value.items())
    if isinstance(value, list | tuple):
        words = [_format_own_text(item) or describe_value(item) for item in value]
        return ", ".join(words) or language().word("list", "none")
    return language().word("value", str(value).replace("_", " "))

"""Checks of the values that a game returns; a wrong one raises :class:`WrongValueError`.

A check gets the value and the arguments of the function that returned it, and returns the value.
The helpers without a value to return only raise the error.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import MAX_EXACT_NUMBER
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.game import Game
from scorekeeper.play.deal import Deal
from scorekeeper.play.match import Goal, Penalty, Standing
from scorekeeper.play.prompts import LEVELS, Ask, Counts, Prompt
from scorekeeper.play.scoring import Basis, Observation, Result, RunningScore, ScoreLine, Text

MOST_POINTS: Final = 1_000_000_000  # of one line or total; a stake multiplies it
MOST_ITEMS: Final = 10_000  # in one list: prompts, choices of a prompt, lines, observations
LONGEST_TEXT: Final = 10_000  # characters of one text
DEEPEST: Final = 20  # levels of nesting in what a game adds to the report


class WrongValueError(Exception):
    """A value has a wrong type or range."""


def require(holds: bool, words: str) -> None:  # noqa: FBT001 - read as a sentence
    """Raise `WrongValueError` with these words unless the condition ``holds``."""
    if not holds:
        raise WrongValueError(words)


def type_name(value: Any) -> str:
    """Return the type of a wrong value. The value itself is not quoted: it may be face down."""
    return type(value).__name__


def check_instance(wanted: type[Any], value: Any, *_: Any) -> Any:
    """Return the value if it is of the type ``wanted``. Raises `WrongValueError` otherwise."""
    require(isinstance(value, wanted), f"expected a {wanted.__name__}, got {type_name(value)}")
    return value


def _is_whole(value: Any, most: int = MOST_POINTS) -> bool:
    """Return whether a value is a whole number, no bool, from ``-most`` to ``most``."""
    return type(value) is int and -most <= value <= most


def _is_text(value: Any) -> bool:
    """Return whether a value is a text that is not too long."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _check_iterable(value: Any) -> tuple[Any, ...]:
    """Return the items of an iterable; a generator of the game runs, and may fail, here.

    Raises `WrongValueError` for anything else, and if there are too many items.
    """
    require(isinstance(value, Iterable), f"expected an iterable, got {type_name(value)}")
    items = tuple(islice(value, MOST_ITEMS + 1))
    require(len(items) <= MOST_ITEMS, f"expected at most {MOST_ITEMS} items")
    return items


def _check_points(value: Any, parts: int = 1) -> None:
    """Raise `WrongValueError` unless the value is points within the limits: whole, or in parts."""
    unit = "whole points" if parts == 1 else f"points in parts of 1/{parts}"
    require(type(value) is int or (type(value) is Fraction and parts > 1),
            f"expected {unit}, got {type_name(value)}")  # fmt: skip
    require(parts % value.denominator == 0, f"expected {unit}, got a part of 1/{value.denominator}")
    require(-MOST_POINTS <= value <= MOST_POINTS,
            f"expected points from {-MOST_POINTS} to {MOST_POINTS}")  # fmt: skip


def check_points_or_none(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a number of points, else raise `WrongValueError`."""
    if value is not None:
        _check_points(value)
    return value


def check_text_or_none(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a text, else raise `WrongValueError`."""
    require(value is None or _is_text(value), f"expected a text or None, got {type_name(value)}")
    return value


def check_goal(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a well-formed goal, else raise `WrongValueError`."""
    if value is not None:
        check_instance(Goal, value)
        require(value.counts in ("points", "wins", "hands"), "expected a goal of another kind")
        require(_is_whole(value.figure), f"expected a whole figure, got {type_name(value.figure)}")
    return value


def check_sides(value: Any, seats: tuple[str, ...]) -> Any:
    """Return the value if it puts every seat into one side, else raise `WrongValueError`."""
    check_instance(dict, value)
    seated = [player for members in value.values() for player in members]
    require(all(map(_is_text, value)), "expected texts as the names of sides")
    require(sorted(seated) == sorted(seats), "expected every seat in one side")
    return value


def check_players(value: Any, seats: tuple[str, ...], *_: Any) -> Any:
    """Return the value if it is two or more of the seats, else raise `WrongValueError`."""
    check_instance(tuple, value)
    fine = len(value) > 1 and len(set(value)) == len(value) and set(value) <= set(seats)
    require(fine, "expected some of the seats, each once")
    return value


# ------------------------------------------------------------------------------------- a hand


def check_result(value: Any, deal: Deal) -> Any:
    """Return the result of a hand if all its parts are well-formed.

    Raises `WrongValueError` otherwise, also if the factor of the hand is not above 0.
    """
    check_instance(Result, value)
    flags = type(value.complete), type(value.abandoned)
    require(flags == (bool, bool), "expected true or false of complete and abandoned")
    require(value.basis is None or isinstance(value.basis, Basis), "expected a Basis")
    sides = deal.table.sides
    for line in _check_tuple(value.lines):
        _check_line(line, deal)
    if value.taken is not None:
        check_instance(dict, value.taken)
        whole = all(_is_text(side) and _is_whole(n) for side, n in value.taken.items())
        require(whole, "expected whole points as taken, by side")
    require(_is_whole(deal.times) and deal.times > 0, "expected how many times as much it pays")
    require(value.winner is None or value.winner in sides, "expected a side as the winner")
    level = deal.level
    require(_is_text(level) and level in (*LEVELS, "mixed"), "expected a level of detail, or mixed")
    return value


def _check_tuple(value: Any) -> tuple[Any, ...]:
    """Return a tuple if it is one and not too long, else raise `WrongValueError`."""
    check_instance(tuple, value)
    return _check_iterable(value)


def _check_line(line: Any, deal: Deal) -> None:
    """Raise `WrongValueError` unless this is a score line with a side of the match."""
    check_instance(ScoreLine, line)
    require(line.side in deal.table.sides, "expected a side of the match in each line")
    _check_points(line.points, deal.table.parts)
    require(_is_text(line.rule), "expected the id of a clause in each line")
    _check_text(line.text, deal)
    _check_seqs(line.events)


def _check_text(text: Any, deal: Deal) -> None:
    """Raise `WrongValueError` unless this is a `Text` whose sentence is not too long."""
    check_instance(Text, text)
    require(_is_text(text.say(deal.table.pack.show)), f"a text has {LONGEST_TEXT} letters at most")


def _check_seqs(events: Any) -> None:
    """Raise `WrongValueError` unless this is a tuple of seqs."""
    whole = all(_is_whole(seq, MAX_EXACT_NUMBER) for seq in _check_tuple(events))
    require(whole, "expected the numbers of events")


def check_observations(value: Any, deal: Deal) -> tuple[Any, ...]:
    """Return the observations of a check as a tuple, or raise `WrongValueError`.

    Their sides must be sides of the match or of a count.
    """
    observations = _check_iterable(value)
    for observation in observations:
        check_instance(Observation, observation)
        _check_seqs(observation.events)
        _check_text(observation.text, deal)
        known = {*deal.table.sides, *deal.counted_sides()}
        require(set(_check_tuple(observation.sides)) <= known, "expected sides of the match")
    return observations


def check_prompts(game: Game, value: Any, *_: Any) -> tuple[Any, ...]:
    """Return the prompts as a tuple, or raise `WrongValueError`.

    Their choices must be events of the game.
    """
    prompts = _check_iterable(value)
    for prompt in prompts:
        check_instance(Prompt, prompt)
        declared = all(type(choice) in game.declared for choice in _check_tuple(prompt.choices))
        require(declared, "expected events of the game as choices")
        require(set(_check_tuple(prompt.levels)) <= set(LEVELS), "expected levels that there are")
        require(prompt.counts is None or isinstance(prompt.counts, Counts), "expected Counts")
    return prompts


def check_asks(game: Game, value: Any, *_: Any) -> Any:
    """Return the questions of the form for totals if their events are of the game.

    Raises `WrongValueError` otherwise.
    """
    for ask in _check_tuple(value):
        check_instance(Ask, ask)
        known = set(_check_tuple(ask.events)) <= {*game.declared, PointsCounted}
        require(known, "expected events of the game in totals")
    return value


def check_running_score(value: Any, deal: Deal) -> Any:
    """Return the value if it is None or a well-formed running score.

    Raises `WrongValueError` otherwise.
    """
    if value is not None:
        check_instance(RunningScore, value)
        check_instance(Mapping, value.made)
        for side, points in value.made.items():
            require(side in deal.table.sides, "expected points by side")
            _check_points(points, deal.table.parts)
        for line in _check_tuple(value.lines):
            _check_line(line, deal)
        for _, text in _check_tuple(value.ahead):
            _check_text(text, deal)
    return value


# ------------------------------------------------------------------------------------ a match


def check_standing(parts: int, value: Any, sides: Iterable[str]) -> Any:
    """Return the standing if it has a total of each side, in the order of ``sides``.

    Raises `WrongValueError` otherwise.
    """
    check_instance(Standing, value)
    check_instance(Mapping, value.totals)
    require(list(value.totals) == list(sides), "expected a total of each side, in their order")
    for total in value.totals.values():
        _check_points(total, parts)
    require(_is_whole(value.hands) and type(value.over) is bool, "expected a count of hands")
    return value


def check_standing_after_hand(
    value: Any,
    standing: Standing,
    result: Result,
    options: JsonObject,
    before: tuple[Penalty, ...],
    after: tuple[Penalty, ...],
    *,
    parts: int,
    zero_sum: bool,
) -> Any:
    """Return the standing after a hand if it is well-formed, else raise `WrongValueError`.

    In a ``zero_sum`` game the totals may change only by the penalties in all, as the hand adds up
    to 0.
    """
    check_standing(parts, value, standing.totals)
    if zero_sum:
        change = sum(value.totals.values()) - sum(standing.totals.values())
        penalties = sum(penalty.points for penalty in (*before, *after))
        words = f"expected a hand to give what it takes, which makes 0, got {change}"
        require(change in (0, penalties), words)
    return value


def check_own_keys(taken: frozenset[str], value: Any, *_: Any) -> Any:
    """Return the additional keys for a report if none of them is ``taken`` by the report.

    Raises `WrongValueError` otherwise, and if a value cannot be written as JSON.
    """
    check_instance(Mapping, value)
    require(not taken & set(value), f"expected other keys than {', '.join(sorted(taken))}")
    require(_is_plain(value, DEEPEST), "expected texts, whole numbers, lists and objects")
    return value


def _is_plain(value: object, depth: int) -> bool:
    """Return whether the report can contain a value: JSON with at most ``depth`` levels."""
    if (
        value is None
        or type(value) is bool
        or _is_whole(value, MAX_EXACT_NUMBER)
        or _is_text(value)
    ):
        return True
    if depth == 0 or not isinstance(value, Mapping | list | tuple) or len(value) > MOST_ITEMS:
        return False
    return all(_is_plain(item, depth - 1) for item in _keys_and_items(value))


def _keys_and_items(value: Any) -> Iterator[object]:
    """Yield the items of a list, or the keys and items of a mapping.

    A key that is no text is replaced by an object that no report can contain.
    """
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key if isinstance(key, str) else object()
            yield item
    else:
        yield from value

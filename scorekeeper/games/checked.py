"""Check every value that an installed game returns, so that a wrong value fails at its origin.

:func:`with_checked_values` wraps the functions of a game. A wrong value raises
:class:`GameFaultError`, which names the game, as soon as it is returned.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import islice
from typing import Any, Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Pack
from scorekeeper.events.fields import MAX_EXACT_NUMBER
from scorekeeper.games.fact_values import fits
from scorekeeper.games.game import Game
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import HandFact, HandFacts
from scorekeeper.play.match import Course, Goal, Penalty, Standing
from scorekeeper.play.prompts import LEVELS, Counts, Prompt
from scorekeeper.play.scoring import Basis, Observation, Result, RunningScore, ScoreLine, Text

MOST_POINTS: Final = 1_000_000_000  # of one line or total; a stake multiplies it
MOST_ITEMS: Final = 10_000  # in one list: prompts, choices of a prompt, lines, observations
LONGEST_TEXT: Final = 10_000  # characters of one text
DEEPEST: Final = 20  # levels of nesting in what a game adds to the report
# The keys of the report, which a game's own keys must not replace.
MATCH_KEYS: Final = frozenset((
    "match", "game", "rules", "seats", "sides", "options", "status", "winners", "totals", "hands",
    "stake", "settlement",
))  # fmt: skip
HAND_KEYS: Final = frozenset((
    "hand", "dealer", "status", "level", "scores", "totals", "taken", "winner", "lines",
    "confirmed", "disputed",
))  # fmt: skip


class GameFaultError(Exception):
    """A game returned a value that it must not; ``game`` is its id."""

    def __init__(self, game: str, words: str) -> None:
        """Create the error; ``words`` describe the wrong value."""
        super().__init__(words)
        self.game = game


def describe_error(error: BaseException) -> str:
    """Return the type and message of an error as text; of a `GameFaultError` only the message.

    An error that cannot be printed has a fixed message.
    """
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  # an error class of a game may fail here
        message = "it cannot be printed"
    if isinstance(error, GameFaultError):
        return message
    return f"{type(error).__name__}: {message[:LONGEST_TEXT]}" if message else type(error).__name__


class _WrongValueError(Exception):
    """A value has a wrong type or range."""


def with_checked_values(game: Game) -> Game:
    """Return a copy of the game whose functions check every value that they return.

    A wrong value raises `GameFaultError`.
    """

    def of(what: str, function: Any, check: Callable[..., Any]) -> Any:
        """Return a function of the game, wrapped so that ``check`` tests its values."""
        return _guard(game.id, what, function, check)

    return replace(
        game,
        book=replace(
            game.book,
            conflicts=tuple(
                replace(
                    conflict, holds=of("conflicts", conflict.holds, partial(_check_instance, bool))
                )
                for conflict in game.book.conflicts
            ),
        ),
        pack=of("pack", game.pack, partial(_check_instance, Pack)),
        start=of("start", game.start, partial(_check_instance, Deal)),
        score=of("score", game.score, _check_result),
        checks=tuple(
            replace(check, look=of(f"check {check.code}", check.look, _check_observations))
            for check in game.checks
        ),
        course=_checked_course(game, of),
        prompts=of("prompts", game.prompts, partial(_check_prompts, game)),
        sides=of("sides", game.sides, _check_sides),
        players=of("players", game.players, _check_players),
        no_penalty=of("no_penalty", game.no_penalty, _check_text_or_none),
        describe_hand=of("describe_hand", game.describe_hand, partial(_check_own_keys, HAND_KEYS)),
        describe_match=of(
            "describe_match", game.describe_match, partial(_check_own_keys, MATCH_KEYS)
        ),
        facts=HandFacts(
            tuple(_checked_fact(fact, of) for fact in game.facts.facts), game.facts.sentences
        ),
        so_far=of("so_far", game.so_far, _check_running_score),
        goal=of("goal", game.goal, _check_goal),
        highest_hand=of("highest_hand", game.highest_hand, _check_points_or_none),
        most_of_a_hand=of("most_of_a_hand", game.most_of_a_hand, _check_points_or_none),
        doubles=of("doubles", game.doubles, partial(_check_instance, bool)),
    )


def _guard(
    game: str, what: str, function: Callable[..., Any], check: Callable[..., Any]
) -> Callable[..., Any]:
    """Return ``function``, wrapped so that ``check`` tests each value that it returns.

    ``check`` gets the value and the arguments of the function, and returns the value. A wrong
    value raises `GameFaultError` for ``what``, and so does an `UnusableError`: only functions that
    refuse an event may raise it, because it makes the request wrong.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        """Return the checked value of the function."""
        try:
            return check(function(*args, **kwargs), *args)
        except UnusableError as error:
            raise GameFaultError(game, f"{what}: it refuses what is on record") from error
        except _WrongValueError as error:
            raise GameFaultError(game, f"{what}: {error}") from error

    return call


def _checked_course(game: Game, of: Callable[..., Any]) -> Course:
    """Return the course of a game with functions that check the standings that they return."""
    course = game.course
    return Course(
        of(
            "course.start",
            course.start,
            lambda standing, sides, _: _check_standing(standing, sides),
        ),
        of(
            "course.penalize",
            course.penalize,
            lambda standing, before, _: _check_standing(standing, before.totals),
        ),
        of(
            "course.add",
            course.add,
            partial(_check_standing_after_hand, zero_sum=game.settlement.zero_sum),
        ),
    )


def _checked_fact(fact: HandFact, of: Callable[..., Any]) -> HandFact:
    """Return a fact with a reader that checks whether its values are of the declared kind."""

    def check(value: Any, deal: Deal) -> Any:
        """Return the value if it is None or of the kind of the fact; raise an error otherwise."""
        words = f"expected of the fact {fact.id} {fact.kind.expected}, got {_type_name(value)}"
        _expect(value is None or fits(fact.kind, value, deal.table), words)
        return value

    return replace(fact, read=of("facts", fact.read, check))


# ------------------------------------------------------------------------------------- values


def _expect(holds: bool, words: str) -> None:  # noqa: FBT001 - read as a sentence
    """Raise `_WrongValueError` with these words unless the condition ``holds``."""
    if not holds:
        raise _WrongValueError(words)


def _type_name(value: Any) -> str:
    """Return the type of a wrong value. The value itself is not quoted: it may be face down."""
    return type(value).__name__


def _check_instance(wanted: type[Any], value: Any, *_: Any) -> Any:
    """Return the value if it is of the type ``wanted``. Raises `_WrongValueError` otherwise."""
    _expect(isinstance(value, wanted), f"expected a {wanted.__name__}, got {_type_name(value)}")
    return value


def _is_whole(value: Any, most: int = MOST_POINTS) -> bool:
    """Return whether a value is a whole number, no bool, from ``-most`` to ``most``."""
    return type(value) is int and -most <= value <= most


def _is_text(value: Any) -> bool:
    """Return whether a value is a text that is not too long."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _check_iterable(value: Any) -> tuple[Any, ...]:
    """Return the items of an iterable; a generator of the game runs, and may fail, here.

    Raises `_WrongValueError` for anything else, and if there are too many items.
    """
    _expect(isinstance(value, Iterable), f"expected an iterable, got {_type_name(value)}")
    items = tuple(islice(value, MOST_ITEMS + 1))
    _expect(len(items) <= MOST_ITEMS, f"expected at most {MOST_ITEMS} items")
    return items


def _check_points(value: Any) -> None:
    """Raise `_WrongValueError` unless the value is a whole number of points within the limits."""
    _expect(type(value) is int, f"expected whole points, got {_type_name(value)}")
    _expect(_is_whole(value), f"expected points from {-MOST_POINTS} to {MOST_POINTS}")


def _check_points_or_none(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a number of points, else raise `_WrongValueError`."""
    if value is not None:
        _check_points(value)
    return value


def _check_text_or_none(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a text, else raise `_WrongValueError`."""
    _expect(value is None or _is_text(value), f"expected a text or None, got {_type_name(value)}")
    return value


def _check_goal(value: Any, *_: Any) -> Any:
    """Return the value if it is None or a well-formed goal, else raise `_WrongValueError`."""
    if value is not None:
        _check_instance(Goal, value)
        _expect(value.counts in ("points", "wins", "hands"), "expected a goal of another kind")
        _expect(_is_whole(value.figure), f"expected a whole figure, got {_type_name(value.figure)}")
    return value


def _check_sides(value: Any, seats: tuple[str, ...]) -> Any:
    """Return the value if it puts every seat into one side, else raise `_WrongValueError`."""
    _check_instance(dict, value)
    seated = [player for members in value.values() for player in members]
    _expect(all(map(_is_text, value)), "expected texts as the names of sides")
    _expect(sorted(seated) == sorted(seats), "expected every seat in one side")
    return value


def _check_players(value: Any, seats: tuple[str, ...], *_: Any) -> Any:
    """Return the value if it is two or more of the seats, else raise `_WrongValueError`."""
    _check_instance(tuple, value)
    fine = len(value) > 1 and len(set(value)) == len(value) and set(value) <= set(seats)
    _expect(fine, "expected some of the seats, each once")
    return value


# ------------------------------------------------------------------------------------- a hand


def _check_result(value: Any, deal: Deal) -> Any:
    """Return the result of a hand if all its parts are well-formed.

    Raises `_WrongValueError` otherwise, also if the factor of the hand is not above 0.
    """
    _check_instance(Result, value)
    flags = type(value.complete), type(value.abandoned)
    _expect(flags == (bool, bool), "expected true or false of complete and abandoned")
    _expect(value.basis is None or isinstance(value.basis, Basis), "expected a Basis")
    sides = deal.table.sides
    for line in _check_tuple(value.lines):
        _check_line(line, deal)
    if value.taken is not None:
        _check_instance(dict, value.taken)
        whole = all(_is_text(side) and _is_whole(n) for side, n in value.taken.items())
        _expect(whole, "expected whole points as taken, by side")
    _expect(_is_whole(deal.times) and deal.times > 0, "expected how many times as much it pays")
    _expect(value.winner is None or value.winner in sides, "expected a side as the winner")
    return value


def _check_tuple(value: Any) -> tuple[Any, ...]:
    """Return a tuple if it is one and not too long, else raise `_WrongValueError`."""
    _check_instance(tuple, value)
    return _check_iterable(value)


def _check_line(line: Any, deal: Deal) -> None:
    """Raise `_WrongValueError` unless this is a score line with a side of the match."""
    _check_instance(ScoreLine, line)
    _expect(line.side in deal.table.sides, "expected a side of the match in each line")
    _check_points(line.points)
    _expect(_is_text(line.rule), "expected the id of a clause in each line")
    _check_text(line.text, deal)
    _check_seqs(line.events)


def _check_text(text: Any, deal: Deal) -> None:
    """Raise `_WrongValueError` unless this is a `Text` whose sentence is not too long."""
    _check_instance(Text, text)
    _expect(_is_text(text.say(deal.table.pack.show)), f"a text has {LONGEST_TEXT} letters at most")


def _check_seqs(events: Any) -> None:
    """Raise `_WrongValueError` unless this is a tuple of seqs."""
    whole = all(_is_whole(seq, MAX_EXACT_NUMBER) for seq in _check_tuple(events))
    _expect(whole, "expected the numbers of events")


def _check_observations(value: Any, deal: Deal) -> tuple[Any, ...]:
    """Return the observations of a check as a tuple, or raise `_WrongValueError`.

    Their sides must be sides of the match or of a count.
    """
    observations = _check_iterable(value)
    for observation in observations:
        _check_instance(Observation, observation)
        _check_seqs(observation.events)
        _check_text(observation.text, deal)
        known = {*deal.table.sides, *deal.counted_sides()}
        _expect(set(_check_tuple(observation.sides)) <= known, "expected sides of the match")
    return observations


def _check_prompts(game: Game, value: Any, *_: Any) -> tuple[Any, ...]:
    """Return the prompts as a tuple, or raise `_WrongValueError`.

    Their choices must be events of the game.
    """
    prompts = _check_iterable(value)
    for prompt in prompts:
        _check_instance(Prompt, prompt)
        declared = all(type(choice) in game.declared for choice in _check_tuple(prompt.choices))
        _expect(declared, "expected events of the game as choices")
        _expect(set(_check_tuple(prompt.levels)) <= set(LEVELS), "expected levels that there are")
        _expect(prompt.counts is None or isinstance(prompt.counts, Counts), "expected Counts")
    return prompts


def _check_running_score(value: Any, deal: Deal) -> Any:
    """Return the value if it is None or a well-formed running score.

    Raises `_WrongValueError` otherwise.
    """
    if value is not None:
        _check_instance(RunningScore, value)
        _check_instance(Mapping, value.made)
        for side, points in value.made.items():
            _expect(side in deal.table.sides and _is_whole(points), "expected points by side")
        for line in _check_tuple(value.lines):
            _check_line(line, deal)
        for _, text in _check_tuple(value.ahead):
            _check_text(text, deal)
    return value


# ------------------------------------------------------------------------------------ a match


def _check_standing(value: Any, sides: Iterable[str]) -> Any:
    """Return the standing if it has a total of each side, in the order of ``sides``.

    Raises `_WrongValueError` otherwise.
    """
    _check_instance(Standing, value)
    _check_instance(Mapping, value.totals)
    _expect(list(value.totals) == list(sides), "expected a total of each side, in their order")
    for total in value.totals.values():
        _check_points(total)
    _expect(_is_whole(value.hands) and type(value.over) is bool, "expected a count of hands")
    return value


def _check_standing_after_hand(
    value: Any,
    standing: Standing,
    result: Result,
    options: Mapping[str, Any],
    before: tuple[Penalty, ...],
    after: tuple[Penalty, ...],
    *,
    zero_sum: bool,
) -> Any:
    """Return the standing after a hand if it is well-formed, else raise `_WrongValueError`.

    In a ``zero_sum`` game the totals may change only by the penalties in all, as the hand adds up
    to 0.
    """
    _check_standing(value, standing.totals)
    if zero_sum:
        change = sum(value.totals.values()) - sum(standing.totals.values())
        penalties = sum(penalty.points for penalty in (*before, *after))
        words = f"expected a hand to give what it takes, which makes 0, got {change}"
        _expect(change in (0, penalties), words)
    return value


def _check_own_keys(taken: frozenset[str], value: Any, *_: Any) -> Any:
    """Return the additional keys for a report if none of them is ``taken`` by the report.

    Raises `_WrongValueError` otherwise, and if a value cannot be written as JSON.
    """
    _check_instance(Mapping, value)
    _expect(not taken & set(value), f"expected other keys than {', '.join(sorted(taken))}")
    _expect(_is_plain(value, DEEPEST), "expected texts, whole numbers, lists and objects")
    return value


def _is_plain(value: Any, depth: int) -> bool:
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


def _keys_and_items(value: Any) -> Iterator[Any]:
    """Yield the items of a list, or the keys and items of a mapping.

    A key that is no text is replaced by an object that no report can contain.
    """
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key if isinstance(key, str) else object()
            yield item
    else:
        yield from value

"""Check every value that an installed game returns, so that a wrong value fails at its origin.

:func:`with_checked_values` wraps the functions of a game. A wrong value raises
:class:`GameFaultError`, which names the game, as soon as it is returned.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Pack
from scorekeeper.games.fact_values import fits
from scorekeeper.games.game import Game
from scorekeeper.games.value_checks import (
    LONGEST_TEXT,
    WrongValueError,
    check_asks,
    check_goal,
    check_instance,
    check_observations,
    check_own_keys,
    check_players,
    check_points_or_none,
    check_prompts,
    check_result,
    check_running_score,
    check_sides,
    check_standing,
    check_standing_after_hand,
    check_text_or_none,
    require,
    type_name,
)
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import HandFact, HandFacts
from scorekeeper.play.match import Course

AnyFunction = Callable[..., Any]

# The keys of the report, which a game's own keys must not replace.
MATCH_KEYS: Final = frozenset((
    "match", "game", "rules", "seats", "sides", "options", "status", "winners", "totals", "hands",
    "stake", "settlement", "undecided",
))  # fmt: skip
HAND_KEYS: Final = frozenset((
    "hand", "dealer", "status", "level", "scores", "totals", "taken", "winner", "lines",
    "confirmed", "disputed", "awaiting",
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


def with_checked_values(game: Game) -> Game:
    """Return a copy of the game whose functions check every value that they return.

    A wrong value raises `GameFaultError`.
    """

    def of(what: str, function: Any, check: Callable[..., object]) -> Any:
        """Return a function of the game, wrapped so that ``check`` tests its values."""
        return _guard(game.id, what, function, check)

    return replace(
        game,
        book=replace(
            game.book,
            conflicts=tuple(
                replace(
                    conflict, holds=of("conflicts", conflict.holds, partial(check_instance, bool))
                )
                for conflict in game.book.conflicts
            ),
        ),
        pack=of("pack", game.pack, partial(check_instance, Pack)),
        start=of("start", game.start, partial(check_instance, Deal)),
        score=of("score", game.score, check_result),
        checks=tuple(
            replace(check, look=of(f"check {check.code}", check.look, check_observations))
            for check in game.checks
        ),
        course=_checked_course(game, of),
        prompts=of("prompts", game.prompts, partial(check_prompts, game)),
        totals=of("totals", game.totals, partial(check_asks, game))
        if callable(game.totals)
        else game.totals,
        sides=of("sides", game.sides, check_sides),
        players=of("players", game.players, check_players),
        no_penalty=of("no_penalty", game.no_penalty, check_text_or_none),
        describe_hand=of("describe_hand", game.describe_hand, partial(check_own_keys, HAND_KEYS)),
        describe_match=of(
            "describe_match", game.describe_match, partial(check_own_keys, MATCH_KEYS)
        ),
        facts=HandFacts(
            tuple(_checked_fact(fact, of) for fact in game.facts.facts), game.facts.sentences
        ),
        so_far=of("so_far", game.so_far, check_running_score),
        goal=of("goal", game.goal, check_goal),
        highest_hand=of("highest_hand", game.highest_hand, check_points_or_none),
        most_of_a_hand=of("most_of_a_hand", game.most_of_a_hand, check_points_or_none),
        doubles=of("doubles", game.doubles, partial(check_instance, bool)),
    )


def _guard(game: str, what: str, function: AnyFunction, check: AnyFunction) -> AnyFunction:
    """Return ``function``, wrapped so that ``check`` tests each value that it returns.

    ``check`` gets the value and the arguments of the function, and returns the value. A wrong
    value raises `GameFaultError` for ``what``, and so does an `UnusableError`: only functions that
    refuse an event may raise it, because it makes the request wrong.
    """

    @wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        """Return the checked value of the function."""
        try:
            return check(function(*args, **kwargs), *args)
        except UnusableError as error:
            raise GameFaultError(game, f"{what}: it refuses what is on record") from error
        except WrongValueError as error:
            raise GameFaultError(game, f"{what}: {error}") from error

    return call


def _checked_course(game: Game, of: AnyFunction) -> Course:
    """Return the course of a game with functions that check the standings that they return."""
    course = game.course
    return Course(
        of(
            "course.start",
            course.start,
            lambda standing, sides, _: check_standing(game.parts, standing, sides),
        ),
        of(
            "course.penalize",
            course.penalize,
            lambda standing, before, _: check_standing(game.parts, standing, before.totals),
        ),
        of(
            "course.add",
            course.add,
            partial(
                check_standing_after_hand,
                parts=game.parts,
                zero_sum=game.settlement.zero_sum,
            ),
        ),
    )


def _checked_fact(fact: HandFact, of: AnyFunction) -> HandFact:
    """Return a fact with a reader that checks whether its values are of the declared kind."""

    def check(value: object, deal: Deal) -> Any:
        """Return the value if it is None or of the kind of the fact; raise an error otherwise."""
        words = f"expected of the fact {fact.id} {fact.kind.expected}, got {type_name(value)}"
        require(value is None or fits(fact.kind, value, deal.table), words)
        return value

    return replace(fact, read=of("facts", fact.read, check))

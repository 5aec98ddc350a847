"""Check every value that an installed game returns, so that a wrong value fails at its origin.

:func:`checked` wraps the functions of a game. A wrong value raises :class:`GameFaultError`, which
names the game, as soon as it is returned.
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
        super().__init__(words)
        self.game = game


def described(error: BaseException) -> str:
    """Return the type and message of an error; of a `GameFaultError` only the message."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  # an error class of a game may fail here
        message = "it cannot be printed"
    if isinstance(error, GameFaultError):
        return message
    return f"{type(error).__name__}: {message[:LONGEST_TEXT]}" if message else type(error).__name__


class _WrongValueError(Exception):
    """A value has a wrong type or range."""


def checked(game: Game) -> Game:
    """Return a copy of the game whose functions check every value that they return."""

    def of(what: str, function: Any, check: Callable[..., Any]) -> Any:
        return _guarded(game.id, what, function, check)

    return replace(
        game,
        book=replace(
            game.book,
            conflicts=tuple(
                replace(conflict, holds=of("conflicts", conflict.holds, partial(_instance, bool)))
                for conflict in game.book.conflicts
            ),
        ),
        pack=of("pack", game.pack, partial(_instance, Pack)),
        start=of("start", game.start, partial(_instance, Deal)),
        score=of("score", game.score, _result),
        checks=tuple(
            replace(check, look=of(f"check {check.code}", check.look, _observations))
            for check in game.checks
        ),
        course=_course(game, of),
        prompts=of("prompts", game.prompts, partial(_prompts, game)),
        sides=of("sides", game.sides, _sides),
        players=of("players", game.players, _players),
        no_penalty=of("no_penalty", game.no_penalty, _words_or_none),
        describe_hand=of("describe_hand", game.describe_hand, partial(_own_keys, HAND_KEYS)),
        describe_match=of("describe_match", game.describe_match, partial(_own_keys, MATCH_KEYS)),
        facts=HandFacts(tuple(_fact(fact, of) for fact in game.facts.facts), game.facts.sentences),
        so_far=of("so_far", game.so_far, _so_far),
        goal=of("goal", game.goal, _goal),
        highest_hand=of("highest_hand", game.highest_hand, _points_or_none),
        most_of_a_hand=of("most_of_a_hand", game.most_of_a_hand, _points_or_none),
        doubles=of("doubles", game.doubles, partial(_instance, bool)),
    )


def _guarded(
    game: str, what: str, function: Callable[..., Any], check: Callable[..., Any]
) -> Callable[..., Any]:
    """Wrap a function: ``check`` gets its value and its arguments, and returns the value.

    Only functions that refuse an event may raise `UnusableError`; from any other function it
    would tell the client that the request was wrong.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return check(function(*args, **kwargs), *args)
        except UnusableError as error:
            raise GameFaultError(game, f"{what}: it refuses what is on record") from error
        except _WrongValueError as error:
            raise GameFaultError(game, f"{what}: {error}") from error

    return call


def _course(game: Game, of: Callable[..., Any]) -> Course:
    course = game.course
    return Course(
        of("course.start", course.start, lambda standing, sides, _: _standing(standing, sides)),
        of(
            "course.penalize",
            course.penalize,
            lambda standing, before, _: _standing(standing, before.totals),
        ),
        of("course.add", course.add, partial(_added, zero_sum=game.settlement.zero_sum)),
    )


def _fact(fact: HandFact, of: Callable[..., Any]) -> HandFact:
    def check(value: Any, deal: Deal) -> Any:
        words = f"expected of the fact {fact.id} {fact.kind.expected}, got {_called(value)}"
        _expect(value is None or fits(fact.kind, value, deal.table), words)
        return value

    return replace(fact, read=of("facts", fact.read, check))


# ------------------------------------------------------------------------------------- values


def _expect(holds: bool, words: str) -> None:  # noqa: FBT001 - read as a sentence
    if not holds:
        raise _WrongValueError(words)


def _called(value: Any) -> str:
    """Return the type of a wrong value. The value itself is not quoted: it may be face down."""
    return type(value).__name__


def _instance(wanted: type[Any], value: Any, *_: Any) -> Any:
    _expect(isinstance(value, wanted), f"expected a {wanted.__name__}, got {_called(value)}")
    return value


def _is_whole(value: Any, most: int = MOST_POINTS) -> bool:
    return type(value) is int and -most <= value <= most


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _listed(value: Any) -> tuple[Any, ...]:
    """Return the items of an iterable; a generator of the game runs, and may fail, here."""
    _expect(isinstance(value, Iterable), f"expected an iterable, got {_called(value)}")
    items = tuple(islice(value, MOST_ITEMS + 1))
    _expect(len(items) <= MOST_ITEMS, f"expected at most {MOST_ITEMS} items")
    return items


def _points(value: Any) -> None:
    _expect(type(value) is int, f"expected whole points, got {_called(value)}")
    _expect(_is_whole(value), f"expected points from {-MOST_POINTS} to {MOST_POINTS}")


def _points_or_none(value: Any, *_: Any) -> Any:
    if value is not None:
        _points(value)
    return value


def _words_or_none(value: Any, *_: Any) -> Any:
    _expect(value is None or _is_text(value), f"expected a text or None, got {_called(value)}")
    return value


def _goal(value: Any, *_: Any) -> Any:
    if value is not None:
        _instance(Goal, value)
        _expect(value.counts in ("points", "wins", "hands"), "expected a goal of another kind")
        _expect(_is_whole(value.figure), f"expected a whole figure, got {_called(value.figure)}")
    return value


def _sides(value: Any, seats: tuple[str, ...]) -> Any:
    _instance(dict, value)
    seated = [player for members in value.values() for player in members]
    _expect(all(map(_is_text, value)), "expected texts as the names of sides")
    _expect(sorted(seated) == sorted(seats), "expected every seat in one side")
    return value


def _players(value: Any, seats: tuple[str, ...], *_: Any) -> Any:
    _instance(tuple, value)
    fine = len(value) > 1 and len(set(value)) == len(value) and set(value) <= set(seats)
    _expect(fine, "expected some of the seats, each once")
    return value


# ------------------------------------------------------------------------------------- a hand


def _result(value: Any, deal: Deal) -> Any:
    _instance(Result, value)
    flags = type(value.complete), type(value.abandoned)
    _expect(flags == (bool, bool), "expected true or false of complete and abandoned")
    _expect(value.basis is None or isinstance(value.basis, Basis), "expected a Basis")
    sides = deal.table.sides
    for line in _list(value.lines):
        _line(line, deal)
    if value.taken is not None:
        _instance(dict, value.taken)
        whole = all(_is_text(side) and _is_whole(n) for side, n in value.taken.items())
        _expect(whole, "expected whole points as taken, by side")
    _expect(_is_whole(deal.times) and deal.times > 0, "expected how many times as much it pays")
    _expect(value.winner is None or value.winner in sides, "expected a side as the winner")
    return value


def _list(value: Any) -> tuple[Any, ...]:
    _instance(tuple, value)
    return _listed(value)


def _line(line: Any, deal: Deal) -> None:
    _instance(ScoreLine, line)
    _expect(line.side in deal.table.sides, "expected a side of the match in each line")
    _points(line.points)
    _expect(_is_text(line.rule), "expected the id of a clause in each line")
    _text(line.text, deal)
    _seqs(line.events)


def _text(text: Any, deal: Deal) -> None:
    _instance(Text, text)
    _expect(_is_text(text.say(deal.table.pack.show)), f"a text has {LONGEST_TEXT} letters at most")


def _seqs(events: Any) -> None:
    whole = all(_is_whole(seq, MAX_EXACT_NUMBER) for seq in _list(events))
    _expect(whole, "expected the numbers of events")


def _observations(value: Any, deal: Deal) -> tuple[Any, ...]:
    observations = _listed(value)
    for observation in observations:
        _instance(Observation, observation)
        _seqs(observation.events)
        _text(observation.text, deal)
        known = {*deal.table.sides, *deal.counted_sides()}
        _expect(set(_list(observation.sides)) <= known, "expected sides of the match")
    return observations


def _prompts(game: Game, value: Any, *_: Any) -> tuple[Any, ...]:
    prompts = _listed(value)
    for prompt in prompts:
        _instance(Prompt, prompt)
        declared = all(type(choice) in game.declared for choice in _list(prompt.choices))
        _expect(declared, "expected events of the game as choices")
        _expect(set(_list(prompt.levels)) <= set(LEVELS), "expected levels that there are")
        _expect(prompt.counts is None or isinstance(prompt.counts, Counts), "expected Counts")
    return prompts


def _so_far(value: Any, deal: Deal) -> Any:
    if value is not None:
        _instance(RunningScore, value)
        _instance(Mapping, value.made)
        for side, points in value.made.items():
            _expect(side in deal.table.sides and _is_whole(points), "expected points by side")
        for line in _list(value.lines):
            _line(line, deal)
        for _, text in _list(value.ahead):
            _text(text, deal)
    return value


# ------------------------------------------------------------------------------------ a match


def _standing(value: Any, sides: Iterable[str]) -> Any:
    _instance(Standing, value)
    _instance(Mapping, value.totals)
    _expect(list(value.totals) == list(sides), "expected a total of each side, in their order")
    for total in value.totals.values():
        _points(total)
    _expect(_is_whole(value.hands) and type(value.over) is bool, "expected a count of hands")
    return value


def _added(
    value: Any,
    standing: Standing,
    result: Result,
    options: Mapping[str, Any],
    before: tuple[Penalty, ...],
    after: tuple[Penalty, ...],
    *,
    zero_sum: bool,
) -> Any:
    _standing(value, standing.totals)
    if zero_sum:
        change = sum(value.totals.values()) - sum(standing.totals.values())
        penalties = sum(penalty.points for penalty in (*before, *after))
        words = f"expected a hand to give what it takes, which makes 0, got {change}"
        _expect(change in (0, penalties), words)
    return value


def _own_keys(taken: frozenset[str], value: Any, *_: Any) -> Any:
    _instance(Mapping, value)
    _expect(not taken & set(value), f"expected other keys than {', '.join(sorted(taken))}")
    _expect(_is_plain(value, DEEPEST), "expected texts, whole numbers, lists and objects")
    return value


def _is_plain(value: Any, depth: int) -> bool:
    """Return whether the report can contain a value."""
    if (
        value is None
        or type(value) is bool
        or _is_whole(value, MAX_EXACT_NUMBER)
        or _is_text(value)
    ):
        return True
    if depth == 0 or not isinstance(value, Mapping | list | tuple) or len(value) > MOST_ITEMS:
        return False
    return all(_is_plain(item, depth - 1) for item in _within(value))


def _within(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key if isinstance(key, str) else object()
            yield item
    else:
        yield from value

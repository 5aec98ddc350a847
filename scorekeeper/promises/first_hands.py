"""Try a game: record simulated hands from its own prompts."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import product
from typing import Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.interrupts import is_from_signal
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import to_parts
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.playing import PointsCounted, counted_in
from scorekeeper.events.sentences import Voice
from scorekeeper.games.checked import GameFaultError
from scorekeeper.games.game import Game
from scorekeeper.games.installed import describe_with_place
from scorekeeper.play.deal import Deal
from scorekeeper.play.match import Penalty
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.play.scoring import add_up
from scorekeeper.play.table import Table

MAX_EVENTS: Final = 200  # events of one hand; a longer hand is left incomplete


class FirstHandsError(Exception):
    """An action on a hand failed; the message has the action and the game's error."""


def find_failures(game: Game) -> Iterator[str]:
    """Yield the failures in simulated hands with each number of players, recorded at each level.

    Two hands of each are recorded: one by the first choices, with which all players pass in some
    games, and one by the last choices. If neither can be completed, that is a failure, too.
    """
    for seats, level in product(game.seats, LEVELS):
        try:
            ended = [
                is_ended(try_hand(game, seats, level, partial(_pick_choice, choice)))
                for choice in (0, -1)
            ]
        except FirstHandsError as failed:
            yield str(failed)
        else:
            if not any(ended):
                yield f"no hand of {seats} players, recorded by its {level}, is ever complete"


@contextmanager
def naming_the_action(what: str) -> Iterator[None]:
    """Raise `FirstHandsError` for any error of a game; ``what`` names the action that failed."""
    try:
        yield
    except BaseException as error:
        if is_from_signal(error):
            raise
        raise FirstHandsError(f"{what} ({describe_with_place(error)})") from error


Pick = Callable[[Sequence[Prompt]], Event]


def _pick_choice(choice: int, prompts: Sequence[Prompt]) -> Event:
    """Return the choice with this index of the first prompt."""
    return prompts[0].choices[choice]


def is_ended(deal: Deal) -> bool:
    """Return whether a hand is complete or has the greatest number of events."""
    return deal.result.complete or len(deal.entries) >= MAX_EVENTS


def try_hand(
    game: Game, seats: int, level: Level, pick: Pick, chosen: JsonObject | None = None
) -> Deal:
    """Record and summarize a hand under the ``chosen`` options, and return it.

    ``pick`` returns one of the choices that the prompts offer. Raises `FirstHandsError` if an
    action fails.
    """
    hand = f"a hand of {seats} players{f' under {json.dumps(chosen)}' if chosen else ''}"
    with naming_the_action(f"{hand} cannot begin"):
        deal = start_hand(game, tuple(f"p{number}" for number in range(seats)), chosen)
    with naming_the_action(f"{hand} cannot be recorded by its {level}"):
        _record_hand(game, deal, level, pick)
    if deal.result.complete:
        with naming_the_action(f"{hand}, recorded by its {level}, cannot be added to its match"):
            _try_match(game, deal)
        for fact in game.facts.facts:
            with naming_the_action(
                f'the fact "{fact.id}" of {hand}, recorded by its {level}, cannot be read'
            ):
                fact.read(deal)
        with naming_the_action(f"{hand}, recorded by its {level}, cannot be told"):
            _check_lines(game, deal)
            known = game.facts.known(deal)
            tuple(game.facts.summarize(known, deal.table.sides, Voice(deal.table.names)))
    return deal


def _try_match(game: Game, deal: Deal) -> None:
    """Add a complete hand to its match, report both, and settle the match.

    Raises `GameFaultError` if the payments do not add up to 0.
    """
    options, sides = deal.table.options, deal.table.sides
    for standing in (deal.standing, game.course.add(deal.standing, deal.result, options, (), ())):
        game.describe_match(standing)
    game.describe_hand(deal)
    fined = game.course.penalize(deal.standing, Penalty(0, next(iter(sides)), 1))
    game.no_penalty(options, over=fined.over)
    for limit in (game.highest_hand, game.most_of_a_hand):
        limit(options, len(deal.table.seats))
    game.doubles(options)
    _check_points_taken(game, deal)
    scores = add_up(deal.result.lines, sides)
    due = game.settlement.of_scores({side: to_parts(n, game.parts) for side, n in scores.items()})
    paid = game.settlement.of_players(sides, due).amounts
    if sum(paid.values()):
        raise GameFaultError(game.id, f"expected payments that make 0 in all, got {dict(paid)}")


def _check_points_taken(game: Game, deal: Deal) -> None:
    """Raise `GameFaultError` if the points taken are not all that there is to take.

    Also if the events of the game count in other parts of a point than its deal.
    """
    totals, taken = deal.totals(), deal.result.taken
    if totals and taken is not None and sum(taken.values()) not in totals:
        words = " or ".join(map(str, totals))
        raise GameFaultError(game.id, f"expected points taken that make {words}, got {taken}")
    counts = [event for event in game.events if issubclass(event, PointsCounted)]
    if counts and counted_in(deal.COUNTED_IN) not in counts:
        words = f"expected counts in {deal.COUNTED_IN} parts of a point, as COUNTED_IN says"
        raise GameFaultError(game.id, words)


def _check_lines(game: Game, deal: Deal) -> None:
    """Format each score line. Raises `LookupError` if its clause is not in the book."""
    clauses = {clause.id for clause in game.book.clauses}
    for line in deal.result.lines:
        line.text.say()
        if line.rule not in clauses:
            raise LookupError(f"a line of its score is under {line.rule}, which the book has not")


def start_hand(game: Game, seats: tuple[str, ...], chosen: JsonObject | None) -> Deal:
    """Return a new hand with an empty record under the ``chosen`` options, already evaluated.

    The last of the ``seats`` deals.
    """
    options = game.options(chosen, len(seats))
    dealer, sides = seats[-1], game.sides(seats)
    game.goal(options)
    deal = game.start(
        Table(
            pack=game.pack(options, len(seats)), seats=seats, players=game.players(seats, dealer),
            dealer=dealer, options=options, sides=sides, names={seat: seat for seat in seats},
            parties=game.parties, parts=game.parts,
        )
    )  # fmt: skip
    deal.standing = game.course.start(sides, options)
    _evaluate_and_check(game, deal)
    game.prompted(deal)
    game.questions(deal)
    return deal


def _record_hand(game: Game, deal: Deal, level: Level, pick: Pick) -> None:
    """Record picked choices until the hand is complete.

    It stops after ``MAX_EVENTS`` events, or without a prompt.
    """
    while not deal.result.complete and len(deal.entries) < MAX_EVENTS:
        prompts = game.prompted(deal, level) or game.prompted(deal)
        if not prompts:
            return
        _record_event(game, deal, pick(prompts))


def record_events(game: Game, deal: Deal, events: Iterable[Event]) -> Deal:
    """Record events in a hand, without those that its game refuses, and return it."""
    for event in events:
        with suppress(UnusableError):
            _record_event(game, deal, event)
    return deal


def _record_event(game: Game, deal: Deal, event: Event) -> None:
    """Record an event, evaluate the hand and check it. Raises `UnusableError` if it is refused."""
    seq = len(deal.entries) + 1
    game.refuse_event(deal, event)
    game.fold[type(event)](deal, seq, event)
    deal.entries.append(Entry(seq, event))
    _evaluate_and_check(game, deal)


def _evaluate_and_check(game: Game, deal: Deal) -> None:
    """Evaluate a hand, with its running score, and run all checks of its game."""
    game.evaluate(deal)
    game.so_far(deal)
    for check in game.checks:
        tuple(check.look(deal))

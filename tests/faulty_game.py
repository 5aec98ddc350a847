"""A game of an installed package that fails in the function and in the way that a test chooses."""

from pathlib import Path
from typing import Final

from tests.installing import metadata_of

PACKAGE: Final = "game_full_of_faults"

# Each function of the game first calls the original. If the fault names the function, it then
# changes the returned value or raises. Another process reads the fault from the environment.
SOURCE: Final = '''
import asyncio
import os
import sys
import time
from dataclasses import replace
from fractions import Fraction

from scorekeeper.base.errors import StorageUnavailableError, UnknownSessionError, UnusableError
from scorekeeper.games.knock import GAME as KNOCK
from scorekeeper.games.riparto import GAME
from scorekeeper.play.facts import HandFacts
from scorekeeper.play.match import Course, Goal
from scorekeeper.play.prompts import Prompt
from scorekeeper.play.scoring import Text
from scorekeeper.play.settlement import Settlement

where, kind = "", ""
LATER = os.environ.get("FAULT", "").split()


class Odd(BaseException):
    """An exception that no handler of ``Exception`` catches."""


class Unprintable(Exception):
    def __str__(self):
        raise SystemExit(5)

    __repr__ = __str__


class Evil:
    """A value on which every operation fails."""

    def fail(self, *args):
        raise ValueError("AS lies face down")

    __eq__ = __hash__ = __str__ = __repr__ = __bool__ = __len__ = __iter__ = fail
    __call__ = __getitem__ = __lt__ = __format__ = fail


def raising(error):
    def fault(value):
        raise error
    return fault


def exits(value):
    raise SystemExit(3)


def recursive(value):
    return recursive(value)


def late(value):
    yield from ()
    raise KeyboardInterrupt


def endless(value):
    open("started", "w").close()
    while True:
        time.sleep(0.01)


def busy(value):
    while True:
        pass


def hungry(value):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def points(change):
    """Return a fault that changes the points of each line of a score."""
    def fault(value):
        lines = tuple(one._replace(points=change(one.points)) for one in value.lines)
        return replace(value, lines=lines)
    return fault


def texts(text):
    def fault(value):
        return replace(value, lines=tuple(one._replace(text=text) for one in value.lines))
    return fault


KINDS = {
    "error": raising(ZeroDivisionError("AS lies face down")),
    "exit": exits,
    "interrupt": raising(KeyboardInterrupt()),
    "odd": raising(Odd()),
    "generator_exit": raising(GeneratorExit()),
    "cancelled": raising(asyncio.CancelledError()),
    "stop_iteration": raising(StopIteration()),
    "memory": raising(MemoryError()),
    "storage": raising(StorageUnavailableError("it is full")),
    "unknown": raising(UnknownSessionError("x")),
    "unusable": raising(UnusableError("it is no card")),
    "unprintable": raising(Unprintable()),
    "os_error": raising(OSError(5, "no such device")),
    "recursive": recursive,
    "evil": lambda value: Evil(),
    "late": late,
    "number": lambda value: 5,
    "nothing": lambda value: None,
    "fraction": points(lambda points: points + 0.5),
    "third": points(lambda points: points + Fraction(1, 3)),
    "huge": points(lambda points: points + 10**5000),
    "long": texts(Text("x" * 1_000_000)),
    "unsaid": texts(Text("{who} won")),
    "unbalanced": points(lambda points: points + 1),
    "of_nobody": lambda value: replace(
        value, lines=tuple(one._replace(side="nobody") for one in value.lines)
    ),
    "clash": lambda value: {"status": "finished", "winners": 7},
    "endless": endless,
    "busy": busy,
    "hungry": hungry,
}


def at(name, function):
    def called(*args, **kwargs):
        global where, kind
        if LATER:
            where, kind = LATER[:2]
        value = function(*args, **kwargs)
        if name == where and has_begun(name, args):
            return KINDS[kind](value)
        return value
    return called


def has_begun(name, args):
    """Return whether a score is of a counted hand; earlier scores are not used."""
    return name != "score" or bool(args[0].counts)


class Deal(type(GAME.start.__new__(GAME.start))):
    """A deal whose own methods can fail, too."""


def own(name):
    original = getattr(GAME.start, name)
    if isinstance(original, property):
        return property(at(name, original.fget))
    return at(name, original)


for name in ("totals", "counted_sides", "level", "contract", "stakes", "times", "face_down",
             "can_be", "points_made", "abandonment_kind_matters", "marks_if_abandoned", "strength"):
    setattr(Deal, name, own(name))


CALLS = ("pack", "score", "prompts", "sides", "players", "no_penalty", "check_options",
         "describe_hand", "describe_match", "so_far", "goal", "highest_hand", "most_of_a_hand",
         "doubles")
FACTS = HandFacts(
    tuple(replace(fact, read=at("facts", fact.read)) for fact in GAME.facts.facts),
    tuple(
        replace(one, phrases=tuple(
            tuple(replace(phrase, when=at("phrases", phrase.when)) for phrase in phrases)
            for phrases in one.phrases
        ))
        for one in GAME.facts.sentences
    ),
)


def faulty(**changes):
    return replace(
        GAME,
        id="faulty",
        name="Faulty",
        start=at("start", Deal),
        fold={event: at("fold", step) for event, step in GAME.fold.items()},
        refuse={event: at("refuse", lambda deal, event: None) for event in GAME.fold},
        checks=tuple(replace(one, look=at("checks", one.look)) for one in GAME.checks),
        course=Course(
            at("course_start", GAME.course.start),
            at("penalize", GAME.course.penalize),
            at("course_add", GAME.course.add),
        ),
        facts=FACTS,
        **{name: at(name, getattr(GAME, name)) for name in CALLS},
        **changes,
    )


VERSIONS = (faulty(),)
# A game in which a hand gives what it takes, until its score is unbalanced.
BALANCED = (replace(KNOCK, id="balanced", name="Balanced", score=at("balanced", KNOCK.score)),)
'''


GAMES: Final = {"faulty": f"{PACKAGE}:VERSIONS", "balanced": f"{PACKAGE}:BALANCED"}


def install(folder: Path) -> Path:
    """Write the package into a folder as an installed one, and return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / f"{PACKAGE}.py").write_text(SOURCE)
    return metadata_of(folder, "faulty-games", GAMES)

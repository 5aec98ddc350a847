"""Games of installed packages: playable ones are loaded, others refused by name.

Tests of ``games``, ``games.complaints``, ``games.declared_types`` and ``games.game``.
"""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.base.errors import NotInstalledError, UnusableError
from scorekeeper.base.interrupts import marked_interrupts
from scorekeeper.cli import main
from scorekeeper.events.fields import COUNT
from scorekeeper.games import GAMES, IDS
from scorekeeper.games.complaints import find_errors
from scorekeeper.games.game import Game
from scorekeeper.games.installed import Installed, load_installed
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import HandFact, HandFacts
from scorekeeper.play.prompts import LEVELS
from scorekeeper.promises.examination import examine_game
from scorekeeper.promises.first_hands import find_failures
from scorekeeper.session.session import Session
from tests.api.asking import Table, created
from tests.evenings import build_report
from tests.installing import GROUP, metadata_of
from tests.thinned import thinned

# The source of a package with one playable game and many that are refused, each for a reason.
OFFERED = """
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import ClassVar

from scorekeeper.events.common import Event
from scorekeeper.events.fields import COUNT, Each, Kind
from scorekeeper.events.playing import OutcomeRecorded, PointsCounted
from scorekeeper.games.knock import GAME
from scorekeeper.play.facts import EACH_SIDE, SIDE, HandFact, HandFacts, Phrase, Sentence, has
from scorekeeper.play.match import goal_of
from scorekeeper.play.prompts import Ask
from scorekeeper.play.rulebook import COMMON, Clause, Preset, Option, RuleBook
from scorekeeper.play.scoring import Check, Text
from scorekeeper.play.settlement import DIFFERENCES


@dataclass(frozen=True, slots=True)
class Note(Event):
    '''A note of its own.'''

    TYPE: ClassVar = "note_added"


@dataclass(frozen=True, slots=True)
class Card(Event):
    '''A card of its own.'''

    TYPE: ClassVar = "card_played"


@dataclass(frozen=True, slots=True)
class Signal(Event):
    '''A signal of its own.'''

    TYPE: ClassVar = "signal_made"


@dataclass(frozen=True, slots=True)
class Lost(Event):
    '''What nobody writes down.'''

    TYPE: ClassVar = "lost"


def also(declared, folded=True):
    fold = {**GAME.fold, declared: print} if folded else GAME.fold
    return {"events": (*GAME.events, declared), "fold": fold}


def book(*clauses):
    return {"book": RuleBook((*GAME.book.clauses, *clauses), GAME.book.options)}


def options(*more):
    return {"book": RuleBook(GAME.book.clauses, (*GAME.book.options, *more))}


def facts(about, words, *when):
    sentences = (Sentence(about, ((Phrase(words, *when),),)),)
    return {"facts": HandFacts((HandFact("tricks", "Tricks", COUNT, len),), sentences)}


def fails_at_ten(deal):
    return [1 / (10 - len(deal.plays))][1:]


def scored(change):
    def score(deal):
        result = GAME.score(deal)
        return replace(result, lines=tuple(map(change, result.lines)))

    return {"score": score}


def interrupt(deal):
    raise KeyboardInterrupt


class Own(Kind):
    expected = "something of its own"


class Sly(str):
    def __str__(self):
        raise ValueError("no name")


def offer(game_id, **changes):
    return (replace(GAME, **{"id": game_id, "name": game_id, **changes}),)


good = offer("good")
pair = offer("pair", seats=(2, 4))
twice = (*offer("twice"), *offer("twice", version=2))
riparto = offer("riparto")
listed = [*offer("listed")]
nothing = ()
no_game = ("no_game",)
other_id = offer("another")
Capital = offer("Capital")
gap = (*offer("gap"), *offer("gap", version=3))
note = offer("note", **also(Note))
card = offer("card", **also(Card))
signal = offer("signal", **also(Signal))
no_event = offer("no_event", **also(int))
no_fold = offer("no_fold", **also(Lost, folded=False))
clauseless = offer("clauseless", book=RuleBook(GAME.book.clauses[1:], GAME.book.options))
end = offer("end", end_clause="K99")
no_end = offer("no_end", end_clause="")
bare = offer("bare", checks=(Check("revoke", "", list),))
twice_in_book = offer("twice_in_book", **book(GAME.book.clauses[0]))
common = offer("common", **book(COMMON[0]))
code = offer("code", checks=(*GAME.checks, Check("no_such_code", "K1", list)))
alone = offer("alone", seats=(1, 2))
letter = offer("letter", **book(Clause("First", "It is odd.", "found")))
reserved = offer("reserved", **book(Clause("G77", "It is odd.", "found")))
status = offer("status", **book(Clause("K77", "It is odd.", "sure")))
option_twice = offer("option_twice", **options(GAME.book.options[0]))
default = offer("default", **options(Option("odd", "K1", "Odd?", {"yes": "it is"}, default="no")))
house = offer("house", houses=(Preset("Odd", "Who plays so", {"odd": 1}),))
house_twice = offer("house_twice", houses=(Preset("Usual", "Who plays so", {}),) * 2)
ask = offer("ask", totals=(Ask((OutcomeRecorded,)),))
direction = offer("direction", direction="up")
said = offer("said", **facts(EACH_SIDE, "took {tricks} of {all}"))
about = offer("about", **facts("bidder", "took {tricks}"))
fact_twice = offer("fact_twice", facts=HandFacts(facts(EACH_SIDE, "")["facts"].facts * 2))
kind = offer("kind", facts=HandFacts((HandFact("tricks", "Tricks", int, len),)))
own_kind = offer("own_kind", facts=HandFacts((HandFact("tricks", "Tricks", Own(), len),)))
column = offer("column", facts=HandFacts((HandFact("score", "Score", COUNT, len),)))
unread = offer("unread", facts=HandFacts((HandFact("all", "All", COUNT, len),)))
untold = offer("untold", facts=HandFacts(
    (HandFact("tricks", "Tricks", Each(SIDE, COUNT), lambda deal: 7),),
    (Sentence(EACH_SIDE, ((Phrase("took {tricks}"),),)),),
))
unwritten = offer("unwritten", fold={**GAME.fold, PointsCounted: lambda *of: 1 / 0})
at_ten = offer("at_ten", checks=(Check("revoke", "K1", fails_at_ten),))
no_facts = offer("no_facts", facts=())
called = offer("called", name=" knock!")
spaced = offer("spaced", facts=HandFacts((HandFact("all taken", "All", COUNT, bool),)))
when = offer("when", **facts(EACH_SIDE, "took {tricks}", has("trikcs")))
silent = offer("silent", prompts=lambda deal: ())
unlisted = offer("unlisted", **scored(lambda line: line._replace(rule="K99")))
unsaid = offer("unsaid", **scored(lambda line: line._replace(text=Text("{who} won"))))
goal = offer("goal", goal=goal_of("to"))
no_hand = offer("no_hand", score=lambda deal: 1 / 0)
no_folder = offer("no_folder", catalogues=Path("/no/such/folder"))
no_path = offer("no_path", catalogues="translations")
fraction = offer("fraction", **scored(lambda line: line._replace(points=line.points + 0.5)))
huge = offer("huge", **scored(lambda line: line._replace(points=10**5000)))
unbalanced = offer("unbalanced", **scored(lambda line: line._replace(points=line.points + 1)))
third = offer("third", parts=2, **scored(
    lambda line: line._replace(points=line.points + Fraction(1, 3))
))
parts = offer("parts", parts=61)
unlike = offer("unlike", facts=HandFacts((HandFact("tricks", "Tricks", COUNT, lambda deal: "7"),)))
halved = offer("halved", facts=HandFacts((
    HandFact("tricks", "Tricks", Each(SIDE, COUNT), lambda deal: {"A": 1.5}),
)))
no_result = offer("no_result", score=lambda deal: 5)
endless = offer("endless", prompts=lambda deal: cycle(GAME.prompts(deal)))
recursive = offer("recursive", score=lambda deal: recursive[0].score(deal))
quits = offer("quits", score=lambda deal: exit(3))
interrupts = offer("interrupts", score=interrupt)
odd_name = offer("odd_name", name=7)
sly_name = offer("sly_name", name=Sly("Sly"))
long_name = offer("long_name", summary="x" * 10_001)
halves = offer("halves", seats=(4.0,))
clause = offer("clause", **book(Clause("K77", 7, "found")))
no_sides = offer("no_sides", sides=lambda seats: {"A": seats[:2]})
no_deal = offer("no_deal", start=lambda table: table)
clash = offer("clash", describe_match=lambda standing: {"totals": 7})
worth = offer("worth", highest_hand=lambda options, seats: "a lot")
unequal = offer(
    "unequal", sides=lambda seats: {"A": seats[:1], "B": seats[1:]}, settlement=DIFFERENCES
)
torn = offer("torn", catalogues=Path(__file__).parent / "translations")
"""
BEGUN = "a hand of 4 players cannot begin"
ADDED = "a hand of 4 players, recorded by its totals, cannot be added to its match"
TRICKS = (
    'the fact "tricks" of a hand of 4 players, recorded by its totals, cannot be read '
    "(facts: expected of the fact tricks"
)
REASONS = {
    "called": 'there is a game called "Knock!" already: uninstall one, or give it another name',
    "riparto": 'there is a game "riparto" already: uninstall one, or give it another id',
    "broken": "it cannot be loaded, fix or uninstall it "
              "(ZeroDivisionError: division by zero, in FOLDER/offered_broken.py, line 2)",
    "gone": "it cannot be loaded, fix or uninstall it "
            "(ModuleNotFoundError: No module named 'offered_and_gone')",
    "nowhere": "it cannot be loaded, fix or uninstall it "
               "(AttributeError: module 'offered' has no attribute 'nowhere')",
    "listed": "expected a tuple of games, every version of one, the oldest first",
    "nothing": "expected a tuple of games, every version of one, the oldest first",
    "no_game": "expected nothing but games in the tuple",
    "other_id": 'expected the id of the game, "another", as the entry point’s name',
    "Capital": "expected an id of small letters, digits and underscores",
    "gap": "expected the versions 1, 2, 3 and so on",
    "note": 'the event "note_added" is one that games share: give it another type',
    "card": 'the event "card_played" is one that games share: give it another type',
    "signal": "expected events of one type to differ in their category: signal_made",
    "no_event": "expected a declaration of an event, got int",
    "no_fold": "expected a fold that writes down lost",
    "clauseless": "expected in the book what is cited: K1",
    "end": "expected in the book what is cited: K99",
    "no_end": "expected as end_clause the clause that says how a match ends",
    "bare": "expected each check under a clause, as check.under(…) puts it: revoke",
    "twice_in_book": "expected each clause of the book once: K1",
    "common": "expected as the id of a clause a capital and a number, but not G or L: G1",
    "code": "expected checks with codes of findings that there are, got no_such_code",
    "alone": "expected the numbers of players, from two on",
    "letter": "expected as the id of a clause a capital and a number, but not G or L: First",
    "reserved": "expected as the id of a clause a capital and a number, but not G or L: G77",
    "status": "expected of each clause that it is source, found or ruling: K77",
    "option_twice": "expected each option of the book once: hands",
    "default": "expected as a default one of the choices: odd",
    "house": 'by the house "Odd" 4 players cannot play: '
             'field data.options.odd: expected an option of this game: hands, own_signals, '
             'signals, got "odd"',
    "house_twice": "expected each house once: Usual",
    "ask": "expected in totals events of the game, got outcome_recorded",
    "direction": "expected the direction clockwise or counter-clockwise, got up",
    "said": "expected sentences of facts that there are, got all",
    "about": "expected sentences of facts that there are, got bidder",
    "fact_twice": "expected each fact once: tricks",
    "kind": "expected as facts.facts.0.kind a value of the type Kind, got type",
    "own_kind": "expected a kind of scorekeeper.events.fields for each fact: tricks",
    "column": "expected of a fact another id than a column of every game has: score",
    "unread": 'the fact "all" of a hand of 4 players, recorded by its totals, cannot be read '
              "(TypeError: object of type 'KnockDeal' has no len())",
    "untold": f"{TRICKS} an object from a side of this match to a whole number from 0 on, got int)",
    "fraction": "a hand of 4 players cannot be recorded by its totals "
                "(score: expected whole points, got float)",
    "huge": "a hand of 4 players cannot be recorded by its totals "
            "(score: expected points from -1000000000 to 1000000000)",
    "unbalanced": f"{ADDED} (course.add: expected a hand to give what it takes, which makes 0, "
                  "got 2)",
    "third": "a hand of 4 players cannot be recorded by its totals "
             "(score: expected points in parts of 1/2, got a part of 1/3)",
    "parts": "expected as parts of a point a number from 1 to 60, got 61",
    "unlike": f"{TRICKS} a whole number from 0 on, got str)",
    "halved": f"{TRICKS} an object from a side of this match to a whole number from 0 on, "
              "got dict)",
    "no_result": f"{BEGUN} (score: expected a Result, got int)",
    "endless": f"{BEGUN} (prompts: expected at most 10000 items)",
    "recursive": f"{BEGUN} (RecursionError: maximum recursion depth exceeded)",
    "quits": f"{BEGUN} (SystemExit: 3)",
    "interrupts": f"{BEGUN} (KeyboardInterrupt)",
    "odd_name": "expected as name a value of the type str, got int",
    "sly_name": "expected as name a value of the type str, got Sly",
    "long_name": "expected as summary a text of at most 10000 characters",
    "halves": "expected as seats.0 a value of the type int, got float",
    "clause": "expected as book.clauses.11.text a value of the type str, got int",
    "no_sides": f"{BEGUN} (sides: expected every seat in one side)",
    "no_deal": f"{BEGUN} (start: expected a Deal, got Table)",
    "clash": f"{ADDED} (describe_match: expected other keys than game, hands, match, options, "
             "rules, seats, settlement, sides, stake, status, totals, undecided, winners)",
    "worth": f"{ADDED} (highest_hand: expected whole points, got str)",
    "unequal": f"{ADDED} (expected payments that make 0 in all, got "
               "{'p0': 100, 'p1': -100, 'p2': -100, 'p3': -100})",
    "interrupting": "it cannot be loaded, fix or uninstall it "
                    "(KeyboardInterrupt, in FOLDER/offered_that_interrupts.py, line 1)",
    "shared": "it cannot be loaded, fix or uninstall it (TypeError: 'mappingproxy' object does "
              "not support item assignment, in FOLDER/offered_shared.py, line 2)",
    "unwritten": "a hand of 4 players cannot be recorded by its totals "
                 "(ZeroDivisionError: division by zero)",
    "at_ten": "a hand of 4 players cannot be recorded by its cards "
              "(ZeroDivisionError: division by zero)",
    "no_facts": "expected as facts a value of the type HandFacts, got tuple",
    "spaced": "expected as ids of facts small letters, digits and underscores: all taken",
    "when": "expected sentences of facts that there are, got trikcs",
    "pair": "no hand of 2 players, recorded by its tricks, is ever complete",
    "silent": "no hand of 4 players, recorded by its totals, is ever complete",
    "unlisted": "a hand of 4 players, recorded by its totals, cannot be told "
                "(LookupError: a line of its score is under K99, which the book has not)",
    "unsaid": "a hand of 4 players cannot be recorded by its totals (KeyError: 'who')",
    "goal": "a hand of 4 players cannot begin (KeyError: 'to')",
    "no_hand": "a hand of 4 players cannot begin (ZeroDivisionError: division by zero)",
    "no_folder": "expected the folder of its catalogues: there is no /no/such/folder",
    "no_path": "expected as catalogues the Path of a folder, got str",
    "exits": "it cannot be loaded, fix or uninstall it "
             "(SystemExit: 3, in FOLDER/offered_that_exits.py, line 1)",
    "odd_card": "it cannot be loaded, fix or uninstall it "
                "(ValueError: no card is written 'DS', in FOLDER/offered_odd_card.py, line 2)",
}  # fmt: skip
ELSEWHERE = {
    "broken": "offered_broken:VERSIONS", "gone": "offered_and_gone:VERSIONS",
    "exits": "offered_that_exits:VERSIONS", "interrupting": "offered_that_interrupts:VERSIONS",
    "shared": "offered_shared:VERSIONS", "odd_card": "offered_odd_card:VERSIONS",
}  # fmt: skip
CATALOGUE = "translations/it/LC_MESSAGES/messages.mo"


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder whose packages, and no others, are found as installed ones."""
    others = {point.name for point in entry_points(group=GROUP)}
    monkeypatch.setattr(
        sys.modules["scorekeeper.games.installed"],  # the package has a function of that name
        "entry_points",
        lambda group: [point for point in entry_points(group=group) if point.name not in others],
    )
    (tmp_path / "offered.py").write_text(OFFERED)
    (tmp_path / "offered_broken.py").write_text("Card = None\n1 / 0\n")
    (tmp_path / "offered_that_exits.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "offered_that_interrupts.py").write_text("raise KeyboardInterrupt\n")
    (tmp_path / "offered_shared.py").write_text(
        "from scorekeeper.games.knock import GAME\nGAME.fold[int] = print\n"
    )
    (tmp_path / "offered_odd_card.py").write_text(
        "from scorekeeper.cards.packs import Card\nQUEEN = Card.parse('DS')\n"
    )
    (tmp_path / CATALOGUE).parent.mkdir(parents=True)
    (tmp_path / CATALOGUE).write_bytes(b"torn to pieces")
    monkeypatch.syspath_prepend(tmp_path)
    with marked_interrupts():
        yield tmp_path
    for name in [module for module in sys.modules if module.startswith("offered")]:
        sys.modules.pop(name)


# Found only when a hand is played: the loader plays none, and `games check` does.
IN_PLAY = [name for name, reason in REASONS.items() if re.match("a hand|no hand|the fact", reason)]


def test_wrong_declarations_are_refused_and_others_loaded(offered: Path) -> None:
    names = ["good", *REASONS, "torn", "twice"]
    metadata_of(offered, "cards", {name: ELSEWHERE.get(name, f"offered:{name}") for name in names})
    loaded = load_installed(IDS, GAMES.versions)
    torn = loaded.refused.pop("torn (cards)")
    assert torn.startswith(f"expected a compiled catalogue in {offered / CATALOGUE}: ")
    assert loaded.refused == {
        f"{name} (cards)": reason.replace("FOLDER", offered.name)
        for name, reason in REASONS.items()
        if name not in IN_PLAY
    }
    assert set(loaded.games) == {"good", "twice", *IN_PLAY}
    assert [game.version for game in loaded.games["twice"]] == [1, 2]


def test_examination_finds_what_is_wrong_in_play(offered: Path) -> None:
    module = importlib.import_module("offered")
    for name in IN_PLAY:
        said = next(examine_game(name, vars(module)[name]))
        assert re.sub(r", in [^,]+/offered\.py, line \d+(?=\))", "", said) == REASONS[name]


def test_wrong_game_harms_its_own_tables_alone(offered: Path) -> None:
    points = [EntryPoint(name, f"offered:{name}", GROUP) for name in ("good", *IN_PLAY)]
    with GAMES.only(load_installed(IDS, GAMES.versions, points)):
        client = created().test_client(use_cookies=False)
        for name in ("good", *IN_PLAY):
            table = Table.open(client, "mara leo nina ugo")
            events = log_of(name).read().splitlines()[1:]
            answers = [table.append(json.loads(event), as_played=True) for event in events]
            report = table.get()
            for answer in (*answers, report, client.get("/new"), client.get("/rules")):
                assert answer.status_code < 500, (name, answer.text)
            if name == "good":
                assert report.get_json()["matches"][0]["totals"] == {"A": 10, "B": -10}
            refused = [answer for answer in (*answers, report) if answer.status_code >= 400]
            if refused:  # what comes after it may be refused for want of it
                assert f'the game "{name}" failed' in refused[0].get_json()["detail"]


@pytest.mark.parametrize("game", thinned(IDS, 2))
def test_built_in_games_have_no_complaints(game: str) -> None:
    assert list(find_errors(game, (replace(GAMES[game], version=1),))) == []


@pytest.mark.parametrize("game", IDS)
def test_the_facts_are_read_in_a_hand_of_every_kind(game: str) -> None:
    deals: list[Deal] = []
    facts = HandFacts((HandFact("seen", "Seen", COUNT, deals.append),))
    assert list(find_failures(replace(GAMES[game], facts=facts))) == []
    assert len(set(deals)) >= len(GAMES[game].seats) * len(LEVELS)


def test_second_package_with_the_same_game_is_refused(offered: Path) -> None:
    for name in ("cards", "more-cards"):
        metadata_of(offered, name, {"good": "offered:good"})
    loaded = load_installed(IDS, GAMES.versions)
    assert set(loaded.games) == {"good"}
    (refused,) = loaded.refused.items()
    assert refused[0] in ("good (cards)", "good (more-cards)")
    assert refused[1] == 'there is a game "good" already: uninstall one, or give it another id'


@pytest.mark.usefixtures("offered")
def test_nothing_is_refused_where_no_package_declares_a_game() -> None:
    assert load_installed(IDS, GAMES.versions) == Installed()


# --------------------------------------------------------------------------- messages


@pytest.fixture
def with_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    again = replace(GAMES["knock"], id="knock_again", name="Knock again")
    games: dict[str, tuple[Game, ...]] = {"knock_again": (again,)}
    loaded = Installed(games, {"bad (x)": "no reason"})
    monkeypatch.setitem(GAMES.__dict__, "_installed", loaded)


LEFT_OUT = "The game bad (x) is left out: no reason\n"


@pytest.mark.usefixtures("with_packages")
def test_command_line_lists_loaded_and_refused_games() -> None:
    result = CliRunner().invoke(main, ["games"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == [*IDS, "knock_again"]
    assert result.stderr == LEFT_OUT


@pytest.mark.usefixtures("with_packages")
def test_server_logs_refused_games_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    serve = importlib.import_module("scorekeeper.cli.serve")
    monkeypatch.setattr(serve, "run_server", lambda chosen: None)
    monkeypatch.setattr(serve, "refuse_used_port", lambda host, port: None)
    result = CliRunner().invoke(main, ["serve", "--host", "127.0.0.1"])
    assert result.exit_code == 0, result.output
    assert LEFT_OUT in result.stderr
    assert "Scorekeeper is at" in result.stdout


def log_of(game: str) -> BytesIO:
    seats = ["mara", "leo", "nina", "ugo"]
    players = [{"id": seat, "name": seat.title()} for seat in seats]
    events = [
        {"type": "session_opened", "data": {"title": "Friday", "players": players}},
        {"type": "match_started", "data": {"game": game, "seats": seats}},
        {"type": "hand_started", "data": {"dealer": "ugo"}},
        {"type": "points_counted", "data": {"points": {"A": 60, "B": 40}}},
    ]
    return BytesIO("".join(json.dumps(event) + "\n" for event in events).encode())


@pytest.mark.usefixtures("with_packages")
def test_a_match_of_an_installed_game_is_scored() -> None:
    (match,) = build_report(Session.read(log_of("knock_again")))["matches"]
    assert (match["game"], match["totals"]) == ("knock_again", {"A": 10, "B": -10})


def test_a_log_of_a_game_that_is_not_installed_is_refused_by_its_name() -> None:
    with pytest.raises(UnusableError) as refused:
        Session.read(log_of("knock_again"))
    assert str(refused.value).startswith(
        'line 2, field data.game: no game "knock_again" is installed here; there are riparto, '
    )


@pytest.mark.usefixtures("with_packages")
@pytest.mark.parametrize("game", ["bad", "ba"])
def test_log_of_a_refused_game_gives_the_reason(game: str) -> None:
    with pytest.raises(NotInstalledError) as refused:
        Session.read(log_of(game))
    left_out = refused.value.reason == 'the game "bad" is installed and left out: no reason'
    assert left_out is (game == "bad")
    assert refused.value.field == "data.game"

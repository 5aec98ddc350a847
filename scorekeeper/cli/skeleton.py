"""The files of a new game: a small trick game that can be played, to be changed part by part."""

from collections.abc import Mapping
from typing import Final

# By path; IDENT stands for the id of the game, TITLE for its name.
SKELETON: Final[Mapping[str, str]] = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling>=1.33,<2"]
build-backend = "hatchling.build"

[project]
name = "card-scorekeeper-IDENT"
version = "1.0.0"
description = "TITLE for Scorekeeper"
requires-python = ">=3.11"

[project.entry-points."scorekeeper.games"]
IDENT = "scorekeeper_IDENT:VERSIONS"

[tool.hatch.build.targets.wheel]
packages = ["scorekeeper_IDENT"]

[tool.pytest.ini_options]
testpaths = ["tests"]
""",
    "scorekeeper_IDENT/__init__.py": '''\
"""TITLE: four players as two sides."""

from pathlib import Path
from typing import Final

from scorekeeper.authoring import (
    PLAY,
    Game,
    Settlement,
    ends_at,
    goal_of,
    partnerships,
    points_course,
)
from scorekeeper_IDENT.audit import CHECKS
from scorekeeper_IDENT.facts import FACTS
from scorekeeper_IDENT.prompts import TOTALS, prompts
from scorekeeper_IDENT.rules import BOOK, PACK
from scorekeeper_IDENT.score import score
from scorekeeper_IDENT.state import FOLD, HandState

GAME: Final = Game(
    id="IDENT",
    name="TITLE",
    summary="Follow suit, without a trump; each trick is worth a point.",
    seats=(4,),
    direction="clockwise",
    book=BOOK,
    events=PLAY,
    pack=lambda options, seats: PACK,
    start=HandState,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=points_course(ends_at("match")),
    sides=partnerships,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    goal=goal_of("match"),
    settlement=Settlement("The sides settle the difference, and partners share it.", shared=True),
    end_clause="A4",
    catalogues=Path(__file__).parent / "translations",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
''',
    "scorekeeper_IDENT/rules.py": '''\
"""The rule book of TITLE, version 1, and its figures."""

from typing import Final

from scorekeeper.authoring import Clause, Number, Option, RuleBook, french

PACK: Final = french("A K Q J 10 9 8 7")  # in this order of strength (A2)
TRICKS: Final = 8

CLAUSES: Final = (
    Clause("A1", "Four players, two against two, partners facing each other. The pack has "
           "thirty-two cards, eight for each player.", "ruling"),
    Clause("A2", "A player who can follow suit does so. The highest card of the suit led wins the "
           "trick, and its player leads to the next.", "ruling"),
    Clause("A3", "Each trick is worth a point.", "ruling"),
    Clause("A4", "A match goes to the first side that has 21 points after a hand and is alone in "
           "front.", "ruling"),
)  # fmt: skip

OPTIONS: Final = (
    Option("match", "A4", "When does a match end?", {
        Number("target"): "when a side has this many points after a hand and is alone in front",
        Number("hands"): "after this many complete hands; the highest total wins",
        "open": "when the players say so",
    }, default={"target": 21}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)
''',
    "scorekeeper_IDENT/state.py": '''\
"""The state of a recorded hand of TITLE."""

from collections.abc import Mapping

from scorekeeper.authoring import FOLD, Card, Deal, Table, Trick
from scorekeeper_IDENT.rules import PACK, TRICKS

__all__ = ["FOLD", "HandState"]


class HandState(Deal):
    """The recorded state of one hand."""

    TOTALS = (TRICKS,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of the cards of the suit led (A2)."""
        return {card: height for card, height in PACK.height.items()
                if card.suit is trick.led_suit}  # fmt: skip

    def points_made(self) -> Mapping[str, int] | None:
        """Return the points of each side, if all tricks are on record (A3)."""
        return self.tricks_made()

    def points_at_least(self) -> Mapping[str, int]:
        """Return the points that the tricks on record prove (A3)."""
        return self.tricks_at_least()
''',
    "scorekeeper_IDENT/score.py": '''\
"""The score of a hand of TITLE."""

from scorekeeper.authoring import Result, ScoreLine, Text
from scorekeeper_IDENT.state import HandState


def score(deal: HandState) -> Result:
    """Return the score of a hand: a point for each trick (A3)."""
    taken = deal.taken()
    if taken is None:
        return Result()
    lines = tuple(
        ScoreLine(side, points, "A3", Text("Points counted: {points}", points=points),
                  deal.proof_of(side, taken))
        for side, points in taken.points.items()
    )  # fmt: skip
    return Result(complete=True, basis=taken.basis, lines=lines, taken=taken.points)
''',
    "scorekeeper_IDENT/audit.py": '''\
"""The checks of a hand of TITLE."""

from typing import Final

from scorekeeper.authoring import checks

CHECKS: Final = (
    checks.SHOWN.under("A1"),
    checks.TWICE.under("A1"),
    checks.TOO_MANY.under("A1"),
    checks.TURN.under("A2"),
    checks.REVOKE.under("A2"),
    checks.WINNERS.under("A2"),
    checks.BEATEN.under("A2"),
    checks.TOTAL.under("A3"),
    checks.COUNT.under("A3"),
    checks.CLAIM.under("A3"),
)
''',
    "scorekeeper_IDENT/prompts.py": '''\
"""The events that can be recorded next in a hand of TITLE."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.authoring import (
    LEVELS,
    Ask,
    PointsCounted,
    Prompt,
    offer_card,
    offer_counts,
    offer_rest,
    offer_shown_cards,
    offer_winner,
    result_is_settled,
    unseen_holdings,
)
from scorekeeper_IDENT.rules import TRICKS
from scorekeeper_IDENT.state import HandState

# The questions of the form for a hand of which only the count is recorded.
TOTALS: Final = (Ask((PointsCounted,)),)


def prompts(deal: HandState) -> Iterator[Prompt]:
    """Yield the events that can come next."""
    if result_is_settled(deal):
        return
    holdings = unseen_holdings(deal)
    yield from offer_card(deal, holdings)
    yield from offer_winner(deal)
    least = deal.points_at_least()
    spare = TRICKS - sum(least.values())
    possible = {side: range(points, points + spare + 1) for side, points in least.items()}
    yield from offer_counts(deal, possible, ("totals",) if not deal.plays else LEVELS[:2])
    yield from offer_rest(deal)
    yield from offer_shown_cards(deal, holdings)
''',
    "scorekeeper_IDENT/facts.py": '''\
"""The facts of a hand of TITLE, and the sentences about them."""

from typing import Final

from scorekeeper.authoring import (
    COUNT,
    EACH_SIDE,
    SIDE,
    Each,
    HandFact,
    HandFacts,
    Phrase,
    Sentence,
)

FACTS: Final = HandFacts(
    (HandFact("taken", "Points taken", Each(SIDE, COUNT), lambda deal: deal.result.taken),),
    (Sentence(EACH_SIDE, ((Phrase("took {taken}"),),)),),
)
''',
    "scorekeeper_IDENT/translations/README": """\
One folder for each language, as in it/LC_MESSAGES/messages.po. They are made by
python -m tools.translating.catalogue IDENT in a checkout of Scorekeeper.
""",
    "tests/test_promises.py": '''\
"""The promises that every game keeps."""

from scorekeeper.testing.promises import *  # noqa: F403
''',
    "golden/IDENT/evening.jsonl": """\
{"type": "session_opened", "data": {"title": "Friday", "players": [\
{"id": "ada", "name": "Ada"}, {"id": "bea", "name": "Bea"}, \
{"id": "carlo", "name": "Carlo"}, {"id": "dario", "name": "Dario"}]}}
{"type": "match_started", "data": {"game": "IDENT", "seats": ["ada", "bea", "carlo", "dario"]}}
{"type": "hand_started", "data": {"dealer": "dario"}}
{"type": "points_counted", "data": {"points": {"A": 5, "B": 3}}}
{"type": "match_ended", "data": {}}
{"type": "match_started", "data": {"game": "IDENT", "seats": ["ada", "bea", "carlo", "dario"], \
"options": {"match": {"hands": 1}}}}
{"type": "hand_started", "data": {"dealer": "dario"}}
{"type": "trick_taken", "data": {"player": "ada"}}
{"type": "rest_claimed", "data": {"player": "bea"}}
{"type": "match_started", "data": {"game": "IDENT", "seats": ["ada", "bea", "carlo", "dario"], \
"options": {"match": "open"}}}
{"type": "hand_started", "data": {"dealer": "dario"}}
{"type": "card_played", "data": {"player": "ada", "card": "AS"}}
{"type": "cards_shown", "data": {"player": "bea", "cards": ["KS"]}}
{"type": "points_counted", "data": {"points": {"A": 4, "B": 4}}}
""",
    "golden/IDENT/evening.txt": """\
# Ada and Carlo are A, Bea and Dario B. Work the points out by hand, before you compare.
match 1 IDENT finished: A
  hand 1 dealer dario complete totals
    A +5 A3                     # five tricks of eight
    B +3 A3
    taken A 5, B 3
  totals A 5, B 3
match 2 IDENT finished: B       # a match of one hand
  hand 1 dealer dario complete tricks
    A +1 A3
    B +7 A3                     # Bea claims the seven tricks that are left
    taken A 1, B 7
  totals A 1, B 7
match 3 IDENT open
  hand 1 dealer dario complete mixed
    A +4 A3
    B +4 A3
    taken A 4, B 4
  totals A 4, B 4
""",
}


def skeleton_of(game_id: str, name: str) -> dict[str, str]:
    """Return the files of a new game, each by its path in the folder of its package."""
    return {
        path.replace("IDENT", game_id): text.replace("IDENT", game_id).replace("TITLE", name)
        for path, text in SKELETON.items()
    }

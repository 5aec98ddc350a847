"""The texts of our games, and of refusals, disputes and corrections, for translation."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from scorekeeper.base.parts import POINT
from scorekeeper.cards.packs import (
    ALL_CARDS,
    FOOL,
    FRENCH_SUITS,
    ITALIAN_RANKS,
    ITALIAN_SUITS,
    card_words,
)
from scorekeeper.cards.packs import RANKS as LETTERS
from scorekeeper.events.common import COMMON as COMMON_EVENTS
from scorekeeper.events.common import NewPlayer
from scorekeeper.events.disputes import Correction
from scorekeeper.events.fields import (
    Declared,
    parts_of,
)
from scorekeeper.events.sentences import RANKS
from scorekeeper.games import GAMES, IDS
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.log.face_down import HIDDEN_REASON
from scorekeeper.play import checks
from scorekeeper.play.rulebook import COMMON
from scorekeeper.play.scoring import Check
from scorekeeper.promises.texts import (
    MessageId,
    event_types_of,
    list_from_clauses,
    list_from_events,
    list_from_game,
    list_from_modules,
    without_kind,
)
from scorekeeper.repair.changes import OTHERWISE, REASONS
from scorekeeper.repair.whole_corrections import WHOLE_KINDS
from scorekeeper.web.entry.late_entries import REASON_LATE
from scorekeeper.web.entry.undoing import TAKEN_BACK
from scorekeeper.web.review.acceptance import ACCEPTED_LATER
from scorekeeper.web.wording.dispute_reasons import OFFERED

PACKAGE: Final = Path(__file__).parents[2] / "scorekeeper"
SUBPACKAGES: Final = (
    "cards", "events", "play", "families", "games", "log", "session", "report", "repair",
)  # fmt: skip
STATUSES: Final = ("source", "found", "ruling")


def list_texts() -> Iterator[MessageId]:
    """Yield every text of this package outside of its pages, with its kind if it is a word.

    These are the texts of its games, and of refusals, disputes and corrections.
    """
    games = [GAMES[game_id] for game_id in IDS]
    events = (declared for game in games for declared in event_types_of(game))
    yield from _list_card_words()
    yield from list_from_events((*COMMON_EVENTS, NewPlayer, Correction, *events))
    yield from _list_labels(kind.asks for kind in WHOLE_KINDS.values())
    yield from list_from_clauses(COMMON)
    for game in games:
        yield from list_from_game(game)
    for problem in PROBLEMS.values():
        yield from without_kind((problem.title, problem.detail))
    yield from (("status", word) for word in STATUSES)
    yield from (("value", word) for word in ("yes", "no", "none"))
    yield "list", "none"
    yield "decimal sign", POINT
    shared = [check for check in vars(checks).values() if isinstance(check, Check)]
    yield from without_kind(text for check in shared for text in (check.about, check.settles))
    yield from (("reason", why) for why in _list_reasons())
    yield from list_from_modules(_list_modules())


def _list_labels(declarations: Iterable[type[Declared]]) -> Iterator[MessageId]:
    """Yield the labels of the fields of declarations."""
    for declared in declarations:
        yield from without_kind(part.label for part in parts_of(declared))


def _list_reasons() -> Iterator[str]:
    """Yield the reasons of disputes and corrections that are not typed."""
    yield from (TAKEN_BACK, ACCEPTED_LATER, REASON_LATE, HIDDEN_REASON)
    yield from (*OFFERED, *REASONS.values(), OTHERWISE)


def _list_modules() -> Iterator[Path]:
    """Yield the modules that create sentences of score lines and findings."""
    for name in SUBPACKAGES:
        path = PACKAGE / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _list_card_words() -> Iterator[MessageId]:
    """Yield the words for cards, suits and ranks."""
    italian = (card for card in ALL_CARDS.values() if card.suit in ITALIAN_SUITS)
    yield from without_kind(card_words(card) for card in italian)
    french = (card for card in ALL_CARDS.values() if card.suit in FRENCH_SUITS)
    yield from without_kind(card_words(card, FRENCH_SUITS) for card in french)
    yield from (("suit", suit) for suit in (*FRENCH_SUITS.values(), *ITALIAN_SUITS.values()))
    yield "suit", "trumps"
    yield from (("letter", rank) for rank in ITALIAN_RANKS)
    for kind in RANKS:
        yield from ((kind, rank) for rank in ITALIAN_RANKS.values())
    yield from (("high", rank) for rank in LETTERS)  # as on a button
    yield None, f"the {FOOL.rank.capitalize()}"

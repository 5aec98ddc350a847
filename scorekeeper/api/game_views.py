"""The answers about games and their rules as declared values: from them follow JSON and schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.cards.packs import Pack
from scorekeeper.games.game import Game
from scorekeeper.log.schema import choice_schema, game_schemas, list_packs
from scorekeeper.play.rulebook import COMMON, Clause, Option

STATUSES: Final = ("source", "found", "ruling")


@dataclass(frozen=True, slots=True)
class GameSummaryView(DeclaredView):
    """A game in a few words."""

    id: str = declare("the id, as in a log")
    name: str = declare("the name")
    summary: str = declare("a short description")
    players: Sequence[int] = declare("the possible numbers of players")
    direction: str = declare("the direction of play", values=("clockwise", "counter-clockwise"))
    rules: int = declare("the version of the rules for new matches")


@dataclass(frozen=True, slots=True)
class GamesView(DeclaredView):
    """The games."""

    games: Sequence[GameSummaryView] = declare("all games")


@dataclass(frozen=True, slots=True)
class PackView(DeclaredView):
    """The cards that a match can be played with."""

    suits: Mapping[str, str] = declare("the names of its suits by letter")
    ranks: Sequence[str] = declare("the ranks of a suit, strongest first")
    cards: Mapping[str, str] = declare("the names of its cards by code")


@dataclass(frozen=True, slots=True)
class OptionValueView(DeclaredView):
    """One value of an option, or a family of them."""

    text: str = declare("the meaning of the value")
    schema: JsonObject = declare("the JSON Schema of the value, or of a family of values")


@dataclass(frozen=True, slots=True)
class OptionView(DeclaredView):
    """A ruling on which real tables differ."""

    name: str = declare("the name, as in a log")
    clause: str = declare("the clause that it belongs to")
    text: str = declare("the question that it answers")
    note: str = declare(
        "the reason why the default differs from the text of the game; empty if it does not"
    )
    default: Any = declare("the value if a match does not declare one")
    values: Sequence[OptionValueView] = declare("the possible values")


@dataclass(frozen=True, slots=True)
class ClauseView(DeclaredView):
    """One rule, with its id."""

    id: str = declare("the id, which lines and findings cite")
    text: str = declare("the text of the rule")
    status: str = declare(
        "the origin: the source of the game, other rule books, or a ruling of this project",
        values=STATUSES,
    )


@dataclass(frozen=True, slots=True)
class GameView(GameSummaryView):
    """A game with its rules, its options and its events."""

    pack: str = declare("the pack if a match does not declare one")
    packs: Mapping[str, PackView] = declare("the possible packs, by name")
    options: Sequence[OptionView] = declare("the options, on which real tables differ")
    settlement: str = declare("the rule by which the result of a match is paid")
    clauses: Sequence[ClauseView] = declare("the rules, those common to all games last")
    events: JsonObject = declare("the JSON Schema of each event of its matches, by type")


def summarize_game(game: Game) -> GameSummaryView:
    """Return a game in a few words."""
    return GameSummaryView(
        game.id, game.name, game.summary, game.seats, game.direction, game.version
    )


def view_game(game: Game) -> GameView:
    """Return a game with its rules, its options and its events."""
    packs = list_packs(game)
    return GameView(
        game.id, game.name, game.summary, game.seats, game.direction, game.version,
        pack=packs[0].name,
        packs={pack.name: _view_pack(pack) for pack in packs},
        options=[_view_option(game, option) for option in game.book.options],
        settlement=game.settlement.text,
        clauses=[_view_clause(clause) for clause in (*game.book.clauses, *COMMON)],
        events=game_schemas(game),
    )  # fmt: skip


def _view_pack(pack: Pack) -> PackView:
    """Return the suits, ranks and cards of a pack."""
    return PackView(
        suits={suit.value: pack.suit_name(suit) for suit in pack.suits},
        ranks=pack.ranks,
        cards={card.code: pack.show(card) for card in pack.cards},
    )


def _view_option(game: Game, option: Option) -> OptionView:
    """Return an option of a game, with its default and values."""
    values = [
        OptionValueView(text, choice_schema(choice)) for choice, text in option.choices.items()
    ]
    default = game.options(None, max(game.seats))[option.name]
    return OptionView(option.name, option.clause, option.text, option.note, default, values)


def _view_clause(clause: Clause) -> ClauseView:
    """Return a clause of a rule book."""
    return ClauseView(clause.id, clause.text, clause.status)

"""The texts of a game, found where they are declared, for translation.

Most of them are in its declaration: rule book, events, checks, and words. The sentences of score
lines and findings are in the modules that create them, as templates passed to
:class:`~scorekeeper.play.scoring.Text` or to ``say``; these are read from the syntax trees.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from scorekeeper.cards.packs import RANKS as LETTERS
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    AnyOf,
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    parts_of,
    word_category,
)
from scorekeeper.events.sentences import RANKS, SUIT, label_from_name, with_spaces
from scorekeeper.games.game import Game
from scorekeeper.log.schema import list_classes
from scorekeeper.play.rulebook import Clause, ListOf, Number, Numbers, Option

FACT: Final = re.compile(r"\{[a-z]+\}")
# Functions that take a template, or a text of a kind, and the position of that argument.
TAKERS: Final[Mapping[str, tuple[str | None, int]]] = {
    **dict.fromkeys(("Text", "fault", "acts_by_others", "late_acts", "say", "_say"), (None, 0)),
    **dict.fromkeys(("DamagedLogError", "_note"), ("damage", 0)),
    "HandAbandoned": ("reason", 0),
    "Candidate": ("reason", 2),
    "_renamed": ("reason", 4),
}
MessageId = tuple[str | None, str]


def list_texts_of_game(game: Game) -> Iterator[MessageId]:
    """Yield every text of a game in a package of its own, with its kind if it is a word."""
    yield from list_from_events(event_types_of(game))
    yield from list_from_game(game)
    source = inspect.getfile(inspect.unwrap(game.score))
    yield from list_from_modules(sorted(Path(source).parent.rglob("*.py")))


def list_from_game(game: Game) -> Iterator[MessageId]:
    """Yield the texts of a game's declaration: summary, clauses, options, facts and checks."""
    yield from without_kind((game.summary, game.direction, game.settlement.text, *game.words))
    yield from (("game", name) for name in (game.name, *game.called.values()))
    for party in game.parties.values():
        yield from without_kind((party.label, party.phrase))
        yield "party", party.short
    yield from _list_names(game.events)
    yield from list_from_clauses(game.book.clauses)
    for option in game.book.options:
        yield from _list_from_option(option)
    for fact in game.facts.facts:
        yield None, fact.label
        yield from _list_from_kind(fact.kind)
    yield from without_kind(game.facts.templates())
    for house in game.houses:
        yield from without_kind((house.name, house.text))
    for check in game.checks:
        yield from without_kind((check.about, check.settles))


def list_from_clauses(clauses: Iterable[Clause]) -> Iterator[MessageId]:
    """Yield the text of each clause of a rule book."""
    return without_kind(clause.text for clause in clauses)


def _list_from_option(option: Option) -> Iterator[MessageId]:
    """Yield the texts of an option, and the words of its values."""
    yield from without_kind((option.text, option.note, *option.brief.values()))
    for choice, meaning in option.choices.items():
        yield None, meaning
        if isinstance(choice, ListOf):
            yield from (("value", with_spaces(value)) for value in choice.values)
        elif isinstance(choice, Number) and choice.key:
            yield "value", with_spaces(choice.key)
        elif isinstance(choice, Numbers):
            yield from (("value", with_spaces(key)) for key in choice.keys)
        elif isinstance(choice, str):
            yield "value", with_spaces(choice)


def event_types_of(game: Game) -> Iterator[type[Event]]:
    """Yield the event types of a game, with those of each category."""
    for family in game.by_type.values():
        yield from list_classes(family)


def list_from_events(declared: Iterable[type[Declared]]) -> Iterator[MessageId]:
    """Yield the texts in the declarations of event types and their fields."""
    for class_ in dict.fromkeys(declared):
        yield None, inspect.cleandoc(class_.__doc__ or "")
        if issubclass(class_, Event):
            says = (
                *class_.SAYS, *class_.SAYS_OF.values(), *class_.SAYS_OF_BIDDER.values(),
                *filter(None, class_.TOGETHER or ()),
            )  # fmt: skip
            yield from without_kind((class_.TITLE, class_.TITLE_AFTER, class_.NOUN, *says))
        for part in parts_of(class_):
            yield from without_kind((part.doc, part.label, part.asks, *part.called.values()))
            yield from _list_from_kind(part.kind)


def _list_from_kind(kind: Kind) -> Iterator[MessageId]:
    """Yield the words for a kind's values; suits, and ranks by letter, come from the packs."""
    words = word_category(kind)
    match kind:
        case Many(of=inner) | Each(of=inner):
            yield from _list_from_kind(inner)
        case AnyOf(kinds=kinds):
            yield from (text for option in kinds for text in _list_from_kind(option))
        case Nested(of=declared):
            yield from without_kind((declared.SAYS,))
            yield from without_kind(
                text
                for inner_part in parts_of(declared)
                for text in (inner_part.label, inner_part.asks)
            )
        case Flag(yes=yes, no=no):
            yield from ((words, word) for word in (yes, no))
        case OneOf(values=values) if words and words != SUIT:
            yield from ((words, with_spaces(value)) for value in values
                        if words not in RANKS or value not in LETTERS)  # fmt: skip


def _list_names(declared: Iterable[type[Event]]) -> Iterator[MessageId]:
    """Yield the names of a game's events and fields that have no better label."""
    for event_type in declared:
        if not event_type.TITLE:
            yield "title", label_from_name(event_type.TYPE)
        for part in parts_of(event_type):
            if not (part.label and part.asks):
                yield "field", label_from_name(part.name)


def list_from_modules(paths: Iterable[Path]) -> Iterator[MessageId]:
    """Yield the templates of sentences in these modules."""
    for path in paths:
        yield from list_templates(path.read_text("utf-8"))


def without_kind(texts: Iterable[str]) -> Iterator[MessageId]:
    """Yield the texts that are not empty; they are sentences or labels, and have no kind."""
    return ((None, text) for text in texts if text)


# -------------------------------------------------------------------------- the syntax trees


def list_templates(source: str) -> Iterator[MessageId]:
    """Yield the templates that a module passes to one of the takers, with their kinds.

    A template that is passed by name is looked up among the constants of the module; if it comes
    from elsewhere, every text of the module with a fact in it is yielded.
    """
    tree = ast.parse(source)
    tables = _texts_by_name(tree)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and (taker := _function_name(call.func)) in TAKERS:
            kind, place = TAKERS[taker]
            arguments = call.args[place : place + 1]
            yield from (
                (kind, text)
                for argument in arguments
                for text in _texts_of_argument(argument, tables)
                if text
            )


def _texts_of_argument(template: ast.expr, tables: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the texts that a template argument can be.

    `tables` has the texts assigned to each name of the module.
    """
    match template:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _texts_of_argument(body, tables)
            yield from _texts_of_argument(other, tables)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            yield from tables.get(name, tables[""])


def _function_name(function: ast.expr) -> str:
    """Return the name of a called function or method; empty if it has none."""
    return getattr(function, "id", "") or getattr(function, "attr", "")


def _texts_by_name(tree: ast.Module) -> dict[str, list[str]]:
    """Return the texts assigned to each name of a module; under "", all texts with a fact."""
    texts_by_name: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                texts_by_name.setdefault(target.id, []).extend(_texts_in_tree(node.value))
    with_facts = [text for text in _texts_in_tree(tree) if FACT.search(text)]
    return {"": with_facts, **{name: texts for name, texts in texts_by_name.items() if any(texts)}}


def _texts_in_tree(tree: ast.AST) -> Iterator[str]:
    """Yield the texts in a syntax tree, except dict keys, parts of f-strings, and docstrings."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for child in ast.iter_child_nodes(tree):
        is_key = isinstance(tree, ast.Dict) and child in tree.keys
        is_doc = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not (is_key or is_doc or isinstance(child, ast.JoinedStr)):
            yield from _texts_in_tree(child)

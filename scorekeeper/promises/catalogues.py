"""The catalogues of a game in a package of its own: what they need, and the errors in them."""

import re
import string
from collections.abc import Iterator
from typing import Any, Final

from babel.messages.catalog import Catalog

from scorekeeper.games.game import Game
from scorekeeper.languages.catalogue_files import (
    TRANSLATED,
    catalogue_path,
    compile_mo,
    read_catalogue,
)
from scorekeeper.promises.texts import list_texts_of_game

FACTS: Final = re.compile(r"%\(\w+\)[sd]|%%|</?[a-z]+>")


def catalogue_of_game(game: Game) -> Catalog:
    """Return every text of an installed game that our catalogues do not have."""
    catalogue, ours = Catalog(charset="utf-8"), read_catalogue(TRANSLATED[0])
    for context, text in list_texts_of_game(game):
        if ours.get(text, context) is None:
            catalogue.add(text, context=context)
    return catalogue


def languages_of(game: Game) -> tuple[str, ...]:
    """Return the languages that a game has a translators' catalogue of; none without a folder."""
    folder = game.catalogues
    if folder is None:
        return ()
    return tuple(code for code in TRANSLATED if catalogue_path(code, folder=folder).exists())


def find_catalogue_errors(game: Game) -> Iterator[str]:
    """Yield the errors in the catalogues of a game: missing, unused and wrong translations.

    Only languages that the package has are read, so a game without catalogues has no errors.
    """
    languages = languages_of(game)
    wanted = _ids_in(catalogue_of_game(game)) if languages else set()
    for code in languages:
        stored = read_catalogue(code, game.catalogues)
        there = _ids_in(stored)
        errors = [
            *(f"it lacks {text!r}" for _, text in sorted(wanted - there, key=str)),
            *(f"no text of the game is {text!r}" for _, text in sorted(there - wanted, key=str)),
            *find_translation_errors(stored),
        ]
        compiled = catalogue_path(code, "mo", game.catalogues)
        if not compiled.exists() or compiled.read_bytes() != compile_mo(code, game.catalogues):
            errors.append("its messages.mo is not made from messages.po as it is now")
        yield from (f"the catalogue {code}: {error}" for error in errors)


def find_translation_errors(stored: Catalog) -> Iterator[str]:
    """Yield the errors in the translations of a catalogue.

    Each text is translated, in as many forms as it has, with its facts, and begins and ends as it
    does: a space at either end, or a final colon, joins it to another.
    """
    for message in stored:
        if not message.id:
            continue
        texts, translations = list_forms(message.id), list_forms(message.string)
        if message.fuzzy or len(texts) != len(translations) or not all(translations):
            yield f"there is no translation of {message.id!r}"
        else:
            facts, end = [_facts_in(text) for text in texts], _ends_of(texts[-1])
            for translation in translations:
                if _facts_in(translation) not in facts:
                    yield f"{translation!r} has other facts than {message.id!r}"
                if _ends_of(translation) != end:
                    yield f"{translation!r} begins or ends otherwise than {message.id!r}"


def list_forms(text: Any) -> list[str]:
    """Return the singular and the plural of a text, or its only form."""
    return list(text) if isinstance(text, tuple | list) else [text or ""]


def _ids_in(catalogue: Catalog) -> set[tuple[str | None, str]]:
    """Return what the texts of a catalogue are looked up by: the kind of a word, and the text."""
    return {(message.context, str(message.id)) for message in catalogue if message.id}


def _facts_in(text: str) -> tuple[set[str], list[str]]:
    """Return the placeholders of a text, and the marks around optional parts."""
    marks = FACTS.findall(text)
    try:
        marks += [f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(text) if name]
    except ValueError:  # braces that are no fact, as in a line of a log
        marks.append(text.count("{") * "{")
    return set(marks), re.findall(r"[\[\]]", text)


def _ends_of(text: str) -> tuple[bool, bool, bool]:
    """Return whether a text begins with a space, ends with one, and ends with a colon."""
    return text[0].isspace(), text[-1].isspace(), text.endswith(":")

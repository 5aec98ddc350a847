"""The catalogues of translations: extraction of texts, and the files.

``python -m tools.translating.catalogue`` updates the catalogues: new texts are added
without a translation, unused texts are removed, and all catalogues are compiled. Texts without a
translation are listed. With ``--compile``, catalogues are only compiled. With the id of an
installed game, the command applies to the game's own catalogues, which hold the texts that are not
in ours.
"""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import extract, mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.frontend import parse_mapping_cfg
from babel.util import pathmatch

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES, OWN_CATALOGUES
from tools.translating.spoken import list_texts, list_texts_of_game

ROOT: Final = Path(__file__).parents[2]
TRANSLATED: Final = tuple(code for code in LANGUAGES if code != DEFAULT)
KEYWORDS: Final[dict[str, Any]] = {
    **extract.DEFAULT_KEYWORDS, "_l": None, "lazy_gettext": None,
    "lazy_ngettext": (1, 2), "lazy_pgettext": ((1, "c"), 2),
}  # fmt: skip
PLURALS: Final = {"it": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}
UNDATED: Final = datetime(2026, 1, 1, tzinfo=UTC)  # fixed, so that a build does not change files


def catalogue_of_all_texts() -> Catalog:
    """Return every text of the pages and of this project's games."""
    catalogue = Catalog(charset="utf-8")
    for message, context in list_page_texts():
        catalogue.add(message, context=context)
    for context, text in list_texts():
        catalogue.add(text, context=context)
    return catalogue


def catalogue_of_game(game: Game) -> Catalog:
    """Return every text of an installed game that our catalogues do not have."""
    catalogue, ours = Catalog(charset="utf-8"), read_catalogue(TRANSLATED[0])
    for context, text in list_texts_of_game(game):
        if ours.get(text, context) is None:
            catalogue.add(text, context=context)
    return catalogue


def list_page_texts() -> Iterator[tuple[Any, str | None]]:
    """Yield the texts marked for translation in templates and modules, with their contexts."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as config:
        methods, options = parse_mapping_cfg(config)  # type: ignore[no-untyped-call]
    for pattern, method in methods:
        for path in sorted((ROOT / pattern.partition("/")[0]).rglob("*.*")):
            if pathmatch(pattern, path.relative_to(ROOT).as_posix()):
                yield from _extract_from_file(path, method, options.get(pattern, {}))


def _extract_from_file(
    path: Path, method: Any, options: dict[str, Any]
) -> list[tuple[Any, str | None]]:
    """Return the texts of a file that are marked for translation, with their contexts."""
    with path.open("rb") as file:
        messages = extract.extract(method, file, KEYWORDS, options=options)
        return [(message, context) for _, message, _, context in messages]


# ------------------------------------------------------------------------------------- files


def catalogue_path(language: str, ending: str = "po", folder: Path | None = None) -> Path:
    """Return the file of a catalogue: ``po`` for translators, ``mo`` for programs."""
    return (folder or OWN_CATALOGUES) / language / "LC_MESSAGES" / f"messages.{ending}"


def read_catalogue(language: str, folder: Path | None = None) -> Catalog:
    """Return the stored catalogue of a language; empty if there is none."""
    path = catalogue_path(language, folder=folder)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language)


def updated_catalogue(language: str, wanted: Catalog, folder: Path | None = None) -> Catalog:
    """Return the catalogue of a language with exactly the texts in `wanted`.

    Known translations are kept.
    """
    known = read_catalogue(language, folder)
    catalogue = Catalog(locale=language, charset="utf-8", fuzzy=False)
    for message in wanted:
        if message.id:
            before = known.get(message.id, message.context)
            translation = before.string if before is not None else None
            catalogue.add(message.id, translation, context=message.context)
    return catalogue


def format_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as the bytes of a .po file, sorted and without dates."""
    body = io.BytesIO()
    pofile.write_po(body, catalogue, omit_header=True, no_location=True, sort_output=True, width=98)
    head = "".join(
        f'"{name}: {value}\\n"\n'
        for name, value in (
            ("Language", str(catalogue.locale)),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", PLURALS[str(catalogue.locale)]),
        )
    )
    return f'msgid ""\nmsgstr ""\n{head}\n'.encode() + body.getvalue()


def compile_mo(language: str, folder: Path | None = None) -> bytes:
    """Return the stored catalogue of a language as the bytes of a .mo file."""
    catalogue, body = read_catalogue(language, folder), io.BytesIO()
    catalogue.creation_date = catalogue.revision_date = UNDATED
    mofile.write_mo(body, catalogue)
    return body.getvalue()


def list_untranslated(catalogue: Catalog) -> list[str]:
    """Return the texts without a translation."""
    return [
        str(message.id)
        for message in catalogue
        if message.id
        and not all(message.string if isinstance(message.string, tuple) else [message.string])
    ]


def compile_all(folder: Path | None = None) -> None:
    """Write all binary catalogues."""
    for language in TRANSLATED:
        catalogue_path(language, "mo", folder).write_bytes(compile_mo(language, folder))


def update_all(wanted: Catalog, folder: Path | None = None) -> int:
    """Update all catalogues; return 1 if a text is not translated, else 0."""
    untranslated = 0
    for language in TRANSLATED:
        catalogue, path = (
            updated_catalogue(language, wanted, folder),
            catalogue_path(language, folder=folder),
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(format_po(catalogue))
        for text in list_untranslated(catalogue):
            untranslated += 1
            sys.stdout.write(f"{language}: {text}\n")
    compile_all(folder)
    return min(untranslated, 1)


if __name__ == "__main__":
    games = [GAMES[name] for name in sys.argv[1:] if not name.startswith("-")]
    folder = games[0].catalogues if games else OWN_CATALOGUES
    if "--compile" in sys.argv:
        compile_all(folder)
    else:
        sys.exit(
            update_all(catalogue_of_game(games[0]) if games else catalogue_of_all_texts(), folder)
        )

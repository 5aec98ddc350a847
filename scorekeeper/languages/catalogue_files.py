"""The files of catalogues: ``.po`` for translators, and ``.mo``, compiled, for programs."""

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog

from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES, OWN_CATALOGUES

TRANSLATED: Final = tuple(code for code in LANGUAGES if code != DEFAULT)
PLURALS: Final = {"it": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}
UNDATED: Final = datetime(2026, 1, 1, tzinfo=UTC)  # fixed, so that a build does not change files


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

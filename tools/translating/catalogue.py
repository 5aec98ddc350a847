"""The catalogues of translations: extraction of texts, and the files.

``python -m tools.translating.catalogue`` updates the catalogues: new texts are added
without a translation, unused texts are removed, and all catalogues are compiled. Texts without a
translation are listed. With ``--compile``, catalogues are only compiled. With the id of an
installed game, the command applies to the game's own catalogues, which hold the texts that are not
in ours.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages import extract
from babel.messages.catalog import Catalog
from babel.messages.frontend import parse_mapping_cfg
from babel.util import pathmatch

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogue_files import (
    TRANSLATED,
    catalogue_path,
    compile_mo,
    format_po,
    list_untranslated,
    updated_catalogue,
)
from scorekeeper.languages.catalogues import OWN_CATALOGUES
from scorekeeper.promises.catalogues import catalogue_of_game
from tools.translating.spoken import list_texts

ROOT: Final = Path(__file__).parents[2]
KEYWORDS: Final[dict[str, Any]] = {
    **extract.DEFAULT_KEYWORDS, "_l": None, "lazy_gettext": None,
    "lazy_ngettext": (1, 2), "lazy_pgettext": ((1, "c"), 2),
}  # fmt: skip


def catalogue_of_all_texts() -> Catalog:
    """Return every text of the pages and of this project's games."""
    catalogue = Catalog(charset="utf-8")
    for message, context in list_page_texts():
        catalogue.add(message, context=context)
    for context, text in list_texts():
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

"""The catalogues of translations: extraction of texts, and the files.

``python -m tools.translating.catalogue`` updates the catalogues: new texts are added
without a translation, unused texts are removed, and all catalogues are compiled. Texts without a
translation are listed. With ``--compile``, catalogues are only compiled. With the id of an
installed game, or the folder of a package, the command applies to the catalogues of that game,
which hold the texts that are not in ours. If some are there, it makes none in another language.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from babel.messages import extract
from babel.messages.catalog import Catalog
from babel.messages.frontend import parse_mapping_cfg
from babel.util import pathmatch

from scorekeeper.games import GAMES, IDS
from scorekeeper.games.game import Game
from scorekeeper.games.installed import load_installed
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
from scorekeeper.promises.examination import read_entry_points
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


def list_languages(folder: Path) -> list[str]:
    """Return the languages that have a catalogue in a folder; all if there is none yet."""
    there = [language for language in TRANSLATED if (folder / language).is_dir()]
    return there or list(TRANSLATED)


def compile_all(folder: Path = OWN_CATALOGUES) -> None:
    """Write all binary catalogues."""
    for language in list_languages(folder):
        catalogue_path(language, "mo", folder).write_bytes(compile_mo(language, folder))


def update_all(wanted: Catalog, folder: Path = OWN_CATALOGUES) -> int:
    """Update all catalogues; return 1 if a text is not translated, else 0."""
    untranslated = 0
    for language in list_languages(folder):
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


def read_games(name: str) -> list[Game]:
    """Return the installed game with this id, or the games of the package in this folder.

    Exits with a message if there is none.
    """
    if name in GAMES:
        return [GAMES[name]]
    folder = Path(name).resolve()
    points = read_entry_points(folder)
    if not points:
        sys.exit(f"No installed game has the id {name}, and no folder is one of a package.")
    sys.path.insert(0, str(folder))
    with GAMES.only(load_installed(IDS, GAMES.versions, points)):
        return [GAMES[point.name] for point in points]


def main(arguments: Sequence[str]) -> int:
    """Update or compile the catalogues; return 1 if a text is not translated, else 0."""
    compiling = "--compile" in arguments
    games = [game for name in arguments if not name.startswith("-") for game in read_games(name)]
    folders = [game.catalogues for game in games if game.catalogues] or [OWN_CATALOGUES]
    if compiling:
        for folder in folders:
            compile_all(folder)
        return 0
    if not games:
        return update_all(catalogue_of_all_texts())
    return max(update_all(catalogue_of_game(game), game.catalogues) for game in games
               if game.catalogues)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

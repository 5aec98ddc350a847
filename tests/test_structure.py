"""The structure of the code: layers of packages, names of types, and what only games may name.

A package imports only packages of lower layers, and only its own third-party packages.
"""

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1] / "scorekeeper"

# From the lowest layer to the highest. Packages of one layer do not import one another.
LAYERS = (
    ("base",),
    ("cards",),
    ("events",),
    ("play",),
    ("families",),
    ("games",),
    ("authoring",),
    ("languages",),
    ("log",),
    ("session",),
    ("report",),
    ("repair", "clubs", "tournaments"),
    ("store",),
    ("config",),
    ("streams",),
    ("service",),
    ("exports", "live", "promises"),
    ("operation", "answers", "demo"),
    ("http",),
    ("api", "web", "cli", "server"),
    ("app",),
    ("testing",),
    ("__main__",),
)
# The same within packages with layers of their own; their ``__init__`` may import all of these.
EVENTS = (
    ("fields",),
    ("event", "names"),
    ("corrections", "disputes", "playing", "sentences", "references"),
    ("common",),
)
PLAY = (
    ("scoring", "settlement", "table", "counts", "match_members", "duties"),
    ("deal",),
    ("facts", "folding"),
    ("match", "rulebook", "checks", "prompts"),
)
FAMILIES = (("briscola", "contracts"), ("called_card",))
WEB = (
    ("wording",),
    ("phone", "frame"),
    ("forms",),
    ("review", "opening"),
    ("keeping", "entry", "dispute", "reference"),
    ("club", "tournament", "published"),
)
LAYER_OF = {package: layer for layer, packages in enumerate(LAYERS) for package in packages}
INNER_LAYER_OF = {
    within: {package: layer for layer, packages in enumerate(order) for package in packages}
    for within, order in (("events", EVENTS), ("play", PLAY), ("families", FAMILIES), ("web", WEB))
}

THIRD_PARTY = {
    "clubs": {"openskill"},
    "tournaments": {"networkx"},
    "store": {"sqlmodel", "sqlalchemy", "alembic", "psycopg"},
    "languages": {"babel"},
    "promises": {"babel"},
    "exports": {"icalendar", "xlsxwriter", "fpdf", "fontTools", "segno", "PIL"},
    "config": {"pydantic", "pydantic_core", "pydantic_settings"},
    "operation": {"structlog", "prometheus_client"},
    "service": {"cachetools"},
    "http": {"flask", "werkzeug", "marshmallow", "cachetools"},
    "api": {"flask", "werkzeug", "marshmallow", "flask_smorest"},
    "web": {
        "flask",
        "werkzeug",
        "flask_babel",
        "babel",
        "jinja2",
        "markdown_it",
        "markupsafe",
        "segno",
    },
    "cli": {"click", "segno"},
    "server": {"gunicorn"},
    "testing": {"pytest", "playwright", "werkzeug"},
    "app": {"flask", "werkzeug", "flask_compress", "jinja2"},
}

# Imports between the modules that examine an installed game and check it while it is played.
OF_INSTALLED = (
    ("installed", "complaints"), ("installed", "checked"), ("complaints", "declared_types"),
    ("declared_types", "value_checks"), ("checked", "value_checks"), ("checked", "fact_values"),
)  # fmt: skip

# Files of every game's package; a package may have more.
GAME_FILES = {
    "__init__.py", "audit.py", "events.py", "facts.py", "prompts.py", "rules.py", "score.py",
    "state.py",
}  # fmt: skip


# ------------------------------------------------------------------------------- the rules


def complaints(sources: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the imports of modules, which have dotted names as keys."""
    wrong_imports = []
    for module, source in sources.items():
        for line, imported in imports(module, source, sources):
            wrong = complaint(module, imported)
            if wrong:
                wrong_imports.append(f"{module}, line {line}: {wrong}")
    return wrong_imports


class Read(NamedTuple):
    """The imports and types of a parsed module."""

    imports: list[ast.Import | ast.ImportFrom]
    types: set[str]  # that it declares: its classes, and its other names for types


@cache
def read(source: str) -> Read:
    """Parse a source; the result is cached for all tests."""
    tree, names = ast.parse(source), set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.add(node.targets[0].id)
    return Read(
        [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)],
        {name for name in names if re.fullmatch(r"[A-Z]+[a-z]\w*", name)},
    )


def imports(module: str, source: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the lines and dotted names of all imports in a module, also inside functions."""
    is_package = any(other.startswith(f"{module}.") for other in known)
    for node in read(source).imports:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            origin = absolute(module, node, is_package=is_package)
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield node.lineno, inner if inner in known else origin


def absolute(module: str, node: ast.ImportFrom, *, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    up = node.level - is_package
    base = module.split(".")[: -up or None]
    return ".".join([*base, *([node.module] if node.module else [])])


def complaint(module: str, imported: str) -> str | None:
    """Return why a module may not have an import, or None."""
    package = package_of(module)
    top = imported.partition(".")[0]
    if top != "scorekeeper":
        welcome = top in sys.stdlib_module_names or top in THIRD_PARTY.get(package, ())
        return None if welcome else f"{top} is not for {package}"
    other = package_of(imported)
    for name in (package, other):
        if name not in LAYER_OF and name:
            return f"{name} has no layer"
    if package == other == "games":
        return between_games(module, imported)
    if package == other and package in INNER_LAYER_OF:
        return between_inner_packages(package, module, imported)
    if not other or other == package or (package and LAYER_OF[other] < LAYER_OF[package]):
        return None
    return f"{package or 'the package'} is below {other}, or in its layer"


def package_of(module: str) -> str:
    """Return the package of a module, or an empty text for ``scorekeeper`` itself."""
    return f"{module}.".split(".")[1]


def between_games(module: str, imported: str) -> str | None:
    """Return why an import within ``games`` is wrong, or None.

    The registry imports the games, a game imports ``game.py``, and ``game.py`` imports no game.
    """
    importer, needed = (name.split(".")[2:3] for name in (module, imported))
    if not importer or needed in (importer, ["game"]) or (*importer, *needed) in OF_INSTALLED:
        return None
    return f"{importer[0]} imports {needed[0] if needed else 'the registry'}"


def between_inner_packages(within: str, module: str, imported: str) -> str | None:
    """Return why an import between the layers of one package is wrong, or None."""
    importer, needed = (f"{name}..".split(".")[2] for name in (module, imported))
    if not importer or importer == needed:
        return None
    for name in (importer, needed):
        if name not in INNER_LAYER_OF[within]:
            return f"{within}.{name} has no layer"
    right = INNER_LAYER_OF[within][needed] < INNER_LAYER_OF[within][importer]
    return None if right else f"{importer} is below {needed}, or in its layer"


def circle(sources: Mapping[str, str]) -> list[str]:
    """Return modules that import one another in a circle, even if only for types."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for module, source in sources.items():
        needs = {name for _, name in imports(module, source, sources) if name in sources}
        sorter.add(module, *(needs - {module}))
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# -------------------------------------------------------------------------- on this package


def sources_in(root: Path) -> dict[str, str]:
    sources = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sources[name] = path.read_text(encoding="utf-8")
    return sources


def test_every_import_points_to_a_lower_layer() -> None:
    assert complaints(sources_in(ROOT)) == []


def uses_of_the_store(source: str) -> list[int]:
    """Return the lines of a source that reach through a service to its store."""
    return [node.lineno for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Attribute) and node.attr == "store"]  # fmt: skip


def test_interfaces_use_the_store_through_the_services_alone() -> None:
    """The services hide what lies face down, and say which part of the store may be used."""
    modules = [
        path for package in ("http", "api", "web") for path in (ROOT / package).rglob("*.py")
    ]
    found = {str(path): uses_of_the_store(path.read_text("utf-8")) for path in modules}
    assert {path: lines for path, lines in found.items() if lines} == {}
    assert uses_of_the_store("lines = service().store.read(session_id).lines") == [1]


def test_no_module_is_in_a_circle() -> None:
    assert circle(sources_in(ROOT)) == []


def test_a_circle_is_found() -> None:
    first, second = "import scorekeeper.cards.tricks", "import scorekeeper.cards.packs"
    modules = circle(
        {**RIGHT, "scorekeeper.cards.packs": first, "scorekeeper.cards.tricks": second}
    )
    assert set(modules) == {"scorekeeper.cards.packs", "scorekeeper.cards.tricks"}


def test_every_package_has_a_layer() -> None:
    sources = sources_in(ROOT)
    assert {package_of(module) for module in sources} - {""} == set(LAYER_OF)
    for within, layers in INNER_LAYER_OF.items():
        inside = f"scorekeeper.{within}."
        found = {module.split(".")[2] for module in sources if module.startswith(inside)}
        assert found == set(layers), within


def test_every_game_has_files_of_the_same_names() -> None:
    folders = [path for path in (ROOT / "games").iterdir() if (path / "__init__.py").exists()]
    assert folders
    for folder in folders:
        assert {path.name for path in folder.glob("*.py")} >= GAME_FILES, folder.name


# Exceptions: each game names its events as the log does, and the verifier that is exported imports
# nothing of this package.
NAMED_AS_IN_THE_LOG = re.compile(r"scorekeeper\.(games|families)\.\w+\.events")
STANDS_ALONE = "scorekeeper.exports.verifier"


def shared_names(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the names of several types, each with the modules that declare them."""
    where: dict[str, list[str]] = {}
    for module, source in sources.items():
        if not NAMED_AS_IN_THE_LOG.fullmatch(module) and module != STANDS_ALONE:
            for name in read(source).types:
                where.setdefault(name, []).append(module)
    return {name: modules for name, modules in where.items() if len(modules) > 1}


def test_no_two_types_have_the_same_name() -> None:
    assert shared_names(sources_in(ROOT)) == {}


@pytest.mark.parametrize("other", ["class Row:\n    pass", "Row = tuple[int, str]"])
def test_a_name_that_two_types_have_is_found(other: str) -> None:
    two = {"scorekeeper.report.sheet": "class Row:\n    pass", "scorekeeper.clubs.season": other}
    assert shared_names(two) == {"Row": list(two)}


def test_scoring_a_file_loads_no_web_framework() -> None:
    """Imports of ``scorekeeper.report`` are followed to the end."""
    sources = sources_in(ROOT)
    visited: set[str] = set()
    left = ["scorekeeper.report.report"]
    while left:
        module = left.pop()
        if module in sources and module not in visited:
            visited.add(module)
            left += [name for _, name in imports(module, sources[module], sources)]
    outside = {
        name.partition(".")[0]
        for module in visited
        for _, name in imports(module, sources[module], sources)
    }
    assert outside - set(sys.stdlib_module_names) == {"scorekeeper"}


# --------------------------------------------------------------------------------- controls

RIGHT = {
    "scorekeeper": "",
    "scorekeeper.base.errors": "import json",
    "scorekeeper.cards.packs": "from scorekeeper.base import errors",
    "scorekeeper.games": "from scorekeeper.games import riparto, knock",
    "scorekeeper.games.game": "from scorekeeper.cards.packs import Card",
    "scorekeeper.games.riparto": "from . import rules\nfrom ..game import Game",
    "scorekeeper.games.riparto.rules": "from scorekeeper.games.game import Game",
    "scorekeeper.games.knock.rules": "",
    "scorekeeper.games.knock": "def later():\n    from scorekeeper.games import game",
    "scorekeeper.log": "from scorekeeper.games import GAMES",
    "scorekeeper.api": "import flask",
    "scorekeeper.web": "from scorekeeper.web.entry import table",
    "scorekeeper.web.entry.table": "from scorekeeper.web.phone.levels import x",
    "scorekeeper.web.phone.levels": "from scorekeeper.web.phone import remembered",
}


def test_right_imports_have_no_complaints() -> None:
    assert complaints(RIGHT) == []


@pytest.mark.parametrize(
    ("module", "source", "complains"),
    [
        (
            "scorekeeper.base.errors",
            "from scorekeeper.cards.packs import Card",
            "base is below cards",
        ),
        ("scorekeeper.base.errors", "import scorekeeper.log", "base is below log"),
        (
            "scorekeeper.base.errors",
            "from scorekeeper import log",
            "base is below log",
        ),
        ("scorekeeper.base.errors", "from ..log import x", "base is below log"),
        ("scorekeeper.play.checks", "from scorekeeper.play.match import x", "or in its layer"),
        (
            "scorekeeper.cards.packs",
            "def f():\n    import scorekeeper.log",
            "line 2: cards is below",
        ),
        ("scorekeeper.cards.packs", "import marshmallow", "marshmallow is not for cards"),
        (
            "scorekeeper.cards.packs",
            "from marshmallow.fields import Field",
            "marshmallow is not for",
        ),
        ("scorekeeper.log", "import flask", "flask is not for log"),
        ("scorekeeper.operation", "import flask", "flask is not for operation"),
        ("scorekeeper.web", "import marshmallow", "marshmallow is not for web"),
        ("scorekeeper.log", "import requests", "requests is not for log"),
        ("scorekeeper.web", "from tools.translating import spoken", "tools is not for web"),
        ("scorekeeper.cards.packs", "from scorekeeper.cellar import x", "cellar has no layer"),
        ("scorekeeper.cellar", "from scorekeeper.cards.packs import x", "cellar has no layer"),
        ("scorekeeper.games.knock", "from scorekeeper.games import riparto", "knock imports rip"),
        ("scorekeeper.games.knock", "from ..riparto.rules import x", "knock imports riparto"),
        ("scorekeeper.games.knock", "from scorekeeper.games import GAMES", "imports the registry"),
        ("scorekeeper.games.game", "from scorekeeper.games import knock", "game imports knock"),
        (
            "scorekeeper.games.knock",
            "from scorekeeper.games.complaints import x",
            "knock imports complaints",
        ),
        ("scorekeeper.http", "from scorekeeper.api import x", "http is below api"),
        ("scorekeeper.web", "from scorekeeper.api import x", "or in its layer"),
        ("scorekeeper.api", "from scorekeeper.cli import x", "or in its layer"),
        (
            "scorekeeper.web.phone",
            "from scorekeeper.web.entry import x",
            "phone is below",
        ),
        ("scorekeeper.web.entry", "from scorekeeper.web.dispute import x", "or in its layer"),
        ("scorekeeper.web.cellar", "from scorekeeper.web.phone import x", "cellar has no layer"),
        ("scorekeeper.web.phone", "from scorekeeper.web import x", "web. has no layer"),
        (
            "scorekeeper",
            "from scorekeeper.cards.packs import Card",
            "the package is below",
        ),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str, complains: str) -> None:
    wrong_imports = complaints({**RIGHT, module: source})
    assert len(wrong_imports) == 1
    assert complains in wrong_imports[0]


# ------------------------------------------------------------------------- lists of the games

CHECKOUT = ROOT.parent
GAMES = {path.parent.name for path in (ROOT / "games").glob("*/__init__.py")}
REGISTRY = ROOT / "games" / "__init__.py"
MANY = 3  # games that are named in one literal, each once, make it a list of them


def lines_of_lists(source: str) -> list[int]:
    """Return the lines of literals that list the games.

    A table that names some game in more than one row lists cases, not games. A source that names
    too few games is not parsed.
    """
    if sum(game in source for game in GAMES) < MANY:
        return []
    nodes = ast.walk(ast.parse(source))
    return sorted(
        {node.lineno for node in nodes if isinstance(node, ast.expr) and is_list_of_games(node)}
    )


def is_list_of_games(node: ast.expr) -> bool:
    """Return whether an expression lists games: in its items, keys, arguments or words."""
    if isinstance(node, ast.Constant):
        named = [word for word in str(node.value).split() if word in GAMES]
    elif isinstance(node, ast.Dict):
        named = [name for key in node.keys if key for name in named_by(key)]
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        named = [name for item in node.elts for name in named_by(item)]
    elif isinstance(node, ast.Call):
        named = [word.arg for word in node.keywords if word.arg in GAMES]
    else:
        return False
    return len(named) == len(set(named)) >= MANY


def named_by(item: ast.expr) -> Iterator[str]:
    """Yield the game that an item names: the item itself, or the first of a row."""
    if isinstance(item, ast.Tuple | ast.List) and item.elts:
        item = item.elts[0]
    if isinstance(item, ast.Constant) and item.value in GAMES:
        yield str(item.value)
    elif isinstance(item, ast.Name) and item.id in GAMES:
        yield item.id


def test_the_games_are_listed_in_the_registry_alone() -> None:
    folders = ("scorekeeper", "tests", "benchmarks", "tools", "migrations", "examples")
    paths = [path for folder in folders for path in (CHECKOUT / folder).rglob("*.py")]
    lines_of = {
        str(path.relative_to(CHECKOUT)): lines_of_lists(path.read_text("utf-8")) for path in paths
    }
    assert lines_of.pop(str(REGISTRY.relative_to(CHECKOUT)))
    lines = [f"{path}, line {line}" for path, numbers in lines_of.items() for line in numbers]
    assert lines == [], "what tests must know of a game stands in tests/golden/GAME/game.py"


def test_no_page_lists_the_games() -> None:
    for folder, ending in (("templates", "html"), ("scorekeeper/static", "js")):
        for path in (CHECKOUT / folder).rglob(f"*.{ending}"):
            text = path.read_text("utf-8")
            assert sum(f'"{game}"' in text for game in GAMES) < MANY, path


@pytest.mark.parametrize(
    "source",
    [
        "X = ('{0}', '{1}', '{2}')",
        "X = ['{0}', 'else', '{1}', '{2}']",
        "X = {{'{0}': 1, '{1}': 2, '{2}': 3}}",
        "X = {{('{0}', 'cards'): 1, ('{1}', 'cards'): 2, ('{2}', 'cards'): 3}}",
        "X = [('{0}', 1), ('{1}', 2), ('{2}', 3)]",
        "X = '{0} {1} {2}'.split()",
        "X = dict({0}=1, {1}=2, {2}=3)",
        "X = [{0}, {1}, {2}]",
    ],
)
def test_a_list_of_games_is_found(source: str) -> None:
    assert lines_of_lists(source.format(*sorted(GAMES))) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "X = ('{0}', '{1}')",
        "X = [('{0}', 1), ('{0}', 2), ('{1}', 1), ('{2}', 1)]",
        "X = ['of {0}', 'of {1}', 'of {2}']",
    ],
)
def test_source_that_names_games_without_a_list_is_not_found(source: str) -> None:
    assert lines_of_lists(source.format(*sorted(GAMES))) == []


# --------------------------------------------------------- names that only games declare

OF_GAMES = ("scorekeeper/games/*", "scorekeeper/families/*", "examples/*/scorekeeper_*")
OF_ALL = ("scorekeeper/events/*.py",)
PAGES = {"scorekeeper/web": "py", "scorekeeper/static": "js", "templates": "html"}
SHOWS_A_LOG = CHECKOUT / "templates/score/form.html"
BY_THE_LOG = {"category"}  # parts the declarations of one type, in every game


def declared_in(paths: Iterable[Path]) -> tuple[set[str], set[str]]:
    """Return the types of events that modules declare, and the names of their fields."""
    types, names = set(), set()
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        match node:
            case ast.AnnAssign(ast.Name("TYPE"), value=ast.Constant(value)):
                types.add(str(value))
            case ast.AnnAssign(ast.Name(name), value=ast.Call(ast.Name("part"))):
                names.add(name)
    return types, names


def declared_by_games_alone() -> tuple[set[str], set[str]]:
    """Return the types of events, and the names of fields, that only games declare."""
    types, names = declared_in(
        path for pattern in OF_GAMES for path in CHECKOUT.glob(f"{pattern}/events.py")
    )
    of_all = declared_in(path for pattern in OF_ALL for path in CHECKOUT.glob(pattern))
    return types - of_all[0], names - of_all[1] - BY_THE_LOG


def quoted(source: str, types: Iterable[str]) -> list[str]:
    """Return the types of events that a source names; types of one word are left out."""
    return [kind for kind in types if "_" in kind and re.search(rf"""["'.]{kind}["']""", source)]


def lines_that_compare(source: str, names: Collection[str]) -> list[int]:
    """Return the lines that compare events or fields with names that only games have."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare) and re.search("(?i)name|type", ast.unparse(node))
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and inner.value in names
    ]


def test_no_page_names_an_event_of_a_game_or_a_field_of_one() -> None:
    types, names = declared_by_games_alone()
    assert {"bid_made", "card_called", "napoletana_declared"} <= types
    assert {"bid", "discarded", "set"} <= names
    for folder, ending in PAGES.items():
        for path in {*(CHECKOUT / folder).rglob(f"*.{ending}")} - {SHOWS_A_LOG}:
            source = path.read_text("utf-8")
            assert quoted(source, types) == [], path
            assert ending != "py" or lines_that_compare(source, names | types) == [], path


@pytest.mark.parametrize("source", ['X = ("bid_made",)', "if (form.matches('.bid_made')) {}"])
def test_an_event_that_a_page_names_is_found(source: str) -> None:
    assert quoted(source, {"bid_made", "made"}) == ["bid_made"]


@pytest.mark.parametrize(
    "source",
    ['x = part.name == "set"', 'x = one.name not in ("bid", "set")', 'x = one.TYPE in {"set"}'],
)
def test_comparison_with_a_name_that_a_game_declares_is_found(source: str) -> None:
    assert lines_that_compare(source, {"set"}) == [1]

"""The house: a room imports only what stands to its left, and from outside what it may."""

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

HOUSE = Path(__file__).parents[1] / "scorekeeper"

# From left to right. Rooms on one line do not import one another.
ORDER = (
    ("base",),
    ("cards",),
    ("events",),
    ("play",),
    ("families",),
    ("games",),
    ("languages",),
    ("log",),
    ("session",),
    ("report",),
    ("repair", "clubs"),
    ("store",),
    ("config",),
    ("service",),
    ("exports", "live"),
    ("operation", "answers"),
    ("http",),
    ("api", "web", "cli", "server"),
    ("app",),
    ("__main__",),
)
# The same within rooms that have rooms of their own; what joins these may import all.
EVENTS = (
    ("fields",),
    ("event", "names"),
    ("corrections", "disputes", "playing", "sentences", "references", "offered"),
    ("common",),
)
PLAY = (
    ("scoring", "table", "counts"),
    ("deal",),
    ("facts", "folding"),
    ("match", "rulebook", "checks", "prompts"),
)
FAMILIES = (("briscola",), ("called_card",))
WEB = (
    ("wording",),
    ("phone", "frame"),
    ("review", "opening"),
    ("keeping", "entry", "dispute", "reference"),
    ("club",),
    ("translating",),
)
PLACE = {room: place for place, rooms in enumerate(ORDER) for room in rooms}
INNER = {
    within: {room: place for place, rooms in enumerate(order) for room in rooms}
    for within, order in (("events", EVENTS), ("play", PLAY), ("families", FAMILIES), ("web", WEB))
}

OUTSIDE = {
    "clubs": {"openskill"},
    "store": {"sqlmodel", "sqlalchemy", "alembic", "psycopg"},
    "languages": {"babel"},
    "exports": {"icalendar", "xlsxwriter", "fpdf", "fontTools", "segno", "PIL"},
    "config": {"pydantic", "pydantic_core", "pydantic_settings"},
    "operation": {"structlog", "prometheus_client"},
    "http": {"flask", "werkzeug", "marshmallow"},
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
    "app": {"flask", "werkzeug", "flask_compress", "jinja2"},
}

# How an installed game is examined before it is taken, and checked while it is played.
OF_INSTALLED = (
    ("installed", "complaints"), ("installed", "checked"), ("complaints", "first_hands"),
    ("complaints", "checked"), ("complaints", "declared_types"), ("first_hands", "checked"),
    ("declared_types", "checked"), ("checked", "fact_values"),
)  # fmt: skip

# What every game's package holds; it may hold more.
GAME_FILES = {
    "__init__.py", "audit.py", "events.py", "facts.py", "prompts.py", "rules.py", "score.py",
    "state.py",
}  # fmt: skip


# ------------------------------------------------------------------------------- the rules


def complaints(sources: Mapping[str, str]) -> list[str]:
    """What is wrong with the imports of these modules, given by their dotted names."""
    found = []
    for module, source in sources.items():
        for line, imported in imports(module, source, sources):
            wrong = complaint(module, imported)
            if wrong:
                found.append(f"{module}, line {line}: {wrong}")
    return found


class Read(NamedTuple):
    """What is asked of the source of a module, and needs it parsed."""

    imports: list[ast.Import | ast.ImportFrom]
    types: set[str]  # that it declares: its classes, and its other names for types


@cache
def read(source: str) -> Read:
    """What stands in a source, parsed once for all who ask."""
    tree, found = ast.parse(source), set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.add(node.targets[0].id)
    return Read(
        [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)],
        {name for name in found if re.fullmatch(r"[A-Z]+[a-z]\w*", name)},
    )


def imports(module: str, source: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The dotted names that a module imports, wherever in it, with their lines."""
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
    """Why a module may not import what it does, or None."""
    room = room_of(module)
    top = imported.partition(".")[0]
    if top != "scorekeeper":
        welcome = top in sys.stdlib_module_names or top in OUTSIDE.get(room, ())
        return None if welcome else f"{top} is not for {room}"
    other = room_of(imported)
    for name in (room, other):
        if name not in PLACE and name:
            return f"{name} has no place in the house"
    if room == other == "games":
        return between_games(module, imported)
    if room == other and room in INNER:
        return between_inner_rooms(room, module, imported)
    if not other or other == room or (room and PLACE[other] < PLACE[room]):
        return None
    return f"{room or 'the package'} stands to the left of {other}, or beside it"


def room_of(module: str) -> str:
    """The room of a module; empty for the package itself."""
    return f"{module}.".split(".")[1]


def between_games(module: str, imported: str) -> str | None:
    """The registry imports the games, a game ``game.py``, and that none of them."""
    one, other = (name.split(".")[2:3] for name in (module, imported))
    if not one or other in (one, ["game"]) or (*one, *other) in OF_INSTALLED:
        return None
    return f"{one[0]} imports {other[0] if other else 'the registry'}"


def between_inner_rooms(within: str, module: str, imported: str) -> str | None:
    """Some rooms, too, have rooms in order; only their joint stands beside these."""
    one, other = (f"{name}..".split(".")[2] for name in (module, imported))
    if not one or one == other:
        return None
    for name in (one, other):
        if name not in INNER[within]:
            return f"{within}.{name} has no place in the house"
    right = INNER[within][other] < INNER[within][one]
    return None if right else f"{one} stands to the left of {other}, or beside it"


def circle(sources: Mapping[str, str]) -> list[str]:
    """Modules that import one another in a circle, be it for their types only."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for module, source in sources.items():
        needs = {name for _, name in imports(module, source, sources) if name in sources}
        sorter.add(module, *(needs - {module}))
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# ----------------------------------------------------------------------------- on this house


def sources_in(house: Path) -> dict[str, str]:
    found = {}
    for path in sorted(house.rglob("*.py")):
        parts = path.relative_to(house.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


def test_every_import_points_to_the_left() -> None:
    assert complaints(sources_in(HOUSE)) == []


def test_no_module_is_in_a_circle() -> None:
    assert circle(sources_in(HOUSE)) == []


def test_a_circle_is_found() -> None:
    one, other = "import scorekeeper.cards.tricks", "import scorekeeper.cards.packs"
    found = circle({**RIGHT, "scorekeeper.cards.packs": one, "scorekeeper.cards.tricks": other})
    assert set(found) == {"scorekeeper.cards.packs", "scorekeeper.cards.tricks"}


def test_every_room_has_its_place() -> None:
    rooms = {room_of(module) for module in sources_in(HOUSE)} - {""}
    assert rooms - set(PLACE) == set()


def test_every_game_has_files_of_the_same_names() -> None:
    packages = [path for path in (HOUSE / "games").iterdir() if (path / "__init__.py").exists()]
    assert packages
    for package in packages:
        assert {path.name for path in package.glob("*.py")} >= GAME_FILES, package.name


# Types that stand twice: events are called as the log has them in each game, and the verifier that
# people take home imports nothing of ours.
NAMED_AS_IN_THE_LOG = re.compile(r"scorekeeper\.(games|families)\.\w+\.events")
STANDS_ALONE = "scorekeeper.exports.verifier"


def shared_names(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """The names that several types have, each with the modules in which they are declared."""
    where: dict[str, list[str]] = {}
    for module, source in sources.items():
        if not NAMED_AS_IN_THE_LOG.fullmatch(module) and module != STANDS_ALONE:
            for name in read(source).types:
                where.setdefault(name, []).append(module)
    return {name: modules for name, modules in where.items() if len(modules) > 1}


def test_each_type_has_a_name_of_its_own() -> None:
    assert shared_names(sources_in(HOUSE)) == {}


@pytest.mark.parametrize("other", ["class Row:\n    pass", "Row = tuple[int, str]"])
def test_a_name_that_two_types_have_is_found(other: str) -> None:
    two = {"scorekeeper.report.sheet": "class Row:\n    pass", "scorekeeper.clubs.season": other}
    assert shared_names(two) == {"Row": list(two)}


def test_scoring_a_file_loads_no_web_framework() -> None:
    """All that ``scorekeeper.report`` pulls in, by following the imports."""
    sources = sources_in(HOUSE)
    seen: set[str] = set()
    left = ["scorekeeper.report.report"]
    while left:
        module = left.pop()
        if module in sources and module not in seen:
            seen.add(module)
            left += [name for _, name in imports(module, sources[module], sources)]
    outside = {
        name.partition(".")[0] for one in seen for _, name in imports(one, sources[one], sources)
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


def test_a_house_in_order_has_no_complaints() -> None:
    assert complaints(RIGHT) == []


@pytest.mark.parametrize(
    ("module", "source", "complains"),
    [
        (
            "scorekeeper.base.errors",
            "from scorekeeper.cards.packs import Card",
            "base stands to the left of cards",
        ),
        ("scorekeeper.base.errors", "import scorekeeper.log", "base stands to the left of log"),
        (
            "scorekeeper.base.errors",
            "from scorekeeper import log",
            "base stands to the left of log",
        ),
        ("scorekeeper.base.errors", "from ..log import x", "base stands to the left of log"),
        ("scorekeeper.play.checks", "from scorekeeper.play.match import x", "or beside it"),
        ("scorekeeper.cards.packs", "def f():\n    import scorekeeper.log", "line 2: cards stands"),
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
        ("scorekeeper.cards.packs", "from scorekeeper.cellar import x", "cellar has no place"),
        ("scorekeeper.cellar", "from scorekeeper.cards.packs import x", "cellar has no place"),
        ("scorekeeper.games.knock", "from scorekeeper.games import riparto", "knock imports rip"),
        ("scorekeeper.games.knock", "from ..riparto.rules import x", "knock imports riparto"),
        ("scorekeeper.games.knock", "from scorekeeper.games import GAMES", "imports the registry"),
        ("scorekeeper.games.game", "from scorekeeper.games import knock", "game imports knock"),
        (
            "scorekeeper.games.knock",
            "from scorekeeper.games.complaints import x",
            "knock imports complaints",
        ),
        ("scorekeeper.http", "from scorekeeper.api import x", "http stands to the left of api"),
        ("scorekeeper.web", "from scorekeeper.api import x", "or beside it"),
        ("scorekeeper.api", "from scorekeeper.cli import x", "or beside it"),
        (
            "scorekeeper.web.phone",
            "from scorekeeper.web.entry import x",
            "phone stands to the left",
        ),
        ("scorekeeper.web.entry", "from scorekeeper.web.dispute import x", "or beside it"),
        ("scorekeeper.web.cellar", "from scorekeeper.web.phone import x", "cellar has no place"),
        ("scorekeeper.web.phone", "from scorekeeper.web import x", "web. has no place"),
        (
            "scorekeeper",
            "from scorekeeper.cards.packs import Card",
            "the package stands to the left",
        ),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str, complains: str) -> None:
    found = complaints({**RIGHT, module: source})
    assert len(found) == 1
    assert complains in found[0]


# ------------------------------------------------------------------------- lists of the games

CHECKOUT = HOUSE.parent
GAMES = {path.parent.name for path in (HOUSE / "games").glob("*/__init__.py")}
REGISTRY = HOUSE / "games" / "__init__.py"
MANY = 3  # games that are named in one literal, each once, make it a list of them


def listed_in(source: str) -> list[int]:
    """The lines of literals that list the games.

    A table that names some game in more than one row is of cases, not of games. Where the whole
    text names too few, it holds no list, and is not parsed.
    """
    if sum(game in source for game in GAMES) < MANY:
        return []
    nodes = ast.walk(ast.parse(source))
    return sorted({node.lineno for node in nodes if isinstance(node, ast.expr) and lists(node)})


def lists(node: ast.expr) -> bool:
    """Whether an expression lists games: by its items, its keys, or the words of a text."""
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
    """The game that an item is about: the item itself, or the first of a row."""
    if isinstance(item, ast.Tuple | ast.List) and item.elts:
        item = item.elts[0]
    if isinstance(item, ast.Constant) and item.value in GAMES:
        yield str(item.value)
    elif isinstance(item, ast.Name) and item.id in GAMES:
        yield item.id


def test_the_games_are_listed_in_the_registry_alone() -> None:
    folders = ("scorekeeper", "tests", "benchmarks", "migrations", "examples")
    paths = [path for folder in folders for path in (CHECKOUT / folder).rglob("*.py")]
    found = {str(path.relative_to(CHECKOUT)): listed_in(path.read_text("utf-8")) for path in paths}
    assert found.pop(str(REGISTRY.relative_to(CHECKOUT)))
    lines = [f"{path}, line {line}" for path, where in found.items() for line in where]
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
    assert listed_in(source.format(*sorted(GAMES))) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "X = ('{0}', '{1}')",
        "X = [('{0}', 1), ('{0}', 2), ('{1}', 1), ('{2}', 1)]",
        "X = ['of {0}', 'of {1}', 'of {2}']",
    ],
)
def test_what_names_games_and_is_no_list_of_them_is_let_be(source: str) -> None:
    assert listed_in(source.format(*sorted(GAMES))) == []


# -------------------------------------------------------- what only the package of a game knows

OF_GAMES = ("scorekeeper/games/*", "scorekeeper/families/*", "examples/*/scorekeeper_*")
OF_ALL = ("scorekeeper/events/*.py",)
PAGES = {"scorekeeper/web": "py", "scorekeeper/static": "js", "templates": "html"}
SHOWS_A_LOG = CHECKOUT / "templates/score/form.html"
BY_THE_LOG = {"category"}  # parts the declarations of one type, in every game


def declared_in(paths: Iterable[Path]) -> tuple[set[str], set[str]]:
    """The types of the events that are declared in these modules, and the names of their fields."""
    types, names = set(), set()
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        match node:
            case ast.AnnAssign(ast.Name("TYPE"), value=ast.Constant(value)):
                types.add(str(value))
            case ast.AnnAssign(ast.Name(name), value=ast.Call(ast.Name("part"))):
                names.add(name)
    return types, names


def of_games() -> tuple[set[str], set[str]]:
    """The types of events that only games declare, and the names of fields."""
    types, names = declared_in(
        path for one in OF_GAMES for path in CHECKOUT.glob(f"{one}/events.py")
    )
    of_all = declared_in(path for one in OF_ALL for path in CHECKOUT.glob(one))
    return types - of_all[0], names - of_all[1] - BY_THE_LOG


def quoted(source: str, types: Iterable[str]) -> list[str]:
    """The types of events that a page, or the code of one, names; not those of a common word."""
    return [one for one in types if "_" in one and re.search(rf"""["'.]{one}["']""", source)]


def told_apart(source: str, names: Collection[str]) -> list[int]:
    """The lines that tell events or fields apart by names that only games have."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare) and re.search("(?i)name|type", ast.unparse(node))
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and inner.value in names
    ]


def test_no_page_names_an_event_of_a_game_or_a_field_of_one() -> None:
    types, names = of_games()
    assert {"bid_made", "card_called", "napoletana_declared"} <= types
    assert {"bid", "discarded", "set"} <= names
    for folder, ending in PAGES.items():
        for path in {*(CHECKOUT / folder).rglob(f"*.{ending}")} - {SHOWS_A_LOG}:
            source = path.read_text("utf-8")
            assert quoted(source, types) == [], path
            assert ending != "py" or told_apart(source, names | types) == [], path


@pytest.mark.parametrize("source", ['X = ("bid_made",)', "if (form.matches('.bid_made')) {}"])
def test_an_event_that_a_page_names_is_found(source: str) -> None:
    assert quoted(source, {"bid_made", "made"}) == ["bid_made"]


@pytest.mark.parametrize(
    "source",
    ['x = part.name == "set"', 'x = one.name not in ("bid", "set")', 'x = one.TYPE in {"set"}'],
)
def test_a_page_that_tells_apart_what_games_declare_is_found(source: str) -> None:
    assert told_apart(source, {"set"}) == [1]

"""Every regular expression of the project, found in syntax trees, templates and page scripts."""

import ast
import inspect
import re
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PROGRAMS: Final = ("scorekeeper", "migrations", "wsgi.py", "gunicorn.conf.py")
# They read the files of a game's author, who can only make their own checks slow.
FOR_AUTHORS: Final = {"promises", "testing"}
NAMES: Final = ("pattern", "regex")  # of parameters, variables and keys that hold a pattern

# Patterns that the program makes at run time from its own declarations, each as its longest.
MADE: Final = {"f'^[A-Za-z0-9_-]{{{kind.letters}}}$'": "^[A-Za-z0-9_-]{100}$"}

Pattern = str | bytes
Found = dict[Pattern, list[str]]  # the places of each


class Unread(Exception):
    """A pattern that is only known at run time."""


def every_pattern() -> Found:
    """Return all patterns, each with its places."""
    places_of: Found = defaultdict(list)
    for source in (_of_python(), _of_templates(), _of_scripts()):
        for pattern, place in source:
            places_of[pattern].append(place)
    return dict(places_of)


# -------------------------------------------------------------------------------------- Python


def modules() -> list[Path]:
    """Return every Python file of the service."""
    return [path for program in PROGRAMS for path in ([ROOT / program] if program.endswith(".py")
            else sorted((ROOT / program).rglob("*.py")))
            if not {*path.relative_to(ROOT).parts[:2]} & FOR_AUTHORS]  # fmt: skip


def _of_python() -> Iterator[tuple[Pattern, str]]:
    for path in modules():
        module, tree = _module(path), ast.parse(path.read_text("utf-8"))
        for node in in_tree(tree, module):
            place = f"{path.relative_to(ROOT)}, line {node.lineno}"
            try:
                value = eval(ast.unparse(node), vars(module))  # noqa: S307  # our own source
            except NameError as error:
                value = MADE.get(ast.unparse(node))
                if value is None:
                    raise Unread(f"{place}: {ast.unparse(node)}") from error
            if isinstance(value, str | bytes) and value:
                yield value, place


def in_tree(tree: ast.AST, module: ModuleType) -> Iterator[ast.expr]:
    """Yield the expressions in a module that are patterns.

    That is the first argument of each function of ``re``, and each argument, variable or value with
    one of the names. If a function only passes on its parameter, its callers are read instead.
    """
    nodes = list(ast.walk(tree))
    handed_on = {id(expression) for node in nodes for expression in _parameters(node)}
    for node in nodes:
        yield from (
            expression for expression in _at(node, module) if id(expression) not in handed_on
        )


def _at(node: ast.AST, module: ModuleType) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        place = _place(_called(node.func, module))
        yield from node.args[place : place + 1] if place is not None else ()
        yield from (keyword.value for keyword in node.keywords if keyword.arg in NAMES)
    elif isinstance(node, ast.Dict):
        yield from (
            value for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value in NAMES
        )  # fmt: skip
    elif isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id in NAMES for target in node.targets
    ):
        yield node.value


def _called(function: ast.expr, module: ModuleType) -> object:
    """Return the called object if the module has a name for it."""
    names = ast.unparse(function).split(".")
    value = vars(module).get(names[0])
    for name in names[1:]:
        value = getattr(value, name, None) if isinstance(value, ModuleType) else None
    return value


def _place(function: object) -> int | None:
    """Return the position of the pattern in the parameters of a function of ours or ``re``."""
    home = str(getattr(function, "__module__", ""))
    if not (home == "re" or home.startswith("scorekeeper")) or function is re.escape:
        return None
    try:
        names = list(inspect.signature(function).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return next((n for n, name in enumerate(names) if name in NAMES), None)


def _parameters(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the uses of a parameter that holds a pattern in its function."""
    if isinstance(node, ast.FunctionDef) and any(
        parameter.arg in NAMES for parameter in (*node.args.args, *node.args.kwonlyargs)
    ):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in NAMES:
                yield inner


def _module(path: Path) -> ModuleType:
    """Import a module; return one with only ``re`` for a file that cannot be imported."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    if name.startswith("scorekeeper.") and not name.endswith("__main__"):
        return import_module(name)
    alone = ModuleType(name)
    vars(alone)["re"] = re
    return alone


# ------------------------------------------------------------------------------ pages and scripts


class _Attributes(HTMLParser):
    """The patterns of the fields of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.patterns: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.patterns += [value or "" for name, value in attrs if name == "pattern"]


def _of_templates() -> Iterator[tuple[Pattern, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = path.read_text("utf-8")
        place = str(path.relative_to(ROOT))
        page = _Attributes()
        page.feed(re.sub(r"\{[%{#].*?[%}#]\}", "", source, flags=re.DOTALL))
        if len(page.patterns) != len(re.findall(r"\bpattern\s*=", source)) or "" in page.patterns:
            raise Unread(f"{place}: a pattern that is not written out")
        yield from ((pattern, place) for pattern in page.patterns)


# After these characters and words, a slash begins a pattern and is no division.
_BEFORE: Final = "(,=:[!&|?{};+~^<>*%-"
_WORDS: Final = ("return", "typeof", "case", "in", "of", "")
_TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`|\$\{|[A-Za-z_$][\w$]*"""
    r"""|\d[\w.]*|\s+|.""",
    re.DOTALL,
)
_LITERAL: Final = re.compile(r"/((?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/[a-z]*")


def in_script(source: str) -> Iterator[str]:
    """Yield the patterns in a script.

    Raises `Unread` if the script makes a pattern while it runs.
    """
    at, last, nested = 0, "", [0]  # open braces, outside and then in each ${…} of a template
    while at < len(source):
        literal = None
        if source[at] == "/" and source[at + 1 : at + 2] not in ("/", "*") and _may_begin(last):
            literal = _LITERAL.match(source, at)
        if literal is not None:
            yield literal[1]
            at, last = literal.end(), "/"
            continue
        token = _TOKEN.match(source, at)
        assert token is not None
        text, at = token[0], token.end()
        if text == "RegExp":
            raise Unread("a pattern that is made while the script runs")
        if text == "`" or (text == "}" and len(nested) > 1 and not nested[-1]):
            if text == "}":
                nested.pop()
            at = _past_template(source, at, nested)
            last = source[at - 1]
            continue
        nested[-1] += (text == "{") - (text == "}")
        if not text.isspace() and not text.startswith(("//", "/*")):
            last = text
    assert nested == [0], "the script was not read to its end"


def _may_begin(last: str) -> bool:
    return last in _WORDS or last[-1] in _BEFORE


def _past_template(source: str, at: int, nested: list[int]) -> int:
    """Return the end of a piece of a template: after its closing quote, or after its next ${."""
    while source[at] != "`":
        if source.startswith("${", at):
            nested.append(0)
            return at + 2
        at += 2 if source[at] == "\\" else 1
    return at + 1


def _of_scripts() -> Iterator[tuple[Pattern, str]]:
    for path in sorted((ROOT / "scorekeeper/static").rglob("*.js")):
        for pattern in in_script(path.read_text("utf-8")):
            yield pattern, str(path.relative_to(ROOT))


# ----------------------------------------------------------------------------------- time


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in the block after these seconds of processor time."""

    def end(*_: object) -> None:
        raise TimeoutError

    before: Any = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

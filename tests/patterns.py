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
NAMES: Final = ("pattern", "regex")  # of what is given or kept as one

# What is made while the program runs, of what the program itself declares, and the longest of it.
MADE: Final = {"f'^[A-Za-z0-9_-]{{{kind.letters}}}$'": "^[A-Za-z0-9_-]{100}$"}

Pattern = str | bytes
Found = dict[Pattern, list[str]]  # the places of each


class Unread(Exception):
    """A pattern that is made of what nobody can know beforehand."""


def every_pattern() -> Found:
    """All of them, each with its places."""
    found: Found = defaultdict(list)
    for source in (_of_python(), _of_templates(), _of_scripts()):
        for pattern, place in source:
            found[pattern].append(place)
    return dict(found)


# -------------------------------------------------------------------------------------- Python


def modules() -> list[Path]:
    """Every file of Python that is part of the service."""
    return [path for one in PROGRAMS for path in ([ROOT / one] if one.endswith(".py")
            else sorted((ROOT / one).rglob("*.py")))]  # fmt: skip


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
    """The expressions in a module that are patterns.

    That is the first argument of each function of ``re``, and what is given for, kept or declared
    under one of the names. Where a function only hands on what it takes, its callers are asked.
    """
    nodes = list(ast.walk(tree))
    handed_on = {id(one) for node in nodes for one in _parameters(node)}
    for node in nodes:
        yield from (one for one in _at(node, module) if id(one) not in handed_on)


def _at(node: ast.AST, module: ModuleType) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        place = _place(_called(node.func, module))
        yield from node.args[place : place + 1] if place is not None else ()
        yield from (one.value for one in node.keywords if one.arg in NAMES)
    elif isinstance(node, ast.Dict):
        yield from (
            value for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value in NAMES
        )  # fmt: skip
    elif isinstance(node, ast.Assign) and any(
        isinstance(one, ast.Name) and one.id in NAMES for one in node.targets
    ):
        yield node.value


def _called(function: ast.expr, module: ModuleType) -> object:
    """What is called, where that stands under a name in the module."""
    names = ast.unparse(function).split(".")
    found = vars(module).get(names[0])
    for name in names[1:]:
        found = getattr(found, name, None) if isinstance(found, ModuleType) else None
    return found


def _place(function: object) -> int | None:
    """Where among its arguments a function of ours, or of ``re``, takes a pattern."""
    home = str(getattr(function, "__module__", ""))
    if not (home == "re" or home.startswith("scorekeeper")) or function is re.escape:
        return None
    try:
        names = list(inspect.signature(function).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return next((n for n, name in enumerate(names) if name in NAMES), None)


def _parameters(node: ast.AST) -> Iterator[ast.expr]:
    """The names in a function that are what it takes."""
    if isinstance(node, ast.FunctionDef) and any(one.arg in NAMES for one in node.args.args):
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and one.id in NAMES:
                yield one


def _module(path: Path) -> ModuleType:
    """A module; of one that is a program, or is loaded by others, only that it may know ``re``."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    if name.startswith("scorekeeper.") and not name.endswith("__main__"):
        return import_module(name)
    alone = ModuleType(name)
    vars(alone)["re"] = re
    return alone


# ------------------------------------------------------------------------------ pages and scripts


class _Attributes(HTMLParser):
    """The patterns that fields of a page have."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name == "pattern"]


def _of_templates() -> Iterator[tuple[Pattern, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = path.read_text("utf-8")
        place = str(path.relative_to(ROOT))
        page = _Attributes()
        page.feed(re.sub(r"\{[%{#].*?[%}#]\}", "", source, flags=re.DOTALL))
        if len(page.found) != len(re.findall(r"\bpattern\s*=", source)) or "" in page.found:
            raise Unread(f"{place}: a pattern that is not written out")
        yield from ((one, place) for one in page.found)


# Where a slash begins a pattern and divides nothing: after these, and after these words.
_BEFORE: Final = "(,=:[!&|?{};+~^<>*%-"
_WORDS: Final = ("return", "typeof", "case", "in", "of", "")
_TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`|\$\{|[A-Za-z_$][\w$]*"""
    r"""|\d[\w.]*|\s+|.""",
    re.DOTALL,
)
_LITERAL: Final = re.compile(r"/((?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/[a-z]*")


def in_script(source: str) -> Iterator[str]:
    """The patterns that stand in a script; Unread where one is made while it runs."""
    at, last, nested = 0, "", [0]  # braces in the open, then in each ${…} of a template
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
    """Where a piece of a template ends: behind its end, or in its next ${."""
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
    """Raise TimeoutError in what takes longer, on a processor of its own."""

    def end(*_: object) -> None:
        raise TimeoutError

    before: Any = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

"""The faults that can be made in a module, each in one place of its text."""

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

OPERATORS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
WORD: Final = re.compile(r"[\w.:/-]+")  # a string for programs; prose is not changed

# Only type checkers and tools read these. The keywords forbid what happens nowhere.
UNREAD_FIELDS: Final = {"annotation", "returns", "decorator_list"}
UNREAD_KEYWORDS: Final = {"strict", "frozen", "slots"}
UNREAD_NAMES: Final = {"cast", "TypeVar", "NewType", "Literal"}


@dataclass(frozen=True)
class Fault:
    """A replacement for the text between two bytes of a module."""

    path: str
    lines: tuple[int, int]  # the first and the last line that run with it
    start: int
    end: int
    text: str
    in_function: bool  # else an import runs it

    def made_in(self, source: bytes) -> bytes:
        """Return the module with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def faults_in(path: str, source: bytes) -> Iterator[Fault]:
    """Yield all faults that can be made in a module."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    for node, lines, in_function in _parts(ast.parse(source), None, in_function=False):
        for place, text in _changes(node):
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[(place.end_lineno or 0) - 1] + (place.end_col_offset or 0)
            yield Fault(path, lines or _lines(place), start, end, text, in_function)


def _parts(
    node: ast.AST, lines: tuple[int, int] | None, *, in_function: bool
) -> Iterator[tuple[ast.AST, tuple[int, int] | None, bool]]:
    """Yield a node and its executed parts, with the lines of its statement or of its head."""
    if _unread(node):
        return
    if isinstance(node, ast.expr | ast.stmt) and not hasattr(node, "body"):
        lines = lines or _lines(node)
    yield node, lines, in_function
    for name, value in ast.iter_fields(node):
        inner = in_function or (name == "body" and isinstance(node, ast.FunctionDef))
        if name not in UNREAD_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _parts(child, lines, in_function=inner)


def _lines(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _unread(node: ast.AST) -> bool:
    """Return whether no executed code depends on a node: annotations, docstrings and the like."""
    match node:
        case ast.JoinedStr():  # `ast` gives no positions of its parts
            return True
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
        case ast.keyword(arg=name):
            return name in UNREAD_KEYWORDS
        case ast.Call(func=ast.Name(name)) | ast.Subscript(value=ast.Name(name)):
            return name in UNREAD_NAMES
        case ast.Assign(targets=[ast.Name(name)]):
            return name.startswith("__")
    return False


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the parts of a node that can be replaced, with their replacements."""
    match node:
        case ast.Compare(ops=operators):
            for n, operator in enumerate(operators):
                changed = copy.deepcopy(node)
                changed.ops[n] = OPERATORS[type(operator)]()  # type: ignore[call-overload]
                yield node, f"({ast.unparse(changed)})"
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in OPERATORS:
            yield node, f"({_with_other_operator(node)})"
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.match_case(guard=ast.expr() as test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.comprehension(ifs=tests):
            yield from ((test, "True") for test in tests)
        case ast.expr():
            yield from ((node, text) for text in _changed_value(node))
        case ast.stmt():
            yield from _changed_statement(node)


def _with_other_operator(node: ast.AST) -> str:
    changed: Any = copy.deepcopy(node)
    changed.op = OPERATORS[type(changed.op)]()
    return ast.unparse(changed)


def _changed_value(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.Constant(value=str(value)) if WORD.fullmatch(value):
            yield repr(f"{value}x")
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield NAMES[name]


def _changed_statement(node: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    match node:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield node, "pass"
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield node, "yield from ()"
        case ast.AugAssign(op=operator):
            yield node, "pass"
            if type(operator) in OPERATORS:
                yield node, _with_other_operator(node)
        case ast.Continue():
            yield node, "break"
        case ast.Break():
            yield node, "continue"

"""Style sheets as they are sent: without the comments and indentation of the files."""

import re
from typing import Final

# Browsers end what is not closed at the end of the sheet, and so do these patterns.
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LITERAL_OR_GAP: Final = re.compile(
    r"""(?P<literal>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\([^"'\s)]*|\\.)"""
    r"""|;\s*(?=\})|(?:\s|/\*.*?(?:\*/|\Z))+""",
    re.DOTALL | re.IGNORECASE,
)
# Blanks beside these mean nothing, nor does a semicolon before a brace. After a colon neither do
# they, but before one a blank can mean "inside".
_SEPARATORS: Final = frozenset(("", *"{};,>~"))


def strip_style(style: str) -> str:
    r"""Return a style sheet with the same meaning, without comments and needless blanks.

    Strings, addresses and escaped characters stay as they are.

    >>> strip_style("a,\n  b { /* seen */ color: red; }")
    'a,b{color:red}'
    """
    return _LITERAL_OR_GAP.sub(_shorten, style)


def _shorten(match: re.Match[str]) -> str:
    """Return a literal as it is, and of a gap as much as it needs to mean the same."""
    if match["literal"] is not None:
        return match[0]
    start, end = match.span()
    before, after = match.string[start - 1 : start], match.string[end : end + 1]
    if before in _SEPARATORS or after in _SEPARATORS or before == ":":
        return ""
    # `a/**/b` is two words without a blank: in a selector, a blank would mean "inside".
    return " " if _COMMENT.sub("", match[0]) else "/**/"

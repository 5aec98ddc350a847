"""Origins of web sites: a scheme, a host and perhaps a port, as in a Content-Security-Policy."""

import re
from typing import Final

# Without commas, semicolons and spaces, which separate the parts of a policy.
ORIGIN: Final = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


def is_origin(text: str) -> bool:
    """Return whether a text is an origin in lower case.

    >>> is_origin("https://www.example.org"), is_origin("https://example.org; script-src *")
    (True, False)
    """
    return ORIGIN.fullmatch(text) is not None


def are_origins(text: str) -> bool:
    """Return whether a text has only origins, separated by single spaces; it may be empty."""
    return not text or all(map(is_origin, text.split(" ")))

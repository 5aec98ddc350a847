"""Origins of web sites: a scheme, a host and perhaps a port, as in a Content-Security-Policy."""

import re
from typing import Final
from urllib.parse import urlsplit

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


def parse_origin(typed: str) -> str | None:
    """Return the origin of a typed address of a web site; None if it is none.

    >>> parse_origin(" WWW.Example.org/club?x=1 "), parse_origin("http://[::1]:8000/")
    ('https://www.example.org', 'http://[::1]:8000')
    >>> parse_origin("https://circolo-perù.it"), parse_origin("*.example.org"), parse_origin("club")
    ('https://xn--circolo-per-2gb.it', None, None)
    """
    text = typed.strip().lower()
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname or "", parts.port
        ascii_host = f"[{host}]" if ":" in host else host.encode("idna").decode()
    except ValueError:  # also of a label that is too long
        return None
    origin = f"{parts.scheme}://{ascii_host}{'' if port is None else f':{port}'}"
    named = "." in host or ":" in host or host == "localhost"
    return origin if named and "@" not in parts.netloc and is_origin(origin) else None

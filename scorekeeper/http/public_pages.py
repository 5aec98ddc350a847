"""Pages that everybody can read by a public address, without a key.

Their readers are strangers, and may be many: an answer depends on no cookie, is computed at most
once in a few seconds for all of them, and may be stored by browsers and proxies for a moment.
"""

import threading
from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from cachetools import TTLCache
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import NotFound

from scorekeeper.http.extensions import service
from scorekeeper.store import Publication

PREFIXES: Final = ("/published/", "/api/published/")
FRESH_SECONDS: Final = 5  # for which all readers get the same content
MAX_AGE_SECONDS: Final = 30  # for which a browser or proxy may show its copy
MAX_CACHED_CONTENTS: Final = 100
ETAG_DIGITS: Final = 16

T = TypeVar("T")


class Content(NamedTuple):
    """The body of an answer, and the ETag of its bytes: a reader learns of no other change."""

    body: bytes
    etag: str


class PublicContents:
    """The contents of public pages, each kept for a few seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._contents: TTLCache[Hashable, Any] = TTLCache(MAX_CACHED_CONTENTS, FRESH_SECONDS)
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the content of a key, and make it if it is missing or too old.

        Of readers at the same time one makes it, and the others wait.
        """
        with self._lock:
            known: T | None = self._contents.get(key)
            if known is not None:
                return known
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                known = self._contents.get(key)
            if known is None:
                try:
                    known = make()
                    with self._lock:
                        self._contents[key] = known
                finally:
                    with self._lock:
                        self._making.pop(key, None)
        return known


def init_app(app: Flask) -> None:
    """Keep the contents of public pages in the application."""
    app.extensions["public_contents"] = PublicContents()


def public_contents() -> PublicContents:
    """Return the contents of public pages of this application."""
    extension: PublicContents = current_app.extensions["public_contents"]
    return extension


def is_public(path: str) -> bool:
    """Return whether a path is that of a page which everybody may read by its address."""
    return path.startswith(PREFIXES)


def find_publication(address: str) -> Publication:
    """Return the publication that an address opens.

    Raises `NotFound`; an address that has ended is answered like one that never was.
    """
    publication = service().publishing.publication_at(address)
    if publication is None:
        raise NotFound
    return publication


def shared_answer(
    key: Hashable, content_type: str, make: Callable[[], bytes], max_age: int = MAX_AGE_SECONDS
) -> Response:
    """Return the answer with the content of a key, or 304 if the client has it.

    A browser or proxy may show its copy for ``max_age`` seconds.
    """

    def make_content() -> Content:
        body = make()
        return Content(body, sha256(body).hexdigest()[:ETAG_DIGITS])

    content = public_contents().get((content_type, key), make_content)
    answer = Response(content.body, content_type=content_type)
    answer.headers["Cache-Control"] = f"public, max-age={max_age}"
    answer.set_etag(content.etag)
    answer.make_conditional(request)
    return answer

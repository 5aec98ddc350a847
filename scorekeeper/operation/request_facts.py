"""What is seen of a request by those who write it down or count it."""

import time
from typing import Final

from flask import g, request

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def begin() -> None:
    """Note when the request came."""
    g.began = time.perf_counter()


def seconds() -> float:
    """How long the request has taken so far."""
    return time.perf_counter() - float(g.began)


def route() -> str:
    """The template of the route that was asked for, such as ``/rules/<game>``; empty for none."""
    rule = request.url_rule
    return rule.rule if rule else ""


def method() -> str:
    """The method of the request, or ``other``: a client may make up as many as it likes."""
    method = request.method
    return method if method in METHODS else "other"

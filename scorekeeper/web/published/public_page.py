"""The forms of a public page, whatever kind of stream it shows."""

from collections.abc import Callable, Hashable
from typing import NamedTuple

from flask import Response
from markupsafe import Markup


class PublicPage(NamedTuple):
    """The forms of a public page; ``key`` is what they depend on beside its address.

    ``render`` takes the style sheet that stands in a file, or None for a page. ``finish`` sets the
    headers of the page. ``max_age`` is for how many seconds a browser may show its copy.
    """

    key: Hashable
    render: Callable[[Markup | None], str]
    draw: Callable[[], bytes]
    finish: Callable[[Response], Response]
    max_age: int

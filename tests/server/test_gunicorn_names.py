"""The private names of gunicorn that ``server`` uses: a new version of gunicorn may change them.

Tests of ``server.connection`` and ``server.worker``.
"""

import inspect
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import gunicorn
import pytest
from gunicorn.asgi.parser import PythonProtocol
from gunicorn.asgi.protocol import ASGIProtocol, BodyReceiver

from scorekeeper.server.connection import ClientConnection, JoinedBody
from scorekeeper.server.worker import Worker

# The methods of ASGIProtocol that `ClientConnection` calls or replaces, with their parameters.
METHODS: Final = {
    "_arm_keepalive_timer": "(self)",  # called before each wait for a next request
    "_build_http_scope": "(self, request, sockname, peername)",
    "_close_transport": "(self)",
    "_feed_callback_parser": "(self, data)",  # parses; returns whether to go on
    "_is_websocket_upgrade": "(self, request)",
    "_on_headers_complete": "(self)",  # called by the parser
    "_send_error_response": "(self, status, message, extra_headers=())",
}
# The attributes of ASGIProtocol that `ClientConnection` reads or sets.
ATTRIBUTES: Final = {
    "_body_receiver",  # set: the body of the current request
    "_callback_parser",  # read: its headers and version of HTTP
    "_current_request",  # read: None while a connection waits for a request
    "_keepalive",  # set: 0 to close after the answer
}
CHANGED: Final = f"gunicorn {gunicorn.__version__} changed names that scorekeeper/server uses"
PRIVATE: Final = re.compile(r"\b(?:self|super\(\))\.(_[a-z]\w*)|def (_[a-z]\w*)\(")


def private_names(*classes: type) -> set[str]:
    """Return the private names in the sources of classes."""
    found = (PRIVATE.findall(inspect.getsource(each)) for each in classes if each is not object)
    return {name for matches in found for match in matches for name in match if name}


@pytest.mark.parametrize(
    ("own", "bases", "shared"),
    [
        (ClientConnection, [ASGIProtocol], METHODS.keys() | ATTRIBUTES),
        (JoinedBody, [BodyReceiver], set()),
        (Worker, Worker.__mro__[1:], set()),
    ],
)
def test_private_names_are_those_that_are_listed(
    own: type, bases: Sequence[type], shared: AbstractSet[str]
) -> None:
    """A name that is shared by chance is found, too."""
    assert private_names(own) & private_names(*bases) == shared, CHANGED


@pytest.mark.parametrize("name", METHODS)
def test_private_methods_have_the_same_parameters(name: str) -> None:
    assert str(inspect.signature(getattr(ASGIProtocol, name))) == METHODS[name], CHANGED


def test_the_parser_has_the_names_that_are_read() -> None:
    """They are not private, but not documented either."""
    head = b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    parser = PythonProtocol()
    parser.feed(head)
    assert parser.http_version == (1, 1), CHANGED
    assert parser.headers == [(b"host", b"a"), (b"transfer-encoding", b"chunked")], CHANGED

"""Answers that go on for as long as somebody listens.

Our own server takes their pieces in its event loop, where thousands of them wait in no thread.
Any other server keeps a thread for each.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from flask import Response, request

PIECES: Final = "scorekeeper.pieces"  # of the answer, in the environment of a request


def streamed(pieces: AsyncGenerator[bytes, None], content_type: str) -> Response:
    """An answer that sends these pieces as they come."""
    if request.method != "HEAD":
        request.environ[PIECES] = pieces
    return Response(in_this_thread(pieces), content_type=content_type)


def in_this_thread(pieces: AsyncGenerator[bytes, None]) -> Iterator[bytes]:
    """The same pieces, waited for here."""

    async def following() -> bytes:
        return await anext(pieces, b"")

    with asyncio.Runner() as runner:
        while piece := runner.run(following()):
            yield piece

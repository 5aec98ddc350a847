"""Answers without an end, such as live updates.

Our own server reads their pieces in its event loop, where thousands of streams need no thread.
Any other server needs a thread for each.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from flask import Response, request

PIECES_KEY: Final = "scorekeeper.pieces"  # of the environment of a request


def stream_answer(pieces: AsyncGenerator[bytes, None], content_type: str) -> Response:
    """Return an answer that sends each piece of bytes as soon as it exists.

    For our own server the pieces are put into the environment; any other server iterates them in a
    thread.
    """
    if request.method != "HEAD":
        request.environ[PIECES_KEY] = pieces
    return Response(iterate_in_thread(pieces), content_type=content_type)


def iterate_in_thread(pieces: AsyncGenerator[bytes, None]) -> Iterator[bytes]:
    """Yield the pieces; this thread waits for each of them."""

    async def following() -> bytes:
        return await anext(pieces, b"")

    with asyncio.Runner() as runner:
        while piece := runner.run(following()):
            yield piece

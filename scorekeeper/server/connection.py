"""One connection: gunicorn's protocol, with an end to each wait and a bound on what it may cost.

gunicorn waits for any number of clients in one thread, and leaves it to its user for how long.
Here each wait has an end: for the head of a request as long as a connection may be idle, for a body
as ``intake`` says, for a client that takes nothing of an answer ``SILENCE``.
"""

import asyncio
import re
import socket
import struct
import time
from asyncio import BaseTransport, TimerHandle
from contextlib import suppress
from enum import IntEnum
from typing import Any, Final

from gunicorn.asgi.parser import InvalidHeader, UnsupportedTransferCoding
from gunicorn.asgi.protocol import ASGIProtocol, BodyReceiver

from scorekeeper.http.client import address_of
from scorekeeper.http.headers import common_headers
from scorekeeper.server.tcp import TCP_CLOSE, TCP_CLOSE_WAIT, tcp_state

SILENCE: Final = 15.0  # seconds for which a client may take nothing of what is sent to it
SYSTEM_BUFFER: Final = 1 << 17  # bytes, and as many again, that the system keeps each way
LINGER_OFF: Final = struct.pack("ii", 1, 0)  # of a socket that is closed: on, seconds
MOST_READ: Final = 1 << 14  # bytes that are read at once
SLICE: Final = 1 << 11  # bytes of a head that are parsed at once
LEAST_SLICE: Final = 1 << 8  # bytes of a body in chunks: in chunks of one byte, for 0.2 ms
SLICE_SECONDS: Final = 3e-4  # that a slice of such a body may take, until smaller ones are parsed
MOST_PIPELINED: Final = MOST_READ  # bytes kept of requests behind the one that is being answered
END_OF_HEAD: Final = b"\r\n\r\n"
MOST_HEAD: Final = 1 << 15  # bytes of the head of a request
CUT: Final = "the connection ended before the body did"
HOST: Final = re.compile(rb"(?:\[[0-9A-Za-z.:]+\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(?::[0-9]*)?")

# Headers that say one thing, so that two would leave open which of them counts.
SINGLE_HEADERS: Final = frozenset(
    {b"authorization", b"content-length", b"content-type", b"host", b"idempotency-key", b"if-match",
     b"last-event-id", b"origin", b"sec-fetch-site"}
)  # fmt: skip


class Spared(IntEnum):
    """The states in which a connection may end for another one; the first are spared best."""

    SILENT = 0  # it has not asked for anything yet
    SENDING = 1  # its body is incomplete
    IDLE = 2
    NOT_READING = 3  # it takes nothing of its answer
    QUEUED = 4  # its input waits to be parsed
    STREAMING = 5


class JoinedBody(BodyReceiver):  # type: ignore[misc]  # gunicorn has no types
    """The body of a request, of which all that has arrived is received at once."""

    def _pop_chunk(self) -> Any:
        if len(self._chunks) > 1:
            joined = b"".join(self._chunks)
            self._chunks.clear()
            self._chunks.append(joined)
        return super()._pop_chunk()

    async def _wait_for_data(self) -> None:
        """Wait without a time limit, which ``intake`` has."""
        if self._chunks or self._complete or self._disconnected:
            return
        self._waiter: Any = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None


class ClientConnection(ASGIProtocol, asyncio.BufferedProtocol):  # type: ignore[misc]
    """A connection of a client, which has one request at a time."""

    address = ""
    cost = 0.0  # seconds of processor time that parsing its input took lately
    cost_at = 0.0
    is_streaming = False
    left: Any = None  # a future, done once the client sends nothing more
    _limit: TimerHandle | None = None
    _input = b""  # bytes that have been read, and not parsed
    _is_held = False  # whether the pace lets it read no more for now
    _is_parsing = False
    _slice = LEAST_SLICE  # bytes of a body in chunks that are parsed at once
    _head_bytes = 0

    # ------------------------------------------------------------------- begin and end

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept the connection if there is capacity, and let it ask for something soon."""
        super().connection_made(transport)
        self._max_buffer_size = MOST_PIPELINED
        self.address = address_of(str((transport.get_extra_info("peername") or ("",))[0]))
        connection = transport.get_extra_info("socket")
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            connection.setsockopt(socket.SOL_SOCKET, buffer, SYSTEM_BUFFER)
        if self.worker.enter(self):
            self._arm_keepalive_timer()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._input = b""
        self._leave()
        self.resume_writing()
        self.worker.leave(self)
        super().connection_lost(exc)

    def eof_received(self) -> bool:
        """Finish answering a half-closed client; refuse a body that was cut."""
        self._leave()
        if self._body_receiver is None:
            return False
        if self._is_sending_body:
            self._send_error_response(400, CUT)
            return False
        self._keepalive = 0
        return True

    def _leave(self) -> None:
        if self.left is not None and not self.left.done():
            self.left.set_result(None)

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is asked at this moment."""
        return bool(self._awaiting_request)

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""
        return bool(self._closed or self.transport.is_closing() or self._tcp_state() == TCP_CLOSE)

    @property
    def is_half_closed(self) -> bool:
        """Return whether the client sends nothing more, which may not have been read yet."""
        return self._tcp_state() == TCP_CLOSE_WAIT

    def _tcp_state(self) -> int:
        return tcp_state(self.transport.get_extra_info("socket"))

    @property
    def spared(self) -> Spared | None:
        """Return what the connection waits for, or None while it is being served."""
        if self.is_streaming:
            return Spared.STREAMING
        if self._is_sending_body:
            return Spared.SENDING
        if self._limit is not None:
            return Spared.NOT_READING
        if self.has_input:
            return Spared.QUEUED
        if not self.is_idle:
            return None
        return Spared.SILENT if self.req_count == 1 else Spared.IDLE

    def end(self) -> None:
        """Close an idle connection."""
        self._keepalive_timeout()

    def abort(self) -> None:
        """Close it, and let the system forget what is still to be sent."""
        connection = self.transport.get_extra_info("socket")
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_OFF)
        self.transport.abort()

    # ------------------------------------------------------------------------- reading

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where to read to: all connections share one place, as each is read in turn."""
        inbox: memoryview = self.worker.inbox
        return inbox

    def buffer_updated(self, nbytes: int) -> None:
        """Parse what has arrived, or keep it until there is time."""
        self._input += bytes(self.worker.inbox[:nbytes])
        self.worker.pace.parse(self)
        if len(self._input) >= MOST_PIPELINED:
            self.hold()

    @property
    def has_input(self) -> bool:
        """Return whether bytes are to be parsed: none while an answer is awaited."""
        return bool(self._input) and not self._has_request

    @property
    def is_beginning(self) -> bool:
        """Return whether nothing of the next request is parsed yet."""
        return self._current_request is None and not self._head_bytes

    @property
    def _has_request(self) -> bool:
        """Return whether a whole request has arrived, and is not answered yet."""
        return self._current_request is not None and not self._is_sending_body

    def parse_slice(self) -> None:
        """Parse a few bytes of the input; more of them where they are cheap."""
        size = SLICE
        if self._is_sending_body:
            size = self._slice if self._current_request.chunked else len(self._input)
        if self.is_beginning:  # a body is parsed in turns of its own, and so is the next request
            end = self._input.find(END_OF_HEAD, 0, SLICE)
            size = SLICE if end < 0 else end + len(END_OF_HEAD)
        data, self._input = self._input[:size], self._input[size:]
        self.data_received(data)
        if self._closed:
            self._input = b""
        elif self._current_request is not None:
            self._head_bytes = 0
            if self._has_request:
                self.worker.pace.refund(self)
        else:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD:
                self._send_error_response(431, "Request head is too large")
                self._close_transport()
                self._input = b""

    @property
    def _is_sending_body(self) -> bool:
        receiver: Any = self._body_receiver
        return receiver is not None and not receiver._complete  # noqa: SLF001

    def data_received(self, data: bytes) -> None:
        """Parse a part of the input."""
        self._is_parsing = True
        try:
            super().data_received(data)
        finally:
            self._is_parsing = False

    def _feed_callback_parser(self, data: bytes) -> bool:
        if not self._is_parsing:  # gunicorn hands back what lay behind the request just answered
            self._input = data + self._input
            return True
        began, began_processor = time.monotonic(), time.thread_time()
        try:
            return bool(super()._feed_callback_parser(data))
        except ValueError:  # a length of more digits than Python reads
            self._send_error_response(400, "Invalid number")
            self._close_transport()
            return False
        finally:
            seconds, processor = time.monotonic() - began, time.thread_time() - began_processor
            self.worker.pace.charge(self, seconds, processor)
            if processor > SLICE_SECONDS:
                self._slice = max(LEAST_SLICE, self._slice // 2)
            elif len(data) >= self._slice and processor < SLICE_SECONDS / 3:
                self._slice = min(2 * self._slice, MOST_READ)

    def _arm_keepalive_timer(self) -> None:
        """Parse the next request, as the former one is answered."""
        super()._arm_keepalive_timer()
        if self._input:
            self.worker.loop.call_soon(self.worker.pace.parse, self)

    def hold(self) -> None:
        """Read no more for now."""
        self._is_held = True
        self.transport.pause_reading()

    def release(self) -> None:
        """Read again, unless enough has arrived or gunicorn wants to wait."""
        if not self._is_held or len(self._input) >= MOST_PIPELINED:
            return
        self._is_held = False
        if not self._reading_paused:
            self.transport.resume_reading()

    def _resume_reading(self) -> None:
        if self._is_held:
            self._reading_paused = False
        else:
            super()._resume_reading()

    def _on_headers_complete(self) -> bool:
        check_head(self._callback_parser)
        skips_body = bool(super()._on_headers_complete())
        self._body_receiver = JoinedBody(self._current_request, self)
        return skips_body

    # ------------------------------------------------------------------------- writing

    def pause_writing(self) -> None:
        """Let go of a client that takes nothing for long."""
        super().pause_writing()
        self._limit = self._limit or self._abort_later()

    def resume_writing(self) -> None:
        """Go on, as something was taken."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        super().resume_writing()

    def _abort_later(self) -> TimerHandle:
        handle: TimerHandle = self.worker.loop.call_later(SILENCE, self.abort)
        return handle

    def _close_transport(self) -> None:
        super()._close_transport()
        self.transport.close()  # not yet done where the other end had gone
        if self._limit is None and self.transport.get_write_buffer_size():
            self._limit = self._abort_later()

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        """Answer what is no request; ``message`` quotes it, and is not logged."""
        if self._closed:
            return
        if message != CUT:  # a client that leaves is no error
            self._warn(status)
        headers = common_headers(secure=self.worker.secure).items()
        super()._send_error_response(status, message, (*extra_headers, *headers))

    def _warn(self, status: int) -> None:
        left_out = self.worker.log_throttle.admit(str(status), self.address)
        if left_out is not None:
            more = f", and {left_out} more since the last such line" if left_out else ""
            self.log.warning("Invalid request, answered with %d%s", status, more)

    # ----------------------------------------------------------------- what it asks for

    def _is_websocket_upgrade(self, _: Any) -> bool:
        return False

    def _build_http_scope(self, *request: Any) -> Any:
        self.left = self.worker.loop.create_future()
        if self.is_half_closed or self.is_closed:  # since the request was read
            self._leave()
        return super()._build_http_scope(*request) | {
            "gunicorn.socket": self.transport.get_extra_info("socket"),
            "scorekeeper.link": self,
        }


def check_head(parser: Any) -> None:
    """Refuse a transfer coding that we do not decode, a request that names no host, and repeats."""
    hosts = [value for name, value in parser.headers if name == b"host"]
    codings = [value for name, value in parser.headers if name == b"transfer-encoding"]
    for coding in b",".join(codings).lower().split(b",") if codings else ():
        if coding.strip(b" \t") != b"chunked":
            raise UnsupportedTransferCoding("only the transfer coding chunked is decoded")
    if parser.http_version >= (1, 1) and not hosts:
        raise InvalidHeader("the header Host is missing")
    if not all(HOST.fullmatch(host) for host in hosts):
        raise InvalidHeader("the header Host does not name a host")
    single = [name for name, _ in parser.headers if name in SINGLE_HEADERS]
    if len(single) != len(set(single)):
        raise InvalidHeader("a header that may come only once came twice")

"""One connection: gunicorn's protocol, with an end to each wait and a bound on what it may cost.

gunicorn lets one thread wait for any number of clients, without time limits. Here each wait has an
end: for the head of a request after the keep-alive time, for a body as in ``intake``, for a client
that reads nothing of its answer after ``MAX_STALLED_WRITE_SECONDS``.
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

MAX_STALLED_WRITE_SECONDS: Final = 15.0  # for which a client may read nothing of what is sent
SOCKET_BUFFER_BYTES: Final = 1 << 17  # of the system, for each direction; Linux doubles it
RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)  # the value of SO_LINGER: on, for 0 seconds
MAX_READ_BYTES: Final = 1 << 14  # from a socket at a time
HEAD_SLICE_BYTES: Final = 1 << 11  # of the head of a request, parsed at a time
MIN_CHUNKED_SLICE_BYTES: Final = (
    1 << 8
)  # of a chunked body; 0.2 ms of parsing if the chunks have one byte
MAX_SLICE_SECONDS: Final = 3e-4  # of parsing a slice of a chunked body; then slices become smaller
MAX_PIPELINED_BYTES: Final = MAX_READ_BYTES  # unparsed, behind the request that is being answered
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
END_OF_HEAD: Final = b"\r\n\r\n"
MAX_HEAD_BYTES: Final = 1 << 15  # of the head of a request
TRUNCATED_BODY_MESSAGE: Final = "the connection ended before the body did"
HOST_PATTERN: Final = re.compile(
    rb"(?:\[[0-9A-Za-z.:]+\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(?::[0-9]*)?"
)

# Headers with a single value: if one is repeated, it is unclear which value counts.
SINGLE_HEADERS: Final = frozenset(
    {b"authorization", b"content-length", b"content-type", b"host", b"idempotency-key", b"if-match",
     b"last-event-id", b"origin", b"sec-fetch-site"}
)  # fmt: skip


class EvictableState(IntEnum):
    """The states in which a connection may be ended for a new one, the first to end first."""

    SILENT = 0  # it has sent no request yet
    SENDING = 1  # its body is incomplete
    IDLE = 2
    NOT_READING = 3  # the client reads nothing of its answer
    QUEUED = 4  # its input waits to be parsed
    STREAMING = 5


class JoinedBody(BodyReceiver):  # type: ignore[misc]  # gunicorn has no types
    """The body of a request. One receive returns all bytes that have arrived."""

    expect_continue: bool

    def __init__(self, request: Any, protocol: "ClientConnection") -> None:
        super().__init__(request, protocol)
        self.is_complete = self._is_gone = False
        self._changed = asyncio.Event()

    def feed(self, chunk: bytes) -> None:
        """Add bytes that have arrived; gunicorn calls it, and the two methods below."""
        super().feed(chunk)
        self._changed.set()

    def set_complete(self) -> None:
        """Note that the whole body has arrived."""
        self.is_complete = True
        super().set_complete()
        self._changed.set()

    def signal_disconnect(self) -> None:
        """Note that the connection has ended."""
        self._is_gone = True
        super().signal_disconnect()
        self._changed.set()

    async def receive(self) -> Any:
        """Join the chunks that have arrived, and return them as one message's body.

        Wait for the first one; the time limit is that of ``intake``, and not gunicorn's. Afterwards
        more of the body may be parsed.
        """
        if self.expect_continue and not self._is_ready:
            self.expect_continue = False
            self.protocol.transport.write(CONTINUE)
        while not self._is_ready:
            self._changed.clear()
            await self._changed.wait()
        message = await super().receive()
        pieces = [message.get("body", b"")]
        while self.buffered and "body" in message:
            message = await super().receive()  # without waiting
            pieces.append(message["body"])
        if len(pieces) > 1:
            message["body"] = b"".join(pieces)
        self.protocol.parse_more()
        return message

    @property
    def _is_ready(self) -> bool:
        """Return whether bytes have arrived, or no more will."""
        return bool(self.buffered or self.is_complete or self._is_gone or self.protocol.is_closed)


class ClientConnection(ASGIProtocol, asyncio.BufferedProtocol):  # type: ignore[misc]
    """A connection of a client with one request at a time.

    The worker's pace decides when to parse.
    """

    address = ""
    cost = 0.0  # seconds of processor time that parsing its input took lately
    cost_at = 0.0
    is_streaming = False
    end_of_input: Any = None  # a future, done once the client sends nothing more
    _limit: TimerHandle | None = None
    _input = b""  # bytes that have been read, and not parsed
    _is_held = False  # whether the pace lets it read no more for now
    _is_parsing = False
    _slice = MIN_CHUNKED_SLICE_BYTES  # bytes of a chunked body that are parsed at a time
    _head_bytes = 0  # of the current request's head that are parsed
    _body: JoinedBody | None = None  # of the current request, or of the one before

    # ------------------------------------------------------------------- begin and end

    def connection_made(self, transport: BaseTransport) -> None:
        """Register with the worker, or close if it has no capacity; wait for the first request."""
        super().connection_made(transport)
        self.address = address_of(str((transport.get_extra_info("peername") or ("",))[0]))
        connection = transport.get_extra_info("socket")
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            connection.setsockopt(socket.SOL_SOCKET, buffer, SOCKET_BUFFER_BYTES)
        if self.worker.enter(self):
            self._arm_keepalive_timer()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the unparsed input, and remove the connection from the worker."""
        self._input = b""
        self._mark_end_of_input()
        self.resume_writing()
        self.worker.leave(self)
        super().connection_lost(exc)

    def eof_received(self) -> bool:
        """Handle the client's end of input: a whole request is answered, a cut body gets 400.

        Returns whether the transport stays open.
        """
        self._mark_end_of_input()
        if self._current_request is None:
            return False
        if self._is_sending_body:
            self._send_error_response(400, TRUNCATED_BODY_MESSAGE)
            return False
        self._keepalive = 0
        return True

    def _mark_end_of_input(self) -> None:
        """Complete the future ``end_of_input``, if there is one and it is still open."""
        if self.end_of_input is not None and not self.end_of_input.done():
            self.end_of_input.set_result(None)

    @property
    def is_idle(self) -> bool:
        """Return whether the connection waits for its next request, or for the rest of its head."""
        return self._current_request is None

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""
        return bool(self.transport.is_closing() or self._tcp_state() == TCP_CLOSE)

    @property
    def is_half_closed(self) -> bool:
        """Return whether the client sends nothing more; earlier bytes may still be unread."""
        return self._tcp_state() == TCP_CLOSE_WAIT

    def _tcp_state(self) -> int:
        """Return the state of the socket, as `tcp_state` does."""
        return tcp_state(self.transport.get_extra_info("socket"))

    @property
    def evictable_state(self) -> EvictableState | None:
        """Return what the connection waits for, or None while a request of it is in a thread."""
        if self.is_streaming:
            return EvictableState.STREAMING
        if self._is_sending_body:
            return EvictableState.SENDING
        if self._limit is not None:
            return EvictableState.NOT_READING
        if self.has_input:
            return EvictableState.QUEUED
        if not self.is_idle:
            return None
        return EvictableState.SILENT if self.req_count == 1 else EvictableState.IDLE

    def abort(self) -> None:
        """Close the connection with a reset, and drop the bytes that are still to be sent."""
        connection = self.transport.get_extra_info("socket")
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.transport.abort()

    # ------------------------------------------------------------------------- reading

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the read buffer, which all connections share, one after another."""
        inbox: memoryview = self.worker.inbox
        return inbox

    def buffer_updated(self, nbytes: int) -> None:
        """Take ``nbytes`` from the shared buffer; let the pace parse them, now or later."""
        self._input += bytes(self.worker.inbox[:nbytes])
        self.worker.pace.parse(self)
        if len(self._input) >= MAX_PIPELINED_BYTES:
            self.hold()

    @property
    def has_input(self) -> bool:
        """Return whether there are bytes to parse now.

        There are none while an answer is awaited, or while much of a body waits to be received.
        """
        return bool(self._input) and not self._has_request and not self._is_body_full

    @property
    def is_beginning(self) -> bool:
        """Return whether no byte of the next request has been parsed."""
        return self._current_request is None and not self._head_bytes

    @property
    def _has_request(self) -> bool:
        """Return whether a whole request has arrived that is not answered yet."""
        return self._current_request is not None and not self._is_sending_body

    def parse_slice(self) -> None:
        """Parse the next slice of the input, and remove it from the input.

        A slice is part of a head, part of a chunked body, or the rest of any other body. A head of
        more than ``MAX_HEAD_BYTES`` is answered with 431.
        """
        size = HEAD_SLICE_BYTES
        if self._is_sending_body:
            size = self._slice if self._current_request.chunked else len(self._input)
        if self.is_beginning:  # a body is parsed in turns of its own, and so is the next request
            end = self._input.find(END_OF_HEAD, 0, HEAD_SLICE_BYTES)
            size = HEAD_SLICE_BYTES if end < 0 else end + len(END_OF_HEAD)
        data, self._input = self._input[:size], self._input[size:]
        self.data_received(data)
        if self.transport.is_closing():
            self._input = b""
        elif self._current_request is not None:
            self._head_bytes = 0
            if self._has_request:
                self.worker.pace.refund(self)
        else:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._send_error_response(431, "Request head is too large")
                self._close_transport()
                self._input = b""

    @property
    def _is_sending_body(self) -> bool:
        """Return whether the body of the current request is incomplete."""
        return bool(self._current_request and self._body and not self._body.is_complete)

    @property
    def _is_body_full(self) -> bool:
        """Return whether much of the current body waits to be received."""
        held = self._body.buffered if self._body and self._is_sending_body else 0
        return bool(held >= MAX_PIPELINED_BYTES)

    def parse_more(self) -> None:
        """Let input that is there be parsed, after some of the body was received."""
        if self.has_input:
            self.worker.pace.parse(self)

    def data_received(self, data: bytes) -> None:
        """Parse a slice that `parse_slice` has taken from the input.

        Only `parse_slice` calls it: received bytes arrive in `buffer_updated`.
        """
        self._is_parsing = True
        try:
            super().data_received(data)
        finally:
            self._is_parsing = False

    def _feed_callback_parser(self, data: bytes) -> bool:
        """Parse bytes, charge the time, and adapt the slice size; return whether to continue.

        Outside of `data_received`, keep the bytes as input instead.
        """
        if not self._is_parsing:  # gunicorn returns the bytes after the request it answered
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
            if processor > MAX_SLICE_SECONDS:
                self._slice = max(MIN_CHUNKED_SLICE_BYTES, self._slice // 2)
            elif len(data) >= self._slice and processor < MAX_SLICE_SECONDS / 3:
                self._slice = min(2 * self._slice, MAX_READ_BYTES)

    def _arm_keepalive_timer(self) -> None:
        """Start the keep-alive time after an answer, and let input that is there be parsed."""
        super()._arm_keepalive_timer()
        if self._input:
            self.worker.loop.call_soon(self.worker.pace.parse, self)

    def hold(self) -> None:
        """Stop reading from the socket until `release`."""
        self._is_held = True
        self.transport.pause_reading()

    def release(self) -> None:
        """Read from the socket again after `hold`, unless too many bytes are unparsed."""
        if not self._is_held or len(self._input) >= MAX_PIPELINED_BYTES:
            return
        self._is_held = False
        self.transport.resume_reading()

    def _on_headers_complete(self) -> bool:
        """Check the head with `check_head`. Return whether the body is skipped."""
        check_head(self._callback_parser)
        skips_body = bool(super()._on_headers_complete())
        self._body = self._body_receiver = JoinedBody(self._current_request, self)
        return skips_body

    # ------------------------------------------------------------------------- writing

    def pause_writing(self) -> None:
        """Abort the connection later unless the client reads; asyncio has too much to send."""
        super().pause_writing()
        self._limit = self._limit or self._abort_later()

    def resume_writing(self) -> None:
        """Cancel the abort, as the client has read something."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        super().resume_writing()

    def _abort_later(self) -> TimerHandle:
        """Return a timer that aborts the connection after ``MAX_STALLED_WRITE_SECONDS``."""
        handle: TimerHandle = self.worker.loop.call_later(MAX_STALLED_WRITE_SECONDS, self.abort)
        return handle

    def _close_transport(self) -> None:
        """Close the connection when all is sent; abort it if the client reads too slowly."""
        super()._close_transport()
        self.transport.close()  # gunicorn leaves that out if the client was gone
        if self._limit is None and self.transport.get_write_buffer_size():
            self._limit = self._abort_later()

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        """Answer an invalid request; log its status, but not ``message``, which may quote it."""
        if self.transport.is_closing():
            return
        if message != TRUNCATED_BODY_MESSAGE:  # a client that leaves is no error
            self._log_invalid(status)
        headers = common_headers(secure=self.worker.secure).items()
        super()._send_error_response(status, message, (*extra_headers, *headers))

    def _log_invalid(self, status: int) -> None:
        """Log that a request was invalid, with its status; repeated lines are throttled.

        It is no warning, since nobody has to act: a phone that tries https first sends one.
        """
        left_out = self.worker.log_throttle.admit(str(status), self.address)
        if left_out is not None:
            more = f", and {left_out} more since the last such line" if left_out else ""
            self.log.info("Invalid request, answered with %d%s", status, more)

    # ----------------------------------------------------------------- what it asks for

    def _is_websocket_upgrade(self, _: Any) -> bool:
        """Return false: no request becomes a WebSocket."""
        return False

    def _build_http_scope(self, *request: Any) -> Any:
        """Return the ASGI scope of a request, with this connection and a new ``end_of_input``."""
        self.end_of_input = self.worker.loop.create_future()
        if self.is_half_closed or self.is_closed:  # since the request was read
            self._mark_end_of_input()
        return super()._build_http_scope(*request) | {
            "gunicorn.socket": self.transport.get_extra_info("socket"),
            "scorekeeper.link": self,
        }


def check_head(parser: Any) -> None:
    """Check the head of a request that gunicorn's parser has parsed.

    Raises `UnsupportedTransferCoding` for a transfer coding other than chunked, and `InvalidHeader`
    for a missing or malformed Host or a repeated header of ``SINGLE_HEADERS``.
    """
    hosts = [value for name, value in parser.headers if name == b"host"]
    codings = [value for name, value in parser.headers if name == b"transfer-encoding"]
    for coding in b",".join(codings).lower().split(b",") if codings else ():
        if coding.strip(b" \t") != b"chunked":
            raise UnsupportedTransferCoding("only the transfer coding chunked is decoded")
    if parser.http_version >= (1, 1) and not hosts:
        raise InvalidHeader("the header Host is missing")
    if not all(HOST_PATTERN.fullmatch(host) for host in hosts):
        raise InvalidHeader("the header Host does not name a host")
    single = [name for name, _ in parser.headers if name in SINGLE_HEADERS]
    if len(single) != len(set(single)):
        raise InvalidHeader("a header that may come only once came twice")

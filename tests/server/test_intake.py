"""Handling of raw bytes: malformed requests, and valid requests in rare forms.

All tests use raw connections to a real server.

Tests of ``server.bridge`` and ``server.connection``.
"""

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from scorekeeper.http.headers import HEADERS, PRIVATE_CACHE
from tests.operation.serving import Server, serving

HOST: Final = b"Host: localhost\r\n"
GET: Final = b"GET /healthz HTTP/1.1\r\n" + HOST
POST: Final = b"POST /api/score HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-ndjson\r\n"
LOG: Final = (
    b'{"type":"session_opened","data":{"title":"Friday","players":[{"id":"a","name":"A"}]}}\n'
)
CHUNKED: Final = b"Transfer-Encoding: chunked\r\n"
ENDED: Final = b"\r\n"
FORM: Final = "application/x-www-form-urlencoded"
PHONE: Final = "p" * 32  # the secret of a phone


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("wire"), log_level="error") as server:
        yield server


def answers(server: Server, raw: bytes, *, ends: bool = False) -> bytes:
    """Send bytes; return the data until the server closes the connection."""
    with closing(server.connect()) as connection:
        connection.sendall(raw)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(10_000), b""))


def statuses(received: bytes) -> list[int]:
    """Return the status of each answer in order."""
    return [int(found_) for found_ in re.findall(rb"HTTP/1\.1 (\d+) ", received)]


# ------------------------------------------------------------------------- malformed requests


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/9\r\n" + HOST + ENDED, 400),
        (b"GET  / HTTP/1.1\r\n" + HOST + ENDED, 400),
        (b"GET /\xff HTTP/1.1\r\n" + HOST + ENDED, 400),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST + ENDED, 414),
        (GET + b"X-Long: " + b"x" * 9_000 + ENDED * 2, 431),
        (GET + b"X-Many: x\r\n" * 200 + ENDED, 431),
        (GET + b"A b: c\r\n" + ENDED, 400),
        (GET + b"A: \0\r\n" + ENDED, 400),
        (GET + b"A: b\r\n folded\r\n" + ENDED, 400),
        (GET + b"A : b\r\n" + ENDED, 400),
        (POST + b"Transfer-Encoding: zip\r\n" + ENDED, 501),
        (POST + CHUNKED + ENDED + b"zz\r\n{}\r\n0\r\n\r\n", 400),
        (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n" + ENDED + b"12345", 400),
        (POST + b"Content-Length: -1\r\n" + ENDED, 400),
        (POST + b"Content-Length: +5\r\n" + ENDED + b"12345", 400),
        (POST + b"Content-Length: 5\r\n" + CHUNKED + ENDED + b"0\r\n\r\n" + GET + ENDED, 400),
        (POST + b"Transfer-Encoding: chunked, chunked\r\n" + ENDED + b"0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: xchunked\r\n" + ENDED + b"0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: gzip, chunked\r\n" + ENDED + b"0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: GZip ,\tchunked\r\n" + ENDED + b"0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: deflate\r\n" + CHUNKED + ENDED + b"0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: identity, chunked\r\n" + ENDED + b"0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: gzip\r\n" + ENDED + b"12345", 400),
        (POST + b"Transfer-Encoding: chunked, gzip\r\n" + ENDED + b"0\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        *((POST + name + b": 1\r\n" + name.upper() + b": 1\r\n" + ENDED, 400)
          for name in (b"Idempotency-Key", b"Authorization", b"If-Match", b"Last-Event-ID")),
        (POST + b"Content-Type: text/plain\r\n" + ENDED, 400),  # it has another one
        (GET + HOST + ENDED, 400),
        (b"GET http://localhost/healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        (GET + b"".join(b"X-%d: %b\r\n" % (n, b"x" * 900) for n in range(40)) + ENDED, 431),
    ],
)  # fmt: skip
def test_malformed_request_is_refused_with_the_usual_headers(
    server: Server, raw: bytes, status: int
) -> None:
    received = answers(server, raw)
    assert statuses(received) == [status]
    head = received.partition(b"\r\n\r\n")[0].decode().splitlines()
    for name, value in (*HEADERS.items(), PRIVATE_CACHE, ("Connection", "close")):
        assert head.count(f"{name}: {value}") == 1


def test_truncated_body_is_refused_with_the_usual_headers(server: Server) -> None:
    received = answers(server, POST + b"Content-Length: 500\r\n" + ENDED + LOG, ends=True)
    assert statuses(received) == [400]
    assert b"\r\nContent-Security-Policy: default-src 'none'" in received


def test_large_body_is_refused_after_it_is_received(server: Server) -> None:
    large = 9 << 20
    received = answers(server, POST + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % large
                   + b"x" * large)  # fmt: skip
    assert statuses(received) == [413]
    chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
    received = answers(
        server, POST + b"Connection: close\r\n" + CHUNKED + ENDED + chunk * 9 + b"0\r\n\r\n"
    )
    assert statuses(received) == [413]


def test_expectation_to_send_a_large_body_is_refused(server: Server) -> None:
    received = answers(server, POST + b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
    assert statuses(received) == [413]


# -------------------------------------------------------------------------- valid requests


def test_expectation_to_send_a_body_is_accepted(server: Server) -> None:
    head = POST + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
    with closing(server.connect()) as connection:
        connection.sendall(head % len(LOG))
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(LOG)
        assert statuses(connection.recv(10_000)) == [200]


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    body = POST + b"Content-Length: %d\r\n\r\n" % len(LOG) + LOG
    chunked = POST + CHUNKED + ENDED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(LOG), LOG)
    missing = b"GET /nothing HTTP/1.1\r\n" + HOST + ENDED
    raw = GET + ENDED + body + missing + chunked + GET + b"Connection: close\r\n\r\n"
    assert statuses(answers(server, raw)) == [200, 200, 404, 200, 200]


def test_half_closed_client_is_answered(server: Server) -> None:
    assert statuses(answers(server, GET + ENDED, ends=True)) == [200]


def test_http_1_0_client_receives_the_end_of_the_answer(server: Server) -> None:
    received = answers(server, b"GET / HTTP/1.0\r\n\r\n")
    assert received.startswith(b"HTTP/1.0 200 ")
    assert received.endswith(b"</html>") or received.rstrip().endswith(b"</html>")
    assert b"chunked" not in received


@pytest.mark.parametrize("host", ["[::1]:8000", "[::1]", "localhost:", "", "a_b.example", "xn--a"])
def test_host_is_a_name_or_an_address(server: Server, host: str) -> None:
    raw = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    assert statuses(answers(server, raw.encode())) == [200]


@pytest.mark.parametrize("size", [1, 7, 500])
def test_body_may_have_chunks_of_any_size(server: Server, size: int) -> None:
    pieces = [LOG[at : at + size] for at in range(0, len(LOG), size)]
    body = b"".join(b"%x;a=b\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    end = b"0\r\nX-Trailer: x\r\n\r\n"
    raw = POST + CHUNKED + ENDED + body + end + GET + b"Connection: close\r\n\r\n"
    assert statuses(answers(server, raw)) == [200, 200]


def test_many_pipelined_requests_are_all_answered(server: Server) -> None:
    raw = (GET + ENDED) * 60 + GET + b"Connection: close\r\n\r\n"
    assert statuses(answers(server, raw)) == [200] * 61


def test_head_has_no_body(server: Server) -> None:
    received = answers(server, b"HEAD / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    assert statuses(received) == [200]
    assert received.endswith(b"\r\n\r\n")
    assert b"\r\nContent-Length: " in received


def test_absolute_url_is_requested_by_its_path(server: Server) -> None:
    for path, status in (("/healthz", 200), ("/healthz?x=1", 200), ("/nothing", 404), ("", 200)):
        raw = f"GET http://elsewhere.example{path} HTTP/1.1\r\nConnection: close\r\n".encode()
        assert statuses(answers(server, raw + HOST + ENDED)) == [status]


def test_path_is_decoded_byte_by_byte(server: Server) -> None:
    close = HOST + b"Connection: close\r\n\r\n"
    assert statuses(answers(server, b"GET /%68ealthz HTTP/1.1\r\n" + close)) == [200]
    assert statuses(answers(server, b"GET /%ff%00%0a HTTP/1.1\r\n" + close)) == [404]
    assert statuses(answers(server, b"GET /rules/riparto?a=%ff HTTP/1.1\r\n" + close)) == [200]


def test_upgrade_to_another_protocol_is_ignored_or_refused(server: Server) -> None:
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    for asked, status in ((b"Upgrade: websocket\r\n" + key, 400), (b"Upgrade: h2c\r\n", 200)):
        raw = GET + asked + b"Connection: Upgrade, close\r\n\r\n"
        assert statuses(answers(server, raw)) == [status]


# ------------------------------------------------------------------- host names


@pytest.mark.parametrize(
    "target", ["{path}", "http://evil.example{path}", "http://evil.example:{port}{path}"]
)
@pytest.mark.parametrize(
    ("host", "in_links"),
    [
        ("evil.example", "127.0.0.1:{port}"),
        ("evil.example:{port}", "127.0.0.1:{port}"),
        ("127.0.0.1:1", "127.0.0.1:{port}"),
        ("127.0.0.1:{port}", "127.0.0.1:{port}"),
        ("localhost:{port}", "localhost:{port}"),
    ],
)
def test_links_use_the_host_of_the_request(
    server: Server, target: str, host: str, in_links: str
) -> None:
    session, form = server.open_session(), b"for=view"
    joined = f"key={session['keys']['host']}&phone={PHONE}"
    assert server.get("/join", "POST", joined, Content_Type=FORM).status == 303
    path = f"/t/{session['id']}/settings/link"
    head = (
        f"POST {target.format(path=path, port=server.port)} HTTP/1.1",
        f"Host: {host.format(port=server.port)}",
        "X-Forwarded-Host: evil.example",
        f"Cookie: phone={PHONE}",
        "Sec-Fetch-Site: same-origin",
        f"Content-Type: {FORM}",
        f"Content-Length: {len(form)}",
        "Connection: close",
    )
    received = answers(server, "\r\n".join((*head, "", "")).encode() + form)
    assert statuses(received) == [200]
    assert b"evil" not in received
    assert f'href="http://{in_links.format(port=server.port)}/join/'.encode() in received

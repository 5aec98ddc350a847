"""Detection of clients that disconnected while they wait for an answer."""

import socket

from scorekeeper.http.answering import is_closed


def test_closed_connection_is_detected() -> None:
    here, there = socket.socketpair()
    with here:
        with there:
            assert not is_closed(here.fileno())
        assert is_closed(here.fileno())


def test_sent_data_does_not_count_as_a_closed_connection() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"something")
        assert not is_closed(here.fileno())

"""What is found out about who waits for an answer."""

import socket

from scorekeeper.http.answering import is_closed


def test_a_connection_is_closed_once_the_other_end_is() -> None:
    here, there = socket.socketpair()
    with here:
        with there:
            assert not is_closed(here.fileno())
        assert is_closed(here.fileno())


def test_what_was_sent_on_a_connection_does_not_close_it() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"something")
        assert not is_closed(here.fileno())

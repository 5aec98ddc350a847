"""The state of a TCP connection, as the system knows it."""

import errno
import socket
from typing import Final

TCP_OTHER: Final = 0
# States of TCP, as the first byte of ``TCP_INFO``.
TCP_CLOSE: Final = 7
TCP_CLOSE_WAIT: Final = 8  # the client sends nothing more


def tcp_state(connection: socket.socket) -> int:
    """Return the TCP state of a socket: the first byte of ``TCP_INFO``.

    Returns ``TCP_CLOSE`` for a closed socket, and ``TCP_OTHER`` if the system reports none.
    """
    if not hasattr(socket, "TCP_INFO"):
        return TCP_OTHER
    try:
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except OSError as error:  # it is no longer open, or it is none of TCP
        return TCP_CLOSE if error.errno == errno.EBADF else TCP_OTHER

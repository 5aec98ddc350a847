"""What the system knows of a connection."""

import errno
import socket
from typing import Final

TCP_OTHER: Final = 0
# States of TCP, as the first byte of ``TCP_INFO``.
TCP_CLOSE: Final = 7
TCP_CLOSE_WAIT: Final = 8  # the client sends nothing more


def tcp_state(connection: socket.socket) -> int:
    """Return the state of a connection, ``TCP_OTHER`` if the system does not say."""
    if not hasattr(socket, "TCP_INFO"):
        return TCP_OTHER
    try:
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except OSError as error:  # it is no longer open, or it is none of TCP
        return TCP_CLOSE if error.errno == errno.EBADF else TCP_OTHER

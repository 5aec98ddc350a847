"""A process with the modules of a server loaded, forked for each server so that it starts fast.

The parent sends a command and receives the id of the forked process. That process reads its
settings, opens its database and starts its children as any server; only its imports are done.
"""

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from functools import cache
from importlib import import_module
from pathlib import Path
from runpy import run_module
from typing import IO, Any, Final

# Not gunicorn, which serves from the folder in which it was imported.
LOADED: Final = ("scorekeeper.app", "scorekeeper.cli.serve")
MODULE: Final = "-m"
MAX_MESSAGE_BYTES: Final = 1 << 18  # of a command and its environment


# ------------------------------------------------------------------------------- in the parent


class Forked:
    """A forked process, with the methods of ``subprocess.Popen`` that servers need."""

    def __init__(self, warm: "Warm", pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._warm = warm
        self._ended = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return its exit status, None while it runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its exit status; raise `TimeoutExpired` after ``timeout`` seconds."""
        status = self._wait(None if timeout is None else timeout * 1000)
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return status

    def send_signal(self, signum: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._ended, signum)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _wait(self, milliseconds: float | None) -> int | None:
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._ended, select.POLLIN)
            if waiting.poll(milliseconds):
                self.returncode = self._warm.request({"ended": self.pid})
                os.close(self._ended)
        return self.returncode


class Warm:
    """The warm process. It ends with its parent."""

    def __init__(self) -> None:
        self._socket, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with remote:
            command = (sys.executable, MODULE, __name__, str(remote.fileno()))
            path = {"PYTHONPATH": str(Path(__file__).parents[2])}
            self._process = subprocess.Popen(
                command, pass_fds=[remote.fileno()], env=os.environ | path
            )

    def request(self, message: Any, *files: int) -> int:
        """Send a message with open files, and return the response, a number."""
        with self._lock:
            socket.send_fds(self._socket, [json.dumps(message).encode()], files)
            return int(self._socket.recv(100))


@cache
def warm() -> Warm:
    """Return the warm process of this process."""
    return Warm()


def forked(
    arguments: list[str], folder: Path, environment: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> Forked:
    """Run ``python -m`` with these arguments in a folder, forked from the warm process."""
    message = {"arguments": arguments, "folder": str(folder), "environment": environment}
    return Forked(warm(), warm().request(message, out.fileno(), err.fileno()))


# ------------------------------------------------------------------------- in the warm process


def serve(parent: socket.socket) -> list[str]:
    """Fork a process for each command; return its arguments in the forked process only."""
    while True:
        data, files, _, _ = socket.recv_fds(parent, MAX_MESSAGE_BYTES, 2)
        if not data:
            sys.exit()
        message = json.loads(data)
        if "ended" in message:
            _, status = os.waitpid(message["ended"], 0)
            parent.send(str(os.waitstatus_to_exitcode(status)).encode())
        elif pid := os.fork():
            parent.send(str(pid).encode())
            for file in files:
                os.close(file)
        else:
            parent.close()
            for descriptor, file in enumerate(files, 1):
                os.dup2(file, descriptor)
                os.close(file)
            os.chdir(message["folder"])
            os.environ.clear()
            os.environ.update(message["environment"])
            arguments: list[str] = message["arguments"]
            return arguments


if __name__ == "__main__":
    gc.disable()
    for module in LOADED:
        import_module(module)
    gc.enable()
    gc.freeze()
    module_name, *options = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = [module_name, *options]
    sys.orig_argv = [sys.executable, MODULE, module_name, *options]
    run_module(module_name, run_name="__main__", alter_sys=True)

"""A process that has loaded what a server needs, and is forked for each: it starts in no time.

Who starts it sends what to run, and gets the id of the process that runs it. That reads its
settings, opens its database and begins its processes as it does elsewhere; only what it imports
is there already.
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
MOST_TOLD: Final = 1 << 18  # bytes of a command and its environment


# ----------------------------------------------------------------------------- who starts them


class Forked:
    """A process that was forked: what ``subprocess.Popen`` can, as far as servers need it."""

    def __init__(self, warm: "Warm", pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._warm = warm
        self._ended = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Its status, None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Its status, once it has ended; TimeoutExpired where that takes longer, in seconds."""
        found = self._look(None if timeout is None else timeout * 1000)
        if found is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return found

    def send_signal(self, how: int) -> None:
        """Signal it, if it still runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._ended, how)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, milliseconds: float | None) -> int | None:
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._ended, select.POLLIN)
            if waiting.poll(milliseconds):
                self.returncode = self._warm.ask({"ended": self.pid})
                os.close(self._ended)
        return self.returncode


class Warm:
    """The process that is forked. It ends with the one that started it."""

    def __init__(self) -> None:
        self._wire, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._one_at_a_time = threading.Lock()
        with theirs:
            command = (sys.executable, MODULE, __name__, str(theirs.fileno()))
            path = {"PYTHONPATH": str(Path(__file__).parents[2])}
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env=os.environ | path
            )

    def ask(self, told: Any, *files: int) -> int:
        """Its answer, a number."""
        with self._one_at_a_time:
            socket.send_fds(self._wire, [json.dumps(told).encode()], files)
            return int(self._wire.recv(100))


@cache
def warm() -> Warm:
    """The one of this process."""
    return Warm()


def forked(
    arguments: list[str], folder: Path, environment: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> Forked:
    """Run ``python -m`` with these arguments, in a folder."""
    told = {"arguments": arguments, "folder": str(folder), "environment": environment}
    return Forked(warm(), warm().ask(told, out.fileno(), err.fileno()))


# ----------------------------------------------------------------------------- what is forked


def serve(wire: socket.socket) -> list[str]:
    """Fork for whatever is asked for; of each that is forked, the arguments that it runs with."""
    while True:
        said, files, _, _ = socket.recv_fds(wire, MOST_TOLD, 2)
        if not said:
            sys.exit()
        told = json.loads(said)
        if "ended" in told:
            _, status = os.waitpid(told["ended"], 0)
            wire.send(str(os.waitstatus_to_exitcode(status)).encode())
        elif pid := os.fork():
            wire.send(str(pid).encode())
            for one in files:
                os.close(one)
        else:
            wire.close()
            for place, one in enumerate(files, 1):
                os.dup2(one, place)
                os.close(one)
            os.chdir(told["folder"])
            os.environ.clear()
            os.environ.update(told["environment"])
            arguments: list[str] = told["arguments"]
            return arguments


if __name__ == "__main__":
    gc.disable()
    for module in LOADED:
        import_module(module)
    gc.enable()
    gc.freeze()
    named, *more = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = [named, *more]
    sys.orig_argv = [sys.executable, MODULE, named, *more]
    run_module(named, run_name="__main__", alter_sys=True)

"""``serve``: the service and its pages."""

import os
import socket
import sys
from typing import Final

import click

from scorekeeper.resources import resource

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # phones at the table come over the network


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")  # noqa: S104
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
def serve(host: str, port: int) -> None:
    """Start the service, print its address and a QR code of it, and serve until stopped."""
    import segno  # only this command needs it

    refuse_taken(host, port)
    found = reachable(host)
    address = f"http://{f'[{found}]' if ':' in found else found}:{port}/"
    click.echo(f"Scorekeeper is at {address}")
    if host in EVERYWHERE:
        click.echo(f"and on this machine at http://127.0.0.1:{port}/")
        click.echo("Phones on the same network find it by this code:\n")
    segno.make(address, error="m").terminal(compact=True)
    click.echo("\nStop it with Ctrl-C.")
    sys.stdout.flush()
    command = [sys.executable, "-m", "gunicorn", "-c", str(resource("gunicorn.conf.py"))]
    os.execv(sys.executable, [*command, "-b", f"{f'[{host}]' if ':' in host else host}:{port}"])  # noqa: S606  # our own command


def refuse_taken(host: str, port: int) -> None:
    """End with a plain message where something else listens on the port."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise click.ClickException(
                f"cannot listen on {host}:{port}: {error.strerror}; choose another --port"
            ) from None


def reachable(host: str) -> str:
    """The address under which others find this machine; nothing is sent to find it out."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address

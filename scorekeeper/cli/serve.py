"""``serve``: the service and its pages."""

import os
import socket
import sys
from collections.abc import Callable
from errno import EACCES, EADDRINUSE
from runpy import run_module
from typing import Final, NoReturn, TypeVar
from urllib.parse import urlsplit

import click

from scorekeeper.base.paths import resource
from scorekeeper.cli.log_files import report_refused_games, stop
from scorekeeper.cli.stores import exit_on_error, migrate_database, settings_or_exit
from scorekeeper.config import PREFIX, Settings, unknown_variables
from scorekeeper.operation.reach import EVERYWHERE, public_address
from scorekeeper.store import app_role, open_store
from scorekeeper.store.addresses import PostgresServer, parse
from scorekeeper.store.contract import Durability

# Settings that the running service must not know.
OWNER_SETTINGS: Final = {f"{PREFIX}DATABASE_OWNER_URL", f"{PREFIX}APP_ROLE_PASSWORD"}

QR_BORDER: Final = 2  # modules; phones need no more on a screen

ANOTHER: Final = "Choose another, as in: make run PORT=8080, or: scorekeeper serve --port 8080"
REFUSED: Final = {
    EADDRINUSE: f"another program uses this port. {ANOTHER}",
    EACCES: f"this port is reserved for the system. {ANOTHER}",
}


T = TypeVar("T", bound=Callable[..., object])


def listening_options(command: T) -> T:
    """Give a command the options ``--host`` and ``--port``."""
    words = "The {} to listen on, instead of that in the settings."
    port = click.option("--port", type=click.IntRange(1, 65535), help=words.format("port"))
    return click.option("--host", help=words.format("address"))(port(command))


@click.command()
@listening_options
def serve(host: str | None, port: int | None) -> None:
    """Migrate the database, start the service, and serve until stopped.

    Prints the address and a QR code of it. All else is in the settings: scorekeeper settings.
    """
    chosen = choose_settings(host, port)
    refuse_used_port(chosen.host, chosen.port)
    with exit_on_error():
        migrate_database(chosen)
        if chosen.database_owner_url is not None:
            prepare_role(chosen)
            restart_without_owner()
        durability = check_database(chosen)
    for name in unknown_variables(os.environ):
        click.echo(f"{name} is not a setting and is ignored", err=True)
    report_refused_games()
    print_address(chosen)
    click.echo(durability)
    sys.stdout.flush()
    run_server(chosen)


def choose_settings(host: str | None, port: int | None) -> Settings:
    """Return the settings, with these options of the command; exit if one is not valid."""
    options = {"host": host, "port": port}
    return settings_or_exit(**{name: value for name, value in options.items() if value is not None})


def prepare_role(chosen: Settings) -> None:
    """Grant the database role of the service the rights that it needs, and no others."""
    match parse(chosen.store_url):
        case PostgresServer(arguments) if arguments.get("user"):
            try:
                app_role(chosen.owner_url, arguments["user"], arguments.get("password"))
            except ValueError as error:
                stop(f"{PREFIX}DATABASE_URL: {error}")
        case _:
            stop(f"{PREFIX}DATABASE_URL: expected a role of PostgreSQL, beside its owner")


def restart_without_owner() -> NoReturn:
    """Run this command again, without the settings for the owner of the database."""
    environment = {name: value for name, value in os.environ.items()
                   if name.upper() not in OWNER_SETTINGS}  # fmt: skip
    os.execve(sys.executable, sys.orig_argv, environment)  # noqa: S606  # our own command


def check_database(chosen: Settings) -> str:
    """Return a line about the durability of the database; exit if it cannot be used."""
    with open_store(chosen.store_url) as store:
        for complaint in store.complaints():
            stop(complaint)
        return durability_line(store.durability())


def durability_line(durability: Durability) -> str:
    """Return a line that describes the durability of a database."""
    modes = ", ".join(f"{name} {value}" for name, value in durability.settings.items())
    effect = "survives a power cut" if durability.durable else "may be lost in a power cut"
    return f"{durability.database}{f' ({modes})' if modes else ''}: what is acknowledged {effect}."


def print_address(chosen: Settings) -> None:
    """Print the address of the service and its QR code, for players, and then how to run it.

    With what ``serve`` prints after it, all of it fits on a terminal of 24 lines.
    """
    import segno  # only this command needs it

    address, everywhere = public_address(chosen), chosen.host in EVERYWHERE
    phones = " and phones scan this code:" if everywhere else ""
    click.echo(f"Scorekeeper is at {address}/{phones}\n")
    segno.make(f"{address}/", error="m").terminal(compact=True, border=QR_BORDER)
    here = f"On this machine it is at http://127.0.0.1:{chosen.port}/. " if everywhere else ""
    click.echo(f"\n{here}Stop it with Ctrl-C.")
    if everywhere and not chosen.trusted_hosts:
        name = urlsplit(address).hostname
        click.echo(f"It answers to any host name; {PREFIX}TRUSTED_HOSTS={name} sets one.")


def run_server(chosen: Settings) -> NoReturn:
    """Run the server in this process, which has already imported most modules."""
    os.environ |= {f"{PREFIX}HOST": chosen.host, f"{PREFIX}PORT": str(chosen.port)}
    sys.argv = ["gunicorn", "-c", str(resource("gunicorn.conf.py"))]
    run_module("gunicorn", run_name="__main__", alter_sys=True)
    sys.exit()


def refuse_used_port(host: str, port: int) -> None:
    """Exit with a message if another program listens on the port."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            stop(f"cannot listen on {host}:{port}: {REFUSED.get(error.errno or 0, error.strerror)}")

"""``keys``: list the keys of a session, a club or a tournament, make one, or revoke one."""

from typing import Final

import click

from scorekeeper.base.errors import UnknownSessionError
from scorekeeper.cli.sheet_text import strip_controls
from scorekeeper.cli.stores import link_or_key, open_database
from scorekeeper.service import Clubs, Service, Tournaments
from scorekeeper.store import ROLES, Key, KeyRequest, Role, Store, keyring

# The columns of the list, each with its width; the last one is not padded.
COLUMNS: Final = {"id": 12, "role": 4, "player": 16, "created": 16, "last used": 16, "closed": 0}
TIME_CHARACTERS: Final = len("2026-11-21 20:14")


@click.command()
@click.argument("stream_id", metavar="SESSION | CLUB | TOURNAMENT")
@click.option("--role", type=click.Choice(ROLES), help="Make a key for this role.")
@click.option("--player", help="The id of the player, or member, whose seat a new key is for.")
@click.option("--revoke", "key_id", metavar="KEY", help="Revoke the key with this id.")
def keys(stream_id: str, role: Role | None, player: str | None, key_id: str | None) -> None:
    """List the keys of a session, a club or a tournament, the oldest first; times are in UTC.

    With --role make a key and print its link, or its secret if there is no public address: it is
    shown only once. With --revoke revoke a key; it opens nothing from then on, and the present
    code to join ends, too. The last key of a host that does not expire cannot be revoked. All of
    this works while the service runs.
    """
    if role is None and player is not None:
        raise click.UsageError("--player names whose seat a new key is for: add --role seat")
    if role is not None and key_id is not None:
        raise click.UsageError("either --role or --revoke")
    with open_database() as store:
        service = service_of(store, stream_id)
        if role is not None:
            new = service.add_key(stream_id, KeyRequest(role, player))
            # A tournament has no page to which a link could lead.
            secret = new.secret if keyring.is_tournament(stream_id) else link_or_key(new.secret)
            click.echo(f"key   {new.key.id}\n{role:<4}  {secret}")
        elif key_id is not None:
            service.revoke_key(stream_id, key_id, ends_code=True)
            click.echo(strip_controls(f"{key_id} is revoked, and opens nothing any more"))
        else:
            print_keys(store.keys(stream_id))


def service_of(store: Store, stream_id: str) -> Service | Clubs | Tournaments:
    """Return the service of a stream that exists; raises `UnknownSessionError`."""
    if keyring.kind_of(stream_id) is None:
        raise UnknownSessionError(stream_id)
    store.position(stream_id)
    service = Service(store)
    if keyring.is_tournament(stream_id):
        return Tournaments(service)
    return Clubs(service) if keyring.is_club(stream_id) else service


def print_keys(known: tuple[Key, ...]) -> None:
    """Print a line for each key; secrets are stored nowhere."""
    click.echo(format_row(tuple(COLUMNS)))
    for key in known:
        used = format_time(key.last_used) if key.last_used else "-"
        row = (key.id, key.role, key.player or "-", format_time(key.created), used, closing(key))
        click.echo(format_row(row))


def format_row(cells: tuple[str, ...]) -> str:
    """Return a line of the list, with each cell in its column."""
    widths = COLUMNS.values()
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))


def closing(key: Key) -> str:
    """Return when a key was revoked, or when it expires; ``-`` if neither."""
    if key.revoked is not None:
        return f"revoked {format_time(key.revoked)}"
    return "-" if key.expires is None else f"expires {format_time(key.expires)}"


def format_time(time: str) -> str:
    """Return a time of a log as ``2026-11-21 20:14``."""
    return time[:TIME_CHARACTERS].replace("T", " ")

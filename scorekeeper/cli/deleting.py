"""``delete``: delete a whole session, club or tournament."""

from collections.abc import Iterator

import click

from scorekeeper.cli.log_files import stop
from scorekeeper.cli.sheet_text import strip_controls
from scorekeeper.cli.stores import open_database
from scorekeeper.clubs.state import ClubState
from scorekeeper.service import Clubs, Service, Tournaments
from scorekeeper.service.described import describe_stored
from scorekeeper.store import Store, keyring
from scorekeeper.tournaments.state import TournamentState


@click.command()
@click.argument("stream_id", metavar="SESSION | CLUB | TOURNAMENT")
def delete(stream_id: str) -> None:
    """Delete a whole session, club or tournament: its log, all names, and everything about it.

    It asks twice, and cannot be undone. Clubs that counted a session say that it was deleted, and
    the day, and count nothing of it, as tournaments do; the evenings of a deleted club, and the
    tables of a deleted tournament, stay. A restored backup does
    not bring it back. The service can run meanwhile. On PostgreSQL this needs the owner of the
    tables, in SCOREKEEPER_DATABASE_OWNER_URL.
    """
    with open_database(as_owner=True) as store:
        for line in list_contents(store, stream_id):
            click.echo(line)
        if click.prompt("To delete it for ever, type its id") != stream_id:
            stop("That is another id. Nothing was deleted.")
        if not click.confirm("Delete it now?"):
            stop("Nothing was deleted.")
        store.delete_stream(stream_id)
    click.echo(
        f"{stream_id} is deleted. Files that were made of it before, such as backups and exports, "
        "still hold it."
    )


def list_contents(store: Store, stream_id: str) -> Iterator[str]:
    """Yield lines that describe a session, club or tournament before it is deleted.

    Raises `UnknownSessionError`.
    """
    events = store.position(stream_id).version
    if keyring.is_club(stream_id):
        yield from Clubs(Service(store)).with_state(stream_id, _list_club)
    elif keyring.is_session(stream_id):
        about = describe_stored(store, stream_id)
        yield strip_controls(f"session: {about.title}")
        yield strip_controls(f"players: {', '.join(about.players)}")
    elif keyring.is_tournament(stream_id):
        yield from Tournaments(Service(store)).with_state(stream_id, _list_tournament)
    following = dict.fromkeys(followed.club for followed in store.followers(stream_id))
    for kind in (keyring.StreamKind.CLUB, keyring.StreamKind.TOURNAMENT):
        ids = [id_ for id_ in following if keyring.kind_of(id_) is kind]
        if ids:
            yield f"{kind}s that count it or did: {', '.join(ids)}"
    yield f"{events} events, {len(store.keys(stream_id))} keys"


def _list_club(state: ClubState) -> list[str]:
    """Return lines that describe a club: its name, its members, and how many evenings it counts."""
    names = [member.name for member in state.members.values()]
    return [
        strip_controls(f"club: {state.opened.name if state.opened else ''}"),
        strip_controls(f"members and guests: {', '.join(names)}"),
        f"evenings that it counts, which stay: {len(state.evenings) + len(state.tournaments)}",
    ]


def _list_tournament(state: TournamentState) -> list[str]:
    """Return lines that describe a tournament: its name, its entrants, and how many tables stay."""
    names = [entrant.name for entrant in state.entrants.values()]
    return [
        strip_controls(f"tournament: {state.opening.name}"),
        strip_controls(f"entrants: {', '.join(names)}"),
        f"sessions of its tables, which stay: {len(state.list_sessions())}",
    ]

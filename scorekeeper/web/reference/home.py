"""The home page: tables, clubs and tournaments of this phone, how to start, and the games."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Blueprint, current_app, render_template

from scorekeeper.base.errors import NotInstalledError
from scorekeeper.cards.packs import Pack
from scorekeeper.clubs.state import ClubState
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.extensions import clubs, service, tournaments
from scorekeeper.log import canonical
from scorekeeper.report.not_installed import report_without_game
from scorekeeper.service.tournament_rights import tournament_role
from scorekeeper.session.session import Session
from scorekeeper.store import Key, Role
from scorekeeper.store.keyring import is_club, is_open, is_session, is_tournament
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.web.forms.outcomes import SideOutcome, list_outcomes
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.filters import format_age

blueprint = Blueprint("home", __name__)

MOST_TABLES: Final = 12
MOST_KEYS: Final = 50  # of the keys used last


@dataclass(frozen=True, slots=True)
class MyTable:
    """A table of this phone: its game, its score, and when it was played last."""

    id: str
    title: str
    game: str
    closed: bool
    at: str
    score: Sequence[SideOutcome]
    role: Role
    name: str
    when: str


@dataclass(frozen=True, slots=True)
class MyClub:
    """A club of this phone: the numbers of members and evenings, and this phone's role in it."""

    id: str
    name: str
    members: int
    evenings: int
    role: Role
    me: str


@dataclass(frozen=True, slots=True)
class MyTournament:
    """A tournament of this phone; ``round`` is 0 before the first, ``me`` the own entrant."""

    id: str
    name: str
    entrants: int
    round: int
    closed: bool
    role: str
    me: str


@blueprint.get("/")
def index() -> str:
    """Introduce the service, and list what this phone belongs to.

    Only a page of https can be opened again without a network: browsers refuse service workers
    to others.
    """
    keys = valid_keys()
    return render_template(
        "home/index.html",
        games=list(games_with_packs()),
        mine=my_tables(keys),
        clubs=my_clubs(keys),
        tournaments=my_tournaments(keys),
        secure=current_app.config["SESSION_COOKIE_SECURE"],
    )


def games_with_packs() -> Iterator[tuple[Game, Pack | None]]:
    """Yield each game with the pack that most of its players use; None where the game fails."""
    for game in GAMES.values():
        most, pack = max(game.seats), None
        with suppress(NotInstalledError), GAMES.failures_as_not_installed(stored=True):
            pack = game.pack(game.options(None, most), most)
        yield game, pack


def valid_keys() -> list[Key]:
    """Return the valid keys of this phone, one for each table, club and tournament."""
    now = service().access.clock()
    return [key for key in my_keys(MOST_KEYS) if is_open(key, now)]


def my_tables(keys: Iterable[Key]) -> list[MyTable]:
    """Return the tables of these keys, the one played last first."""
    tables = (my_table(key) for key in keys if is_session(key.stream_id))
    return sorted(tables, key=lambda table: table.at, reverse=True)[:MOST_TABLES]


def my_table(key: Key) -> MyTable:
    """Return the table of a key; without a score if its game cannot be played here."""
    try:
        with GAMES.failures_as_not_installed(stored=True):
            return service().see(key.stream_id, partial(describe_table, key=key))
    except NotInstalledError as error:
        return describe_unscored_table(key, error)


def my_clubs(keys: Iterable[Key]) -> list[MyClub]:
    """Return the clubs that these keys open, sorted by name."""
    my_own = (
        clubs().with_state(key.stream_id, partial(describe_club, key=key))
        for key in keys
        if is_club(key.stream_id)
    )
    return sorted(my_own, key=lambda club: club.name.casefold())


def describe_club(state: ClubState, key: Key) -> MyClub:
    """Return a club as a line of the home page."""
    member = state.members.get(state.get_current_id(key.player or ""))
    return MyClub(
        key.stream_id, state.opened.name if state.opened else "", count_members(state),
        len(state.evenings) + len(state.tournaments), key.role, member.name if member else "",
    )  # fmt: skip


def count_members(state: ClubState) -> int:
    """Return the number of present members; guests are none."""
    return sum(not (member.left or member.guest) for member in state.members.values())


def my_tournaments(keys: Iterable[Key]) -> list[MyTournament]:
    """Return the tournaments that these keys open, in the order of their last use."""
    return [
        tournaments().with_state(key.stream_id, partial(describe_tournament, key=key))
        for key in keys
        if is_tournament(key.stream_id)
    ]


def describe_tournament(state: TournamentState, key: Key) -> MyTournament:
    """Return a tournament as a line of the home page."""
    latest = state.find_latest_published()
    return MyTournament(
        key.stream_id, state.opening.name, len(state.entrants),
        latest.number if latest is not None else 0, state.heads is not None,
        tournament_role(key.role, key.player),
        next((name for player, name, _ in state.list_players() if player == key.player), ""),
    )  # fmt: skip


def describe_table(session: Session, key: Key) -> MyTable:
    """Return a session's title, score and last time as a line of the home page.

    The score is that of the last match; after the close that of the last one with a result.
    """
    record = session.structure
    last = record.matches[-1] if record.matches else None
    closed, outcomes = record.closed is not None, list_outcomes(session)
    shown = outcomes[-1] if outcomes else None
    if shown and last and shown.number < last.number and not closed:
        shown = None
    at = next(reversed(session.corrections.recorded.values())).at
    return MyTable(
        id=key.stream_id,
        title=record.opened.title if record.opened else "",
        game=shown.game if shown else last.game.local_name if last else "",
        closed=closed,
        at=at,
        score=shown.sides if shown else (),
        role=key.role,
        name=record.players.get(key.player or "", ""),
        when=format_age(at, service().now()),
    )


def describe_unscored_table(key: Key, error: NotInstalledError) -> MyTable:
    """Return a session whose game is missing as a line of the home page, without scores."""
    end = service().end(key.stream_id)
    lines = service().lines(key.stream_id, end)
    session = report_without_game(lines, end, error).session
    at = canonical.decode(lines[-1])["at"]
    names = {player.id: player.name for player in session.players}
    game = str(error.args[0].facts["game"])
    return MyTable(
        id=key.stream_id,
        title=session.title,
        game=GAMES[game].local_name if game in GAMES else game,
        closed=session.closed,
        at=at,
        score=(),
        role=key.role,
        name=names.get(key.player or "", ""),
        when=format_age(at, service().now()),
    )

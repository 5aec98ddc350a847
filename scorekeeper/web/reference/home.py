"""The first page: the tables of this phone, the ways in, the games."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Blueprint, render_template

from scorekeeper.games import GAMES
from scorekeeper.http.extensions import service
from scorekeeper.session.session import Session
from scorekeeper.store import Key, Role
from scorekeeper.store.keyring import opens
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.writing import ago

blueprint = Blueprint("home", __name__)

MOST_TABLES: Final = 12
MOST_LOOKED_AT: Final = 50  # of those used last


@dataclass(frozen=True, slots=True)
class Mine:
    """A table of this phone: what is played there, how it stands, when it was played last."""

    id: str
    title: str
    game: str
    closed: bool
    at: str
    score: list[tuple[list[str], int]]
    role: Role
    name: str
    when: str


@blueprint.get("/")
def index() -> str:
    """Say what this is, and where this phone has been."""
    return render_template("home/index.html", games=GAMES.values(), mine=my_tables())


def my_tables() -> list[Mine]:
    """The tables to which this phone holds a key, the one played last first."""
    found = sorted(_mine(), key=lambda one: one.at, reverse=True)
    return found[:MOST_TABLES]


def _mine() -> Iterator[Mine]:
    now = service().store.clock()
    found = {key.session: key for key in my_keys(MOST_LOOKED_AT) if opens(key, now)}
    for key in found.values():
        yield service().see(key.session, partial(mine, key=key))


def mine(session: Session, key: Key) -> Mine:
    """A session as the first page shows it."""
    record = session.structure
    last = record.matches[-1] if record.matches else None
    totals = last.standing().totals if last else {}
    at = next(reversed(session.corrections.recorded.values())).at
    return Mine(
        id=key.session,
        title=record.opened.title if record.opened else "",
        game=last.game.name if last else "",
        closed=record.closed is not None,
        at=at,
        score=[
            ([record.players[one] for one in members], totals[side])
            for side, members in (last.sides if last else {}).items()
        ],
        role=key.role,
        name=record.players.get(key.player or "", ""),
        when=ago(at, service().now()),
    )

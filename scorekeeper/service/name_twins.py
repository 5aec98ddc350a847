"""Refuse a new name that looks like that of another player or member.

Names of old logs, imports and restored backups stay as they are: only what is recorded now is
checked, with the names that it leaves, so corrections and sets of them are included.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.events import MemberJoined, MemberRenamed
from scorekeeper.clubs.values import Member
from scorekeeper.events.common import PlayerJoined, PlayerRenamed, SessionOpened
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.events.names import fold_name
from scorekeeper.session.session import Session

PlayerNames = Mapping[str, str]  # by id
Members = Mapping[str, Member]

NAMING: Final = (PlayerJoined.TYPE, PlayerRenamed.TYPE, MemberJoined.TYPE, MemberRenamed.TYPE)


class NamingCheck:
    """The names that an append gives players; they are compared once it is complete.

    So two players can exchange their names.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before = self._known = dict(session.structure.players)
        self._given: dict[str, tuple[Event, int]] = {}  # what named a player last, and its place

    def observe(self, event: Event, place: int) -> None:
        """Note the names that the event at a place of the append has changed."""
        players = self._session.structure.players
        if players != self._known:
            known, self._known = self._known, dict(players)
            for player, name in self._known.items():
                if known.get(player) != name:
                    self._given[player] = event, place

    def refuse_twins(self) -> None:
        """Raise `UnusableError` if a player now has a name that looks like another's."""
        twin = _find_twin(self._before, self._known)
        if twin is not None:
            event, place = self._given[[*self._known][twin.place]]
            error = make_twin_error(twin)
            error.field = f"events.{place}.{_find_field(event, twin.place)}"
            raise error


def refuse_twins_in_opening(event: Event, players: PlayerNames) -> None:
    """Raise `UnusableError` if two of the players of an opening have names that look alike."""
    twin = _find_twin({}, players)
    if twin is not None:
        error = make_twin_error(twin)
        error.field = _find_field(event, twin.place)
        raise error


def refuse_proposed_twins(before: PlayerNames, after: PlayerNames) -> None:
    """Raise `UnusableError` if a proposal would give a player a name that looks like another's."""
    twin = _find_twin(before, after)
    if twin is not None:
        error = make_twin_error(twin)
        error.field = "data.corrections"
        raise error


def make_twin_error(twin: "Twin") -> UnusableError:
    """Return the error that a player's name looks like another's."""
    words = f"there is a player called {twin.name} already: add something to tell them by"
    return UnusableError(Cause(words, "same_player_name", name=twin.name))


def refuse_member_twins(before: Members, after: Members, event: Event) -> None:
    """Raise `UnusableError` if an event gives a member of a club a name that looks like another's.

    ``before`` and ``after`` are all members without and with the event, former ones included.
    """
    twin = None if before == after else _find_twin(_list_names(before), _list_names(after))
    if twin is not None:
        words = f"there is a member called {twin.name} already: add something to tell them by"
        cause = Cause(words, "same_name", name=twin.name)
        raise UnusableError(cause, field=_find_field(event, twin.place))


def _list_names(members: Members) -> PlayerNames:
    """Return the names of members by id."""
    return {id_: member.name for id_, member in members.items()}


class Twin(NamedTuple):
    """The name that a new name looks like, and the place of the new name among all."""

    name: str
    place: int


def _find_twin(before: PlayerNames, after: PlayerNames) -> Twin | None:
    """Return the twin of the last new name that has one; None if none has."""
    new = [place for place, (id_, name) in enumerate(after.items()) if before.get(id_) != name]
    if not new:
        return None
    names = [*after.values()]
    places_by_key: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places_by_key.setdefault(fold_name(name), []).append(place)
    for place in reversed(new):
        for other in places_by_key[fold_name(names[place])]:
            if other != place:
                return Twin(names[other], place)
    return None


def _find_field(event: Event, place: int) -> str:
    """Return the path of the name in the data of an event."""
    if isinstance(event, SessionOpened):
        return f"data.players.{place}.name"
    if isinstance(event, EventInserted | EventReplaced):
        return "data.data.name" if event.type in NAMING else "data"
    return "data.name" if event.TYPE in NAMING else "data"

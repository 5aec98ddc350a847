"""Who the players of an evening are in a club: members that it has, and others who join for it.

The same name is the same person, as no two members have one name. Who came to an evening that is
entered already is whoever he was said to be there, whatever he is called today.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from scorekeeper.clubs.books import Books
from scorekeeper.clubs.roll import Roll, plain
from scorekeeper.events.fields import NAME_LENGTH

FIRST: Final = 2  # behind an id that another has
ID_LENGTH: Final = 32


@dataclass(frozen=True, slots=True)
class WhoIsWho:
    """From each player of an evening to a member, or to None for a guest.

    ``joining`` have yet to join, name by id.
    """

    players: dict[str, str | None] = field(default_factory=dict)
    joining: dict[str, str] = field(default_factory=dict)


def who_is_who(books: Books, names: Mapping[str, str], *, join: bool = True) -> WhoIsWho:
    """Who these players are, given by their names: two players are never the same member.

    Who is no member yet joins, or is a guest.
    """
    found, known = WhoIsWho(), dict(_known(books))
    named = {plain(one.name): one.id for one in books.roll.members.values()}
    for player, name in names.items():
        members = known.get((player, plain(name))), named.get(plain(name))
        free = (one for one in members if one and one not in found.players.values())
        member = next(free, None)
        if member is None and join:
            member = joining(books.roll, found, player, name)
        found.players[player] = member
    return found


def _known(books: Books) -> Iterator[tuple[tuple[str, str], str]]:
    """From a player's id and name to the member that he was at an evening, the latest last."""
    for one in books.attended():
        for player, member in one.whose.items():
            if member is not None and player in one.evening.names:
                yield (player, plain(one.evening.names[player])), member


def joining(roll: Roll, found: WhoIsWho, player: str, name: str) -> str:
    """The id of a player who joins, by an id and a name that nobody has."""
    taken = {plain(one.name) for one in roll.members.values()}
    taken |= set(map(plain, found.joining.values()))
    for id_ in _ids(player):
        free = [one for one in (name, _told_apart(name, id_)) if plain(one) not in taken]
        if free and id_ not in {*roll.members, *roll.merged, *found.joining}:
            found.joining[id_] = free[0]
            return id_
    raise AssertionError("there is always one more id")


def _ids(player: str) -> Iterator[str]:
    """The id of a player, and others that begin alike."""
    yield player
    for number in count(FIRST):
        ending = f"-{number}"
        yield player[: ID_LENGTH - len(ending)] + ending


def _told_apart(name: str, id_: str) -> str:
    """A name with an id behind it, for whoever is called like another."""
    ending = f" ({id_})"
    return name[: NAME_LENGTH - len(ending)].rstrip() + ending

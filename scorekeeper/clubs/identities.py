"""The members of a club that the players of an evening are, and new members who join for it.

Equal names mean the same person, since no two members have the same name. A player with the id and
name of an earlier evening is the member that was entered there, even if renamed since.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.values import normalize_name
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.events.names import fold_name

FIRST_SUFFIX: Final = 2  # of an id that is taken
ID_LENGTH: Final = 32


@dataclass(frozen=True, slots=True)
class PlayerIdentities:
    """The member or guest for each player of an evening, None for one without an account.

    ``new_members`` and ``new_guests`` have yet to join: their names by id.
    """

    players: dict[str, str | None] = field(default_factory=dict)
    new_members: dict[str, str] = field(default_factory=dict)
    new_guests: dict[str, str] = field(default_factory=dict)

    @property
    def new_names(self) -> dict[str, str]:
        """The names of all who have yet to join, by id."""
        return {**self.new_members, **self.new_guests}


def identify_players(
    snapshot: ClubSnapshot, names: Mapping[str, str], *, join: bool = True
) -> PlayerIdentities:
    """Return the members that these players are, given by their names; never two the same member.

    A player who has no account yet joins as a member, or as a guest if not ``join``.
    """
    identities, past = PlayerIdentities(), dict(_list_past_players(snapshot))
    member_by_name = {
        normalize_name(member.name): member.id for member in snapshot.state.members.values()
    }
    for player, name in names.items():
        members = past.get((player, normalize_name(name))), member_by_name.get(normalize_name(name))
        free_members = (
            member for member in members if member and member not in identities.players.values()
        )
        member = next(free_members, None)
        if member is None:
            member = assign_new_member(snapshot.state, identities, player, name, guest=not join)
        identities.players[player] = member
    return identities


def _list_past_players(snapshot: ClubSnapshot) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the id and name of each player of an evening with their member, the latest last."""
    for attended_evening in snapshot.list_attended():
        for player, member in attended_evening.member_of.items():
            if member is not None and player in attended_evening.evening.names:
                yield (player, normalize_name(attended_evening.evening.names[player])), member


def assign_new_member(
    state: ClubState, identities: PlayerIdentities, player: str, name: str, *, guest: bool = False
) -> str:
    """Choose an unused id for a player who joins, add it to `identities`, and return it.

    The member or guest gets the player's name, with the id appended if the name is taken.
    """
    taken_names = {fold_name(member.name) for member in state.members.values()}
    taken_names |= set(map(fold_name, identities.new_names.values()))
    taken_ids = {*state.members, *state.merged, *identities.new_names}
    id_, free_name = choose_account(player, name, taken_ids, taken_names)
    joining = identities.new_guests if guest else identities.new_members
    joining[id_] = free_name
    return id_


def choose_account(
    player: str, name: str, taken_ids: Collection[str], taken_names: Collection[str]
) -> tuple[str, str]:
    """Return an id and a name that nobody has, for a player who is new; `taken_names` are folded.

    They are the player's own if these are free, else variants of them.
    """
    for id_ in _propose_ids(player):
        for free_name in (name, _append_id(name, id_)):
            if id_ not in taken_ids and fold_name(free_name) not in taken_names:
                return id_, free_name
    raise AssertionError("there is always one more id")


def _propose_ids(player: str) -> Iterator[str]:
    """Yield the id of a player, and then variants of it."""
    yield player
    for number in count(FIRST_SUFFIX):
        ending = f"-{number}"
        yield player[: ID_LENGTH - len(ending)] + ending


def _append_id(name: str, id_: str) -> str:
    """Return a name with an id behind it, for a member with the name of another."""
    ending = f" ({id_})"
    return name[: MAX_NAME_CHARACTERS - len(ending)].rstrip() + ending

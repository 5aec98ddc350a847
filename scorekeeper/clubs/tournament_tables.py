"""The tables of a tournament that a club has entered, which count as one evening.

The tournament's log says which sessions are its tables, and who sat there for which entrant. What
a player played is theirs, also as a substitute: in the tournament it belongs to the entrant.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import AttendedEvening, Occasion
from scorekeeper.clubs.values import EnteredTournament, EntrantMember


class TableSeat(NamedTuple):
    """Who sat for whom: an entrant, and the player as the tournament has registered them.

    ``alone`` is whether the entrant has no other player and this one is no substitute.
    """

    entrant: str
    player: str
    alone: bool


class TournamentTable(NamedTuple):
    """A table with a session: its round, its number, and the seats by player of the session."""

    round: int
    number: int
    seats: Mapping[str, TableSeat]


class EntrantPlayers(NamedTuple):
    """An entrant with the names of all players by id; ``substitutes`` are some of them."""

    name: str
    players: Mapping[str, str]
    substitutes: frozenset[str]


class TournamentTables(NamedTuple):
    """The tables of a tournament at one version of its log.

    ``tables`` are by session, in the order of play; ``firsts`` has the hashes of their first
    events. ``club`` is the id of the club that has opened the tournament, and empty without one.
    """

    name: str
    first: str
    head: str
    events: int
    entrants: Mapping[str, EntrantPlayers]
    tables: Mapping[str, TournamentTable]
    firsts: Mapping[str, str]
    closed: bool
    club: str = ""


def attend_tables(
    entered: EnteredTournament,
    known: TournamentTables,
    evenings: Mapping[str, PlayedEvening],
    apart: Container[str] = (),
) -> Iterator[AttendedEvening]:
    """Yield the tables of a tournament as evenings with their members.

    ``evenings`` has the results of those that can be read; sessions that are ``apart``, since they
    count by themselves, are left out. ``entered`` has the present ids of members.
    """
    played = {
        session_id: evenings[session_id]
        for session_id in known.tables
        if session_id in evenings and session_id not in apart
    }
    if not played:
        return
    first = min(played.values(), key=lambda evening: (evening.opened, evening.session_id))
    for session_id, evening in played.items():
        table = known.tables[session_id]
        occasion = Occasion(
            entered.tournament_id, known.name, first.day, first.opened, table.round, table.number
        )
        yield AttendedEvening(evening, _map_seats(entered, table), occasion)


def combine_tables(attended: Iterable[AttendedEvening]) -> list[PlayedEvening]:
    """Return evenings in their order of play, with all tables of a tournament as one.

    Such an evening has the names of all its players, and no matches: those are at its tables.
    """
    combined: list[PlayedEvening] = []
    for table in attended:
        evening, at = table.evening, table.occasion
        if at is None:
            combined.append(evening)
        elif combined and combined[-1].session_id == at.id:
            combined[-1] = _join(combined[-1], evening)
        else:
            combined.append(
                evening._replace(
                    session_id=at.id, title=at.title, first=at.id, head=at.id, matches=(),
                    day=at.day, opened=at.opened, first_title=at.title,
                )
            )  # fmt: skip
    return combined


def _join(evening: PlayedEvening, table: PlayedEvening) -> PlayedEvening:
    """Return a tournament as one evening, with one more of its tables."""
    return evening._replace(
        began=min(filter(None, (evening.began, table.began)), default=""),
        ended=max(evening.ended, table.ended),
        corrected=max(evening.corrected, table.corrected),
        events=evening.events + table.events,
        names={**evening.names, **table.names},
    )


def _map_seats(entered: EnteredTournament, table: TournamentTable) -> dict[str, str | None]:
    """Return the member or guest for each player of a table; nobody is there twice."""
    members: dict[str, str | None] = {}
    for player, seat in table.seats.items():
        member = find_member(entered, seat)
        members[player] = member if member not in members.values() else None
    return members


def find_member(entered: EnteredTournament, seat: TableSeat) -> str | None:
    """Return the member or guest who sat in a seat; None without an account."""
    people = entered.entrants.get(seat.entrant)
    if isinstance(people, Mapping):
        return people.get(seat.player)
    return people if seat.alone else None


def list_people_of(entrant: EntrantPlayers, people: EntrantMember) -> dict[str, str | None]:
    """Return the member or guest for each player of an entrant, substitutes included."""
    if isinstance(people, Mapping):
        return {**dict.fromkeys(entrant.players), **people}
    listed: dict[str, str | None] = dict.fromkeys(entrant.players)
    own = [player for player in entrant.players if player not in entrant.substitutes]
    return {**listed, own[0]: people} if len(own) == 1 else listed

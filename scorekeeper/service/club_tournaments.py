"""The tournaments that clubs enter: which sessions are their tables, and who sat there.

A club reads the sessions that a tournament follows, which are those that it opened, and nothing
else of them: draws that are not published name no session.
"""

from collections.abc import Container, Mapping

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, UnknownSessionError, UnusableError
from scorekeeper.clubs.tournament_tables import (
    EntrantPlayers,
    TableSeat,
    TournamentTable,
    TournamentTables,
)
from scorekeeper.clubs.values import EnteredTournament
from scorekeeper.log.reading import RawEvent
from scorekeeper.store import Position, Store
from scorekeeper.store.keyring import is_tournament
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.tournament import Tournament
from scorekeeper.tournaments.values import TournamentRound


class TournamentLogs:
    """Replayed tournaments of one club, which are read on from where they ended.

    They are for the thread that holds the club's lock.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._logs: dict[str, Tournament] = {}

    def read(self, tournament_id: str, end: Position) -> TournamentTables:
        """Return the tables of a tournament at an end. Raises `UnusableError`."""
        log = self._logs.pop(tournament_id, None)
        if log is None or log.events > end.version or not self._is_begun_by(tournament_id, log):
            log = Tournament()
        left = end.version - log.events
        if left:
            log.add_stored_lines(self._store.read(tournament_id, log.events, left).lines)
        self._logs[tournament_id] = log
        return self._list_tables(tournament_id, log)

    def read_at(self, tournament_id: str, head: str, most: int | None) -> TournamentTables | None:
        """Return the tables of a tournament at an earlier head, among its first ``most`` events.

        None if it never had that head, or cannot be read.
        """
        log = Tournament()
        try:
            lines = self._store.read(tournament_id, 0, most).lines
            ends = (seq for seq, line in enumerate(lines, 1) if b'"%b"' % head.encode() in line)
            for seq in ends:
                log.add_stored_lines(lines[log.events : seq])
                if log.head == head:
                    return self._list_tables(tournament_id, log)
        except (UnusableError, UnknownSessionError):
            return None
        return None

    def find_time(self, tournament_id: str, stop: Position) -> str:
        """Return the time of the event at which a club stopped; empty if that is before all."""
        lines = self._store.read(tournament_id, stop.version - 1, 1).lines if stop.version else ()
        return RawEvent.stored(lines[0]).at if lines else ""

    def _is_begun_by(self, tournament_id: str, log: Tournament) -> bool:
        """Return whether the stored log begins with the replayed one."""
        return self._store.hash_at(tournament_id, log.events) == log.head

    def _list_tables(self, tournament_id: str, log: Tournament) -> TournamentTables:
        """Return the tables of a replayed tournament that it follows itself."""
        pacing.step(pacing.STEPS_PER_LOOK)
        return list_tables(log, self._store.followed(tournament_id))


def list_tables(log: Tournament, followed: Container[str]) -> TournamentTables:
    """Return the tables of a tournament whose sessions are among ``followed``."""
    record = log.state
    tables, firsts = dict[str, TournamentTable](), dict[str, str]()
    for number, drawn in sorted(record.rounds.items()):
        for table, named in sorted((drawn.sessions or {}).items()):
            if named is not None and named.session in followed:
                seats = _list_seats(record, drawn, table)
                tables[named.session] = TournamentTable(number, table, seats)
                firsts[named.session] = named.first_hash
    return TournamentTables(
        name=record.opening.name,
        first=log.corrections.recorded[1].hash,
        head=log.head,
        events=log.events,
        entrants={
            entrant.id: EntrantPlayers(
                entrant.name,
                dict(entrant.all_players()),
                frozenset(substitution.substitute for substitution in entrant.substitutions),
            )
            for entrant in record.entrants.values()
        },
        tables=tables,
        firsts=firsts,
        closed=record.heads is not None,
        club=record.opening.club or "",
    )


def _list_seats(
    record: TournamentRecord, drawn: TournamentRound, table: int
) -> dict[str, TableSeat]:
    """Return the seats of a table by player of its session, as its players were found to sit.

    A player who sat for another entrant than drawn is the player of that entrant, of a pair the one
    who is not otherwise there.
    """
    entrant_of = {
        player: entrant
        for entrant in drawn.tables[table - 1]
        for player in record.entrants[entrant].list_players(drawn.number)
    }
    entrant_of |= drawn.seating.get(table, {})
    free = {
        entrant: [player for player in record.entrants[entrant].list_players(drawn.number)
                  if entrant_of.get(player) != entrant]
        for entrant in entrant_of.values()
    }  # fmt: skip
    seats = {}
    for player, entrant_id in entrant_of.items():
        entrant = record.entrants[entrant_id]
        sat = player if player in entrant.list_players(drawn.number) else _take(free[entrant_id])
        alone = len(entrant.players) == 1 and sat in entrant.players
        seats[player] = TableSeat(entrant_id, sat, alone)
    return seats


def _take(players: list[str]) -> str:
    """Remove the first of these players and return it; empty if there is none."""
    return players.pop(0) if players else ""


def refuse_bad_entrants(entered: EnteredTournament, known: TournamentTables) -> None:
    """Raise `UnusableError` unless each player of a tournament is a member, a guest or null.

    A single value stands for an entrant of one player.
    """
    for entrant_id in entered.entrants:
        if entrant_id not in known.entrants:
            words = f"there is no entrant {entrant_id} in that tournament"
            cause = Cause(words, "no_entrant_there", entrant=entrant_id)
            raise UnusableError(cause, field=f"data.entrants.{entrant_id}")
    for entrant_id, entrant in known.entrants.items():
        if entrant_id not in entered.entrants:
            raise _left_out(entrant.name, "data.entrants")
        people, path = entered.entrants[entrant_id], f"data.entrants.{entrant_id}"
        if isinstance(people, Mapping):
            _refuse_bad_players(people, entrant, path)
        elif people is not None and len(entrant.players) - len(entrant.substitutes) > 1:
            words = f"say which member or guest each player of {entrant.name} is"
            raise UnusableError(Cause(words, "each_of_pair", name=entrant.name), field=path)


def _refuse_bad_players(
    people: Mapping[str, str | None], entrant: EntrantPlayers, path: str
) -> None:
    """Raise `UnusableError` unless these are all the players of an entrant."""
    for player in people:
        if player not in entrant.players:
            words = f"there is no player {player} of {entrant.name} in that tournament"
            cause = Cause(words, "no_such_player", player=player)
            raise UnusableError(cause, field=f"{path}.{player}")
    for player, name in entrant.players.items():
        if player not in people:
            raise _left_out(name, path)


def _left_out(name: str, field: str) -> UnusableError:
    """Return the error that an event does not say who a player of a tournament is."""
    words = f"say which member or guest {name} is, or null for nobody of the club"
    return UnusableError(Cause(words, "player_left_out", name=name), field=field)


def list_player_names(known: TournamentTables) -> dict[str, str]:
    """Return the names of all players of a tournament, and of entrants of one player, by id."""
    names = {id_: entrant.name for id_, entrant in known.entrants.items()}
    for entrant in known.entrants.values():
        names |= entrant.players
    return names


def find_tournament(store: Store, tournament_id: str, until: Position | None) -> TournamentTables:
    """Return a tournament that can be entered, at ``until`` or at its end.

    Raises `UnusableError` if there is none.
    """
    if is_tournament(tournament_id) and (until is None or until.version):
        try:
            end = until or store.position(tournament_id)
            return TournamentLogs(store).read(tournament_id, end)
        except UnknownSessionError:
            pass
    words = "there is no such tournament here"
    raise UnusableError(Cause(words, "no_such_tournament"), field="data.tournament")

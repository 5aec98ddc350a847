"""The keys on printed slips: one for each player, or one for each table without phones.

A table's key is one of its session's host, with which any phone records for all. The first key of
the session is on no slip: nobody knows it, and it keeps the session from losing its last one.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.service.tournaments import Tournaments
from scorekeeper.store import Attempt, KeyRequest, NewKey, Store, keyring
from scorekeeper.tournaments.record import TournamentRecord


class SlipCounts(NamedTuple):
    """For how many players and tables there are slips, or links of another kind.

    ``round`` is the open one, 0 if none is. Only its tables with a session are counted.
    """

    players: int
    players_without: int
    round: int
    tables: int
    tables_without: int


def count_slips(tournaments: Tournaments, tournament_id: str) -> SlipCounts:
    """Return how many players and tables have a key, and how many have none.

    Raises `UnknownTournamentError`.
    """
    number, sessions = tournaments.with_state(tournament_id, _list_open_tables)
    players = tournaments.with_state(
        tournament_id,
        lambda state: {player for player, _, entrant in state.list_players()
                       if entrant.withdrawn_from is None},
    )  # fmt: skip
    store = tournaments.store
    now = store.clock()
    held = {key.player for key in store.keys(tournament_id) if keyring.is_open(key, now)}
    without = sum(not _has_slip(store, session) for session in sessions.values())
    return SlipCounts(len(players), len(players - held), number, len(sessions), without)


def make_player_keys(
    tournaments: Tournaments, tournament_id: str, attempt: Attempt | None, *, renew: bool
) -> dict[str, NewKey]:
    """Make a key for each player who has none, or with ``renew`` for all; see `Tournaments`."""
    made = tournaments.add_entrant_keys(tournament_id, None, attempt, renew=renew)
    return {new.key.player: new for new in made if new.key.player is not None}


def make_table_keys(
    tournaments: Tournaments, tournament_id: str, attempt: Attempt | None, *, renew: bool
) -> dict[int, NewKey]:
    """Make a key for each table of the open round that has none, by the number of the table.

    With ``renew`` each table gets another, and its older ones are revoked. A repeated attempt
    returns the keys that it made before, and goes on if it was interrupted. Raises
    `UnknownTournamentError`.
    """
    _, sessions = tournaments.with_state(tournament_id, _list_open_tables)
    made = {table: _make_table_key(tournaments.store, session_id, attempt, renew=renew)
            for table, session_id in sessions.items()}  # fmt: skip
    return {table: new for table, new in made.items() if new is not None}


def _make_table_key(
    store: Store, session_id: str, attempt: Attempt | None, *, renew: bool
) -> NewKey | None:
    """Make the key of a table's slip, or return the one that the attempt made before.

    None if there is a slip already, or the attempt's own was revoked since.
    """
    own = attempt and Attempt(f"{attempt.key}\n{session_id}", attempt.digest)
    own_id = keyring.new_id(own, 1) if own else ""
    hosts = [key for key in store.keys(session_id) if key.role == "host"]
    slips = {key.id: keyring.is_open(key, store.clock()) for key in hosts[1:]}
    if slips.get(own_id) is False or (own_id not in slips and any(slips.values()) and not renew):
        return None
    new = store.add_key(session_id, KeyRequest("host"), None, own)
    for key_id, still_open in slips.items():
        if key_id == own_id:  # later ones were made by another request
            break
        if still_open:
            store.revoke_key(session_id, key_id, ends_code=True)
    return new


def _list_open_tables(record: TournamentRecord) -> tuple[int, Mapping[int, str]]:
    """Return the number of the open round, 0 if none is, and the sessions of its tables."""
    latest = record.find_latest_published()
    if latest is None or latest.closed:
        return 0, {}
    named = latest.sessions or {}
    return latest.number, {table: each.session for table, each in named.items() if each is not None}


def _has_slip(store: Store, session_id: str) -> bool:
    """Return whether another key of the session's host is open than the first one."""
    hosts = [key for key in store.keys(session_id) if key.role == "host"]
    return any(keyring.is_open(key, store.clock()) for key in hosts[1:])

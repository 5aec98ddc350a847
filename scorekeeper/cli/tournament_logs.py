"""The logs of a tournament and of its sessions, found among files."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from scorekeeper.base.errors import ScorekeeperError, UnusableError
from scorekeeper.cli.log_files import stop
from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile
from scorekeeper.session.session import Session
from scorekeeper.tournaments.events import TournamentOpened
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.tournament import Tournament

PROGRESS_BAR_MIN_LOGS: Final = 20


class TournamentFiles(NamedTuple):
    """A tournament, the results of its sessions by id, and what is wrong with the files."""

    tournament: Tournament
    results: dict[str, PlayedTable]
    problems: list[str]


def read_tournament_files(paths: Sequence[Path]) -> TournamentFiles:
    """Return the tournament of log files: one log of a tournament, and those of its sessions.

    A session is found by the hash of its first event, or for a log without hashes by its file
    name. Exits with a message if there is not just one tournament, or its log cannot be used.
    """
    own = [path for path in paths if _is_tournament(path)]
    if len(own) != 1:
        stop(f"expected the log of one tournament, got {len(own)} among {len(paths)} files")
    try:
        with own[0].open("rb") as stream, GAMES.failures_as_not_installed():
            held = Tournament.read(stream)
    except (ScorekeeperError, OSError) as error:
        stop(f"{own[0]}: {_explain(error)}")
    played, problems = _read_tables([path for path in paths if path != own[0]])
    results = dict(_match(held, played, problems))
    return TournamentFiles(held, results, problems)


def _is_tournament(path: Path) -> bool:
    """Return whether a file begins as the log of a tournament does."""
    try:
        with path.open("rb") as stream:
            first = next(iter(LogFile(stream)), None)
    except (ScorekeeperError, OSError):
        return False
    return first is not None and first.type == TournamentOpened.TYPE


def _explain(error: ScorekeeperError | OSError) -> str:
    """Return the reason why a file cannot be used."""
    return str((error.strerror or error) if isinstance(error, OSError) else error)


def _read_tables(paths: Sequence[Path]) -> tuple[list[PlayedTable], list[str]]:
    """Return the results of session logs, named by their files, and which cannot be used."""
    played, problems = list[PlayedTable](), list[str]()
    hidden = len(paths) < PROGRESS_BAR_MIN_LOGS or not sys.stderr.isatty()
    with click.progressbar(paths, label="Reading", file=sys.stderr, hidden=hidden) as listed:
        for path in listed:
            try:
                with path.open("rb") as stream, GAMES.failures_as_not_installed():
                    session = Session.read(stream)
                    if not session.events:
                        raise UnusableError("the log is empty")
                    played.append(PlayedTable.of(path.stem, session))
            except (ScorekeeperError, OSError) as error:
                problems.append(f"{path}: {_explain(error)}; left out")
    return played, problems


def _match(
    held: Tournament, played: Iterable[PlayedTable], problems: list[str]
) -> Iterable[tuple[str, PlayedTable]]:
    """Yield the sessions of a tournament with their results, and note what is missing or extra."""
    state = held.state
    by_hash = {table.first: table for table in played if table.first}
    by_name = {table.session_id: table for table in played}
    used = set()
    for session_id, (number, table) in state.list_sessions().items():
        named = (state.rounds[number].sessions or {})[table]
        first_hash = named.first_hash if named is not None else ""
        found = by_hash.get(first_hash)
        if found is None:  # a log that was written by hand
            unsealed = by_name.get(session_id)
            found = unsealed if unsealed is not None and not unsealed.first else None
        if found is None:
            problems.append(f"round {number}, table {table}: no log of the session {session_id}")
        else:
            used.add(found.session_id)
            yield session_id, found._replace(session_id=session_id)
    problems += [
        f"{name}: belongs to no table of the tournament" for name in by_name if name not in used
    ]

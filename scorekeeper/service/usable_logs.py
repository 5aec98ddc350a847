"""Check that each event of a stored log could have been recorded."""

from collections.abc import Iterable

from scorekeeper.base.errors import NotInstalledError, UnusableError
from scorekeeper.clubs.club import Club
from scorekeeper.games import GAMES
from scorekeeper.log.sets import refuse_unfinished
from scorekeeper.session.session import Session
from scorekeeper.store import StoredLine
from scorekeeper.store.keyring import StreamKind, kind_of
from scorekeeper.tournaments.tournament import Tournament


def refuse_unusable(stream_id: str, lines: Iterable[StoredLine]) -> None:
    """Raise `UnusableError`, with the seq as its line, if a log could never have been recorded.

    A session of a game that is not installed is accepted: it can be read once the game is
    installed.
    """
    log = _new_log(kind_of(stream_id))
    seq = 0
    try:
        with GAMES.failures_as_not_installed(stored=True):
            for line in lines:
                seq = line.seq
                log.add_stored(line.line)
            refuse_unfinished(log.corrections.open_set)
    except NotInstalledError:
        return
    except UnusableError as error:
        error.line = seq
        raise


def _new_log(kind: StreamKind | None) -> Club | Session | Tournament:
    """Return an empty log of this kind. Raises `ValueError` if an id of no kind has a log."""
    match kind:
        case StreamKind.CLUB:
            return Club()
        case StreamKind.TOURNAMENT:
            return Tournament()
        case StreamKind.SESSION:
            return Session()
        case _:
            raise ValueError(kind)

"""The report of a session whose game is not installed: everything except its matches."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from scorekeeper.base.errors import NotInstalledError
from scorekeeper.events.common import PlayerJoined, SessionClosed, SessionOpened
from scorekeeper.log import canonical
from scorekeeper.report import views
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session

REPORTED_TYPES: Final = {SessionOpened.TYPE, PlayerJoined.TYPE, SessionClosed.TYPE}


def report_without_game(
    lines: Iterable[bytes], position: tuple[int, str], error: NotInstalledError
) -> views.ReportView:
    """Return the report of a session without matches, with the game that is missing."""
    session = Session()
    for line in lines:
        if canonical.decode(line)["type"] in REPORTED_TYPES:
            session.add_stored(line)
    session.events, session.head = position
    missing = views.NotInstalledView(error.args[0].facts["game"], error.reason)
    return replace(view_report(session), not_installed=missing)

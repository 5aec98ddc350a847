"""The use cases: open sessions, clubs and tournaments, record events, read reports, manage keys."""

from scorekeeper.service.clubs import Clubs
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.requests import AppendRequest, Prompts, Report
from scorekeeper.service.service import Service
from scorekeeper.service.tournaments import Tournaments
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import NewEvent, Recorded

__all__ = [
    "AppendRequest",
    "Clubs",
    "Holder",
    "NewEvent",
    "Prompts",
    "Quorum",
    "Recorded",
    "Report",
    "Service",
    "Tournaments",
]

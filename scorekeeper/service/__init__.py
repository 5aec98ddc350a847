"""The use cases: open sessions and clubs, record events, read reports, manage keys."""

from scorekeeper.service.clubs import Clubs
from scorekeeper.service.permissions import Holder
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.requests import AppendRequest, NewEvent, Prompts, Recorded, Report
from scorekeeper.service.service import Service

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
]

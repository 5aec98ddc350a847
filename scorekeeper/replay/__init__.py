"""From entries to the report: the structure of a session, its scores and its findings."""

from scorekeeper.replay.report import report
from scorekeeper.replay.session import Session

__all__ = ["Session", "report"]

"""A session without other references is freed at once: its parts have no reference cycles.

A server that caches many sessions can then leave them out of its garbage collections.
"""

from io import BytesIO
from pathlib import Path
from weakref import ref

import pytest

from scorekeeper.base.collector import gc_paused
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session
from tests.evenings import golden_logs


def list_parts(session: Session) -> list[object]:
    """Return the parts of a session that refer to one another."""
    structure = session.structure
    hands = [hand for match in structure.matches for hand in match.hands]
    deals = [hand.deal for hand in hands]
    return [session, session.corrections, structure, structure.disputes, *structure.matches,
            *hands, *deals]  # fmt: skip


@pytest.mark.parametrize("log", golden_logs(), ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_parts_of_a_session_are_freed_with_it(log: Path) -> None:
    with gc_paused():
        session = Session.read(BytesIO(log.read_bytes()))
        known = as_the_table_knows(session, face_down_seqs(session))
        view_report(session)
        view_report(known)
        parts = [ref(part) for part in (*list_parts(session), *list_parts(known))]
        del session, known
        assert [part() for part in parts if part() is not None] == []

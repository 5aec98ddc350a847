"""What takes long. Each is made of the lines of a session as stored, or of a log that came.

They are called in a helper, and so by values and for bytes; what is loaded for one of them only
is loaded by it.
"""

from collections.abc import Sequence
from dataclasses import asdict
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.base.collector import uncollected
from scorekeeper.base.errors import Unusable
from scorekeeper.base.json_object import JsonObject
from scorekeeper.log.face_down import masked_where
from scorekeeper.log.reading import verify
from scorekeeper.log.writing import as_json
from scorekeeper.repair import searched
from scorekeeper.report.explain import explain
from scorekeeper.report.incoming import incoming
from scorekeeper.report.masking import as_the_table_knows, face_down
from scorekeeper.report.report import report as report_of
from scorekeeper.report.what_if import what_if, what_if_agreed
from scorekeeper.session.session import Session

if TYPE_CHECKING:
    from scorekeeper.exports.season import SeasonFile
    from scorekeeper.languages.reader import Reader
    from scorekeeper.service.quorum import Quorum


class SessionView(NamedTuple):
    """The lines of a session as stored, and whether who asks sees what lies face down."""

    lines: Sequence[bytes]
    sees_all: bool

    def session(self) -> Session:
        """The session as he may know it."""
        session = Session()
        for line in self.lines:
            session.add_stored(line)
        return session if self.sees_all else as_the_table_knows(session, face_down(session))


# ---------------------------------------------------------------------------------- of a session


def audited(seen: SessionView, match: int | None, hand: int | None, seconds: float) -> bytes:
    """The report with suggestions, as far as they are found in that many seconds; Unusable."""
    session = seen.session()
    explain(session, match, hand)  # refuses what is not there
    if match is None and hand is not None:
        match = len(session.structure.matches)
    found = searched(session, match, hand, seconds)
    told = {"suggestions": found.suggestions, "searched": found.told()}
    return as_json({**report_of(session), **told})


def suggested(seen: SessionView, match: int, hand: int, seconds: float) -> bytes:
    """The suggestions for one hand, as far as they are found in a given number of seconds."""
    found = searched(seen.session(), match, hand, seconds)
    return as_json({"suggestions": found.suggestions, "whole": found.whole})


def explained(seen: SessionView, match: int | None, hand: int | None) -> bytes:
    """The tree from totals down to events and clauses; Unusable."""
    return as_json(explain(seen.session(), match, hand))


def supposed(seen: SessionView, asked: JsonObject, quorum: "Quorum", at: str) -> bytes:
    """What a session would come to, and who has to sign a proposal at that time; Unusable."""
    session = seen.session()
    told = _supposed(session, asked)
    return as_json({**told, **_signatures(session, asked.get("proposal", 0), quorum, at)})


def intact(seen: SessionView) -> bytes:
    """Whether a log is intact as it is stored."""
    return verified(b"".join(line + b"\n" for line in seen.lines))


def taken(seen: SessionView, session_id: str, form: str, reader: "Reader") -> bytes:
    """A file to be kept, in one of the forms of the exports, for whoever reads it."""
    from scorekeeper.exports.evening import Evening  # noqa: PLC0415
    from scorekeeper.exports.formats import made  # noqa: PLC0415

    with uncollected():
        known = seen.session()
        log = b"".join(line + b"\n" for line in masked_where(seen.lines, 0, known.hidden))
        return made(form, Evening.of(session_id, known, reader), log)


# ------------------------------------------------------------------------------------ of a club


def season_taken(season: "SeasonFile", form: str) -> bytes:
    """A file of a season to be kept, in one of the forms of the exports."""
    from scorekeeper.exports.season_formats import SEASON_FORMATS  # noqa: PLC0415

    return SEASON_FORMATS[form](season)


# -------------------------------------------------------------------------------------- of a log


def scored(log: bytes, largest: int) -> bytes:
    """The report of a log; Unusable."""
    session = Session.read(BytesIO(log), largest)
    return as_json(report_of(session))


def supposed_log(log: bytes, largest: int, asked: JsonObject) -> bytes:
    """What a log would come to; Unusable."""
    session = Session.read(BytesIO(log), largest)
    return as_json(_supposed(session, asked))


def verified(log: bytes, head: str | None = None, count: int | None = None) -> bytes:
    """Whether a sealed log is intact; NotALog."""
    return as_json(asdict(verify(BytesIO(log), head, count)))


def judged(log: bytes, largest: int, at: str) -> bytes:
    """A log that is to become a session, as bytes of ``Incoming``; Unusable."""
    return bytes(incoming(log, largest, at))


def _supposed(session: Session, asked: JsonObject) -> dict[str, Any]:
    options, corrections = asked.get("options"), asked.get("corrections", ())
    if "proposal" in asked:
        if options or corrections or "match" in asked:
            raise Unusable("expected nothing beside a proposal", field="proposal")
        return what_if_agreed(session, asked["proposal"])
    if not options and not corrections:
        raise Unusable("expected options, corrections or a proposal", field="options")
    return what_if(session, options, corrections, asked.get("match"))


def _signatures(session: Session, seq: int, quorum: "Quorum", at: str) -> dict[str, Any]:
    """Who has to sign a proposal, if it can be carried out as things stand."""
    from scorekeeper.service.rulings import needs_of, signed_by, why_closed  # noqa: PLC0415

    proposal = session.structure.said.proposals.get(seq)
    if proposal is None or why_closed(session, proposal):
        return {}
    try:
        needs = needs_of(session, proposal, quorum, at)
    except Unusable:
        return {}
    missing = needs.missing(signed_by(session, proposal))
    told = {"matches": list(needs.matches), "needed": needs.needed, "of": list(needs.of)}
    return {"signatures": {**told, "missing": missing}}

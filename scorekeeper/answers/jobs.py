"""The jobs of the helper: answers from the stored lines of a session, or from an uploaded log.

They run in another process, so arguments are values and results are bytes. A job imports by itself
the modules that no other job needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.base.collector import gc_paused
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.log.face_down import mask_lines
from scorekeeper.log.reading import verify
from scorekeeper.log.writing import as_json
from scorekeeper.repair import searched
from scorekeeper.repair.suggestion_views import HandSearchView
from scorekeeper.report.explain import explain
from scorekeeper.report.incoming import seal_incoming
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs
from scorekeeper.report.report import view_report
from scorekeeper.report.views import EventView
from scorekeeper.report.what_if import compare_agreed, compare_supposed
from scorekeeper.report.what_if_views import SignaturesView, WhatIfView
from scorekeeper.session.session import Session

if TYPE_CHECKING:
    from scorekeeper.clubs.published import PublishedStandingsView
    from scorekeeper.exports.season import SeasonFile
    from scorekeeper.exports.tournament import TournamentFile
    from scorekeeper.languages.reader import Reader
    from scorekeeper.service.quorum import Quorum
    from scorekeeper.tournaments.played_tables import PlayedTable
    from scorekeeper.tournaments.state import TournamentState


class ReadableLog(NamedTuple):
    """The stored lines of a session, and whether the reader may see face-down cards."""

    lines: Sequence[bytes]
    sees_all: bool

    def session(self) -> Session:
        """Return the session of these lines.

        Face-down cards are hidden unless the reader sees all.
        """
        session = Session()
        for line in self.lines:
            session.add_stored(line)
        return session if self.sees_all else as_the_table_knows(session, face_down_seqs(session))


# ------------------------------------------------------------------------- answers from a session


def audit_session(
    log: ReadableLog, match: int | None, hand: int | None, search_seconds: float
) -> bytes:
    """Return the report with the suggestions that a search finds within ``search_seconds``.

    Raises `UnusableError` if the match or hand does not exist.
    """
    session = log.session()
    explain(session, match, hand)  # raises for a match or hand that does not exist
    if match is None and hand is not None:
        match = len(session.structure.matches)
    search = searched(session, match, hand, search_seconds)
    return as_json(to_json_values(search.add_to(view_report(session))))


def suggest_corrections(log: ReadableLog, match: int, hand: int, search_seconds: float) -> bytes:
    """Return the suggestions for one hand that a search finds within ``search_seconds``."""
    search = searched(log.session(), match, hand, search_seconds)
    extent = search.extent
    found = HandSearchView(search.suggestions, extent.said is None, extent.tried, extent.untried)
    return as_json(to_json_values(found))


def explain_totals(log: ReadableLog, match: int | None, hand: int | None) -> bytes:
    """Return the reasons for all scores as a JSON tree, from totals down to events and clauses.

    `match` and `hand` limit it to one. Raises `UnusableError` if the match or hand does not exist.
    """
    return as_json(to_json_values(explain(log.session(), match, hand)))


def evaluate_what_if(log: ReadableLog, question: JsonObject, quorum: "Quorum", at: str) -> bytes:
    """Return the totals under other options or corrections, and who has to sign a proposal.

    ``at`` is the time at which the proposal would be signed. Raises `UnusableError` if the
    question cannot be evaluated.
    """
    session = log.session()
    supposed = _evaluate(session, question)
    signatures = _signatures(session, question.get("proposal", 0), quorum, at)
    return as_json(to_json_values(replace(supposed, signatures=signatures)))


def verify_session(log: ReadableLog) -> bytes:
    """Return the verdict on the stored log as JSON: whether every byte is intact."""
    return verify_log(b"".join(line + b"\n" for line in log.lines))


def export_session(log: ReadableLog, session_id: str, form: str, reader: "Reader") -> bytes:
    """Return a session as a file in one of the export formats, written for the reader.

    ``form`` is the name of a format. Face-down cards are left out unless ``log`` sees all.
    """
    from scorekeeper.exports.evening import Evening  # noqa: PLC0415
    from scorekeeper.exports.formats import export_file  # noqa: PLC0415

    with gc_paused():
        known = log.session()
        lines = mask_lines(log.lines, 0, known.hidden)
        evening = Evening.of(session_id, known, reader)
        return export_file(form, evening, b"".join(line + b"\n" for line in lines))


# --------------------------------------------------------------------------- answers about a club


def export_season(season: "SeasonFile", form: str) -> bytes:
    """Return a file of a season in one of the export formats."""
    from scorekeeper.exports.season_formats import SEASON_FORMATS  # noqa: PLC0415

    return SEASON_FORMATS[form](season)


def draw_published(table: "PublishedStandingsView", language: str) -> bytes:
    """Return the picture of a published table, in a language."""
    from scorekeeper.exports.season_picture import draw_season  # noqa: PLC0415

    return draw_season(table, language)


# ----------------------------------------------------------------- answers about a tournament


def propose_round(
    state: "TournamentState", results: Mapping[str, "PlayedTable"], seed: int
) -> bytes:
    """Return the draw of the next round with its problems, as JSON.

    Raises `UnusableError` if no round can be drawn.
    """
    from scorekeeper.tournaments.checked_rounds import encode_checked_round  # noqa: PLC0415
    from scorekeeper.tournaments.events import RoundDrawn  # noqa: PLC0415
    from scorekeeper.tournaments.proposals import propose_round as propose  # noqa: PLC0415

    proposed = propose(state, results, seed)
    return encode_checked_round(state, RoundDrawn(**proposed._asdict()))


def check_round(
    state: "TournamentState", number: int, tables: Sequence[tuple[str, ...]], byes: Sequence[str]
) -> bytes:
    """Return a round that was drawn by hand with its problems, as JSON.

    Raises `UnusableError` if all rounds are played.
    """
    from scorekeeper.tournaments.checked_rounds import (  # noqa: PLC0415
        encode_checked_round,
        make_round_by_hand,
    )

    return encode_checked_round(state, make_round_by_hand(state, number, tables, byes))


def export_tournament(file: "TournamentFile", name: str) -> bytes:
    """Return one of the files of a tournament. Raises `UnusableError` if it cannot be made."""
    from scorekeeper.exports.tournament_formats import export_tournament_file  # noqa: PLC0415

    return export_tournament_file(file, name)


def draw_slips(
    file: "TournamentFile", tables: Mapping[int, str], players: Mapping[str, str]
) -> bytes:
    """Return slips with QR codes of addresses, by table and by player, as a PDF.

    Raises `UnusableError` for a slip that is for nobody.
    """
    from scorekeeper.exports import slips  # noqa: PLC0415

    return slips.draw_slips(file, slips.SlipAddresses(tables, players))


# ------------------------------------------------------------------------ answers from a log file


def score_log(log: bytes, max_bytes: int) -> bytes:
    """Return the report of a log.

    Raises `UnusableError` if the log cannot be read or is larger than ``max_bytes``.
    """
    session = Session.read(BytesIO(log), max_bytes)
    return as_json(to_json_values(view_report(session)))


def evaluate_what_if_of_log(log: bytes, max_bytes: int, question: JsonObject) -> bytes:
    """Return the totals of a log under other options or corrections.

    Raises `UnusableError` if the log cannot be read or the question cannot be evaluated.
    """
    session = Session.read(BytesIO(log), max_bytes)
    return as_json(to_json_values(_evaluate(session, question)))


def verify_log(log: bytes, head: str | None = None, count: int | None = None) -> bytes:
    """Return the verdict on a sealed log as JSON: whether it is intact, and the first bad line.

    `head` and `count` are the last hash and number of events that it should have. Raises
    `NotALogError` if it is not a log.
    """
    return as_json(to_json_values(verify(BytesIO(log), head, count)))


def validate_log(log: bytes, max_bytes: int, at: str) -> bytes:
    """Validate a log that is to become a session, and return it as the bytes of ``Incoming``.

    Raises `UnusableError` if it cannot become one.
    """
    return bytes(seal_incoming(log, max_bytes, at))


def _evaluate(session: Session, question: JsonObject) -> WhatIfView:
    """Return the totals under the options, corrections or proposal of a question.

    Raises `UnusableError` if the question is empty or has more than one of them.
    """
    options, corrections = question.get("options"), question.get("corrections", ())
    if "proposal" in question:
        if options or corrections or "match" in question:
            raise UnusableError("expected nothing beside a proposal", field="proposal")
        return compare_agreed(session, question["proposal"])
    if "whole" in question:
        if options or corrections or "match" in question:
            raise UnusableError("expected nothing beside it", field="whole")
        return _suppose_whole(session, question["whole"])
    if not options and not corrections:
        raise UnusableError("expected options, corrections or a proposal", field="options")
    return compare_supposed(session, options, corrections, question.get("match"))


def _suppose_whole(session: Session, question: JsonObject) -> WhatIfView:
    """Return the totals with the correction of a whole thing, and the corrections that it takes.

    Raises `UnusableError` if there is no such hand, or it cannot be corrected so.
    """
    from scorekeeper.repair.whole_corrections import WHOLE_KINDS, build_whole  # noqa: PLC0415

    matches, number, hand = session.structure.matches, question["match"], question["hand"]
    if number > len(matches) or hand > len(matches[number - 1].hands):
        raise UnusableError(expected("the number of a hand that was started", hand), field="whole")
    record, kind = matches[number - 1].hands[hand - 1], WHOLE_KINDS[question["kind"]]
    if kind.first_hand and hand != 1:
        raise UnusableError(expected("the first hand of a match", hand), field="whole.hand")
    reason = question.get("reason", "")
    try:
        corrections = build_whole(session, record, kind, question["answer"], reason)
    except UnusableError as error:
        error.field = ".".join(filter(None, ("whole", error.field)))
        raise
    events = [EventView(correction.type, correction.data) for correction in corrections]
    supposed = compare_supposed(session, None, list(map(to_json_values, events)))
    return replace(supposed, corrections=events)


def _signatures(session: Session, seq: int, quorum: "Quorum", at: str) -> SignaturesView | None:
    """Return who has to sign a proposal; None if it cannot take effect now."""
    from scorekeeper.service.rulings import needed_signers, signed_by, why_closed  # noqa: PLC0415

    proposal = session.structure.disputes.proposals.get(seq)
    if proposal is None or why_closed(session, proposal):
        return None
    try:
        needs = needed_signers(session, proposal, quorum, at)
    except UnusableError:
        return None
    missing = needs.missing(signed_by(session, proposal))
    return SignaturesView(needs.matches, needs.needed, list(needs.of), missing)

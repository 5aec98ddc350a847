"""The notice on the page of a table about a form that was not recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flask import request
from flask import url_for as url

from scorekeeper.base.errors import (
    ConfirmedHandError,
    IrregularError,
    KeyReusedError,
    ScorekeeperError,
    StaleVersionError,
    why_of,
)
from scorekeeper.service import Holder
from scorekeeper.service.permissions import SIGNS_ONLY, SITS_ELSEWHERE
from scorekeeper.session.session import Session
from scorekeeper.web.entry import undoing
from scorekeeper.web.entry.appending import ANOTHER_HAND, is_over, recorded_by_others_since
from scorekeeper.web.entry.history import describe_since
from scorekeeper.web.forms.sent import decode_form
from scorekeeper.web.forms.stopping import list_questions
from scorekeeper.web.wording.refused import message_for_players

OF_THE_MOMENT: Final = ("version", "key", "as_played")  # renewed when a form is sent again


@dataclass(frozen=True, slots=True)
class Notice:
    """The result of a form that was not recorded, with the form's content.

    ``kind`` is irregular, stale or unusable; ``messages`` are the findings, or the entries of
    others, which can be the ``same`` as the form. A form for a hand that is ``over`` cannot be
    recorded any more; an Undo that is ``too_late`` takes nothing back. ``sent_to`` is the address
    to send the form to again, and ``desk`` the address to dispute a confirmed hand. The
    director of a tournament can still enter a form that came too ``late`` from a player.
    """

    kind: str
    messages: Sequence[str]
    kept: Sequence[tuple[str, str]]
    sent_to: str
    same: bool = False
    over: bool = False
    desk: str = ""
    too_late: bool = False
    late: bool = False

    def has(self, kind: str, name: str, value: str) -> bool:
        """Return whether the form was for the event type `kind` and had this field and value."""
        return self._of(kind) and (name, value) in self.kept

    def typed(self, kind: str, name: str) -> str:
        """Return the text typed in a field of a form for the event type `kind`, else empty."""
        if not self._of(kind):
            return ""
        return next((value for field, value in self.kept if field == name), "")

    def _of(self, kind: str) -> bool:
        """Return whether the form was for this event type."""
        return any(name.endswith("type") and value == kind for name, value in self.kept)


def build_notice(
    session: Session, session_id: str, holder: Holder, error: ScorekeeperError
) -> Notice:
    """Return the notice that explains why the form of the request was refused, with its fields."""
    kept = [
        (name, value) for name, value in request.form.items(multi=True) if name not in OF_THE_MOMENT
    ]
    if isinstance(error, IrregularError):
        return Notice("irregular", list_questions(session, error.findings), kept, request.path)
    if isinstance(error, StaleVersionError | KeyReusedError):
        form = decode_form(request.form)
        same, over = recorded_by_others_since(session, form), is_over(session, form, holder)
        return Notice(
            "stale", describe_since(session, form.version), kept, request.path, same, over
        )
    if why_of(error) in undoing.TOO_LATE:
        sentences = [
            message_for_players(error),
            *describe_since(session, decode_form(request.form).version),
        ]
        return Notice("unusable", sentences, kept, request.path, too_late=True)
    desk, over = dispute_url(session_id, error), why_of(error) == ANOTHER_HAND
    late = error.args[0] in (SIGNS_ONLY, SITS_ELSEWHERE)
    return Notice(
        "unusable", [message_for_players(error)], kept, request.path, over=over, desk=desk,
        late=late,
    )  # fmt: skip


def dispute_url(session_id: str, error: ScorekeeperError) -> str:
    """Return the address to dispute the hand that a form would have changed, or an empty string."""
    if not isinstance(error, ConfirmedHandError):
        return ""
    return url("dispute.page", session_id=session_id, match=error.match, hand=error.hand)

"""The answer to a what-if question as declared values: from it follow its JSON and its schema."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.report.views import EventView, ReportView


@dataclass(frozen=True, slots=True)
class ChangeView(DeclaredView):
    """How a match, or a hand of it, would differ."""

    match: int = declare("the number of the match")
    hand: int | None = declare(
        "the number of the hand, of a new one that which it would get; null for the match itself"
    )
    before: JsonObject | None = declare(
        "the members that differ, with their present values, and the findings that "
        "would disappear; null if it does not exist now"
    )
    after: JsonObject | None = declare(
        "the same members with their new values, and the findings that would appear; "
        "null if it would not exist"
    )
    becomes: int | None = declare(
        "the number that the hand would have; only if that is another", optional=True
    )


@dataclass(frozen=True, slots=True)
class SignaturesView(DeclaredView):
    """The signatures that a proposal needs before it can be carried out."""

    matches: Sequence[int] = declare(
        "the numbers of the match of the hand and of the other matches that change"
    )
    needed: str = declare(
        "the signers in the match of the hand: one for each side, or every seat; in "
        "other matches every seat",
        values=("sides", "seats"),
    )
    of: Sequence[str] = declare("the sides and seats that have to sign")
    missing: Sequence[str] = declare("the sides and seats whose signature is missing")


@dataclass(frozen=True, slots=True)
class WhatIfView(DeclaredView):
    """The report of a session under a supposition, and how it differs."""

    report: ReportView = declare("the report under the supposition")
    difference: Sequence[ChangeView] = declare("the matches and hands that would differ, in order")
    matches: Sequence[int] = declare("the numbers of the matches that would differ")
    signatures: SignaturesView | None = declare(
        "the signatures of a proposal; only if the question is about one that can be signed",
        optional=True,
    )
    corrections: Sequence[EventView] | None = declare(
        "the corrections, if the question is about a whole thing", optional=True
    )

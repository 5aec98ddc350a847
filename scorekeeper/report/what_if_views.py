"""The answer to a what-if question as declared values: from it follow its JSON and its schema."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, figure
from scorekeeper.report.views import ReportView


@dataclass(frozen=True, slots=True)
class ChangeView(DeclaredView):
    """How a match, or a hand of it, would differ."""

    match: int = figure("the number of the match")
    hand: int | None = figure("the number of the hand, null for the match itself")
    before: JsonObject | None = figure(
        "the members that differ, with their present values, and the findings that "
        "would disappear; null if it does not exist now"
    )
    after: JsonObject | None = figure(
        "the same members with their new values, and the findings that would appear; "
        "null if it would not exist"
    )


@dataclass(frozen=True, slots=True)
class SignaturesView(DeclaredView):
    """The signatures that a proposal needs before it can be carried out."""

    matches: Sequence[int] = figure(
        "the numbers of the match of the hand and of the other matches that change"
    )
    needed: str = figure(
        "the signers in the match of the hand: one for each side, or every seat; in "
        "other matches every seat",
        values=("sides", "seats"),
    )
    of: Sequence[str] = figure("the sides and seats that have to sign")
    missing: Sequence[str] = figure("the sides and seats whose signature is missing")


@dataclass(frozen=True, slots=True)
class WhatIfView(DeclaredView):
    """The report of a session under a supposition, and how it differs."""

    report: ReportView = figure("the report under the supposition")
    difference: Sequence[ChangeView] = figure("the matches and hands that would differ, in order")
    matches: Sequence[int] = figure("the numbers of the matches that would differ")
    signatures: SignaturesView | None = figure(
        "the signatures of a proposal; only if the question is about one that can be signed",
        optional=True,
    )

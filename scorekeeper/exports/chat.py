"""A short text about a session for a chat: winners, standings and payments.

It is plain text without markup, and names are as they were typed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.base.language import speaking
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.paper import BOX
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import format_amount, with_minus_sign
from scorekeeper.report.evening_sums import EveningSum, list_summed_matches, sum_evening
from scorekeeper.report.footnotes import describe_sum
from scorekeeper.report.marks import COUNTED
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.settlement import settle_matches
from scorekeeper.report.sheet import name_sides, rank_sides
from scorekeeper.report.views import MatchView, MoneyView, PaymentView, ReportView

FLAG: Final = "⚑"
# Letters of right-to-left scripts.
RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ISOLATED: Final = "\u2068%s\u2069"
MAX_LINES: Final = 60  # of standings and payments; the other files have all
MAX_LINES_OF_SUM: Final = 30  # matches whose sum is longer are shown one by one


class Placing(NamedTuple):
    """A side in the standing of a match."""

    rank: int
    name: str
    figure: str
    won: bool


class PaymentInWords(NamedTuple):
    """A payment with names and a formatted amount."""

    payer: str
    to: str
    amount: str


@dataclass(frozen=True, slots=True)
class MatchInWords:
    """The summary of a match.

    ``counts`` names the unit of its totals, ``settled_in`` the same unit unless it is points.
    ``suits`` are the letters of its pack; ``pack`` is ``french`` or ``italian``.
    """

    game: str
    outcome: str
    counts: str
    settled_in: str
    places: Sequence[Placing]
    marks: Sequence[str]
    payments: Sequence[PaymentInWords]
    pack: str
    suits: Sequence[str]


@dataclass(frozen=True, slots=True)
class SumInWords:
    """Several matches of one game that are added up: their heading, standing and payments."""

    title: str
    counts: str
    settled_in: str
    places: Sequence[Placing]
    payments: Sequence[PaymentInWords]
    provisional: bool


@dataclass(frozen=True, slots=True)
class MoneyInWords:
    """The payments for all matches played for money in one currency."""

    currency: str
    payments: Sequence[PaymentInWords]
    provisional: bool


@dataclass(frozen=True, slots=True)
class Message:
    """The content of the text; ``more`` is true if it was shortened to ``MAX_LINES``."""

    title: str
    when: str
    place: str
    matches: Sequence[MatchInWords]
    sums: Sequence[SumInWords]
    money: Sequence[MoneyInWords]
    more: bool = False


# Warnings about one hand, and about several.
MARKS: Final = {
    "disputed": (
        N_("Disputed: hand %(hands)s"),
        N_("Disputed: hands %(hands)s"),
    ),
    "unresolved": (
        N_("No agreement: hand %(hands)s"),
        N_("No agreement: hands %(hands)s"),
    ),
    "incomplete": (
        N_("Incomplete: hand %(hands)s"),
        N_("Incomplete: hands %(hands)s"),
    ),
    "wrong": (
        N_("Something is wrong: hand %(hands)s"),
        N_("Something is wrong: hands %(hands)s"),
    ),
}
NameFormatter = Callable[[str], str]  # returns an empty text for a name that cannot be shown


def isolate(name: str) -> str:
    """Return a name that cannot change the direction of the text around it.

    Bidirectional controls are removed, and a name in a right-to-left script is isolated.
    """
    name = strip_bidi(name)
    return ISOLATED % name if RIGHT_TO_LEFT.search(name) else name


def summarize_evening(evening: Evening, format_name: NameFormatter = isolate) -> Message:
    """Return the content of a chat text or picture, in the language of the reader.

    `format_name` makes names safe to show.
    """
    with speaking(evening.reader.translated_language):
        players = evening.session.structure.players
        names = {
            player: _readable(format_name(name), name) or player for player, name in players.items()
        }
        settled = settle_matches(evening.session, evening.report)
        sums = [
            added
            for added in sum_evening(evening.session, evening.report)
            if _count_lines(added) <= MAX_LINES_OF_SUM
        ]
        summed = list_summed_matches(sums)
        matches: list[MatchInWords] = []
        lines_left = MAX_LINES - sum(map(_count_lines, sums))
        shown = [
            each
            for each in zip(evening.report.matches, evening.matches, settled, strict=True)
            if each[1].sheet.played or each[1].sheet.status == "open"
        ]
        for match, played, due in shown:
            alone = match.match not in summed
            in_words = _match_in_words(evening, match, played, due.payments if alone else (), names)
            lines_left -= len(in_words.places) + len(in_words.payments)
            if matches and lines_left < 0:
                break
            matches.append(in_words)
        return Message(
            title=format_name(evening.about.title) or evening.id,
            when=evening.reader.format_date(evening.day) if evening.day else "",
            place=format_name(evening.about.place or ""),
            matches=matches,
            sums=[_sum_in_words(added, names) for added in sums],
            money=[
                _money_in_words(purse, names, evening.reader.language)
                for purse in evening.report.money or ()
            ],
            more=len(matches) < len(shown),
        )


def _readable(formatted: str, name: str) -> str:
    """Return a formatted name, or an empty text if some of its letters became boxes."""
    return "" if BOX in formatted and BOX not in name else formatted


def _match_in_words(
    evening: Evening, match: MatchView, played: MatchInExport, due: Sequence[PaymentView],
    names: Mapping[str, str],
) -> MatchInWords:  # fmt: skip
    """Return the summary of a match: outcome, standings, warnings and the payments ``due``."""
    sheet, record = played.sheet, evening.session.structure.matches[match.match - 1]
    suits = [suit for suit in record.pack.suits if suit in "SHDCB"]
    sides = name_sides(match.sides, names)
    outcome, pays = played.outcome_with(sides), sheet.played and not match.stake
    return MatchInWords(
        game=played.game,
        outcome=outcome[:1].upper() + outcome[1:],
        counts=_(COUNTED[sheet.counts]),
        settled_in="" if sheet.counts == "points" else _(COUNTED[sheet.counts]),
        places=[
            Placing(ranked.rank, ranked.name, with_minus_sign(ranked.total), ranked.winner)
            for ranked in (rank_sides(match, sides) if sheet.played else ())
        ],
        marks=list(_mark_warnings(evening.report, played)),
        payments=_payments_in_words(due if pays else (), names, with_minus_sign),
        pack="french" if "H" in suits else "italian",
        suits=suits,
    )  # fmt: skip


def _count_lines(added: EveningSum) -> int:
    """Return the number of lines of a sum: its standing and payments."""
    return len(added.players) + len(added.payments)


def _sum_in_words(added: EveningSum, names: Mapping[str, str]) -> SumInWords:
    """Return matches that are added up: their players with totals, and the payments."""
    return SumInWords(
        title=describe_sum(added),
        counts=_(COUNTED[added.counts]),
        settled_in="" if added.counts == "points" else _(COUNTED[added.counts]),
        places=[
            Placing(row.rank, names[row.player], with_minus_sign(row.total), row.rank == 1)
            for row in added.players
        ],
        payments=_payments_in_words(added.payments, names, with_minus_sign),
        provisional=added.provisional,
    )


def _payments_in_words(
    payments: Iterable[PaymentView], names: Mapping[str, str], format_figure: Callable[[int], str]
) -> list[PaymentInWords]:
    """Return payments with the names of players and formatted amounts."""
    return [
        PaymentInWords(names[item.payer], names[item.to], format_figure(item.amount))
        for item in payments
    ]


def _money_in_words(purse: MoneyView, names: Mapping[str, str], language: str) -> MoneyInWords:
    """Return the payments in one currency with names and formatted amounts."""

    def format_figure(amount: int) -> str:
        return format_amount(amount, purse.currency, language)

    payments = _payments_in_words(purse.payments, names, format_figure)
    return MoneyInWords(purse.currency, payments, purse.provisional)


def _mark_warnings(report: ReportView, played: MatchInExport) -> Iterator[str]:
    """Yield warnings about hands that may still change the result."""
    number = played.sheet.match
    rows = played.sheet.rows
    wrong = {
        finding.hand
        for finding in report.findings
        if finding.match == number and finding.severity == "error" and finding.hand is not None
    }
    hands_by_mark = {
        "disputed": [row.hand for row in rows if row.disputed],
        "unresolved": sorted(played.unresolved),
        "incomplete": [row.hand for row in rows if row.status == "incomplete"],
        "wrong": sorted(wrong),
    }
    for mark, hands in hands_by_mark.items():
        if hands:
            yield _(MARKS[mark][len(hands) > 1], hands=format_ranges(hands))


# ------------------------------------------------------------------------------------ the text


def chat_text(evening: Evening, link: str = "") -> bytes:
    """Return the text about a session as UTF-8; a `link` for viewers is its last line."""
    with speaking(evening.reader.translated_language):
        return ("\n".join(message_lines(summarize_evening(evening), link)) + "\n").encode("utf-8")


def message_lines(content: Message, link: str = "") -> Iterator[str]:
    """Yield the lines of the chat text."""
    yield content.title
    yield from filter(None, (", ".join(filter(None, (content.when, content.place))),))
    if not content.matches:
        yield ""
        yield _("No match was played.")
    for match in content.matches:
        yield ""
        yield f"{_('%(label)s:', label=match.game)} {match.outcome}"
        yield from filter(None, (match.settled_in,))
        for place in match.places:
            yield f"{place.rank}. {_('%(label)s:', label=place.name)} {place.figure}"
        yield from (f"{FLAG} {mark}" for mark in match.marks)
        yield from _payment_lines(match.payments)
    for added in content.sums:
        yield from _sum_lines(added)
    for purse in content.money:
        yield ""
        yield _("For money, in %(currency)s", currency=purse.currency)
        yield from _payment_lines(purse.payments)
        if purse.provisional:
            yield f"{FLAG} {_('It may still change.')}"
    if content.more:
        yield ""
        yield _("More is in the score sheet.")
    if link:
        yield ""
        yield _("Look on: %(link)s", link=link)


def _sum_lines(added: SumInWords) -> Iterator[str]:
    """Yield the lines of matches that are added up: the standing, and who pays whom."""
    yield ""
    yield _("%(label)s:", label=added.title)
    yield from filter(None, (added.settled_in,))
    for place in added.places:
        yield f"{place.rank}. {_('%(label)s:', label=place.name)} {place.figure}"
    yield from _payment_lines(added.payments)
    if added.provisional:
        yield f"{FLAG} {_('It may still change.')}"


def _payment_lines(payments: Sequence[PaymentInWords]) -> Iterator[str]:
    """Yield a heading and a line for each payment; nothing without payments."""
    if payments:
        yield _("%(label)s:", label=_("Who pays whom"))
    for item in payments:
        yield _("%(payer)s pays %(to)s %(amount)s", payer=item.payer, to=item.to,
                amount=item.amount)  # fmt: skip

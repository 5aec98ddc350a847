"""What an evening came to in few words, as it is sent to a chat: who won, how it stands, who pays.

It is plain text: nothing in it is markup, and a name stays as it was typed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.base.language import speaking
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.filenames import unturned
from scorekeeper.exports.paper import BOX
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import format_amount
from scorekeeper.report.marks import COUNTED
from scorekeeper.report.narration import spans
from scorekeeper.report.payments import Payment
from scorekeeper.report.settlement import Purse, Settled, purses, settlements

FLAG: Final = "⚑"
MINUS: Final = "\N{MINUS SIGN}"
# Letters that are written from right to left.
LEFTWARDS: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ISOLATED: Final = "\u2068%s\u2069"
MOST: Final = 60  # lines of standings and payments; the files have all


class Placing(NamedTuple):
    """A side in the standing of a match."""

    rank: int
    name: str
    figure: str
    won: bool


class Pays(NamedTuple):
    """Who pays whom, and how much as it is written."""

    payer: str
    to: str
    amount: str


@dataclass(frozen=True, slots=True)
class MatchInWords:
    """A match in few words.

    ``counts`` is what its totals are, and ``settled_in`` the same where they are not points;
    ``suits`` are the letters of its pack, which is ``french`` or ``italian``.
    """

    game: str
    outcome: str
    counts: str
    settled_in: str
    places: Sequence[Placing]
    marks: Sequence[str]
    pays: Sequence[Pays]
    pack: str
    suits: Sequence[str]


@dataclass(frozen=True, slots=True)
class Purses:
    """What the matches played for money come to in one currency."""

    currency: str
    pays: Sequence[Pays]
    provisional: bool


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent; ``more`` is whether something was left out because it would be too long."""

    title: str
    when: str
    place: str
    matches: Sequence[MatchInWords]
    money: Sequence[Purses]
    more: bool = False


# What is said of one hand, and of several.
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
NameOf = Callable[[str], str]  # a name as it is to stand there; empty where nothing of it can


def own(name: str) -> str:
    """A name that keeps its direction to itself, whatever stands beside it."""
    name = unturned(name)
    return ISOLATED % name if LEFTWARDS.search(name) else name


def message(evening: Evening, named: NameOf = own) -> Message:
    """An evening in few words, in the language of its reader, each name as ``named`` puts it."""
    with speaking(evening.reader.translated_language):
        players = evening.session.structure.players
        names = {player: _readable(named(name), name) or player for player, name in players.items()}
        settled = settlements(evening.session, evening.report)
        told: list[MatchInWords] = []
        left = MOST
        for match, played, due in zip(
            evening.report["matches"], evening.matches, settled, strict=True
        ):
            one = _told(evening, match, played, due, names)
            left -= len(one.places) + len(one.pays)
            if told and left < 0:
                break
            told.append(one)
        return Message(
            title=named(evening.about["title"]) or evening.id,
            when=evening.reader.format_day(evening.began) if evening.began else "",
            place=named(evening.about["place"] or ""),
            matches=told,
            money=[_purse(purse, names, evening.reader.language) for purse in purses(settled)],
            more=len(told) < len(evening.matches),
        )


def _readable(shown: str, name: str) -> str:
    """A name as it is shown; nothing where letters of it cannot be."""
    return "" if BOX in shown and BOX not in name else shown


def _told(
    evening: Evening, match: Mapping[str, Any], played: Played, due: Settled,
    names: Mapping[str, str],
) -> MatchInWords:  # fmt: skip
    sheet, record = played.sheet, evening.session.structure.matches[match["match"] - 1]
    totals = sorted(sheet.totals.items(), key=lambda one: -one[1])
    suits = [suit for suit in record.pack.suits if suit in "SHDCB"]
    sides = {
        side: " & ".join(names[one] for one in members) for side, members in match["sides"].items()
    }
    outcome = played.ended(sides)
    return MatchInWords(
        game=played.game,
        outcome=outcome[:1].upper() + outcome[1:],
        counts=_(COUNTED[sheet.counts]),
        settled_in="" if sheet.counts == "points" else _(COUNTED[sheet.counts]),
        places=[
            Placing(
                1 + sum(other > total for other in sheet.totals.values()),
                sides[side], plain(total), side in sheet.winners,
            )
            for side, total in totals
        ],
        marks=list(_marks(evening.report, played)),
        pays=[] if due.stake else _pays(due.payments, names, plain),
        pack="french" if "H" in suits else "italian",
        suits=suits,
    )  # fmt: skip


def plain(points: int) -> str:
    """A whole number with a proper minus sign."""
    return f"{MINUS}{-points}" if points < 0 else str(points)


def _pays(some: Iterable[Payment], names: Mapping[str, str], write: Any) -> list[Pays]:
    return [Pays(names[one.payer], names[one.to], write(one.amount)) for one in some]


def _purse(purse: Purse, names: Mapping[str, str], language: str) -> Purses:
    pays = _pays(purse.payments, names, lambda n: format_amount(n, purse.currency, language))
    return Purses(purse.currency, pays, purse.provisional)


def _marks(report: Mapping[str, Any], played: Played) -> Iterator[str]:
    """What is to be known before the result is relied on."""
    number = played.sheet.match
    rows = played.sheet.rows
    wrong = {
        one["hand"]
        for one in report["findings"]
        if one["match"] == number and one["severity"] == "error" and one["hand"] is not None
    }
    of = {
        "disputed": [row.hand for row in rows if row.disputed],
        "unresolved": sorted(played.unresolved),
        "incomplete": [row.hand for row in rows if row.status == "incomplete"],
        "wrong": sorted(wrong),
    }
    for what, hands in of.items():
        if hands:
            yield _(MARKS[what][len(hands) > 1], hands=spans(hands))


# ------------------------------------------------------------------------------------ the text


def text(evening: Evening, link: str = "") -> bytes:
    """An evening as a text; with a ``link`` to look on, that is its last line."""
    with speaking(evening.reader.translated_language):
        return ("\n".join(lines(message(evening), link)) + "\n").encode("utf-8")


def lines(told: Message, link: str = "") -> Iterator[str]:
    """The lines of the text."""
    yield told.title
    yield from filter(None, (", ".join(filter(None, (told.when, told.place))),))
    if not told.matches:
        yield ""
        yield _("No match was played.")
    for match in told.matches:
        yield ""
        yield f"{_('%(label)s:', label=match.game)} {match.outcome}"
        yield from filter(None, (match.settled_in,))
        for one in match.places:
            yield f"{one.rank}. {_('%(label)s:', label=one.name)} {one.figure}"
        yield from (f"{FLAG} {mark}" for mark in match.marks)
        yield from _paid(match.pays)
    for purse in told.money:
        yield ""
        yield _("For money, in %(currency)s", currency=purse.currency)
        yield from _paid(purse.pays)
        if purse.provisional:
            yield f"{FLAG} {_('It may still change.')}"
    if told.more:
        yield ""
        yield _("More is in the score sheet.")
    if link:
        yield ""
        yield _("Look on: %(link)s", link=link)


def _paid(pays: Iterable[Pays]) -> Iterator[str]:
    if pays:
        yield _("%(label)s:", label=_("Who pays whom"))
    for one in pays:
        yield _("%(payer)s pays %(to)s %(amount)s", payer=one.payer, to=one.to,
                amount=one.amount)  # fmt: skip

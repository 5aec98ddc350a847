"""Formats of figures, times, cards and clauses on a page."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from flask import url_for
from flask_babel import format_timedelta, get_locale
from flask_babel import lazy_gettext as _l
from markupsafe import Markup, escape

from scorekeeper.base.parts import ExactPoints, format_parts, format_points
from scorekeeper.exports.tournament_words import format_exact
from scorekeeper.games.game import Game
from scorekeeper.languages.catalogues import DEFAULT
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS, format_amount, with_minus_sign
from scorekeeper.play.rulebook import COMMON, Choice, Clause, Family
from scorekeeper.report.marks import COUNTED, STATUS
from scorekeeper.report.narration import format_ranges
from scorekeeper.web.wording.days import format_reader_day
from scorekeeper.web.wording.naming import fit_name, fit_names

SECONDS_PER_MINUTE: Final = 60
LEVEL_WORDS: Final = {
    "cards": _l("card by card"),
    "tricks": _l("trick by trick"),
    "totals": _l("totals only"),
    "mixed": _l("cards and tricks"),
}
# Letters that are written from right to left, and the spaces between their words.
LETTERS: Final = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
LEFTWARDS: Final = re.compile(rf"{LETTERS}(?:\s+{LETTERS})*")
COMMON_BY_ID: Final = {clause.id: clause for clause in COMMON}


def with_sign(points: ExactPoints) -> str:
    """Return points with their sign, as on a score sheet."""
    return f"+{format_points(points)}" if points > 0 else with_minus_sign(points)


def points_in(number: int, parts: int) -> str:
    """Return a number of parts of a point as points, with a minus sign for less than 0."""
    return format_parts(number, parts).replace("-", MINUS)


def format_money(amount: int, currency: str, *, sign: bool = False) -> str:
    """Return an amount in minor units in the reader's language; with ``sign`` also a plus."""
    return format_amount(amount, currency, str(get_locale() or DEFAULT), sign=sign)


def plural_number(points: ExactPoints) -> int:
    """Return the whole number whose plural form points have: 1½ are not 1, nor always 2."""
    size = -points if points < 0 else points
    return size.numerator if size.denominator == 1 else 0 if size < 2 else 2


def tone_class(points: ExactPoints) -> str:
    """Return the CSS class for points: `plus`, `minus` or `nil`."""
    return "plus" if points > 0 else "minus" if points < 0 else "nil"


def format_day_of(at: str) -> str:
    """Return the day of an ISO time, in the reader's language."""
    moment = datetime.fromisoformat(at)
    return format_reader_day(moment.date())


def clause_of(game: Game, clause_id: str) -> Clause:
    """Return a clause of a game's rule book, or one common to all games."""
    return COMMON_BY_ID.get(clause_id) or game.book.clause(clause_id)


def clause_href(clause_id: str, game: Game | None) -> str:
    """Return the address of a clause in the rule book."""
    if clause_id in COMMON_BY_ID or game is None:
        return url_for("rules.index", _anchor=clause_id)
    return url_for("rules.book", game=game.id, _anchor=clause_id)


def is_chosen(choice: Choice, value: object) -> bool:
    """Return whether an option's value equals this choice, or belongs to this family of values."""
    if isinstance(choice, Family):
        return choice.accepts(value)
    return (type(choice), choice) == (type(value), value)


def mark_up_code(text: str) -> Markup:
    """Return a text with the parts in backticks marked up as code.

    >>> mark_up_code("give `head` < 3")
    Markup('give <code>head</code> &lt; 3')
    """
    parts = escape(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(Markup(part)) if place % 2 else Markup(part)  # noqa: S704
        for place, part in enumerate(parts)
    )


def isolate_direction(text: str) -> Markup:
    """Return a text isolated in its own direction, whatever the direction of names in it.

    >>> isolate_direction("Leo & Ada bid 3")
    Markup('<bdi>Leo &amp; Ada bid 3</bdi>')
    """
    html, names = LEFTWARDS.subn(r"<bdi>\g<0></bdi>", str(escape(text)))
    return Markup(f'<bdi dir="ltr">{html}</bdi>' if names else f"<bdi>{html}</bdi>")  # noqa: S704


def with_colon(label: str) -> str:
    """Return a label with its colon, before which some languages put a space."""
    return str(_("%(label)s:", label=label))


def say_otherwise(label: str, words: str) -> Markup:
    """Return the HTML of a label that a screen reader says in other words; empty without words."""
    if words in ("", label):
        return Markup()
    html = Markup('<span aria-hidden="true">{}</span><span class="sr">{}</span>')
    return html.format(label, words)


def displayed_name(player: str, names: Mapping[str, str]) -> str:
    """Return the displayed name of a player, from the names by id."""
    return names[player]


FILTERS: Final = {
    "code": mark_up_code,
    "fitted": fit_names,
    "labelled": with_colon,
    "named": displayed_name,
    "signed": with_sign,
    "plain": with_minus_sign,
    "plural": plural_number,
    "points": points_in,
    "sentence": isolate_direction,
    "tone": tone_class,
    "evening": format_day_of,
    "exact": format_exact,
    "spans": format_ranges,
}
GLOBALS: Final = {
    "fit": fit_name,
    "clause_href": clause_href,
    "COMMON": COMMON_BY_ID,
    "STATUS": STATUS,
    "COUNTED": COUNTED,
    "LEVEL": LEVEL_WORDS,
}


def format_age(at: str | None, now: str) -> str:
    """Return how long before `now` a time was, in words; empty for None."""
    if at is None:
        return ""
    age = datetime.fromisoformat(now) - datetime.fromisoformat(at)
    if age.total_seconds() < SECONDS_PER_MINUTE:
        return str(_("just now"))
    return str(format_timedelta(-age, granularity="minute", add_direction=True))

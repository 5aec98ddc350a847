"""The words of a tournament's files: exact figures, what decided a tie, marks and notes."""

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any, Final

from scorekeeper.exports.tournament import PrizeLine, TournamentFile
from scorekeeper.languages.catalogues import N_, ngettext
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS, format_amount
from scorekeeper.languages.reader import DECIMAL_COMMA
from scorekeeper.tournaments.standings_views import (
    EntrantRoundView,
    StandingRowView,
    TournamentStandingsView,
)

# Fractions that have a character of their own.
VULGAR: Final = {
    Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼",
    Fraction(3, 4): "¾", Fraction(1, 5): "⅕", Fraction(2, 5): "⅖", Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘", Fraction(1, 6): "⅙", Fraction(5, 6): "⅚", Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip
CELL_STEP: Final = Decimal("0.0001")  # to which a cell rounds what has no end as a decimal
DOT: Final = "·"
# What decided a tie.
TIE_WORDS: Final = {
    "points": N_("points"), "score": N_("score"), "difference": N_("difference of scores"),
    "scored": N_("points scored"), "conceded": N_("points of the others"),
    "wins": N_("tables won"), "hands_won": N_("hands won"),
    "contracts_made": N_("contracts made"), "best_hand": N_("best hand"),
    "best_round": N_("best round"), "countback": N_("better places at the tables"),
    "head_to_head": N_("against one another"), "opponents": N_("points of the opponents"),
    "lot": N_("lot"),
}  # fmt: skip
# Marks at the points of a round, with their meaning.
ROUND_MARKS: Final = {"bye": "b", "missed": "m", "assigned": "r"}
MARK_WORDS: Final = {
    "bye": N_("b: sat out"), "missed": N_("m: missed the round"),
    "assigned": N_("r: ruled by the director"),
}  # fmt: skip


def format_exact(figure: Any) -> str:
    r"""Return an exact figure of a view for people, with a proper fraction and minus sign.

    >>> format_exact("7/2"), format_exact("10/7"), format_exact(-3) == f"{MINUS}3"
    ('3½', '1\xa03/7', True)
    """
    exact = Fraction(figure)
    whole, part = divmod(abs(exact), 1)
    sign = MINUS if exact < 0 else ""
    if not part:
        return f"{sign}{whole}"
    if part in VULGAR:
        return f"{sign}{whole or ''}{VULGAR[part]}"
    return f"{sign}{whole}\N{NO-BREAK SPACE}{part}" if whole else f"{sign}{part}"


def to_decimal(figure: Any) -> Decimal | None:
    """Return an exact figure as the number of a cell; a third is rounded to four places.

    >>> to_decimal("7/2"), to_decimal("1/3"), to_decimal(None)
    (Decimal('3.5'), Decimal('0.3333'), None)
    """
    if figure is None:
        return None
    exact = Fraction(figure)
    decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
    if Fraction(decimal) == exact:
        return decimal
    return decimal.quantize(CELL_STEP, ROUND_HALF_EVEN)


def format_standing_place(row: StandingRowView) -> str:
    """Return the place of a row, with ``=`` if it is shared."""
    return f"{row.place}{'=' if row.shared else '.'}"


def format_round(played: EntrantRoundView | None) -> str:
    """Return the points of a round with their mark; in brackets if they do not count."""
    if played is None:
        return ""
    if played.points is None:
        return DOT
    text = f"{ROUND_MARKS.get(played.kind, '')}{format_exact(played.points)}"
    return text if played.counted else f"({text})"


def describe_tie(row: StandingRowView, names: Mapping[str, str]) -> str:
    """Return what put an entrant before the next one; empty if it was the points."""
    decision = row.decision
    if decision is None:
        return ""
    other, rule = names.get(decision.before, decision.before), _(TIE_WORDS[decision.rule])
    if decision.rule == "lot":
        return _("before %(name)s: %(rule)s", name=other, rule=rule)
    own, theirs = format_tie_figure(decision.own), format_tie_figure(decision.theirs)
    return _("before %(name)s: %(rule)s %(own)s to %(theirs)s", name=other, rule=rule, own=own,
             theirs=theirs)  # fmt: skip


def format_tie_figure(figure: Any) -> str:
    """Return the figure of a tie-break; how often each place, separated by dashes."""
    return "-".join(map(str, figure)) if isinstance(figure, list) else format_exact(figure)


def describe_row(row: StandingRowView, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the remarks about an entrant's line: the tie, what the director gave, withdrawal."""
    if row.decision is not None:
        yield describe_tie(row, names)
    for given in row.adjustments:
        points = format_exact(given.points)
        if given.round:
            yield _("%(points)s in round %(number)s: %(reason)s", points=points,
                    number=given.round, reason=given.reason)  # fmt: skip
        else:
            yield f"{_('%(label)s:', label=points)} {given.reason}"
    if row.withdrawn_from is not None:
        yield _("withdrew from round %(number)s on", number=row.withdrawn_from)


def list_round_numbers(table: TournamentStandingsView) -> list[int]:
    """Return the numbers of the rounds that some line has."""
    return sorted({played.round for row in table.rows for played in row.rounds})


def list_notes(table: TournamentStandingsView, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the notes below the standings: marks, finals, the teams, what may still change."""
    kinds = {played.kind for row in table.rows for played in row.rounds}
    if marks := [_(words) for kind, words in MARK_WORDS.items() if kind in kinds]:
        yield ", ".join(marks)
    if any(not played.counted and played.points is not None
           for row in table.rows for played in row.rounds):  # fmt: skip
        yield _("Points in brackets do not count: only the best rounds do.")
    if any(row.provisional for row in table.rows):
        yield _("* may still change: a table is playing, unconfirmed or disputed.")
    finals = table.qualifiers if table.after_round else ()
    for number, final in enumerate(finals, start=1):
        head = _("Go on") if len(finals) == 1 else _("Final %(number)s", number=number)
        listed = ", ".join(names.get(entrant, entrant) for entrant in final)
        yield f"{_('%(label)s:', label=head)} {listed}"
    for team in table.teams:
        members = ", ".join(names.get(entrant, entrant) for entrant in team.entrants)
        yield f"{team.place}. {team.group} {format_exact(team.points)} ({members})"
    if table.changed:
        yield ngettext(
            "%(num)d table was corrected after the close.",
            "%(num)d tables were corrected after the close.",
            len(table.changed),
        )


def describe_progress(file: TournamentFile) -> str:
    """Return after which round the standings are, or that they are final."""
    table = file.standings
    if not table.after_round:
        return _("no round has been published")
    if table.closed:
        return _("final standings")
    return _("after round %(number)s", number=table.after_round)


def describe_day(file: TournamentFile) -> str:
    """Return the day of play in the zone of the tournament; empty if it is unknown."""
    if not file.about.began:
        return ""
    return file.reader.format_date(file.to_local_time(file.about.began).date())


def describe_prize(file: TournamentFile, line: PrizeLine) -> str:
    """Return the prizes of a place; amounts that several share are added up."""
    amounts = [prize for prize in line.prizes if isinstance(prize, int)]
    texts = [prize for prize in line.prizes if isinstance(prize, str)]
    if amounts:
        texts.insert(0, _format_money(file, sum(amounts)))
    listed = ", ".join(texts)
    if len(line.names) > 1:
        return _("%(prize)s together", prize=listed)
    return listed


def _format_money(file: TournamentFile, amount: int) -> str:
    """Return an amount in the currency of the tournament; without one, in hundredths."""
    language = file.reader.language
    if file.about.currency:
        return format_amount(amount, file.about.currency, language)
    text = f"{Decimal(amount) / 100:.2f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text


def describe_protests(file: TournamentFile) -> str:
    """Return until when protests are taken; empty while the tournament goes on."""
    end = file.protests_until
    return "" if end is None else _("Protests until %(time)s.", time=f"{end:%H:%M}")

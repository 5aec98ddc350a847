"""The table of a season as plain values, ready for JSON, and as rows for a spreadsheet."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from scorekeeper.base.cached import kept_in_it
from scorekeeper.clubs.figures import EveningFigure, MatchFigure
from scorekeeper.clubs.rankings import Figure, Rated
from scorekeeper.clubs.season import MemberRow, Standings, ties_of
from scorekeeper.log import codec
from scorekeeper.log.writing import Json, as_text, json_list, json_object

EVENING_COLUMNS: Final = (
    "place", "shared", "member", "name", "figure", "evenings", "matches", "hands", "won",
    "provisional", "evening", "evening_figure", "counted", "evening_matches", "evening_hands",
    "evening_won", "date", "title",
)  # fmt: skip


NEIGHBOURS: Final = 64
PLACES: Final = 4  # decimals of what is not whole
NOTHING: Final[Mapping[str, Any]] = {}
NO_DAYS: Final[Mapping[str, tuple[str, str]]] = {}


def number(value: Figure) -> int | float:
    """An exact figure as JSON has it: whole, or to four decimals."""
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else round(float(value), PLACES)


def figure(value: Figure, by: str) -> str:
    """A figure as people read it: averages to two decimals, halves and thirds as far as needed."""
    if by == "average":
        return f"{float(value):.2f}"
    return str(value) if value.denominator == 1 else f"{float(value):.2f}".rstrip("0")


def table(made: Standings, names: Mapping[str, str]) -> dict[str, Any]:
    """The table of a season; ``names`` are those of its members."""
    by = made.season.ranking.by
    rows = [_row(row, names, by, [_evening(one) for one in row.evenings]) for row in made.rows]
    return _table(made, rows)


def table_json(
    made: Standings, names: Mapping[str, str], more: Mapping[str, Any] = NOTHING
) -> bytes:
    """:func:`table` as JSON, with more behind it; what an evening brought is written once."""
    by = made.season.ranking.by
    rows = (_row(row, names, by, json_list(map(_written, row.evenings))) for row in made.rows)
    told = {**_table(made, json_list(map(json_object, rows))), **more}
    return json_object(told).encode()


def _table(made: Standings, rows: Any) -> dict[str, Any]:
    season = made.season
    return {
        "season": {
            "id": season.id, "name": season.name, "from": season.start or None, "to": season.to,
            "games": list(season.games), "ranking": codec.encode(season.ranking),
            "ties": list(ties_of(season)), "closed": season.heads is not None,
        },
        "evenings": list(made.evenings),
        "rows": rows,
        "left_out": [{"session": one.session_id, "match": one.match} for one in made.left_out],
    }  # fmt: skip


def _row(row: MemberRow, names: Mapping[str, str], by: str, made_of: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "place": row.place or None,
        "shared": row.shared,
        "parted_by": row.parted or None,
        "member": row.member,
        "name": names.get(row.member, row.member),
        "figure": number(row.figure),
        "shown": figure(row.figure, by),
        "evenings": len(row.evenings),
        "matches": sum([len(one.matches) for one in row.evenings]),
        "hands": row.hands,
        "won": number(row.won),
        "provisional": row.open,
        "made_of": made_of,
        "adjustments": [
            {"points": one.points, "reason": one.reason, "event": one.seq}
            for one in row.adjustments
        ],
    }
    if row.rated:
        told["ratings"] = {game: _rated(one) for game, one in row.rated.items()}
    return told


@kept_in_it
def _written(one: EveningFigure) -> Json:
    return Json(as_text(_evening(one)))


def _evening(one: EveningFigure) -> dict[str, Any]:
    return {
        "session": one.session_id,
        "figure": number(one.figure),
        "counted": one.counted,
        "matches": [_match(match) for match in one.matches],
    }


def _match(one: MatchFigure) -> dict[str, Any]:
    told: dict[str, Any] = {
        "match": one.match,
        "game": one.game,
        "figure": number(one.figure),
        "total": one.total,
        "hands": one.hands,
        "won": number(one.won),
        "provisional": one.open,
    }
    if one.rated:
        told["rating"] = {"before": _rated(one.rated[0]), "after": _rated(one.rated[1])}
    return told


@lru_cache(NEIGHBOURS)  # most are asked for twice: after a match, and before the next
def _rated(one: Rated) -> Mapping[str, Any]:
    return {"rating": one.figure, "certainty": one.certainty}


def evening_rows(
    told: Mapping[str, Any], days: Mapping[str, tuple[str, str]] = NO_DAYS
) -> Iterator[tuple[Any, ...]]:
    """One row for each member and evening, for a spreadsheet.

    ``days`` has the day and the title of each evening, as far as they are known.
    """
    for row in told["rows"]:
        for one in row["made_of"]:
            matches = one["matches"]
            yield (
                row["place"], int(row["shared"]), row["member"], row["name"], _cell(row["figure"]),
                row["evenings"], row["matches"], row["hands"], _cell(row["won"]),
                int(row["provisional"]), one["session"], _cell(one["figure"]), int(one["counted"]),
                len(matches), sum(match["hands"] for match in matches),
                _cell(sum(match["won"] for match in matches)),
                *days.get(one["session"], ("", "")),
            )  # fmt: skip


def _cell(value: float) -> int | Decimal:
    """A figure as tables have it: whole, or a decimal that is written as its reader does."""
    return value if isinstance(value, int) else Decimal(str(round(value, PLACES)))

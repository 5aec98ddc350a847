"""The table of a season as plain values for JSON, and as rows for a spreadsheet."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from scorekeeper.base.cached import cached_in_argument
from scorekeeper.clubs.figures import EveningFigure, MatchFigure
from scorekeeper.clubs.rankings import Figure, Rating
from scorekeeper.clubs.season import MemberRow, Standings, get_tie_breaks
from scorekeeper.log import codec
from scorekeeper.log.writing import EncodedJson, encode_list, encode_object, encode_text

EVENING_COLUMNS: Final = (
    "place", "shared", "member", "name", "figure", "evenings", "matches", "hands", "won",
    "provisional", "evening", "evening_figure", "counted", "evening_matches", "evening_hands",
    "evening_won", "date", "title",
)  # fmt: skip


MAX_CACHED_RATINGS: Final = 64
PLACES: Final = 4  # decimals of what is not whole
NOTHING: Final[Mapping[str, Any]] = {}
NO_DAYS: Final[Mapping[str, tuple[str, str]]] = {}


def to_number(value: Figure) -> int | float:
    """Return an exact figure for JSON: an integer if it is whole, else rounded to four decimals."""
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else round(float(value), PLACES)


def format_figure(value: Figure, by: str) -> str:
    """Return a figure for people: averages with two decimals, fractions with as many as needed."""
    if by == "average":
        return f"{float(value):.2f}"
    return str(value) if value.denominator == 1 else f"{float(value):.2f}".rstrip("0")


def build_table(standings: Standings, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the table of a season as plain values; ``names`` are those of its members."""
    by = standings.season.ranking.by
    rows = [
        _row_values(row, names, by, [_evening_values(evening) for evening in row.evenings])
        for row in standings.rows
    ]
    return _table_values(standings, rows)


def encode_table(
    standings: Standings, names: Mapping[str, str], more: Mapping[str, Any] = NOTHING
) -> bytes:
    """Return :func:`build_table` as JSON with ``more`` values.

    The figures of an evening are encoded once and kept with them.
    """
    by = standings.season.ranking.by
    rows = (
        _row_values(row, names, by, encode_list(map(_encode_evening, row.evenings)))
        for row in standings.rows
    )
    values = {**_table_values(standings, encode_list(map(encode_object, rows))), **more}
    return encode_object(values).encode()


def _table_values(standings: Standings, rows: Any) -> dict[str, Any]:
    """Return the table of a season for JSON; `rows` are its rows, already as values or JSON."""
    season = standings.season
    return {
        "season": {
            "id": season.id, "name": season.name, "from": season.start or None, "to": season.to,
            "games": list(season.games), "ranking": codec.encode(season.ranking),
            "ties": list(get_tie_breaks(season)), "closed": season.heads is not None,
        },
        "evenings": list(standings.evenings),
        "rows": rows,
        "left_out": [
            {"session": match.session_id, "match": match.match} for match in standings.left_out
        ],
    }  # fmt: skip


def _row_values(row: MemberRow, names: Mapping[str, str], by: str, made_of: Any) -> dict[str, Any]:
    """Return a member's row for JSON; `made_of` are its evenings, already as values or JSON."""
    values: dict[str, Any] = {
        "place": row.place or None,
        "shared": row.shared,
        "parted_by": row.tie_broken_by or None,
        "member": row.member,
        "name": names.get(row.member, row.member),
        "figure": to_number(row.figure),
        "shown": format_figure(row.figure, by),
        "evenings": len(row.evenings),
        "matches": sum([len(evening.matches) for evening in row.evenings]),
        "hands": row.hands,
        "won": to_number(row.won),
        "provisional": row.open,
        "made_of": made_of,
        "adjustments": [
            {"points": adjustment.points, "reason": adjustment.reason, "event": adjustment.seq}
            for adjustment in row.adjustments
        ],
    }
    if row.ratings:
        values["ratings"] = {game: _rating_json(rating) for game, rating in row.ratings.items()}
    return values


@cached_in_argument
def _encode_evening(evening: EveningFigure) -> EncodedJson:
    """Return the figures of an evening as JSON, cached with the evening."""
    return EncodedJson(encode_text(_evening_values(evening)))


def _evening_values(evening: EveningFigure) -> dict[str, Any]:
    """Return the figures of a member's evening for JSON."""
    return {
        "session": evening.session_id,
        "figure": to_number(evening.figure),
        "counted": evening.counted,
        "matches": [_match_values(match) for match in evening.matches],
    }


def _match_values(match: MatchFigure) -> dict[str, Any]:
    """Return the figures of a member's match for JSON."""
    values: dict[str, Any] = {
        "match": match.match,
        "game": match.game,
        "figure": to_number(match.figure),
        "total": match.total,
        "hands": match.hands,
        "won": to_number(match.won),
        "provisional": match.open,
    }
    if match.rating_change:
        values["rating"] = {
            "before": _rating_json(match.rating_change[0]),
            "after": _rating_json(match.rating_change[1]),
        }
    return values


@lru_cache(MAX_CACHED_RATINGS)  # most are asked for twice: after a match, and before the next
def _rating_json(rating: Rating) -> Mapping[str, Any]:
    """Return a rating and its certainty for JSON."""
    return {"rating": rating.figure, "certainty": rating.certainty}


def list_evening_rows(
    values: Mapping[str, Any], days: Mapping[str, tuple[str, str]] = NO_DAYS
) -> Iterator[tuple[Any, ...]]:
    """Yield a row of the spreadsheet for each member and evening.

    ``days`` has the day and the title of each evening, if they are known.
    """
    for row in values["rows"]:
        for evening in row["made_of"]:
            matches = evening["matches"]
            yield (
                row["place"], int(row["shared"]), row["member"], row["name"], _cell(row["figure"]),
                row["evenings"], row["matches"], row["hands"], _cell(row["won"]),
                int(row["provisional"]), evening["session"], _cell(evening["figure"]),
                int(evening["counted"]), len(matches), sum(match["hands"] for match in matches),
                _cell(sum(match["won"] for match in matches)),
                *days.get(evening["session"], ("", "")),
            )  # fmt: skip


def _cell(value: float) -> int | Decimal:
    """Return a figure for a cell: an integer, or a decimal for the number format of the reader."""
    return value if isinstance(value, int) else Decimal(str(round(value, PLACES)))

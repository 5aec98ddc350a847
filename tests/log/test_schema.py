"""The JSON Schemas accept what the codec accepts, and refuse what it refuses where they can."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import ALL_CARDS
from scorekeeper.events.common import COMMON
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    PLAYER_ID,
    RANDOM,
    AnyOf,
    Anything,
    CardCode,
    Currency,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    Random,
    SideId,
    Whole,
    Words,
    parts_of,
)
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.reading import LogFile
from scorekeeper.log.schema import (
    choice_schema,
    event_schema,
    game_schemas,
    kind_schema,
    list_classes,
    log_schema,
)
from scorekeeper.log.writing import sealed_lines
from scorekeeper.play.rulebook import ListOf, NamedTexts, Number
from tests.conftest import SOAK
from tests.thinned import EACH_LOG

GOLDEN = Path(__file__).parents[1] / "golden"
LINE = Draft202012Validator(log_schema())
DECLARED: list[type[Event]] = list(
    dict.fromkeys(event_type for game in GAMES.values() for event_type in (*COMMON, *game.events))
)


ALIKE = 3  # lines with the same fields that are held against the schema of all, which takes long


def fits(schema: dict[str, Any], value: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


def reads(kind: Kind, value: Any) -> bool:
    try:
        codec.read_value(kind, value)
    except UnusableError:
        return False
    return True


# ---------------------------------------------------------------------- kinds, either way

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-20, 200), st.integers(-(2**60), 2**60), TEXTS,
    st.lists(st.integers(0, 3), max_size=3), st.just({}), st.sampled_from(sorted(ALL_CARDS)),
    st.from_regex(f"^{PLAYER_ID}$", fullmatch=True), st.sampled_from(["bidder", "import", "pass"]),
)  # fmt: skip


def near(kind: Kind) -> st.SearchStrategy[Any]:
    """Values of a kind, and others that are close to it."""
    return st.one_of(NEAR[type(kind)](kind), ANYTHING)


NEAR: dict[type[Kind], Any] = {
    Whole: lambda kind: st.integers(kind.low - 2, kind.high + 2),
    Words: lambda kind: (
        st.text(min_size=max(0, kind.longest - 2), max_size=kind.longest + 2)
        if kind.longest < 300
        else TEXTS
    ),
    Flag: lambda kind: st.booleans(),
    OneOf: lambda kind: st.sampled_from(kind.values),
    Currency: lambda kind: st.sampled_from(["EUR", "JPY", "eur", "XXX", "EURO", ""]),
    AnyOf: lambda kind: st.one_of([near(each_kind) for each_kind in kind.kinds]),
    PlayerId: lambda kind: st.from_regex(PLAYER_ID),
    SideId: lambda kind: st.sampled_from(["A", "mara", "bidder"]),
    CardCode: lambda kind: st.sampled_from(sorted(ALL_CARDS)),
    Many: lambda kind: st.lists(near(kind.of), max_size=6),
    Each: lambda kind: st.dictionaries(near(kind.key).filter(is_text), near(kind.of), max_size=4),
    Nested: lambda kind: st.fixed_dictionaries(
        {part.name: near(part.kind) for part in parts_of(kind.of) if not part.optional}
    ),
    Random: lambda kind: st.from_regex(r"[A-Za-z0-9_-]{21,23}", fullmatch=True),
    Anything: lambda kind: st.dictionaries(TEXTS, ANYTHING, max_size=3),
}


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in texts_in(part)]
    return [text for part in value for text in texts_in(part)] if isinstance(value, list) else []


KINDS = [
    RANDOM,
    *dict.fromkeys(
        part.kind
        for declared in DECLARED
        for part in parts_of(declared)
        if type(part.kind) is not Anything  # what is in it is read elsewhere
    ),
]


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), near(kind))))
def test_a_kind_reads_what_its_schema_accepts(pair: tuple[Kind, Any]) -> None:
    kind, value = pair
    if any(text.endswith("\n") for text in texts_in(value)):
        return  # in Python's dialect alone, $ also stands before a last line feed
    assert reads(kind, value) == fits(kind_schema(kind), value)


@pytest.mark.parametrize("code", sorted(ALL_CARDS))
def test_every_card_is_one(code: str) -> None:
    assert fits(kind_schema(CardCode()), code)


@pytest.mark.parametrize("code", ["", "1S", "11S", "AX", "T0", "T22", "sA", "AS ", "FOOLS", "TT"])
def test_unknown_card_codes_do_not_fit(code: str) -> None:
    assert not fits(kind_schema(CardCode()), code)


# ---------------------------------------------------------------------------- whole events


def test_undecoded_data_has_short_names() -> None:
    schema = kind_schema(Anything(), {})
    assert fits(schema, {"bid_tie": 1, "x-2": None})
    for name in ("a b", "", "x" * 65):
        assert not fits(schema, {name: 1})


@pytest.mark.parametrize(
    ("player", "is_one"),
    [("mara", True), ("9_a-b", True), ("m" * 32, True), ("m" * 33, False), ("Mara", False),
     ("-mara", False), ("mara m", False), ("", False), ("keeper", False), ("bidder", False)],
)  # fmt: skip
def test_schema_of_player_ids_agrees_with_the_codec(player: str, is_one: bool) -> None:
    line = {"type": "hand_confirmed", "data": {"player": player}}
    assert fits(event_schema(HandConfirmed), line) == is_one


@cache
def check(schema: str) -> None:
    """Refuse what is no schema, looked at once however many games have it."""
    Draft202012Validator.check_schema(json.loads(schema))


@pytest.mark.parametrize("declared", DECLARED, ids=lambda event_type: event_type.__name__)
def test_the_schema_of_an_event_is_a_schema(declared: type[Event]) -> None:
    schema = event_schema(declared)
    check(json.dumps(schema))
    assert schema["description"]
    assert not fits(schema, {"type": declared.TYPE, "data": {"unknown": 1}})
    assert not fits(schema, {"type": "other", "data": {}})


@cache
def validators(game: str) -> dict[str, Draft202012Validator]:
    return {
        name: Draft202012Validator(schema) for name, schema in game_schemas(GAMES[game]).items()
    }


def test_schema_has_descriptions() -> None:
    schema = log_schema()
    assert schema["title"]
    assert schema["description"]


@EACH_LOG
def test_every_line_of_the_golden_logs_fits(path: Path) -> None:
    by_type, seen = validators(path.parent.name), Counter[tuple[str, ...]]()
    with path.open("rb") as stream:
        for raw in LogFile(stream):
            line = {"type": raw.type, "data": raw.data}
            assert not list(by_type[raw.type].iter_errors(line))
            shape = (raw.type, *raw.data)
            seen[shape] += 1
            if SOAK or seen[shape] <= ALIKE:
                assert not list(LINE.iter_errors(line))


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("bid_made", {"player": "mara", "points": 16}),
        ("bid_made", {"player": "mara"}),
        ("bid_made", {"player": "mara", "points": "four"}),
        ("bid_made", {"player": "keeper", "points": 4}),
        ("card_played", {"player": "mara", "card": "5S"}),
        ("card_played", {"player": "mara", "card": "AS", "trick": 1}),
        ("hierarchy_declared", {"player": "mara", "suits": ["S", "H", "D"]}),
        ("hierarchy_declared", {"player": "mara", "suits": ["S", "S", "D", "C"]}),
        ("points_counted", {"points": {"mara": -1}}),
        ("match_started", {"game": "riparto", "seats": ["mara", "leo"]}),
        ("match_started", {"game": "knock", "seats": ["mara", "leo", "nina"]}),
        ("match_started", {"game": "riparto", "seats": ["a", "b", "c"], "options": {"bid_tie": 1}}),
        ("match_started", {"game": "riparto", "seats": ["a", "b", "c"], "options": {"other": 1}}),
        ("bris_called", {"player": "mara", "suit": "S"}),
    ],
)
def test_refused_event_does_not_fit_its_schema(kind: str, data: dict[str, Any]) -> None:
    """Not all of it is refused by the codec alone: some only by the match that it stands in."""
    schema = game_schemas(GAMES["riparto"]).get(kind)
    assert schema is None or not fits(schema, {"type": kind, "data": data})


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_game_has_a_schema_for_each_of_its_events(game: Any) -> None:
    schemas = game_schemas(game)
    assert set(schemas) == set(game.by_type)
    for name, schema in schemas.items():
        check(json.dumps(schema))
        variants = schema.get("anyOf", [schema])
        assert len(variants) == len(list_classes(game.by_type[name]))


CHOICES = {
    f"{game.id} {option.name} {choice}": choice
    for game in GAMES.values()
    for option in game.book.options
    for choice in option.choices
    if isinstance(choice, Number | ListOf | NamedTexts)
}


@pytest.mark.parametrize("choice", [*CHOICES.values(), "open", True], ids=[*CHOICES, "str", "bool"])
@given(data=st.data())
def test_schema_of_an_option_accepts_exactly_its_values(choice: Any, data: st.DataObject) -> None:
    value = data.draw(st.one_of(near_choice(choice), ANYTHING))
    schema = choice_schema(choice)
    accepts = (
        choice.accepts(value)
        if isinstance(choice, Number | ListOf | NamedTexts)
        else (type(choice), choice) == (type(value), value)
    )
    assert accepts == fits(schema, value)


def near_choice(choice: Any) -> st.SearchStrategy[Any]:
    if isinstance(choice, ListOf):
        return st.lists(st.sampled_from([*choice.values, "other"]), max_size=3)
    if isinstance(choice, NamedTexts):
        ids = st.sampled_from(["wink", "pull_ear", "a__b", "Wink", "bijou", "x" * 32, "x" * 33])
        texts = st.sampled_from(["ça", "x" * 60, "x" * 61, "", "a\nb", "“<b>”"])
        both = st.fixed_dictionaries({"id": ids, "text": texts})
        return st.lists(both, max_size=3, unique_by=lambda player: player["id"])
    if not isinstance(choice, Number):
        return st.just(choice)
    number = st.one_of(st.integers(choice.low - 2, choice.low + 9), st.just(choice.high + 1))
    return number if choice.key is None else st.builds(lambda n: {choice.key: n}, number)


# ------------------------------------------------------------------------------- whole lines


def test_the_schema_of_a_line_is_a_schema() -> None:
    meta_schema = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert list(meta_schema.iter_errors(log_schema())) == []


def test_a_sealed_line_fits() -> None:
    events = [("session_opened", {"title": "Friday", "players": []}), ("session_closed", {})]
    for line in sealed_lines(events, at="2026-01-02T20:15:00.000Z"):
        assert not list(LINE.iter_errors(json.loads(line)))


@pytest.mark.parametrize(
    "line",
    [
        {"type": "session_closed", "hash": "0" * 64},
        {"type": "session_closed", "data": {}, "seq": 1, "at": "2026-01-02T20:15:00.000Z",
         "by": "keeper"},
        {"type": "session_closed", "data": {}, "seq": 0, "at": "2026-01-02T20:15:00.000Z",
         "by": "keeper", "hash": "0" * 64},
        {"type": "session_closed", "data": {}, "seq": 1, "at": "today", "by": "keeper",
         "hash": "0" * 64},
        {"type": "session_closed", "data": {}, "seq": 1, "at": "2026-01-02T20:15:00.000Z",
         "by": "Mara M.", "hash": "0" * 64},
        {"type": "session_closed", "data": {}, "seq": 1, "at": "2026-01-02T20:15:00.000Z",
         "by": "keeper", "hash": "0" * 63},
        {"type": "session_closed", "more": 1},
        {"type": "no_such_event"},
        {"type": "bid_made"},
        {"data": {}},
        [],
    ],
)  # fmt: skip
def test_invalid_line_does_not_fit_the_schema(line: Any) -> None:
    assert not LINE.is_valid(line)


def test_patterns_are_anchored_and_mean_the_same_everywhere() -> None:
    """No look-around and no Unicode escape: not every validator knows them."""
    for pattern in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', json.dumps(log_schema())):
        assert "(?" not in pattern
        assert "\\\\u" not in pattern


@given(st.sampled_from(["bid_made", "card_played", "note_added", "trick_taken"]), ANYTHING)
def test_an_event_that_the_codec_reads_fits(kind: str, value: Any) -> None:
    game = GAMES["riparto"]
    try:
        codec.decode(kind, value, game.by_type)
    except UnusableError:
        return
    assert LINE.is_valid({"type": kind, "data": value})

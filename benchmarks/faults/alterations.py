"""The ways in which a record goes wrong: each takes a legal hand and yields records with one fault.

They know what a record looks like, and nothing of how the audit or the suggestions work.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import ne
from typing import Any, Final

from benchmarks.faults.hands import CLAIM, RESULTS, LegalHand
from tests.players.common import Event

Path = tuple[str | int, ...]
Record = list[Event]
Altered = Iterator[tuple[str, Record]]  # what is at fault, and the record with the fault

PLAY: Final = frozenset({"card_played", "trick_taken"})
# Acts that have their time before the play.
BEFORE_THE_PLAY: Final = frozenset({
    "set_distributed", "bid_raised", "hierarchy_declared", "card_called", "monte_taken",
    "cards_exchanged", "declared", "answered", "bid_made",
})  # fmt: skip
# The other words of fields that have few.
WORDS: Final[Mapping[str, tuple[Any, ...]]] = {
    "answer": ("good", "equal", "not_good"),
    "category": ("point", "sequence", "set"),
}


@dataclass(frozen=True)
class Fault:
    """A record with one fault; ``at`` names what is at fault, for a reader of the figures."""

    hand: LegalHand
    kind: str
    at: str
    record: Record


# ------------------------------------------------------------------------------ single values


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The single values in the data of an event, each with the path to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, place))
    else:
        yield path, value


def with_value(data: Any, path: Path, value: Any) -> Any:
    """The same data with another value at the end of a path."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(data, list):
        return [with_value(part, rest, value) if n == key else part for n, part in enumerate(data)]
    return {**data, key: with_value(data[key], rest, value)}


def _values(
    hand: LegalHand, others: Callable[[LegalHand, Path, Any], Iterable[Any]], *, first: int = 1
) -> Altered:
    """Every value of every entry replaced by each of some others."""
    for place, entry in enumerate(hand.record[first:], first):
        for path, value in leaves(entry["data"]):
            for other in others(hand, path, value):
                data = with_value(entry["data"], path, other)
                yield f"{entry['type']}.{path[0]}", _put(hand.record, place, data)


def _put(record: Record, place: int, data: Mapping[str, Any]) -> Record:
    return [*record[:place], {**record[place], "data": data}, *record[place + 1 :]]


def next_rank(hand: LegalHand) -> Altered:
    """A card as the next rank of its suit."""
    return _values(hand, lambda hand, _, value: _next_cards(hand, value))


def _next_cards(hand: LegalHand, value: Any) -> Iterator[str]:
    if value not in hand.pack:
        return
    suit = [card for card in hand.pack if _suit(card) == _suit(str(value))]
    if _suit(str(value)) != "T":
        suit.sort(key=lambda card: hand.ranks.index(card[:-1]))
    yield from _beside(suit, value)


def _suit(card: str) -> str:
    return "T" if card[0] == "T" or card == "FOOL" else card[-1]


def _beside(values: list[Any], value: Any) -> list[Any]:
    place = values.index(value)
    return [*values[max(place - 1, 0) : place], *values[place + 1 : place + 2]]


def other_suit(hand: LegalHand) -> Altered:
    """A card as the same rank of another suit."""
    return _values(hand, lambda hand, _, value: [
        card for card in hand.pack
        if value in hand.pack and "T" not in (_suit(card), _suit(value))
        and card != value and card[:-1] == value[:-1]
    ])  # fmt: skip


def player(hand: LegalHand) -> Altered:
    """A player as the neighbour on either side."""
    return _values(hand, lambda hand, _, value: _neighbours(hand, value))


def _neighbours(hand: LegalHand, value: Any) -> set[str]:
    if value not in hand.order:
        return set()
    place, size = hand.order.index(value), len(hand.order)
    return {hand.order[(place + step) % size] for step in (1, -1)}


def side(hand: LegalHand) -> Altered:
    """A side as the other; where players are sides of their own, they are players."""
    return _values(hand, lambda hand, path, value: [
        other for other in hand.sides
        if path[-1] == "side" and value not in hand.order and other != value
    ])  # fmt: skip


def off_by_one(hand: LegalHand) -> Altered:
    """A figure of one more or less."""
    return _values(hand, lambda _, path, value: (
        [value + 1, value - 1] if _is_figure(path, value) else []
    ))  # fmt: skip


def _is_figure(path: Path, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and path != ("trick",)


def digit_dropped(hand: LegalHand) -> Altered:
    """A figure with a digit left out, or without its sign."""
    return _values(hand, lambda _, path, value: (
        _dropped(value) if _is_figure(path, value) else []
    ))  # fmt: skip


def _dropped(value: int) -> set[int]:
    digits, sign = str(abs(value)), -1 if value < 0 else 1
    shorter = {sign * int(digits[:n] + digits[n + 1 :]) for n in range(len(digits))
               if len(digits) > 1}  # fmt: skip
    return (shorter | ({-value} if value < 0 else set())) - {value}


def digits_exchanged(hand: LegalHand) -> Altered:
    """A figure with two of its digits exchanged."""
    return _values(hand, lambda _, path, value: (
        _turned(value) if _is_figure(path, value) else []
    ))  # fmt: skip


def _turned(value: int) -> set[int]:
    digits, sign = str(abs(value)), -1 if value < 0 else 1
    turned = {digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :]
              for n in range(len(digits) - 1)}  # fmt: skip
    return {sign * int(text) for text in turned} - {value}


def another_word(hand: LegalHand) -> Altered:
    """A bid, a suit, a rank, an answer, a made contract as another; two suits exchanged."""
    yield from _values(hand, _other_words)
    for place, entry in enumerate(hand.record):
        suits = entry["data"].get("suits", [])
        for n in range(len(suits) - 1):
            turned = [*suits[:n], suits[n + 1], suits[n], *suits[n + 2 :]]
            data = {**entry["data"], "suits": turned}
            yield f"{entry['type']}.suits", _put(hand.record, place, data)


def _other_words(hand: LegalHand, path: Path, value: Any) -> Iterable[Any]:
    if isinstance(value, bool):
        return [not value]
    if path[-1] in WORDS:
        return [word for word in WORDS[str(path[-1])] if word != value]
    if path == ("suit",):
        suits = dict.fromkeys(card[-1] for card in hand.pack)
        return [suit for suit in suits if suit != value]
    if value in hand.ranks:
        return _beside(list(hand.ranks), value)
    return []


# ------------------------------------------------------------------------- figures of the sides


def figures_exchanged(hand: LegalHand) -> Altered:
    """The figures, or cards, of two sides exchanged."""
    for place, entry, name, figures in _figures(hand):
        for first, second in combinations(figures, 2):
            if figures[first] != figures[second]:
                turned = {**figures, first: figures[second], second: figures[first]}
                data = {**entry["data"], name: turned}
                yield f"{entry['type']}.{name}", _put(hand.record, place, data)


def under_another_side(hand: LegalHand) -> Altered:
    """The figure of a side written down under another that has none."""
    for place, entry, name, figures in _figures(hand):
        if name == "points" and entry["type"] == "points_counted":
            every = ["bidder", "defenders"] if "bidder" in figures or "defenders" in figures else (
                hand.sides)  # fmt: skip
        else:
            every = hand.sides if set(figures) <= set(hand.sides) else []
        for side in figures:
            for other in every:
                if other not in figures:
                    moved = {other if key == side else key: n for key, n in figures.items()}
                    data = {**entry["data"], name: moved}
                    yield f"{entry['type']}.{name}", _put(hand.record, place, data)


def _figures(hand: LegalHand) -> Iterator[tuple[int, Event, str, dict[str, Any]]]:
    for place, entry in enumerate(hand.record):
        for name, value in entry["data"].items():
            if isinstance(value, dict) and name != "bid":
                yield place, entry, name, value


# ------------------------------------------------------------------------------- whole entries


def entry_dropped(hand: LegalHand) -> Altered:
    """An entry that was not recorded."""
    for place, entry in enumerate(hand.record[1:], 1):
        if entry["type"] != "bid_made":
            yield entry["type"], [*hand.record[:place], *hand.record[place + 1 :]]


def bid_missed(hand: LegalHand) -> Altered:
    """A bid that was not recorded."""
    for place, entry in enumerate(hand.record):
        if entry["type"] == "bid_made":
            what = "pass" if entry["data"].get("bid") == "pass" else "bid"
            yield f"bid_made.{what}", [*hand.record[:place], *hand.record[place + 1 :]]


def entry_doubled(hand: LegalHand) -> Altered:
    """An entry that was recorded twice."""
    for place, entry in enumerate(hand.record[1:], 1):
        yield entry["type"], [*hand.record[: place + 1], *hand.record[place:]]


def entered_again(hand: LegalHand) -> Altered:
    """A wrong entry that was left on record, and the right entry after it."""
    for make in (player, side, off_by_one, next_rank, another_word, figures_exchanged):
        for at, record in make(hand):
            pairs = zip(record, hand.record, strict=True)
            place = next((n for n, (wrong, right) in enumerate(pairs) if wrong != right), 0)
            if place:
                yield at, [*record[: place + 1], *hand.record[place:]]


def entries_exchanged(hand: LegalHand) -> Altered:
    """Two entries that follow each other, in each other's place."""
    for place, (first, second) in enumerate(pairwise(hand.record)):
        if place and first != second:
            turned = [*hand.record[:place], second, first, *hand.record[place + 2 :]]
            yield "/".join(sorted({first["type"], second["type"]})), turned


def late_act(hand: LegalHand) -> Altered:
    """An act before the play, recorded after the first trick or card, or after the last."""
    plays = [n for n, entry in enumerate(hand.record) if entry["type"] in PLAY | RESULTS]
    for place, entry in enumerate(hand.record):
        if entry["type"] in BEFORE_THE_PLAY and plays and place < plays[0]:
            rest = [*hand.record[:place], *hand.record[place + 1 :]]
            for after in dict.fromkeys((plays[0], plays[-1])):
                yield entry["type"], [*rest[:after], entry, *rest[after:]]


def _claims(entry: Event, number: int) -> bool:
    """Whether an entry after the cards of a trick with this number is the claim of its winner."""
    return entry["type"] == "trick_taken" and entry["data"].get("trick") in (None, number)


def _end_of_trick(record: Record, place: int, number: int) -> int:
    """The end of a trick whose last card is at a place; other entries may precede the claim."""
    for later, entry in enumerate(record[place + 1 :], place + 1):
        if entry["type"] == "card_played":
            break
        if _claims(entry, number):
            return later + 1
    return place + 1


def trick_forgotten(hand: LegalHand) -> Altered:
    """A trick of which nothing was recorded: its cards, and who took it."""
    size, first, plays = len(hand.order), None, 0
    for place, entry in enumerate(hand.record):
        if entry["type"] == "card_played":
            first = place if plays % size == 0 else first
            plays += 1
            if plays % size == 0 and first is not None:
                end = _end_of_trick(hand.record, place, plays // size)
                whole = [e for e in hand.record[first:end] if e["type"] not in PLAY]
                yield "cards", [*hand.record[:first], *whole, *hand.record[end:]]
        elif entry["type"] == "trick_taken" and not plays:
            yield "trick_taken", [*hand.record[:place], *hand.record[place + 1 :]]


# --------------------------------------------------------------------------------- the players


def players_exchanged(hand: LegalHand) -> Altered:
    """Two players taken for each other, from some entry to the end of the hand."""
    for first, second in combinations(hand.order, 2):
        names = {first: second, second: first}
        for place in range(1, len(hand.record)):
            yield from _renamed(hand, place, names)


def one_seat_off(hand: LegalHand) -> Altered:
    """Everybody taken for the neighbour on one side, from some entry to the end of the hand."""
    size = len(hand.order)
    for step in {1, size - 1} if size > 2 else ():
        names = {who: hand.order[(n + step) % size] for n, who in enumerate(hand.order)}
        for place in range(1, len(hand.record)):
            yield from _renamed(hand, place, names)


def _renamed(hand: LegalHand, place: int, names: Mapping[str, str]) -> Altered:
    """The record with other names from a place on, if they differ there; paper is right.

    Without any of these players before that place, all of the hand has the other names.
    """
    anew = [
        entry if entry["type"] == CLAIM else {**entry, "data": _with_names(entry["data"], names)}
        for entry in hand.record
    ]
    record = [*hand.record[:place], *anew[place:]]
    if anew[place] != hand.record[place] and sum(map(ne, record, hand.record)) > 1:
        whole = anew[1:place] == hand.record[1:place]
        yield "from the start" if whole else "from later on", record


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _with_names(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_names(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def wrong_dealer(hand: LegalHand) -> Altered:
    """Another player as the dealer."""
    started, seats = hand.record[0], hand.before[1]["data"]["seats"]
    for other in seats:
        if other != started["data"]["dealer"]:
            yield "dealer", _put(hand.record, 0, {"dealer": other})


KINDS: Final[Mapping[str, Callable[[LegalHand], Altered]]] = {
    make.__name__.replace("_", " "): make
    for make in (
        next_rank, other_suit, player, side, off_by_one, digit_dropped, digits_exchanged,
        another_word, figures_exchanged, under_another_side, entry_dropped, bid_missed,
        entry_doubled, entered_again, entries_exchanged, late_act, trick_forgotten,
        players_exchanged, one_seat_off, wrong_dealer,
    )
}  # fmt: skip


def faults(hand: LegalHand, kind: str) -> list[Fault]:
    """All faults of a kind that can be made in a hand, each record once."""
    seen: dict[str, Fault] = {}
    for at, record in KINDS[kind](hand):
        if record != hand.record:
            seen.setdefault(repr(record), Fault(hand, kind, at, record))
    return list(seen.values())

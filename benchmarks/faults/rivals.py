"""Other hands from which a fault makes the same record, so that no search can tell them apart.

This is a check by brute force, which shares no code with the search for corrections. A *rival* of
a faulty record is a hand that differs from the true one, has no alarm, and becomes that very
record by one fault of the model. If a record has as many rivals as suggestions are read, and each
is at least as likely as the truth, then the true correction is among those read only by luck.

Two questions are answered:

* Rivals of the same kind: by a fault of the kind that was made. The search does not know the
  kind, so this favours the search.
* Rivals of any kind that are as likely: each kind is as frequent as another here, and so is each
  fault of a kind in a hand. So a fault is the likelier, the fewer its kind has in its hand.

A rival that was not looked for, for want of time or of a domain, only makes the verdict stricter.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, permutations, product
from random import Random
from typing import Any, Final

from benchmarks.faults.alterations import (
    BEFORE_THE_PLAY,
    KINDS,
    PLAY,
    Fault,
    Record,
    leaves,
    with_value,
)
from benchmarks.faults.contents import same_words, words
from benchmarks.faults.hands import HAND, RESULTS, LegalHand, alarms, scored
from scorekeeper.base.errors import UnusableError
from tests.players.common import Event, event

ENOUGH: Final = 3  # rivals: as many as the suggestions that a person reads
SECONDS: Final = 10.0  # of the processor, for the rivals of one fault
ORDERS_THERE: Final = 100  # of the cards of a forgotten trick, tried at its place first
FARTHEST: Final = 30  # from a figure to another that may have been meant

# Kinds of which the same alteration leads back: a neighbour of a neighbour, an exchange twice.
OWN_INVERSE: Final = frozenset({
    "next rank", "other suit", "player", "side", "off by one", "digits exchanged", "another word",
    "figures exchanged", "under another side", "entries exchanged", "players exchanged",
    "one seat off", "wrong dealer",
})  # fmt: skip


def rivals_of_kind(fault: Fault) -> int:
    """Return how many rivals the same kind of fault has, up to `ENOUGH`."""
    return _count(fault, (fault.kind,))


def likely_rivals(fault: Fault) -> int:
    """Return how many rivals of any kind are at least as likely as the truth, up to `ENOUGH`."""
    faulty = replace(fault.hand, record=fault.record)
    others = sorted(KINDS, key=lambda kind: _count_ways(faulty, kind))  # the likeliest first
    return _count(fault, (fault.kind, *(kind for kind in others if kind != fault.kind)))


def _count(fault: Fault, kinds: Iterable[str]) -> int:
    true = fault.hand.session(fault.hand.record)
    any_figure = fault.kind == "bid missed"
    known = [words(true, any_figure=any_figure)]
    faults_of_truth = _count_ways(fault.hand, fault.kind)
    end = time.process_time() + SECONDS
    for kind in kinds:
        for record in origins(fault, kind):
            if time.process_time() > end or len(known) > ENOUGH:
                return len(known) - 1
            rival = replace(fault.hand, record=record)
            words_ = _clean_words(rival, any_figure=any_figure)
            if words_ is None or any(same_words(words_, other) for other in known):
                continue
            if not any(record == fault.record for _, record in KINDS[kind](rival)):
                continue
            if kind == fault.kind or _count_ways(rival, kind) <= faults_of_truth:
                known.append(words_)
    return len(known) - 1


def _count_ways(hand: LegalHand, kind: str) -> int:
    """Count the ways in which a kind of fault can be made in a hand."""
    return sum(1 for _ in KINDS[kind](hand))


def _clean_words(hand: LegalHand, *, any_figure: bool) -> Any:
    """Return the content of a hand; None if it is unusable, has an alarm, or has no score."""
    try:
        session = hand.session(hand.record)
    except (UnusableError, IndexError):
        return None
    if alarms(session) or scored(session) is None:
        return None
    return words(session, any_figure=any_figure)


# ------------------------------------------------------------------------------- the origins


def origins(fault: Fault, kind: str) -> Iterator[Record]:
    """Records from which a fault of a kind may have made that record, in random order.

    Whether it did is checked afterwards. Kinds that lose something need what it can have been:
    only what is like the entry that was truly lost is tried.
    """
    rng = Random(repr(fault.record))
    faulty = replace(fault.hand, record=fault.record)
    if kind in OWN_INVERSE:
        origins_found: Iterable[Record] = (record for _, record in KINDS[kind](faulty))
        if kind == "digits exchanged":
            origins_found = chain(origins_found, _with_values(fault.record, _with_a_zero))
    elif kind == "digit dropped":
        origins_found = _with_values(fault.record, _with_a_digit)
    elif kind in ("entry doubled", "entered again"):
        origins_found = (_without(fault.record, place) for place in range(1, len(fault.record)))
    elif kind == "late act":
        origins_found = _before_the_play(fault.record)
    elif kind == "trick forgotten":
        return _with_a_trick(faulty, rng, _first_difference(fault))
    elif kind == fault.kind:
        return _with_an_entry(fault, rng)
    elif kind == "bid missed":
        origins_found = _with_a_bid(faulty)
    else:
        return iter(())  # nobody can list all entries that may have been lost
    records = list(origins_found)
    rng.shuffle(records)
    return iter(records)


def _without(record: Record, place: int) -> Record:
    return [*record[:place], *record[place + 1 :]]


def _with(record: Record, place: int, *entries: Event) -> Record:
    return [*record[:place], *entries, *record[place:]]


def _with_values(record: Record, others: Callable[[int], Iterable[int]]) -> Iterator[Record]:
    """Each figure as each of some others."""
    for place, entry in enumerate(record[1:], 1):
        for path, value in leaves(entry["data"]):
            if isinstance(value, int) and not isinstance(value, bool):
                for other in others(value):
                    data = with_value(entry["data"], path, other)
                    yield [*record[:place], {**entry, "data": data}, *record[place + 1 :]]


def _with_a_digit(value: int) -> set[int]:
    """A figure with a digit more, or with a minus."""
    digits, sign = str(abs(value)), -1 if value < 0 else 1
    longer = {sign * int(f"{digits[:n]}{digit}{digits[n:]}")
              for n in range(len(digits) + 1) for digit in range(10)}  # fmt: skip
    return {*longer, -value} - {value}


def _with_a_zero(value: int) -> set[int]:
    """A figure that has this value if its first digit and a zero are exchanged."""
    digits, sign = str(abs(value)), -1 if value < 0 else 1
    return {sign * int(f"{digits[0]}0{digits[1:]}")} - {value}


def _before_the_play(record: Record) -> Iterator[Record]:
    """Each act that has its time before the play, moved there from after its beginning."""
    first = next(
        (n for n, entry in enumerate(record) if entry["type"] in PLAY | RESULTS), len(record)
    )
    for place, entry in enumerate(record[first:], first):
        if entry["type"] in BEFORE_THE_PLAY:
            for before in range(1, first + 1):
                yield _with(_without(record, place), before, entry)


def _first_difference(fault: Fault) -> int:
    """The place from which a record differs from the true one."""
    pairs = zip(fault.hand.record, [*fault.record, None], strict=False)
    return next(n for n, (true, there) in enumerate(pairs) if true != there)


def _with_a_trick(hand: LegalHand, rng: Random, lost: int) -> Iterator[Record]:
    """A trick more at each place: with each order of the missing cards, or only its winner.

    Some orders are tried at the place of the ``lost`` trick first, which may be the only one.
    A trick with its cards needs no winner on record. Cards that were laid away are not missing.
    """
    record, size = hand.record, len(hand.order)
    plays = [n for n, entry in enumerate(record) if entry["type"] == "card_played"]
    if not plays:
        places = list(product(range(1, len(record) + 1), hand.order))
        rng.shuffle(places)
        yield from (_with(record, n, event("trick_taken", player=who)) for n, who in places)
        return
    played = {record[n]["data"]["card"] for n in plays}
    for entry in record:
        if entry["type"] == "cards_laid_away":
            played.update(entry["data"].get("cards", ()))  # perhaps only that they were
    orders = list(permutations([card for card in hand.pack if card not in played], size))
    if not orders:
        return
    # Before a card that begins a trick, or at any place after the last card.
    starts = [*plays[::size], *range(plays[-1] + 1, len(record) + 1)]
    ways = [(place, turns) for place in starts for turns in _turns(hand)
            if _may_lead(hand, place, turns[0], orders[0][0])]  # fmt: skip
    rng.shuffle(orders)
    there = [way for way in ways if way[0] == lost]
    for number, order in enumerate(chain(orders[:ORDERS_THERE], orders)):
        rng.shuffle(ways)
        for place, turns in there if number < ORDERS_THERE else ways:
            yield _with(
                record,
                place,
                *(
                    event("card_played", player=who, card=card)
                    for who, card in zip(turns, order, strict=True)
                ),
            )


def _turns(hand: LegalHand) -> Iterator[Sequence[str]]:
    """The players in order of play, from each of them on."""
    yield from ((*hand.order[n:], *hand.order[:n]) for n in range(len(hand.order)))


def _with_a_bid(hand: LegalHand) -> Iterator[Record]:
    """A bid more beside each bid on record, by each player and with each figure near it."""
    for place, entry in enumerate(hand.record):
        figures = leaves(entry["data"]) if entry["type"] == "bid_made" else ()
        for path, value in figures:
            if not isinstance(value, int) or isinstance(value, bool):
                continue
            for who, step in product(hand.order, range(-3, 4)):
                data = {**with_value(entry["data"], path, value + step), "player": who}
                for at in (place, place + 1):
                    yield _with(hand.record, at, {**entry, "data": data})


def _may_lead(hand: LegalHand, place: int, player: str, card: str) -> bool:
    """Whether it is a player's turn to lead at a place of the record."""
    begun = [*hand.record[:place], event("card_played", player=player, card=card)]
    try:
        found_alarms = alarms(hand.session(begun))
    except UnusableError:
        return False
    return not any(
        (finding.hand, finding.code) == (HAND, "out_of_turn") for finding in found_alarms
    )


def _with_an_entry(fault: Fault, rng: Random) -> Iterator[Record]:
    """Entries like the lost one: other players, cards, figures and words.

    They are tried at the place of the lost one first, which is the likeliest to be legal.
    """
    pairs = zip(fault.hand.record, [*fault.record, None], strict=True)
    at, lost = next((n, entry) for n, (entry, there) in enumerate(pairs) if entry != there)
    like = list(_alike(fault, lost))
    ways = list(product(range(1, len(fault.record) + 1), like))
    rng.shuffle(ways)
    ways.sort(key=lambda way: way[0] != at)
    yield from (_with(fault.record, place, entry) for place, entry in ways)


def _alike(fault: Fault, lost: Event) -> Iterator[Event]:
    """The lost entry with each other player, and with one value or two figures changed."""
    hand, names = fault.hand, [path for path, value in leaves(lost["data"])
                               if value in fault.hand.order]  # fmt: skip
    of_players = [lost["data"]]
    for path in names[:1]:
        of_players = [with_value(lost["data"], path, who) for who in hand.order]
    for data in of_players:
        yield {**lost, "data": data}
        for path, value in leaves(data):
            for other in _other_values(fault, lost, path, value):
                yield {**lost, "data": with_value(data, path, other)}
        yield from ({**lost, "data": moved} for moved in _moved_points(data))


def _other_values(fault: Fault, lost: Event, path: Any, value: Any) -> Iterator[Any]:
    hand = fault.hand
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (n for n in range(value - FARTHEST, value + FARTHEST + 1) if n >= 0)
    elif value in hand.pack:
        played = {entry["data"]["card"] for entry in fault.record
                  if entry["type"] == lost["type"] == "card_played"}  # fmt: skip
        yield from (card for card in hand.pack if card not in played)
    elif value in hand.ranks:
        yield from hand.ranks
    elif path == ("suit",):
        yield from dict.fromkeys(card[-1] for card in hand.pack)
    elif path == ("bid",):
        yield "pass"


def _moved_points(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Points moved from one side to another, so that they add up to the same."""
    figures = [
        (path, value)
        for path, value in leaves(data)
        if isinstance(value, int) and not isinstance(value, bool) and len(path) == 2
    ]
    for (side, first), (other, second) in permutations(figures, 2):
        for step in range(1, min(second, FARTHEST) + 1):
            yield with_value(with_value(data, side, first + step), other, second - step)

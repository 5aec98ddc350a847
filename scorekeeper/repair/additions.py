"""Corrections by which something comes in that was left out of the record."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, permutations, product, zip_longest
from typing import Any, Final, TypeVar, cast

from scorekeeper.cards.tricks import Trick
from scorekeeper.events.common import ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    SideId,
    Whole,
    parts,
)
from scorekeeper.events.playing import PLAY, CardPlayed, RestClaimed, TrickTaken
from scorekeeper.repair.changes import is_of_play
from scorekeeper.repair.likely_errors import FEW
from scorekeeper.repair.suspects import SAID, Suspects
from scorekeeper.repair.trials import Bench, Candidate

Said = TypeVar("Said", bound=Declared)

LEFT_OUT: Final = 1.5
BETWEEN: Final = -0.7  # two entries of one kind and player: that of another is missing there
SILENT: Final = -0.7  # a player whom findings name, and who is on record with nothing of the kind
AS_MADE: Final = -0.3  # a figure that is just what the player made
MOST_BEFORE: Final = 3  # of the same kind, which an event that was left out is like
MOST_FIGURES: Final = 60  # that one may have been
MOST_CONSIDERED: Final = 400  # of an event that may have been left out, of which all by players
MOST_VALUES: Final = 150  #   whom findings name are tried, and this many by others,
MOST_LIKE: Final = 75  #   or where there are some that it is like
FARTHER: Final = 0.002  # from one such event to the next, which is less like those near
MOST_COUNTS: Final = 1_000  # that are tried in place of one that was left out,
ONE_OF_SEVERAL: Final = 0.6  # the more counts are possible, the less likely is each
FEW_COUNTS: Final = 4  #   of which this many are offered; of more none is likelier than another


def missing_cards(scene: Suspects) -> Iterator[Candidate]:
    """A card of a trick that has too few, or that the next trick lent one to.

    Where one card is missing in all, it may be of any trick: those after it have lent one each.
    """
    players = len(scene.around.players)
    plays = sum(isinstance(entry.event, CardPlayed) for entry in scene.entries)
    one_missing = plays == players * scene.hand.deal.tricks.total - 1
    for place, entry in enumerate(scene.entries):
        event, trick = entry.event, scene.trick_at.get(place)
        if not isinstance(event, CardPlayed) or trick is None:
            continue
        short = len(trick.plays) < players
        if not (short or one_missing) and scene.far[place] >= SAID:
            continue
        for at, player in _due(scene, place, trick):
            for card in scene.missing:
                cost = LEFT_OUT + scene.far[place] * 0.5 + (0 if short or one_missing else 1)
                cost += scene.odd(card, player)
                edit = scene.edit(at, CardPlayed(player, card), insert=True)
                yield Candidate(cost, (edit,), "the card was left out")


def _due(scene: Suspects, place: int, trick: Trick) -> Iterator[tuple[int, str]]:
    """Where a card may be missing beside a play, and whose."""
    event = cast("CardPlayed", scene.entries[place].event)
    yield place, scene.hand.table.after(event.player)
    if trick.plays[0].card is event.card:
        yield place - 1, scene.hand.table.after(event.player, -1)


def missing_winners(scene: Suspects) -> Iterator[Candidate]:
    """Who took a trick, where nobody was said to."""
    deal, last = scene.hand.deal, len(scene.entries) - 1
    ends = {trick.number: place for place, trick in scene.trick_at.items()}
    for number in range(1, deal.tricks.total + 1):
        trick = deal.tricks.numbered.get(number)
        if trick is not None and (trick.named_winners or deal.tricks.is_full(trick)):
            continue
        at = ends.get(number, ends.get(number - 1, last))
        for player in scene.around.players:
            edit = scene.edit(at, TrickTaken(player, number), insert=True)
            yield Candidate(LEFT_OUT + 1, (edit,), "who took the trick was left out")


def missing_words(scene: Suspects) -> Iterator[Candidate]:
    """What is said before the play, or beside it, and is not on record."""
    events = [entry.event for entry in scene.entries]
    play = next((p for p, event in enumerate(events) if is_of_play(event)), len(events))
    for declared in scene.match.game.events:
        same = [p for p, one in enumerate(events) if type(one) is declared]
        if declared in PLAY:
            continue
        places = sorted({same[0] - 1, *same}) if same else [play - 1]
        for place in places:
            before = [events[p] for p in same if p <= place][-MOST_BEFORE:]
            near = [*reversed(before), *(events[p] for p in (place + 1,) if p in same)]
            far = min([scene.far[p] for p in (place, place + 1) if p in same], default=0.5)
            twice = [getattr(events[p], "player", None) for p in (place, place + 1) if p in same]
            if len(twice) > 1 and twice[0] is not None and twice[0] == twice[1]:
                far = BETWEEN
            for step, event in _likely(declared, scene, near):
                cost = LEFT_OUT + 0.5 + _strange(event, scene, far) + FARTHER * step
                edit = scene.edit(place, event, insert=True)
                yield Candidate(cost, (edit,), "it was left out")


def missing_claim_of_rest(scene: Suspects) -> Iterator[Candidate]:
    """A claim of the rest, where tricks are missing at the end of the record."""
    deal = scene.hand.deal
    played = [
        place for place, entry in enumerate(scene.entries)
        if isinstance(entry.event, CardPlayed | TrickTaken)
    ]  # fmt: skip
    if deal.rests or max(deal.tricks.numbered, default=0) >= deal.tricks.total or not played:
        return
    for player in scene.around.players:
        edit = scene.edit(played[-1], RestClaimed(player), insert=True)
        yield Candidate(LEFT_OUT, (edit,), "it was left out")


def _likely(
    declared: type[Said], scene: Suspects, near: Sequence[Said]
) -> Iterator[tuple[int, Said]]:
    """Events of a declaration that can be at this table, each with its place among them.

    Of the later ones only those of the players whom findings name, if they name any.
    """
    deal = scene.hand.deal
    possible = (
        event for event in _of(declared, scene, near)
        if all(deal.can_be(part.name, getattr(event, part.name)) for part in parts(declared))
    )  # fmt: skip
    most = MOST_LIKE if near else MOST_VALUES
    for step, event in enumerate(islice(possible, MOST_CONSIDERED)):
        if step < most or getattr(event, "player", None) in scene.named:
            yield step, event


def _strange(event: Event, scene: Suspects, far: float) -> float:
    """How odd it would be of a player to say this where findings are this far.

    A player whom findings name and who is on record with nothing of the kind most likely said it;
    of the figures the likeliest is the one that the tricks made.
    """
    player = getattr(event, "player", None)
    figures = [
        getattr(event, part.name) for part in parts(type(event)) if isinstance(part.kind, Whole)
    ]
    made = (scene.hand.deal.points_made() or {}).get(str(player))
    as_made = AS_MADE if made is not None and made in figures else 0.0
    if player not in scene.named:
        return as_made + far + (0.0 if player is None else 0.5)
    alike = [entry.event for entry in scene.entries if type(entry.event) is type(event)]
    silent = bool(alike) and all(getattr(other, "player", None) != player for other in alike)
    return as_made + (SILENT if silent else far)


def _of(declared: type[Said], scene: Suspects, near: Sequence[Said]) -> Iterator[Said]:
    """Events of a declaration, like those beside; what may be left out is left out."""
    fields = [one for one in parts(declared) if not one.optional]
    domains = [
        list(dict.fromkeys(_domain(one.kind, scene, [getattr(e, one.name) for e in near])))
        for one in fields
    ]
    for values in product(*reversed(domains)):
        named = zip(reversed(fields), values, strict=True)
        yield declared(**{one.name: value for one, value in named})


def _domain(kind: Kind, scene: Suspects, near: Sequence[Any]) -> Iterator[Any]:
    """The values that may stand in a field, where they are few; else those like the ones near."""
    if isinstance(kind, PlayerId):
        yield from sorted(scene.around.players, key=lambda player: player not in scene.named)
    elif isinstance(kind, OneOf):
        places = [kind.values.index(one) for one in near if one in kind.values]
        beside = {place + step for place in places for step in (-1, 1)}
        yield from (one for place, one in enumerate(kind.values) if place in beside)
        yield from kind.values
    elif isinstance(kind, Whole):
        yield from _figures(kind, [one for one in near if isinstance(one, int)])
    elif isinstance(kind, CardCode):
        yield from scene.around.pack.cards
    elif isinstance(kind, Flag):
        yield from (True, False)
    else:
        yield from _composed(kind, scene, near)


def _composed(kind: Kind, scene: Suspects, near: Sequence[Any]) -> Iterator[Any]:
    """The values of a field of several kinds, of several words, or with fields of its own."""
    if isinstance(kind, AnyOf):
        rows = zip_longest(*(_domain(part, scene, near) for part in kind.kinds))
        yield from (value for row in rows for value in row if value is not None)
    elif isinstance(kind, Many) and kind.sizes and isinstance(kind.of, OneOf):
        for size in kind.sizes:
            yield from permutations(kind.of.values, size)
    elif isinstance(kind, Nested):
        yield from _of(kind.of, scene, [value for value in near if isinstance(value, kind.of)])


def _figures(kind: Whole, near: Sequence[int]) -> Iterator[int]:
    """Figures like those near, then higher ones; where none is near, the round ones first."""
    beside = [one + step for step in (1, -1) for one in near]
    yield from (one for one in beside if kind.low <= one <= kind.high)
    if kind.high - kind.low <= FEW:
        yield from range(kind.low, kind.high + 1)
    elif near:
        yield from range(max(near) + 1, min(kind.high, max(near) + MOST_FIGURES) + 1)
    else:
        every = range(kind.low, min(kind.high, kind.low + MOST_FIGURES) + 1)
        yield kind.low
        yield from sorted(every, key=lambda figure: (figure % 10 > 0, figure % 5 > 0))


# ------------------------------------------------------------------- counts and parts of events


def missing_parts(scene: Suspects) -> Iterator[Candidate]:
    """A word that an entry leaves out, where the hand cannot be scored without it."""
    if scene.hand.deal.result.complete:
        return
    for place, entry in enumerate(scene.entries):
        if isinstance(entry.event, PLAY):
            continue
        for one in parts(type(entry.event)):
            if one.optional and getattr(entry.event, one.name) is None:
                for value in islice(_domain(one.kind, scene, ()), FEW):
                    meant = cast("Event", replace(cast("Any", entry.event), **{one.name: value}))
                    yield Candidate(LEFT_OUT, (scene.edit(place, meant),), "it was left out")


def missing_counts(scene: Suspects) -> Iterator[Candidate]:
    """A count that is not on record, where what is on record leaves few counts open.

    The score on paper does, above all. Cards that are on record count themselves.
    """
    deal, last = scene.hand.deal, len(scene.entries) - 1
    if deal.result.complete or deal.plays:
        return
    there = {type(entry.event) for entry in scene.entries}
    for declared in scene.match.game.events:
        if declared in there or declared is ScoreClaimed:
            continue
        edits = (scene.edit(last, one, insert=True) for one in _counts(declared, scene))
        bench = Bench(scene.match, scene.hand)
        clean = (
            one for one in islice(edits, MOST_COUNTS)
            if bench.attempt(bench.edited(scene.entries, [one]), most=1)
        )  # fmt: skip
        found = list(islice(clean, FEW_COUNTS + 1))
        if len(found) <= FEW_COUNTS:
            cost = LEFT_OUT + ONE_OF_SEVERAL * (len(found) - 1)
            yield from (Candidate(cost, (edit,), "the count was left out") for edit in found)


def _counts(declared: type[Event], scene: Suspects) -> Iterator[Event]:
    """All counts of a declaration that make their total, and what was claimed where none is fixed.

    With each player whom such a count may name, and nobody.
    """
    deal, asked = scene.hand.deal, parts(declared)
    of_all = (
        (one.name, one.kind) for one in asked if not one.optional and isinstance(one.kind, Each)
    )
    name, kind = next(of_all, ("", None))
    if kind is None:
        return
    sides = deal.counted_sides() if isinstance(kind.key, SideId) else scene.around.players
    totals = (deal.tricks.total,) if name == "tricks" else deal.totals()
    whom = [one.name for one in asked if one.optional and isinstance(one.kind, PlayerId)]
    named = [{}, *({one: player} for one in whom for player in scene.around.players)]
    splits = (split for total in totals for split in _splits(total, len(sides)))
    every = (dict(zip(sides, split, strict=True)) for split in splits)
    claimed = (noted.event.scores for noted in deal.claims if set(noted.event.scores) == set(sides))
    for one in every if totals else claimed:
        yield from (declared(**{name: one}, **more) for more in named)


def _splits(total: int, sides: int) -> Iterator[tuple[int, ...]]:
    """How points can be divided among sides."""
    if sides <= 1:
        yield (total,) * sides
        return
    for first in range(total, -1, -1):
        yield from ((first, *rest) for rest in _splits(total - first, sides - 1))

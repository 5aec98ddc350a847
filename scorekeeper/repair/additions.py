"""Corrections by which something comes in that was left out of the record."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, permutations, product
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
from scorekeeper.events.playing import PLAY, CardPlayed, TrickTaken
from scorekeeper.repair.likely_errors import FEW
from scorekeeper.repair.suspects import SAID, Suspects
from scorekeeper.repair.trials import Bench, Candidate

Said = TypeVar("Said", bound=Declared)

LEFT_OUT: Final = 1.5
MOST_VALUES: Final = 150  # of an event that may have been left out
MOST_COUNTS: Final = 1_000  # that are tried in place of one that was left out,
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
    play = next((p for p, one in enumerate(events) if isinstance(one, CardPlayed)), len(events))
    for declared in scene.match.game.events:
        same = [p for p, one in enumerate(events) if type(one) is declared]
        if declared in PLAY:
            continue
        places = sorted({same[0] - 1, *same}) if same else [play - 1]
        for place in places:
            near = [events[p] for p in (place, place + 1) if p in same]
            far = min([scene.far[p] for p in (place, place + 1) if p in same], default=0.5)
            for event in islice(_of(declared, scene, near), MOST_VALUES):
                cost = LEFT_OUT + 0.5 + far + _strange(event, scene)
                edit = scene.edit(place, event, insert=True)
                yield Candidate(cost, (edit,), "it was left out")


def _strange(event: Event, scene: Suspects) -> float:
    """How odd it would be of a player to say this, by what others say is missing of him."""
    player = getattr(event, "player", None)
    return 0.0 if player in scene.named else 0.5


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
        for part in kind.kinds:
            yield from _domain(part, scene, near)
    elif isinstance(kind, Many) and kind.sizes and isinstance(kind.of, OneOf):
        for size in kind.sizes:
            yield from permutations(kind.of.values, size)
    elif isinstance(kind, Nested):
        alike = [value for value in near if isinstance(value, kind.of)]
        yield from _of(kind.of, scene, alike) if alike else ()


def _figures(kind: Whole, near: Sequence[int]) -> Iterator[int]:
    beside = [one + step for step in (1, -1) for one in near]
    yield from (one for one in beside if kind.low <= one <= kind.high)
    if kind.high - kind.low <= FEW:
        yield from range(kind.low, kind.high + 1)
    elif not near:
        yield kind.low


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
            yield from (Candidate(LEFT_OUT, (one,), "the count was left out") for one in found)


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

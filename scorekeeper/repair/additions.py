"""Corrections that insert what was left out of the record."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, permutations, product, zip_longest
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
    parts_of,
)
from scorekeeper.events.playing import PLAY, CardPlayed, RestClaimed, TrickTaken
from scorekeeper.repair.changes import is_of_play
from scorekeeper.repair.likely_errors import MOST_FIGURES_LISTED
from scorekeeper.repair.suspects import BESIDE_THE_PLAY, Suspects
from scorekeeper.repair.trials import Bench, Candidate

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

LEFT_OUT: Final = 1.5
BETWEEN: Final = -0.7  # between two entries of one type by one player: another player's is missing
NOTHING_OF_THE_KIND: Final = -0.7  # findings name the player, who has no entry of the type
AS_MADE: Final = -0.3  # a figure that is just what the player made
MOST_BEFORE: Final = 3  # earlier entries of the type, of which the missing event may be a neighbour
MOST_FIGURES: Final = 60  # values tried for a missing figure
# Of the events of a type that may be missing, the first MOST_CONSIDERED are generated. Those by
# players in findings are all tried; of the others MOST_VALUES, or MOST_LIKE if entries of the type
# are on record.
MOST_CONSIDERED: Final = 400
MOST_VALUES: Final = 150
MOST_LIKE: Final = 75
FARTHER: Final = 0.002  # cost from one generated event to the next
MOST_COUNTS: Final = 1_000  # tried in place of a missing count,
MOST_FITTED: Final = 4  # counts tried to reach the score on paper
MOST_GRAVE: Final = 9  # findings of a hand with such a count
ONE_OF_SEVERAL: Final = 0.6  # the more counts are possible, the less likely is each
FEW_COUNTS: Final = 4  #   and offered if no more than this many fit


def propose_missing_cards(scene: Suspects) -> Iterator[Candidate]:
    """Propose a card for a trick that is short, or that was filled with a card of the next trick.

    If one card is missing in all, any trick may lack it: the later tricks then each moved one up.
    """
    players = len(scene.around.players)
    plays = sum(isinstance(entry.event, CardPlayed) for entry in scene.entries)
    one_missing = plays == players * scene.hand.deal.tricks.total - 1
    for place, entry in enumerate(scene.entries):
        event, trick = entry.event, scene.trick_at.get(place)
        if not isinstance(event, CardPlayed) or trick is None:
            continue
        short = len(trick.plays) < players
        if not (short or one_missing) and scene.far[place] >= BESIDE_THE_PLAY:
            continue
        for at, player in _due(scene, place, trick):
            for card in scene.missing:
                cost = LEFT_OUT + scene.far[place] * 0.5 + (0 if short or one_missing else 1)
                cost += scene.odd(card, player)
                edit = scene.edit(at, CardPlayed(player, card), insert=True)
                yield Candidate(cost, (edit,), "the card was left out")


def _due(scene: Suspects, place: int, trick: Trick) -> Iterator[tuple[int, str]]:
    """Yield the places beside a play where a card may be missing, each with its player."""
    event = cast("CardPlayed", scene.entries[place].event)
    yield place, scene.hand.table.after(event.player)
    if trick.plays[0].card is event.card:
        yield place - 1, scene.hand.table.after(event.player, -1)


def propose_missing_winners(scene: Suspects) -> Iterator[Candidate]:
    """Propose a winner for each trick that has none on record."""
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


def propose_missing_events(scene: Suspects) -> Iterator[Candidate]:
    """Propose bids, declarations and other events beside the play that are not on record."""
    events = [entry.event for entry in scene.entries]
    play = next((p for p, event in enumerate(events) if is_of_play(event)), len(events))
    for declared in scene.match.game.events:
        same = [p for p, event in enumerate(events) if type(event) is declared]
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
            skipped = _skipped(scene, twice)
            for step, event in _possible_events(declared, scene, near):
                by_player = _cost_by_player(event, scene, far)
                if skipped is not None and getattr(event, "player", None) == skipped:
                    by_player = min(by_player, BETWEEN)
                cost = LEFT_OUT + 0.5 + by_player + FARTHER * step
                edit = scene.edit(place, event, insert=True)
                yield Candidate(cost, (edit,), "it was left out")


def _skipped(scene: Suspects, players: Sequence[str | None]) -> str | None:
    """Return the player whose turn is between those of two players that follow each other."""
    if len(players) < 2 or players[0] not in scene.around.players:
        return None
    due = scene.hand.table.after(players[0])
    return due if due != players[1] else None


def propose_claim_of_rest(scene: Suspects) -> Iterator[Candidate]:
    """Propose a claim of the rest, if tricks are missing at the end of the record."""
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


def _possible_events(
    declared: type[AnyDeclared], scene: Suspects, near: Sequence[AnyDeclared]
) -> Iterator[tuple[int, AnyDeclared]]:
    """Yield events of a type that are possible at this table, each with its place in the list.

    Late in the list only events by players in findings are yielded.
    """
    deal = scene.hand.deal
    possible = (
        event for event in _events_of(declared, scene, near)
        if all(deal.can_be(part.name, getattr(event, part.name)) for part in parts_of(declared))
    )  # fmt: skip
    most = MOST_LIKE if near else MOST_VALUES
    for step, event in enumerate(islice(possible, MOST_CONSIDERED)):
        if step < most or getattr(event, "player", None) in scene.named:
            yield step, event


def _cost_by_player(event: Event, scene: Suspects, far: float) -> float:
    """Return the cost of an event by its player and figure; ``far`` is the cost of its place.

    It is low for a player in findings without an entry of the type, and for a figure that is just
    what the tricks of the player made.
    """
    player = getattr(event, "player", None)
    figures = [
        getattr(event, part.name) for part in parts_of(type(event)) if isinstance(part.kind, Whole)
    ]
    points_made = (scene.hand.deal.points_made() or {}).get(str(player))
    as_made = AS_MADE if points_made is not None and points_made in figures else 0.0
    if player not in scene.named:
        return as_made + far + (0.0 if player is None else 0.5)
    alike = [entry.event for entry in scene.entries if type(entry.event) is type(event)]
    silent = bool(alike) and all(getattr(other, "player", None) != player for other in alike)
    return as_made + (NOTHING_OF_THE_KIND if silent else far)


def _events_of(
    declared: type[AnyDeclared], scene: Suspects, near: Sequence[AnyDeclared]
) -> Iterator[AnyDeclared]:
    """Yield events of a type, those like their neighbours first, without optional fields."""
    fields = [field for field in parts_of(declared) if not field.optional]
    domains = [
        list(dict.fromkeys(_domain(field.kind, scene, [getattr(e, field.name) for e in near])))
        for field in fields
    ]
    for values in product(*reversed(domains)):
        named = zip(reversed(fields), values, strict=True)
        yield declared(**{part.name: value for part, value in named})


def _domain(kind: Kind, scene: Suspects, near: Sequence[object]) -> Iterator[object]:
    """Yield the values of a field if they are few, else values like those of neighbours."""
    if isinstance(kind, PlayerId):
        yield from sorted(scene.around.players, key=lambda player: player not in scene.named)
    elif isinstance(kind, OneOf):
        places = [kind.values.index(near_value) for near_value in near if near_value in kind.values]
        beside = {place + step for place in places for step in (-1, 1)}
        yield from (choice for place, choice in enumerate(kind.values) if place in beside)
        yield from kind.values
    elif isinstance(kind, Whole):
        yield from _figures(
            kind, [near_value for near_value in near if isinstance(near_value, int)]
        )
    elif isinstance(kind, CardCode):
        yield from scene.around.pack.cards
    elif isinstance(kind, Flag):
        yield from (True, False)
    else:
        yield from _composed(kind, scene, near)


def _composed(kind: Kind, scene: Suspects, near: Sequence[object]) -> Iterator[object]:
    """Yield the values of a field of several kinds, of several words, or with fields of its own."""
    if isinstance(kind, AnyOf):
        rows = zip_longest(*(_domain(part, scene, near) for part in kind.kinds))
        yield from (value for row in rows for value in row if value is not None)
    elif isinstance(kind, Many) and kind.sizes and isinstance(kind.of, OneOf):
        for size in kind.sizes:
            yield from permutations(kind.of.values, size)
    elif isinstance(kind, Nested):
        yield from _events_of(
            kind.of, scene, [value for value in near if isinstance(value, kind.of)]
        )


def _figures(kind: Whole, near: Sequence[int]) -> Iterator[int]:
    """Yield figures like those near, then higher ones; round ones first if none is near."""
    beside = [near_value + step for step in (1, -1) for near_value in near]
    yield from (near_value for near_value in beside if kind.low <= near_value <= kind.high)
    if kind.high - kind.low <= MOST_FIGURES_LISTED:
        yield from range(kind.low, kind.high + 1)
    elif near:
        yield from range(max(near) + 1, min(kind.high, max(near) + MOST_FIGURES) + 1)
    else:
        every = range(kind.low, min(kind.high, kind.low + MOST_FIGURES) + 1)
        yield kind.low
        yield from sorted(every, key=lambda figure: (figure % 10 > 0, figure % 5 > 0))


# ------------------------------------------------------------------- counts and parts of events


def propose_missing_fields(scene: Suspects) -> Iterator[Candidate]:
    """Propose a value for an empty optional field, if the hand has no score without it."""
    if scene.hand.deal.result.complete:
        return
    for place, entry in enumerate(scene.entries):
        if isinstance(entry.event, PLAY):
            continue
        for field in parts_of(type(entry.event)):
            if field.optional and getattr(entry.event, field.name) is None:
                for value in islice(_domain(field.kind, scene, ()), MOST_FIGURES_LISTED):
                    meant = cast("Event", replace(cast("Any", entry.event), **{field.name: value}))
                    yield Candidate(LEFT_OUT, (scene.edit(place, meant),), "it was left out")


def propose_missing_counts(scene: Suspects) -> Iterator[Candidate]:
    """Propose a missing count, if few counts fit the record.

    The score on paper makes them few, above all. Cards on record need no count.
    """
    deal, last = scene.hand.deal, len(scene.entries) - 1
    if deal.result.complete or deal.plays:
        return
    there = {type(entry.event) for entry in scene.entries}
    for declared in scene.match.game.events:
        if declared in there or issubclass(declared, ScoreClaimed):
            continue
        bench = Bench(scene.match, scene.hand)
        fitted = list(_fitted_counts(declared, scene, bench))
        others = (count for count in _counts(declared, scene) if count not in fitted)
        edits = (scene.edit(last, count, insert=True) for count in chain(fitted, others))
        clean = (
            edit for edit in islice(edits, MOST_COUNTS)
            if bench.attempt(bench.edited(scene.entries, [edit]), most=1)
        )  # fmt: skip
        clean_edits = list(islice(clean, FEW_COUNTS + 1))
        if len(clean_edits) <= FEW_COUNTS:
            cost = LEFT_OUT + ONE_OF_SEVERAL * (len(clean_edits) - 1)
            yield from (Candidate(cost, (edit,), "the count was left out") for edit in clean_edits)


def _counts(declared: type[Event], scene: Suspects) -> Iterator[Event]:
    """Yield the claims, then all counts of a type that make their total, if one is fixed.

    Each comes without a player, and with each player that such a count may name.
    """
    deal, asked = scene.hand.deal, parts_of(declared)
    name, sides, totals = _figures_of(declared, scene)
    if not name:
        return
    whom = [field.name for field in asked if field.optional and isinstance(field.kind, PlayerId)]
    named = [{}, *({field_name: player} for field_name in whom for player in scene.around.players)]
    splits = (split for total in totals for split in _splits(total, len(sides)))
    every = (dict(zip(sides, split, strict=True)) for split in splits)
    claims = [noted.event.scores for noted in deal.claims if set(noted.event.scores) == set(sides)]
    others = (figure for figure in every if figure not in claims)
    for figure in chain(claims, others) if totals else claims:
        yield from (declared(**{name: figure}, **more) for more in named)


def _fitted_counts(declared: type[Event], scene: Suspects, bench: Bench) -> Iterator[Event]:
    """Yield the counts that give the score on paper, where each point counted is one scored.

    The first count is any; the next is corrected by what its score lacks.
    """
    name, sides, totals = _figures_of(declared, scene)
    claims = [noted.event.scores for noted in scene.hand.deal.claims]
    for claim, total in product(claims if name else (), totals):
        count = {side: total * (side == sides[0]) for side in sides}
        for _ in range(MOST_FITTED):
            event = cast("Any", declared)(**{name: count})
            edit = scene.edit(len(scene.entries) - 1, event, insert=True)
            trial = bench.attempt(bench.edited(scene.entries, [edit]), MOST_GRAVE)
            if trial is None or not set(sides) <= set(trial.scores):
                break
            lacking = {side: claim.get(side, 0) - trial.scores[side] for side in sides}
            if not any(lacking.values()):
                yield event
                break
            count = {side: count[side] + lacking[side] for side in sides}
            if min(count.values()) < 0:
                break


def _figures_of(
    declared: type[Event], scene: Suspects
) -> tuple[str, Sequence[str], Collection[int]]:
    """Return the field of a count, the sides that it has figures of, and the totals they make.

    The name is empty if the event is no count.
    """
    deal = scene.hand.deal
    for field in parts_of(declared):
        if not field.optional and isinstance(field.kind, Each):
            of_sides = isinstance(field.kind.key, SideId)
            sides = deal.counted_sides() if of_sides else scene.around.players
            totals = (deal.tricks.total,) if field.name == "tricks" else deal.totals()
            return field.name, sides, totals
    return "", (), ()


def _splits(total: int, sides: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to divide points among sides."""
    if sides <= 1:
        yield (total,) * sides
        return
    for first in range(total, -1, -1):
        yield from ((first, *rest) for rest in _splits(total - first, sides - 1))

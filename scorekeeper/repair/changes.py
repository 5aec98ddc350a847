"""Corrections that change, swap or strike entries."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, Final, cast

from scorekeeper.base.parts import to_parts
from scorekeeper.events.common import HandAbandoned, PenaltyGiven, ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    CardCode,
    Each,
    Flag,
    Kind,
    Many,
    Part,
    PlayerId,
    Whole,
    parts_of,
)
from scorekeeper.events.playing import (
    PLAY,
    CardPlayed,
    OutcomeRecorded,
    PointsCounted,
    TrickTaken,
)
from scorekeeper.play.scoring import add_up
from scorekeeper.repair.likely_errors import (
    DAILY,
    RARE,
    agreeing,
    alternatives,
    completing,
    distance,
)
from scorekeeper.repair.suspects import AT_FAULT, BESIDE_THE_PLAY, Suspects
from scorekeeper.repair.trials import Bench, Candidate

SILENT: Final = -0.3  # a player without any entry of the type
IN_TURN: Final = -0.1  # the player after that of the entry before
SWAPPED: Final = 1.3
SWAPPED_ALIKE: Final = 0.9  # two of one type, but no cards: two bids, two calls, two winners
DOUBLED: Final = 0.5
ENTERED_AGAIN: Final = 0.6  # the right entry comes after the wrong one, which was not struck
STRUCK: Final = 2.5
A_STEP: Final = 0.2  # cost from one choice of a prompt to the next
MOST_OFFERED: Final = 8
A_GAP: Final = 1.0  # cost of the gap that a struck entry leaves in its trick

# --------------------------------------------------------------------------- another value


def propose_other_cards(scene: Suspects) -> Iterator[Candidate]:
    """Propose for each play the cards that are not played on record."""
    for place, entry in enumerate(scene.entries):
        event = entry.event
        if isinstance(event, CardPlayed):
            for card in scene.missing:
                cost = distance(scene.around.pack, event.card, card) + scene.far[place]
                cost += scene.odd(card, event.player)
                meant = replace(event, card=card)
                yield Candidate(cost, (scene.edit(place, meant),), "another card was played")


def propose_other_values(scene: Suspects) -> Iterator[Candidate]:
    """Propose other values for one field of any event, except the card of a play."""
    for place, entry in enumerate(scene.entries):
        event = entry.event
        if isinstance(event, ScoreClaimed | PenaltyGiven | HandAbandoned):
            continue
        for field in parts_of(type(event)):
            if isinstance(event, CardPlayed) and field.name == "card":
                continue
            value = getattr(event, field.name)
            silent: Mapping[Any, float] = {}
            if field.name == "player":
                silent = _silent_players(scene, place)
            for cost, meant in alternatives(field.kind, value, scene.around):
                edit = scene.edit(place, _with(event, field.name, meant))
                likelier = silent.get(meant, 0.0) if silent else 0.0
                other_trick = A_GAP * _is_other_trick(scene, event, field.name, meant)
                total = cost + scene.far[place] + likelier + other_trick
                yield Candidate(total, (edit,), _other(field))


def _is_other_trick(scene: Suspects, event: Event, name: str, meant: Any) -> bool:
    """Return whether a value is the number of a trick whose winner is on record."""
    if not isinstance(event, TrickTaken) or name != "trick":
        return False
    trick = scene.hand.deal.tricks.numbered.get(meant)
    return trick is not None and bool(trick.named_winners)


def _silent_players(scene: Suspects, place: int) -> dict[str, float]:
    """Return the players without an entry like this one, each with a lower cost.

    None are returned if its own player has no other entry like it. The next player in turn is the
    likeliest.
    """
    kind = type(scene.entries[place].event)
    players = [getattr(entry.event, "player", "") for entry in scene.entries
               if type(entry.event) is kind]  # fmt: skip
    own = getattr(scene.entries[place].event, "player", "")
    if issubclass(kind, PLAY) or players.count(own) < 2:
        return {}
    silent = [player for player in scene.around.players if player not in players]
    before = scene.entries[place - 1].event if place else None
    earlier = getattr(before, "player", None) if type(before) is kind else None
    due = scene.hand.table.after(earlier) if earlier is not None else None
    return {player: SILENT + (IN_TURN if player == due else 0.0) for player in silent}


def _with(event: Any, name: str, value: Any) -> Event:
    """Return the event with another value in one field."""
    return cast("Event", replace(event, **{name: value}))


REASONS: Final[dict[type[Kind], str]] = {
    PlayerId: "it was another player",
    Whole: "another figure was meant",
    CardCode: "another card was meant",
    Flag: "the contrary was meant",
}
OTHERWISE: Final = "something else was meant"


def _other(part: Part) -> str:
    return REASONS.get(type(part.kind), OTHERWISE)


def propose_due_events(scene: Suspects) -> Iterator[Candidate]:
    """Propose what the game's prompts offer in place of an entry at fault, such as a pass."""
    for place, entry in enumerate(scene.entries):
        event: Any = entry.event
        if scene.far[place] > AT_FAULT or isinstance(event, PLAY) or _of_cards(event):
            continue
        before = Bench(scene.match, scene.hand).write(scene.entries[:place]).deal
        prompts = (prompt.choices for prompt in scene.match.game.prompts(before))
        offered = next((them for them in prompts if type(them[0]) is type(event)), ())
        for step, choice in enumerate(offered[:MOST_OFFERED]):
            meant = _with(choice, "player", event.player) if hasattr(event, "player") else choice
            if meant != event:
                edit = scene.edit(place, meant)
                yield Candidate(DAILY + A_STEP * step, (edit,), OTHERWISE)


def _of_cards(event: Event) -> bool:
    """Return whether an event names cards or lists, of which a prompt offers only some."""
    return any(isinstance(field.kind, CardCode | Many) and getattr(event, field.name) is not None
               for field in parts_of(type(event)))  # fmt: skip


def propose_unnamed_cards(scene: Suspects) -> Iterator[Candidate]:
    """Propose an entry without the cards put away, if no card in play shows which they can be."""
    for place, entry in enumerate(scene.entries):
        for field in parts_of(type(entry.event)) if not scene.hand.deal.plays else ():
            if field.put_away and getattr(entry.event, field.name) is not None:
                edit = scene.edit(place, _with(entry.event, field.name, None))
                yield Candidate(RARE + scene.far[place], (edit,), "other cards were laid away")


def propose_agreeing_counts(scene: Suspects) -> Iterator[Candidate]:
    """Propose the figures of a count or a claim that the rest of the record makes."""
    deal = scene.hand.deal
    scored = add_up(deal.result.lines, scene.match.sides)
    scores = {side: to_parts(points, scene.match.game.parts) for side, points in scored.items()}
    points, tricks = deal.points_made() or scores, deal.tricks_made() or {}
    proven = {"points": points, "tricks": tricks, "scores": scores}
    for place, entry in enumerate(scene.entries):
        event = entry.event
        for name in proven.keys() & {field.name for field in parts_of(type(event))}:
            value = getattr(event, name)
            if not isinstance(value, dict):
                continue
            alternatives_found = [agreeing(value, proven[name])]
            if isinstance(event, PointsCounted) and name == "points":
                alternatives_found += completing(value, deal.totals())
            elif not isinstance(event, ScoreClaimed):
                alternatives_found += completing(value, (deal.tricks.total,))
            for slip in alternatives_found:
                if slip is not None:
                    edit = scene.edit(place, _with(event, name, slip[1]))
                    cost = slip[0] + min(scene.far[place], BESIDE_THE_PLAY)
                    yield Candidate(cost, (edit,), "another figure was meant")


# -------------------------------------------------------------------------------- swapped


def propose_swapped_entries(scene: Suspects) -> Iterator[Candidate]:
    """Propose the opposite order for two neighbouring entries."""
    for place in range(len(scene.entries) - 1):
        one, other = scene.entries[place].event, scene.entries[place + 1].event
        if one != other:
            alike = type(one) is type(other) and not isinstance(one, CardPlayed)
            cost = SWAPPED_ALIKE if alike else SWAPPED
            cost += min(scene.far[place], scene.far[place + 1])
            edits = (scene.edit(place, other), scene.edit(place + 1, one))
            yield Candidate(cost, edits, "the two were recorded in the wrong order")


def propose_swapped_cards(scene: Suspects) -> Iterator[Candidate]:
    """Propose to swap the cards of neighbours, of one trick, or of a fault and its proof."""
    plays = [p for p, entry in enumerate(scene.entries) if isinstance(entry.event, CardPlayed)]
    pairs = set(pairwise(plays))
    by_trick: dict[int, list[int]] = {}
    for place in plays:
        by_trick.setdefault(scene.trick_at[place].number, []).append(place)
    for places in by_trick.values():
        pairs.update(combinations(places, 2))
    pairs |= {(min(pair), max(pair)) for pair in scene.pairs}
    for one, other in sorted(pairs):
        first, second = scene.entries[one].event, scene.entries[other].event
        if isinstance(first, CardPlayed) and isinstance(second, CardPlayed):
            steps = plays.index(other) - plays.index(one)
            far = min(scene.far[one], scene.far[other])
            edits = (
                scene.edit(one, replace(first, card=second.card)),
                scene.edit(other, replace(second, card=first.card)),
            )
            cost = SWAPPED + far + 0.1 * min(steps, 10)
            yield Candidate(cost, edits, "the cards of the two were swapped")


# -------------------------------------------------------------------------------- too many


def propose_strikes(scene: Suspects) -> Iterator[Candidate]:
    """Propose to strike an entry, the newest first; cheapest if it repeats the entry before it.

    A strike that leaves a trick short or missing costs more.
    """
    for place, entry in reversed(list(enumerate(scene.entries))):
        before = scene.entries[place - 1].event if place else None
        again, needed = entry.event == before, _needed(scene, place)
        if _is_entered_again(scene, place):
            cost = ENTERED_AGAIN + scene.far[place]
            yield Candidate(cost, (scene.edit(place),), "it was recorded once too often")
            continue
        if is_count(entry.event) and not again:
            continue  # a strike would hide the contradiction and explain nothing
        if again or scene.far[place] < BESIDE_THE_PLAY or _is_repeated(scene, place):
            cost = STRUCK + A_GAP * needed + scene.far[place]
            cost = DOUBLED if again and not needed else cost
            yield Candidate(cost, (scene.edit(place),), "it was recorded once too often")


def _is_entered_again(scene: Suspects, place: int) -> bool:
    """Return whether the next entry looks like this one put right: it has one other value.

    The player is the same; or everything else is, if that is a card or several values. Bids and
    winners of tricks, which are often alike, have fewer. Two cards of one player are also those of
    a winner who leads next, unless a finding names one of them.
    """
    if place + 1 == len(scene.entries):
        return False
    event, following = scene.entries[place].event, scene.entries[place + 1].event
    if type(event) is not type(following) or isinstance(event, TrickTaken):
        return False
    names = [part.name for part in parts_of(type(event))]
    other = [name for name in names if getattr(event, name) != getattr(following, name)]
    if isinstance(event, CardPlayed):
        named = min(scene.far[place], scene.far[place + 1]) <= AT_FAULT
        return other == ["player"] or (other == ["card"] and named)
    return len(other) == 1 and len(names) > (2 if other == ["player"] else 1)


def _needed(scene: Suspects, place: int) -> bool:
    """Return whether a trick would be short, or missing, without this entry.

    A trick without an entry is not missing if a player claimed the rest.
    """
    trick, tricks = scene.trick_at.get(place), scene.hand.deal.tricks
    if trick is None or isinstance(scene.entries[place].event, CardPlayed):
        return trick is not None
    taken = sum(isinstance(entry.event, TrickTaken) for entry in scene.entries)
    on_record = len(tricks.numbered) if scene.hand.deal.plays else taken
    whole = on_record == tricks.total and not scene.hand.deal.rests
    return whole and not tricks.is_full(trick) and len(trick.named_winners) == 1


def is_count(event: Event) -> bool:
    """Return whether an event gives figures of a whole hand."""
    return any(isinstance(field.kind, Each) and isinstance(field.kind.of, Whole)
               for field in parts_of(type(event)))  # fmt: skip


def is_of_play(event: Event) -> bool:
    """Return whether an event belongs to the play or its result, and not before it."""
    return isinstance(event, (*PLAY, OutcomeRecorded)) or is_count(event)


def _is_repeated(scene: Suspects, place: int) -> bool:
    event = scene.entries[place].event
    return not isinstance(event, PLAY) and any(
        event == earlier.event for earlier in scene.entries[:place]
    )

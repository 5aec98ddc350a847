"""Mistakes over several entries, each with the corrections that undo it.

Each function proposes corrections for one kind of mistake, in any game. All corrections of a
candidate take effect together, so only the record after all of them has to be usable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, pairwise, permutations
from math import perm
from typing import Any, Final, cast

from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.events.common import HandAbandoned, HandStarted, PenaltyGiven, ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Each, Kind, PlayerId, SideId, parts_of
from scorekeeper.events.playing import PLAY, CardPlayed, TrickTaken
from scorekeeper.repair.changes import is_count, is_of_play
from scorekeeper.repair.likely_errors import COST
from scorekeeper.repair.suspects import AT_FAULT, NO_HOLDER, Suspects
from scorekeeper.repair.trials import Candidate, Edit

MOST_MOVES: Final = 20  # places before the play that are tried for a late act
MOST_ORDERS: Final = 2_000  # of the cards of a forgotten trick, tried at all places together
MOST_PERMUTED: Final = 5_000  # orders of the missing cards; with more, none is tried
FORGOTTEN: Final = "a trick was left out"

NewNames = Mapping[str, str]


# ------------------------------------------------------------------------------- the dealer


def propose_other_dealer(scene: Suspects) -> Iterator[Candidate]:
    """Propose the other players as dealers, first the player whose deal it was."""
    match, hand = scene.match, scene.hand
    last = match.hands[hand.number - 2] if hand.number > 1 else None
    due = match.list_allowed_dealers(last)
    for seat in match.seats:
        if seat != hand.dealer:
            cost = COST["dealer"] + (0 if seat in due else COST["dealer out of turn"])
            yield Candidate(cost, (scene.edit(-1, HandStarted(seat)),), "another player dealt")


# ----------------------------------------------------------------------------- acts too late


def propose_timely_acts(scene: Suspects) -> Iterator[Candidate]:
    """Propose to move an act from after the beginning of the play to before it, or to strike it.

    It was recorded late, or it was done too late.
    """
    events = [entry.event for entry in scene.entries]
    begun = next((p for p, event in enumerate(events) if is_of_play(event)), len(events))
    for place, event in enumerate(events[begun:], begun):
        if not is_of_play(event) and not isinstance(event, PenaltyGiven | HandAbandoned):
            cost = COST["late record"] + (0 if place in scene.late else scene.far[place])
            turns = _turns_of(scene, event, begun)
            places = dict.fromkeys((*turns, *islice(range(begun - 1, -2, -1), MOST_MOVES)))
            for step, after in enumerate(places):
                move = (scene.edit(place), scene.edit(after, event, insert=True))
                moved = cost + COST["an entry earlier"] * step
                yield Candidate(moved, move, "it was recorded too late")
        if place in scene.late:
            yield Candidate(COST["late act"], (scene.edit(place),), "it was done too late")


def _turns_of(scene: Suspects, event: Event, begun: int) -> list[int]:
    """Return the places before the play where the turn of an event's player was passed over.

    The entries on both sides are of its type, by the player before and by another one.
    """
    player = getattr(event, "player", None)
    events = [entry.event for entry in scene.entries[:begun]]
    return [
        place for place, (one, other) in enumerate(pairwise(events))
        if type(one) is type(other) is type(event)
        and player == scene.hand.table.after(cast("Any", one).player) != cast("Any", other).player
    ] if player in scene.around.players else []  # fmt: skip


# ------------------------------------------------------------------------- the wrong players


def propose_shifted_seats(scene: Suspects) -> Iterator[Candidate]:
    """Propose that all players are one seat off from some entry on; in the whole hand any shift."""
    players = scene.hand.table.players
    size = len(players)
    for step in range(1, size):
        names = {player: players[(seat + step) % size] for seat, player in enumerate(players)}
        neighbours = size > 2 and step in (1, size - 1)
        cost = COST["seats"] + (0 if neighbours else COST["seats farther"])
        meant = [_renaming(scene, names)(entry.event) for entry in scene.entries]
        for start, away in _starts(scene, meant) if neighbours else ():
            yield from _renamed(
                scene, meant, start, cost + away, "everybody was recorded at the wrong seat"
            )
        yield from _renamed(scene, meant, 0, cost, "everybody was recorded at the wrong seat")


def propose_exchanged_players(scene: Suspects) -> Iterator[Candidate]:
    """Propose to exchange two players from some entry to the end of the hand."""
    for pair in combinations(scene.hand.table.players, 2):
        names = dict(zip(pair, reversed(pair), strict=True))
        meant = [_renaming(scene, names)(entry.event) for entry in scene.entries]
        for start, away in _starts(scene, meant):
            yield from _renamed(
                scene, meant, start, COST["exchange"] + away,
                "the two players were exchanged from here on",
            )  # fmt: skip


def _starts(scene: Suspects, meant: Sequence[Event]) -> Iterator[tuple[int, float]]:
    """Yield the entries at which a renaming can begin, with the cost of their distance."""
    first = min((p for p, far in enumerate(scene.far) if far <= AT_FAULT), default=0)
    for start, entry in enumerate(scene.entries):
        if meant[start] != entry.event and not _group(entry.event):
            yield start, COST["an entry away"] * abs(start - first)


def _renamed(
    scene: Suspects, meant: Sequence[Event], start: int, cost: float, reason: str
) -> Iterator[Candidate]:
    """Yield candidates with other names from an entry on; ``meant`` is the whole hand renamed.

    The first renames what players did, the second also counts and notes of sides, the third also
    the score on paper, which somebody else may have written. The second is the likeliest: a player
    who takes others for each other does so in the count, too.
    """
    groups: tuple[list[Edit], ...] = [], [], []
    for place, entry in enumerate(scene.entries[start:], start):
        if meant[place] != entry.event and not isinstance(entry.event, PenaltyGiven):
            groups[_group(entry.event)].append(scene.edit(place, meant[place]))
    edits: tuple[Edit, ...] = ()
    for step, group in enumerate(groups):
        edits += tuple(group)
        # One act alone is no mistake of this kind, whatever is on paper.
        alone = len(groups[0]) == 1 and not (step and groups[1])
        if group and not alone:
            acts_only = COST["acts only"] if step == 0 and groups[1] else 0
            paper_too = COST["paper too"] if step == 2 else 0
            yield Candidate(cost + acts_only + paper_too, edits, reason)


def _group(event: Event) -> int:
    """Return 0 for the act of a player, 1 for a count or a note of a side, 2 for the paper."""
    if isinstance(event, ScoreClaimed):
        return 2
    kinds = [part.kind for part in parts_of(type(event))]
    return int(is_count(event) or not any(isinstance(kind, PlayerId) for kind in kinds))


def _renaming(scene: Suspects, names: NewNames) -> Callable[[Event], Event]:
    """Return a function that renames the players of an event, and their sides."""
    both = {**names, **_sides(scene, names)}

    def rename(event: Any) -> Event:
        changes = {}
        for part in parts_of(type(event)):
            value = getattr(event, part.name)
            meant = _named(part.kind, value, names, both)
            if meant != value:
                changes[part.name] = meant
        return cast("Event", replace(event, **changes)) if changes else event

    return rename


def _sides(scene: Suspects, names: NewNames) -> NewNames:
    """Return the side that each side becomes, if its partners become those of another."""
    sides = {frozenset(players): side for side, players in scene.match.sides.items()}
    figures_by_side = {
        side: sides.get(frozenset(names.get(player, player) for player in players))
        for players, side in sides.items()
    }
    return {side: other for side, other in figures_by_side.items() if other is not None}


def _named(kind: Kind, value: Any, names: NewNames, both: NewNames) -> Any:
    """Return a value with other names; ``both`` has the names of players and of sides."""
    if isinstance(kind, PlayerId):
        return names.get(value, value)
    if isinstance(kind, SideId):
        return both.get(value, value)
    if isinstance(kind, Each) and value is not None:
        return {
            _named(kind.key, key, names, both): _named(kind.of, figure, names, both)
            for key, figure in value.items()
        }
    return value


# -------------------------------------------------------------------------- a trick left out


def propose_forgotten_tricks(scene: Suspects) -> Iterator[Candidate]:
    """Propose a whole trick, if the record has one less than the hand.

    It is proposed with its cards if all other tricks have theirs and few orders are possible, and
    with its winner only. A claim of the rest is for one trick at least, and hides how many tricks
    the record lacks.
    """
    tricks = scene.hand.deal.tricks
    inside = [tricks.numbered[number] for number in sorted(tricks.numbered)]
    played = [trick for trick in inside if trick.plays]
    bare = [trick for trick in inside if not trick.plays]
    short, claimed = tricks.total - len(played), bool(scene.hand.deal.rests)
    if (short > 1 if claimed else short == 1) and played and all(map(tricks.is_full, played)):
        gaps = _gaps(scene, played)
        if claimed and len(gaps) > len(played):  # nothing says that a trick is missing
            gaps = []
        for trick in bare:  # or its number is that of the trick after the forgotten one
            yield from _with_cards(scene, played, inside.index(trick), MOST_ORDERS, trick)
        for before in gaps:
            yield from _with_cards(scene, played, before, MOST_ORDERS // len(gaps))
    short, claimed = tricks.total - len(inside), bool(scene.hand.deal.rests)
    if tricks.open is None and (short > 1 if claimed else short == 1):
        for before in range(len(inside), -1, -1):
            for player in scene.around.players:
                edits = _winner_only(scene, inside, before, player)
                yield Candidate(COST["trick"] + COST["winner only"], edits, FORGOTTEN)


def _gaps(scene: Suspects, inside: Sequence[Trick]) -> list[int]:
    """Return the tricks before which one can be missing: the winner of the one before did not lead.

    If there is no such place, return all places, the end included.
    """
    deal = scene.hand.deal
    broken = [
        place for place in range(1, len(inside))
        if inside[place].plays[0].player != deal.winner(inside[place - 1]).player
    ]  # fmt: skip
    if deal.first_leader not in (None, inside[0].plays[0].player):
        broken.insert(0, 0)
    return broken or list(range(len(inside), -1, -1))


def _with_cards(
    scene: Suspects, inside: Sequence[Trick], before: int, most: int, bare: Trick | None = None
) -> Iterator[Candidate]:
    """Yield a trick for each order of the missing cards in which the next leader wins.

    ``bare`` is the trick, if its winner is on record.
    """
    deal, table = scene.hand.deal, scene.hand.table
    leader = deal.winner(inside[before - 1]).player if before else deal.first_leader
    next_leader = inside[before].plays[0].player if before < len(inside) else None
    cards = [card for card in scene.missing if scene.holders.get(card) != NO_HOLDER]
    if leader is None or perm(len(cards), len(table.players)) > MOST_PERMUTED:
        return
    ends, like = _ends_of(scene, inside, before), inside[min(before, len(inside) - 1)]
    claimed = any(isinstance(entry.event, TrickTaken) for entry in scene.entries)
    if bare is not None:
        claim = bare.named_winners[0].seq
        ends = [place - 1 for place, entry in enumerate(scene.entries) if entry.seq == claim]
        claimed, next_leader = False, bare.named_winners[0].player
    yielded = 0
    for order in permutations(cards, len(table.players)):
        pairs = list(zip(table.turns[leader], order, strict=True))
        trick = Trick(like.number)
        trick.plays = [Play(0, player, card) for player, card in pairs]
        trick.trump = like.trump
        if deal.decided(trick) and next_leader not in (None, deal.winner(trick).player):
            continue
        if yielded == most:
            return
        yielded += 1
        events: list[Event] = [CardPlayed(player, card) for player, card in pairs]
        events += [TrickTaken(deal.winner(trick).player)] if claimed else []
        odd = sum(scene.odd(card, player) for player, card in pairs)
        for step, at in enumerate(ends):
            edits = tuple(scene.edit(at, event, insert=True) for event in events)
            yield Candidate(COST["trick"] + odd + COST["winner only"] * step, edits, FORGOTTEN)


def _winner_only(
    scene: Suspects, inside: Sequence[Trick], before: int, player: str
) -> tuple[Edit, ...]:
    """Return the corrections that insert a trick of which only the winner is known.

    After a trick with all its cards the first winner on record is the claim for that trick, so
    that claim is inserted, too, if it is missing.
    """
    deal, at = scene.hand.deal, _ends_of(scene, inside, before)[-1]
    last = inside[before - 1] if before else None
    events = [TrickTaken(player)]
    if last is not None and deal.tricks.is_full(last) and not last.named_winners:
        events.insert(0, TrickTaken(deal.winner(last).player))
    return tuple(scene.edit(at, event, insert=True) for event in events)


def _ends_of(scene: Suspects, inside: Sequence[Trick], before: int) -> list[int]:
    """Return the places after which a forgotten trick can be inserted, the likelier first.

    These are right before the next trick, and right after the trick before it with its claim.
    Other entries may stand in between.
    """
    events = [entry.event for entry in scene.entries]
    if not before:
        return [next(p for p, event in enumerate(events) if isinstance(event, PLAY)) - 1]
    trick = inside[before - 1]
    last = (trick.plays or trick.named_winners)[-1].seq
    end = at = next(place for place, entry in enumerate(scene.entries) if entry.seq == last)
    if not trick.plays:
        return [at]
    following = next(
        (p for p in range(at + 1, len(events)) if isinstance(events[p], CardPlayed)), None
    )
    for place, event in enumerate(events[at + 1 : following], at + 1):
        if isinstance(event, TrickTaken) and event.trick is None:
            end = place
    return [end] if following in (None, end + 1) else [following - 1, end]


# Of several entries at once, the fewest candidates first: they are tried before all others.
HYPOTHESES: Final = (
    propose_other_dealer, propose_timely_acts, propose_shifted_seats, propose_exchanged_players,
    propose_forgotten_tricks,
)  # fmt: skip

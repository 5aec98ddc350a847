"""The entries of a hand that findings point at, and how suspect each is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.fields import parts_of
from scorekeeper.events.playing import CardPlayed
from scorekeeper.play.scoring import Finding
from scorekeeper.repair.likely_errors import Around
from scorekeeper.repair.trials import OUT_OF_TIME, Edit, is_grave
from scorekeeper.session.matches import HandRecord, MatchRecord

MOST_PROOFS: Final = 8  # proofs; more of them prove nothing about any one

# How unlikely it is that an entry is the wrong one, by how it is named.
AT_FAULT: Final = 0.0
A_PROOF: Final = 0.3
CLOSE: Final = 0.8
BESIDE_THE_PLAY: Final = 1.0  # a bid, a declaration, a count
ELSEWHERE: Final = 2.0

NO_HOLDER: Final = ""


@dataclass(frozen=True)
class Suspects:
    """A hand and its suspect entries: the lower the cost in ``far``, the more suspect the place."""

    match: MatchRecord
    hand: HandRecord
    entries: list[Entry]
    around: Around
    far: list[float]
    trick_at: Mapping[int, Trick]  # by place
    named: frozenset[str]  # the players whom findings name
    holders: Mapping[Card, str]  # of cards in entries beside the play
    pairs: frozenset[tuple[int, int]]  # places of an event at fault and of its proof
    late: frozenset[int]  # the places of acts after their time

    def edit(self, place: int, event: Event | None = None, *, insert: bool = False) -> Edit:
        """An edit at a place, where -1 is the hand's beginning."""
        entry = self.entries[place] if place >= 0 else self.hand.started
        return Edit(entry.seq, event, insert)

    def odd(self, card: Card, player: str) -> float:
        """Return the cost of this player playing this card, by the entries that name its holder."""
        holder = self.holders.get(card)
        return 0.0 if holder is None else -0.3 if holder == player else 1.5

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that are not played on record, in the order of the pack."""
        pack = self.around.pack
        return tuple(card for card in pack.cards if card in self.around.unseen)


def find_suspects(match: MatchRecord, hand: HandRecord, findings: Iterable[Finding]) -> Suspects:
    """Return a hand with the entries that some findings point at."""
    entries = hand.entries
    place_of = {entry.seq: place for place, entry in enumerate(entries) if entry.seq}
    trick_at = _tricks_by_place(hand, entries)
    far = [
        BESIDE_THE_PLAY
        if not isinstance(entry.event, CardPlayed) and place not in trick_at
        else ELSEWHERE
        for place, entry in enumerate(entries)
    ]
    named: dict[int, float] = {}
    pairs, late = set(), set()
    for finding in findings:
        places = [place_of[seq] for seq in finding.events if seq in place_of]
        if not places:
            continue
        proofs = places[1:] if len(places) <= MOST_PROOFS else []
        named[places[0]] = AT_FAULT
        for place in proofs:
            named[place] = min(named.get(place, A_PROOF), A_PROOF)
            pairs.add((places[0], place))
        if finding.code == OUT_OF_TIME:
            late.add(places[0])
    _spread(far, named, trick_at)
    played = {entry.event.card for entry in entries if isinstance(entry.event, CardPlayed)}
    holders, unseen = _holders(entries), match.pack.members - played
    around = Around(
        match.pack, hand.table.players, tuple(match.sides), unseen, unseen - holders.keys(),
        hand.deal.counted_sides(),
    )  # fmt: skip
    players = {getattr(entries[place].event, "player", "") for place in named}
    return Suspects(
        match, hand, entries, around, far, trick_at, frozenset(players), holders, frozenset(pairs),
        frozenset(late),
    )  # fmt: skip


def _holders(entries: Iterable[Entry]) -> dict[Card, str]:
    """Return the holder of each card that an entry beside the play names; the last entry counts."""
    holders = {}
    for entry in entries:
        event = entry.event
        for field in parts_of(type(event)) if not isinstance(event, CardPlayed) else ():
            value = getattr(event, field.name)
            holder = NO_HOLDER if field.put_away else getattr(event, "player", "")
            if isinstance(value, Mapping):
                holders.update({card: who for who, card in value.items() if isinstance(card, Card)})
            elif isinstance(value, tuple):
                holders.update({card: holder for card in value if isinstance(card, Card)})
    return holders


def _tricks_by_place(hand: HandRecord, entries: list[Entry]) -> dict[int, Trick]:
    """Return the trick of each entry of play, by place."""
    of_seq: dict[int, list[Trick]] = {}
    for trick in hand.deal.tricks.numbered.values():
        for seq in trick.events():
            of_seq.setdefault(seq, []).append(trick)
    trick_by_place = {}
    for place, entry in enumerate(entries):
        tricks = of_seq.get(entry.seq)
        if tricks:
            trick_by_place[place] = tricks.pop(0) if len(tricks) > 1 else tricks[0]
    return trick_by_place


def _spread(far: list[float], named: Mapping[int, float], trick_at: Mapping[int, Trick]) -> None:
    """Lower the cost of what findings name, its neighbours, its tricks, and the tricks before."""
    close = {place + step for place in named for step in (-2, -1, 1, 2)}
    numbers = {trick_at[place].number for place in named if place in trick_at}
    numbers |= {number - 1 for number in numbers}
    close |= {place for place, trick in trick_at.items() if trick.number in numbers}
    for place in close:
        if 0 <= place < len(far):
            far[place] = min(far[place], CLOSE)
    for place, cost in named.items():
        far[place] = cost


def findings_to_correct(findings: Iterable[Finding], *, disputed: bool = False) -> list[Finding]:
    """Return the findings that ask for a correction; of a disputed hand warnings too."""
    return [
        finding
        for finding in findings
        if is_grave(finding) or (disputed and finding.severity != "info")
    ]

"""Honest hands recorded card by card, with one mistake in the record."""

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.codec import encode
from scorekeeper.play.scoring import Severity
from scorekeeper.repair import suggestions
from scorekeeper.report.findings import list_findings
from scorekeeper.report.what_if import suppose
from scorekeeper.session.session import Session
from tests.players.common import Event, Scores, chance, event, log_of, new_match, seeded
from tests.repair.scenes import list_proposed

COUNTS = {"points_counted", "tricks_counted", "outcome_recorded", "score_claimed"}
PLAY = {"card_played", "trick_taken"}
# The other words of fields that have few.
ANSWERS = ("good", "equal", "not_good")
Path = tuple[str, ...]


@dataclass
class Mistake:
    """A log with one mistake, the events of the true hand, and its score."""

    kind: str
    before: list[Event]
    wrong: list[Event]
    true: list[Event]
    scores: Scores

    def bids(self, record: list[Event]) -> list[Event]:
        return [raw for raw in record if raw["type"] == "bid_made"]

    def session(self) -> Session:
        return read([*self.before, *self.wrong])


@dataclass
class Sitting:
    """A hand to make a mistake in: the dice, the record, and the cards of the pack."""

    rng: Random
    record: list[Event]
    pack: Sequence[str]
    ranks: list[str]

    def places(self, *types: str) -> list[int]:
        return [n for n, raw in enumerate(self.record) if raw["type"] in types]

    def replaced(self, place: int, **data: Any) -> list[Event]:
        raw = self.record[place]
        changed = event(raw["type"], **{**raw["data"], **data})
        return [*self.record[:place], changed, *self.record[place + 1 :]]


# ------------------------------------------------------------------------------- mistakes


def another_card(hand: Sitting) -> list[Event]:
    place = hand.rng.choice(hand.places("card_played"))
    card = neighbour(hand, hand.record[place]["data"]["card"])
    return hand.replaced(place, card=card)


def any_card(hand: Sitting) -> list[Event]:
    """A card that is nothing like the one that was played."""
    place = hand.rng.choice(hand.places("card_played"))
    card = hand.record[place]["data"]["card"]
    return hand.replaced(
        place, card=hand.rng.choice([card_ for card_ in hand.pack if card_ != card])
    )


def neighbour(hand: Sitting, card: str) -> str:
    """The next rank of the suit, or the same rank of another suit."""
    return hand.rng.choice([other for other in hand.pack if beside(hand, card, other)])


def beside(hand: Sitting, one: str, other: str) -> bool:
    if "FOOL" in (one, other):
        return one != other and "T1" in (one, other)
    (r1, s1), (r2, s2) = parted(one), parted(other)
    if "T" in (s1, s2):
        return s1 == s2 and abs(int(r1) - int(r2)) == 1
    near = abs(hand.ranks.index(r1) - hand.ranks.index(r2)) == 1
    return (s1 == s2 and near) or (r1 == r2 and s1 != s2)


def parted(card: str) -> tuple[str, str]:
    return (card[1:], "T") if card[0] == "T" else (card[:-1], card[-1])


def other_player(hand: Sitting, place: int) -> str:
    players = {hand.record[n]["data"]["player"] for n in hand.places("card_played")}
    return str(hand.rng.choice(sorted(players - {hand.record[place]["data"]["player"]})))


def wrong_winner(hand: Sitting) -> list[Event]:
    place = hand.rng.choice(hand.places("trick_taken"))
    return hand.replaced(place, player=other_player(hand, place))


def swapped_cards(hand: Sitting) -> list[Event]:
    plays = hand.places("card_played")
    one, other = hand.rng.choice(list(pairwise(plays)))
    first, second = (hand.record[n]["data"]["card"] for n in (one, other))
    half = hand.replaced(one, card=second)
    return Sitting(hand.rng, half, hand.pack, hand.ranks).replaced(other, card=first)


def swapped_entries(hand: Sitting) -> list[Event]:
    place = hand.rng.randrange(1, len(hand.record) - 1)
    one, other = hand.record[place : place + 2]
    return [*hand.record[:place], other, one, *hand.record[place + 2 :]]


def missing(hand: Sitting) -> list[Event]:
    place = hand.rng.randrange(1, len(hand.record) - 1)
    return [*hand.record[:place], *hand.record[place + 1 :]]


def doubled(hand: Sitting) -> list[Event]:
    place = hand.rng.randrange(1, len(hand.record))
    return [*hand.record[: place + 1], *hand.record[place:]]


def wrong_bid(hand: Sitting) -> list[Event]:
    return wrong_word(hand, hand.places("bid_made", "bid_raised"))


def wrong_count(hand: Sitting) -> list[Event]:
    return wrong_word(hand, hand.places(*(COUNTS - {"score_claimed"})))


def wrong_claim(hand: Sitting) -> list[Event]:
    return wrong_word(hand, hand.places("score_claimed"))


def wrong_declaration(hand: Sitting) -> list[Event]:
    ns = [
        n for n, raw in enumerate(hand.record)
        if raw["type"] not in {*PLAY, *COUNTS, "bid_made", "bid_raised", "hand_started",
                               "partner_revealed", "signal_made"}
    ]  # fmt: skip
    return wrong_word(hand, ns)


KINDS: dict[str, Callable[[Sitting], list[Event]]] = {
    change.__name__.replace("_", " "): change
    for change in (
        another_card, any_card, wrong_winner, swapped_cards, swapped_entries, missing,
        doubled, wrong_bid, wrong_count, wrong_claim, wrong_declaration,
    )
}  # fmt: skip


def wrong_word(hand: Sitting, places: Sequence[int]) -> list[Event]:
    """One figure, card or word of these events slightly wrong."""
    place = hand.rng.choice(places)
    data = hand.record[place]["data"]
    paths = [path for path in leaves(data) if path[0] not in ("player", "category")]
    path = hand.rng.choice(paths)
    return hand.replaced(place, **changed(data, path, lambda value: slipped(hand, path, value)))


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of the single values in an event's data."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, str(place)))
    else:
        yield path


def changed(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    if isinstance(value, list):
        place = int(path[0])
        return [*value[:place], changed(value[place], path[1:], change), *value[place + 1 :]]
    return {**value, path[0]: changed(value[path[0]], path[1:], change)}


def slipped(hand: Sitting, path: Path, value: Any) -> Any:
    rng = hand.rng
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        turned = int(str(abs(value))[::-1]) * (-1 if value < 0 else 1)
        return rng.choice([value + 1, value - 1, value + 10, value - 10, turned])
    if value in hand.pack:
        return neighbour(hand, value)
    if value in hand.ranks:
        place = hand.ranks.index(value)
        return rng.choice(hand.ranks[max(place - 1, 0) : place] + hand.ranks[place + 1 : place + 2])
    plays = [hand.record[place]["data"] for place in hand.places("card_played")]
    words = {
        "answer": set(ANSWERS),
        "bid": set(),
        "suit": {parted(card)[1] for card in hand.pack},
        "suits": {parted(card)[1] for card in hand.pack},
    }
    return rng.choice(sorted(words.get(path[0], {play["player"] for play in plays}) - {value}))


# ------------------------------------------------------------------------- hands with them


def mistaken(game: str, seed: int, kind: str) -> Mistake | None:
    """A hand with such a mistake that leaves an error; None where these dice make none."""
    rng = seeded(seed)
    before, match = new_match(rng, game)
    played = match.play_hand()
    if played.abandoned:
        return None
    record = [card for card in played.records["cards"] if card["type"] not in COUNTS]
    counted = played.scores if game == "picchetto" else played.taken or {}
    claim = event("score_claimed", scores=played.scores)
    wants_count = kind == "wrong count" or (kind != "wrong claim" and chance(rng, 0.5))
    true = [*record, event("points_counted", points=counted) if wants_count else claim]
    pack = read(before).structure.matches[0].pack
    hand = Sitting(rng, true, [card.code for card in pack.cards], list(pack.ranks))
    try:
        mistake = Mistake(kind, before, KINDS[kind](hand), true, played.scores)
        wrong = errors(mistake.session())
    except (IndexError, UnusableError):
        return None
    honest = not errors(read([*before, *true]))  # a count may be below what the winner marks
    return mistake if wrong and honest and mistake.wrong != true else None


def read(events: list[Event]) -> Session:
    return Session.read(io.BytesIO(log_of(events).encode()))


def errors(session: Session) -> list[str]:
    return [
        finding.code for finding in list_findings(session) if finding.severity is Severity.ERROR
    ]


def rank_of_truth(mistake: Mistake, among: int = 10) -> int | None:
    """The place of the true correction among the suggestions, from 1; None where it is not."""
    for place, suggestion in enumerate(suggestions(mistake.session())[:among], 1):
        corrected = suppose(mistake.session(), corrections=list_proposed(suggestion))
        if suggestion.scores == mistake.scores and alike(corrected, mistake):
            return place
    return None


def alike(session: Session, mistake: Mistake) -> bool:
    """Whether the hand as corrected says what the true one does, and nothing is wrong with it."""
    if errors(session):
        return False
    hand = session.structure.matches[-1].hands[-1]
    bids = mistake.kind == "missing" and len(mistake.bids(mistake.true)) > len(
        mistake.bids(mistake.wrong)
    )
    recorded = [bare(entry.event.TYPE, encode(entry.event), bids=bids) for entry in hand.entries]
    true = [bare(raw["type"], raw["data"], bids=bids) for raw in mistake.true[1:]]
    more = Counter(recorded) - Counter(true)
    return not Counter(true) - Counter(recorded) and all(
        trick.startswith("trick_taken") for trick in more
    )


def bare(kind: str, data: dict[str, Any], *, bids: bool) -> str:
    """An event as text; the number of a trick taken says nothing that its place does not.

    With ``bids`` the figures of bids do not matter: that of one left out leaves no trace but
    in the score.
    """
    bare_data = {key: data[key] for key in sorted(data) if (kind, key) != ("trick_taken", "trick")}
    if bids and kind == "bid_made":
        bare_data = {
            key: bid if bid in ("pass", data["player"]) else "bid" for key, bid in bare_data.items()
        }
    return f"{kind} {bare_data}"

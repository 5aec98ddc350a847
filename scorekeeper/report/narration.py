"""A session in words: its events, tricks and penalties."""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.language import language
from scorekeeper.base.parts import ExactPoints, in_points
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.common import PenaltyGiven, PlayerRenamed
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.event import Event
from scorekeeper.events.sentences import Voice
from scorekeeper.log import codec
from scorekeeper.log.sets import Corrects
from scorekeeper.play.match import Penalty
from scorekeeper.report.views import EventView
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import Segment, decode_entry


def get_voice(session: Session, match: MatchRecord | None) -> Voice:
    """Return the words for names, cards and suits in a match, or outside of any."""
    names = dict(session.structure.players)
    if match is None:
        return Voice(names)
    for side, members in match.sides.items():
        names.setdefault(side, " & ".join(match.names[player] for player in members))
    parties = {party: words.short for party, words in match.game.parties.items()}
    return Voice(names, match.pack.show, match.pack.suit_name, parties=parties)


def voice_of_hand(voice: Voice, hand: HandRecord | None) -> Voice:
    """Return a voice that knows the bidder of a hand."""
    contract = hand.deal.contract if hand is not None else None
    return replace(voice, bidder=contract.player if contract else None)


# ----------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class NarratedEvent:
    """An event in words; ``how`` is what a correction did to it, empty for none."""

    key: int  # the seq, unless a damaged log has it twice
    seq: int
    type: str
    words: str
    at: str = ""
    by: str = ""
    how: str = ""


def describe_event(session: Session, seq: int) -> str:
    """Return the event with this seq as a sentence, as corrected; empty if there is none."""
    segment = session.structure.segment_of.get(seq)
    return narrate_event(session, seq, segment).words if segment else ""


def narrate_event(
    session: Session, key: int, segment: Segment, voice: Voice | None = None
) -> NarratedEvent:
    """Return the entry of a key in words, as corrected."""
    voice = voice or get_voice(session, segment.match)
    game = segment.match.game if segment.match else None
    recorded = session.corrections.recorded[key]
    reading = session.corrections.reading(key)
    event, how = recorded.event, ""
    if isinstance(event, EventStruck | EventReplaced | EventInserted) and reading is None:
        words = _correction_words(event, session.corrections.reason_of(key))
    else:
        if reading is None:
            how = "struck"
        elif reading.event is not event:
            how = "inserted" if isinstance(event, EventInserted) else "replaced"
            event = decode_entry(reading, game).event
        words = describe_at(session, key, event, voice)
    by = session.structure.players.get(recorded.by, recorded.by)
    return NarratedEvent(key, recorded.seq, event.TYPE, words, recorded.at, by, how)


def describe_at(session: Session, key: int, event: Event, voice: Voice) -> str:
    """Return an event at a key's place as a sentence.

    A player who is renamed has the name from before that.
    """
    if event.SAYS_OF_BIDDER:
        segment = session.structure.segment_of.get(key)
        voice = voice_of_hand(voice, segment.hand if segment else None)
    if not isinstance(event, PlayerRenamed):
        return voice.describe(event)
    renamings = session.structure.renamings
    renaming = renamings.get(key)
    if renaming is None:  # it was struck: the name is that before the next one
        later = (known for other, known in renamings.items() if other > key)
        renaming = next((known for known in later if known.player == event.player), None)
    if renaming is not None and renaming.player == event.player:
        voice = replace(voice, names={**voice.names, event.player: renaming.before})
    return voice.describe(event)


CORRECTION_WORDS: Final = {
    EventStruck.TYPE: "Correction, event {event} crossed out: {reason}",
    EventReplaced.TYPE: "Correction, event {event} replaced: {reason}",
    EventInserted.TYPE: "Correction after event {event}: {reason}",
}


def _correction_words(event: Corrects, reason: str) -> str:
    """Return the sentence about a correction with its reason."""
    place = event.after if isinstance(event, EventInserted) else event.seq
    template = language().say(CORRECTION_WORDS[event.TYPE])
    return template.format(event=place, reason=reason)


def describe_raw_event(session: Session, key: int, raw: EventView) -> str:
    """Return the words of an event that stands or stood at a key's place."""
    segment = session.structure.segment_of.get(key)
    match = segment.match if segment else None
    types = match.game.by_type if match else codec.COMMON_TYPES
    try:
        event = codec.decode(raw.type, raw.data, types)
    except UnusableError:  # it was struck, and the match became one of another game since
        return raw.type.replace("_", " ").capitalize()
    if isinstance(event, EventStruck | EventReplaced | EventInserted):
        return _correction_words(event, event.reason or "")
    return describe_at(session, key, event, get_voice(session, match))


# ----------------------------------------------------------------------------------- tricks


@dataclass(frozen=True, slots=True)
class NarratedPlay:
    """A card of a trick: its player, whether it was led, and whether it won."""

    seq: int
    player: str
    card: Card
    led: bool
    won: bool


@dataclass(frozen=True, slots=True)
class NarratedTrick:
    """A trick on record.

    ``otherwise`` are players who were named as winners, but did not win it. ``scored`` is false for
    a trick beyond the hand's number.
    """

    number: int
    plays: tuple[NarratedPlay, ...]
    winner: str | None
    otherwise: tuple[str, ...]
    scored: bool
    events: frozenset[int]

    def of(self, player: str) -> NarratedPlay | None:
        """Return the play of a player in the trick; None if it is not on record."""
        return next((play for play in self.plays if play.player == player), None)


def narrate_tricks(hand: HandRecord) -> tuple[NarratedTrick, ...]:
    """Return the recorded tricks of a hand, also those beyond its number."""
    deal = hand.deal
    won = {won_trick.number: won_trick.player for won_trick in deal.won}
    tricks = [_narrated_trick(trick, won.get(trick.number), scored=True) for trick in deal.tricks]
    return (
        *tricks,
        *(_narrated_trick(trick, None, scored=False) for trick in deal.tricks.beyond()),
    )


def _narrated_trick(trick: Trick, winner: str | None, *, scored: bool) -> NarratedTrick:
    """Return a trick with its cards, winner, and players named as winners wrongly."""
    plays = tuple(
        NarratedPlay(play.seq, play.player, play.card, led=place == 0, won=play.player == winner)
        for place, play in enumerate(trick.plays)
    )
    otherwise = {
        claim.player: None for claim in trick.named_winners if winner and claim.player != winner
    }
    return NarratedTrick(
        trick.number, plays, winner, tuple(otherwise), scored, frozenset(trick.events())
    )


# ------------------------------------------------------------------------------------ hands


@dataclass(frozen=True, slots=True)
class Story:
    """Everything on record of a hand in words, in its order as corrected.

    ``around`` has the events of all hands, by their seqs.
    """

    events: tuple[NarratedEvent, ...]
    tricks: tuple[NarratedTrick, ...]
    around: Mapping[int, NarratedEvent]

    def proof(self, seqs: Collection[int]) -> tuple[list[NarratedEvent], list[int]]:
        """Return the events that prove a line, except plays, and the numbers of the tricks that do.

        A card cited without the rest of its trick is also given in words, and so is an event of
        another hand.
        """
        cited = frozenset(seqs)
        tricks = [trick for trick in self.tricks if len(trick.events & cited) > 1]
        tricks += [trick for trick in self.tricks if len(trick.events) == 1 and not trick.plays
                   and trick.events <= cited]  # fmt: skip
        whole = {seq for trick in tricks for seq in trick.events}
        beside = [event for event in self.events if event.seq in cited and event.seq not in whole]
        if len(beside) + len(whole & cited) < len(cited):
            own = {event.seq for event in self.events}
            missing = sorted((cited - own - whole) & self.around.keys())
            beside = [*(self.around[seq] for seq in missing), *beside]
        return beside, sorted(trick.number for trick in tricks)


def narrate_hands(session: Session, matches: Container[int] | None = None) -> dict[int, Story]:
    """Return the stories of hands (of some matches, or all) by the seq of their hand_started."""
    events_by_hand: dict[int, list[NarratedEvent]] = {}
    hand_by_seq: dict[int, HandRecord] = {}
    for segment in session.structure.segments:
        if segment.hand is None or _is_left_out(segment, matches):
            continue
        voice = get_voice(session, segment.match)
        seq = segment.hand.started.seq
        hand_by_seq[seq] = segment.hand
        events_by_hand.setdefault(seq, []).extend(
            narrate_event(session, key, segment, voice) for key in segment.keys
        )
    around = {event.seq: event for several in events_by_hand.values() for event in several}
    return {
        seq: Story(tuple(events_by_hand[seq]), narrate_tricks(hand), around)
        for seq, hand in hand_by_seq.items()
    }


def _is_left_out(segment: Segment, matches: Container[int] | None) -> bool:
    """Return whether a segment belongs to a match that is not among `matches`."""
    return matches is not None and segment.match is not None and segment.match.number not in matches


@dataclass(frozen=True, slots=True)
class NarratedPenalty:
    """A penalty in words."""

    seq: int
    side: str
    points: ExactPoints
    reason: str


def narrate_penalties(session: Session, match: MatchRecord) -> dict[int, list[NarratedPenalty]]:
    """Return the penalties of a match by the number of the hand, 0 for those before the first.

    The shares that other players get of a penalty follow it one by one.
    """
    by_hand: dict[int, list[NarratedPenalty]] = {}
    shared: dict[int, list[Penalty]] = {}
    for penalty in match.penalties:
        shared.setdefault(penalty.seq, []).append(penalty)
    if not shared:  # as in most matches; this avoids a search of the whole session for each
        return by_hand
    for segment in session.structure.segments:
        if segment.match is match:
            number = segment.hand.number if segment.hand else 0
            for key in segment.keys:
                reading = session.corrections.reading(key)
                event = reading and decode_entry(reading, match.game).event
                if isinstance(event, PenaltyGiven):
                    seq = session.corrections.recorded[key].seq
                    own = [Penalty(seq, event.side, in_points(event.points, match.game.parts))]
                    by_hand.setdefault(number, []).extend(
                        NarratedPenalty(seq, share.side, share.points, event.reason)
                        for share in (shared[seq] if event.spread else own)
                    )
    return by_hand


# --------------------------------------------------------------------------------- in short


def format_ranges(numbers: Iterable[int]) -> str:
    """Return sorted whole numbers in short form.

    >>> format_ranges([3, 4, 5, 9])
    '3–5, 9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

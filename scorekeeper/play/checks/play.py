"""Checks of the play that several games share: turn, following suit, and shown cards."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from operator import itemgetter

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.play.checks.faults import Act, fault
from scorekeeper.play.deal import Deal, ShownCards
from scorekeeper.play.duties import plays_with_those_before
from scorekeeper.play.scoring import Observation

BesideLed = Callable[[Card, Card], bool]  # a test of a played card and the card led


def play_out_of_turn(deal: Deal) -> Iterator[Observation]:
    """Find cards played by a player whose turn it was not.

    After a trick, both its winner by the rules and the recorded winner may lead.
    """
    may_lead = {deal.first_leader} if deal.first_leader else set()
    before: Trick | None = None
    for trick in deal.tricks:
        if trick.number > 1:
            before = deal.tricks.numbered.get(trick.number - 1)
            may_lead = _next_leaders(deal, before)
        if not trick.plays:
            continue
        players = tuple([play.player for play in trick.plays])
        if may_lead and players[0] not in may_lead:
            proof = before.events() if before else deal.proof_of_first_leader
            yield _lead_out_of_turn(deal, trick, may_lead, proof)
        due = deal.table.turns[players[0]]
        if players != due[: len(players)]:
            yield from _following_out_of_turn(deal, trick, due)


def _next_leaders(deal: Deal, trick: Trick | None) -> set[str]:
    """Return the players who may lead after this trick: its winner by the cards, and named winners.

    It is empty if no winner is on record.
    """
    if trick is None:
        return set()
    best = deal.winning.get(trick.number)
    leaders = set() if best is None else {best.player}
    for named in trick.named_winners:
        leaders.add(named.player)
    return leaders


def _lead_out_of_turn(
    deal: Deal, trick: Trick, may_lead: set[str], proof: tuple[int, ...]
) -> Observation:
    """Return the observation that a trick was led by a player who is not in ``may_lead``."""
    lead, due = trick.plays[0], " / ".join(sorted(map(deal.name, may_lead)))
    return fault(
        "Trick {number}: {player} led {card}, but it was {due}’s turn to lead",
        deal, lead, *proof, number=trick.number, card=lead.card, due=due,
    )  # fmt: skip


def _following_out_of_turn(deal: Deal, trick: Trick, due: Sequence[str]) -> Iterator[Observation]:
    """Yield a fault for each card played before that of a player whose turn came first.

    ``due`` are the players in the right order, beginning with the player who led.
    """
    for play in trick.plays[1:]:
        overtaken = [
            other for other in trick.plays if other.player in due[: due.index(play.player)]
        ]
        late = [other for other in overtaken if trick.plays.index(other) > trick.plays.index(play)]
        if late:
            yield fault(
                "Trick {number}: {player} played {card} before {due}, whose turn it was",
                deal, play, late[0].seq, number=trick.number, card=play.card,
                due=deal.name(late[0].player),
            )  # fmt: skip


def held_later(
    deal: Deal, play: Play, wanted: Callable[[Card], bool]
) -> Iterator[tuple[int, Card]]:
    """Yield ``wanted`` cards that the player provably held at a play, each with a seq as proof.

    They are the cards that the player played later, and the cards that they showed, before or
    after, and had not yet played. A card shown before proves nothing if a card that they played
    since is not on record: it may be that card. A contradictory card proves nothing either: one
    that another player played too, that was played beyond the hand's number of tricks, or that was
    shown by a player all of whose played cards are others. The holding must not have changed since
    the play began.
    """
    player = play.player
    own_plays = deal.plays_by[player]
    turn = own_plays.index(play)
    played = [later for later in own_plays[turn + 1 :] if wanted(later.card)]
    shown = [
        (holding, card)
        for holding in deal.held_by.get(player, ())
        for card in holding.cards if wanted(card)
    ]  # fmt: skip
    for later in played:
        if not _in_doubt(deal, player, later.card):
            yield later.seq, later.card
    if not shown:
        return
    played_before = {earlier.card for earlier in own_plays[:turn]}
    place, gap = deal.plays.index(play), _last_gap(deal, play)
    own_cards = played_by(deal, player)
    all_known = len(own_cards) == deal.tricks.total
    for holding, card in shown:
        in_time = holding.after > place or holding.trick > gap
        may_be_held = card not in played_before and not _in_doubt(deal, player, card)
        if in_time and may_be_held and (card in own_cards or not all_known):
            yield holding.seq, card


def _in_doubt(deal: Deal, player: str, card: Card) -> bool:
    """Return whether a card proves nothing about the holding of ``player``.

    Another player played it too, or it was played in a trick beyond the last.
    """
    played_by_another = any(play.player != player for play in deal.plays_of(card))
    return played_by_another or any(
        extra.card is card for trick in deal.tricks.beyond() for extra in trick.plays
    )


def played_by(deal: Deal, player: str) -> dict[Card, Play]:
    """Return the cards that a player played to the tricks of the hand, with the plays."""
    plays = (trick.card_of(player) for trick in deal.tricks)
    return {play.card: play for play in plays if play}


def _last_gap(deal: Deal, play: Play) -> int:
    """Return the last earlier trick to which the player's card is not on record, or 0."""
    number = next(n for n, trick in deal.tricks.numbered.items() if play in trick.plays)
    while number := number - 1:
        trick = deal.tricks.numbered.get(number)
        if trick is None or trick.card_of(play.player) is None:
            return number
    return 0


def revoke(deal: Deal) -> Iterator[Observation]:
    """Find players who did not follow suit although the record proves that they could.

    Each fault names one card of the suit that they held.
    """
    for trick in deal.tricks:
        yield from withheld_card(
            deal,
            trick,
            wrong=lambda card, led: card.suit not in {None, led.suit},
            due=lambda card, led: card.suit is led.suit,
        )


def must_trump(deal: Deal) -> Iterator[Observation]:
    """Find players who neither followed nor trumped although they provably held a trump."""
    if deal.duties:
        yield from _undone_duties(deal, deal.duties.lacked_trumps)


def must_overtrump(deal: Deal) -> Iterator[Observation]:
    """Find players who played a low trump although they provably held one that beats the trick."""
    if deal.duties:
        yield from _undone_duties(deal, deal.duties.lacked_higher_trumps)


def _undone_duties(
    deal: Deal, lacked: Callable[[Sequence[Play], Card], Collection[Card]]
) -> Iterator[Observation]:
    """Yield a fault for each play that shows a lack of cards of which its player held one.

    ``lacked`` returns the cards that a player lacks by a card and the plays before it.
    """
    for trick in deal.tricks:
        for play, before in plays_with_those_before(trick.plays):
            due = lacked(before, play.card)
            doubtful = any(again.card in {play.card, *due} for again in deal.again)
            if not due or doubtful or not trick.led:
                continue
            for seq, held in islice(held_later(deal, play, due.__contains__), 1):
                yield fault(
                    "Trick {number}: {player} played {card} on {led}, but still held {held}",
                    deal, play, seq, number=trick.number, card=play.card, led=trick.led.card,
                    held=held,
                )  # fmt: skip


def withheld_card(
    deal: Deal, trick: Trick, wrong: BesideLed, due: BesideLed
) -> Iterator[Observation]:
    """Yield a fault for each play against a rule of following, if the player held a right card.

    ``wrong`` returns whether a played card breaks the rule, ``due`` whether a held card would have
    kept it; both get that card and the card that shows the suit led. The holding must be proved by
    the record. A card that is on record twice was played once at most: it accuses nobody.
    """
    if trick.led is None:
        return
    led = trick.led.card
    for play in trick.plays[trick.plays.index(trick.led) + 1 :]:
        doubtful = any(repeated.card in {led, play.card} for repeated in deal.again)
        if wrong(play.card, led) and not doubtful:
            for seq, held in islice(held_later(deal, play, lambda card: due(card, led)), 1):
                yield fault(
                    "Trick {number}: {player} played {card} on {led}, but still held {held}",
                    deal, play, seq, number=trick.number, card=play.card, led=led, held=held,
                )  # fmt: skip


def shown_mismatch(deal: Deal) -> Iterator[Observation]:
    """Find cards that a player showed and cannot have held then; one fault for each showing.

    They were played before, or another player plays them, had shown them or received them.
    """
    shown_seqs = {shown.seq for shown in deal.shown}
    received, earlier = FirstHoldings(), FirstHoldings()
    for held in deal.held():
        if held.seq not in shown_seqs:
            received.add(held)
    for shown in deal.shown:
        played = next(_played_otherwise(deal, shown), None)
        if played is not None:
            yield played
        elif conflict := earlier.find_conflict(shown) or received.find_conflict(shown):
            yield shown_by_two(deal, shown, *conflict)
        earlier.add(shown)


def _played_otherwise(deal: Deal, shown: ShownCards) -> Iterator[Observation]:
    """Yield a fault for each play that proves that the player did not hold a card they showed."""
    for card in shown.cards:
        for play in deal.plays_of(card):
            early = play.player == shown.player and deal.plays.index(play) < shown.after
            if early or play.player != shown.player:
                yield fault(
                    "{player} showed {card}, but had already played it"
                    if early
                    else "{player} showed {card}, but {other} played it",
                    deal, shown, play.seq, card=card, other=deal.name(play.player),
                )  # fmt: skip


class FirstHoldings:
    """The first holding of each card by each player.

    So the work for a holding does not grow with the number of those before it.
    """

    def __init__(self) -> None:
        """Begin without any holding."""
        self._first: dict[Card, dict[str, tuple[int, ShownCards]]] = {}
        self._added = 0

    def add(self, held: ShownCards) -> None:
        """Add a holding; those of one player come in the order in which they are added."""
        for card in held.cards:
            self._first.setdefault(card, {}).setdefault(held.player, (self._added, held))
        self._added += 1

    def find_conflict(self, shown: ShownCards) -> tuple[ShownCards, Card] | None:
        """Return the first holding by another player with one of the cards shown, and that card."""
        conflicts = [
            (place, held, card)
            for card in shown.cards
            for player, (place, held) in self._first.get(card, {}).items()
            if player != shown.player
        ]
        if not conflicts:
            return None
        _, held, card = min(conflicts, key=itemgetter(0))
        return held, card


def shown_by_two(deal: Deal, shown: Act, before: Act, card: Card) -> Observation:
    """Return the fault that a player showed a card which ``before`` gives to another player."""
    return fault(
        "{player} showed {card}, but according to the record {other} held it",
        deal, shown, before.seq, also=before.player, card=card, other=deal.name(before.player),
    )  # fmt: skip

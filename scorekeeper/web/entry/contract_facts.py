"""What a hand is played for, in few words: the bid that stands, and what was said to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.events.event import Display, Event
from scorekeeper.events.fields import Many, parts, words_of
from scorekeeper.events.sentences import SUIT, Voice, noun_of, title_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Prompt
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.wording.filters import labelled
from scorekeeper.web.wording.words import letter


@dataclass(frozen=True, slots=True)
class ContractFact:
    """One thing that is to be known of a hand; ``suits`` are drawn, strongest first."""

    words: str
    label: str = ""
    suits: tuple[str, ...] = ()


def facts(hand: HandRecord, told: Iterable[Event], voice: Voice) -> Iterator[ContractFact]:
    """What it pays, the contract, and of what was said to it what is needed in the play.

    What lies face down is no fact yet: that it is on record, the log says.
    """
    stakes = hand.deal.stakes()
    if stakes is not None:
        yield ContractFact(str(stakes))
    contract = standing(hand.deal, voice)
    if contract is not None:
        yield contract
    for event in told:
        if event.DISPLAY is Display.STAYS and not lies_face_down(event):
            suits = suits_of(event)
            yield ContractFact(voice.describe(event), noun_of(type(event)) if suits else "", suits)


def lies_face_down(event: Event) -> bool:
    """Whether an event tells nothing of what it could hide."""
    return bool(event.HIDDEN) and all(getattr(event, one) is None for one in event.HIDDEN)


def suits_of(event: Event) -> tuple[str, ...]:
    """The suits that an event puts in order."""
    for part in parts(type(event)):
        if isinstance(part.kind, Many) and words_of(part.kind) == SUIT:
            return tuple(getattr(event, part.name) or ())
    return ()


def standing(deal: Deal, voice: Voice) -> ContractFact | None:
    """The highest bid so far, in the games with one: what it is, and whose."""
    contract = deal.contract
    if contract is None:
        return None
    said = {
        "player": voice.names.get(contract.player, contract.player),
        "figure": letter(str(contract.figure)),
    }
    if not contract.open:
        return ContractFact(f"{said['figure']}, {said['player']}", str(_("Contract")))
    if contract.declared:
        return ContractFact(_("%(player)s declares %(figure)s", **said))
    return ContractFact(_("%(player)s bids %(figure)s", **said))


def trumps(deal: Deal) -> Sequence[str]:
    """The suit that is trump, or several in their order; none where that is not said."""
    trump = getattr(deal, "trump", None)
    return (trump,) if trump else tuple(getattr(deal, "hierarchy", ()))


def loud(told: Iterable[Event], prompts: Iterable[Prompt], voice: Voice) -> Iterator[str]:
    """What is to be heard at the whole table: that it was called, or that it is there."""
    due = (one.choices[0] for one in prompts if len(one.choices) == 1)
    for event in dict.fromkeys(one for one in (*told, *due) if one.DISPLAY is Display.CALLED):
        name = voice.names.get(getattr(event, "player", ""), "")
        yield f"{labelled(title_of(type(event)))} {name}"

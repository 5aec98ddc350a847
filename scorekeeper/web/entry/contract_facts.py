"""The facts of a hand that players need during the play: its stakes, contract and trumps."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorekeeper.events.event import Display, Event
from scorekeeper.events.fields import Many, parts_of, word_category
from scorekeeper.events.sentences import SUIT, Voice, noun_of, title_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Prompt
from scorekeeper.report.narration import voice_of_hand
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.wording.filters import with_colon
from scorekeeper.web.wording.words import rank_letter


@dataclass(frozen=True, slots=True)
class ContractFact:
    """A fact about a hand; ``suits`` are drawn as symbols, strongest first."""

    words: str
    label: str = ""
    suits: tuple[str, ...] = ()


def list_contract_facts(
    hand: HandRecord, events: Iterable[Event], voice: Voice
) -> Iterator[ContractFact]:
    """Yield what the hand pays, its contract, and the declarations that stay valid in the play.

    `voice` words them. Cards that lie face down are left out.
    """
    stakes = hand.deal.stakes()
    if stakes is not None:
        yield ContractFact(str(stakes))
    contract, voice = describe_contract(hand.deal, voice), voice_of_hand(voice, hand)
    if contract is not None:
        yield contract
    for event in events:
        if event.DISPLAY is Display.STAYS and not lies_face_down(event):
            suits = suits_of(event)
            yield ContractFact(voice.describe(event), noun_of(type(event)) if suits else "", suits)


def lies_face_down(event: Event) -> bool:
    """Return whether an event leaves out every field that may stay hidden."""
    return bool(event.HIDDEN) and all(getattr(event, name) is None for name in event.HIDDEN)


def suits_of(event: Event) -> tuple[str, ...]:
    """Return the suits that an event ranks, strongest first; empty if it ranks none."""
    for part in parts_of(type(event)):
        if isinstance(part.kind, Many) and word_category(part.kind) == SUIT:
            return tuple(getattr(event, part.name) or ())
    return ()


def describe_contract(deal: Deal, voice: Voice) -> ContractFact | None:
    """Return the highest bid so far and its player; None in games without one."""
    contract = deal.contract
    if contract is None:
        return None
    values = {
        "player": voice.names.get(contract.player, contract.player),
        "figure": rank_letter(str(contract.figure)),
    }
    if not contract.open:
        return ContractFact(_("%(player)s’s contract: %(figure)s", **values))
    if contract.declared:
        return ContractFact(_("%(player)s declares %(figure)s", **values))
    return ContractFact(_("%(player)s bids %(figure)s", **values))


def list_announcements(
    events: Iterable[Event], prompts: Iterable[Prompt], voice: Voice
) -> Iterator[str]:
    """Yield the events that are called to the whole table, recorded or due, as text."""
    due = (prompt.choices[0] for prompt in prompts if len(prompt.choices) == 1)
    for event in dict.fromkeys(
        event for event in (*events, *due) if event.DISPLAY is Display.CALLED
    ):
        name = voice.names.get(getattr(event, "player", ""), "")
        yield f"{with_colon(title_of(type(event)))} {name}"

"""The facts of a hand of French Tarot, and the sentence about them."""

from typing import Final

from scorekeeper.authoring import HandFacts, Phrase, Sentence, contract_facts, has
from scorekeeper_tarot.events import CONTRACT

FACTS: Final = HandFacts(
    contract_facts(CONTRACT, parts=2, bidder="Taker", bid="Contract", called="Called king"),
    (
        Sentence("bidder", (
            (Phrase("made", has("made")), Phrase("lost")),
            (Phrase("{bid}: {took}"),),
        )),
    ),
)  # fmt: skip

"""The objects within events of a tournament: fees, generators of draws, sessions of tables."""

from dataclasses import dataclass

from scorekeeper.events.fields import (
    AMOUNT,
    NAME,
    NAMED_HASH,
    NAMED_ID,
    Currency,
    Declared,
    Whole,
    part,
)


@dataclass(frozen=True, slots=True)
class Fee(Declared):
    """The money that each entrant pays."""

    amount: int = part(AMOUNT, "in minor units")
    currency: str = part(Currency(), "the code of the currency, by ISO 4217")


@dataclass(frozen=True, slots=True)
class DrawGenerator(Declared):
    """The program that drew a round."""

    name: str = part(NAME, "the kind of draw")
    version: int = part(Whole(1, 1_000), "its version")
    seed: int = part(Whole(0), "with the same seed it draws the same")


@dataclass(frozen=True, slots=True)
class TableSession(Declared):
    """The session of a table."""

    session: str = part(NAMED_ID, "the id of the session")
    first_hash: str = part(NAMED_HASH, "the hash of its first event")

"""Entrants from a pasted list."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.pasted import parse_entrants
from tests.evenings import Raw, event
from tests.tournaments.hall import add, opening, registered, tournament

ALONE = [opening(game="riparto"), registered("ada")]
PAIRS = [opening(entrants="pairs", game="knock")]


@pytest.mark.parametrize(
    ("log", "text", "listed"),
    [
        (ALONE, "Bea\n\n  Ciro  Rossi \r\n", ["bea Bea", "ciro-rossi Ciro Rossi"]),
        (ALONE, "\ufeff1. Bea\n2) Ciro\n3.Dora", ["bea Bea", "ciro Ciro", "dora Dora"]),
        (ALONE, "Ada\nAda\n李\n", ["ada-2 Ada", "ada-3 Ada", "player 李"]),
        (ALONE, "Bea;Bologna;3\nCiro;;\n", ["bea Bea Bologna 3", "ciro Ciro"]),
        (ALONE, "Bea\tBologna", ["bea Bea Bologna"]),
        (ALONE, '"Rossi, Bea",Lanzo', ["rossi-bea Rossi, Bea Lanzo"]),
        (ALONE, "Circolo,Nome,Tessera\nBologna,Bea,77\n", ["bea Bea Bologna"]),
        (ALONE, "name\nname\n", ["name name"]),
        (ALONE, "keeper", ["keeper-2 keeper"]),
        (PAIRS, "Ada & Bea\nCiro / Dora;Lanzo", [
            "ada-bea Ada & Bea ada Ada bea Bea",
            "ciro-dora Ciro & Dora ciro Ciro dora Dora Lanzo",
        ]),
        (PAIRS, "Ada,Bea,Lanzo,1", ["ada-bea Ada & Bea ada Ada bea Bea Lanzo 1"]),
        (PAIRS, "nom,partenaire,groupe\nAda,Bea,Lanzo", [
            "ada-bea Ada & Bea ada Ada bea Bea Lanzo"]),
        (PAIRS, "Ada+Ada", ["ada-ada Ada & Ada ada Ada ada-2 Ada"]),
    ],
)  # fmt: skip
def test_lists_as_people_write_them(log: list[Raw], text: str, listed: list[str]) -> None:
    held = tournament(*log)
    read = []
    for _, data in parse_entrants(text, held.state):
        words: list[Any] = [data["id"], data["name"]]
        if len(data["players"]) == 2:
            words += [word for player in data["players"] for word in player.values()]
        read.append(" ".join(map(str, filter(None, [*words, data.get("group"), data.get("seed")]))))
    assert read == listed


def test_each_entrant_can_be_registered_late() -> None:
    held = tournament(*ALONE)
    listed = parse_entrants("\n\nBea\nCiro", held.state, from_round=2)
    assert [entrant.line for entrant in listed] == [3, 4]
    for entrant in listed:
        add(held, event("entrant_registered", **entrant.data))
    assert held.state.entrants["ciro"].from_round == 2


@pytest.mark.parametrize(
    ("log", "text", "words"),
    [
        (ALONE, "", "a list of 1 to 400 names"),
        (ALONE, " \n;\n", "a list of 1 to 400 names"),
        (ALONE, "x\n" * 401, 'got "401 lines"'),
        (ALONE, "Bea\n" + "x" * 1001, "line 2 is too long"),
        (ALONE, "Bea;Lanzo;first", "line 1: the seed is a number, got first"),
        (ALONE, "Bea;Lanzo;²", "the seed is a number"),
        (ALONE, ";Lanzo", "line 1: expected one name"),
        (PAIRS, "Ada & Bea\nCiro", "line 2: expected the names of both players"),
        (PAIRS, "Ada &", "line 1: expected the names of both players"),
    ],
)
def test_a_list_that_cannot_be_read_names_its_line(log: list[Raw], text: str, words: str) -> None:
    with pytest.raises(UnusableError, match=words):
        parse_entrants(text, tournament(*log).state)

"""The dispute desk of a session with several matches: the changes, and the signers."""

import json
from typing import Final
from urllib.parse import urlencode

import pytest

from tests.api.asking import Table
from tests.api.test_proposals import COUNT, EVENING, ONE_MATCH, PLAYERS
from tests.evenings import Raw, struck
from tests.web.looking import cookie, everybodys, forms, page, post
from tests.web.pages import page_of

DESK: Final = "/d/2-1"
ANOTHER: Final = {
    "en": "This would correct hand 1 of match 1. Open a dispute about that hand.",
    "it": "Questo correggerebbe la mano 1 della partita 1. Contesta quella mano.",
    "fr": "Ceci corrigerait la donne 1 de la partie 1. Contestez cette donne.",
}
TOO: Final = "Every seat of match 1 has to sign, too: it would change."


@pytest.fixture
def table() -> Table:
    table = Table.open(everybodys(), PLAYERS)
    table.do(*EVENING)
    return table


def preview(*corrections: Raw) -> str:
    return f"{DESK}/preview?" + urlencode({"pick": json.dumps(corrections), "reason": "so"})


def act(table: Table, what: str, who: str) -> None:
    answer = post(table, f"{DESK}/{what}", who, **forms(page(table, DESK, who))[what])
    assert answer.status_code == 303, answer.text


@pytest.mark.parametrize("language", ANOTHER)
def test_preview_of_another_match_gives_advice(table: Table, language: str) -> None:
    answer = table.client.get(
        f"/t/{table.id}{preview(COUNT, struck(5))}",
        headers={**cookie(table, "leo"), "Accept-Language": language},
    )
    assert answer.status_code == 422
    assert ANOTHER[language] in page_of(answer).words


def test_a_preview_says_which_matches_change_and_who_has_to_sign(table: Table) -> None:
    words = page(table, preview(ONE_MATCH), "leo").words
    assert "Match 1 would change." in words
    assert "There would be no match 2." in words
    assert TOO in words
    assert "Who has to sign: Mara, Leo, Nina, Ugo" in words
    words = page(table, preview(COUNT), "leo").words
    assert "Match 1 would change." not in words
    assert TOO not in words
    assert "Who has to sign: Mara, Leo, Nina" in words


def test_player_of_another_changed_match_signs_at_the_desk(table: Table) -> None:
    """Their signature may be the last, which carries the proposal out."""
    corrections = json.dumps([ONE_MATCH])
    post(table, f"{DESK}/propose", "leo", version=table.version, corrections=corrections,
         reason="We went on")  # fmt: skip
    for player in ("mara", "leo", "nina"):
        act(table, "sign", player)
    desk = page(table, DESK, "ugo")
    assert TOO in desk.words
    assert "Ugo has not signed yet" in desk.words
    assert "sign" not in forms(page(table, DESK, "zoe"))
    assert len(table.report()["matches"]) == 2
    act(table, "sign", "ugo")
    (only,) = table.report()["matches"]
    assert len(only["hands"]) == 2


def test_player_of_no_changed_match_cannot_sign(table: Table) -> None:
    post(table, f"{DESK}/propose", "leo", version=table.version,
         corrections=json.dumps([COUNT]), reason="again")  # fmt: skip
    for who in ("ugo", "zoe"):
        assert not {"sign", "decline", "apply"} & set(forms(page(table, DESK, who)))
    answer = post(
        table, f"{DESK}/sign", "ugo", **forms(page(table, DESK, "leo"))["sign"] | {"player": "ugo"}
    )
    assert answer.status_code == 422
    assert (
        "Only players of a match that this changes can sign or decline it." in page_of(answer).words
    )

"""A hand that every side has accepted can be changed only by a dispute, also at the table."""

from typing import Final

import pytest

from tests.api.asking import Table, hand, match
from tests.evenings import event
from tests.web.looking import cookie, everybodys, page
from tests.web.pages import page_of

MESSAGES: Final = {
    "en": "Every side has accepted hand 1, and this would change it. Dispute the hand instead.",
    "it": "Tutte le parti hanno accettato la mano 1, e questo la cambierebbe. Contesta la mano.",
    "fr": "Tous les camps ont accepté la donne 1, et ceci la changerait. "
    "Contestez plutôt la donne.",
}


@pytest.fixture
def accepted() -> Table:
    table = Table.open(everybodys())
    table.do(match(), *hand())
    for player in ("mara", "leo", "nina"):
        table.do(event("hand_confirmed", player=player), who=player)
    return table


@pytest.mark.parametrize("who", ["leo", "host"])
@pytest.mark.parametrize("language", MESSAGES)
def test_change_of_a_confirmed_hand_is_refused_with_a_link_to_the_desk(
    accepted: Table, who: str, language: str
) -> None:
    form = {"version": accepted.version, "key": f"late-{who}-{language}", "type": "points_counted",
            "fixed": '{"points":{"leo":4,"mara":11}}', "as_played": "1"}  # fmt: skip
    answer = accepted.client.post(
        f"/t/{accepted.id}/record", data=form,
        headers={**cookie(accepted, who), "Origin": "http://localhost",
                 "Accept-Language": language},
    )  # fmt: skip
    assert answer.status_code == 422
    page_ = page_of(answer)
    assert MESSAGES[language] in page_.words
    assert f"/t/{accepted.id}/d/1-1" in answer.text.split('id="notice"')[1].split("</section>")[0]
    assert accepted.get("/events").get_json()["version"] == accepted.version


def test_confirmed_hand_is_not_prompted_for_changes(accepted: Table) -> None:
    """Neither by prompts nor on the page, which can still begin the next hand."""
    asked = {raw["type"] for raw in accepted.get("/next").get_json()}
    assert asked == {"hand_started", "score_claimed", "match_ended", "session_closed"}
    assert page(accepted, "", "leo").wrong == []

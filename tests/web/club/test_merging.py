"""``/club/<club_id>/settings/merge``: the changes of a merger are shown before it is recorded."""

import re

from tests.web.club.visiting import Visit, riparto


def twice() -> Visit:
    """A club in which Leo played one evening under another name."""
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.enter(riparto(), riparto("2026-10-09", "lello", seats="mara lello nina"))
    return visit


def lines(html: str) -> dict[str, tuple[str, str]]:
    """Return the preview: the row before and after, by name."""
    (table,) = re.findall(r'<table class="sheet">.*?</table>', html, re.DOTALL)
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
             for row in re.findall(r"<tr>(.*?)</tr>", table)[1:])  # fmt: skip
    return {re.sub("<.*?>", "", name): (then, now) for name, then, now in cells}


def test_preview_equals_the_result() -> None:
    visit = twice()
    asked = visit.look("/settings/merge?member=lello&into=leo")
    rows = lines(asked.text)
    assert "1 evening moves." in asked.text
    assert rows["Lello"][1] == "–"
    before = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()["rows"]
    assert "Lello" in {row["name"] for row in before}  # a preview changes nothing
    visit.done("/settings/merge", member="lello", into="leo")
    after = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()["rows"]
    (leo,) = [row for row in after if row["name"] == "Leo"]
    assert leo["shared"]
    assert rows["Leo"][1] == f"{leo['place']}= · {leo['shown']}"
    assert "Lello" not in {row["name"] for row in after}


def test_money_and_all_evenings_are_previewed_beside_the_seasons() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", money="yes")
    stake = {"currency": "EUR", "point": 10, "match": 100}
    visit.enter(riparto("2025-10-09", "lello", seats="mara lello nina", stake=stake))
    visit.done("/settings/season", **{"name": "Autumn", "from": "2026-10-01", "game": ["riparto"],
                                      "by": "points"})  # fmt: skip
    words = visit.page("/settings/merge?member=lello&into=leo").words
    assert "All evenings Member Now Then Leo –" in words
    (ledger,) = visit.phone.get(f"/api/clubs/{visit.club_id}/money").get_json()["money"]
    (lello,) = [balance["amount"] for balance in ledger["balances"] if balance["name"] == "Lello"]
    assert f"Leo – +€{lello / 100:.2f}" in words.partition("Money EUR")[2]
    assert "Autumn Member" not in words


def test_two_who_played_together_are_two_people() -> None:
    visit = twice()
    asked = visit.page("/settings/merge?member=mara&into=leo", 422)
    assert "so they are two people. Evening of 2026-10-02 2 Oct 2026" in asked.words
    (opens,) = [link["href"] for link in asked.all("a") if "/results" in link["href"]]
    assert visit.phone.get(opens).status_code == 200
    assert "so they are two people" in visit.refused("/settings/merge", member="mara",
                                                     into="leo").words  # fmt: skip


def test_member_cannot_be_merged_with_themselves_or_an_unknown_id() -> None:
    visit = twice()
    assert (
        "These are one member already: Leo."
        in visit.page("/settings/merge?member=leo&into=leo", 422).words
    )
    assert visit.look("/settings/merge?member=leo&into=nobody").status_code == 422
    visit.done("/settings/merge", member="lello", into="leo")
    assert "one member already" in visit.refused("/settings/merge", member="lello",
                                                 into="leo").words  # fmt: skip


def test_who_never_played_changes_no_table() -> None:
    visit = Visit.found("Mara", "Leo", "Lello")
    visit.enter(riparto(seats="mara leo nina"))
    assert "No table changes." in visit.page("/settings/merge?member=lello&into=leo").words


def test_forms_about_somebody_who_was_merged_meanwhile_act_on_nobody() -> None:
    """Another tab still shows the member who has become another one."""
    visit = Visit.found()
    visit.done("/settings/merge", member="mara", into="leo", key="first" * 5)
    before = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["version"]
    for member, into in (("mara", "nina"), ("nina", "mara")):
        page = visit.look(f"/settings/merge?member={member}&into={into}")
        assert page.status_code == 422
        assert "Choose a member of the club." in visit.refused(
            "/settings/merge", member=member, into=into).words  # fmt: skip
    for form in ({"act": "leave"}, {"act": "rename", "name": "Zoe"}):
        assert visit.post("/settings/member/mara", **form).status_code == 404
    assert visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["version"] == before

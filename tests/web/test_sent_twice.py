"""Every form on every page can be sent twice without harm: at once, six times, and after Back.

Tests of ``web.frame.form_keys``.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from werkzeug.test import TestResponse

from tests.web.club.visiting import service
from tests.web.sending import CHANGES_NOTHING, Sending, changed, facts, post_routes
from tests.web.sending import SENT as SENT_ELSEWHERE
from tests.web.tournament.sending import SENT as SENT_IN_A_HALL

REQUESTS: Final = 6
SENT: Final = {**SENT_ELSEWHERE, **SENT_IN_A_HALL}


def result_of(answer: TestResponse) -> tuple[int, str, list[str]]:
    """Return the result of a form: its redirection, and the links and codes on its page."""
    text = answer.get_data().decode(errors="replace")  # slips are bytes
    secrets_made = re.findall(r"/join/[\w-]+|the-code\">\w+|\bkey=[\w-]{32}", text)
    where = re.sub(r"[0-9a-z]{12}(?=[/&]|$)", "…", answer.headers.get("Location", ""))
    return answer.status_code, where, sorted(secrets_made)


def test_every_route_to_which_forms_are_sent_is_tried() -> None:
    assert set(post_routes(service())) == SENT.keys() | CHANGES_NOTHING.keys()


@pytest.mark.parametrize("endpoint", SENT)
def test_repeated_form_takes_effect_one_time(endpoint: str) -> None:
    app = service()
    first, many = SENT[endpoint](), SENT[endpoint]()
    assert first.fields["key"]
    before = facts(app)
    answer = first.send()
    assert answer.status_code in (200, 303), answer.text
    once = changed(before, facts(app))

    before = facts(app)
    with ThreadPoolExecutor(REQUESTS) as pool:
        answers = list(pool.map(lambda _: many.send(), range(REQUESTS)))
    assert changed(before, facts(app)) == once
    same = {str(result_of(answer)) for answer in answers}
    assert len(same) == 1, same
    assert result_of(answers[0])[:2] == result_of(answer)[:2]
    where = {answer.headers.get("Location") for answer in answers}
    assert len(where) == 1, where

    many.before_return()
    before = facts(app)
    again = many.send()
    assert str(result_of(again)) in same
    assert facts(app) == before


def changes(form: Sending, **other: object) -> tuple[TestResponse, bool]:
    """Return the response to a resent form with changed content, and the changes that it made."""
    assert form.send().status_code in (200, 303)
    before = facts(form.app)
    answer = form.send(**other)
    return answer, facts(form.app) != before


@pytest.mark.parametrize("endpoint", ["new.create", "club_new.create", "settings.link"])
@pytest.mark.parametrize("key", ["k", "k" * 19, "k" * 201])
def test_form_from_whose_key_secrets_would_be_guessed_is_refused(endpoint: str, key: str) -> None:
    form = SENT[endpoint]()
    before = facts(form.app)
    assert form.send(key=key).status_code == 400
    assert facts(form.app) == before


@pytest.mark.parametrize(
    ("endpoint", "other"),
    [
        ("new.create", {"name": ["Mara", "Leo", "Ada"]}),
        ("club_new.create", {"name": "Another"}),
        ("settings.player", {"name": "Ada"}),
        ("settings.link", {"for": "view"}),
        ("club_settings.add", {"names": "Ivo"}),
        ("club_seasons.create", {"name": "Spring", "from": "2027-03-01"}),
        ("club_changing.change", {"name": "Another"}),
        ("club_changing.change_season", {"name": "Another"}),
    ],
)
def test_changed_form_after_back_is_a_new_request(endpoint: str, other: dict[str, object]) -> None:
    answer, done = changes(SENT[endpoint](), **other)
    assert answer.status_code in (200, 303)
    assert done


@pytest.mark.parametrize(
    ("endpoint", "other", "text"),
    [
        ("table.record_form", {"t:text": "something else"}, "something else"),
        ("dispute.open_dispute", {"player": "mara"}, ""),
        ("dispute.settle", {"ruling": "unresolved"}, ""),
        ("closing.close", {"version": "3"}, ""),
        ("rematch.start", {"seat": ["leo", "mara", "nina"]}, ""),
        ("club_money.pay", {"amount": "7"}, "7"),
    ],
)
def test_changed_stale_form_after_back_is_questioned(
    endpoint: str, other: dict[str, object], text: str
) -> None:
    """It is neither recorded unseen nor silently lost."""
    answer, done = changes(SENT[endpoint](), **other)
    assert not done
    if answer.status_code == 303:
        assert re.search(r"stale=1|changed=1|/t/\w+(/results)?$", answer.headers["Location"])
    else:
        assert answer.status_code in (409, 412, 422)
        assert text in answer.text

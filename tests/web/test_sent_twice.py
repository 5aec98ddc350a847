"""Every form on every page can be sent twice without harm: at once, six times, and after Back.

Tests of ``web.frame.form_keys``.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from werkzeug.test import TestResponse

from tests.web.club.visiting import service
from tests.web.sending import CHANGES_NOTHING, SENT, Sending, changed, facts, post_routes

AT_ONCE: Final = 6


def told(answer: TestResponse) -> tuple[int, str, list[str]]:
    """What somebody gets: where a form leads, and the links and codes on the page, if it is one."""
    made = re.findall(r"/join/[\w-]+|the-code\">\w+|\bkey=[\w-]{32}", answer.text)
    where = re.sub(r"[0-9a-z]{12}(?=[/&]|$)", "…", answer.headers.get("Location", ""))
    return answer.status_code, where, sorted(made)


def test_every_route_to_which_forms_are_sent_is_tried() -> None:
    assert set(post_routes(service())) == SENT.keys() | CHANGES_NOTHING.keys()


@pytest.mark.parametrize("endpoint", SENT)
def test_a_form_that_is_sent_again_is_done_once(endpoint: str) -> None:
    app = service()
    first, many = SENT[endpoint](), SENT[endpoint]()
    assert first.fields["key"]
    before = facts(app)
    answer = first.send()
    assert answer.status_code in (200, 303), answer.text
    once = changed(before, facts(app))

    before = facts(app)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda _: many.send(), range(AT_ONCE)))
    assert changed(before, facts(app)) == once
    same = {str(told(one)) for one in answers}
    assert len(same) == 1, same
    assert told(answers[0])[:2] == told(answer)[:2]
    where = {one.headers.get("Location") for one in answers}
    assert len(where) == 1, where

    many.then()
    before = facts(app)
    again = many.send()
    assert str(told(again)) in same
    assert facts(app) == before


def changes(form: Sending, **other: object) -> tuple[TestResponse, bool]:
    """The answer to a form that comes back with something else in it, and what that changed."""
    assert form.send().status_code in (200, 303)
    before = facts(form.app)
    answer = form.send(**other)
    return answer, facts(form.app) != before


@pytest.mark.parametrize(
    ("endpoint", "other"),
    [
        ("new.create", {"name": ["Mara", "Leo", "Ada"]}),
        ("club_new.create", {"name": "Another"}),
        ("settings.player", {"name": "Ada"}),
        ("rematch.start", {"seat": ["leo", "mara", "nina"]}),
        ("settings.link", {"for": "view"}),
        ("club_settings.add", {"names": "Ivo"}),
        ("club_money.pay", {"amount": "7"}),
        ("club_seasons.create", {"name": "Spring", "from": "2027-03-01"}),
    ],
)
def test_after_the_way_back_something_else_is_a_request_of_its_own(
    endpoint: str, other: dict[str, object]
) -> None:
    answer, done = changes(SENT[endpoint](), **other)
    assert answer.status_code in (200, 303)
    assert done


@pytest.mark.parametrize(
    ("endpoint", "other", "said"),
    [
        ("table.record_form", {"t:text": "something else"}, "something else"),
        ("dispute.open_dispute", {"player": "mara"}, ""),
        ("dispute.settle", {"ruling": "unresolved"}, ""),
        ("closing.close", {"version": "3"}, ""),
    ],
)
def test_after_the_way_back_something_else_that_is_stale_is_asked(
    endpoint: str, other: dict[str, str], said: str
) -> None:
    """It is not recorded unseen, and not lost in silence."""
    answer, done = changes(SENT[endpoint](), **other)
    assert not done
    if answer.status_code == 303:
        assert re.search(r"stale=1|changed=1|/settings$", answer.headers["Location"])
    else:
        assert answer.status_code in (412, 422)
        assert said in answer.text

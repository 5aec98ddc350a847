"""A tournament in the browsers of its people: each is a phone that keeps its cookies."""

from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import created
from tests.api.hall import Hall
from tests.web.club.visiting import OWN, well_formed
from tests.web.pages import Page


@cache
def service() -> Flask:
    """The application of all tournaments, which are independent of one another."""
    return created(sessions_an_hour=10**6, failed_keys_an_hour=10**6, computations_an_hour=10**6)


def opened(*entrants: str, **more: Any) -> Hall:
    """Open a tournament; see `Hall.open`."""
    return Hall.open(service().test_client(), *entrants, **more)


class Person:
    """A phone in the hall; without a key it is a stranger's."""

    def __init__(self, of: Hall, who: str | None = "host") -> None:
        self.phone: FlaskClient = service().test_client()
        self.tournament_id = of.id
        if who is not None:
            self.join(of.keys[who])

    def join(self, secret: str) -> TestResponse:
        """Open a link with a key, and come in."""
        answer = self.phone.post("/join", data={"key": secret}, headers=OWN)
        assert answer.status_code == 303, answer.text
        return answer

    def look(self, path: str = "") -> TestResponse:
        """Return the response for one of the tournament's pages, or another if it is whole."""
        whole = path if path.startswith("/t/") else f"/tournament/{self.tournament_id}{path}"
        return self.phone.get(whole)

    def page(self, path: str = "", status: int = 200) -> Page:
        """Return one of its pages, which must be well formed."""
        return well_formed(self.look(path), status)

    def post(self, path: str, **form: Any) -> TestResponse:
        """Return the response to a form of one of its pages."""
        whole = path if path.startswith("/t/") else f"/tournament/{self.tournament_id}{path}"
        return self.phone.post(whole, data=form, headers=OWN)

    def done(self, path: str, **form: Any) -> str:
        """Return the address to which an accepted form redirected."""
        answer = self.post(path, **form)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

"""The forms of the pages of a tournament that anybody may read, as a browser sends them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.api.hall import Hall
from tests.evenings import event
from tests.web.club.visiting import OWN, service
from tests.web.sending import Filled, Sending, cookies_of, filled


def of_hall(hall: Hall, page: str, action: str, who: str = "host", **chosen: Any) -> Sending:
    """Return a form of a tournament's page, as the phone of ``who`` shows it."""
    phone, path = service().test_client(), f"/tournament/{hall.id}"
    assert phone.post("/join", data={"key": hall.keys[who]}, headers=OWN).status_code == 303
    asked = Filled(path + page, path + action, chosen)
    return filled(service(), cookies_of(phone), asked, lambda: record_note(hall))


def record_note(hall: Hall) -> None:
    """Record a note of the director."""
    hall.version = hall.read()["version"]
    hall.do(event("note_added", text="meanwhile"))


def opened() -> Hall:
    """Return a tournament whose first round is being played."""
    hall = Hall.open(service().test_client(use_cookies=False))
    hall.draw(1, "ada bea ciro", "dora elio fede")
    hall.publish()
    hall.add_key("entrant", "ada")
    return hall


def ended() -> Sending:
    """Return the form that ends the address of the hall's screen."""
    hall = opened()
    assert of_hall(hall, "/hall", "/hall").send().status_code == 303
    return of_hall(hall, "/hall", "/hall/end")


SENT: Final[Mapping[str, Callable[[], Sending]]] = {
    "tournament_hall.publish": lambda: of_hall(opened(), "/hall", "/hall", standings="hidden"),
    "tournament_hall.end": ended,
    "tournament_print.slips": lambda: of_hall(
        opened(), "/print", "/print/slips", **{"for": "players"}
    ),
    "tournament.call": lambda: of_hall(opened(), "", "/call", "ada", about="a revoke"),
}

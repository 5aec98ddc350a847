"""The watching view has the hands so far, and the points still needed to win."""

import re

from flask.testing import FlaskClient

from tests.evenings import Raw, event
from tests.web.tapping import Tapped
from tests.web.test_table import visited

__all__ = ["visited"]


def counted(dealer: str, bidder: str, points: int, **others: int) -> list[Raw]:
    """Record a hand of Riparto in which a player takes what they declared."""
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=bidder, points=points),
        event("points_counted", points={bidder: points, **others}),
    ]


def table(visited: FlaskClient) -> Tapped:
    """Two hands of a match to 20; Leo won one of them by 11."""
    options = {"match_end": {"target": 20}}
    start = event("match_started", game="riparto", seats=["mara", "leo", "nina"], options=options)
    hands = [*counted("mara", "leo", 11, mara=2, nina=2), *counted("leo", "nina", 8, mara=4, leo=3)]
    return Tapped.open(visited, "mara leo nina", start, *hands)


def test_viewer_sees_every_hand_the_last_one_first(visited: FlaskClient) -> None:
    here = table(visited)
    html = here.get("?view=watch", who="nina").text
    sheet = html[html.index('class="so-far-sheet"') :]
    links = re.findall(rf'href="(/t/{here.id}/h/1-\d)"', sheet)
    assert [link[-1] for link in links] == ["2", "1"]
    assert all(visited.get(link, headers=here.headers("nina")).status_code == 200 for link in links)
    assert re.findall(r'<th scope="col"><bdi class="fit">(\w+)', sheet) == ["Nina", "Mara", "Leo"]
    assert "declared 11, took 11" in sheet


def test_leader_sees_the_points_needed_to_win(visited: FlaskClient) -> None:
    here = table(visited)
    assert "Leo needs 9" in here.page("?view=watch").words
    here.record(*counted("nina", "leo", 9, mara=3, nina=3))
    words = here.page("?view=watch").words
    assert "Leo wins" in words
    assert "Leo needs" not in words
    assert "The hands played" in here.page().words


def test_a_pad_has_no_sheet_below_it(visited: FlaskClient) -> None:
    assert "The hands played" not in table(visited).page().words

"""``service.described``: the present title and names of stored sessions."""

from scorekeeper.service.described import DescribedSession, describe_stored
from tests.evenings import event, opening
from tests.service.evenings import stored

LATER = (
    event("player_joined", id="zoe", name="Zoë"),
    event("player_renamed", player="mara", name="Maria"),
    event("session_described", title="Saturday"),
)


def test_title_and_names_are_the_present_ones() -> None:
    store, session_id = stored(opening("mara", "leo"))
    assert describe_stored(store, session_id) == DescribedSession("Friday", ("Mara", "Leo"))
    store, session_id = stored(opening("mara", "leo"), *LATER)
    assert describe_stored(store, session_id) == ("Saturday", ("Maria", "Leo", "Zoë"))


def test_log_that_cannot_be_used_here_has_the_title_of_its_beginning() -> None:
    bridge = event("match_started", game="bridge", seats=["mara", "leo"])
    store, session_id = stored(opening("mara", "leo"), bridge, *LATER)
    assert describe_stored(store, session_id) == ("Friday", ("Mara", "Leo"))

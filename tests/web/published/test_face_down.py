"""A public table does not depend on cards that lie face down."""

from typing import Final

import pytest

from scorekeeper.store import PublicView
from tests.api.clubbing import Circle
from tests.api.test_face_down import GAMES, clients, worlds
from tests.api.worlds import World

__all__ = ["clients", "worlds"]

HERE: Final = "z" * 26  # instead of the address


def public_answers(world: World) -> list[tuple[str, str | None]]:
    """Return the texts and ETags of a table that strangers read, with the world's evening."""
    table = world.table
    players = [player for player in table.keys if player not in ("host", "view")]
    circle = Circle.open(table.client, *players)
    circle.enter(table)
    store = table.client.application.extensions["service"].store
    store.publish(circle.id, 0, PublicView("full"))
    address = store.latest_publication(circle.id).address
    paths = (f"/published/{address}", f"/published/{address}/standings.html",
             f"/published/{address}/picture.png", f"/api/published/{address}")  # fmt: skip
    read = [table.client.get(path, buffered=True) for path in paths]
    assert [answer.status_code for answer in read] == [200] * len(paths)
    assert read[-1].get_json()["evenings"] <= 1
    return [
        (answer.get_data().replace(address.encode(), HERE.encode()).decode("latin-1"),
         None if "html" in answer.content_type else answer.headers["ETag"])
        for answer in read
    ]  # fmt: skip


@pytest.mark.parametrize("worlds", GAMES, indirect=True)
def test_public_table_does_not_depend_on_cards_face_down(worlds: tuple[World, World]) -> None:
    here, there = map(public_answers, worlds)
    assert here == there

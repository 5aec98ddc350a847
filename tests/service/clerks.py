"""What tests let other processes do in a club. It imports little: each of them begins with that."""

import json
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.store import open_store

HOST: Final = Holder("host")
NOTE: Final = NewEvent("note_added", {"text": "at the table"})


def work(url: str, club_id: str, evening: str, number: int, pipe: Connection) -> None:
    """Record in a club and at one of its tables, and look at the club, until killed."""

    def at_the_table(service: Service) -> None:
        while True:
            asked = AppendRequest(service.store.position(evening).version, (NOTE,))
            with suppress(StaleVersionError):
                service.record(evening, asked, HOST)

    with open_store(url) as store:
        service = Service(store)
        clubs = Clubs(service)
        threading.Thread(target=at_the_table, args=(service,), daemon=True).start()
        while True:
            pipe.send((number, None))
            clubs.see(club_id, told_of)
            key, version = f"number {number}", store.position(club_id).version
            event = NewEvent("note_added", {"text": str(number)})
            recorded = clubs.record(
                club_id, AppendRequest(version, (event,), key=key, digest=bytes(32)), HOST
            )
            told = json.loads(recorded.answer.body)
            pipe.send((number, (told["version"], told["head"])))
            number += 1


def told_of(snapshot: ClubSnapshot) -> list[dict[str, object]]:
    """The tables of a club."""
    return [plain_figures.describe_season(snapshot, snapshot.make_all_time_season())]

"""Work of other processes in a club. Each process imports this module, so it imports little."""

import json
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.store import open_store

HOST: Final = Holder("host")
NOTE: Final = NewEvent("note_added", {"text": "at the table"})


def work(url: str, club_id: str, evening: str, number: int, pipe: Connection) -> None:
    """Record in a club and at one of its tables, and read the club, until killed."""

    def record_notes(service: Service) -> None:
        while True:
            request = AppendRequest(service.store.position(evening).version, (NOTE,))
            with suppress(StaleVersionError):
                service.record(evening, request, HOST)

    with open_store(url) as store:
        service = Service(store)
        clubs = Clubs(service)
        threading.Thread(target=record_notes, args=(service,), daemon=True).start()
        while True:
            pipe.send((number, None))
            clubs.see(club_id, describe_all_time_season)
            key, version = f"number {number}", store.position(club_id).version
            event = NewEvent("note_added", {"text": str(number)})
            recorded = clubs.record(
                club_id, AppendRequest(version, (event,), key=key, digest=bytes(32)), HOST
            )
            answer = json.loads(recorded.answer.body)
            pipe.send((number, (answer["version"], answer["head"])))
            number += 1


def describe_all_time_season(snapshot: ClubSnapshot) -> list[dict[str, object]]:
    """Return the all-time season of a club, as the API describes it."""
    return [to_json_values(view_season(snapshot, snapshot.make_all_time_season()))]

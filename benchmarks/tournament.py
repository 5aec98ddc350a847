"""A tournament: fifty tables record, and two hundred phones and the hall's screen follow them."""

import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, Final

from benchmarks.measuring import print_row
from benchmarks.phones import PROCESSES, Client, Watcher, run_in_threads
from benchmarks.serving import Served, served
from tests.faults.crowd import Stream, crowd

TABLES: Final = 50
SEATS: Final = 3
PHONES: Final = 200
SECONDS: Final = 20.0
PACE: Final = 2.5  # seconds between two events of a table
POINTS: Final = (15, 0, 0)  # of a hand of Riparto
POINTS_OF_A_HAND: Final = 10  # of all players: the bidder misses a contract of 5
MINUS: Final = "\u2212"
FIGURE: Final = re.compile(rf'class="figure">({MINUS}?[0-9]+)')
SCREEN_SECONDS: Final = 0.5  # between two questions of the screen
MAX_PUBLISHING_SECONDS: Final = 1.0
MAX_SEATED_SECONDS: Final = 2.0  # until 95 of 100 phones show their seats
MAX_APPEND_SECONDS: Final = 0.1  # of 99 of 100 appends
MAX_STANDINGS_SECONDS: Final = 1.0  # until 95 of 100 hands are in the standings


class Director(Client):
    """The director of a tournament, with its present version."""

    def __init__(self, port: int) -> None:
        stage = {"name": "Rounds", "draw": "random", "rounds": 1, "points": "score",
                 "table": {"from": SEATS, "to": SEATS}}  # fmt: skip
        people = [{"id": f"p{n}", "name": f"Player {n}",
                   "players": [{"id": f"p{n}", "name": f"Player {n}"}]}
                  for n in range(TABLES * SEATS)]  # fmt: skip
        opening = {"name": "Bench", "game": "riparto", "entrants": "individual",
                   "stages": [stage], "registered": people}  # fmt: skip
        opened = expect(Client(port).ask("POST", "/api/tournaments", body=opening))
        super().__init__(port, opened["keys"]["director"], f"/api/tournaments/{opened['id']}")
        self.view, self.version = opened["keys"]["view"], opened["version"]

    def record(self, path: str, body: Any) -> Any:
        """Send an append at the present version, and return its answer."""
        answer = expect(self.ask("POST", path, body, If_Match=f'"{self.version}"'))
        self.version = answer["version"]
        return answer


def expect(answer: tuple[int, bytes]) -> Any:
    """Return the JSON of an answer that reports success."""
    status, body = answer
    if status not in (200, 201):
        raise AssertionError(body)
    return json.loads(body)


class HallTable(Client):
    """A table that records hands; ``complete`` has the time of each complete one."""

    def __init__(self, director: Director, session_id: str) -> None:
        key = director.headers["Authorization"].partition(" ")[2]
        super().__init__(director.connection.port, key, f"/api/sessions/{session_id}")
        known = expect(self.ask("GET"))
        self.players = [player["id"] for player in known["session"]["players"]]
        self.version = known["session"]["events"]
        self.hands = 0
        self.times: list[float] = []
        self.complete: list[float] = []

    def play(self, start: float) -> None:
        """Record at the pace of a table until the end."""
        due, step = start, 0
        while due < start + SECONDS:
            time.sleep(max(0.0, due - time.monotonic()))
            self.write(step)
            step, due = step + 1, due + PACE

    def write(self, step: int) -> None:
        """Record the next event of a hand."""
        order = self.players[self.hands % SEATS :] + self.players[: self.hands % SEATS]
        event = (
            {"type": "hand_started", "data": {"dealer": order[0]}},
            {"type": "bid_made", "data": {"player": order[1], "points": 5}},
            {"type": "points_counted", "data": {"points": dict(zip(order, POINTS, strict=True))}},
        )[step % 3]
        began = time.monotonic()
        answer = self.ask("POST", "/events", {"events": [event], "as_played": True},
                          If_Match=f'"{self.version}"')  # fmt: skip
        self.times.append(time.monotonic() - began)
        self.version = expect(answer)["version"]
        if step % 3 == 2:
            self.hands += 1
            self.complete.append(began)


class PhoneInHall(Watcher):
    """A phone that shows the page of a tournament, to a player or a viewer."""

    def wait_for_seat(self, all_there: Any) -> float:
        """Return when the page shows the seat of its player, or the tables to a viewer."""
        stream = Client(self.connection.port)
        stream.connection.request("GET", f"{self.table}/stream", headers=self.headers)
        answer = stream.connection.getresponse()
        if answer.status != 200:
            raise AssertionError(answer.read())
        all_there.wait()
        while line := answer.readline():
            if not line.startswith(b"data:"):
                continue
            _, page = self.ask("GET", f"/tournament/{self.session}")
            if b"own-table" in page or (b"hall-tables" in page and b"own-seat" not in page):
                return time.monotonic()
        raise AssertionError("the stream has ended")


@contextmanager
def waiting(director: Director, keys: Sequence[str]) -> Iterator[Connection]:
    """Let phones with these keys wait for a round; the connection gets when each is seated.

    They run in another process, so that their work does not delay the director.
    """
    all_there, (here, there) = PROCESSES.Barrier(len(keys) + 1), PROCESSES.Pipe()
    phones = [(director.connection.port, key, director.path) for key in keys]
    process = PROCESSES.Process(target=seat_all, args=(phones, all_there, there), daemon=True)
    process.start()
    all_there.wait(timeout=60)
    yield here
    process.terminate()
    process.join()


def seat_all(phones: Sequence[tuple[int, str, str]], all_there: Any, channel: Connection) -> None:
    """Wait with each phone for its seat; send the time of each."""
    seated: list[float] = []

    def sit(place: int) -> None:
        seated.append(PhoneInHall(*phones[place]).wait_for_seat(all_there))

    run_in_threads(sit, range(len(phones)))
    channel.send(seated)


class HallScreen:
    """The screen of the hall: as its script does, it asks for its page twice a second.

    It reads the standings as one file, which is of the same content as the page.
    """

    def __init__(self, director: Director) -> None:
        page = director.path.replace("/api/tournaments/", "/tournament/") + "/hall"
        browser = Client(director.connection.port, director.headers["Authorization"].split()[1])
        form = {
            "Content_Type": "application/x-www-form-urlencoded",
            "Sec_Fetch_Site": "same-origin",
        }
        status, _ = browser.ask("POST", page, **form)
        address = re.search(r"/published/\w+", browser.ask("GET", page)[1].decode())
        if status != 303 or address is None:
            raise AssertionError(status)
        self._reader = Client(director.connection.port, path=address[0])
        self._ended = threading.Event()
        self.shown: list[tuple[float, int]] = []  # when, and how many hands the standings have
        self.thread = threading.Thread(target=self._follow)
        self.thread.start()

    def end(self) -> None:
        """Switch it off."""
        self._ended.set()
        self.thread.join()

    def _follow(self) -> None:
        """Read the standings until the end."""
        while not self._ended.wait(SCREEN_SECONDS):
            _, body = self._reader.ask("GET", "/standings.html")
            figures = FIGURE.findall(body.decode())
            points = sum(int(figure.replace(MINUS, "-")) for figure in figures)
            self.shown.append((time.monotonic(), points // POINTS_OF_A_HAND))


def measure(server: Served) -> list[bool]:
    """Measure a round of a tournament at a server."""
    director = Director(server.port)
    draw = expect(director.ask("POST", "/draw", {"seed": 1}))["draw"]
    director.record("/events", {"events": [{"type": "round_drawn", "data": draw}]})
    keys = expect(director.ask("POST", "/keys/entrants", {}))["keys"]
    secrets = [key["key"] for key in keys]
    with waiting(director, [*secrets, *[director.view] * (PHONES - len(keys))]) as phones_at_seats:
        began = time.monotonic()
        published = director.record("/publish", {"round": 1})
        publishing = time.monotonic() - began
        if not phones_at_seats.poll(60):
            raise AssertionError("not all phones came to their seats")
        seated = sorted(at - began for at in phones_at_seats.recv())
    sessions = [named["session"] for named in published["events"][0]["data"]["sessions"].values()]
    tables = [HallTable(director, session_id) for session_id in sessions]
    table_of = {player: table.path for table in tables for player in table.players}
    phones = [Stream((server.port,), table_of[key["player"]], key["key"]) for key in keys]
    phones += [Stream((server.port,), table.path, director.view)
               for table in tables[: PHONES - len(phones)]]  # fmt: skip
    with crowd(phones) as watching:
        screen = HallScreen(director)
        start = time.monotonic() + 1

        def at_table(n: int) -> None:
            tables[n].play(start + n * PACE / TABLES)

        run_in_threads(at_table, range(TABLES))
        time.sleep(2 * MAX_STANDINGS_SECONDS)
        screen.end()
        refused = watching.refused()
    took = sorted(seconds for table in tables for seconds in table.times)
    late = sorted(list_delays(sorted(at for table in tables for at in table.complete), screen))
    at_seat = seated[int(len(seated) * 0.95)]
    p99, p95 = took[int(len(took) * 0.99)], late[int(len(late) * 0.95)]
    return [
        print_row(f"publishing {TABLES} tables", f"{publishing * 1000:.0f} ms",
                  f"at most {MAX_PUBLISHING_SECONDS * 1000:.0f}",
                  met=publishing <= MAX_PUBLISHING_SECONDS),
        print_row(f"from there to {len(seated)} phones at their seats, p95",
                  f"{at_seat * 1000:.0f} ms", f"at most {MAX_SEATED_SECONDS * 1000:.0f}",
                  met=at_seat <= MAX_SEATED_SECONDS),
        print_row(f"{len(phones)} phones at {TABLES} tables, refused", f"{refused}", "none",
                  met=not refused),
        print_row(f"an append at one of {TABLES} tables meanwhile, p99", f"{p99 * 1000:.0f} ms",
                  f"at most {MAX_APPEND_SECONDS * 1000:.0f}", met=p99 <= MAX_APPEND_SECONDS),
        print_row("from a hand to the standings on the hall's screen, p95", f"{p95 * 1000:.0f} ms",
                  f"at most {MAX_STANDINGS_SECONDS * 1000:.0f}",
                  met=p95 <= MAX_STANDINGS_SECONDS),
    ]  # fmt: skip


def list_delays(complete: list[float], screen: HallScreen) -> list[float]:
    """Return the seconds from each complete hand until the standings have as many hands."""
    return [
        next((at - began for at, hands in screen.shown if hands >= number), float("inf"))
        for number, began in enumerate(complete, start=1)
    ]


def tournament() -> list[bool]:
    """Measure it in two processes, on SQLite."""
    with served(WORKERS="2") as server:
        return measure(server)

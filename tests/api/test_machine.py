"""A state machine of a table beside a list of its events that is replayed after each step.

The cached state of the service must change nothing: neither what is refused, nor which findings
come with an append, nor the report. Two servers on one store take turns, and are started anew.
"""

import json
from itertools import product
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from werkzeug.test import TestResponse

from scorekeeper.base.errors import UnusableError
from scorekeeper.log import codec
from scorekeeper.log.reading import RawEvent
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs, would_lie_face_down
from scorekeeper.report.next_events import list_prompts
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore
from tests.api.asking import Table, client_of
from tests.conftest import SOAK
from tests.evenings import Raw, build_report, event, inserted, replaced, struck
from tests.players.common import GAMES, new_match, seeded

PICKS = st.integers(0, 10**6)
SEATS = st.sampled_from([0, 1])
ENDS = {"session_closed", "match_ended", "hand_abandoned"}


def replayed(log: list[Raw]) -> Session:
    """A session of stored events, from nothing.

    Raises `UnusableError`.
    """
    session = Session()
    for seq, raw in enumerate(log, 1):
        session.add_line(RawEvent(seq, seq, raw["type"], raw["data"], by=raw["by"]))
    return session


def as_known(session: Session) -> Session:
    """Return the session as visible to the table."""
    return as_the_table_knows(session, face_down_seqs(session))


def without_salts(data: Raw) -> Raw:
    """Return data without salts and without the version of the rules."""
    inner = {name: without_salts(value) for name, value in data.items() if isinstance(value, dict)}
    return {**data, **inner, "rules": 0, "salt": ""}


def fault(finding: Raw) -> tuple[Any, ...]:
    return finding["code"], finding["match"], finding["hand"], tuple(finding["events"][:1])


def new_findings(before: Session, after: Session) -> list[Raw]:
    """Return the new findings."""
    known = {fault(finding) for finding in build_report(before)["findings"]}
    return [finding for finding in build_report(after)["findings"] if fault(finding) not in known]


def author_of(session: Session, raw: Raw, by: str) -> str:
    """Return the author of an event in the log: the keeper, if the author is a secret."""
    secret = raw["type"] == "partner_revealed" and would_lie_face_down(session, raw["type"], by)
    return "keeper" if secret else by


class TableAtWork(RuleBasedStateMachine):
    """A machine of a session of any game, recorded by its host and two seats."""

    @initialize(seed=PICKS, game=st.sampled_from(list(GAMES)))
    def open(self, seed: int, game: str) -> None:
        self.store = MemoryStore()
        opening, _ = new_match(seeded(seed), game)
        client = client_of(self.store)
        opened = client.post("/api/sessions", json=opening[0]["data"]).get_json()
        self.tables = [Table(client, opened), Table(client_of(self.store), opened)]
        self.log = [{**opening[0], "by": "keeper"}]
        self.players = [player["id"] for player in opening[0]["data"]["players"]]
        self.sent: list[tuple[list[Raw], dict[str, Any], bytes]] = []
        self.turn = 0
        self.in_order = True  # whether every recorded event had been prompted
        self.record(opening[1:], "host")

    # ---------------------------------------------------------------------------- rules

    @rule(pick=PICKS, seat=st.sampled_from([None, 0, 1]), level=st.sampled_from([None, *LEVELS]))
    def play(self, pick: int, seat: int | None, level: Level | None) -> None:
        """Record a prompted event, for a seat one that the table may know."""
        whole = replayed(self.log)
        prompts = list_prompts(whole if seat is None else as_known(whole), level)
        if prompts:
            prompt = prompts[pick % min(len(prompts), 3)]
            choice = prompt.choices[pick // 7 % len(prompt.choices)]
            raw = event(prompt.type, **codec.encode(choice))
            answer = self.record([raw], "host" if seat is None else self.players[seat])
            expected = {201} | ({403} if seat is not None else set())
            assert answer.status_code in expected or not self.in_order
            if (
                seat is not None and answer.status_code == 201
            ):  # the prompt did not depend on face-down cards
                findings = new_findings(whole, replayed(self.log))
                self.in_order &= all(finding["severity"] == "info" for finding in findings)

    @rule(pick=PICKS, seat=SEATS)
    def play_a_hand(self, pick: int, seat: int) -> None:
        """Let a seat record the likeliest events until the hand can be confirmed."""
        for n in range(12):
            by_type = {prompt.type: prompt for prompt in list_prompts(replayed(self.log), "totals")}
            wanted = [kind for kind in by_type if kind not in ENDS]
            if "hand_confirmed" in by_type or not wanted:
                break
            choices = by_type[wanted[0]].choices
            raw = event(wanted[0], **codec.encode(choices[pick // (n + 1) % len(choices)]))
            self.record([raw], "host" if wanted[0] == "match_started" else self.players[seat])

    @rule(pick=PICKS, size=st.integers(2, 6), as_played=st.booleans())
    def play_out_of_place(self, pick: int, size: int, as_played: bool) -> None:
        """Record several prompted choices in one append, where they rarely fit together."""
        session, batch = replayed(self.log), []
        for n in range(size):
            prompts = list_prompts(session)
            if prompts:
                prompt = prompts[(pick // (n + 1)) % len(prompts)]
                choice = prompt.choices[pick // (n + 3) % len(prompt.choices)]
                batch.append(event(prompt.type, **codec.encode(choice)))
        if batch:
            self.disturb(batch, "host", as_played=as_played)

    @rule(seat=SEATS)
    def undo(self, seat: int) -> None:
        """Let a seat strike its last event."""
        player = self.players[seat]
        corrections = replayed(self.log).corrections
        own = [
            seq for seq, raw in enumerate(self.log, 1)
            if raw["by"] == player and seq not in corrections.stands
            and corrections.reading(seq) is not None
        ]  # fmt: skip
        if len(own) > 1:
            assert self.record([struck(own[0])], player).status_code == 403
        if own:
            self.disturb([struck(own[-1])], player, as_played=True)
        else:
            assert self.record([struck(1)], player).status_code == 403

    @rule(pick=PICKS, how=st.integers(0, 2), other=PICKS, as_played=st.booleans())
    def correct(self, pick: int, how: int, other: int, as_played: bool) -> None:
        """Let the host strike, replace or insert an event anywhere."""
        seq = pick % len(self.log) + 1
        model = self.log[other % len(self.log)]
        correction = [struck(seq), replaced(seq, model["type"], **model["data"]),
               inserted(seq, model["type"], **model["data"])][how]  # fmt: skip
        self.disturb([correction], "host", as_played=as_played)

    @rule(seat=SEATS)
    def confirm(self, seat: int) -> None:
        """Let a seat confirm the last hand, if there is one."""
        player = self.players[seat]
        answer = self.record([event("hand_confirmed", player=player)], player)
        if answer.status_code == 201:
            assert self.record([struck(len(self.log))], player).status_code == 403

    @rule(seat=SEATS)
    def confirm_for_another(self, seat: int) -> None:
        confirmation = event("hand_confirmed", player=self.players[1 - seat])
        assert self.record([confirmation], self.players[seat]).status_code in (403, 422)

    @precondition(lambda self: len(self.sent) > 1)
    @rule(pick=PICKS)
    def send_again(self, pick: int) -> None:
        """Repeat a recorded request, and compare the answers."""
        events, more, data = self.sent[pick % len(self.sent)]
        answer = self.table().append(*events, **more)
        assert (answer.status_code, answer.data) == (201, data)

    @rule(behind=st.integers(1, 3))
    def come_late(self, behind: int) -> None:
        at = max(0, len(self.log) - behind)
        answer = self.table().append(event("note_added", text="late"), at=at)
        assert (answer.status_code, answer.get_json()["version"]) == (412, len(self.log))

    @rule(which=SEATS)
    def restart(self, which: int) -> None:
        """Restart a server on the same store, with empty caches."""
        self.tables[which].client = client_of(self.store)

    # ------------------------------------------------------------------------------- the model

    def table(self) -> Table:
        """Return the session of the server in turn."""
        self.turn += 1
        return self.tables[self.turn % 2]

    def record(self, events: list[Raw], who: str, *, as_played: bool = False) -> TestResponse:
        """Send events, compare the answer with the list, and add them to it."""
        more: dict[str, Any] = {"who": who, "at": len(self.log), "key": f"{len(self.sent)}"}
        more |= {"as_played": True} if as_played else {}
        answer = self.table().append(*events, **more)
        by = "keeper" if who == "host" else who
        if answer.status_code == 201:
            self.expect(events, by, answer.get_json(), as_played=as_played)
            self.sent.append((events, more, answer.data))
        elif answer.get_json()["code"] == "unusable":
            assert self.after(events, by) is None
        elif answer.get_json()["code"] == "irregular":
            findings = self.asked(events, by)
            assert answer.get_json()["findings"] == findings != []
        else:
            assert (answer.status_code, who == "host") == (403, False)
        return answer

    def disturb(self, events: list[Raw], who: str, *, as_played: bool) -> None:
        """Record an event that no prompt offers; later prompts may be irregular."""
        if self.record(events, who, as_played=as_played).status_code == 201:
            self.in_order = False

    def after(self, events: list[Raw], by: str) -> Session | None:
        """Return the session with these events; None if it is unusable."""
        try:
            log = self.log
            for raw in events:
                log = [*log, {"data": {}, "by": author_of(replayed(log), raw, by), **raw}]
            return replayed(log)
        except UnusableError:
            return None

    def asked(self, events: list[Raw], by: str) -> list[Raw]:
        """Return the findings about these events that need confirmation; seats see public ones."""
        before, after = replayed(self.log), self.after(events, by)
        assert after is not None
        if by != "keeper" and face_down_seqs(before):
            (raw,) = events
            before, after = as_known(before), as_known(before)
            seq = len(self.log) + 1
            author = author_of(replayed(self.log), raw, by)
            after.add_line(RawEvent(seq, seq, raw["type"], raw.get("data", {}), by=author))
        return [finding for finding in new_findings(before, after) if finding["severity"] != "info"]

    def expect(self, events: list[Raw], by: str, body: Raw, *, as_played: bool) -> None:
        assert as_played or self.asked(events, by) == []
        page = self.tables[0].get(f"/events?after={len(self.log)}").get_json()
        stored = page["events"]
        for raw, kept in zip(events, stored, strict=True):
            assert without_salts(raw.get("data", {})) == without_salts(kept["data"])
            secret = (raw["type"], kept["by"]) == ("partner_revealed", "keeper")
            assert secret or (raw["type"], by) == (kept["type"], kept["by"])
        before, after = replayed(self.log), self.after(stored, by)
        assert after is not None
        hidden = face_down_seqs(after) if by != "keeper" else ()
        assert body["events"] == [
            {**raw, "data": None} if raw["seq"] in hidden else raw for raw in stored
        ]
        if by != "keeper":
            before, after = as_known(before), as_known(after)
        assert body["findings"] == new_findings(before, after)
        self.log += [
            {name: stored_event[name] for name in ("type", "data", "by")} for stored_event in stored
        ]
        assert body["version"] == len(self.log)

    @invariant()
    def the_report_is_that_of_the_list(self) -> None:
        if not hasattr(self, "tables"):
            return
        whole = replayed(self.log)
        seen = {"host": whole, "view": as_known(whole)}
        for table, (who, session) in product(self.tables, seen.items()):
            body = table.get(who=who).get_json()
            model = json.loads(json.dumps(build_report(session)))
            assert len(body["session"].pop("head")) == 64
            del model["session"]["head"]
            assert all(len(signature.pop("head")) == 64 for signature in body["signatures"])
            assert [signature.pop("head") for signature in model["signatures"]] == [None] * len(
                body["signatures"]
            )
            assert body == model


TestTableAtWork = TableAtWork.TestCase
TestTableAtWork.settings = settings(
    max_examples=500 if SOAK else 5, stateful_step_count=50 if SOAK else 20
)

"""Metrics: what is counted, and when it is served."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY

from scorekeeper.app import create_app
from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.config import read_settings
from scorekeeper.operation.metrics import with_metrics
from scorekeeper.store import MemoryStore, Position, Repeated, sealed
from tests.store.asking import append, note, opened, request


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"scorekeeper_{name}", labels) or 0.0


def app_with(**settings: Any) -> Flask:
    return create_app(read_settings(**settings), MemoryStore())


@pytest.fixture
def client() -> FlaskClient:
    return app_with(metrics=True).test_client()


# ---------------------------------------------------------------------------------- requests


@pytest.mark.parametrize(
    ("method", "path", "labels"),
    [
        ("GET", "/", {"method": "GET", "route": "/", "status": "200"}),
        ("GET", "/rules/knock", {"method": "GET", "route": "/rules/<game>", "status": "200"}),
        ("GET", "/rules/x", {"method": "GET", "route": "/rules/<game>", "status": "404"}),
        ("GET", "/nothing/1", {"method": "GET", "route": "", "status": "404"}),
        ("X" * 20, "/", {"method": "other", "route": "", "status": "405"}),
    ],
)
def test_requests_are_counted_by_route_template(
    client: FlaskClient, method: str, path: str, labels: dict[str, str]
) -> None:
    before = figure("request_seconds_count", **labels)
    for _ in range(3):
        client.open(path, method=method)
    assert figure("request_seconds_count", **labels) == before + 3
    assert figure("request_seconds_bucket", **labels, le="+Inf") == before + 3


def test_metrics_are_served_if_the_setting_is_on(client: FlaskClient) -> None:
    client.get("/healthz")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'scorekeeper_request_seconds_count{method="GET",route="/healthz",status="200"}' in (
        answer.get_data(as_text=True)
    )


def test_metrics_are_not_served_by_default() -> None:
    assert app_with().test_client().get("/metrics").status_code == 404


def test_stream_is_counted_while_it_is_open(client: FlaskClient) -> None:
    store = client.application.extensions["service"].store
    new = opened(store)
    key = {"Authorization": f"Bearer {new.keys[1].secret}"}
    before = figure("streams_open")
    answer = client.get(f"/api/sessions/{new.id}/stream", headers=key)
    assert answer.status_code == 200
    assert figure("streams_open") == before + 1
    answer.close()
    assert figure("streams_open") == before
    client.application.extensions["notifier"].close()


# ------------------------------------------------------------------------------------- store


def test_appended_events_are_counted() -> None:
    store = with_metrics(MemoryStore())
    before = figure("events_appended_total")
    new = opened(store)
    append(store, new.id, 1, [note(), note()], "keeper")
    store.import_sealed(store.export(new.id).splitlines(keepends=True))
    assert figure("events_appended_total") == before + 1 + 2 + 3


def test_repeated_and_refused_events_are_not_counted() -> None:
    store = with_metrics(MemoryStore())
    new = opened(store)
    first, again = request("a key"), figure("requests_repeated_total")
    append(store, new.id, 1, [note()], "keeper", first)
    before = figure("events_appended_total")
    assert isinstance(append(store, new.id, 1, [note()], "keeper", first), Repeated)
    with pytest.raises(StaleVersionError):
        append(store, new.id, 1, [note()], "keeper")
    assert figure("events_appended_total") == before
    assert figure("requests_repeated_total") == again + 1


class BrokenStore(MemoryStore):
    def position(self, session_id: str) -> Position:
        raise StorageUnavailableError("the disk is gone")

    def append(self, *_: object, **__: object) -> None:
        raise StorageUnavailableError("the disk is gone")


def test_failures_of_the_store_are_counted_by_method() -> None:
    store = with_metrics(BrokenStore())
    new = opened(store)
    lines = sealed(Position(new.version, new.head), [note()], store.clock(), "keeper")
    counts = {call: figure("store_failures_total", call=call) for call in ("position", "append")}
    recorded = figure("events_appended_total")
    with pytest.raises(StorageUnavailableError):
        store.position(new.id)
    with pytest.raises(StorageUnavailableError):
        store.append(new.id, Position(new.version, new.head), lines)
    for call, before in counts.items():
        assert figure("store_failures_total", call=call) == before + 1
    assert figure("events_appended_total") == recorded


def test_counted_store_delegates_to_its_store() -> None:
    plain = MemoryStore()
    store = with_metrics(plain)
    new = opened(store)
    assert store.export(new.id) == plain.export(new.id)
    assert store.clock is plain.clock
    assert store.durability() == plain.durability()


def test_repeated_append_is_counted_with_any_known_version(client: FlaskClient) -> None:
    new = opened(client.application.extensions["service"].store)
    headers = {"Authorization": f"Bearer {new.keys[0].secret}", "Idempotency-Key": "a"}
    body = {"events": [{"type": "note_added", "data": {"text": "a note"}}]}
    before = figure("requests_repeated_total")
    for known in ('"1"', '"1"', '"2"', '"9"'):
        headers["If-Match"] = known
        path = f"/api/sessions/{new.id}/events"
        assert client.post(path, json=body, headers=headers).status_code == 201
    assert figure("requests_repeated_total") == before + 3

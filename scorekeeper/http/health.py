"""The probes of liveness and readiness, for a supervisor or load balancer."""

from functools import partial
from typing import Final

from flask import Flask, Response, jsonify

from scorekeeper import __version__
from scorekeeper.base.errors import NotReadyError, StorageUnavailableError
from scorekeeper.store import Store

PATHS: Final = frozenset({"/healthz", "/readyz"})


def init_app(app: Flask, store: Store) -> None:
    """Serve the probes at ``/healthz`` and ``/readyz``."""
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/readyz", "readyz", partial(readyz, store))


def healthz() -> Response:
    """Return an answer that the process is up, and the version of the program."""
    return jsonify(status="ok", version=__version__)


def readyz(store: Store) -> Response:
    """Return an answer that the database is usable, with its durability settings.

    Raises `NotReadyError` with the reasons if it is not reachable, migrated and writable.
    """
    reasons = store.complaints()
    if reasons:
        raise NotReadyError(reasons)
    try:
        mode = store.durability()
    except StorageUnavailableError as error:
        raise NotReadyError([str(error)]) from error
    return jsonify(
        status="ready", database=mode.database, durable=mode.durable, settings=dict(mode.settings)
    )

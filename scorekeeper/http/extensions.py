"""What belongs to the application that answers the request."""

from typing import Any

from flask import current_app

from scorekeeper.answers.answers import Answers
from scorekeeper.live.event_streams import Streams
from scorekeeper.service import Clubs, Service


def service() -> Service:
    """The service of this application."""
    found: Service = current_app.extensions["service"]
    return found


def clubs() -> Clubs:
    """The clubs of this application."""
    found: Clubs = current_app.extensions["clubs"]
    return found


def answers() -> Answers:
    """What works out the answers of this application that take long."""
    found: Answers = current_app.extensions["answers"]
    return found


def streams() -> Streams:
    """The streams of this application to those who watch."""
    found: Streams = current_app.extensions["streams"]
    return found


def openapi() -> dict[str, Any]:
    """The OpenAPI document of this application."""
    document: dict[str, Any] = current_app.extensions["openapi"]()
    return document

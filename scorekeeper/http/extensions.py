"""The objects of the application that answers the request."""

from flask import current_app

from scorekeeper.answers.answers import Answers
from scorekeeper.base.json_object import JsonObject
from scorekeeper.live.event_streams import Streams
from scorekeeper.service import Clubs, Service


def service() -> Service:
    """Return the service of this application."""
    extension: Service = current_app.extensions["service"]
    return extension


def clubs() -> Clubs:
    """Return the clubs of this application."""
    extension: Clubs = current_app.extensions["clubs"]
    return extension


def answers() -> Answers:
    """Return the helper that computes the long answers of this application."""
    extension: Answers = current_app.extensions["answers"]
    return extension


def streams() -> Streams:
    """Return the live streams of this application."""
    extension: Streams = current_app.extensions["streams"]
    return extension


def openapi() -> JsonObject:
    """Return the OpenAPI document of this application."""
    document: dict[str, object] = current_app.extensions["openapi"]()
    return document

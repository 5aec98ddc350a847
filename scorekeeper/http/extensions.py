"""The objects of the application that answers the request.

A request about a demo gets the services of the demos' store, and all others those of the database.
So no request uses both, whatever keys and cookies it brings.
"""

from typing import Final

from flask import current_app, has_request_context, request

from scorekeeper.answers.answers import Answers
from scorekeeper.base.json_object import JsonObject
from scorekeeper.demo.demos import Demos
from scorekeeper.live.event_streams import Streams
from scorekeeper.service import Clubs, Service, Tournaments
from scorekeeper.store.keyring import is_of_demo

STREAM_ARGUMENTS: Final = ("session_id", "session", "club_id", "club")  # of routes
DEMO_BLUEPRINT: Final = "demo"  # whose pages open demos


def service() -> Service:
    """Return the service of this application, or of its demos."""
    demo = own_demos()
    if demo is not None:
        return demo.services.service
    extension: Service = current_app.extensions["service"]
    return extension


def clubs() -> Clubs:
    """Return the clubs of this application, or of its demos."""
    demo = own_demos()
    if demo is not None:
        return demo.services.clubs
    extension: Clubs = current_app.extensions["clubs"]
    return extension


def tournaments() -> Tournaments:
    """Return the tournaments of this application."""
    extension: Tournaments = current_app.extensions["tournaments"]
    return extension


def is_demo_request() -> bool:
    """Return whether the request is about a demo: by the id in its path, or as it opens one."""
    if not has_request_context():
        return False
    named = request.view_args or {}
    return request.blueprint == DEMO_BLUEPRINT or any(
        is_of_demo(named[name]) for name in STREAM_ARGUMENTS if name in named
    )


def own_demos() -> Demos | None:
    """Return the demos if the request is about one and the application has any, else None."""
    return demos() if is_demo_request() else None


def demos() -> Demos | None:
    """Return the demos of this application; None if they are switched off."""
    extension: Demos | None = current_app.extensions["demos"]
    return extension


def answers() -> Answers:
    """Return the helper that computes the long answers of this application."""
    extension: Answers = current_app.extensions["answers"]
    return extension


def streams() -> Streams:
    """Return the live streams of this application, or of its demos."""
    demo = own_demos()
    if demo is not None:
        return demo.services.streams
    extension: Streams = current_app.extensions["streams"]
    return extension


def openapi() -> JsonObject:
    """Return the OpenAPI document of this application."""
    document: dict[str, object] = current_app.extensions["openapi"]()
    return document

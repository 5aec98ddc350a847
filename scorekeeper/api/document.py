"""The OpenAPI document: flask-smorest, with its errors told as problems."""

from collections.abc import Callable
from http import HTTPStatus
from importlib import metadata
from typing import Any, Final

from flask import Flask
from flask_smorest import Api, Blueprint

from scorekeeper.api.problems import PROBLEM_JSON
from scorekeeper.api.schemas import ProblemSchema

DESCRIPTION: Final = (
    "Keeps and audits the score of games played with real cards. A log of events is replayed "
    "through the rules of its game; every point comes with its clause and its proof.\n\n"
    "Whatever is refused is answered with a problem document (RFC 9457), whose `code` never "
    "changes. Unknown members of an answer are to be ignored: more may come."
)


class ProblemApi(Api):
    """flask-smorest, but what is refused is a problem, and the app decides who answers it."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Leave errors to the app, which also has pages to answer for."""

    def _register_responses(self) -> None:
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE  # that of the class again

    def _register_pagination_header(self) -> None:
        """No call has pages."""


def new_api(app: Flask, prefix: str) -> Api:
    """An API without calls, whose document is served at ``prefix/openapi.json``."""
    app.config.update(
        API_TITLE="Scorekeeper",
        API_VERSION=_version(),
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=prefix,
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]},
    )
    return ProblemApi(app)


def _version() -> str:
    try:
        return metadata.version("card-scorekeeper")
    except metadata.PackageNotFoundError:  # in a checkout nothing is installed
        return "0"


def refuses(blueprint: Blueprint, *statuses: int) -> Callable[[Any], Any]:
    """Document that a call may be answered with a problem of these statuses."""

    def decorate(view: Any) -> Any:
        for status in statuses:
            view = blueprint.alt_response(
                status,
                schema=ProblemSchema,
                content_type=PROBLEM_JSON,
                description=HTTPStatus(status).phrase,
            )(view)
        return view

    return decorate

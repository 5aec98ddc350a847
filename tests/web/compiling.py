"""A process that lets a child compile its templates, and compiles none itself."""

import sys
import time
from http import HTTPStatus
from multiprocessing import active_children

from jinja2 import Environment

from scorekeeper.app import create_app
from scorekeeper.web.frame.templates import load_templates_in_background


def main() -> None:
    """Wait until the child has ended and all templates are there; exit with 1 if a page fails."""
    app = create_app()
    load_templates_in_background(app)
    Environment.compile = None  # type: ignore[assignment, method-assign]
    wanted = set(app.jinja_env.list_templates(extensions=["html"]))
    while active_children() or {name for _, name in app.jinja_env.cache or ()} != wanted:
        time.sleep(0.01)
    sys.exit(app.test_client().get("/").status_code != HTTPStatus.OK)


if __name__ == "__main__":
    main()

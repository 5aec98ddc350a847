"""How a browser in a test comes by keys: as a phone that follows their links."""

from typing import TYPE_CHECKING

from tests.api.asking import phone_of

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def join(context: "BrowserContext", origin: str, *keys: str) -> None:
    """Let a browser hold these keys of the server at ``origin``."""
    for key in keys:
        answer = context.request.post(
            f"{origin}/join", form={"key": key, "phone": phone_of(key)},
            headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0,
        )  # fmt: skip
        assert answer.status == 303, answer.text()

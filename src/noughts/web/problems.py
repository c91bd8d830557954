"""Errors as `application/problem+json` (RFC 9457): a title, a status, and a sentence for people."""

from collections.abc import Mapping, Sequence
from typing import Any

from noughts.errors import IllegalMove, NoughtsError, ParseError

MEDIA_TYPE = "application/problem+json"

ENGINE_FAILED = "The engine failed"  # how a fault of an engine begins
UNREADABLE, ILLEGAL, IMPOSSIBLE = "Cannot read this", "Illegal move", "Not possible"
TITLES = {
    400: "Unreadable request",
    403: "Not from here",
    404: "Not found",
    405: "Method not allowed",
    409: "Not now",
    413: "Too large",
    415: "Not JSON",
    422: IMPOSSIBLE,
    429: "Busy",
    507: "No room",
}


class Problem(Exception):
    """What went wrong, as it is told to the page."""

    def __init__(
        self, status: int, detail: str, title: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.title = title or TITLES[status]
        self.headers = dict(headers or {})


def problem_data(
    status: int, title: str, detail: str, where: Sequence[str | int] | None = None
) -> dict[str, Any]:
    """The document. What cannot be written as UTF-8 was sent so, and becomes question marks."""
    detail = detail.encode("utf-8", "replace").decode()
    data = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return data if where is None else data | {"where": list(where)}


def title_of(error: NoughtsError) -> str:
    """What kind of mistake it is."""
    if isinstance(error, IllegalMove):
        return ILLEGAL
    return UNREADABLE if isinstance(error, ParseError) else IMPOSSIBLE

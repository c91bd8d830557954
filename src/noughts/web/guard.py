"""What is checked before a request is read: who asks, how much, and in which form.

A page of another site can make a browser send requests to this machine. It cannot choose the `Host`
that the browser names (so DNS rebinding is caught), it cannot hide its `Origin`, and without the
server's consent it cannot send JSON. All three are checked here. A server that was told to listen
to the network answers under whatever name it is reached.
"""

import json
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from noughts.web.problems import MEDIA_TYPE, TITLES, problem_data
from noughts.web.settings import MOST_BODY, Settings

SAFE = ("GET", "HEAD", "OPTIONS")
TOO_LARGE = f"At most {MOST_BODY:,} bytes can be sent."
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")

# Nothing is fetched from elsewhere, and no other site may put the page into a frame.
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

ASGIApp = Any  # what the ASGI standard calls an application


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refuse(scope["method"], headers)
        if refusal is not None:
            await _send_problem(send, *refusal)
            return
        body = _Body(receive)

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                extra = [(n, v) for n, v in HEADERS if n not in present]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await self.app(scope, body.receive, send_with_headers)

    def _refuse(self, method: str, headers: dict[bytes, str]) -> tuple[int, str] | None:
        """The status and the sentence of a refusal, or None."""
        host = headers.get(b"host", "")
        if self.settings.is_local and _name_of(host) not in LOCAL_NAMES:
            return 403, "This server answers to its own machine only, by the name localhost."
        if method in SAFE:
            return None
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, "Another site asked for this; only the page itself may."
        if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "Another site asked for this; only the page itself may."
        length = headers.get(b"content-length", "0")
        if length.isdecimal() and int(length[:12]) > MOST_BODY:
            return 413, TOO_LARGE
        kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
        has_body = length not in ("", "0") or b"transfer-encoding" in headers
        if kind != "application/json" and (has_body or kind):
            return 415, "Send JSON, with the header Content-Type: application/json."
        return None


class _Body:
    """Counts what is received of a body whose length was not told."""

    def __init__(self, receive: Any) -> None:
        self._receive, self._size = receive, 0

    async def receive(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            if self._size > MOST_BODY:
                raise HTTPException(413, TOO_LARGE)  # which becomes a problem like any other
        return message


def _name_of(host: str) -> str:
    """The name in a Host header, without its port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


async def _send_problem(send: Any, status: int, detail: str) -> None:
    body = json.dumps(problem_data(status, TITLES[status], detail)).encode()
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": body})

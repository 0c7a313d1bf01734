"""A model on loopback that follows a script, and records every request that it gets."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.clients.dialects.anthropic import AnthropicMessages
from tests.clients.dialects.chat import ChatCompletions
from tests.clients.dialects.gemini import GeminiGenerateContent
from tests.clients.dialects.responses import Responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.clients.conversation import ModelReply, ModelRequest
    from tests.clients.dialects import Dialect

DIALECTS: tuple[Dialect, ...] = (
    AnthropicMessages(),
    ChatCompletions(),
    Responses(),
    GeminiGenerateContent(),
)
MODELS = ("claude-sonnet-4-5", "gpt-5", "gemini-2.5-pro", "qwen3-coder-plus")
"""Names that agents know, so that they know what the model supports (such as images)."""


@dataclass(frozen=True)
class Recorded:
    """One request to the model."""

    dialect: str
    body: dict[str, Any]
    request: ModelRequest


class ModelServer:
    """Serves all APIs on one port of 127.0.0.1."""

    def __init__(self, *, reply: Callable[[ModelRequest], ModelReply]) -> None:
        self.reply = reply
        self.recorded: list[Recorded] = []
        self.other_requests: list[str] = []
        self.failures: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args) -> None:
        pass

    def do_GET(self) -> None:
        self.model.other_requests.append(f"GET {self.path}")
        listed = [{"id": name, "object": "model", "owned_by": "test"} for name in MODELS]
        self._send_json({"object": "list", "data": listed})

    def do_HEAD(self) -> None:
        self._send_json({})

    def do_POST(self) -> None:
        body = json.loads(self._body() or b"{}")
        path = urlsplit(self.path).path
        dialect = next((dialect for dialect in DIALECTS if dialect.matches(path)), None)
        with contextlib.suppress(ConnectionError):
            if dialect is None:
                self.model.other_requests.append(f"POST {self.path}")
                self._send_json({"input_tokens": 10, "totalTokens": 10})
            else:
                self._answer(dialect, path, body)

    def _answer(self, dialect: Dialect, path: str, body: dict[str, Any]) -> None:
        try:
            request = dialect.read(path, body)
            reply = self.model.reply(request)
            self.model.recorded.append(Recorded(dialect.name, body, request))
        except Exception as error:
            self.model.failures.append(f"{dialect.name}: {error!r}")
            self.send_error(400, "the scripted model cannot read this request")
            raise
        if request.streamed:
            self._send_events(dialect.events(reply, request.model))
        else:
            self._send_json(dialect.whole(reply, request.model))

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send_json(self, data: dict[str, Any]) -> None:
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def _send_events(self, events: Iterable[bytes]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for data in events:
            self.wfile.write(data)

"""Whatever is sent to the MCP server over HTTP: a status below 500 or a closed connection, in time, and the next call works."""

import asyncio
import json
import logging
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.surfaces.python.portal import Portal
from tests.fuzz.strategies import LONGEST, ODD, ODD_TEXT, changed, tried
from tests.mcp.test_http import CALL, HEADERS, serving

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "fuzz", "version": "0"},
    },
}
METHODS = (
    "ping",
    "tools/list",
    "resources/list",
    "resources/read",
    "prompts/get",
    "logging/setLevel",
    "no/such",
)
BODIES = [
    CALL,
    INITIALIZE,
    *({**CALL, "method": method} for method in METHODS),
    {"jsonrpc": "2.0", "method": "x"},
]
WORDS = st.sampled_from(["POST", "POST", "POST", "POST", "GET", "DELETE", "PUT", "OPTIONS", "HEAD", "BREW"])
PATHS = st.sampled_from(
    ["/mcp", "/mcp", "/mcp", "/", "//mcp", "/mcp/../mcp", "/mcp?x=1", "/%00", "*", "http://x/"]
)
BAD_TOKENS = re.compile("authorization", re.IGNORECASE)


@st.composite
def requests(draw, port):
    """The bytes of a request, most of which have the token."""
    headers = {**HEADERS, "Host": f"127.0.0.1:{port}", "Content-Type": "application/json"}
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from([*(name for name in headers if not BAD_TOKENS.match(name)), "X-Other"]))
        if draw(st.booleans()):
            headers[name] = re.sub(r"[\r\n]", "", draw(ODD_TEXT))
        else:
            headers.pop(name, None)
    body = draw(st.one_of(changed(BODIES).map(json.dumps), ODD.map(json.dumps), st.text(max_size=30)))
    data = draw(st.binary(max_size=40)) if draw(st.integers(0, 9)) == 0 else body.encode("utf-8", "replace")
    length = len(data) if draw(st.integers(0, 9)) else draw(st.integers(-1, len(data)))
    lines = [
        f"{draw(WORDS)} {draw(PATHS)} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    lines += [f"Content-Length: {length}", "Connection: close", "", ""]
    head = "\r\n".join(lines).encode("utf-8", "replace")
    return draw(st.binary(max_size=80)) if draw(st.integers(0, 19)) == 0 else head + data


class Stage:
    """A server in a background loop."""

    def __init__(self):
        self.portal = Portal()
        self._block = serving()
        self.port = self.portal.call(self._begin())

    async def _begin(self):
        return (await self._block.__aenter__()).port

    async def exchange(self, data):
        """What comes back until the server closes the connection, or begins a stream of events."""
        async with asyncio.timeout(LONGEST):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            answer = b""
            try:
                writer.write(data)
                if b"\r\n\r\n" not in data:
                    writer.write_eof()  # it would wait for the rest
                while b"text/event-stream" not in answer and (part := await reader.read(1 << 16)):
                    answer += part
            except ConnectionError:
                pass
            finally:
                writer.close()
            return answer

    def close(self):
        self.portal.call(self._block.__aexit__(None, None, None))
        self.portal.close()


@pytest.fixture(scope="module")
def stage():
    made = Stage()
    yield made
    made.close()


def valid(port):
    body = json.dumps(CALL)
    headers = {
        **HEADERS,
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Connection": "close",
    }
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", body]).encode()


@pytest.mark.timeout(7_200)
@tried
@given(data=st.data())
def test_any_request_gets_a_status_below_500_and_the_next_one_works(stage, caplog, data):
    with caplog.at_level(logging.ERROR):
        answer = stage.portal.call(stage.exchange(data.draw(requests(stage.port))))
    assert b"Traceback" not in answer
    if answer:
        status = int(answer.split(b" ", 2)[1])
        assert status < 500, answer[:500]
    assert [record.getMessage() for record in caplog.records] == []
    assert b" 200 " in stage.portal.call(stage.exchange(valid(stage.port)))[:20]

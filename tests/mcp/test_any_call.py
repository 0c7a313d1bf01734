"""Whatever a client calls: an answer or a typed error, in time, and the page and the server are still there afterwards."""

import os
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError

from boathook.surfaces.mcp.tool_catalog import read_tool_catalog
from boathook.surfaces.python.portal import Portal
from tests.mcp.clients import Home, Lasting, code_of, text_of
from tests.mcp.conftest import stop
from tests.support.site import Site

CALLS = int(os.environ.get("BOATHOOK_CALLS", "20"))
"""`make stress` asks for ten thousand."""
AT_ONCE = 250
"""Calls of one test: most of the time is spent waiting, so that `make stress` runs several at a time."""
TIMEOUT = 3
LONGEST = 2 * (TIMEOUT + 1)
"""Seconds after which a call hangs: its timeout and one more, twice for a busy machine."""
LEFT_OUT = {
    "install",
    "doctor",
    "session_close",
    "close",
    "wait_wait",
    "uninstall",
    "upkeep_uninstall",
    "connect",
    "set_cpu",
}
"""They change the machine, take their time on purpose, or end what the others need: the session, the network, speed."""
PAGE = "<title>Any</title><h1>Any call</h1><input id=i><button>Go</button><a href='#x'>Link</a><select><option>1</select>"
TOOLS = [
    tool
    for tool in read_tool_catalog(["full", "argv"], scripts=False)
    if tool.name not in LEFT_OUT and "offline" not in f"{tool.name} {tool.input_schema}"
]

ODD_TEXT = st.one_of(
    st.sampled_from(
        ["@e1", "#i", "text=Go", "role=button", "", "env:NOPE", "secret:NOPE", "x" * 5_000, "\x1b[31m", "../../etc/passwd",
         "\x00", "file:///etc/passwd", "http://169.254.169.254/", "javascript:alert(1)", "\u202e", "{}", "-1", "--help"]
    ),
    st.text(max_size=20),
)  # fmt: skip
ODD = st.one_of(
    ODD_TEXT, st.integers(), st.floats(), st.booleans(), st.none(), st.lists(ODD_TEXT, max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)  # fmt: skip


def fitting(schema):
    """A value that the schema describes."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = {
        "string": ODD_TEXT,
        "integer": st.integers(schema.get("minimum", -5), schema.get("maximum", 500)),
        "number": st.floats(schema.get("minimum", -5), min(schema.get("maximum", 5), 5)),
        "boolean": st.booleans(),
        "array": st.lists(ODD_TEXT, max_size=3),
        "object": st.dictionaries(st.text(max_size=5), ODD_TEXT, max_size=2),
    }
    return kinds.get(schema.get("type"), ODD)


@st.composite
def calls(draw):
    """A tool with arguments that may or may not fit."""
    tool = draw(st.sampled_from(TOOLS))
    required = set(tool.input_schema.get("required", ()))
    arguments = {}
    for name, schema in tool.parameters.items():
        if (name in required and draw(st.integers(0, 9))) or draw(st.integers(0, 3)) == 0:
            arguments[name] = draw(fitting(schema) if draw(st.integers(0, 4)) else ODD)
    if draw(st.integers(0, 9)) == 0:
        arguments[draw(st.text(max_size=8))] = draw(ODD)
    for handle in ("session", "tab"):
        if handle in arguments and draw(st.integers(0, 3)):
            del arguments[handle]
    if "timeout" in tool.parameters:
        arguments["timeout"] = TIMEOUT - 1
    return (draw(st.text(max_size=10)) if draw(st.integers(0, 30)) == 0 else tool.name), arguments


@pytest.fixture
def called(tmp_path_factory):
    """A function that calls a tool of a server with a page open; one per part, since calls leave recordings and tabs."""
    home, site, portal = Home(tmp_path_factory.mktemp("any")), Site(), Portal()
    page = site.page(PAGE)

    async def begin():
        options = ("--tools", "full,argv", "--structured")
        lasting = Lasting(home.client(*options, variables={"BOATHOOK_TIMEOUT": str(TIMEOUT)}))
        return lasting, await lasting.client()

    lasting, client = portal.call(begin())

    def call(name, arguments):
        return portal.call(client.call_tool(name, arguments))

    call("open", {"url": page})
    yield call, page
    portal.call(lasting.close())
    portal.close()
    stop(home)
    site.close()


def answered(call, name, arguments):
    """The answer; None when the protocol itself refuses the call."""
    try:
        return call(name, arguments)
    except MCPError as error:
        refused = error
    assert refused.code in {-32602, -32600}
    assert name not in {tool.name for tool in TOOLS}, refused.message
    return None


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@settings(
    max_examples=min(CALLS, AT_ONCE),
    deadline=None,
    derandomize=CALLS < 1_000,  # the sample is the same for everybody; `make stress` looks further
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("part", range(max(1, CALLS // AT_ONCE)))
@given(asked=calls())
def test_any_call_gives_an_answer_or_a_typed_error(called, asked, part):
    call, page = called
    began = time.monotonic()
    answer = answered(call, *asked)
    assert time.monotonic() - began < LONGEST
    if answer is None:
        return
    said = text_of(answer)
    assert "Traceback" not in said
    assert "\x1b" not in said
    assert answer.is_error is not answer.structured_content["ok"]
    if answer.is_error and "data" not in answer.structured_content:
        assert code_of(answer) not in {"", "unforeseen", "error"}, (asked, said)
    back = call("goto", {"url": page})
    assert code_of(back) in {"", "timed_out", "busy", "dialog_open", "page_unresponsive", "policy_blocked"}, (
        asked,
        text_of(back),
    )

"""The `run` message: whatever is wrong in it is named, and nothing is done."""

import pytest

from boathook.service.daemon.decoding import request
from boathook.service.surface import Surface
from boathook.wire import messages
from boathook.wire.failures import BadFrame

RUN = messages.run(
    "1",
    command="tabs",
    arguments={},
    settings={"session": "shop"},
    cwd="/",
    environment={"BOATHOOK_TIMEOUT": "3"},
    owner=messages.owner(pid=7, start_time=None),
    surface=Surface.MCP_STDIO,
    client="test",
)


def test_a_run_is_read_as_it_was_written():
    read = request(RUN)
    assert (read.command, read.settings, read.owner.pid, read.surface) == (
        "tabs",
        {"session": "shop"},
        7,
        "mcp stdio",
    )
    assert read.argv is None
    assert request(RUN | {"argv": ["get", "url"], "stdin": None}).argv == ("get", "url")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("command", 1),
        ("command", None),
        ("arguments", []),
        ("settings", "x"),
        ("cwd", None),
        ("environment", {"A": 1}),
        ("environment", []),
        ("owner", {}),
        ("owner", {"pid": "1"}),
        ("door", 3),
        ("client", None),
        ("argv", "get url"),
        ("argv", [1]),
        ("stdin", 5),
        ("agent", []),
        ("confirmed", 1),
    ],
)
def test_a_field_that_is_wrong_is_named(field, value):
    with pytest.raises(BadFrame, match="invalid call"):
        request(RUN | {field: value})

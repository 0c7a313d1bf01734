"""The harness itself: it sees what is missing, isolates clients, and leaves nothing running."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.clients import scenario
from tests.clients.clients import CLIENTS
from tests.clients.conversation import ModelReply, ModelRequest, Tool, ToolCall, ToolOutput
from tests.clients.findings import findings
from tests.clients.model_server import DIALECTS, ModelServer, Recorded
from tests.clients.processes import in_own_network
from tests.clients.report import COLUMNS, Run

ROOT = Path(__file__).parents[2]
TREE = 'main @e1\n  heading "Boat moorings" @e2 [level=1]\n  button "Reserve berth 7" @e3'
CHANGES = 'click: button @e3\n+ "Berth 7 is reserved"'
FAILURE = "error: nothing matches 'text=No such button' [target_not_found]\nnext: snapshot {} [look]"
WITHOUT_TEXT = '{"ok":true,"category":"completed","data":{"revision":1,"title":"Harbour office"}}'


def conversation(*texts):
    """The requests of a client whose tool results have these texts."""
    outputs = tuple(ToolOutput(text) for text in texts)
    tools = (Tool("mcp__boathook__snapshot"),)
    return [
        Recorded("any", {}, ModelRequest("any", False, tools, outputs[:count]))
        for count in range(len(outputs) + 1)
    ]


@pytest.mark.parametrize(
    "wrap",
    [
        str,
        lambda text: json.dumps({"output": text}),
        lambda text: f"Output:\n{json.dumps([json.dumps(text)])}",
    ],
    ids=["plain", "in JSON", "in JSON in JSON"],
)
def test_parts_are_found_however_a_client_wraps_them(tmp_path, wrap):
    texts = [wrap(text) for text in ("t1", TREE, CHANGES, FAILURE, "saved")]
    found = findings(conversation(*texts), mcp_log=tmp_path / "none")
    assert found.arrived == {
        "tree": True,
        "refs": True,
        "changes": True,
        "image": False,
        "error": True,
        "next": True,
    }


def test_a_client_that_sends_only_small_data_lacks_every_part(tmp_path):
    found = findings(conversation(*[WITHOUT_TEXT] * 5), mcp_log=tmp_path / "none")
    assert set(found.arrived.values()) == {False}
    assert found.evidence["tree"] == WITHOUT_TEXT


def run_without_image(*, no_image, image_in_mcp):
    return Run(
        client="any",
        version="1",
        api="any",
        isolated=True,
        seconds=1,
        exit_status=0,
        arrived={name: name != "image" for name in COLUMNS},
        evidence={"image": "[image omitted]"},
        image_in_mcp=image_in_mcp,
        no_image=no_image,
        apis_used=["any"],
        requests=6,
        output="",
    )


def test_a_missing_image_is_excused_only_for_a_known_client_that_was_given_one():
    known = run_without_image(no_image="it sends none", image_in_mcp=True)
    assert known.problems == []
    assert known.cells[3:] == ("yes", "yes", "yes", "no", "yes", "yes")
    expected = ["image did not arrive, the model was sent: [image omitted]"]
    assert run_without_image(no_image="", image_in_mcp=True).problems == expected
    assert run_without_image(no_image="it sends none", image_in_mcp=False).problems == expected


def test_the_ref_to_click_is_the_one_that_the_model_was_shown():
    tools = (Tool("boathook_snapshot"), Tool("boathook_act"))
    outputs = (ToolOutput("t1"), ToolOutput(TREE.replace("@e3", "@e41")))
    reply = scenario.reply_to(ModelRequest("any", False, tools, outputs), url="http://127.0.0.1/")
    assert reply.call is not None
    assert reply.call.tool.name == "boathook_act"
    assert reply.call.arguments == {"kind": "click", "target": "@e41"}


REQUESTS: dict[str, tuple[str, dict[str, object]]] = {
    "Anthropic Messages": ("/v1/messages", {"model": "m", "messages": [], "stream": True}),
    "OpenAI Chat Completions": ("/v1/chat/completions", {"model": "m", "messages": [], "stream": True}),
    "OpenAI Responses": ("/v1/responses", {"model": "m", "input": [], "stream": True}),
    "Gemini generateContent": ("/v1beta/models/m:streamGenerateContent?alt=sse", {"contents": []}),
}


@pytest.mark.parametrize("name", [dialect.name for dialect in DIALECTS])
def test_the_model_answers_in_every_api_streamed_and_whole(name):
    call = ToolCall("call_1", Tool("mcp__boathook__open"), {"url": "about:blank"})
    model = ModelServer(reply=lambda _request: ModelReply(call=call))
    path, body = REQUESTS[name]
    try:
        streamed = post(model.origin + path, body)
        whole = post(
            model.origin + path.replace("streamGenerateContent?alt=sse", "generateContent"),
            {key: value for key, value in body.items() if key != "stream"},
        )
    finally:
        model.close()
    assert [request.dialect for request in model.recorded] == [name, name]
    assert [request.request.streamed for request in model.recorded] == [True, False]
    assert "data: {" in streamed
    assert "mcp__boathook__open" in streamed
    assert "mcp__boathook__open" in json.dumps(json.loads(whole))


def post(url, body):
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def test_the_table_in_the_documentation_is_of_the_versions_that_are_run():
    page = (ROOT / "docs/mcp.md").read_text()
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d[^|]*) \|.* yes \|$", page, re.MULTILINE))
    assert rows == {client.name: client.package.pinned_version for client in CLIENTS.values()}


CONNECT = """
import socket, sys
from tests.clients.processes import isolate_network
print(isolate_network())
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=30).close()
    print("reached")
except OSError as error:
    print(type(error).__name__)
"""


def test_a_client_reaches_nothing_outside_its_namespace():
    before = in_own_network()
    if not before:
        pytest.skip("network namespaces are not allowed here")
    outside = ModelServer(reply=lambda _request: ModelReply(text=""))
    try:
        port = outside.origin.rpartition(":")[2]
        inside = python(CONNECT, port, before=before)
        control = python(CONNECT, port)
    finally:
        outside.close()
    assert inside.split() == ["True", "ConnectionRefusedError"]
    assert control.split()[1] == "reached"


RUN_A_CLIENT = """
import os, pathlib, sys
from tests.clients import processes
processes.adopt_orphans()
folder = pathlib.Path(sys.argv[1])
ended = processes.run_program(
    ["sh", "-c", sys.argv[2]],
    environment=dict(os.environ), folder=folder, log=folder / "log", seconds=float(sys.argv[3]),
)
print(ended.exit_status, len(processes.descendants()), processes.kill_descendants(), processes.descendants())
"""
LEAVES_A_DAEMON = "mkfifo ready; setsid sh -c 'echo >ready; exec sleep 600' & read ready <ready"


def test_what_a_client_leaves_behind_is_found_and_ended(tmp_path):
    assert python(RUN_A_CLIENT, tmp_path, LEAVES_A_DAEMON, "30").strip() == "0 1 [] {}"


def test_a_client_that_does_not_end_is_ended_at_its_deadline(tmp_path):
    assert python(RUN_A_CLIENT, tmp_path, "exec sleep 600", "0.2").strip() == "None 0 [] {}"


def python(source, *arguments, before=()):
    done = subprocess.run(
        [*before, sys.executable, "-c", source, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout

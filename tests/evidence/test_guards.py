"""Prompt guards: where the user wants an agent to stop, and what must be saved before a session is closed."""

import pytest

pytestmark = pytest.mark.shared_daemon
SHOP = """<h1>Basket</h1><button id=add onclick="document.title='added'">Add a note</button>
<button id=buy onclick="document.title='bought'">Place your order</button><form><input id=code></form>"""


def refusal(told):
    assert told["category"] == "policy-blocked", told
    [finding] = [one for one in told["diagnostics"] if one["kind"] == "prompt-guard"]
    return finding["reason"]


def test_an_agent_stops_before_what_completes_an_order(program, site):
    program("open", site.page(SHOP, title="Shop"))
    guard = ("--stop-before", "on")
    for line in (
        ["click", "#buy"],
        ["click", "text=Place your order"],
        ["dblclick", "#buy"],
        ["find", "role", "button", "click", "--name", "Place your order"],
        ["press", "Enter"],
    ):
        assert refusal(program.json(*guard, *line)) == "explicit-user-stop-boundary", line
    stopped = program.json(*guard, "batch", "click #add", "click #buy")
    assert stopped["batch_failure"]["failed_step"]["index"] == 1
    assert program.json("get", "title")["data"] == "added", "the control: other clicks are made"
    for line in (["fill", "#code", "Buy now"], ["eval", "'Place your order'"], ["press", "Tab"]):
        assert program.json(*guard, *line)["ok"], line
    assert refusal(program.json("--stop-before", "a note", "click", "#add")) == "explicit-user-stop-boundary"
    assert program.json("click", "#buy")["ok"], "without the guard"


def test_a_session_is_closed_after_the_wanted_files_were_saved(program, site):
    program("open", site.page(SHOP))
    guard = ("--required-artifacts", "proof.png")
    assert refusal(program.json(*guard, "close")) == "requested-artifacts-missing-before-close"
    assert program.json("screenshot", "proof.png")["artifact_verification"]["verified"] is True
    closed = program.json(*guard, "close")
    assert closed["ok"]
    assert closed["artifact_cleanup"]["owner"] == "host-file-tools"
    assert [path.rpartition("/")[2] for path in closed["artifact_cleanup"]["explicit_artifact_paths"]] == [
        "proof.png"
    ]
    assert "1 saved file kept" in closed["text"]
    program("open", site.page(SHOP))
    assert "artifact_cleanup" not in program.json("close"), "a session without files of its own"


async def test_a_model_can_only_add_to_what_the_user_has_set(client_with, site):
    client = await client_with("--tools", "argv", "--structured", "--stop-before", "on")

    async def run(*argv, **more):
        return (await client.call_tool("agent_browser", {"args": list(argv), **more})).structured_content

    await run("open", site.page(SHOP))
    assert refusal(await run("click", "#add", stopBefore="a note")) == "explicit-user-stop-boundary"
    assert refusal(await run("click", "#buy", stopBefore="a note")) == "explicit-user-stop-boundary"
    assert refusal(await run("--stop-before", "x", "click", "#buy")) == "explicit-user-stop-boundary"
    assert (await run("click", "#add"))["ok"]
    assert (
        refusal(await run("close", requiredArtifacts="a.png")) == "requested-artifacts-missing-before-close"
    )

"""A batch: a failed step fails it, and its data says which step, how far it came and what to do next."""

import json

import pytest

from tests.mcp.clients import text_of

pytestmark = pytest.mark.shared_daemon
TWO = "<button>Go</button><button>Go</button>"


def test_a_failed_step_fails_the_batch_with_its_category_and_next_actions(program, site):
    page = site.page(TWO, title="Two")
    steps = (f"open {page}", "click text=Go", "click #none --timeout 0.3", "get title")
    answer = program("--json", "batch", *steps)
    told = json.loads(answer.stdout)
    alone = program.json("click", "text=Go")
    assert answer.returncode == 4
    assert told["ok"] is False
    assert told["category"] == alone["category"] == "selector-not-found"
    assert [action["id"] for action in told["next"]] == [action["id"] for action in alone["next"]]
    failure = told["batch_failure"]
    assert failure["failed_step"] == {
        "index": 1,
        "argv": ["click", "text=Go"],
        "category": "selector-not-found",
        "code": "ambiguous_target",
    }
    counts = (failure["failure_count"], failure["success_count"], failure["total_count"])
    assert counts == (2, 2, 4)
    rows = told["data"]
    assert [row["status"] for row in rows] == ["completed", "failed", "failed", "completed"]
    assert rows[0]["change"]["kind"] == "navigation"
    assert rows[1]["category"] == "selector-not-found"
    assert rows[1]["next"] == told["next"]
    assert told["page"]["url"] == page


def test_steps_after_a_stop_are_listed_as_not_run_without_what_they_would_type(program, site):
    program("open", site.page(TWO))
    said = program("batch", "--bail", "click text=Go", "fill label=Password hunter2", "get title").stdout
    assert "== get title: not run" in said
    assert "hunter2" not in said
    rows = program.json("batch", "--bail", "click text=Go", "get title")["data"]
    assert [row["status"] for row in rows] == ["failed", "pending"]
    whole = program.json("batch", "get url", "get title")
    assert [row["status"] for row in whole["data"]] == ["completed", "completed"]
    assert "batch_failure" not in whole


def test_a_batch_that_times_out_says_how_far_it_came(program, site):
    page = site.page(TWO, title="Two")
    program("open", page)
    told = program.json("--timeout", "1", "batch", "screenshot a.png", "wait --text never", "get title")
    progress = told["timeout_partial_progress"]
    assert told["category"] == "timeout"
    assert [step["status"] for step in progress["steps"]] == ["completed", "failed", "pending"]
    assert progress["retry_step"] == 1
    assert progress["current_page"]["url"] == page
    assert progress["current_page"]["title"] == "Two"
    [file] = progress["artifacts"]
    assert file["exists"] is True
    assert file["step_index"] == 0
    assert [action["id"] for action in told["next"]] == [
        "retry-timeout-step",
        "inspect-current-page-after-timeout",
    ]
    acting = program.json("--timeout", "0.6", "batch", "wait 400", "click text=Nowhere")
    assert "retry-timeout-step" not in [action["id"] for action in acting["next"]]


def test_the_files_of_steps_are_files_of_the_batch(program, site):
    program("open", site.page(TWO))
    told = program.json("batch", "get title", "screenshot a.png", "screenshot b.png")
    assert told["category"] == "artifact-saved"
    assert [file["path"].rpartition("/")[2] for file in told["artifacts"]] == ["a.png", "b.png"]


def test_refs_that_an_earlier_step_makes_stale_are_refused_before_anything_runs(program, site):
    page = site.page(TWO, title="Two")
    program("open", page)
    told = program.json("batch", "eval 'document.title = 1'", f"open {page}", "click @e1")
    assert told["category"] == "stale-ref"
    assert program.json("get", "title")["data"] == "Two"
    assert program.json("batch", f"open {page}", "snapshot", "get title")["ok"], "the control"


async def test_over_mcp_a_step_proposes_calls_of_the_tools(home, site):
    async with home.client("--tools", "argv", "--structured") as client:
        lines = ["batch", f"open {site.page(TWO)}", "click text=Go", "screenshot a.png"]
        answer = await client.call_tool("agent_browser", {"args": lines})
        told = answer.structured_content
        assert answer.is_error
        assert told["category"] == "selector-not-found"
        assert told["batch_failure"]["failed_step"]["index"] == 1
        first = told["next"][0]
        assert set(first) == {"id", "reason", "safe", "tool", "params"}
        assert "--session" not in first["params"]["args"]
        assert "boathook --session" not in text_of(answer)
        assert told["data"][1]["next"] == told["next"]
        retried = await client.call_tool(first["tool"], first["params"])
        assert not retried.is_error

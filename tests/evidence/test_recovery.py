"""A caller that knows only next actions recovers from most failures, and every offered call works when it is sent back."""

import pytest

from tests.evidence.recovery import FAILURES, Caller, recover, timeout_of
from tests.support.thorough import sample

pytestmark = pytest.mark.shared_daemon
LEAST_RECOVERED = 0.8
PARTLY = ("retry-",)
"""Offers to repeat the failing call: what it finds may not have changed."""


def test_next_actions_alone_lead_out_of_four_failures_of_five(program, site):
    caller = Caller(program, site)
    chosen = sample(FAILURES, 8)
    found = [recover(caller, failure) for failure in chosen]
    assert not any(recovery.failed["ok"] for recovery in found), "each call fails first"
    missed = [(recovery.kind, recovery.failed["error"]) for recovery in found if not recovery.is_recovered]
    read_only = sum(recovery.is_recovered and not recovery.acted for recovery in found)
    print(f"recovered {len(found) - len(missed)} of {len(found)}, {read_only} by reading alone")
    assert len(missed) <= (1 - LEAST_RECOVERED) * len(found), missed


def test_every_offered_call_works_when_it_is_sent_back(program, site):
    caller = Caller(program, site)
    for failure in sample(FAILURES, 5):
        number, count = 0, 1
        while number < count:
            failed = caller.run(caller.begin(failure))
            offered = [action for action in failed.get("next", ()) if "params" in action]
            count = len(offered)
            if number < count:
                action = offered[number]
                answer = caller.run(action["params"]["args"])
                assert answer["ok"] or action["id"].startswith(PARTLY), (failure, action, answer)
            number += 1


async def test_every_offered_call_is_one_that_an_mcp_server_takes(client_with, site):
    client = await client_with("--tools", "argv", "--structured")

    async def run(argv):
        return (await client.call_tool("agent_browser", {"args": argv})).structured_content

    plain = [failure for failure in FAILURES if not failure.get("first")]
    for failure in sample(plain, 5):
        await run(["open", site.page(failure["page"])])
        failed = await run([*timeout_of(failure), *failure["call"]])
        assert failed["ok"] is False
        for action in failed.get("next", ()):
            if "params" not in action:
                continue
            answer = await client.call_tool(action["tool"], action["params"])
            told = answer.structured_content
            # An earlier offer may have used the element; the call itself is valid and was run.
            assert told["ok"] or told["category"] in {"stale-ref", "selector-not-found", "upstream-error"}, (
                action,
                told,
            )

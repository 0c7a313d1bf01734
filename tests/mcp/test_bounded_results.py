"""No result of a tool is as long as a page makes it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from boathook.commands.views.view_results import NumberedTree
from boathook.presentation.views import MOST_CHARACTERS as LONGEST_TREE
from boathook.presentation.views import render_numbered_tree
from tests.support.thorough import at_most
from tests.surfaces.test_bounded_answers import HOSTILE, HUGE, LONGEST, lines, longest_text

MOST_CHARACTERS = 60_000
"""Of all text of one result."""


def texts_in(answer):
    """Everything that a model may be shown: text parts, and structured data; images are bounded by their size."""
    parts = [part.text for part in answer.content if part.type == "text"]
    return {"text": parts, "data": answer.structured_content}


async def test_no_text_of_a_tool_result_is_as_long_as_the_page_made_it(client_with, site):
    client = await client_with("--tools", "argv", "--structured", "--evaluate-enabled")
    page = site.page(HOSTILE, title="T" * HUGE)
    assert not (await client.call_tool("agent_browser", {"args": ["open", page]})).is_error
    long, worked = {}, 0
    for line in lines():
        answer = await asyncio.wait_for(client.call_tool("agent_browser", {"args": line}), 120)
        worked += not answer.is_error
        told = texts_in(answer)
        if longest_text(told)[0] > LONGEST or sum(map(len, told["text"])) > MOST_CHARACTERS:
            long[" ".join(line)[:60]] = longest_text(told)
    assert not long
    assert worked >= at_most(4, len(lines()) - 6), "the calls found the page"


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        (
            ("--tools", "single"),
            [
                {"action": "snapshot"},
                {"action": "act", "act_kind": "click", "element_ref": "e1"},
                {"action": "evaluate", "script": "'z'.repeat(600000)"},
            ],
        ),
        (
            ("--tools", "named"),
            [
                {"action": "run", "code": "return await tab.snapshot()"},
                {"action": "run", "code": "print('z' * 600000)"},
                {"action": "list"},
            ],
        ),
    ],
)
async def test_no_result_in_the_form_of_another_program_is_longer(client_with, site, options, calls):
    client = await client_with(*options, "--evaluate-enabled", "--scripts-enabled")
    page = site.page(HOSTILE, title="T" * HUGE)
    opening = "navigate" if "single" in options else "open"
    for given in [{"action": opening, "url": page}, *calls]:
        answer = await asyncio.wait_for(client.call_tool("browser", given), 120)
        told = texts_in(answer)
        assert given not in calls[:1] or not answer.is_error, told
        assert sum(map(len, told["text"])) <= MOST_CHARACTERS, given
        assert longest_text(told)[0] <= LONGEST, given


def test_a_tree_of_numbers_says_how_many_lines_it_leaves_out():
    lines = [f'link "{number}" @e{number}' for number in range(20_000)]
    long: Any = SimpleNamespace(lines=lines, title="T", url="u" * HUGE)
    text = render_numbered_tree(NumberedTree(snapshot=long))
    shown = text.count("] link")
    assert len(text) < LONGEST_TREE + 2_000
    assert text.endswith(f"\n… {20_000 - shown} more lines left out")
    few: Any = SimpleNamespace(lines=lines[:100], title="T", url="u")
    assert render_numbered_tree(NumberedTree(snapshot=few)).count("] link") == 100, "the control"
